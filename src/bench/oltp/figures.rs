//! Figures of each kind of transaction, over all connections and windows.

use serde_json::{Map, Value, json};

use super::load::Done;
use crate::bench::clock::NANOS;
use crate::bench::database::Conflict;
use crate::bench::record::Recorder;
use crate::bench::result::{BenchResult, Operation};

/// What is counted of one kind.
struct KindFigures {
    name: &'static str,
    service: Recorder,
    response: Recorder,
    rolled_back: u64,
    retries: u64,
}

/// What is counted beside the recorders of the connections.
pub struct Figures {
    kinds: Vec<KindFigures>,
    conflicts: [u64; 4],
    /// Requests to the server in the counted time.
    pub requests: u64,
    measured_s: f64,
    open: bool,
}

impl Figures {
    /// `open`: somebody else decides when a transaction starts, so that a response is more than its service.
    pub fn new(names: &[&'static str], open: bool) -> Self {
        let kind = |&name| KindFigures {
            name,
            service: Recorder::new(0),
            response: Recorder::new(0),
            rolled_back: 0,
            retries: 0,
        };
        Self { kinds: names.iter().map(kind).collect(), conflicts: [0; 4], requests: 0, measured_s: 0.0, open }
    }

    /// A transaction is through.
    pub fn done(&mut self, kind: usize, service_ns: u64, response_ns: u64, done: Done, conflicts: &[u64; 4]) {
        let Some(figures) = self.kinds.get_mut(kind) else { return };
        figures.service.record_ns(service_ns);
        figures.response.record_ns(response_ns);
        figures.rolled_back += u64::from(done == Done::RolledBack);
        figures.retries += conflicts.iter().sum::<u64>();
        for (all, new) in self.conflicts.iter_mut().zip(conflicts) {
            *all += new;
        }
    }

    /// A window is over.
    pub fn window(&mut self, duration_ns: u64) {
        self.measured_s += duration_ns as f64 / NANOS as f64;
    }

    /// Committed transactions of this kind a minute.
    pub fn committed_per_minute(&self, kind: usize) -> f64 {
        let Some(figures) = self.kinds.get(kind).filter(|_| self.measured_s > 0.0) else { return 0.0 };
        (figures.service.events() - figures.rolled_back) as f64 * 60.0 / self.measured_s
    }

    /// Puts them into the result.
    pub fn tell(&self, result: &mut BenchResult, requests_named: &str) {
        let several = self.kinds.len() > 1;
        let mut p90 = Map::new();
        let mut rolled_back = Map::new();
        for kind in &self.kinds {
            // One kind in a closed loop is the result itself.
            let (service, events) = match several || self.open {
                true => (kind.service.latency(), kind.service.events()),
                false => (result.latency_ms, result.events),
            };
            result.operations.push(Operation {
                name: kind.name.to_owned(),
                events,
                events_per_s: (self.measured_s > 0.0).then(|| events as f64 / self.measured_s),
                latency_ms: service,
                response_ms: self.open.then(|| kind.response.latency()).flatten(),
                retries: Some(kind.retries),
                ..Operation::default()
            });
            if several {
                p90.insert(kind.name.to_owned(), json!(kind.response.quantile_ms(0.9)));
                rolled_back.insert(kind.name.to_owned(), json!(kind.rolled_back));
            }
        }
        let details = &mut result.details;
        if several {
            details.insert("response_p90_ms".to_owned(), Value::Object(p90));
            details.insert("rolled_back".to_owned(), Value::Object(rolled_back));
        }
        let conflicts = Conflict::ALL.iter().zip(self.conflicts);
        let conflicts: Map<String, Value> =
            conflicts.map(|(conflict, count)| (conflict.name().to_owned(), count.into())).collect();
        details.insert("retries".to_owned(), Value::Object(conflicts));
        let per_s = (self.measured_s > 0.0).then(|| self.requests as f64 / self.measured_s);
        details.insert(format!("{requests_named}_per_s"), json!(per_s));
        let per_cpu = per_s.zip(result.cpu_percent.filter(|&cpu| cpu > 0.0)).map(|(per_s, cpu)| per_s / cpu);
        details.insert(format!("{requests_named}_per_s_per_cpu_percent"), json!(per_cpu));
    }
}
