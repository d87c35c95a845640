//! What a run showed, and runs of two machines put beside each other.

use serde::Serialize;
use utoipa::ToSchema;

use super::conditions::{Conditions, Difference};
use super::loads::Work;

/// What one run showed. What it did not show is `None`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Observation {
    pub conditions: Conditions,
    /// Events a second, or one over the time of fixed work: higher is better.
    pub per_s: Option<f64>,
    /// Busy processors of the whole machine; for a guest those of its host where they are known.
    pub busy: Option<f64>,
    pub iops: Option<f64>,
    pub read_ms: Option<f64>,
    pub write_ms: Option<f64>,
    /// MB a second over a network.
    pub network_mb_s: Option<f64>,
    /// Time of a round trip over a network, ms.
    pub network_ms: Option<f64>,
    /// Half of the last printed digit of the rate and of the rate for each CPU %, of figures from a table.
    pub half_digits: Option<[f64; 2]>,
}

impl Observation {
    /// Rate and busy processors together.
    pub fn work(&self) -> Option<Work> {
        Some(Work { per_s: self.per_s?, busy: self.busy? })
    }
}

/// How often a point was measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Repeats {
    pub native: usize,
    pub guest: usize,
}

/// Repeats of one point on both machines.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair<'o> {
    pub native: Vec<&'o Observation>,
    pub guest: Vec<&'o Observation>,
}

impl Pair<'_> {
    pub fn conditions(&self) -> &Conditions {
        // A pair is made of a guest's run.
        static NONE: std::sync::LazyLock<Conditions> = std::sync::LazyLock::new(Conditions::default);
        self.guest.first().map_or(&NONE, |guest| &guest.conditions)
    }

    /// A figure of every run on both sides; `None` when one lacks it.
    pub fn figures(&self, of: impl Fn(&Observation) -> Option<f64>) -> Option<(Vec<f64>, Vec<f64>)> {
        let all = |runs: &[&Observation]| runs.iter().map(|run| of(run)).collect::<Option<Vec<f64>>>();
        Some((all(&self.native)?, all(&self.guest)?))
    }
}

/// Runs of a guest that nothing native may be compared with.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Refused {
    /// Mode and label of the guest's run.
    pub mode: String,
    pub label: Option<String>,
    /// In what the nearest native run differs; empty when no native run is of that mode.
    pub differences: Vec<Difference>,
}

/// Puts the guest's runs beside native ones of the same conditions; a native run serves every guest's run that it fits.
pub fn pair<'o>(native: &'o [Observation], guest: &'o [Observation]) -> (Vec<Pair<'o>>, Vec<Refused>) {
    let (natives, guests) = (grouped(native), grouped(guest));
    let (mut pairs, mut refused) = (Vec::new(), Vec::new());
    for group in guests {
        let wanted = &group[0].conditions;
        let fits = |other: &&Vec<&Observation>| {
            let found = &other[0].conditions;
            let labels = match (&found.label, &wanted.label) {
                (Some(a), Some(b)) => a == b,
                _ => true,
            };
            labels && found.differences(wanted).is_empty()
        };
        if let Some(found) = natives.iter().find(fits) {
            pairs.push(Pair { native: found.clone(), guest: group });
            continue;
        }
        let of_mode = natives.iter().map(|other| &other[0].conditions).filter(|c| c.mode == wanted.mode);
        let nearest = of_mode.map(|c| c.differences(wanted)).min_by_key(Vec::len).unwrap_or_default();
        refused.push(Refused { mode: wanted.mode.clone(), label: wanted.label.clone(), differences: nearest });
    }
    (pairs, refused)
}

/// Repeats together, in the order of their first.
fn grouped(observations: &[Observation]) -> Vec<Vec<&Observation>> {
    let mut groups: Vec<Vec<&Observation>> = Vec::new();
    for observation in observations {
        match groups.iter_mut().find(|group| group[0].conditions.same_point(&observation.conditions)) {
            Some(group) => group.push(observation),
            None => groups.push(vec![observation]),
        }
    }
    groups
}
