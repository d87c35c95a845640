//! Classes that cannot be told apart solve as one.

use crate::engine::queueing::network::{Class, ClosedNetwork, Solution, Station};

/// A network with each distinct kind of class once.
pub(super) struct Merged {
    pub(super) network: ClosedNetwork,
    /// For each class of the original, its class in `network`; `None` without customers.
    place: Vec<Option<usize>>,
}

impl Merged {
    pub(super) fn of(network: &ClosedNetwork) -> Self {
        let classes = network.classes();
        let alike = |a: usize, b: usize| {
            classes[a].think_time_s == classes[b].think_time_s
                && network.stations().iter().all(|s| s.demand_s[a] == s.demand_s[b])
        };
        let mut kept: Vec<usize> = Vec::new();
        let mut population: Vec<u32> = Vec::new();
        let mut place = Vec::with_capacity(classes.len());
        for (index, class) in classes.iter().enumerate() {
            if class.population == 0 {
                place.push(None);
                continue;
            }
            let found = kept.iter().position(|&other| alike(other, index));
            let target = found.unwrap_or_else(|| {
                kept.push(index);
                population.push(0);
                kept.len() - 1
            });
            // Fits: the network holds at most MAX_POPULATION customers.
            population[target] += class.population;
            place.push(Some(target));
        }
        let stations = network
            .stations()
            .iter()
            .map(|s| Station { kind: s.kind, demand_s: kept.iter().map(|&c| s.demand_s[c]).collect() })
            .collect();
        let merged = kept
            .iter()
            .zip(population)
            .map(|(&c, population)| Class { population, think_time_s: classes[c].think_time_s })
            .collect();
        Self { network: network.with(stations, merged), place }
    }

    /// Hands each original class its share: equal customers see equal residence times.
    pub(super) fn split(&self, original: &ClosedNetwork, solution: &Solution) -> Solution {
        let mut throughput = Vec::with_capacity(self.place.len());
        let mut residence = Vec::with_capacity(self.place.len());
        for (place, class) in self.place.iter().zip(original.classes()) {
            match *place {
                None => {
                    throughput.push(0.0);
                    residence.push(vec![0.0; original.stations().len()]);
                }
                Some(target) => {
                    let all = f64::from(self.network.classes()[target].population);
                    throughput.push(solution.throughput[target] * (f64::from(class.population) / all));
                    residence.push(solution.residence[target].clone());
                }
            }
        }
        Solution::from_residence(original.stations(), throughput, residence)
    }
}
