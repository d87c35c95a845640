//! What a core of a new machine does against one of an old machine: the rating that converts demand between them.

use serde::Serialize;
use utoipa::ToSchema;

use super::calibrate::CPU_MODES;
use super::observation::{Observation, Refused, Repeats, pair};
use super::statistics::{Estimate, quotient};

/// Core rating of a new machine, with that of the old as 1.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Rating {
    /// Geometric mean over the modes; its bounds are those of the modes, so they show how far these lie apart.
    pub rating: Estimate,
    pub modes: Vec<ModeRating>,
    pub refused: Vec<Refused>,
}

/// One mode on both machines.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct ModeRating {
    pub mode: String,
    pub label: Option<String>,
    pub rating: Estimate,
    pub repeats: Repeats,
}

/// Rates a new machine by modes that are all processor, at the same number of threads on both: a thread has a core of its
/// own, or both machines share theirs alike.
///
/// # Errors
/// When no mode can be compared, with what differs.
pub fn rate(old: &[Observation], new: &[Observation]) -> Result<Rating, Vec<Refused>> {
    let (pairs, refused) = pair(old, new);
    let modes: Vec<ModeRating> = pairs
        .iter()
        .filter(|pair| CPU_MODES.contains(&pair.conditions().mode.as_str()))
        .filter_map(|pair| {
            let (before, behind) = pair.figures(|run| run.per_s)?;
            Some(ModeRating {
                mode: pair.conditions().mode.clone(),
                label: pair.conditions().label.clone(),
                rating: quotient(&before, &behind)?,
                repeats: Repeats { native: before.len(), guest: behind.len() },
            })
        })
        .collect();
    let Some(first) = modes.first() else { return Err(refused) };
    let count = modes.len() as f64;
    let mean = libm::exp(modes.iter().map(|mode| libm::log(mode.rating.likely)).sum::<f64>() / count);
    let low = modes.iter().map(|mode| mode.rating.low).fold(mean, f64::min);
    let high = modes.iter().map(|mode| mode.rating.high).fold(mean, f64::max);
    let rating = Estimate { low, likely: mean, high, basis: first.rating.basis };
    Ok(Rating { rating, modes, refused })
}
