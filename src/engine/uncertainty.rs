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
use super::stop;

/// Points drawn: a power of two, as the sequence wants.
pub const DRAWS: u32 = 4096;
/// Points drawn for the interval of a figure: its ends move by less than a hundredth of its width with more of them.
const INTERVAL_DRAWS: u32 = 1024;
/// Draws that are looked at one by one rather than halved again.
const FEW: usize = 4;
/// Seed of the scrambling.
const SEED: u32 = 0x5EED_0001;
/// Dimensions of one sequence; further ones take another seed.
const DIMENSIONS: u32 = 256;
/// VMs whose demand is drawn one by one; with more of them, neighbours share a draw, which overstates the spread a little.
const MOST_SINGLE_VMS: u64 = 512;

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
    let sampler = Sampler::new(plan, known, high, |input| checks.iter().any(|check| check.depends_on(input)));
    let mut units = vec![high; DRAWS as usize];
    let own_cpu = checks.contains(&Check::Cpu) && sampler.has_spread();
    let common: Vec<Check> = checks.iter().copied().filter(|check| !(own_cpu && *check == Check::Cpu)).collect();
    let mut draws: Vec<u32> = (0..DRAWS).collect();
    let factors = Factors::likely(known);
    let mut search = Settling {
        sampler: &sampler,
        plan,
        effects: sampler.effects(plan, known, &common, low + 1),
        factors,
        bounds: vec![(0.0, 1.0); sampler.first_own as usize],
        units: &mut units,
    };
    search.settle(&common, &mut draws, (low, high), Corners::default());
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
    let sampler = Sampler::new(plan, known, 1, |_| true);
    let mut factors = Factors::likely(known);
    if sampler.common.is_empty() && !sampler.has_spread() {
        return value(&factors).map(|value| (value, value));
    }
    let mut drawn: Vec<f64> = Vec::with_capacity(INTERVAL_DRAWS as usize);
    for draw in 0..INTERVAL_DRAWS {
        stop::point();
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
    block: u64,
}

