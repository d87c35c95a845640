//! What a planner should know beside the number. Each piece of advice is a code with its names and numbers; its sentence
//! is made in `report::words`.

use crate::domain::choice::{Attach, Controller, Kind, Role};
use crate::domain::models::ModelCatalog;
use crate::domain::rules;
use crate::domain::scenario::{Load, Scenario};

use super::fit::Check;
use super::outcome::{Advice, Outcome, Severity};
use super::plan::{Layout, Plan};
use super::size::likely_units;
use super::{demand, luns};

const OPTIMIZING: &str = "Checklist: Optimizing Performance on Hyper-V (Microsoft BizTalk Server Hyper-V guide)";
const RESOURCE_COSTS: &str = "System resource costs on Hyper-V (Microsoft BizTalk Server Hyper-V guide)";
const KPI: &str =
    "Test results: BizTalk Server and SQL Server key performance indicators (Microsoft BizTalk Server Hyper-V guide)";
const SQL_IO: &str =
    "SQL Server storage best practices: separate data and log files (Microsoft, Storage Top 10 Best Practices)";
const VHD: &str = "Hyper-V: how to configure VHD for performance (Microsoft TechNet blog, 2008-09-19): fixed VHDs perform 10 to 15 % better than dynamic";
const SCALE_OUT: &str = "Scaling out the BizTalk Server databases (Microsoft BizTalk Server documentation): two MessageBoxes gain little over one, use three or more";
const MSDTC: &str = "BizTalk Server Hyper-V guide, lab: a LUN of its own for MSDTC (M:)";
const LITTLE: &str = "Little's law, U = X·(R + Z)";
const NUMA: &str = "Hyper-V and NUMA: memory of another node costs more (Microsoft, Hyper-V NUMA documentation)";
const OWN: &str = "From the numbers given";

/// All advice, the gravest first.
pub fn advice(plan: &Plan, outcome: &Outcome) -> Vec<Advice> {
    let mut list = Vec::new();
    controllers_and_attachments(plan, &mut list);
    sharing(plan, &mut list);
    pools(plan, outcome, &mut list);
    latency(plan, outcome, &mut list);
    vms(plan, &mut list);
    host(plan, outcome, &mut list);
    alternatives(plan, outcome, &mut list);
    list.sort_by_key(|advice| advice.severity);
    list
}

fn make(code: &'static str, severity: Severity, subject: impl Into<String>, source: &'static str) -> Advice {
    Advice { code, severity, subject: subject.into(), texts: Vec::new(), numbers: Vec::new(), source }
}

impl Advice {
    fn text(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.texts.push((name, value.into()));
        self
    }

    fn number(mut self, name: &'static str, value: f64) -> Self {
        self.numbers.push((name, value));
        self
    }
}

const fn is_busy(role: Role) -> bool {
    matches!(role, Role::Data | Role::Log | Role::TempdbData | Role::TempdbLog)
}

fn controllers_and_attachments(plan: &Plan, list: &mut Vec<Advice>) {
    let given = plan.scenario.storage.iter().flat_map(|storage| &storage.luns);
    for lun in given.filter(|lun| lun.controller == Controller::EmulatedIde) {
        if lun.holds.iter().any(|role| is_busy(*role) || *role == Role::Any) {
            list.push(make("emulated_ide", Severity::Critical, &lun.name, OPTIMIZING));
        }
    }
    for (member, number, wanted, volume) in plan.volumes() {
        let subject = || format!("{}: {}", wanted.vm.name, volume.name);
        if volume.controller.is_some_and(|controller| !luns::controller_serves(controller, volume.role)) {
            list.push(make("emulated_ide", Severity::Critical, subject(), OPTIMIZING));
        }
        let place = plan.place(luns::Item { unit: 0, member, vm: 0, volume: number });
        if is_busy(volume.role) && place.is_some_and(|place| place.attach == Attach::DynamicVhd) {
            list.push(make("dynamic_vhd_data", Severity::Warning, subject(), VHD));
        }
    }
}

