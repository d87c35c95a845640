//! Raw to checked: the rules over several fields, and the defaults. Field rules (least, most) stand at the fields in
//! [`super::input`].
//!
//! Every check adds its problems to one list; a scenario is made only if the list stays empty, so values that stand in
//! for missing ones never leave this module.

mod storage;
mod vm;

use std::sync::Arc;

use serde_json::Value;

use super::choice::{Kind, NicUse};
use super::input::{HostInput, NicInput, OverheadChoice, PolicyInput, ScenarioInput};
use super::models::ModelCatalog;
use super::overhead::{ModelInput, OverheadModel};
use super::problem::{Problem, ProblemKind};
use super::read::{Refused, in_order, read, read_value, were_cut};
use super::scenario::{BizTalkWanted, Host, Nic, Policy, Scenario, UnitMember};

/// VMs and volumes in one unit at most: it bounds the work of one answer.
const MOST_VMS_PER_UNIT: u64 = 1000;
const MOST_VOLUMES_PER_UNIT: u64 = 2000;

/// A scenario from JSON.
///
/// # Errors
/// All problems at once, each with its JSON pointer, the value and what is allowed.
pub fn parse_scenario(bytes: &[u8], catalog: &ModelCatalog) -> Result<Scenario, Refused> {
    let (input, problems) = read::<ScenarioInput>(bytes)?;
    if were_cut(&problems) {
        return Err(Refused::Problems(problems));
    }
    scenario(&input, problems, catalog).map_err(Refused::Problems)
}

/// A scenario from a JSON value, as the form makes one.
///
/// # Errors
/// As [`parse_scenario`].
pub fn scenario_from_value(value: Value, catalog: &ModelCatalog) -> Result<Scenario, Vec<Problem>> {
    let (input, problems) = read_value::<ScenarioInput>(value);
    if were_cut(&problems) {
        return Err(problems);
    }
    scenario(&input, problems, catalog)
}

/// A scenario that is part of something else and whose field rules are applied with it.
///
/// # Errors
/// As [`parse_scenario`].
pub(super) fn check_scenario(input: &ScenarioInput, catalog: &ModelCatalog) -> Result<Scenario, Vec<Problem>> {
    scenario(input, Vec::new(), catalog)
}

/// An overhead model from JSON.
///
/// # Errors
/// As [`parse_scenario`].
pub fn parse_model(bytes: &[u8]) -> Result<OverheadModel, Refused> {
    let (input, mut problems) = read::<ModelInput>(bytes)?;
    let model = input.check("", &mut problems);
    match model {
        Some(model) if problems.is_empty() => Ok(model),
        _ => Err(Refused::Problems(in_order(problems))),
    }
}

fn scenario(
    input: &ScenarioInput,
    mut problems: Vec<Problem>,
    catalog: &ModelCatalog,
) -> Result<Scenario, Vec<Problem>> {
    let found = &mut problems;
    let host = host(&input.host.clone().unwrap_or_default());
    let policy = policy(&input.policy.clone().unwrap_or_default());
    let overhead = overhead(input.overhead.as_ref(), catalog, found);
    if policy.spare_hosts >= host.count {
        let kind = ProblemKind::SpareNotBelowCount { count: host.count };
        found.push(Problem::new("/policy/spare_hosts", Some(policy.spare_hosts.to_string()), kind));
    }
    let storage = input.storage.as_ref().map(|storage| storage::check(storage, found));
    let mut unit = Vec::new();
    for (index, member) in input.unit.iter().flatten().enumerate() {
        let pointer = format!("/unit/{index}/vm");
        let vm = vm::check(&member.vm.clone().unwrap_or_default(), &pointer, index, &host, overhead.as_deref(), found);
        unit.push(UnitMember { count: count(member.count, 1), vm });
    }
    let vms: u64 = unit.iter().map(|member| u64::from(member.count)).sum();
    let volumes: u64 = unit.iter().map(|member| u64::from(member.count) * member.vm.volumes.len() as u64).sum();
    if vms > MOST_VMS_PER_UNIT {
        found.push(Problem::new(
            "/unit",
            Some(format!("{vms} VMs")),
            ProblemKind::TooMuch { limit: MOST_VMS_PER_UNIT },
        ));
    } else if volumes > MOST_VOLUMES_PER_UNIT {
        let kind = ProblemKind::TooMuch { limit: MOST_VOLUMES_PER_UNIT };
        found.push(Problem::new("/unit", Some(format!("{volumes} volumes")), kind));
    }
    let biztalk = input.biztalk.as_ref().and_then(|wanted| {
        if !unit.iter().any(|member| member.vm.kind == Kind::Biztalk) {
            found.push(Problem::new("/biztalk", None, ProblemKind::NeedsKind { kind: Kind::Biztalk.as_str() }));
        }
        Some(BizTalkWanted { work: wanted.scenario?, docs_per_s: wanted.docs_per_s? })
    });
    let name = input.name.clone().unwrap_or_else(|| "Unnamed sizing".to_owned());
    match overhead {
        Some(overhead) if problems.is_empty() => Ok(Scenario { name, host, storage, unit, overhead, policy, biztalk }),
        _ => Err(in_order(problems)),
    }
}

