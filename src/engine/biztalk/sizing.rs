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
        let mut groups: Vec<(u32, u32)> = shapes().collect();
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

    /// The group of up to eight each that likely processes most; of equals the smallest.
    pub fn most(&self, scenario: Scenario, ratings: Ratings) -> Option<Plan> {
        let mut best: Option<Plan> = None;
        for (messageboxes, servers) in shapes() {
            let prediction = self.throughput_on(scenario, messageboxes, servers, ratings)?;
            let found = Plan { servers, messageboxes, prediction };
            let better = |best: &Plan| {
                let size = |plan: &Plan| plan.servers + plan.messageboxes;
                let by_rate = prediction.docs_per_s.total_cmp(&best.prediction.docs_per_s);
                by_rate.then(size(best).cmp(&size(&found))).is_gt()
            };
            if best.as_ref().is_none_or(better) {
                best = Some(found);
            }
        }
        best
    }
}

/// MessageBoxes and servers of the groups that are tried. Two MessageBoxes give what one gives.
fn shapes() -> impl Iterator<Item = (u32, u32)> {
    let boxes = (1..=MOST).filter(|&messageboxes| messageboxes != 2);
    boxes.flat_map(|messageboxes| (1..=MOST).map(move |servers| (messageboxes, servers)))
}