/// Data and log on one LUN; virtual disks of one VM on one set of spindles.
fn sharing(plan: &Plan, list: &mut Vec<Advice>) {
    let log = |role| matches!(role, Role::Log | Role::TempdbLog);
    if let (Layout::Assigned(assignment), Some(storage)) = (&plan.layout, &plan.scenario.storage) {
        for (index, lun) in storage.luns.iter().enumerate() {
            let roles = assignment
                .placed
                .iter()
                .filter(|(_, on)| *on == index)
                .map(|(item, _)| plan.scenario.unit[item.member].vm.volumes[item.volume].role);
            let (mut logs, mut data) = (false, false);
            roles.for_each(|role| {
                logs |= log(role);
                data |= matches!(role, Role::Data | Role::TempdbData);
            });
            if logs && data {
                list.push(make("log_and_data_share_lun", Severity::Warning, &lun.name, SQL_IO));
            }
        }
    }
    let Some(storage) = &plan.scenario.storage else { return };
    for (member, wanted) in plan.scenario.unit.iter().enumerate() {
        for (index, pool) in storage.pools.iter().enumerate() {
            let on_vhd = plan.residents(index).iter().filter(|r| r.member == member && r.attach != Attach::PassThrough);
            let busy = on_vhd.filter(|r| is_busy(wanted.vm.volumes[r.volume].role)).count();
            if busy > 1 {
                let advice = make("vhds_share_spindles", Severity::Info, &wanted.vm.name, OPTIMIZING);
                list.push(advice.text("pool", &pool.name).number("vhds", busy as f64));
            }
        }
    }
}

fn pools(plan: &Plan, outcome: &Outcome, list: &mut Vec<Advice>) {
    let Some(storage) = &plan.scenario.storage else { return };
    for (index, pool) in storage.pools.iter().enumerate() {
        let residents = plan.residents(index);
        let writing_log = residents.iter().any(|resident| {
            let volume = &plan.scenario.unit[resident.member].vm.volumes[resident.volume];
            matches!(volume.role, Role::Log | Role::TempdbLog) && volume.write_iops > volume.read_iops
        });
        let penalty = rules::write_penalty(pool.raid);
        if writing_log && penalty > 2.0 && pool.hyperconverged.is_none() {
            let advice = make("parity_raid_under_log", Severity::Warning, &pool.name, rules::WRITE_PENALTY_SOURCE);
            list.push(advice.text("raid", pool.raid.as_str()).number("penalty", penalty));
        }
        if let [point] = pool.measured.as_slice()
            && point.outstanding.is_some_and(|outstanding| outstanding < f64::from(pool.disks))
        {
            let advice = make("measured_below_saturation", Severity::Warning, &pool.name, RESOURCE_COSTS);
            let outstanding = point.outstanding.unwrap_or(1.0);
            list.push(advice.number("outstanding", outstanding).number("disks", f64::from(pool.disks)));
        }
        if let Some(shape) = pool.hyperconverged {
            let consumed = plan.pool_load(index, f64::from(outcome.likely.max(1))).stored;
            let flash = shape.flash_gb * crate::domain::units::GIB_PER_GB;
            if flash < rules::FLASH_OF_CONSUMED * consumed {
                let advice = make("flash_below_rule", Severity::Warning, &pool.name, rules::FLASH_SOURCE);
                list.push(advice.number("flash", flash).number("needed", rules::FLASH_OF_CONSUMED * consumed));
            }
        }
    }
}

/// Predicted latency at the likely fit against the thresholds of the BizTalk guide.
fn latency(plan: &Plan, outcome: &Outcome, list: &mut Vec<Advice>) {
    let mut told: Vec<(usize, usize)> = Vec::new();
    for row in &outcome.volumes {
        let Some(ms) = row.latency.worst_ms().filter(|ms| *ms > rules::HEALTHY_LATENCY_MS) else { continue };
        if told.contains(&(row.item.member, row.item.volume)) {
            continue;
        }
        told.push((row.item.member, row.item.volume));
        let critical = ms > rules::CRITICAL_LATENCY_MS;
        let severity = if critical { Severity::Critical } else { Severity::Warning };
        let vm = &plan.scenario.unit[row.item.member].vm;
        let subject = format!("{}: {}", vm.name, vm.volumes[row.item.volume].name);
        list.push(make("slow_disk", severity, subject, rules::LATENCY_SOURCE).number("ms", ms));
    }
}

