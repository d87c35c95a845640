//! The response of users against closed queueing networks, solved by [`mva`].

use serde_json::json;

use super::*;
use crate::domain::{ModelCatalog, scenario_from_value};
use crate::engine::queueing::mva;
use crate::engine::queueing::network::{Class, ClosedNetwork, Station as Node, StationKind};

/// One kind of VM, so many times on one host.
#[derive(Clone, Copy, Debug)]
struct Network {
    vms: u32,
    vcpus: u32,
    threads: u32,
    users: u32,
    think_s: f64,
    cpu_s: f64,
    reads: f64,
    disks: u32,
    disk_iops: f64,
}

/// Numbers that look random and are the same everywhere.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }

    fn whole(&mut self, low: u32, high: u32) -> u32 {
        (self.between(f64::from(low), f64::from(high) + 1.0) as u32).min(high)
    }
}

impl Network {
    fn predicted(&self) -> Response {
        // Measured at a tenth of what the vCPUs carry: the figures of a transaction are what counts.
        let per_s = 0.1 * f64::from(self.vcpus) / self.cpu_s;
        let scenario = json!({
            "host": { "sockets": 1, "cores_per_socket": self.threads, "memory_gib": 1024 },
            "storage": { "pools": [{ "name": "san", "raid": "raid0", "disks": self.disks, "disk_type": "hdd_15k",
                                     "disk_gb": 300, "iops_per_disk": self.disk_iops }] },
            "unit": [{ "vm": { "vcpus": self.vcpus, "memory_gib": 1, "cpu": { "busy_percent": 10, "of_cores": self.vcpus },
                               "volumes": [{ "size_gib": 1, "read_iops": self.reads * per_s }],
                               "transactions": { "per_s": per_s } } }],
        });
        // The rate belongs to the measurement; users and think time are those of the question.
        let mut scenario = scenario_from_value(scenario, ModelCatalog::built_in()).expect("a scenario");
        let load = Load::Closed { users: self.users, think_s: self.think_s, per_s, measured_response_ms: None };
        scenario.unit[0].vm.transactions = Some(Transactions { load, max_response_ms: None });
        let plan = Plan::new(&scenario);
        let factors = Factors::likely(&Factors::known(&scenario));
        predict(&plan, &factors, 0, f64::from(self.vms)).expect("users always have a steady state")
    }

    /// Rate and response of one VM. With a thread for each vCPU every VM queues at its own; with users no more than
    /// vCPUs all queue at the host.
    fn solved(&self) -> (f64, f64) {
        let classes = vec![Class { population: self.users, think_time_s: self.think_s }; self.vms as usize];
        let mut stations = Vec::new();
        if self.vms * self.vcpus <= self.threads {
            for vm in 0..self.vms {
                let demand_s = (0..self.vms).map(|class| if class == vm { self.cpu_s } else { 0.0 }).collect();
                stations.push(Node { kind: StationKind::MultiServer(self.vcpus), demand_s });
            }
        } else {
            let demand_s = vec![self.cpu_s; self.vms as usize];
            stations.push(Node { kind: StationKind::MultiServer(self.threads), demand_s });
        }
        let demand_s = vec![self.reads / self.disk_iops; self.vms as usize];
        stations.push(Node { kind: StationKind::MultiServer(self.disks), demand_s });
        let network = ClosedNetwork::new(stations, classes).expect("a network");
        let (solution, _) = mva::solve(&network).expect("a solution");
        (solution.throughput[0], solution.response[0])
    }
}

fn compare(networks: impl Iterator<Item = Network>, most_off: (f64, f64)) -> (f64, f64) {
    let mut worst = (0.0f64, 0.0f64);
    for network in networks {
        let (rate, response_s) = network.solved();
        let found = network.predicted();
        let off_rate = (found.per_s / rate - 1.0).abs();
        let off_response = (found.response_ms / 1000.0 / response_s - 1.0).abs();
        assert!(
            off_rate < most_off.0 && off_response < most_off.1,
            "{network:?}: rate {off_rate}, response {off_response}"
        );
        worst = (worst.0.max(off_rate), worst.1.max(off_response));
    }
    worst
}

#[test]
fn users_of_vms_with_their_own_threads_follow_the_network() {
    let mut numbers = Numbers(1);
    let networks = (0..40).map(|_| {
        let (vms, vcpus) = (numbers.whole(1, 4), numbers.whole(1, 4));
        let cpu_s = numbers.between(0.002, 0.05);
        Network {
            vms,
            vcpus,
            threads: vms * vcpus + 1,
            users: numbers.whole(1, 20),
            think_s: numbers.between(0.0, 0.5),
            cpu_s,
            reads: numbers.between(0.5, 4.0),
            disks: numbers.whole(4, 24),
            disk_iops: numbers.between(80.0, 200.0),
        }
    });
    let worst = compare(networks.collect::<Vec<_>>().into_iter(), (0.05, 0.10));
    println!("worst {worst:?}");
}

#[test]
fn users_of_vms_that_share_threads_follow_the_network() {
    let mut numbers = Numbers(2);
    let networks = (0..40).map(|_| {
        let (vms, vcpus) = (numbers.whole(2, 6), numbers.whole(2, 4));
        Network {
            vms,
            vcpus,
            threads: numbers.whole(2, vms * vcpus - 1),
            users: numbers.whole(1, vcpus),
            think_s: numbers.between(0.0, 0.1),
            cpu_s: numbers.between(0.002, 0.05),
            reads: numbers.between(0.5, 4.0),
            disks: numbers.whole(2, 12),
            disk_iops: numbers.between(80.0, 200.0),
        }
    });

    let worst = compare(networks.collect::<Vec<_>>().into_iter(), (0.05, 0.10));
    println!("worst {worst:?}");
}
