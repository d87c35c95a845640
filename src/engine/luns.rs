//! Which volume goes on which LUN.
//!
//! A pass-through LUN is one volume of one VM, exclusively; a LUN of virtual disks is shared up to its capacity target.
//! Whether `n` units fit is a matching when only pass-through LUNs are in play, and a small packing problem otherwise. The
//! search is exact within `MOST_WORK`, which covers what a person types; beyond it the answer is what a best-fit
//! packing reaches, and [`Assignment::exact`] says so.

use crate::domain::choice::{Attach, Controller, Role};
use crate::domain::scenario::{Lun, Scenario, Volume};

use super::stop;

/// Comparisons made for one number of units before the search settles for best fit: some milliseconds.
const MOST_WORK: u32 = 1_000_000;
/// Volumes that are assigned at most.
const MOST_ITEMS: usize = 4_000;

/// One volume of one VM of one unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Item {
    /// Counted from 0.
    pub unit: u32,
    /// Index into the unit's members.
    pub member: usize,
    /// Which of the member's VMs in the unit, counted from 0.
    pub vm: u32,
    /// Index into the VM's volumes.
    pub volume: usize,
}

/// The largest number of units whose volumes all find a LUN.
#[derive(Clone, Debug, PartialEq)]
pub struct Assignment {
    pub units: u32,
    /// The LUN of each volume of those units, by index; volumes in ascending order.
    pub placed: Vec<(Item, usize)>,
    /// Volumes of one unit more that found no LUN.
    pub unplaced: Vec<Item>,
    /// Units that would fit if LUNs of virtual disks had no end of space: more than `units` when space is what stops.
    pub units_without_space_limit: u32,
    /// Whether no better assignment exists.
    pub exact: bool,
}

impl Assignment {
    /// The LUN of a volume that has one.
    pub fn lun_of(&self, item: Item) -> Option<usize> {
        let found = self.placed.binary_search_by(|(placed, _)| placed.cmp(&item)).ok()?;
        self.placed.get(found).map(|(_, lun)| *lun)
    }
}

/// Whether a volume of that role may use the controller. Emulated IDE is far too slow for data and log.
pub fn controller_serves(controller: Controller, role: Role) -> bool {
    let busy = matches!(role, Role::Data | Role::Log | Role::TempdbData | Role::TempdbLog);
    !(busy && controller == Controller::EmulatedIde)
}

/// Assigns as many units as there is room for.
pub fn assign(scenario: &Scenario, luns: &[Lun]) -> Assignment {
    let packing = Packing::new(scenario, luns, scenario.policy.capacity_target);
    let (units, exact) = packing.most_units();
    let unlimited = Packing::new(scenario, luns, f64::INFINITY);
    let units_without_space_limit = unlimited.most_units().0.max(units);
    let placed = packing.place(units).0.unwrap_or_default();
    let next = packing.items(units + 1);
    let (_, best) = packing.best_fit(&next);
    let unplaced = next.iter().zip(best).filter(|(_, lun)| lun.is_none()).map(|(item, _)| *item).collect();
    Assignment { units, placed, unplaced, units_without_space_limit, exact }
}

struct Packing<'a> {
    scenario: &'a Scenario,
    luns: &'a [Lun],
    /// GiB that may be filled, by LUN.
    room: Vec<f64>,
    /// By member and volume: the LUNs that would do, exclusive ones first, small ones first.
    candidates: Vec<Vec<Vec<usize>>>,
    /// What demand for capacity is multiplied by.
    growth: f64,
}

impl<'a> Packing<'a> {
    fn new(scenario: &'a Scenario, luns: &'a [Lun], target: f64) -> Self {
        let growth = scenario.policy.growth();
        let room: Vec<f64> = luns
            .iter()
            .map(|lun| match lun.attach {
                Attach::PassThrough => lun.size_gib,
                Attach::FixedVhd | Attach::DynamicVhd => lun.size_gib * target,
            })
            .collect();
        let of = |volume: &Volume| {
            let size = volume.size_gib * growth;
            let mut found: Vec<usize> =
                (0..luns.len()).filter(|&l| takes(&luns[l], volume) && fits(size, room[l])).collect();
            found.sort_by(|&a, &b| {
                let key = |l: usize| luns[l].attach != Attach::PassThrough;
                key(a).cmp(&key(b)).then(room[a].total_cmp(&room[b])).then(a.cmp(&b))
            });
            found
        };
        let candidates = scenario.unit.iter().map(|member| member.vm.volumes.iter().map(of).collect()).collect();
        Self { scenario, luns, room, candidates, growth }
    }

