//! Whether a number of units fits. One mechanism serves the answer, the remedies, the advice and the report: a list of
//! [`Check`]s, each of which knows the largest number of units within its limit.

use crate::domain::choice::{CoefficientName, NicUse};
use crate::domain::rules;
use crate::domain::units::{MB_PER_GIB, MB_S_PER_GBPS, MIB_PER_GIB, SECONDS_PER_HOUR};

use super::factors::{Factors, UncertainInput};
use super::plan::{Layout, Plan};
use super::{backup, demand, latency, pools, response, stop};

/// Units that are counted at most; no host comes near it.
pub const MOST_UNITS: u32 = 1_000_000;

/// Slack for the rounding of floating-point arithmetic: what fits exactly must not fail by the last digit.
const ROUNDING: f64 = 1e-9;

/// One limit that is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Check {
    Memory,
    Cpu,
    /// vCPUs against the policy's ratio.
    Vcpus,
    /// VMs on a host against the hypervisor's limit.
    HypervisorVms,
    /// vCPUs on a host against the hypervisor's limit.
    HypervisorVcpus,
    Network,
    /// Backups with the window of this unit member, and those that must end before, over the network adapters.
    BackupNetwork(usize),
    /// The same against the sequential read rate of a pool.
    BackupPool(usize, usize),
    Iops(usize),
    /// Space of a pool from which LUNs are carved.
    Capacity(usize),
    /// A LUN for each volume.
    Luns,
    /// Space on the given LUNs of virtual disks.
    LunSpace,
    /// Latency of the volumes on a pool.
    Latency(usize),
    /// Response time of a unit member's transactions.
    Response(usize),
}

/// Usable over per unit, for the limits that are a ratio.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ratio {
    /// What the hardware has.
    pub supply: f64,
    /// What host and hypervisor take of it.
    pub reserved: f64,
    /// Share of the rest that the policy lets plan with.
    pub target: f64,
    pub per_unit: f64,
}

impl Ratio {
    pub fn usable(&self) -> f64 {
        (self.target * (self.supply - self.reserved)).max(0.0)
    }

    pub fn unrounded(&self) -> f64 {
        if self.per_unit > 0.0 { self.usable() / self.per_unit } else { f64::from(MOST_UNITS) }
    }
}

/// The largest whole number of units in an unrounded one.
pub fn whole_units(unrounded: f64) -> u32 {
    (unrounded * (1.0 + ROUNDING)).floor().clamp(0.0, f64::from(MOST_UNITS)) as u32
}

/// How many units a check allows, over all hosts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Allowed {
    pub fits: u32,
    /// The same before rounding, to tell which of several limits is the nearest.
    pub unrounded: f64,
}

