//! A case as its file says it. The JSON Schema of `vmfit backtest --schema` is made from these types.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use validator::Validate;

use super::super::input::{ScenarioInput, plain_name, whole_number};
use super::{BizTalkWork, CaseKind, CaseSet, Io};

/// A published measurement, and what the model is given to predict it.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
#[schema(as = Case)]
pub struct CaseInput {
    /// Differs from that of every other case.
    #[validate(required, custom(function = plain_name))]
    #[schema(value_type = String, required)]
    pub id: Option<String>,
    #[validate(required)]
    #[schema(value_type = CaseKind, required)]
    pub kind: Option<CaseKind>,
    /// `training` if a coefficient was fitted on this very measurement.
    #[validate(required)]
    #[schema(value_type = CaseSet, required)]
    pub set: Option<CaseSet>,
    /// Document, table or page of the measurement.
    #[validate(required, length(min = 1, max = 1000))]
    #[schema(value_type = String, required)]
    pub source: Option<String>,
    /// Which part of which data the coefficients rest on.
    #[validate(required, length(min = 1, max = 1000))]
    #[schema(value_type = String, required)]
    pub calibrated_on: Option<String>,
    /// What a reader should know: what is assumed, what a deviation means.
    #[validate(length(min = 1, max = 2000))]
    pub note: Option<String>,
    #[validate(required, nested)]
    #[schema(required, nullable = false)]
    pub given: Option<GivenInput>,
    /// Above 0: errors are told relative to it.
    #[validate(required, range(min = 1e-9, max = 1e12))]
    #[schema(value_type = f64, required)]
    pub measured: Option<f64>,
    /// Half of the last digit that was printed, in the unit of the measurement. Default: 0.
    #[validate(range(min = 0.0, max = 1e12))]
    pub half_digit: Option<f64>,
    /// `%` for cpu_overhead, cpu_relative and disk_relative; `MiB`, `IOPS`, `ms`, `1/s`, `MB/s`, `units`, `×` (of one
    /// VM); `docs/s` for biztalk, or `%` of the group it is relative to.
    #[validate(required)]
    #[schema(value_type = String, required)]
    pub unit: Option<String>,
    #[validate(required, nested)]
    #[schema(required, nullable = false)]
    pub tolerance: Option<ToleranceInput>,
}

/// How far the prediction may be off: `percent` of the measurement, or `absolute` in its unit.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
#[schema(as = Tolerance)]
pub struct ToleranceInput {
    #[validate(range(min = 0.0, max = 1000.0))]
    pub percent: Option<f64>,
    #[validate(range(min = 0.0, max = 1e12))]
    pub absolute: Option<f64>,
    /// Prediction and measurement must lie on the same side of this, in the unit of the measurement.
    #[validate(range(min = -1e12, max = 1e12))]
    pub same_side_of: Option<f64>,
    /// Why it is not narrower.
    #[validate(length(min = 1, max = 1000))]
    pub why: Option<String>,
}

/// What the model is given. Every kind but two takes a `scenario`; `consolidation` takes one or `scaling`, `biztalk` takes
/// `biztalk`.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
#[schema(as = Given)]
pub struct GivenInput {
    /// The request of `vmfit size`.
    #[validate(nested)]
    pub scenario: Option<ScenarioInput>,
    /// Units on the hosts. Default: 1.
    #[validate(range(min = 1.0, max = 100_000.0), custom(function = whole_number))]
    #[schema(value_type = Option<u32>)]
    pub units: Option<f64>,
    /// For `consolidation`: the number of units that the rate is relative to. Default: 1.
    #[validate(range(min = 1.0, max = 100_000.0), custom(function = whole_number))]
    #[schema(value_type = Option<u32>)]
    pub relative_to: Option<f64>,
    /// Which VM of the unit, counted from 0. Default: 0.
    #[validate(range(min = 0.0, max = 15.0), custom(function = whole_number))]
    #[schema(value_type = Option<u32>)]
    pub vm: Option<f64>,
    /// Which volume of that VM, counted from 0. Default: 0.
    #[validate(range(min = 0.0, max = 63.0), custom(function = whole_number))]
    #[schema(value_type = Option<u32>)]
    pub volume: Option<f64>,
    /// Which I/O of that volume. Default: all.
    pub io: Option<Io>,
    /// CPU coefficients fitted on these measurements take the place of the overhead model's own.
    #[validate(nested)]
    pub fit: Option<FitInput>,
    #[validate(nested)]
    pub scaling: Option<ScalingInput>,
    #[validate(nested)]
    pub biztalk: Option<BizTalkInput>,
}

/// Measurements to fit CPU coefficients on: `loads`, which give a fixed cost and a loss, or `pairs`, which give the loss.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
#[schema(as = Fit)]
pub struct FitInput {
    #[validate(length(min = 1, max = 5), nested)]
    pub loads: Option<Vec<LoadPointInput>>,
    /// Half of the last printed digit of rate, native and guest rate for each CPU %. Default: 0.
    #[validate(length(min = 3, max = 3))]
    pub half_digits: Option<Vec<f64>>,
    /// Logical processors that the CPU % are of. Default: 4.
    #[validate(range(min = 1.0, max = 4096.0))]
    pub processors: Option<f64>,
    /// vCPUs of the guest. Default: 4.
    #[validate(range(min = 1.0, max = 512.0))]
    pub vcpus: Option<f64>,
    #[validate(length(min = 1, max = 1000), nested)]
    pub pairs: Option<Vec<PairInput>>,
}

