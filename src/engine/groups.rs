//! BizTalk groups in the unit: how many documents a second one processes, what limits it, and the other way round.
//!
//! The law is that of [`super::biztalk`], measured on physical servers. A VM's vCPUs are converted to the lab's servers by
//! core ratings and the CPU loss of the overhead model. What a core of rating 1 is stays the planner's choice; here it is
//! taken to be a core of the lab's servers, which is an assumption and is told as one.

use crate::domain::case::BizTalkWork;
use crate::domain::choice::Kind;
use crate::domain::scenario::{Scenario, UnitMember};

use super::biztalk::{self, Basis, Prediction, Ratings};
use super::factors::{Factors, Known};
use super::plan::Plan;
use super::size::likely_units;

/// Cores of a processing server of the lab, 2 × Xeon X5570 with two threads a core, as cores of rating 1: 8 × 1.25.
const LAB_PROCESSING_CORES: f64 = 10.0;
/// Cores of a SQL server of the lab, 4 × Xeon E7330.
const LAB_SQL_CORES: f64 = 16.0;
/// Where law, lab and servers are described.
pub const SOURCE: &str =
    "BizTalk Server 2010 Performance Optimization Guide: Observations and Recommendations (Microsoft)";

/// What a unit's BizTalk group processes, and what the asked rate needs.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    pub servers: u32,
    /// 1 when the unit has no VM of that kind: SQL Server is then taken to stand elsewhere, with the lab's CPU.
    pub messageboxes: u32,
    /// Whether SQL Server is one of the unit's VMs.
    pub has_sql: bool,
    /// CPU of one VM, the lab's server being 1.
    pub ratings: Ratings,
    pub rates: Vec<Rate>,
    pub wanted: Option<Wanted>,
}

/// Documents a second of one group for one kind of work.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate {
    pub work: BizTalkWork,
    /// At the likely CPU loss.
    pub likely: Prediction,
    /// The low end of the law's interval at the highest loss, and the high end at the lowest.
    pub low: f64,
    pub high: f64,
}

/// What an asked rate needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wanted {
    pub work: BizTalkWork,
    pub docs_per_s: f64,
    /// The smallest group that is likely to carry it; `None` when none of up to eight of each does.
    pub likely: Option<Size>,
    /// The smallest group that carries it with the low end of its interval.
    pub sure: Option<Size>,
    /// Where no group does: the one of up to eight of each that likely processes most.
    pub most: Option<Size>,
}

/// A group and how many of them fit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size {
    pub servers: u32,
    pub messageboxes: u32,
    pub docs_per_s: f64,
    pub extrapolated: bool,
    /// Groups of that size that the hosts carry, of the unit's VMs.
    pub groups: u32,
}

/// The group in the unit; `None` without a processing server.
pub fn group(plan: &Plan, known: &[Known], factors: &Factors) -> Option<Group> {
    let servers = count(plan.scenario, Kind::Biztalk);
    if servers == 0 {
        return None;
    }
    let model = biztalk::published()?;
    let boxes = count(plan.scenario, Kind::BiztalkMessagebox);
    let messageboxes = boxes.max(1);
    let ratings = ratings(plan, factors);
    let (worst, best) = (self::ratings(plan, &Factors::worst(known)), self::ratings(plan, &Factors::best(known)));
    let rate = |&work: &BizTalkWork| {
        let at = |ratings| model.throughput_on(law(work), messageboxes, servers, ratings);
        Some(Rate { work, likely: at(ratings)?, low: at(worst)?.low, high: at(best)?.high })
    };
    let wanted = plan.scenario.biztalk.map(|asked| {
        let law = law(asked.work);
        let carried =
            |basis, ratings| model.size(law, asked.docs_per_s, basis, ratings).map(|found| size(plan.scenario, &found));
        let (likely, sure) = (carried(Basis::Likely, ratings), carried(Basis::Low, worst));
        let most = || model.most(law, ratings).map(|found| size(plan.scenario, &found));
        let most = if likely.is_none() { most() } else { None };
        Wanted { work: asked.work, docs_per_s: asked.docs_per_s, likely, sure, most }
    });
    let rates = BizTalkWork::ALL.iter().filter_map(rate).collect();
    Some(Group { servers, messageboxes, has_sql: boxes > 0, ratings, rates, wanted })
}

fn count(scenario: &Scenario, kind: Kind) -> u32 {
    scenario.unit.iter().filter(|member| member.vm.kind == kind).map(|member| member.count).sum()
}

/// CPU of the unit's VMs relative to the lab's servers, the mean over the VMs of a kind.
fn ratings(plan: &Plan, factors: &Factors) -> Ratings {
    let mean = |kind: Kind, lab_cores: f64| {
        let (mut cores, mut vms) = (0.0, 0.0);
        for (index, member) in plan.scenario.unit.iter().enumerate().filter(|(_, member)| member.vm.kind == kind) {
            let attach = plan.cpu_attach[index].index();
            // All of the vCPUs' time, less the fixed cost, is worked at one minus the loss: g = f·v + d/(1 − l) for d.
            let vcpus = f64::from(member.vm.vcpus);
            let host = vcpus * (plan.scenario.host.core_rating - factors.cpu_fixed[attach]).max(0.0);
            cores += f64::from(member.count) * host * (1.0 - factors.cpu_loss[attach]);
            vms += f64::from(member.count);
        }
        // Without such a VM the lab's server is taken.
        if vms > 0.0 { (cores / vms / lab_cores).max(f64::MIN_POSITIVE) } else { 1.0 }
    };
    Ratings { processing: mean(Kind::Biztalk, LAB_PROCESSING_CORES), sql: mean(Kind::BiztalkMessagebox, LAB_SQL_CORES) }
}