    /// All volumes of `units` units, in order.
    fn items(&self, units: u32) -> Vec<Item> {
        let mut items = Vec::new();
        for unit in 0..units {
            for (member, wanted) in self.scenario.unit.iter().enumerate() {
                for vm in 0..wanted.count {
                    items.extend((0..wanted.vm.volumes.len()).map(|volume| Item { unit, member, vm, volume }));
                }
            }
        }
        items
    }

    fn size(&self, item: &Item) -> f64 {
        self.scenario.unit[item.member].vm.volumes[item.volume].size_gib * self.growth
    }

    fn candidates(&self, item: &Item) -> &[usize] {
        &self.candidates[item.member][item.volume]
    }

    /// An upper bound that needs no search: LUNs, space and volumes counted.
    fn bound(&self) -> u32 {
        let one = self.items(1);
        if one.is_empty() {
            return u32::MAX;
        }
        let exclusive = self.luns.iter().filter(|lun| lun.attach == Attach::PassThrough).count();
        let shared = exclusive < self.luns.len();
        let size: f64 = one.iter().map(|item| self.size(item)).sum();
        let room: f64 = self.room.iter().sum();
        let by_space = (room / size * (1.0 + 1e-12)).floor();
        let by_count = if shared { f64::INFINITY } else { (exclusive / one.len()) as f64 };
        by_space.min(by_count).min((MOST_ITEMS / one.len()).max(1) as f64) as u32
    }

    /// The largest number of units that fit, and whether that is proven.
    fn most_units(&self) -> (u32, bool) {
        let bound = self.bound();
        if bound == u32::MAX {
            return (u32::MAX, true);
        }
        // Room for n units is room for n − 1: bisection between a number that fits and one that does not.
        let (mut fits, mut fails, mut exact) = (0, bound + 1, true);
        while fails - fits > 1 {
            // From below in doubling steps, since few units are the rule and many are dear to try.
            let middle = if fits == 0 { 1 } else { (fits * 2).min(fits + (fails - fits) / 2).max(fits + 1) };
            match self.place(middle) {
                (Some(_), _) => fits = middle,
                (None, proven) => {
                    fails = middle;
                    exact = proven;
                }
            }
        }
        (fits, exact)
    }

    /// A LUN for each volume of that many units; and if there is none, whether that is proven.
    fn place(&self, units: u32) -> (Option<Vec<(Item, usize)>>, bool) {
        stop::point();
        let items = self.items(units);
        if items.iter().any(|item| self.candidates(item).is_empty()) {
            return (None, true);
        }
        if self.luns.iter().all(|lun| lun.attach == Attach::PassThrough) {
            let matched = self.matching(&items);
            return (matched.map(|luns| items.into_iter().zip(luns).collect()), true);
        }
        let (complete, best) = self.best_fit(&items);
        if complete {
            let placed = items.into_iter().zip(best).filter_map(|(item, lun)| Some((item, lun?))).collect();
            return (Some(placed), true);
        }
        self.search(items)
    }

    /// Hardest first: few candidates, then large.
    fn hardest_first(&self, items: &[Item]) -> Vec<usize> {
        let mut order: Vec<usize> = (0..items.len()).collect();
        order.sort_by(|&a, &b| {
            let few = self.candidates(&items[a]).len().cmp(&self.candidates(&items[b]).len());
            few.then(self.size(&items[b]).total_cmp(&self.size(&items[a]))).then(a.cmp(&b))
        });
        order
    }

    /// Each volume on the fullest LUN that still takes it.
    fn best_fit(&self, items: &[Item]) -> (bool, Vec<Option<usize>>) {
        let mut room = self.room.clone();
        let mut placed = vec![None; items.len()];
        for index in self.hardest_first(items) {
            stop::point();
            let size = self.size(&items[index]);
            let choice = self.candidates(&items[index]).iter().copied().filter(|&lun| fits(size, room[lun]));
            let best = choice.min_by(|&a, &b| {
                let shared = |lun: usize| self.luns[lun].attach != Attach::PassThrough;
                shared(a).cmp(&shared(b)).then(room[a].total_cmp(&room[b])).then(a.cmp(&b))
            });
            if let Some(lun) = best {
                self.fill(&mut room, lun, size);
                placed[index] = Some(lun);
            }
        }
        (placed.iter().all(Option::is_some), placed)
    }

