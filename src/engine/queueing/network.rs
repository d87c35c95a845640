//! Networks of stations: what every multi-station law takes and answers.

use std::error::Error;
use std::fmt;

use super::erlang::MAX_SERVERS;

/// Longest demand or think time accepted, seconds (30,000 years): keeps every product finite.
pub const MAX_SECONDS: f64 = 1e12;
/// Shortest cycle (demand plus think time) of a populated class, seconds.
pub const MIN_CYCLE_S: f64 = 1e-12;
/// Most customers a closed network may hold.
pub const MAX_POPULATION: u64 = 10_000_000;

/// How a station serves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StationKind {
    /// One server, processor sharing or FCFS with equal exponential service.
    Queueing,
    /// So many identical servers behind one queue.
    MultiServer(u32),
    /// No queue: every customer has a server of its own.
    Delay,
}

impl StationKind {
    /// Servers that can work at once; `None` for a delay.
    pub fn servers(self) -> Option<u32> {
        match self {
            Self::Queueing => Some(1),
            Self::MultiServer(servers) => Some(servers),
            Self::Delay => None,
        }
    }
}

/// A service center.
#[derive(Debug, Clone, PartialEq)]
pub struct Station {
    pub kind: StationKind,
    /// Service demand of one transaction of each class, seconds: visits × service time.
    pub demand_s: Vec<f64>,
}

/// A closed class: so many users that think, ask, wait and think again.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Class {
    pub population: u32,
    /// Time between an answer and the next request, seconds.
    pub think_time_s: f64,
}

/// A closed network whose numbers have been checked once.
#[derive(Debug, Clone, PartialEq)]
pub struct ClosedNetwork {
    stations: Vec<Station>,
    classes: Vec<Class>,
}

/// Why a network has no answer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum NetworkError {
    /// A station lists a demand count that differs from the number of classes.
    Shape { station: usize, demands: usize, classes: usize },
    /// A demand, think time or rate is negative, not finite or beyond [`MAX_SECONDS`].
    OutOfRange { class: usize, value: f64 },
    /// A station has no server, or more than [`MAX_SERVERS`].
    Servers { station: usize, servers: u32 },
    /// A populated class spends no time anywhere: its rate has no bound.
    NoCycle { class: usize },
    /// More customers than [`MAX_POPULATION`].
    Population { customers: u64 },
    /// The exact solution would visit more states, or do more work, than is allowed.
    TooLarge { states: f64, limit: f64 },
    /// An open station is asked for all it has or more.
    Unstable { station: usize, utilization: f64 },
    /// The fixed point did not settle within the bounded iterations.
    NotConverged { change: f64 },
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Shape { station, demands, classes } => {
                write!(f, "station {station} has {demands} demands for {classes} classes")
            }
            Self::OutOfRange { class, value } => {
                write!(f, "class {class}: {value} is not within 0 and {MAX_SECONDS:e}")
            }
            Self::Servers { station, servers } => {
                write!(f, "station {station}: {servers} servers is not within 1 and {MAX_SERVERS}")
            }
            Self::NoCycle { class } => {
                write!(f, "class {class} has customers but neither demand nor think time")
            }
            Self::Population { customers } => {
                write!(f, "{customers} customers are more than {MAX_POPULATION}")
            }
            Self::TooLarge { states, limit } => {
                write!(f, "exact solution needs {states:.0} steps, the limit is {limit:.0}")
            }
            Self::Unstable { station, utilization } => {
                write!(f, "station {station} would be {:.1} % busy", utilization * 100.0)
            }
            Self::NotConverged { change } => {
                write!(f, "the approximation still moves by {change:e} per round")
            }
        }
    }
}

impl Error for NetworkError {}

