//! One counter over time, in memory that does not grow with the series: exact values while there are few, then a
//! histogram; and a picture of at most a few hundred steps.

use hdrhistogram::Histogram;

/// What a counter measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    CpuPercent,
    HostCpuPercent,
    AvailableMib,
    CommittedBytes,
    Reads,
    Writes,
    ReadBytes,
    WriteBytes,
    ReadSeconds,
    WriteSeconds,
    Queue,
    NetworkBytes,
    BatchRequests,
}

impl Quantity {
    pub const fn name(self) -> &'static str {
        match self {
            Self::CpuPercent => "cpu_percent",
            Self::HostCpuPercent => "host_cpu_percent",
            Self::AvailableMib => "available_mib",
            Self::CommittedBytes => "committed_bytes",
            Self::Reads => "read_iops",
            Self::Writes => "write_iops",
            Self::ReadBytes => "read_bytes_per_s",
            Self::WriteBytes => "write_bytes_per_s",
            Self::ReadSeconds => "read_latency_s",
            Self::WriteSeconds => "write_latency_s",
            Self::Queue => "queue_length",
            Self::NetworkBytes => "network_bytes_per_s",
            Self::BatchRequests => "batch_requests_per_s",
        }
    }

    pub const fn unit(self) -> &'static str {
        match self {
            Self::CpuPercent | Self::HostCpuPercent => "%",
            Self::AvailableMib => "MiB",
            Self::CommittedBytes => "B",
            Self::Reads | Self::Writes | Self::BatchRequests => "1/s",
            Self::ReadBytes | Self::WriteBytes | Self::NetworkBytes => "B/s",
            Self::ReadSeconds | Self::WriteSeconds => "s",
            Self::Queue => "",
        }
    }

    /// Steps of the histogram to a unit.
    const fn steps(self) -> f64 {
        match self {
            Self::CpuPercent | Self::HostCpuPercent | Self::Queue => 1e4,
            Self::ReadSeconds | Self::WriteSeconds => 1e7,
            Self::Reads | Self::Writes | Self::BatchRequests => 1e3,
            Self::AvailableMib => 10.0,
            Self::CommittedBytes | Self::ReadBytes | Self::WriteBytes | Self::NetworkBytes => 1.0,
        }
    }
}

/// Values that are kept one by one before a histogram takes over, which is exact to 0.1 %.
const EXACT: usize = 4096;
/// Steps of the picture.
pub const STEPS: usize = 240;

/// A step of the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// Samples in it, with and without a value.
    pub samples: u64,
    pub count: u64,
    pub sum: f64,
    pub min: f64,
    pub max: f64,
}

impl Step {
    const EMPTY: Self = Self { samples: 0, count: 0, sum: 0.0, min: f64::INFINITY, max: f64::NEG_INFINITY };

    fn add(&mut self, value: Option<f64>) {
        self.samples += 1;
        if let Some(value) = value {
            self.count += 1;
            self.sum += value;
            self.min = self.min.min(value);
            self.max = self.max.max(value);
        }
    }

    fn merged(a: Self, b: Self) -> Self {
        Self {
            samples: a.samples + b.samples,
            count: a.count + b.count,
            sum: a.sum + b.sum,
            min: a.min.min(b.min),
            max: a.max.max(b.max),
        }
    }
}

/// A counter's values.
#[derive(Debug)]
pub struct Series {
    pub quantity: Quantity,
    exact: Vec<f64>,
    histogram: Option<Histogram<u32>>,
    pub count: u64,
    pub sum: f64,
    pub min: f64,
    pub max: f64,
    pub last: Option<f64>,
    pub blank: u64,
    pub negative: u64,
    pub steps: Vec<Step>,
    /// Samples that a whole step holds.
    per_step: u64,
}

impl Series {
    pub fn new(quantity: Quantity) -> Self {
        Self {
            quantity,
            exact: Vec::new(),
            histogram: None,
            count: 0,
            sum: 0.0,
            min: f64::INFINITY,
            max: f64::NEG_INFINITY,
            last: None,
            blank: 0,
            negative: 0,
            steps: Vec::new(),
            per_step: 1,
        }
    }

    /// Adds a sample; `None` for a blank one. A negative value is no value.
    pub fn add(&mut self, value: Option<f64>) {
        let value = match value {
            Some(value) if value < 0.0 => {
                self.negative += 1;
                None
            }
            Some(value) => Some(value),
            None => {
                self.blank += 1;
                None
            }
        };
        self.picture(value);
        let Some(value) = value else { return };
        self.count += 1;
        self.sum += value;
        self.min = self.min.min(value);
        self.max = self.max.max(value);
        self.last = Some(value);
        if let Some(histogram) = &mut self.histogram {
            histogram.saturating_record(step_of(value, self.quantity));
        } else if self.exact.len() < EXACT {
            self.exact.push(value);
        } else {
            self.coarsen(value);
        }
    }

    fn coarsen(&mut self, value: f64) {
        // Three digits are within what the crate takes.
        let Ok(mut histogram) = Histogram::<u32>::new_with_bounds(1, 1 << 50, 3) else { return };
        for kept in std::mem::take(&mut self.exact).into_iter().chain([value]) {
            histogram.saturating_record(step_of(kept, self.quantity));
        }
        self.histogram = Some(histogram);
    }

    fn picture(&mut self, value: Option<f64>) {
        if let Some(step) = self.steps.last_mut().filter(|step| step.samples < self.per_step) {
            step.add(value);
            return;
        }
        if self.steps.len() == STEPS {
            self.steps = self.steps.chunks(2).map(|two| two.iter().copied().fold(Step::EMPTY, Step::merged)).collect();
            self.per_step *= 2;
        }
        let mut step = Step::EMPTY;
        step.add(value);
        self.steps.push(step);
    }

    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }

    /// The smallest value that so many per cent of the samples do not exceed (nearest rank).
    pub fn percentile(&self, percent: f64) -> Option<f64> {
        if let Some(histogram) = &self.histogram {
            return Some(histogram.value_at_quantile(percent / 100.0) as f64 / self.quantity.steps())
                .map(|v| v.min(self.max));
        }
        let mut sorted = self.exact.clone();
        sorted.sort_by(f64::total_cmp);
        let rank = (percent / 100.0 * sorted.len() as f64).ceil().max(1.0) as usize;
        sorted.get(rank - 1).copied()
    }
}

fn step_of(value: f64, quantity: Quantity) -> u64 {
    // Half a step up and cut: values are not negative. A float beyond the range becomes the nearest whole number in it.
    (value * quantity.steps() + 0.5) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_exact_then_near() {
        let mut series = Series::new(Quantity::Reads);
        (1..=1000).for_each(|value| series.add(Some(f64::from(value))));
        assert_eq!(series.percentile(95.0), Some(950.0));
        (1001..=100_000).for_each(|value| series.add(Some(f64::from(value))));
        let found = series.percentile(95.0).expect("values");
        assert!((found / 95_000.0 - 1.0).abs() < 2e-3, "{found}");
        assert!(series.steps.len() <= STEPS && series.steps.iter().map(|step| step.count).sum::<u64>() == 100_000);
        assert!(series.exact.is_empty());
    }

    #[test]
    fn blank_and_negative_are_counted_apart() {
        let mut series = Series::new(Quantity::CpuPercent);
        [None, Some(-1.0), Some(50.0)].into_iter().for_each(|value| series.add(value));
        assert_eq!((series.blank, series.negative, series.count), (1, 1, 1));
        assert_eq!(series.percentile(95.0), Some(50.0));
        assert_eq!(Series::new(Quantity::Reads).percentile(95.0), None);
    }
}
