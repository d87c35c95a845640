//! A scenario made ready for asking "do `n` units fit": demand with growth, and the storage that it falls on.

use std::collections::HashSet;

use crate::domain::choice::{Attach, Controller, NicUse, Role};
use crate::domain::scenario::{Scenario, UnitMember, Volume};

use super::luns::{self, Assignment, Item};

/// Load of one unit on one pool, by way of attaching ([`Attach::index`]); before virtualization losses, with growth.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PoolLoad {
    /// Guest reads a second.
    pub reads: [f64; 3],
    /// Guest writes a second.
    pub writes: [f64; 3],
    /// GiB.
    pub stored: f64,
}

impl PoolLoad {
    fn add(&mut self, volume: &Volume, attach: Attach, growth: f64) {
        self.reads[attach.index()] += volume.read_iops * growth;
        self.writes[attach.index()] += volume.write_iops * growth;
        self.stored += volume.size_gib * growth;
    }

    pub fn is_idle(&self) -> bool {
        self.reads.iter().chain(&self.writes).all(|iops| *iops == 0.0)
    }

    fn scaled(&self, factor: f64) -> Self {
        Self {
            reads: self.reads.map(|iops| iops * factor),
            writes: self.writes.map(|iops| iops * factor),
            stored: self.stored * factor,
        }
    }
}

/// Where a volume of the unit lies: the pool and the way of attaching.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub pool: usize,
    pub attach: Attach,
    pub controller: Controller,
}

/// A volume of the unit and how it reaches its pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Resident {
    /// Index into the unit's members.
    pub member: usize,
    /// Index into the VM's volumes.
    pub volume: usize,
    pub attach: Attach,
}

/// How volumes and storage come together.
#[derive(Clone, Debug, PartialEq)]
pub enum Layout {
    /// No storage given.
    None,
    /// LUNs are carved as needed; every unit lies the same way. By member and volume.
    Carved(Vec<Vec<Place>>),
    /// LUNs are given.
    Assigned(Assignment),
}

/// A scenario with what follows from it alone, whatever the values of the uncertain inputs.
#[derive(Clone, Debug)]
pub struct Plan<'a> {
    pub scenario: &'a Scenario,
    /// What demand is multiplied by.
    pub growth: f64,
    pub layout: Layout,
    /// By unit member: the way of attaching whose CPU cost the VM pays, that of most of its I/O.
    pub cpu_attach: Vec<Attach>,
    /// By pool: load of units 1 to n for n = 0, 1, …; the last step repeats behind its end.
    pool_loads: Vec<Vec<PoolLoad>>,
    /// By pool: the volumes of the unit that lie on it.
    residents: Vec<Vec<Resident>>,
    /// Gb/s of one host that carry VM traffic, and backups.
    pub vm_gbps: Option<f64>,
    pub backup_gbps: Option<f64>,
}

impl<'a> Plan<'a> {
    pub fn new(scenario: &'a Scenario) -> Self {
        let layout = match &scenario.storage {
            None => Layout::None,
            Some(storage) if storage.luns.is_empty() => Layout::Carved(super::carve::carve(scenario, storage)),
            Some(storage) => Layout::Assigned(luns::assign(scenario, &storage.luns)),
        };
        Self::with_layout(scenario, layout)
    }