impl ClosedNetwork {
    /// Checks shape and ranges. A demand below the smallest normal number counts as zero.
    ///
    /// # Errors
    /// [`NetworkError`] names the station or class that is out of range.
    pub fn new(mut stations: Vec<Station>, classes: Vec<Class>) -> Result<Self, NetworkError> {
        check_stations(&mut stations, classes.len())?;
        let customers = classes.iter().map(|class| u64::from(class.population)).sum();
        if customers > MAX_POPULATION {
            return Err(NetworkError::Population { customers });
        }
        for (index, class) in classes.iter().enumerate() {
            in_range(index, class.think_time_s)?;
            let demand: f64 = stations.iter().map(|station| station.demand_s[index]).sum();
            if class.population > 0 && demand + class.think_time_s < MIN_CYCLE_S {
                return Err(NetworkError::NoCycle { class: index });
            }
        }
        Ok(Self { stations, classes })
    }

    /// A network made of this one's checked stations and classes.
    pub(super) fn with(&self, stations: Vec<Station>, classes: Vec<Class>) -> Self {
        Self { stations, classes }
    }

    pub fn stations(&self) -> &[Station] {
        &self.stations
    }

    pub fn classes(&self) -> &[Class] {
        &self.classes
    }

    /// Demand of a class over all stations, seconds.
    pub fn total_demand_s(&self, class: usize) -> f64 {
        self.stations.iter().map(|station| station.demand_s[class]).sum()
    }

    /// Customers of all classes.
    pub fn customers(&self) -> u64 {
        self.classes.iter().map(|class| u64::from(class.population)).sum()
    }
}

pub(super) fn check_stations(stations: &mut [Station], classes: usize) -> Result<(), NetworkError> {
    for (index, station) in stations.iter_mut().enumerate() {
        if station.demand_s.len() != classes {
            let demands = station.demand_s.len();
            return Err(NetworkError::Shape { station: index, demands, classes });
        }
        if let StationKind::MultiServer(servers) = station.kind
            && !(1..=MAX_SERVERS).contains(&servers)
        {
            return Err(NetworkError::Servers { station: index, servers });
        }
        for (class, demand) in station.demand_s.iter_mut().enumerate() {
            in_range(class, *demand)?;
            if *demand < f64::MIN_POSITIVE {
                *demand = 0.0;
            }
        }
    }
    Ok(())
}

pub(super) fn in_range(class: usize, value: f64) -> Result<(), NetworkError> {
    if (0.0..=MAX_SECONDS).contains(&value) { Ok(()) } else { Err(NetworkError::OutOfRange { class, value }) }
}

/// Means of a network in steady state. Matrices are indexed `[class][station]`; a class without
/// customers has zeros throughout.
#[derive(Debug, Clone, PartialEq)]
pub struct Solution {
    /// Transactions per second of each class.
    pub throughput: Vec<f64>,
    /// Time of a transaction in the stations, think time left out, seconds.
    pub response: Vec<f64>,
    /// Time of a transaction at each station, waiting included, seconds.
    pub residence: Vec<Vec<f64>>,
    /// Mean number of each class at each station.
    pub queue_length: Vec<Vec<f64>>,
    /// Share of the station's servers each class keeps busy; at a delay, the mean number there.
    pub utilization: Vec<Vec<f64>>,
}

impl Solution {
    /// From throughput and residence: the rest are the laws `Q = X·R`, `U = X·D/m`, `R = Σ R_k`.
    pub(super) fn from_residence(stations: &[Station], throughput: Vec<f64>, residence: Vec<Vec<f64>>) -> Self {
        let scale =
            |class: usize, row: &[f64]| -> Vec<f64> { row.iter().map(|value| throughput[class] * value).collect() };
        let queue_length = residence.iter().enumerate().map(|(c, row)| scale(c, row)).collect();
        let busy = |class: usize, station: &Station| {
            let servers = station.kind.servers().map_or(1.0, f64::from);
            throughput[class] * station.demand_s[class] / servers
        };
        let utilization =
            (0..throughput.len()).map(|class| stations.iter().map(|station| busy(class, station)).collect()).collect();
        let response = residence.iter().map(|row| row.iter().sum()).collect();
        Self { throughput, response, residence, queue_length, utilization }
    }

    /// Busy share of a station over all classes.
    pub fn station_utilization(&self, station: usize) -> f64 {
        self.utilization.iter().map(|row| row[station]).sum()
    }

    /// Mean number at a station over all classes.
    pub fn station_queue_length(&self, station: usize) -> f64 {
        self.queue_length.iter().map(|row| row[station]).sum()
    }
}
