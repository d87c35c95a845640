//! A VM: its load against its vCPUs, the hypervisor's limits, and Little's law.

use super::super::choice::{Kind, Role};
use super::super::input::{CpuInput, TransactionsInput, VmInput, VolumeInput};
use super::super::overhead::OverheadModel;
use super::super::problem::{Problem, ProblemKind};
use super::super::scenario::{Backup, Cpu, Host, Load, Transactions, Vm, Volume};
use super::{count, share};

/// How far users, rate, response and think time may be from Little's law when all four are given.
const LITTLE_TOLERANCE: f64 = 0.05;

pub(super) fn check(
    input: &VmInput,
    base: &str,
    index: usize,
    host: &Host,
    overhead: Option<&OverheadModel>,
    found: &mut Vec<Problem>,
) -> Vm {
    let vcpus = count(input.vcpus, 1);
    let memory_gib = input.memory_gib.unwrap_or(1.0);
    let cpu = input.cpu.as_ref().map(cpu);
    if let Some(model) = overhead {
        let mut limit = |field: &str, value: f64, limit: Option<f64>| {
            if let Some(limit) = limit.filter(|limit| value > *limit) {
                let kind = ProblemKind::OverHypervisorLimit { limit, model: model.name.clone() };
                found.push(Problem::new(format!("{base}/{field}"), Some(value.to_string()), kind));
            }
        };
        limit("vcpus", f64::from(vcpus), model.limits.max_vcpus_per_vm.map(f64::from));
        limit("memory_gib", memory_gib, model.limits.max_memory_gib_per_vm);
    }
    if let Some(cpu) = cpu {
        let busy_cores = cpu.cores() / host.core_rating;
        if input.vcpus.is_some() && busy_cores > f64::from(vcpus) {
            let kind = ProblemKind::CpuBeyondVcpus { busy_cores, needed: busy_cores.ceil() as u32 };
            found.push(Problem::new(format!("{base}/vcpus"), Some(vcpus.to_string()), kind));
        }
    }
    let backup = input.backup.as_ref().map(|backup| Backup {
        size_gib: backup.size_gib.unwrap_or(1.0),
        window_h: backup.window_h.unwrap_or(1.0),
        compression_ratio: backup.compression_ratio.unwrap_or(1.0),
    });
    let transactions = input.transactions.as_ref();
    Vm {
        name: input.name.clone().unwrap_or_else(|| format!("VM {}", index + 1)),
        kind: input.kind.unwrap_or(Kind::Generic),
        vcpus,
        memory_gib,
        cpu,
        volumes: input.volumes.iter().flatten().enumerate().map(|(index, v)| volume(v, index)).collect(),
        network_mb_s: input.network_mb_s,
        backup,
        transactions: transactions.and_then(|t| self::transactions(t, &format!("{base}/transactions"), found)),
    }
}

fn cpu(input: &CpuInput) -> Cpu {
    Cpu {
        busy: share(input.busy_percent, 0.0),
        of_cores: input.of_cores.unwrap_or(1.0),
        core_rating: input.core_rating.unwrap_or(1.0),
        spread: share(input.spread_percent, 0.0),
    }
}

fn volume(input: &VolumeInput, index: usize) -> Volume {
    let role = input.role.unwrap_or(Role::Data);
    Volume {
        name: input.name.clone().unwrap_or_else(|| format!("{} {}", role.as_str(), index + 1)),
        role,
        size_gib: input.size_gib.unwrap_or(1.0),
        read_iops: input.read_iops.unwrap_or(0.0),
        write_iops: input.write_iops.unwrap_or(0.0),
        io_kib: input.io_kib,
        max_latency_ms: input.max_latency_ms,
        attach: input.attach,
        controller: input.controller,
    }
}

/// Users, rate, response and think time hold Little's law, U = X·(R + Z), or are told with the arithmetic.
fn transactions(input: &TransactionsInput, base: &str, found: &mut Vec<Problem>) -> Option<Transactions> {
    let mut needs = |field: &str, value: Option<f64>, other: &'static str| {
        let value = value.map(|v| v.to_string());
        found.push(Problem::new(format!("{base}/{field}"), value, ProblemKind::Needs { other }));
    };
    let max_response_ms = input.max_response_ms;
    let (users, think_s) = match (input.users, input.think_s) {
        (None, None) => {
            let Some(per_s) = input.per_s else {
                if let Some(limit) = max_response_ms {
                    needs("max_response_ms", Some(limit), "per_s");
                }
                return None;
            };
            return Some(Transactions { load: Load::Open { per_s }, max_response_ms });
        }
        (Some(users), None) => {
            needs("users", Some(users), "think_s");
            return None;
        }
        (None, Some(think_s)) => {
            needs("think_s", Some(think_s), "users");
            return None;
        }
        (Some(users), Some(think_s)) => (users, think_s),
    };
    let measured_response_ms = input.measured_response_ms;
    let per_s = match (input.per_s, measured_response_ms) {
        (None, None) => {
            needs("users", Some(users), "per_s");
            return None;
        }
        (Some(per_s), None) => {
            let response_s = users / per_s - think_s;
            if response_s <= 0.0 {
                let implied = per_s * think_s;
                let kind = ProblemKind::LittlesLaw { users, per_s, response_ms: 0.0, think_s, implied };
                found.push(Problem::new(format!("{base}/users"), Some(users.to_string()), kind));
                return None;
            }
            per_s
        }
        (None, Some(response_ms)) => users / (think_s + response_ms / 1000.0),
        (Some(per_s), Some(response_ms)) => {
            let implied = per_s * (response_ms / 1000.0 + think_s);
            if (implied / users - 1.0).abs() > LITTLE_TOLERANCE {
                let kind = ProblemKind::LittlesLaw { users, per_s, response_ms, think_s, implied };
                found.push(Problem::new(format!("{base}/users"), Some(users.to_string()), kind));
                return None;
            }
            per_s
        }
    };
    let load = Load::Closed { users: users as u32, think_s, per_s, measured_response_ms };
    Some(Transactions { load, max_response_ms })
}
