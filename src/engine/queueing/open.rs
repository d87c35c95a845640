//! Open multi-class networks: arrivals come whatever the response time.

use super::erlang::erlang_c;
use super::network::{NetworkError, Solution, Station, StationKind, check_stations, in_range};

/// Solves an open network for `arrival_rate` transactions per second of each class.
///
/// Separable network (BCMP 1975; Lazowska et al. 1984, §7.3): `R = D/(1 − U)` at one server,
/// `R = D(1 + C/(m − a))` at `m` servers with `a` Erlangs offered, `R = D` at a delay.
///
/// # Errors
/// Shape and range as for a closed network; [`NetworkError::Unstable`] names the first station
/// that is asked for all it has or more.
pub fn solve(mut stations: Vec<Station>, arrival_rate: &[f64]) -> Result<Solution, NetworkError> {
    check_stations(&mut stations, arrival_rate.len())?;
    for (class, &rate) in arrival_rate.iter().enumerate() {
        in_range(class, rate)?;
    }
    let mut stretch = Vec::with_capacity(stations.len());
    for (index, station) in stations.iter().enumerate() {
        let offered: f64 = arrival_rate.iter().zip(&station.demand_s).map(|(rate, demand)| rate * demand).sum();
        let unstable = |servers: f64| NetworkError::Unstable { station: index, utilization: offered / servers };
        stretch.push(match station.kind {
            StationKind::Delay => 1.0,
            StationKind::Queueing if offered < 1.0 => 1.0 / (1.0 - offered),
            StationKind::Queueing => return Err(unstable(1.0)),
            StationKind::MultiServer(servers) => {
                let count = f64::from(servers);
                let waits = erlang_c(offered, servers).ok_or_else(|| unstable(count))?;
                1.0 + waits / (count - offered)
            }
        });
    }
    let residence = |class: usize| -> Vec<f64> {
        if arrival_rate[class] == 0.0 {
            return vec![0.0; stations.len()];
        }
        stations.iter().zip(&stretch).map(|(s, factor)| s.demand_s[class] * factor).collect()
    };
    let rows = (0..arrival_rate.len()).map(residence).collect();
    Ok(Solution::from_residence(&stations, arrival_rate.to_vec(), rows))
}
