//! Throughput of a BizTalk Server group: processing servers in front of SQL Server with MessageBoxes.
//!
//! A group gives the least of three tiers:
//!
//! - **Processing CPU**: `P·s` for `s` servers. No published row has two servers saturated, so the
//!   straight line is an assumption; it binds with one server only.
//! - **MessageBox contention**: `γw/(1 + α(w − 1) + β(s − 1)w(w − 1))`, the Universal Scalability Law
//!   in `w`, the MessageBoxes that publish. With several MessageBoxes the master only routes, so
//!   `w = max(m − 1, 1)`: two give what one gives, which is the guide's own finding. Every server
//!   after the first holds its locks and distributed transactions across each pair of them, hence
//!   the coherency term: nothing at one MessageBox, little at three, a loss at four.
//! - **SQL CPU**: a saturated MessageBox leaves SQL Server about 60 % busy in every row, so SQL CPU
//!   binds only on slower SQL servers than the lab's, see [`Ratings`].
//!
//! `P`, `γ` and the SQL share are fitted for each scenario, `α` and `β` for all together: six
//! parameters for the fifteen throughputs of `fixtures/measurements/biztalk2010_scaleout_physical.csv`.
//! Source: Microsoft, *BizTalk Server 2010 Performance Optimization Guide*, "Observations and
//! Recommendations". Documents are 2 KB; other sizes need rows of their own.

mod fit;
mod published;
mod sizing;
#[cfg(test)]
mod tests;

pub use fit::{FitError, HeldOut, Measurement, leave_one_out};
pub use published::{published, published_rows};
pub use sizing::{Basis, Plan};

use crate::engine::queueing::Usl;

/// What the group does with a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scenario {
    /// Receive, publish, route, send.
    Messaging,
    /// The same through an orchestration.
    Orchestration,
}

/// What stops the group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tier {
    ProcessingCpu,
    SqlCpu,
    MessageBox,
}

/// CPU capacity of one server of each tier, the lab's being 1.
///
/// The lab: processing servers of 2 × Xeon X5570 (8 cores, 16 threads), SQL servers of
/// 4 × Xeon E7330 (16 cores), one for each MessageBox. MessageBox contention is locking and is not
/// scaled: there is no measurement of how it follows CPU speed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ratings {
    pub processing: f64,
    pub sql: f64,
}

impl Default for Ratings {
    fn default() -> Self {
        Self { processing: 1.0, sql: 1.0 }
    }
}

/// Throughput of a group, documents per second.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prediction {
    pub docs_per_s: f64,
    /// 90 % interval by the errors of rows left out of the fit; it says nothing of other workloads.
    pub low: f64,
    pub high: f64,
    pub binding: Tier,
    /// What each tier alone would carry.
    pub processing_docs_per_s: f64,
    pub sql_docs_per_s: f64,
    pub messagebox_docs_per_s: f64,
    /// CPU share of each server of a tier at `docs_per_s`, 0 to 1. An estimate: a document costs less
    /// CPU on an idle server, so it is up to 16 points above what was measured there.
    pub processing_utilization: f64,
    pub sql_utilization: f64,
    /// Two MessageBoxes: a server more for what one MessageBox gives. Must be shown.
    pub two_messageboxes: bool,
    /// More servers or MessageBoxes than any fitted row has.
    pub extrapolated: bool,
}

/// The fitted law of a group.
#[derive(Debug, Clone, PartialEq)]
pub struct BizTalkModel {
    messaging: Option<Law>,
    orchestration: Option<Law>,
    /// α: share of publishing that is served one MessageBox at a time.
    contention: f64,
    /// β: cost of each pair of publishing MessageBoxes for each server after the first.
    coherency: f64,
    /// Largest ratio between measured and predicted, as a logarithm, at the 90 % rank.
    spread: f64,
    held_out: Vec<HeldOut>,
    most_servers: u32,
    most_messageboxes: u32,
}

/// What belongs to one scenario.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Law {
    /// Documents per second of one saturated processing server.
    server_docs_per_s: f64,
    /// CPU share at which a server counts as saturated.
    ceiling: f64,
    /// Documents per second of one MessageBox.
    messagebox_docs_per_s: f64,
    /// SQL CPU share while the MessageBox is the limit.
    sql_share: f64,
}

impl BizTalkModel {
    /// Throughput on servers like the lab's.
    ///
    /// `None` for a scenario without rows, or a group without a server or MessageBox.
    pub fn throughput(&self, scenario: Scenario, messageboxes: u32, servers: u32) -> Option<Prediction> {
        self.throughput_on(scenario, messageboxes, servers, Ratings::default())
    }

    /// Throughput on servers of other CPU capacity.
    ///
    /// `None` as [`Self::throughput`], or for a rating that is not positive and finite.
    pub fn throughput_on(
        &self,
        scenario: Scenario,
        messageboxes: u32,
        servers: u32,
        ratings: Ratings,
    ) -> Option<Prediction> {
        let law = self.law(scenario)?;
        let rated = |rating: f64| rating > 0.0 && rating.is_finite();
        if messageboxes == 0 || servers == 0 || !rated(ratings.processing) || !rated(ratings.sql) {
            return None;
        }
        let processing = law.server_docs_per_s * f64::from(servers) * ratings.processing;
        let messagebox = self.messagebox(law, messageboxes, servers);
        let sql = messagebox * law.ceiling / law.sql_share * ratings.sql;
        let (docs_per_s, binding) = [(processing, Tier::ProcessingCpu), (sql, Tier::SqlCpu)].into_iter().fold(
            (messagebox, Tier::MessageBox),
            |least, tier| {
                if tier.0 < least.0 { tier } else { least }
            },
        );
        if !(processing.is_finite() && sql.is_finite()) {
            return None;
        }
        let factor = libm::exp(self.spread);
        Some(Prediction {
            docs_per_s,
            low: docs_per_s / factor,
            high: docs_per_s * factor,
            binding,
            processing_docs_per_s: processing,
            sql_docs_per_s: sql,
            messagebox_docs_per_s: messagebox,
            processing_utilization: docs_per_s / processing * law.ceiling,
            sql_utilization: docs_per_s / sql * law.ceiling,
            two_messageboxes: messageboxes == 2,
            extrapolated: servers > self.most_servers || messageboxes > self.most_messageboxes,
        })
    }

    /// Every row predicted by a model fitted without it.
    pub fn held_out(&self) -> &[HeldOut] {
        &self.held_out
    }

    /// The scalability curve in publishing MessageBoxes, for so many processing servers.
    pub fn messagebox_curve(&self, scenario: Scenario, servers: u32) -> Option<Usl> {
        self.law(scenario).map(|law| self.curve(law, servers))
    }

    fn law(&self, scenario: Scenario) -> Option<&Law> {
        match scenario {
            Scenario::Messaging => self.messaging.as_ref(),
            Scenario::Orchestration => self.orchestration.as_ref(),
        }
    }

    fn curve(&self, law: &Law, servers: u32) -> Usl {
        Usl {
            gamma: law.messagebox_docs_per_s,
            alpha: self.contention,
            beta: self.coherency * f64::from(servers.saturating_sub(1)),
        }
    }

    fn messagebox(&self, law: &Law, messageboxes: u32, servers: u32) -> f64 {
        self.curve(law, servers).throughput(publishing(messageboxes))
    }
}

/// MessageBoxes that publish: with several, the master only routes.
fn publishing(messageboxes: u32) -> f64 {
    f64::from(messageboxes.saturating_sub(1).max(1))
}
