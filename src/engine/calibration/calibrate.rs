//! Native and guest runs to what a hypervisor costs.

use serde::Serialize;
use utoipa::ToSchema;

use super::loads::{self, Load, LoadFit};
use super::observation::{Observation, Pair, Refused, Repeats, pair};
use super::statistics::{Basis, Estimate, difference, outliers, quotient};

/// Modes that keep the processor busy and nothing else: their rate alone tells the loss.
pub const CPU_MODES: [&str; 5] = ["cpu", "memory", "threads", "mutex", "jbb"];

/// Sizes of the machines, where runs do not tell them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sizes {
    /// Logical processors that a busy share is of.
    pub processors: f64,
    pub vcpus: f64,
}

/// One benchmark on both machines.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Compared {
    pub mode: String,
    pub label: Option<String>,
    pub repeats: Repeats,
    /// Share of the native rate that the guest loses; below 0 where the guest was faster.
    pub loss: Estimate,
    /// Runs far from their repeats, by their place among them.
    pub native_outliers: Vec<usize>,
    pub guest_outliers: Vec<usize>,
}

/// What native and guest runs say of a hypervisor.
#[derive(Clone, Debug, Default, PartialEq, Serialize, ToSchema)]
pub struct Calibration {
    /// Every pair that was compared.
    pub compared: Vec<Compared>,
    /// Runs that nothing could be compared with.
    pub refused: Vec<Refused>,
    /// Loads with CPU figures: the line through them.
    pub loads: Option<LoadFit>,
    pub cpu_loss: Option<Estimate>,
    pub cpu_fixed_per_vcpu: Option<Estimate>,
    pub disk_loss: Option<Estimate>,
    pub read_added_ms: Option<Estimate>,
    pub write_added_ms: Option<Estimate>,
    /// Share of the native network rate that the guest loses.
    pub network_loss: Option<Estimate>,
    pub network_added_ms: Option<Estimate>,
}

impl Calibration {
    /// Whether the processors' loss stands on one load, which cannot tell a fixed cost from a loss.
    pub fn loss_alone(&self) -> bool {
        self.cpu_loss.is_some() && self.cpu_fixed_per_vcpu.is_none()
    }

    fn is_empty(&self) -> bool {
        self.cpu_loss.is_none() && self.disk_loss.is_none() && self.network_loss.is_none() && self.compared.is_empty()
    }
}

/// Compares the runs of two machines.
///
/// # Errors
/// When nothing can be compared: every guest run with what the nearest native one differs in.
pub fn calibrate(native: &[Observation], guest: &[Observation], sizes: Sizes) -> Result<Calibration, Vec<Refused>> {
    let (pairs, refused) = pair(native, guest);
    let mut found = Calibration { compared: pairs.iter().filter_map(compared).collect(), ..Calibration::default() };
    let disk = of_mode(&pairs, "fileio");
    let network = of_mode(&pairs, "network");
    cpu(&pairs, sizes, &mut found);
    found.disk_loss = pooled(disk.iter().filter_map(|pair| loss(pair, |run| run.iops.or(run.per_s))));
    found.read_added_ms = pooled(disk.iter().filter_map(|pair| added(pair, |run| run.read_ms)));
    found.write_added_ms = pooled(disk.iter().filter_map(|pair| added(pair, |run| run.write_ms)));
    found.network_loss = pooled(network.iter().filter_map(|pair| loss(pair, |run| run.network_mb_s)));
    found.network_added_ms = pooled(network.iter().filter_map(|pair| added(pair, |run| run.network_ms)));
    if found.is_empty() {
        return Err(refused);
    }
    found.refused = refused;
    Ok(found)
}

fn of_mode<'p, 'o>(pairs: &'p [Pair<'o>], mode: &str) -> Vec<&'p Pair<'o>> {
    pairs.iter().filter(|pair| pair.conditions().mode == mode).collect()
}

fn loss(pair: &Pair, of: impl Fn(&Observation) -> Option<f64>) -> Option<Estimate> {
    let (native, guest) = pair.figures(of)?;
    Some(quotient(&native, &guest)?.map_falling(|share| 1.0 - share))
}

fn added(pair: &Pair, of: impl Fn(&Observation) -> Option<f64>) -> Option<Estimate> {
    let (native, guest) = pair.figures(of)?;
    difference(&native, &guest)
}