/// One load of a native machine and a guest.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
#[schema(as = LoadPoint)]
pub struct LoadPointInput {
    /// Rate of the guest.
    #[validate(required, range(min = 1e-6, max = 1e9))]
    #[schema(value_type = f64, required)]
    pub per_s: Option<f64>,
    #[validate(required, range(min = 1e-6, max = 1e9))]
    #[schema(value_type = f64, required)]
    pub native_per_cpu_percent: Option<f64>,
    #[validate(required, range(min = 1e-6, max = 1e9))]
    #[schema(value_type = f64, required)]
    pub guest_per_cpu_percent: Option<f64>,
}

/// The rate of one run natively and in a guest.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
#[schema(as = Pair)]
pub struct PairInput {
    #[validate(required, range(min = 1e-6, max = 1e12))]
    #[schema(value_type = f64, required)]
    pub native: Option<f64>,
    #[validate(required, range(min = 1e-6, max = 1e12))]
    #[schema(value_type = f64, required)]
    pub guest: Option<f64>,
}

/// Throughput at some sizes, to predict that at another by the Universal Scalability Law.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
#[schema(as = Scaling)]
pub struct ScalingInput {
    /// At least three sizes.
    #[validate(required, length(min = 3, max = 1000), nested)]
    #[schema(required, nullable = false)]
    pub points: Option<Vec<ScalePointInput>>,
    /// The size to predict, in units of the smallest.
    #[validate(required, range(min = 0.001, max = 1e6))]
    #[schema(value_type = f64, required)]
    pub at: Option<f64>,
}

/// Throughput of so many VMs.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
#[schema(as = ScalePoint)]
pub struct ScalePointInput {
    #[validate(required, range(min = 0.001, max = 1e6))]
    #[schema(value_type = f64, required)]
    pub vms: Option<f64>,
    #[validate(required, range(min = 1e-6, max = 1e12))]
    #[schema(value_type = f64, required)]
    pub throughput: Option<f64>,
}

/// A BizTalk group.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
#[schema(as = BizTalkGroup)]
pub struct BizTalkInput {
    #[validate(required)]
    #[schema(value_type = BizTalkWork, required)]
    pub work: Option<BizTalkWork>,
    #[validate(required, range(min = 1.0, max = 100.0), custom(function = whole_number))]
    #[schema(value_type = u32, required)]
    pub messageboxes: Option<f64>,
    #[validate(required, range(min = 1.0, max = 100.0), custom(function = whole_number))]
    #[schema(value_type = u32, required)]
    pub servers: Option<f64>,
    /// The group that the rate is relative to; the unit is then `%`.
    #[validate(range(min = 1.0, max = 100.0), custom(function = whole_number))]
    #[schema(value_type = Option<u32>)]
    pub relative_to_messageboxes: Option<f64>,
    #[validate(range(min = 1.0, max = 100.0), custom(function = whole_number))]
    #[schema(value_type = Option<u32>)]
    pub relative_to_servers: Option<f64>,
    /// CPU of a processing server relative to that of the published table. Default: 1.
    #[validate(range(min = 0.01, max = 100.0))]
    pub processing_rating: Option<f64>,
    /// CPU of a SQL server relative to that of the published table. Default: 1.
    #[validate(range(min = 0.01, max = 100.0))]
    pub sql_rating: Option<f64>,
    /// True: the law is fitted on the published table without the rows of this group, and of the one it is relative to.
    pub leave_out: Option<bool>,
    /// The law is fitted on these rows instead of the published table.
    #[validate(length(min = 1, max = 1000), nested)]
    pub rows: Option<Vec<BizTalkRowInput>>,
}

/// One measured run of a BizTalk group.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
#[schema(as = BizTalkRow)]
pub struct BizTalkRowInput {
    #[validate(required)]
    #[schema(value_type = BizTalkWork, required)]
    pub work: Option<BizTalkWork>,
    #[validate(required, range(min = 1.0, max = 100.0), custom(function = whole_number))]
    #[schema(value_type = u32, required)]
    pub messageboxes: Option<f64>,
    #[validate(required, range(min = 1.0, max = 100.0), custom(function = whole_number))]
    #[schema(value_type = u32, required)]
    pub servers: Option<f64>,
    #[validate(required, range(min = 1e-6, max = 1e9))]
    #[schema(value_type = f64, required)]
    pub docs_per_s: Option<f64>,
    #[validate(required, range(min = 0.01, max = 100.0))]
    #[schema(value_type = f64, required)]
    pub processing_cpu_percent: Option<f64>,
    #[validate(required, range(min = 0.01, max = 100.0))]
    #[schema(value_type = f64, required)]
    pub sql_cpu_percent: Option<f64>,
}