    fn fill(&self, room: &mut [f64], lun: usize, size: f64) {
        match self.luns[lun].attach {
            // Taken whole; a negative room takes nothing, not even an empty volume.
            Attach::PassThrough => room[lun] = -1.0,
            Attach::FixedVhd | Attach::DynamicVhd => room[lun] -= size,
        }
    }

    /// Maximum matching of volumes and exclusive LUNs by augmenting paths.
    fn matching(&self, items: &[Item]) -> Option<Vec<usize>> {
        let mut holder: Vec<Option<usize>> = vec![None; self.luns.len()];
        for index in 0..items.len() {
            // Breadth first: for each LUN reached, the volume that would move there.
            let mut mover = vec![None; self.luns.len()];
            let mut queue = std::collections::VecDeque::from([index]);
            let mut free = None;
            'search: while let Some(item) = queue.pop_front() {
                for &lun in self.candidates(&items[item]) {
                    if mover[lun].is_some() {
                        continue;
                    }
                    mover[lun] = Some(item);
                    match holder[lun] {
                        None => {
                            free = Some(lun);
                            break 'search;
                        }
                        Some(other) => queue.push_back(other),
                    }
                }
            }
            // Walk back from the free LUN: each mover gives up the LUN it held to the one before it.
            let mut lun = free?;
            while let Some(item) = mover[lun] {
                let before = holder.iter().position(|held| *held == Some(item));
                holder[lun] = Some(item);
                match before {
                    Some(held) if item != index => lun = held,
                    _ => break,
                }
            }
        }
        let lun_of = |index| holder.iter().position(|held| *held == Some(index));
        (0..items.len()).map(lun_of).collect()
    }

    /// Depth-first search with a bound on its steps; LUNs that are alike at that moment are tried once.
    fn search(&self, items: Vec<Item>) -> (Option<Vec<(Item, usize)>>, bool) {
        let order = self.hardest_first(&items);
        let mut room = self.room.clone();
        let mut chosen: Vec<usize> = Vec::with_capacity(order.len());
        // For each depth, the position in the candidates that is tried next.
        let mut next = vec![0usize; order.len() + 1];
        let mut undo: Vec<f64> = Vec::with_capacity(order.len());
        let mut work = 0;
        loop {
            let depth = chosen.len();
            if depth == order.len() {
                let mut placed: Vec<(usize, usize)> = order.iter().copied().zip(chosen).collect();
                placed.sort_unstable();
                return (Some(placed.into_iter().map(|(index, lun)| (items[index], lun)).collect()), true);
            }
            let item = &items[order[depth]];
            let (size, candidates) = (self.size(item), self.candidates(item));
            let alike = |a: usize, b: usize| {
                let (x, y) = (&self.luns[a], &self.luns[b]);
                room[a] == room[b] && x.attach == y.attach && x.holds == y.holds && x.controller == y.controller
            };
            let start = next[depth];
            stop::point();
            let choice = (start..candidates.len()).find(|&position| {
                let lun = candidates[position];
                work += 1 + position as u32;
                fits(size, room[lun]) && !candidates[..position].iter().any(|&earlier| alike(earlier, lun))
            });
            match choice {
                Some(position) => {
                    if work > MOST_WORK {
                        return (None, false);
                    }
                    let lun = candidates[position];
                    next[depth] = position + 1;
                    next[depth + 1] = 0;
                    undo.push(room[lun]);
                    self.fill(&mut room, lun, size);
                    chosen.push(lun);
                }
                None => match (chosen.pop(), undo.pop()) {
                    (Some(lun), Some(before)) => room[lun] = before,
                    _ => return (None, true),
                },
            }
        }
    }
}

/// Whether a LUN may hold the volume, space aside.
pub fn takes(lun: &Lun, volume: &Volume) -> bool {
    lun.holds.iter().any(|role| role.takes(volume.role))
        && volume.attach.is_none_or(|attach| attach == lun.attach)
        && controller_serves(lun.controller, volume.role)
}

fn fits(size: f64, room: f64) -> bool {
    room >= 0.0 && size <= room * (1.0 + 1e-12)
}