fn vms(plan: &Plan, list: &mut Vec<Advice>) {
    let host = &plan.scenario.host;
    for (index, member) in plan.scenario.unit.iter().enumerate() {
        let vm = &member.vm;
        let biztalk = matches!(vm.kind, Kind::Biztalk | Kind::BiztalkMessagebox);
        if biztalk && !vm.volumes.is_empty() && !vm.volumes.iter().any(|volume| volume.role == Role::Msdtc) {
            list.push(make("no_msdtc_volume", Severity::Warning, &vm.name, MSDTC));
        }
        let needed = demand::native_cpu(plan, index) / host.core_rating;
        if needed > f64::from(vm.vcpus) {
            let advice = make("growth_exceeds_vcpus", Severity::Critical, &vm.name, OWN);
            list.push(advice.number("needed", needed).number("vcpus", f64::from(vm.vcpus)));
        }
        if let Some(nodes) = host.numa_nodes.filter(|nodes| *nodes > 1) {
            let (threads, memory) = (host.threads() / nodes, host.memory_gib / f64::from(nodes));
            if vm.vcpus > threads || vm.memory_gib > memory {
                let advice = make("wider_than_numa_node", Severity::Info, &vm.name, NUMA);
                list.push(advice.number("threads", f64::from(threads)).number("memory", memory));
            }
        }
        if let Some(Load::Closed { users, think_s, per_s, .. }) = vm.transactions.map(|t| t.load) {
            let response_s = f64::from(users) / per_s - think_s;
            if response_s < 0.05 * think_s {
                let advice = make("think_time_bound", Severity::Warning, &vm.name, LITTLE);
                let advice = advice.number("users", f64::from(users)).number("think_s", think_s);
                list.push(advice.number("per_s", per_s).number("response_ms", response_s * 1000.0));
            }
        }
    }
    let boxes = plan.scenario.unit.iter().filter(|member| member.vm.kind == Kind::BiztalkMessagebox);
    if boxes.map(|member| member.count).sum::<u32>() == 2 {
        list.push(make("two_messageboxes", Severity::Warning, "MessageBox", SCALE_OUT));
    }
}

fn host(plan: &Plan, outcome: &Outcome, list: &mut Vec<Advice>) {
    let host = &plan.scenario.host;
    let name = host.model.clone().unwrap_or_else(|| "host".to_owned());
    let on_one = f64::from(outcome.likely.div_ceil(plan.scenario.active_hosts()));
    let vcpus = on_one * demand::unit_vcpus(plan);
    if vcpus > f64::from(host.threads()) {
        let advice = make("vcpus_above_threads", Severity::Warning, &name, OPTIMIZING);
        list.push(advice.number("vcpus", vcpus).number("threads", f64::from(host.threads())));
    }
    if host.count > 1 && plan.scenario.policy.spare_hosts == 0 {
        list.push(make("no_spare_host", Severity::Warning, name, OWN));
    }
    if let Layout::Assigned(assignment) = &plan.layout
        && !assignment.exact
    {
        list.push(make("lun_packing_not_proven", Severity::Info, "LUNs", OWN));
    }
}

/// What another way of doing it would give: shared virtual disks, and the model of the guide's scenario tests.
fn alternatives(plan: &Plan, outcome: &Outcome, list: &mut Vec<Advice>) {
    let scenario = plan.scenario;
    let binds = outcome.rows.first().map(|row| row.check);
    if binds == Some(Check::Luns)
        && let Some(storage) = scenario.storage.as_ref().filter(|storage| !storage.luns.is_empty())
    {
        let mut shared = scenario.clone();
        for member in &mut shared.unit {
            for volume in &mut member.vm.volumes {
                volume.attach = volume.attach.map(|_| Attach::FixedVhd);
            }
        }
        if let Some(shared) = &mut shared.storage {
            shared.luns.iter_mut().for_each(|lun| lun.attach = Attach::FixedVhd);
        }
        let (fits, check) = likely_units(&shared);
        let advice = make("share_by_fixed_vhd", Severity::Info, storage.pools[storage.luns[0].pool].name.as_str(), VHD);
        let advice = advice.number("now", f64::from(outcome.likely)).number("then", f64::from(fits));
        list.push(advice.text("resource", check.map_or("", Check::resource)));
    }
    let biztalk = |scenario: &Scenario| {
        scenario.unit.iter().any(|m| matches!(m.vm.kind, Kind::Biztalk | Kind::BiztalkMessagebox))
    };
    const SCENARIO_MODEL: &str = "hyperv-2008-biztalk-scenario";
    let resource_model = matches!(scenario.overhead.id.as_str(), "hyperv-2008-biztalk" | "hyperv-2008-sql");
    if biztalk(scenario)
        && resource_model
        && let Some(model) = ModelCatalog::built_in().get(SCENARIO_MODEL)
    {
        let mut other = scenario.clone();
        other.overhead = model;
        let (fits, _) = likely_units(&other);
        let advice = make("biztalk_scenario_loses_more", Severity::Info, SCENARIO_MODEL, KPI);
        list.push(advice.number("now", f64::from(outcome.likely)).number("then", f64::from(fits)));
    }
}
