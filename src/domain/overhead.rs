//! What a hypervisor costs: a model is a list of coefficients, each a range with its source, and the hypervisor's limits.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use validator::Validate;

use super::choice::{Attach, CoefficientName};
use super::problem::{Problem, ProblemKind};
use super::range::Range;

/// A checked overhead model.
#[derive(Clone, Debug, PartialEq)]
pub struct OverheadModel {
    /// Lower-case letters, digits, points and dashes.
    pub id: String,
    /// For people.
    pub name: String,
    /// What was measured, on what, and what the model should not be used for.
    pub about: String,
    pub coefficients: Vec<Coefficient>,
    pub limits: Limits,
}

/// One coefficient of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Coefficient {
    pub name: CoefficientName,
    /// The way of attaching disks that it holds for; `None` for all of them.
    pub attach: Option<Attach>,
    pub range: Range,
    /// Document, table or page.
    pub source: Arc<str>,
    /// How the figure was made from what the source prints.
    pub derivation: Option<String>,
}

/// What the hypervisor allows at most; `None` where it sets no limit that matters.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// vCPUs of one VM.
    #[validate(range(min = 1, max = 4096))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_vcpus_per_vm: Option<u32>,
    /// Memory of one VM, GiB.
    #[validate(range(min = 1.0, max = 1_048_576.0))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_memory_gib_per_vm: Option<f64>,
    /// Running VMs on one host.
    #[validate(range(min = 1, max = 100_000))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_vms_per_host: Option<u32>,
    /// vCPUs on one host for each of its threads.
    #[validate(range(min = 1.0, max = 1000.0))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_vcpus_per_thread: Option<f64>,
    /// Where the limits are written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

impl OverheadModel {
    /// The coefficient for a way of attaching: its own, else the one for all ways, else the one for pass-through disks
    /// (a model that was measured on one kind of disk is the best there is for the others).
    pub fn coefficient(&self, name: CoefficientName, attach: Attach) -> Option<&Coefficient> {
        let of = |wanted: Option<Attach>| self.coefficients.iter().find(|c| c.name == name && c.attach == wanted);
        let same_file = (attach == Attach::DynamicVhd).then_some(Some(Attach::FixedVhd)).and_then(of);
        of(Some(attach)).or_else(|| of(None)).or(same_file).or_else(|| of(Some(Attach::PassThrough)))
    }

    /// The range of a coefficient; zero where the model has none.
    pub fn range(&self, name: CoefficientName, attach: Attach) -> Range {
        self.coefficient(name, attach).map_or(Range::exact(0.0), |c| c.range)
    }
}

/// An overhead model as it is sent or stored.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
#[schema(as = OverheadModel)]
pub struct ModelInput {
    /// Lower-case letters, digits, points and dashes.
    #[schema(value_type = String, required)]
    #[validate(required)]
    pub id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    #[validate(required, length(max = 100), nested)]
    #[schema(required, nullable = false)]
    pub coefficients: Option<Vec<CoefficientInput>>,
    #[validate(nested)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limits: Option<Limits>,
}

/// A coefficient as it is sent: `likely` alone is a known value; without `likely` it is the midpoint.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
#[schema(as = Coefficient)]
pub struct CoefficientInput {
    #[schema(value_type = CoefficientName, required)]
    #[validate(required)]
    pub name: Option<CoefficientName>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attach: Option<Attach>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub low: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub likely: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub high: Option<f64>,
    #[schema(value_type = String, required)]
    #[validate(required)]
    pub source: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub derivation: Option<String>,
}

impl CoefficientInput {
    /// The range, `None` when nothing is given or the three are out of order.
    fn range(&self) -> Option<Range> {
        match (self.low, self.likely, self.high) {
            (Some(low), Some(likely), Some(high)) => Range::new(low, likely, high),
            (Some(low), None, Some(high)) => Range::new(low, (low + high) / 2.0, high),
            (None, Some(likely), None) => Range::new(likely, likely, likely),
            _ => None,
        }
    }
}

impl ModelInput {
    /// Checks what the field rules cannot; problems are added with pointers below `base`.
    pub fn check(&self, base: &str, problems: &mut Vec<Problem>) -> Option<OverheadModel> {
        let before = problems.len();
        let id = self.id.clone().unwrap_or_default();
        let id_is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '.');
        if self.id.is_some() && (id.is_empty() || id.len() > 64 || !id.chars().all(id_is_plain)) {
            problems.push(Problem::new(format!("{base}/id"), Some(id.clone()), ProblemKind::NotAnId));
        }
        let mut coefficients: Vec<Coefficient> = Vec::new();
        for (index, input) in self.coefficients.iter().flatten().enumerate() {
            let pointer = format!("{base}/coefficients/{index}");
            let (Some(name), Some(source)) = (input.name, input.source.as_deref().map(Arc::from)) else { continue };
            let Some(range) = input.range() else {
                problems.push(Problem::new(pointer, Some(name.as_str().to_owned()), ProblemKind::NotARange));
                continue;
            };
            let (min, max) = name.allowed();
            if range.low() < min || range.high() > max {
                let value = Some(format!("{} to {}", range.low(), range.high()));
                let kind = ProblemKind::OutOfRange { min: Some(min), max: Some(max) };
                problems.push(Problem::new(pointer, value, kind));
                continue;
            }
            if coefficients.iter().any(|c| c.name == name && c.attach == input.attach) {
                problems.push(Problem::new(pointer, Some(name.as_str().to_owned()), ProblemKind::Duplicate));
                continue;
            }
            let derivation = input.derivation.clone();
            coefficients.push(Coefficient { name, attach: input.attach, range, source, derivation });
        }
        (problems.len() == before).then(|| OverheadModel {
            name: self.name.clone().unwrap_or_else(|| id.clone()),
            about: self.about.clone().unwrap_or_default(),
            limits: self.limits.clone().unwrap_or_default(),
            id,
            coefficients,
        })
    }
}

impl From<&OverheadModel> for ModelInput {
    fn from(model: &OverheadModel) -> Self {
        let coefficient = |c: &Coefficient| CoefficientInput {
            name: Some(c.name),
            attach: c.attach,
            low: Some(c.range.low()),
            likely: Some(c.range.likely()),
            high: Some(c.range.high()),
            source: Some(c.source.to_string()),
            derivation: c.derivation.clone(),
        };
        Self {
            id: Some(model.id.clone()),
            name: Some(model.name.clone()),
            about: Some(model.about.clone()),
            coefficients: Some(model.coefficients.iter().map(coefficient).collect()),
            limits: Some(model.limits.clone()),
        }
    }
}
