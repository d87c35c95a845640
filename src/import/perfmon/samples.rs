//! Samples that count, by counter, and sums over counters of one kind that belong to one sample.

use super::Knobs;
use super::counter::{Quantity, Series};
use super::header::Header;
use super::names::Object;
use super::time::LocalTime;
use crate::engine::calibration::demand::Regression;
use crate::import::result::Imported;

/// All that is kept of a log.
pub struct Samples {
    knobs: Knobs,
    /// In the order of the header's columns.
    pub series: Vec<Series>,
    /// Busy share of all processors, from `_Total` or the mean of the others.
    pub cpu: Series,
    /// Bytes a second over all adapters that leave the machine.
    pub network: Series,
    /// Batch requests a second over all instances of SQL Server.
    pub batches: Series,
    cpu_from: Vec<usize>,
    network_from: Vec<usize>,
    batches_from: Vec<usize>,
    pub processors: Option<f64>,
    pub regression: Regression,
    pub first: Option<LocalTime>,
    pub last: Option<LocalTime>,
    pub seen: u64,
    pub used: u64,
    masked: u64,
    backwards: u64,
    duplicates: u64,
    pub interval_s: Option<f64>,
    pub gaps: u64,
}

/// Adapters that carry nothing off the machine.
const INNER: [&str; 5] = ["isatap", "teredo", "loopback", "6to4", "_total"];

impl Samples {
    pub fn new(header: &Header, knobs: &Knobs, into: &mut Imported) -> Self {
        let of =
            |wanted: Quantity| header.columns.iter().enumerate().filter(move |(_, column)| column.quantity == wanted);
        let total = |instance: &str| instance.eq_ignore_ascii_case("_total");
        let all: Vec<usize> = of(Quantity::CpuPercent).map(|(place, _)| place).collect();
        let totals: Vec<usize> =
            of(Quantity::CpuPercent).filter(|(_, c)| total(&c.instance)).map(|(place, _)| place).collect();
        // `0`, or `0,3` with processor groups; `0,_Total` is the sum of a group.
        let single = |instance: &str| instance.bytes().all(|byte| byte.is_ascii_digit() || byte == b',');
        let mut numbers: Vec<&str> = of(Quantity::CpuPercent)
            .map(|(_, column)| column.instance.rsplit_once("0,").map_or(column.instance.as_str(), |(_, number)| number))
            .filter(|instance| !instance.is_empty() && single(instance))
            .collect();
        numbers.sort_unstable();
        numbers.dedup();
        let processors = knobs.processors.or((!numbers.is_empty()).then_some(numbers.len() as f64));
        let network: Vec<usize> = of(Quantity::NetworkBytes)
            .filter(|(_, column)| {
                let name = column.instance.to_lowercase();
                column.object == Object::Network && !INNER.iter().any(|inner| name.contains(inner))
            })
            .map(|(place, _)| place)
            .collect();
        for _ in of(Quantity::NetworkBytes).count()..network.len() {
            into.ignore("network adapter", "it carries nothing off the machine");
        }
        Self {
            knobs: knobs.clone(),
            series: header.columns.iter().map(|column| Series::new(column.quantity)).collect(),
            cpu: Series::new(Quantity::CpuPercent),
            network: Series::new(Quantity::NetworkBytes),
            batches: Series::new(Quantity::BatchRequests),
            cpu_from: totals.first().map_or(all, |first| vec![*first]),
            network_from: network,
            batches_from: of(Quantity::BatchRequests).map(|(place, _)| place).collect(),
            processors,
            regression: Regression::new(1),
            first: None,
            last: None,
            seen: 0,
            used: 0,
            masked: 0,
            backwards: 0,
            duplicates: 0,
            interval_s: None,
            gaps: 0,
        }
    }

    /// Whether a sample of that time counts.
    fn counts(&self, time: LocalTime) -> bool {
        let minute = time.minute_of_day();
        let knobs = &self.knobs;
        !(knobs.weekdays_only && time.is_weekend())
            && knobs.business_hours.is_none_or(|span| span.holds(minute))
            && !knobs.backup_windows.iter().any(|span| span.holds(minute))
    }

    pub fn add(&mut self, time: LocalTime, values: &[Option<f64>]) {
        self.seen += 1;
        if let Some(last) = self.last {
            if time.0 == last.0 {
                self.duplicates += 1;
                return;
            }
            if time.0 < last.0 {
                self.backwards += 1;
                return;
            }
            let step = time.0 - last.0;
            match self.interval_s {
                None => self.interval_s = Some(step),
                Some(usual) if step > 2.5 * usual => self.gaps += 1,
                _ => {}
            }
        }
        self.first = self.first.or(Some(time));
        self.last = Some(time);
        if !self.counts(time) {
            self.masked += 1;
            return;
        }
        self.used += 1;
        for (series, value) in self.series.iter_mut().zip(values) {
            series.add(*value);
        }
        // An average of processors, but a sum of adapters and of servers.
        let cpu = mean(&self.cpu_from, values).map(|percent| percent.min(100.0));
        let batches = sum(&self.batches_from, values);
        if !self.cpu_from.is_empty() {
            self.cpu.add(cpu);
        }
        if !self.network_from.is_empty() {
            self.network.add(sum(&self.network_from, values));
        }
        if !self.batches_from.is_empty() {
            self.batches.add(batches);
        }
        if let (Some(cpu), Some(batches), Some(processors)) = (cpu, batches, self.processors) {
            self.regression.add(cpu / 100.0 * processors, &[batches]);
        }
    }

    /// Tells what was left out.
    pub fn report(&self, into: &mut Imported) {
        let mut ignored = |count: u64, what: &str, why: &str| {
            if count > 0 {
                into.ignored.push(crate::import::result::Ignored { what: what.to_owned(), why: why.to_owned(), count });
            }
        };
        ignored(self.masked, "sample", "outside of the hours that count");
        ignored(self.backwards, "sample", "the clock went backwards");
        ignored(self.duplicates, "sample", "the same time as the sample before");
        let negative: u64 = self.series.iter().map(|series| series.negative).sum();
        ignored(negative, "value", "negative: no counter is");
        if self.gaps > 0 {
            into.warn(format!("{} gaps in the samples are longer than two intervals", self.gaps));
        }
    }
}

fn mean(places: &[usize], values: &[Option<f64>]) -> Option<f64> {
    sum(places, values).map(|sum| sum / places.len() as f64)
}

/// `None` when one is missing: half a sum is no sum.
fn sum(places: &[usize], values: &[Option<f64>]) -> Option<f64> {
    if places.is_empty() {
        return None;
    }
    places.iter().map(|&place| values.get(place).copied().flatten().filter(|value| *value >= 0.0)).sum()
}