fn size(scenario: &Scenario, found: &biztalk::Plan) -> Size {
    let (groups, _) = likely_units(&of_size(scenario, found.servers, found.messageboxes));
    Size {
        servers: found.servers,
        messageboxes: found.messageboxes,
        docs_per_s: found.prediction.docs_per_s,
        extrapolated: found.prediction.extrapolated,
        groups,
    }
}

/// The scenario with a group of that size as its unit: the first VM of each kind stands for all of it.
fn of_size(scenario: &Scenario, servers: u32, messageboxes: u32) -> Scenario {
    let mut resized = scenario.clone();
    for (kind, wanted) in [(Kind::Biztalk, servers), (Kind::BiztalkMessagebox, messageboxes)] {
        let mut first = true;
        resized.unit.retain_mut(|member: &mut UnitMember| {
            let keep = member.vm.kind != kind || first;
            if member.vm.kind == kind {
                first = false;
                member.count = wanted;
            }
            keep
        });
    }
    resized
}

const fn law(work: BizTalkWork) -> biztalk::Scenario {
    match work {
        BizTalkWork::Messaging => biztalk::Scenario::Messaging,
        BizTalkWork::Orchestration => biztalk::Scenario::Orchestration,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{ModelCatalog, scenario_from_value};
    use crate::engine::biztalk::Tier;
    use serde_json::{Value, json};

    fn scenario(overhead: &str, servers: u32, boxes: u32, wanted: Value) -> Scenario {
        let vm = |kind: &str, vcpus: u32| json!({ "kind": kind, "vcpus": vcpus, "memory_gib": 4, "cpu": { "busy_percent": 50, "of_cores": vcpus } });
        let mut unit = vec![json!({ "count": servers, "vm": vm("biztalk", 10) })];
        if boxes > 0 {
            unit.push(json!({ "count": boxes, "vm": vm("biztalk_messagebox", 16) }));
        }
        let value = json!({ "host": { "sockets": 4, "cores_per_socket": 32, "memory_gib": 512 }, "unit": unit,
                            "overhead": overhead, "biztalk": wanted });
        scenario_from_value(value, ModelCatalog::built_in()).expect("a scenario")
    }

    fn found(scenario: &Scenario) -> Option<Group> {
        let plan = Plan::new(scenario);
        let known = Factors::known(scenario);
        group(&plan, &known, &Factors::likely(&known))
    }

    #[test]
    fn vms_like_the_labs_servers_process_what_the_lab_did() {
        let group = found(&scenario("none", 2, 4, Value::Null)).expect("a group");
        assert_eq!((group.ratings.processing, group.ratings.sql), (1.0, 1.0));
        let law = biztalk::published().expect("the law");
        let expected = law.throughput(biztalk::Scenario::Messaging, 4, 2).expect("a rate");
        assert_eq!(group.rates[0].likely, expected);
        assert_eq!((group.rates[0].low, group.rates[0].high), (expected.low, expected.high));
    }

    #[test]
    fn a_hypervisor_costs_rate_where_cpu_binds_and_widens_the_interval() {
        let native = found(&scenario("none", 1, 3, Value::Null)).expect("a group");
        let guest = found(&scenario("vmware-vsan-hybrid", 1, 3, Value::Null)).expect("a group");
        for (native, guest) in native.rates.iter().zip(&guest.rates) {
            assert_eq!(guest.likely.binding, Tier::ProcessingCpu);
            assert!((guest.likely.docs_per_s / native.likely.docs_per_s - 0.88).abs() < 1e-9);
            assert!(guest.low < guest.likely.low && guest.high > guest.likely.high);
        }
    }

    #[test]
    fn an_asked_rate_is_carried_by_the_group_that_is_named() {
        let asked = json!({ "scenario": "messaging", "docs_per_s": 2000 });
        let wanted = found(&scenario("none", 1, 1, asked)).expect("a group").wanted.expect("asked");
        let likely = wanted.likely.expect("a size");
        assert!(likely.docs_per_s >= 2000.0 && likely.messageboxes != 2);
        let sure = wanted.sure.expect("a size");
        assert!(sure.servers + sure.messageboxes >= likely.servers + likely.messageboxes);
        // 128 cores at 80 %: each group costs half of its vCPUs.
        let cores = f64::from(likely.servers * 10 + likely.messageboxes * 16) / 2.0;
        assert_eq!(likely.groups, (128.0 * 0.8 / cores) as u32);
        let asked = json!({ "scenario": "orchestration", "docs_per_s": 1e6 });
        let wanted = found(&scenario("none", 1, 1, asked)).expect("a group").wanted.expect("asked");
        assert_eq!((wanted.likely, wanted.sure), (None, None));
    }

    #[test]
    fn without_a_messagebox_vm_sql_server_stands_elsewhere() {
        let group = found(&scenario("vmware-vsan-hybrid", 1, 0, Value::Null)).expect("a group");
        assert_eq!((group.messageboxes, group.has_sql, group.ratings.sql), (1, false, 1.0));
    }
}