/// A whole number that the field rules have bounded.
fn count(value: Option<f64>, default: u32) -> u32 {
    value.map_or(default, |v| v as u32)
}

/// A percentage as a fraction.
fn share(percent: Option<f64>, default: f64) -> f64 {
    percent.map_or(default, |p| p / 100.0)
}

fn host(input: &HostInput) -> Host {
    let nic = |nic: &NicInput| Nic {
        speed_gbps: nic.speed_gbps.unwrap_or(1.0),
        count: count(nic.count, 1),
        carries: nic.carries.clone().unwrap_or_else(|| NicUse::ALL.to_vec()),
    };
    Host {
        model: input.model.clone(),
        count: count(input.count, 1),
        sockets: count(input.sockets, 1),
        cores_per_socket: count(input.cores_per_socket, 1),
        threads_per_core: count(input.threads_per_core, 1),
        clock_ghz: input.clock_ghz,
        core_rating: input.core_rating.unwrap_or(1.0),
        memory_gib: input.memory_gib.unwrap_or(1.0),
        numa_nodes: input.numa_nodes.map(|n| n as u32),
        nics: input.nics.iter().flatten().map(nic).collect(),
    }
}

fn policy(input: &PolicyInput) -> Policy {
    let default = Policy::default();
    Policy {
        cpu_target: share(input.cpu_target_percent, default.cpu_target),
        memory_target: share(input.memory_target_percent, default.memory_target),
        iops_target: share(input.iops_target_percent, default.iops_target),
        capacity_target: share(input.capacity_target_percent, default.capacity_target),
        network_target: share(input.network_target_percent, default.network_target),
        max_vcpus_per_thread: input.max_vcpus_per_thread,
        spare_hosts: count(input.spare_hosts, default.spare_hosts),
        confidence: share(input.confidence_percent, default.confidence),
        growth_per_year: share(input.growth_percent_per_year, default.growth_per_year),
        years: input.years.unwrap_or(default.years),
        root_memory_mib: input.root_memory_mib.unwrap_or(default.root_memory_mib),
        root_cpu: share(input.root_cpu_percent, default.root_cpu),
    }
}

fn overhead(
    choice: Option<&OverheadChoice>,
    catalog: &ModelCatalog,
    found: &mut Vec<Problem>,
) -> Option<Arc<OverheadModel>> {
    let id = match choice {
        Some(OverheadChoice::Inline(value)) => {
            let (input, problems) = read_value::<ModelInput>(value.clone());
            let before = found.len();
            found.extend(problems.into_iter().map(|mut problem| {
                problem.pointer.insert_str(0, "/overhead");
                problem
            }));
            let model = input.check("/overhead", found);
            return model.filter(|_| found.len() == before).map(Arc::new);
        }
        Some(OverheadChoice::Id(id)) => id.as_str(),
        None => "none",
    };
    let model = catalog.get(id);
    if model.is_none() {
        let allowed = catalog.iter().map(|model| model.id.clone()).collect();
        found.push(Problem::new("/overhead", Some(id.to_owned()), ProblemKind::NotOneOf { allowed }));
    }
    model
}
