//! What one thread, task or device queue writes down: cheap enough to stand beside an event of some ten nanoseconds.

use hdrhistogram::Histogram;

use super::clock::NANOS;
use super::result::Latency;

/// Longest time told apart, ns: an hour. Longer ones count as that in percentiles; minimum, mean and maximum are exact.
const MOST_NS: u64 = 3600 * NANOS;

/// Significant decimal digits of a percentile (Tene, HdrHistogram): 0.1 %.
const DIGITS: u8 = 3;

const NS_PER_MS: f64 = 1e6;

/// Times and counts of the events of one thread, or of several once merged.
#[derive(Clone, Debug)]
pub struct Recorder {
    histogram: Histogram<u64>,
    events: u64,
    errors: u64,
    sum_ns: u64,
    min_ns: u64,
    max_ns: u64,
    start_ns: u64,
    /// End of the second that is being counted.
    second_ends_ns: u64,
    in_second: u64,
    per_second: Vec<u64>,
}

impl Recorder {
    /// A recorder for a window that starts at this reading of the clock.
    ///
    /// # Panics
    /// Never: the bounds of the histogram are constants within its limits.
    pub fn new(start_ns: u64) -> Self {
        // Bounds and digits are constants that the histogram takes; only memory could fail.
        #[allow(clippy::expect_used, reason = "1, an hour and 3 digits are within the limits that the crate documents")]
        let histogram = Histogram::new_with_bounds(1, MOST_NS, DIGITS).expect("constant bounds");
        Self {
            histogram,
            events: 0,
            errors: 0,
            sum_ns: 0,
            min_ns: u64::MAX,
            max_ns: 0,
            start_ns,
            second_ends_ns: start_ns + NANOS,
            in_second: 0,
            per_second: Vec::new(),
        }
    }

    /// An event between two readings of the clock; it counts in the second in which it ended.
    #[inline]
    pub fn record(&mut self, begin_ns: u64, end_ns: u64) {
        if end_ns >= self.second_ends_ns {
            self.next_seconds(end_ns);
        }
        self.in_second += 1;
        self.record_ns(end_ns.saturating_sub(begin_ns));
    }

    /// A time alone, outside the series of seconds.
    #[inline]
    pub fn record_ns(&mut self, nanos: u64) {
        self.events += 1;
        self.sum_ns = self.sum_ns.saturating_add(nanos);
        self.min_ns = self.min_ns.min(nanos);
        self.max_ns = self.max_ns.max(nanos);
        self.histogram.saturating_record(nanos);
    }

    /// An event that failed: it has no time.
    pub fn error(&mut self) {
        self.errors += 1;
    }

    #[cold]
    fn next_seconds(&mut self, now_ns: u64) {
        while now_ns >= self.second_ends_ns {
            self.per_second.push(self.in_second);
            self.in_second = 0;
            self.second_ends_ns += NANOS;
        }
    }

    /// Adds what another recorder of the same window holds.
    pub fn merge(&mut self, other: &Self) {
        // Both have the same bounds.
        let _ = self.histogram.add(&other.histogram);
        self.events += other.events;
        self.errors += other.errors;
        self.sum_ns = self.sum_ns.saturating_add(other.sum_ns);
        self.min_ns = self.min_ns.min(other.min_ns);
        self.max_ns = self.max_ns.max(other.max_ns);
        // One of the two may have closed seconds in which the other is still counting.
        let (mine, theirs) = (self.per_second.len(), other.per_second.len());
        if mine < theirs {
            self.per_second.push(self.in_second);
            self.per_second.resize(theirs, 0);
            self.in_second = 0;
            self.second_ends_ns += NANOS * (theirs - mine) as u64;
        }
        for (mine, theirs) in self.per_second.iter_mut().zip(&other.per_second) {
            *mine += theirs;
        }
        *self.per_second.get_mut(theirs).unwrap_or(&mut self.in_second) += other.in_second;
    }