fn compared(pair: &Pair) -> Option<Compared> {
    let rate = |run: &Observation| run.per_s.or(run.iops).or(run.network_mb_s);
    // Work at a rate of its own says nothing by its rate: the processors that it took do.
    let cost = |run: &Observation| run.work().map(|work| work.per_s / work.busy);
    let of: &dyn Fn(&Observation) -> Option<f64> =
        if pair.figures(cost).is_some() && !CPU_MODES.contains(&pair.conditions().mode.as_str()) {
            &cost
        } else {
            &rate
        };
    let (native, guest) = pair.figures(of)?;
    Some(Compared {
        mode: pair.conditions().mode.clone(),
        label: pair.conditions().label.clone(),
        repeats: Repeats { native: native.len(), guest: guest.len() },
        loss: loss(pair, of)?,
        native_outliers: outliers(&native),
        guest_outliers: outliers(&guest),
    })
}

/// The processors' cost: from loads with CPU figures where there are some, else from the rates of modes that are all CPU.
/// The latter keep as many processors busy as they have threads, whatever a fixed cost is: they are no loads.
fn cpu(pairs: &[Pair], sizes: Sizes, found: &mut Calibration) {
    let mut modes: Vec<&str> = Vec::new();
    for pair in pairs {
        let mode = pair.conditions().mode.as_str();
        let other = ["fileio", "network"].contains(&mode) || CPU_MODES.contains(&mode);
        if !other && !modes.contains(&mode) {
            modes.push(mode);
        }
    }
    let fits = modes.iter().filter_map(|mode| {
        let loads: Vec<Load> = of_mode(pairs, mode).iter().filter_map(|pair| load(pair)).collect();
        loads::fit(mode, &loads, sizes.processors, sizes.vcpus)
    });
    // The mode with a fixed cost and the most loads says most.
    found.loads = fits.fold(None, |best: Option<LoadFit>, fit| {
        let rank = |fit: &LoadFit| (fit.fixed_per_vcpu.is_some(), fit.residuals.len());
        match best {
            Some(best) if rank(&best) >= rank(&fit) => Some(best),
            _ => Some(fit),
        }
    });
    if let Some(fit) = &found.loads {
        (found.cpu_loss, found.cpu_fixed_per_vcpu) = (Some(fit.loss), fit.fixed_per_vcpu);
        return;
    }
    let pure = pairs.iter().filter(|pair| CPU_MODES.contains(&pair.conditions().mode.as_str()));
    let shares: Vec<Estimate> = pure
        .filter_map(|pair| {
            let (native, guest) = pair.figures(|run| run.per_s)?;
            quotient(&native, &guest)
        })
        .collect();
    // A geometric mean: a quotient and its inverse weigh alike.
    let logs = pooled(shares.into_iter().map(|share| share.map(libm::log)));
    found.cpu_loss = logs.map(|mean| mean.map_falling(|log| 1.0 - libm::exp(log)));
}

fn load(pair: &Pair) -> Option<Load> {
    let works = |runs: &[&Observation]| runs.iter().map(|run| run.work()).collect::<Option<Vec<_>>>();
    let conditions = pair.conditions();
    let rate = conditions
        .options
        .iter()
        .find(|(name, _)| ["rate", "rate_per_s", "target_rate_per_s"].contains(&name.as_str()));
    let name = match (&conditions.label, rate, conditions.threads) {
        (Some(label), ..) => label.clone(),
        (None, Some((_, rate)), _) => format!("{rate}/s"),
        (None, None, Some(threads)) => format!("{threads} threads"),
        (None, None, None) => conditions.mode.clone(),
    };
    let half_digits =
        pair.guest.first()?.half_digits.filter(|_| pair.native.iter().all(|run| run.half_digits.is_some()));
    Some(Load { name, native: works(&pair.native)?, guest: works(&pair.guest)?, half_digits })
}

/// Estimates of several points as one: the mean, from the lowest low to the highest high.
fn pooled(estimates: impl Iterator<Item = Estimate>) -> Option<Estimate> {
    let all: Vec<Estimate> = estimates.collect();
    let first = all.first()?;
    let likely = all.iter().map(|estimate| estimate.likely).sum::<f64>() / all.len() as f64;
    let low = all.iter().map(|estimate| estimate.low).fold(likely, f64::min);
    let high = all.iter().map(|estimate| estimate.high).fold(likely, f64::max);
    let assumed = all.iter().any(|estimate| estimate.basis == Basis::Assumed);
    let basis = match first.basis {
        _ if assumed => Basis::Assumed,
        Basis::Measured { .. } => Basis::Measured {
            degrees: all
                .iter()
                .map(|estimate| match estimate.basis {
                    Basis::Measured { degrees } => degrees,
                    _ => f64::INFINITY,
                })
                .fold(f64::INFINITY, f64::min),
        },
        other => other,
    };
    Some(Estimate { low, likely, high, basis })
}