impl Check {
    /// The name of the resource in answers.
    pub const fn resource(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::Cpu => "cpu",
            Self::Vcpus => "vcpus",
            Self::HypervisorVms | Self::HypervisorVcpus => "hypervisor_limit",
            Self::Network => "network",
            Self::BackupNetwork(_) | Self::BackupPool(..) => "backup",
            Self::Iops(_) => "iops",
            Self::Capacity(_) | Self::LunSpace => "capacity",
            Self::Luns => "luns",
            Self::Latency(_) => "latency",
            Self::Response(_) => "response_time",
        }
    }

    /// Whether it is a limit of each host; the others are shared by the cluster.
    pub const fn is_of_host(self) -> bool {
        matches!(
            self,
            Self::Memory
                | Self::Cpu
                | Self::Vcpus
                | Self::HypervisorVms
                | Self::HypervisorVcpus
                | Self::Network
                | Self::BackupNetwork(_)
        )
    }

    /// Whether a limit can move with an input.
    pub fn depends_on(self, input: UncertainInput) -> bool {
        use CoefficientName as Name;
        match input {
            UncertainInput::Coefficient(Name::CpuLoss | Name::CpuFixedCoresPerVcpu)
            | UncertainInput::SmtGain
            | UncertainInput::CpuDemand(_) => matches!(self, Self::Cpu | Self::Response(_)),
            UncertainInput::Coefficient(Name::MemoryHostMib | Name::MemoryFirstGibMib | Name::MemoryFurtherGibMib) => {
                self == Self::Memory
            }
            UncertainInput::Coefficient(Name::DiskLoss) | UncertainInput::DiskIops(_) => {
                matches!(self, Self::Iops(_) | Self::Latency(_) | Self::Response(_))
            }
            UncertainInput::Coefficient(Name::ReadLatencyAddedMs | Name::WriteLatencyAddedMs) => {
                matches!(self, Self::Latency(_) | Self::Response(_))
            }
            UncertainInput::Coefficient(Name::BackupLoss) | UncertainInput::BackupWireRate => {
                matches!(self, Self::BackupNetwork(_))
            }
            UncertainInput::SequentialRate => matches!(self, Self::BackupPool(..)),
            UncertainInput::Coefficient(Name::NetworkLatencyMs) => false,
        }
    }

    /// The limit as a ratio, for one host or for the cluster; `None` for the limits that are none.
    pub fn ratio(self, plan: &Plan, factors: &Factors) -> Option<Ratio> {
        let scenario = plan.scenario;
        let (host, policy) = (&scenario.host, &scenario.policy);
        let limits = &scenario.overhead.limits;
        let plain = |supply: f64, per_unit: f64| Ratio { supply, reserved: 0.0, target: 1.0, per_unit };
        Some(match self {
            Self::Memory => Ratio {
                supply: host.memory_gib * MIB_PER_GIB,
                reserved: factors.memory_host + policy.root_memory_mib,
                target: policy.memory_target,
                per_unit: demand::unit_memory(plan, factors),
            },
            Self::Cpu => {
                let supply = cpu_supply(plan, factors);
                Ratio {
                    supply,
                    reserved: supply * policy.root_cpu,
                    target: policy.cpu_target,
                    per_unit: demand::unit_cpu(plan, factors),
                }
            }
            Self::Vcpus => plain(policy.max_vcpus_per_thread? * f64::from(host.threads()), demand::unit_vcpus(plan)),
            Self::HypervisorVms => plain(f64::from(limits.max_vms_per_host?), f64::from(scenario.vms_per_unit())),
            Self::HypervisorVcpus => {
                plain(limits.max_vcpus_per_thread? * f64::from(host.threads()), demand::unit_vcpus(plan))
            }
            Self::Network => Ratio {
                supply: host.gbps_for(NicUse::Vm)? * MB_S_PER_GBPS,
                reserved: 0.0,
                target: policy.network_target,
                per_unit: demand::unit_network(plan)?,
            },
            Self::BackupNetwork(member) => {
                plain(scenario.unit[member].vm.backup?.window_h, backup::network_hours(plan, factors, member))
            }
            Self::BackupPool(pool, member) => {
                let disks = f64::from(scenario.storage.as_ref()?.pools[pool].disks);
                let hours = backup::gib(plan, member, Some(pool)) * MB_PER_GIB
                    / (disks * factors.sequential)
                    / SECONDS_PER_HOUR;
                plain(scenario.unit[member].vm.backup?.window_h, hours)
            }
            Self::Iops(pool) => {
                let linear = plan.is_linear(pool) && scenario.storage.as_ref()?.pools[pool].hyperconverged.is_none();
                if !linear {
                    return None;
                }
                let state = pools::state(plan, factors, pool, 1.0)?;
                Ratio {
                    supply: state.supply_iops,
                    reserved: 0.0,
                    target: policy.iops_target,
                    per_unit: state.reads + state.writes,
                }
            }
            Self::Capacity(pool) => Ratio {
                supply: scenario.storage.as_ref()?.pools[pool].capacity_gib(),
                reserved: 0.0,
                target: policy.capacity_target,
                per_unit: plan.pool_load(pool, 1.0).stored,
            },
            Self::Luns | Self::LunSpace | Self::Latency(_) | Self::Response(_) => return None,
        })
    }

    /// The largest number of units within this limit, over all hosts that must carry them. What a search finds is not
    /// refined between whole numbers: see [`Check::refined`].
    pub fn allowed(self, plan: &Plan, factors: &Factors) -> Allowed {
        self.allowed_near(plan, factors, 0)
    }

    /// The same; a `guess` near the answer makes a search short.
    pub fn allowed_near(self, plan: &Plan, factors: &Factors, guess: u32) -> Allowed {
        stop::point();
        self.computed(plan, factors).unwrap_or_else(|| {
            let fits = searched(guess, |units| self.holds(plan, factors, units));
            Allowed { fits, unrounded: f64::from(fits) }
        })
    }

    /// What a limit allows that takes no search.
    fn computed(self, plan: &Plan, factors: &Factors) -> Option<Allowed> {
        if matches!(self, Self::Luns | Self::LunSpace) {
            let fits = lun_units(plan, self);
            return Some(Allowed { fits, unrounded: f64::from(fits) });
        }
        let unrounded = self.ratio(plan, factors)?.unrounded();
        let hosts = if self.is_of_host() { plan.scenario.active_hosts() } else { 1 };
        // A unit stays on one host, so hosts are filled with whole units.
        let fits = whole_units(unrounded).saturating_mul(hosts).min(MOST_UNITS);
        Some(Allowed { fits, unrounded: unrounded * f64::from(hosts) })
    }

    /// Whether so many units are within this limit, over all hosts that must carry them.
    pub fn allows(self, plan: &Plan, factors: &Factors, units: u32) -> bool {
        match self.computed(plan, factors) {
            Some(allowed) => allowed.fits >= units,
            None => self.holds(plan, factors, f64::from(units)),
        }
    }

    /// Where between two whole numbers a searched limit is met; other limits as they are. Only the nearest limits need it.
    pub fn refined(self, plan: &Plan, factors: &Factors, allowed: Allowed) -> Allowed {
        if self.computed(plan, factors).is_some() {
            return allowed;
        }
        let low = f64::from(allowed.fits);
        Allowed { unrounded: between(low, low + 1.0, |units| self.strain(plan, factors, units)), ..allowed }
    }

    /// The largest number of units between `low`, at which the limit is known to hold, and `high`.
    pub fn allowed_up_to(self, plan: &Plan, factors: &Factors, low: u32, high: u32) -> u32 {
        if let Some(allowed) = self.computed(plan, factors) {
            return allowed.fits.min(high);
        }
        let (mut fits, mut fails) = (low, high + 1);
        while fails - fits > 1 {
            // The upper end first: most draws reach it.
            let middle = if fails == high + 1 { high } else { fits + (fails - fits) / 2 };
            if self.holds(plan, factors, f64::from(middle)) { fits = middle } else { fails = middle }
        }
        fits
    }

    /// Whether a limit that is no ratio holds at that many units; between whole numbers too.
    fn holds(self, plan: &Plan, factors: &Factors, units: f64) -> bool {
        self.strain(plan, factors, units) <= 1.0
    }

    /// What a limit is used up to by that many units over all hosts: above 1 it is passed, infinite where there is no steady
    /// state. It rises with the units; they may lie between whole numbers.
    pub fn strain(self, plan: &Plan, factors: &Factors, units: f64) -> f64 {
        stop::point();
        match self {
            Self::Iops(pool) => pools::state(plan, factors, pool, units).map_or(f64::INFINITY, |state| {
                state.utilization() / (plan.scenario.policy.iops_target * (1.0 + ROUNDING))
            }),
            Self::Latency(pool) => latency::strain(plan, factors, pool, units),
            Self::Response(member) => response::strain(plan, factors, member, units),
            _ => self.computed(plan, factors).map_or(0.0, |allowed| units / allowed.unrounded),
        }
    }
}

