//! Utilization and latency against the number of units, for charts.

use crate::domain::scenario::Scenario;

use super::checks;
use super::factors::Factors;
use super::fit::Check;
use super::plan::Plan;
use super::{response, rows};

/// Points of a curve at most.
const MOST_POINTS: u32 = 40;

/// One line of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    pub check: Check,
    /// Where the limit lies: a share for utilization, ms for latency and response time.
    pub limit: f64,
    /// By number of units; `None` where there is no steady state.
    pub values: Vec<Option<f64>>,
}

/// All lines over the same numbers of units.
#[derive(Clone, Debug, PartialEq)]
pub struct Curves {
    pub units: Vec<u32>,
    /// Shares of supply − reserved.
    pub utilization: Vec<Curve>,
    /// Milliseconds.
    pub latency: Vec<Curve>,
}

/// The curves from none to half as many again as fit.
pub fn curves(scenario: &Scenario, likely: u32) -> Curves {
    let plan = Plan::new(scenario);
    let factors = Factors::likely(&Factors::known(scenario));
    let (checks, _) = checks::checks(&plan);
    let last = (likely + likely.div_ceil(2)).max(2);
    let step = last.div_ceil(MOST_POINTS).max(1);
    let units: Vec<u32> = (0..=last.div_ceil(step)).map(|index| index * step).collect();
    let (mut utilization, mut latency) = (Vec::new(), Vec::new());
    for check in checks {
        let curve = |limit: f64, at: &dyn Fn(u32) -> Option<f64>| {
            let values = units.iter().map(|&n| at(n)).collect();
            Curve { check, limit, values }
        };
        match check {
            Check::Latency(pool) => {
                let limit = rows::tightest(&plan, &factors, pool, 1.0).map_or(0.0, |one| one.limit_ms);
                let at = |n: u32| rows::tightest(&plan, &factors, pool, f64::from(n)).and_then(|one| one.latency_ms);
                latency.push(curve(limit, &at));
            }
            Check::Response(member) => {
                let limit = scenario.unit[member].vm.transactions.and_then(|t| t.max_response_ms).unwrap_or(0.0);
                let at = |n: u32| response::predict(&plan, &factors, member, f64::from(n)).map(|r| r.response_ms);
                latency.push(curve(limit, &at));
            }
            _ => {
                let allowed = check.allowed(&plan, &factors);
                let row = rows::row(&plan, &factors, check, allowed, 0);
                let at = |n: u32| Some(rows::row(&plan, &factors, check, allowed, n).utilization);
                utilization.push(curve(row.limit, &at));
            }
        }
    }
    Curves { units, utilization, latency }
}
