//! The other way round: from documents per second to servers and MessageBoxes.

use super::{BizTalkModel, Prediction, Ratings, Scenario};

/// Largest tier that is proposed. Past the measured rows a plan is marked as extrapolated.
const MOST: u32 = 8;

/// Which figure of the prediction has to reach the asked rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Basis {
    /// The prediction itself.
    Likely,
    /// The low end of its interval.
    Low,
}

/// A group that carries the asked rate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plan {
    pub servers: u32,
    pub messageboxes: u32,
    pub prediction: Prediction,
}

impl BizTalkModel {
    /// The smallest group that carries `docs_per_s`: fewest processing servers and MessageBoxes
    /// together, and of those the fewest MessageBoxes. Two MessageBoxes are never proposed.
    ///
    /// `None` if no group of up to eight each does, or the rate or a rating is not positive and
    /// finite, or the scenario has no rows.
    pub fn size(&self, scenario: Scenario, docs_per_s: f64, basis: Basis, ratings: Ratings) -> Option<Plan> {
        if !(docs_per_s > 0.0 && docs_per_s.is_finite()) {
            return None;
        }
        let mut groups: Vec<(u32, u32)> = (1..=MOST)
            .filter(|&messageboxes| messageboxes != 2)
            .flat_map(|messageboxes| (1..=MOST).map(move |servers| (messageboxes, servers)))
            .collect();
        groups.sort_by_key(|&(messageboxes, servers)| (messageboxes + servers, messageboxes));
        groups.into_iter().find_map(|(messageboxes, servers)| {
            let prediction = self.throughput_on(scenario, messageboxes, servers, ratings)?;
            let carried = match basis {
                Basis::Likely => prediction.docs_per_s,
                Basis::Low => prediction.low,
            };
            (carried >= docs_per_s).then_some(Plan { servers, messageboxes, prediction })
        })
    }
}
