//! How sure the number is: every range is a PERT variable, drawn together at the points of an Owen-scrambled Sobol
//! sequence with a fixed seed, so that the same input gives the same answer.
//!
//! Coefficients of the overhead model are common to all VMs of a draw (they do not average out); the demand of each VM
//! varies by itself. The two corners of the box of ranges bracket every draw, so a limit whose corners agree needs none.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::demand;
use super::factors::{Factors, Known, UncertainInput};
use super::fit::{Allowed, Check, most_units};
use super::pert::Pert;
use super::plan::Plan;

/// Points drawn: a power of two, as the sequence wants.
pub const DRAWS: u32 = 4096;
/// Draws that are looked at one by one rather than halved again.
const FEW: usize = 4;
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

/// The number of units with every input at its worse and at its better end: no draw lies outside. `likely` is what the
/// checks allow at the likely values.
pub fn corners(plan: &Plan, known: &[Known], likely: &[(Check, Allowed)]) -> (u32, u32) {
    let worst = most_units(plan, &Factors::worst(known), likely);
    (worst, most_units(plan, &Factors::best(known), likely).max(worst))
}

/// Draws the number of units between the [`corners`].
pub fn distribution(plan: &Plan, known: &[Known], checks: &[Check], (low, high): (u32, u32)) -> Distribution {
    if low == high {
        return Distribution { worst: low, best: high, draws: 0, at_least: vec![1.0] };
    }
    let sampler = Sampler::new(plan, known, high);
    let mut units = vec![high; DRAWS as usize];
    let own_cpu = checks.contains(&Check::Cpu) && sampler.has_spread();
    let common: Vec<Check> = checks.iter().copied().filter(|check| !(own_cpu && *check == Check::Cpu)).collect();
    let mut draws: Vec<u32> = (0..DRAWS).collect();
    sampler.settle(plan, &mut Factors::likely(known), &common, &mut draws, (low, high), &mut units);
    if own_cpu {
        let mut factors = Factors::likely(known);
        for (draw, most) in (0..DRAWS).zip(&mut units) {
            sampler.fill(&mut factors, draw);
            *most = sampler.cpu_units(plan, &factors, draw, *most);
        }
    }
    let mut counts = vec![0u32; (high - low) as usize + 1];
    for most in units {
        // The corners bracket every draw up to the last digit of floating point.
        counts[(most.clamp(low, high) - low) as usize] += 1;
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

/// The largest number of units between two within every check.
fn units_between(plan: &Plan, factors: &Factors, checks: &[Check], low: u32, high: u32) -> u32 {
    checks.iter().fold(high, |most, check| most.min(check.allowed_up_to(plan, factors, low, most))).max(low)
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

    /// Finds the units of each of the draws for the limits that all VMs share.
    ///
    /// The number of units never falls when an input gets better. So if the worst and the best corner of the box around
    /// some draws allow the same number, all of them do, and none is looked at; otherwise the draws are halved. The
    /// result is that of looking at each.
    fn settle(
        &self,
        plan: &Plan,
        factors: &mut Factors,
        checks: &[Check],
        draws: &mut [u32],
        (low, high): (u32, u32),
        units: &mut [u32],
    ) {
        if draws.len() <= FEW {
            for &draw in draws.iter() {
                self.fill(factors, draw);
                units[draw as usize] = units_between(plan, factors, checks, low, high);
            }
            return;
        }
        let bounds: Vec<(f64, f64)> = (0..self.first_own)
            .map(|dimension| {
                let coordinates = draws.iter().map(|&draw| point(draw, dimension));
                coordinates.fold((1.0, 0.0), |(least, most), u| (f64::min(least, u), f64::max(most, u)))
            })
            .collect();
        let mut corner = |better: bool| {
            for (known, dimension, pert) in &self.common {
                let (least, most) = bounds[*dimension as usize];
                let upper = known.input.more_is_better() == better;
                factors.set(known.slot, pert.quantile(if upper { most } else { least }));
            }
            factors.clone()
        };
        let (worst, best) = (corner(false), corner(true));
        // A limit that even in the worst corner allows the upper bound cannot lower any of these draws.
        let open: Vec<Check> =
            checks.iter().copied().filter(|check| check.allowed_up_to(plan, &worst, low, high) < high).collect();
        let least = units_between(plan, &worst, &open, low, high);
        let most = units_between(plan, &best, &open, least, high);
        if least == most {
            draws.iter().for_each(|&draw| units[draw as usize] = most);
            return;
        }
        let moves = |dimension: &u32| {
            let of = self.common.iter().filter(|(_, own, _)| own == dimension);
            of.into_iter().any(|(known, _, _)| open.iter().any(|check| check.depends_on(known.input)))
        };
        let wide = |dimension: &u32| {
            let (least, most) = bounds[*dimension as usize];
            most - least
        };
        let widest = (0..self.first_own).filter(moves).max_by(|a, b| wide(a).total_cmp(&wide(b)).then(b.cmp(a)));
        let dimension = widest.unwrap_or(0);
        let middle = draws.len() / 2;
        draws.select_nth_unstable_by(middle, |&a, &b| point(a, dimension).total_cmp(&point(b, dimension)));
        let (lower, upper) = draws.split_at_mut(middle);
        self.settle(plan, factors, &open, lower, (least, most), units);
        self.settle(plan, factors, &open, upper, (least, most), units);
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
pub(super) fn point(draw: u32, dimension: u32) -> f64 {
    let kept = FIRST.get(draw as usize).and_then(|point| point.get(dimension as usize));
    f64::from(kept.copied().unwrap_or_else(|| sample(draw, dimension)))
}

fn sample(draw: u32, dimension: u32) -> f32 {
    sobol_burley::sample(draw, dimension % DIMENSIONS, SEED + dimension / DIMENSIONS)
}