    /// The plan of a scenario that differs in the disks of its pools alone: given LUNs hold what they held.
    pub fn with_other_disks<'b>(&self, scenario: &'b Scenario) -> Plan<'b> {
        match &self.layout {
            Layout::Assigned(_) => Plan::with_layout(scenario, self.layout.clone()),
            Layout::None | Layout::Carved(_) => Plan::new(scenario),
        }
    }

    fn with_layout(scenario: &'a Scenario, layout: Layout) -> Self {
        super::stop::point();
        let growth = scenario.policy.growth();
        let pools = scenario.storage.as_ref().map_or(0, |storage| storage.pools.len());
        let mut plan = Self {
            scenario,
            growth,
            layout,
            cpu_attach: Vec::new(),
            pool_loads: Vec::new(),
            residents: Vec::new(),
            vm_gbps: scenario.host.gbps_for(NicUse::Vm),
            backup_gbps: scenario.host.gbps_for(NicUse::Backup),
        };
        plan.pool_loads = plan.loads_by_unit(pools);
        plan.residents = plan.residents_by_pool(pools);
        plan.cpu_attach = (0..scenario.unit.len()).map(|member| plan.attach_of(member)).collect();
        plan
    }

    /// Load of `units` units on a pool; between and behind the assigned numbers of units it follows their trend.
    pub fn pool_load(&self, pool: usize, units: f64) -> PoolLoad {
        let Some(loads) = self.pool_loads.get(pool) else { return PoolLoad::default() };
        match loads.as_slice() {
            [] => PoolLoad::default(),
            [one] => one.scaled(units),
            by_units => {
                let last = by_units.len();
                if units >= last as f64 {
                    return by_units[last - 1].scaled(units / last as f64);
                }
                let whole = units.floor();
                let before = if whole < 1.0 { PoolLoad::default() } else { by_units[whole as usize - 1].clone() };
                let after = &by_units[whole as usize];
                let part = units - whole;
                let mix = |a: f64, b: f64| a + (b - a) * part;
                PoolLoad {
                    reads: std::array::from_fn(|i| mix(before.reads[i], after.reads[i])),
                    writes: std::array::from_fn(|i| mix(before.writes[i], after.writes[i])),
                    stored: mix(before.stored, after.stored),
                }
            }
        }
    }

    /// Whether the load on the pool is the same for every unit.
    pub fn is_linear(&self, pool: usize) -> bool {
        self.pool_loads.get(pool).is_none_or(|loads| loads.len() <= 1)
    }

    /// The volumes of the unit that lie on a pool, in any of the units that find a place.
    pub fn residents(&self, pool: usize) -> &[Resident] {
        self.residents.get(pool).map_or(&[], Vec::as_slice)
    }

    /// The ways of attaching that occur, in the order of [`Attach::ALL`].
    pub fn attachments(&self) -> Vec<Attach> {
        let of_volumes = self.residents.iter().flatten().map(|resident| resident.attach);
        let used: Vec<Attach> = of_volumes.chain(self.cpu_attach.iter().copied()).collect();
        Attach::ALL.iter().copied().filter(|attach| used.contains(attach)).collect()
    }

    fn residents_by_pool(&self, pools: usize) -> Vec<Vec<Resident>> {
        let mut found: Vec<Vec<Resident>> = vec![Vec::new(); pools];
        let mut known = HashSet::new();
        let mut add = |pool: usize, resident: Resident| {
            if known.insert((pool, resident)) {
                found[pool].push(resident);
            }
        };
        match (&self.layout, &self.scenario.storage) {
            (Layout::Assigned(assignment), Some(storage)) if !assignment.placed.is_empty() => {
                for (item, lun) in &assignment.placed {
                    let lun = &storage.luns[*lun];
                    add(lun.pool, Resident { member: item.member, volume: item.volume, attach: lun.attach });
                }
            }
            _ => {
                for (member, volume, _, _) in self.volumes() {
                    let Some(place) = self.place(Item { unit: 0, member, vm: 0, volume }) else { continue };
                    add(place.pool, Resident { member, volume, attach: place.attach });
                }
            }
        }
        found
    }

    /// Where a volume lies; `None` when no storage is given or no LUN would do.
    pub fn place(&self, item: Item) -> Option<Place> {
        let storage = self.scenario.storage.as_ref()?;
        match &self.layout {
            Layout::None => None,
            Layout::Carved(places) => places.get(item.member)?.get(item.volume).copied(),
            Layout::Assigned(assignment) => {
                let lun = assignment.lun_of(item);
                // Of a unit that does not fit, the first LUN that would do tells pool and attachment.
                let volume = &self.scenario.unit[item.member].vm.volumes[item.volume];
                let lun = lun.or_else(|| storage.luns.iter().position(|lun| luns::takes(lun, volume)))?;
                let lun = &storage.luns[lun];
                Some(Place { pool: lun.pool, attach: lun.attach, controller: lun.controller })
            }
        }
    }

    /// The LUN of a volume, by index, where LUNs are given.
    pub fn lun(&self, item: Item) -> Option<usize> {
        match &self.layout {
            Layout::Assigned(assignment) => assignment.lun_of(item),
            _ => None,
        }
    }

    /// The volumes of one unit, one for each VM of it.
    pub fn volumes(&self) -> impl Iterator<Item = (usize, usize, &'a UnitMember, &'a Volume)> + '_ {
        self.scenario.unit.iter().enumerate().flat_map(|(index, member)| {
            member.vm.volumes.iter().enumerate().map(move |(number, volume)| (index, number, member, volume))
        })
    }

    fn loads_by_unit(&self, pools: usize) -> Vec<Vec<PoolLoad>> {
        let one_unit = || {
            let mut loads = vec![PoolLoad::default(); pools];
            for (member, volume_number, wanted, volume) in self.volumes() {
                let item = Item { unit: 0, member, vm: 0, volume: volume_number };
                let Some(place) = self.place(item) else { continue };
                for _ in 0..wanted.count {
                    loads[place.pool].add(volume, place.attach, self.growth);
                }
            }
            loads.into_iter().map(|load| vec![load]).collect::<Vec<_>>()
        };
        let (Layout::Assigned(assignment), Some(storage)) = (&self.layout, &self.scenario.storage) else {
            return one_unit();
        };
        let first = &storage.luns[0];
        let alike = storage.luns.iter().all(|lun| lun.pool == first.pool && lun.attach == first.attach);
        if alike || assignment.units == 0 || assignment.placed.is_empty() {
            return one_unit();
        }
        // LUNs differ, so units may lie differently: one entry for each number of units.
        let mut loads = vec![vec![PoolLoad::default(); assignment.units as usize]; pools];
        for (item, lun) in &assignment.placed {
            let lun = &storage.luns[*lun];
            let volume = &self.scenario.unit[item.member].vm.volumes[item.volume];
            loads[lun.pool][item.unit as usize].add(volume, lun.attach, self.growth);
        }
        for by_unit in &mut loads {
            for unit in 1..by_unit.len() {
                let before = by_unit[unit - 1].clone();
                let load = &mut by_unit[unit];
                for i in 0..3 {
                    load.reads[i] += before.reads[i];
                    load.writes[i] += before.writes[i];
                }
                load.stored += before.stored;
            }
        }
        loads
    }

    fn attach_of(&self, member: usize) -> Attach {
        let vm = &self.scenario.unit[member].vm;
        let mut io = [0.0; 3];
        let mut any = None;
        for (volume_number, volume) in vm.volumes.iter().enumerate() {
            let place = self.place(Item { unit: 0, member, vm: 0, volume: volume_number });
            let Some(attach) = place.map(|place| place.attach).or(volume.attach) else { continue };
            io[attach.index()] += volume.iops();
            if volume.role != Role::Os {
                any = any.or(Some(attach));
            }
        }
        let most = Attach::ALL.iter().copied().max_by(|a, b| {
            // On equal I/O the earlier one of the list.
            io[a.index()].total_cmp(&io[b.index()]).then(b.index().cmp(&a.index()))
        });
        match most {
            Some(attach) if io[attach.index()] > 0.0 => attach,
            _ => any.unwrap_or(Attach::PassThrough),
        }
    }
}