    /// All of these in one; empty for none.
    pub fn merged<'a>(recorders: impl IntoIterator<Item = &'a Self>) -> Self {
        let mut recorders = recorders.into_iter().peekable();
        let mut all = Self::new(recorders.peek().map_or(0, |first| first.start_ns));
        recorders.for_each(|one| all.merge(one));
        all
    }

    pub fn events(&self) -> u64 {
        self.events
    }

    pub fn errors(&self) -> u64 {
        self.errors
    }

    /// Sum of the times, ns.
    pub fn sum_ns(&self) -> u64 {
        self.sum_ns
    }

    /// Mean time, ns; none without events.
    pub fn mean_ns(&self) -> Option<f64> {
        (self.events > 0).then(|| self.sum_ns as f64 / self.events as f64)
    }

    /// Events of each whole second of the window.
    pub fn per_second(&self, duration_ns: u64) -> Vec<u64> {
        let seconds = usize::try_from(duration_ns / NANOS).unwrap_or(usize::MAX);
        let mut series = self.per_second.clone();
        if series.len() < seconds {
            series.push(self.in_second);
            // A stall at the end of a window is seconds without events.
            series.resize(seconds.min(series.len() + MOST_IDLE_SECONDS), 0);
        }
        series.truncate(seconds);
        series
    }

    /// Times in ms; none without events. Each percentile is the highest value that counts as equal to it.
    pub fn latency(&self) -> Option<Latency> {
        let ms = |nanos: u64| nanos as f64 / NS_PER_MS;
        let at = |quantile: f64| ms(self.histogram.value_at_quantile(quantile).clamp(self.min_ns, self.max_ns));
        Some(Latency {
            min: ms((self.events > 0).then_some(self.min_ns)?),
            avg: self.mean_ns()? / NS_PER_MS,
            p50: at(0.5),
            p95: at(0.95),
            p99: at(0.99),
            p999: Some(at(0.999)),
            max: ms(self.max_ns),
        })
    }

    /// The time at or below which this share of events lies, ms.
    pub fn quantile_ms(&self, quantile: f64) -> Option<f64> {
        (self.events > 0)
            .then(|| self.histogram.value_at_quantile(quantile).clamp(self.min_ns, self.max_ns) as f64 / NS_PER_MS)
    }
}

/// Seconds without events that are written out at the end of a series.
const MOST_IDLE_SECONDS: usize = 86_400;

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

    #[test]
    fn figures_of_known_times() {
        let mut recorder = Recorder::new(0);
        for ms in 1..=1000 {
            recorder.record(0, ms * MS);
        }
        let latency = recorder.latency().unwrap();
        assert_eq!((latency.min, latency.max), (1.0, 1000.0));
        assert!((latency.avg - 500.5).abs() < 1e-9);
        for (got, wanted) in [(latency.p50, 500.0), (latency.p95, 950.0), (latency.p99, 990.0)] {
            assert!((got / wanted - 1.0).abs() < 0.002, "{got} for {wanted}");
        }
    }

    #[test]
    fn without_events_nothing_is_told() {
        assert_eq!(Recorder::new(5).latency(), None);
        assert_eq!(Recorder::new(5).mean_ns(), None);
    }

    #[test]
    fn an_event_counts_in_the_second_in_which_it_ends() {
        let mut recorder = Recorder::new(NANOS);
        recorder.record(NANOS, 2 * NANOS - 1);
        recorder.record(2 * NANOS - 1, 2 * NANOS);
        recorder.record(2 * NANOS, 4 * NANOS + 1);
        assert_eq!(recorder.per_second(4 * NANOS), [1, 1, 0, 1]);
        assert_eq!(recorder.per_second(3 * NANOS + 5), [1, 1, 0]);
    }

    #[test]
    fn merging_keeps_every_event_in_its_second() {
        let (mut early, mut late) = (Recorder::new(0), Recorder::new(0));
        early.record(0, 10);
        late.record(0, 20);
        late.record(0, NANOS + 20);
        late.error();
        for order in [[&early, &late], [&late, &early]] {
            let all = Recorder::merged(order);
            assert_eq!((all.events(), all.errors()), (3, 1));
            assert_eq!(all.per_second(2 * NANOS), [2, 1]);
            assert_eq!(all.sum_ns(), NANOS + 50);
        }
    }

    #[test]
    fn a_time_beyond_the_scale_keeps_its_exact_maximum() {
        let mut recorder = Recorder::new(0);
        recorder.record_ns(2 * MOST_NS);
        assert_eq!(recorder.latency().unwrap().max, 2.0 * MOST_NS as f64 / NS_PER_MS);
    }
}
