//! How sure the number is: every range is a PERT variable, drawn together at the points of an Owen-scrambled Sobol
//! sequence with a fixed seed, so that the same input gives the same answer.
//!
//! Coefficients of the overhead model are common to all VMs of a draw (they do not average out); the demand of each VM
//! varies by itself. The two corners of the box of ranges bracket every draw, so a limit whose corners agree needs none.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::demand;
use super::factors::{Factors, Known, UncertainInput};
use super::fit::{Check, most_units};
use super::pert::Pert;
use super::plan::Plan;

/// Points drawn: a power of two, as the sequence wants.
pub const DRAWS: u32 = 4096;
/// Seed of the scrambling.
const SEED: u32 = 0x5EED_0001;
/// Dimensions of one sequence; further ones take another seed.
const DIMENSIONS: u32 = 256;
/// VMs whose demand is drawn one by one; with more of them, neighbours share a draw, which overstates the spread a little.
const MOST_SINGLE_VMS: u32 = 512;

/// The distribution of the number of units.
#[derive(Clone, Debug, PartialEq)]
pub struct Distribution {
    /// With every input at its worse, and at its better end.
    pub worst: u32,
    pub best: u32,
    /// Draws that were needed: none where the corners agree.
    pub draws: u32,
    /// For `worst..=best`: the share of draws in which at least so many units fit.
    at_least: Vec<f64>,
}

impl Distribution {
    /// `P(N ≥ units)`.
    pub fn at_least(&self, units: u32) -> f64 {
        if units <= self.worst {
            return 1.0;
        }
        self.at_least.get((units - self.worst) as usize).copied().unwrap_or(0.0)
    }

    /// The largest number of units that fit with at least that probability.
    pub fn with_probability(&self, probability: f64) -> u32 {
        (self.worst..=self.best).rev().find(|&units| self.at_least(units) >= probability).unwrap_or(self.worst)
    }
}

/// Draws the number of units.
pub fn distribution(plan: &Plan, known: &[Known], checks: &[Check]) -> Distribution {
    let (worst, best) = (Factors::worst(known), Factors::best(known));
    let (low, high) = (most_units(plan, &worst, checks), most_units(plan, &best, checks));
    if low >= high {
        return Distribution { worst: low, best: high.max(low), draws: 0, at_least: vec![1.0] };
    }
    // A limit that even at its worst allows the best case cannot lower any draw.
    let open: Vec<Check> = checks.iter().copied().filter(|c| c.allowed(plan, &worst).fits < high).collect();
    let sampler = Sampler::new(plan, known, high);
    let mut factors = Factors::likely(known);
    let mut counts = vec![0u32; (high - low) as usize + 1];
    for draw in 0..DRAWS {
        sampler.fill(&mut factors, draw);
        let units = open.iter().fold(high, |most, check| match check {
            Check::Cpu if sampler.has_spread() => most.min(sampler.cpu_units(plan, &factors, draw, most)),
            check => most.min(check.allowed_up_to(plan, &factors, low, most)),
        });
        // The corners bracket every draw up to the last digit of floating point.
        counts[(units.clamp(low, high) - low) as usize] += 1;
    }
    let mut above = 0;
    let mut at_least: Vec<f64> = counts
        .iter()
        .rev()
        .map(|count| {
            above += count;
            f64::from(above) / f64::from(DRAWS)
        })
        .collect();
    at_least.reverse();
    Distribution { worst: low, best: high, draws: DRAWS, at_least }
}

/// The interval that holds `share` of the draws of a figure, its ends having equal shares outside; `None` when no draw has
/// the figure. VMs of one member draw one demand together, so the figure should be one of a single VM.
pub fn interval(
    plan: &Plan,
    known: &[Known],
    share: f64,
    value: impl Fn(&Factors) -> Option<f64>,
) -> Option<(f64, f64)> {
    let sampler = Sampler::new(plan, known, 1);
    let mut factors = Factors::likely(known);
    if sampler.common.is_empty() && !sampler.has_spread() {
        return value(&factors).map(|value| (value, value));
    }
    let mut drawn: Vec<f64> = Vec::with_capacity(DRAWS as usize);
    for draw in 0..DRAWS {
        sampler.fill(&mut factors, draw);
        for (member, pert) in sampler.demand.iter().enumerate() {
            if let Some(pert) = pert {
                factors.cpu_demand[member] = pert.quantile(point(draw, sampler.first_own + member as u32));
            }
        }
        drawn.extend(value(&factors));
    }
    drawn.sort_by(f64::total_cmp);
    let outside = (1.0 - share) / 2.0;
    let at = |share: f64| {
        let last = drawn.len().checked_sub(1)?;
        drawn.get((share * last as f64).round() as usize).copied()
    };
    Some((at(outside)?, at(1.0 - outside)?))
}