impl Sampler {
    /// Inputs that do not matter keep their dimension, so that the others are drawn at the same points whatever is asked.
    fn new(plan: &Plan, known: &[Known], most: u32, matters: impl Fn(UncertainInput) -> bool) -> Self {
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
            if matters(one.input) {
                common.push((*one, dimension, Pert::new(one.range)));
            }
        }
        let vms = u64::from(most) * u64::from(plan.scenario.vms_per_unit());
        Self { common, demand, first_own: dimension_of.len() as u32, block: vms.div_ceil(MOST_SINGLE_VMS).max(1) }
    }

    /// How far each input common to all VMs moves a limit at so many units, by dimension.
    fn effects(&self, plan: &Plan, known: &[Known], checks: &[Check], units: u32) -> Vec<Vec<(Check, f64)>> {
        let mut factors = Factors::likely(known);
        let of = |dimension: u32| {
            let own: Vec<Known> = self.common.iter().filter(|(_, at, _)| *at == dimension).map(|one| one.0).collect();
            let moved = |check: &&Check| own.iter().any(|one| check.depends_on(one.input));
            let mut room = |check: Check, end: fn(&Known) -> f64| {
                own.iter().for_each(|one| factors.set(one.slot, end(one)));
                let room = 1.0 / check.strain(plan, &factors, f64::from(units));
                own.iter().for_each(|one| factors.set(one.slot, one.range.likely()));
                room
            };
            let mut effect = |check: &Check| {
                let effect = (room(*check, |one| one.range.low()) - room(*check, |one| one.range.high())).abs();
                (*check, if effect.is_finite() { effect } else { 0.0 })
            };
            checks.iter().filter(moved).map(&mut effect).collect()
        };
        (0..self.first_own).map(of).collect()
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
        stop::point();
        let (mut units, mut vm, mut shared) = (0, 0u64, 0.0);
        let own = |vm: u64| point(draw, self.first_own + (vm / self.block) as u32);
        let base: Vec<(u32, f64, f64)> = (plan.scenario.unit.iter().enumerate())
            .map(|(index, member)| {
                let fixed = demand::vm_fixed_cpu(plan, factors, index);
                (member.count, fixed, demand::vm_cpu(plan, factors, index) - fixed)
            })
            .collect();
        // What so many VMs of a member use that draw the same.
        let cpu = |index: usize, count: u64, shared: f64| {
            let (_, fixed, variable) = base[index];
            let demand = self.demand[index].as_ref().map_or(1.0, |pert| pert.quantile(shared));
            count as f64 * (fixed + variable * demand)
        };
        let per_unit = u64::from(plan.scenario.vms_per_unit());
        for _ in 0..plan.scenario.active_hosts() {
            let mut used = 0.0;
            loop {
                if units == most {
                    return most;
                }
                let left = self.block - vm % self.block;
                if left == self.block {
                    shared = own(vm);
                }
                // Units of VMs that all draw the same are counted together.
                let alike = (left / per_unit).min(u64::from(most - units)) as u32;
                if alike > 1 {
                    let unit: f64 =
                        base.iter().enumerate().map(|(index, one)| cpu(index, u64::from(one.0), shared)).sum();
                    let room = ((usable - used) / unit).max(0.0).floor();
                    let fitting = if room < f64::from(alike) { room as u32 } else { alike };
                    used += f64::from(fitting) * unit;
                    units += fitting;
                    vm += u64::from(fitting) * per_unit;
                    if fitting < alike {
                        // The unit that stands over is drawn again on the next host.
                        break;
                    }
                    continue;
                }
                for (index, (count, ..)) in base.iter().enumerate() {
                    let mut rest = u64::from(*count);
                    while rest > 0 {
                        if vm % self.block == 0 {
                            shared = own(vm);
                        }
                        let same = rest.min(self.block - vm % self.block);
                        used += cpu(index, same, shared);
                        vm += same;
                        rest -= same;
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

/// The search for the units of each draw, for the limits that all VMs share.
///
/// The number of units never falls when an input gets better. So if the worst and the best corner of the box around some
/// draws allow the same number, all of them do, and none is looked at; otherwise the draws are halved. The result is that
/// of looking at each.
struct Settling<'a> {
    sampler: &'a Sampler,
    plan: &'a Plan<'a>,
    /// By dimension: how far it moves each limit.
    effects: Vec<Vec<(Check, f64)>>,
    factors: Factors,
    /// By dimension: between which coordinates the box lies.
    bounds: Vec<(f64, f64)>,
    /// By draw: what is found.
    units: &'a mut [u32],
}

/// Which corners of a box are those of the one that was halved, so that their units are known.
#[derive(Clone, Copy, Default)]
struct Corners {
    worst: bool,
    best: bool,
}

impl Settling<'_> {
    /// Finds the units of these draws, known to lie between two numbers.
    fn settle(&mut self, checks: &[Check], draws: &mut [u32], (low, high): (u32, u32), known: Corners) {
        if draws.len() <= FEW {
            for &draw in draws.iter() {
                self.sampler.fill(&mut self.factors, draw);
                self.units[draw as usize] = units_between(self.plan, &self.factors, checks, low, high);
            }
            return;
        }
        let (mut open, mut least, mut most) = (checks.to_vec(), low, high);
        if !known.worst {
            self.take_corner(false);
            least = high;
            // A limit that even in the worst corner allows the upper bound cannot lower any of these draws.
            open.retain(|check| {
                let fits = check.allowed_up_to(self.plan, &self.factors, low, high);
                least = least.min(fits);
                fits < high
            });
            least = least.max(low);
        }
        if !known.best && least < most {
            self.take_corner(true);
            most = units_between(self.plan, &self.factors, &open, least, high);
        }
        if least == most {
            draws.iter().for_each(|&draw| self.units[draw as usize] = most);
            return;
        }
        let dimension = self.dimension_to_halve(&open);
        // The points fill every box evenly, so half of the width is half of the draws.
        let whole = self.bounds[dimension as usize];
        let parted = (whole.0 + whole.1) / 2.0;
        let mut below = 0;
        for index in 0..draws.len() {
            if point(draws[index], dimension) < parted {
                draws.swap(index, below);
                below += 1;
            }
        }
        let (lower, upper) = draws.split_at_mut(below);
        let more_is_better = self.sampler.common.iter().any(|one| one.1 == dimension && one.0.input.more_is_better());
        self.bounds[dimension as usize] = (whole.0, parted);
        self.settle(&open, lower, (least, most), Corners { worst: more_is_better, best: !more_is_better });
        self.bounds[dimension as usize] = (parted, whole.1);
        self.settle(&open, upper, (least, most), Corners { worst: !more_is_better, best: more_is_better });
        self.bounds[dimension as usize] = whole;
    }

    /// Takes the values of the worst or best corner of the box.
    fn take_corner(&mut self, best: bool) {
        for (known, dimension, pert) in &self.sampler.common {
            let (least, most) = self.bounds[*dimension as usize];
            let upper = known.input.more_is_better() == best;
            self.factors.set(known.slot, pert.quantile(if upper { most } else { least }));
        }
    }

    /// The dimension along which the box reaches farthest, weighed by what it moves.
    fn dimension_to_halve(&self, open: &[Check]) -> u32 {
        let reach = |dimension: &u32| {
            let (least, most) = self.bounds[*dimension as usize];
            let effects = self.effects[*dimension as usize].iter().filter(|(check, _)| open.contains(check));
            // What moves nothing at the likely values may yet move something elsewhere.
            (most - least) * effects.map(|(_, effect)| effect + 1e-6).fold(0.0, f64::max)
        };
        let farthest = |a: &u32, b: &u32| reach(a).total_cmp(&reach(b)).then(b.cmp(a));
        (0..self.sampler.first_own).max_by(farthest).unwrap_or(0)
    }
}

/// The first coordinates of every point by dimension, made once: all answers are drawn at the same points.
static FIRST: LazyLock<Vec<Vec<f32>>> = LazyLock::new(|| {
    let coordinates = |dimension| (0..DRAWS).map(|draw| sample(draw, dimension)).collect();
    (0..FIRST_DIMENSIONS).map(coordinates).collect()
});

/// Dimensions that are kept: more than the inputs common to all VMs.
const FIRST_DIMENSIONS: u32 = 32;

/// A coordinate of a point, in 0 to 1.
pub(super) fn point(draw: u32, dimension: u32) -> f64 {
    let kept = FIRST.get(dimension as usize).and_then(|coordinates| coordinates.get(draw as usize));
    f64::from(kept.copied().unwrap_or_else(|| sample(draw, dimension)))
}

fn sample(draw: u32, dimension: u32) -> f32 {
    sobol_burley::sample(draw, dimension % DIMENSIONS, SEED + dimension / DIMENSIONS)
}