/// CPU of one host in cores of rating 1.0: sockets × cores × rating × (1 + gain of further threads).
pub fn cpu_supply(plan: &Plan, factors: &Factors) -> f64 {
    let host = &plan.scenario.host;
    f64::from(host.cores()) * host.core_rating * (1.0 + factors.smt_gain)
}

fn lun_units(plan: &Plan, check: Check) -> u32 {
    let Layout::Assigned(assignment) = &plan.layout else {
        // Carved LUNs stop only where a controller is refused.
        return 0;
    };
    let space_stops = assignment.units < assignment.units_without_space_limit;
    let fits = match (check, space_stops) {
        (Check::LunSpace, true) | (Check::Luns, false) => assignment.units,
        _ => assignment.units_without_space_limit,
    };
    fits.min(MOST_UNITS)
}

/// The largest number of units at which `holds` is true, given that it turns false once and for good. It strides away
/// from the guess, twice as far each time, then halves what lies between.
fn searched(guess: u32, holds: impl Fn(f64) -> bool) -> u32 {
    let at = |units: u32| holds(f64::from(units));
    let (mut fits, mut stride) = (guess.min(MOST_UNITS), 1);
    let mut fails = fits.saturating_add(1);
    while fits > 0 && !at(fits) {
        fails = fits;
        fits = fits.saturating_sub(stride);
        stride *= 2;
    }
    // Still next to the guess: it may hold farther up.
    while fails > guess && at(fails) {
        fits = fails;
        if fits >= MOST_UNITS {
            return MOST_UNITS;
        }
        fails = fails.saturating_add(stride).min(MOST_UNITS);
        stride *= 2;
    }
    while fails - fits > 1 {
        let middle = fits + (fails - fits) / 2;
        if at(middle) {
            fits = middle;
        } else {
            fails = middle;
        }
    }
    fits
}

