//! A curve of IOPS and latency to a measured pool: service time, parallelism and saturation of an M/M/c queue, the law
//! that predicts pools without a measurement.

use serde::Serialize;
use utoipa::ToSchema;

use crate::engine::queueing::erlang;

/// What a device showed at one load.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurvePoint {
    pub iops: f64,
    pub latency_ms: f64,
    /// I/Os under way; `None` where it was not told.
    pub outstanding: Option<f64>,
    pub read_percent: Option<f64>,
    pub io_kib: Option<f64>,
}

/// A device as a queue.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct DeviceFit {
    /// Time of one I/O that waits for nothing, ms.
    pub service_ms: f64,
    /// I/Os that are served at the same time.
    pub parallelism: u32,
    /// Rate that it cannot reach: parallelism / service time.
    pub saturation_iops: f64,
    /// Latency that the queue gives at each point.
    pub fitted_ms: Vec<f64>,
    /// Largest difference between fitted and measured latency, relative.
    pub worst_error: f64,
    /// Root mean square of the relative differences.
    pub typical_error: f64,
    /// Whether the least load was so high that the service time is a guess from above.
    pub no_light_load: bool,
}

/// Most servers that are tried: NVMe devices serve a few hundred I/Os at a time.
const MOST_SERVERS: u32 = 1024;
/// Points that are fitted at most.
const MOST_POINTS: usize = 500;
const LIGHT_LOAD: f64 = 0.3;

/// Points with a positive rate and time, by rate.
fn usable(points: &[CurvePoint]) -> Vec<CurvePoint> {
    let good = |value: f64| value > 0.0 && value.is_finite();
    let mut kept: Vec<CurvePoint> =
        points.iter().copied().filter(|point| good(point.iops) && good(point.latency_ms)).take(MOST_POINTS).collect();
    kept.sort_by(|a, b| a.iops.total_cmp(&b.iops));
    kept
}

/// The queue nearest to the points, by least squares of relative latency.
///
/// `None` with fewer than three points of different rates: two say nothing about three properties.
pub fn fit(points: &[CurvePoint]) -> Option<DeviceFit> {
    let points = usable(points);
    let (first, last) = (points.first()?, points.last()?);
    let mut rates: Vec<f64> = points.iter().map(|point| point.iops).collect();
    rates.dedup_by(|a, b| (*a / *b - 1.0).abs() < 0.01);
    if rates.len() < 3 {
        return None;
    }
    // Steps of a quarter at first, then every number beside the best.
    let mut tried: Vec<u32> = Vec::new();
    let mut servers = 1_u32;
    while servers <= MOST_SERVERS {
        tried.push(servers);
        servers = (servers + 1).max(servers * 5 / 4);
    }
    let score = |servers: u32| {
        let service = best_service(&points, servers, last.iops);
        (error(&points, servers, service), service)
    };
    let best = |candidates: &[u32]| {
        candidates.iter().map(|&servers| (score(servers), servers)).min_by(|a, b| a.0.0.total_cmp(&b.0.0))
    };
    let (_, coarse) = best(&tried)?;
    let near: Vec<u32> =
        (coarse * 4 / 5..=coarse * 5 / 4 + 1).filter(|servers| (1..=MOST_SERVERS).contains(servers)).collect();
    let ((squares, service), parallelism) = best(&near)?;
    let fitted_ms: Vec<f64> = points.iter().map(|point| latency(point.iops, service, parallelism)).collect();
    let worst_error = points
        .iter()
        .zip(&fitted_ms)
        .map(|(point, fitted)| (fitted / point.latency_ms - 1.0).abs())
        .fold(0.0, f64::max);
    let saturation_iops = f64::from(parallelism) / service;
    Some(DeviceFit {
        service_ms: service * 1000.0,
        parallelism,
        saturation_iops,
        fitted_ms,
        worst_error,
        typical_error: (squares / points.len() as f64).sqrt(),
        no_light_load: first.iops > LIGHT_LOAD * saturation_iops && parallelism > 1,
    })
}

fn latency(iops: f64, service_s: f64, servers: u32) -> f64 {
    erlang::mmc(iops, service_s, servers).map_or(f64::INFINITY, |queue| queue.response_s * 1000.0)
}

/// Sum of squares of relative differences; a queue that cannot keep up is as wrong as can be.
fn error(points: &[CurvePoint], servers: u32, service_s: f64) -> f64 {
    let of = |point: &CurvePoint| {
        let relative = latency(point.iops, service_s, servers) / point.latency_ms - 1.0;
        (relative * relative).min(1e6)
    };
    points.iter().map(of).sum()
}

/// Golden section: the error has one minimum in the service time, because every latency rises with it.
fn best_service(points: &[CurvePoint], servers: u32, most_iops: f64) -> f64 {
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    let longest = points.iter().map(|point| point.latency_ms / 1000.0).fold(0.0, f64::max);
    let (mut low, mut high) = (0.0, (f64::from(servers) / most_iops * (1.0 - 1e-9)).min(longest));
    for _ in 0..80 {
        let (left, right) = (high - GOLDEN * (high - low), low + GOLDEN * (high - low));
        if error(points, servers, left) <= error(points, servers, right) { high = right } else { low = left }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(iops: f64, latency_ms: f64) -> CurvePoint {
        CurvePoint { iops, latency_ms, outstanding: None, read_percent: None, io_kib: None }
    }

    #[test]
    fn a_known_queue_is_found_again() {
        for (service, servers) in [(0.005, 1), (0.0055, 16), (0.0001, 64)] {
            let saturation = f64::from(servers) / service;
            let points: Vec<CurvePoint> = [0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95]
                .iter()
                .map(|share| point(share * saturation, latency(share * saturation, service, servers)))
                .collect();
            let found = fit(&points).expect("a curve");
            assert_eq!(found.parallelism, servers);
            assert!((found.service_ms / service / 1000.0 - 1.0).abs() < 1e-3, "{found:?}");
            assert!((found.saturation_iops / saturation - 1.0).abs() < 1e-3 && found.worst_error < 1e-2);
        }
    }

    #[test]
    fn too_little_is_no_curve() {
        assert!(fit(&[]).is_none());
        assert!(fit(&[point(100.0, 5.0), point(200.0, 6.0)]).is_none());
        assert!(fit(&[point(100.0, 5.0), point(100.1, 6.0), point(100.2, 7.0)]).is_none());
        assert!(fit(&[point(f64::NAN, 5.0), point(-1.0, 6.0), point(0.0, 0.0)]).is_none());
    }
}
