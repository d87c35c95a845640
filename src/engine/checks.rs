//! Which limits apply to a scenario, and why the others are not checked.

use crate::domain::choice::Attach;
use crate::domain::scenario::{Lun, Scenario};

use super::fit::{Check, MOST_UNITS};
use super::plan::{Layout, Plan};
use super::{backup, demand, latency, luns};

/// A limit that is not checked, and why: keys of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotChecked {
    pub resource: &'static str,
    pub why: &'static str,
}

/// The checks that apply to a scenario, and those that do not.
pub fn checks(plan: &Plan) -> (Vec<Check>, Vec<NotChecked>) {
    let scenario = plan.scenario;
    let mut list = vec![Check::Memory, Check::Cpu];
    let mut skipped = Vec::new();
    let mut skip = |resource, why| skipped.push(NotChecked { resource, why });
    if scenario.unit.iter().all(|member| member.vm.cpu.is_none()) {
        skip("cpu", "no_cpu_given");
    }
    match scenario.policy.max_vcpus_per_thread {
        Some(_) => list.push(Check::Vcpus),
        None => skip("vcpus", "no_vcpu_ratio"),
    }
    let limits = &scenario.overhead.limits;
    match (limits.max_vms_per_host, limits.max_vcpus_per_thread) {
        (None, None) => skip("hypervisor_limit", "no_hypervisor_limit"),
        (vms, vcpus) => {
            list.extend(vms.map(|_| Check::HypervisorVms));
            list.extend(vcpus.map(|_| Check::HypervisorVcpus));
        }
    }
    storage_checks(plan, &mut list, &mut skip);
    match (demand::unit_network(plan), plan.vm_gbps) {
        (None, _) => skip("network", "no_network_given"),
        (Some(_), None) => skip("network", "no_nics_for_vms"),
        (Some(_), Some(_)) => list.push(Check::Network),
    }
    let windows = backup::windows(scenario);
    match (windows.is_empty(), plan.backup_gbps) {
        (true, _) => skip("backup", "no_backup_given"),
        (false, None) => skip("backup", "no_nics_for_backup"),
        (false, Some(_)) => list.extend(windows.iter().map(|&member| Check::BackupNetwork(member))),
    }
    response_checks(scenario, &mut list, &mut skip);
    (list, skipped)
}

fn storage_checks(plan: &Plan, list: &mut Vec<Check>, skip: &mut impl FnMut(&'static str, &'static str)) {
    let scenario = plan.scenario;
    let Some(storage) = &scenario.storage else {
        for resource in ["iops", "capacity", "luns", "latency"] {
            skip(resource, "no_storage_given");
        }
        return;
    };
    if plan.volumes().next().is_none() {
        for resource in ["iops", "capacity", "luns", "latency"] {
            skip(resource, "no_volumes_given");
        }
        return;
    }
    match &plan.layout {
        Layout::Assigned(assignment) => {
            let shared = |lun: &Lun| lun.attach != Attach::PassThrough;
            if storage.luns.iter().all(shared) && assignment.units_without_space_limit > 0 {
                skip("luns", "luns_shared");
            } else {
                list.push(Check::Luns);
            }
            if storage.luns.iter().any(shared) {
                list.push(Check::LunSpace);
            } else {
                skip("capacity", "luns_given_whole");
            }
        }
        _ => {
            let carved = |index: &usize| plan.pool_load(*index, 1.0).stored > 0.0;
            list.extend((0..storage.pools.len()).filter(carved).map(Check::Capacity));
            let refused =
                plan.volumes().any(|(_, _, _, v)| v.controller.is_some_and(|c| !luns::controller_serves(c, v.role)));
            if refused {
                list.push(Check::Luns);
            } else {
                skip("luns", "luns_carved");
            }
        }
    }
    let mut busy = Vec::new();
    for index in 0..storage.pools.len() {
        if !plan.pool_load(index, 1.0).is_idle() || !plan.pool_load(index, f64::from(MOST_UNITS)).is_idle() {
            busy.push(index);
        }
    }
    if busy.is_empty() {
        skip("iops", "no_iops_given");
    }
    list.extend(busy.iter().map(|&index| Check::Iops(index)));
    let limited: Vec<usize> = busy.iter().copied().filter(|&pool| latency::is_limited(plan, pool)).collect();
    if limited.is_empty() {
        skip("latency", "no_latency_limit_given");
    }
    list.extend(limited.into_iter().map(Check::Latency));
    for member in backup::windows(scenario) {
        let read_rate_known =
            |&pool: &usize| !storage.pools[pool].disk_type.is_flash() && backup::gib(plan, member, Some(pool)) > 0.0;
        list.extend((0..storage.pools.len()).filter(read_rate_known).map(|pool| Check::BackupPool(pool, member)));
    }
}

fn response_checks(scenario: &Scenario, list: &mut Vec<Check>, skip: &mut impl FnMut(&'static str, &'static str)) {
    let mut any = false;
    for (index, member) in scenario.unit.iter().enumerate() {
        if member.vm.transactions.is_some_and(|t| t.max_response_ms.is_some()) {
            list.push(Check::Response(index));
            any = true;
        }
    }
    if any {
        return;
    }
    let given = scenario.unit.iter().any(|member| member.vm.transactions.is_some());
    skip("response_time", if given { "no_response_limit_given" } else { "no_transactions_given" });
}