/// Where between two numbers of units a limit is met, to three decimals: within it at the first, past it at the second.
fn between(low: f64, high: f64, strain: impl Fn(f64) -> f64) -> f64 {
    // One over the strain is finite, nearly straight for queues, and 1 at the limit.
    let left = |units: f64| 1.0 / strain(units) - 1.0;
    let ((mut low, mut spare), (mut high, mut lacking)) = ((low, left(low)), (high, -left(high)));
    if !spare.is_finite() {
        // Without any load there is no end of room: as good as a lot of it.
        spare = 1.0;
    }
    for _ in 0..MOST_STEPS {
        if high - low <= PLACES || spare <= 0.0 || lacking <= 0.0 {
            break;
        }
        // Regula falsi, halving the end that stays (Illinois).
        let middle = (low * lacking + high * spare) / (lacking + spare);
        let found = left(middle);
        if found.abs() <= PLACES * PLACES {
            return middle;
        }
        if found > 0.0 {
            (low, spare) = (middle, found);
            lacking /= 2.0;
        } else {
            (high, lacking) = (middle, -found);
            spare /= 2.0;
        }
    }
    low
}

/// Steps of [`between`] at most; it takes four as a rule.
const MOST_STEPS: usize = 20;
/// Width of the interval in which a limit is met when it is found.
const PLACES: f64 = 1e-3;

/// What each check allows, the nearest ones refined between whole numbers.
pub fn allowed(plan: &Plan, factors: &Factors, checks: &[Check]) -> Vec<(Check, Allowed)> {
    refined(plan, factors, checks.iter().map(|&check| (check, check.allowed(plan, factors))).collect())
}

/// What the nearest of the checks allows: the least whole units, and among equals the least before rounding. `near` is
/// what they allow at values nearby, and what those allow still that did not move.
pub fn nearest(plan: &Plan, factors: &Factors, near: &[(Check, Allowed)], moved: impl Fn(Check) -> bool) -> Allowed {
    let mut least = Allowed { fits: MOST_UNITS, unrounded: f64::from(MOST_UNITS) };
    let nearer = |a: &Allowed, b: &Allowed| a.fits.cmp(&b.fits).then(a.unrounded.total_cmp(&b.unrounded)).is_lt();
    let mut open = Vec::new();
    for &(check, guess) in near {
        match check.computed(plan, factors) {
            Some(allowed) if nearer(&allowed, &least) => least = allowed,
            Some(_) => {}
            None => open.push((check, guess)),
        }
    }
    for (check, guess) in open {
        // What holds where another limit is met already is not the nearest, and needs no search.
        let known_to_hold = !moved(check) && f64::from(guess.fits) > least.unrounded;
        if known_to_hold || check.strain(plan, factors, least.unrounded) <= 1.0 {
            continue;
        }
        let allowed = check.allowed_near(plan, factors, guess.fits);
        if allowed.fits <= least.fits {
            let allowed = check.refined(plan, factors, allowed);
            if nearer(&allowed, &least) {
                least = allowed;
            }
        }
    }
    least
}

fn refined(plan: &Plan, factors: &Factors, mut found: Vec<(Check, Allowed)>) -> Vec<(Check, Allowed)> {
    let least = found.iter().map(|(_, allowed)| allowed.fits).min().unwrap_or(0);
    for (check, allowed) in found.iter_mut().filter(|(_, allowed)| allowed.fits == least) {
        *allowed = check.refined(plan, factors, *allowed);
    }
    found
}

/// The largest number of units within every check; `near` is what they allow at values nearby.
pub fn most_units(plan: &Plan, factors: &Factors, near: &[(Check, Allowed)]) -> u32 {
    let fits = |(check, guess): &(Check, Allowed)| check.allowed_near(plan, factors, guess.fits).fits;
    near.iter().map(fits).min().unwrap_or(MOST_UNITS)
}

/// Sequential rate: where the rule is written.
pub const SEQUENTIAL_SOURCE: &str = rules::SEQUENTIAL_MB_S_PER_DISK.source;