/// Turns a draw's number into values for the uncertain inputs.
struct Sampler {
    /// Inputs drawn, with the dimension of each; variants by way of attaching share theirs.
    common: Vec<(Known, u32, Pert)>,
    /// By unit member: the multiplier of one VM's demand; `None` where demand is known.
    demand: Vec<Option<Pert>>,
    /// First dimension of the VMs' own demand.
    first_own: u32,
    /// VMs that share one draw.
    block: u32,
}

impl Sampler {
    fn new(plan: &Plan, known: &[Known], most: u32) -> Self {
        let mut dimension_of: BTreeMap<UncertainInput, u32> = BTreeMap::new();
        let mut common = Vec::new();
        let mut demand = vec![None; plan.scenario.unit.len()];
        for one in known.iter().filter(|one| !one.range.is_exact()) {
            if let UncertainInput::CpuDemand(member) = one.input {
                demand[member] = Some(Pert::new(one.range));
                continue;
            }
            let next = dimension_of.len() as u32;
            let dimension = *dimension_of.entry(one.input).or_insert(next);
            common.push((*one, dimension, Pert::new(one.range)));
        }
        let vms = most.saturating_mul(plan.scenario.vms_per_unit());
        Self { common, demand, first_own: dimension_of.len() as u32, block: vms.div_ceil(MOST_SINGLE_VMS).max(1) }
    }

    fn fill(&self, factors: &mut Factors, draw: u32) {
        for (known, dimension, pert) in &self.common {
            factors.set(known.slot, pert.quantile(point(draw, *dimension)));
        }
    }

    fn has_spread(&self) -> bool {
        self.demand.iter().any(Option::is_some)
    }

    /// Units that the hosts' CPU carries when each VM has a demand of its own: hosts are filled one after another.
    fn cpu_units(&self, plan: &Plan, factors: &Factors, draw: u32, most: u32) -> u32 {
        let Some(ratio) = Check::Cpu.ratio(plan, factors) else { return most };
        let usable = ratio.usable() * (1.0 + 1e-9);
        let (mut units, mut vm, mut shared) = (0, 0u32, 0.0);
        let base: Vec<(u32, f64, f64)> = (plan.scenario.unit.iter().enumerate())
            .map(|(index, member)| {
                let fixed = demand::vm_fixed_cpu(plan, factors, index);
                (member.count, fixed, demand::vm_cpu(plan, factors, index) - fixed)
            })
            .collect();
        for _ in 0..plan.scenario.active_hosts() {
            let mut used = 0.0;
            loop {
                if units == most {
                    return most;
                }
                for (index, (count, fixed, variable)) in base.iter().enumerate() {
                    let Some(pert) = &self.demand[index] else {
                        used += f64::from(*count) * (fixed + variable);
                        continue;
                    };
                    for _ in 0..*count {
                        if vm % self.block == 0 {
                            shared = point(draw, self.first_own + vm / self.block);
                        }
                        vm += 1;
                        used += fixed + variable * pert.quantile(shared);
                    }
                }
                if used > usable {
                    break;
                }
                units += 1;
            }
        }
        units
    }
}

/// The first dimensions of every point, made once: all answers are drawn at the same points.
static FIRST: LazyLock<Vec<[f32; FIRST_DIMENSIONS]>> = LazyLock::new(|| {
    let point = |draw| std::array::from_fn(|dimension| sample(draw, dimension as u32));
    (0..DRAWS).map(point).collect()
});

/// Dimensions that are kept: more than the inputs common to all VMs.
const FIRST_DIMENSIONS: usize = 32;

/// A coordinate of a point, in 0 to 1.
fn point(draw: u32, dimension: u32) -> f64 {
    let kept = FIRST.get(draw as usize).and_then(|point| point.get(dimension as usize));
    f64::from(kept.copied().unwrap_or_else(|| sample(draw, dimension)))
}

fn sample(draw: u32, dimension: u32) -> f32 {
    sobol_burley::sample(draw, dimension % DIMENSIONS, SEED + dimension / DIMENSIONS)
}
