//! The arithmetic of a number, as data: a sum of products whose every factor has a name, a unit and a source.

use std::sync::Arc;

/// Where a figure comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// The user gave it.
    Input,
    /// The policy: the user gave it, or it is the default.
    Policy,
    /// A rule of thumb, or a definition, with its citation.
    Rule(&'static str),
    /// A coefficient of the overhead model, with its citation.
    Model(Arc<str>),
    /// A law of queueing or arithmetic, with its citation.
    Law(&'static str),
    /// Other figures, which stand elsewhere in the answer.
    Result,
}

/// One factor of a product.
#[derive(Clone, Debug, PartialEq)]
pub struct Factor {
    /// Key of the factor's name in words.
    pub name: &'static str,
    pub value: f64,
    /// Empty for a plain number.
    pub unit: &'static str,
    /// Whether it divides.
    pub divides: bool,
    /// To what power it is raised; 1 as a rule.
    pub power: f64,
    pub source: Source,
}

impl Factor {
    pub fn new(name: &'static str, value: f64, unit: &'static str, source: Source) -> Self {
        Self { name, value, unit, divides: false, power: 1.0, source }
    }

    pub fn input(name: &'static str, value: f64, unit: &'static str) -> Self {
        Self::new(name, value, unit, Source::Input)
    }

    pub fn rule(name: &'static str, value: f64, unit: &'static str, source: &'static str) -> Self {
        Self::new(name, value, unit, Source::Rule(source))
    }

    pub fn model(name: &'static str, value: f64, unit: &'static str, source: &Arc<str>) -> Self {
        Self::new(name, value, unit, Source::Model(source.clone()))
    }

    /// What follows from other figures, where those are shown elsewhere.
    pub fn result(name: &'static str, value: f64, unit: &'static str) -> Self {
        Self::new(name, value, unit, Source::Result)
    }

    /// The same factor raised to a power.
    pub fn to_the(mut self, power: f64) -> Self {
        self.power = power;
        self
    }

    /// What it contributes to its product.
    pub fn amount(&self) -> f64 {
        let raised = if self.power == 1.0 { self.value } else { libm::pow(self.value, self.power) };
        if self.divides { 1.0 / raised } else { raised }
    }

    /// The same factor below the line.
    pub fn under(mut self) -> Self {
        self.divides = true;
        self
    }
}

/// A product of factors.
#[derive(Clone, Debug, PartialEq)]
pub struct Product(pub Vec<Factor>);

impl Product {
    pub fn value(&self) -> f64 {
        self.0.iter().map(Factor::amount).product()
    }
}

/// A sum of products.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sum(pub Vec<Product>);

impl Sum {
    pub fn of(factors: Vec<Factor>) -> Self {
        Self(vec![Product(factors)])
    }

    pub fn and(mut self, factors: Vec<Factor>) -> Self {
        self.0.push(Product(factors));
        self
    }

    pub fn value(&self) -> f64 {
        self.0.iter().map(Product::value).sum()
    }
}

/// A figure and how it is made.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    pub makes: Makes,
    pub sum: Sum,
    pub total: f64,
    pub unit: &'static str,
}

/// What a statement makes.
#[derive(Clone, Debug, PartialEq)]
pub enum Makes {
    /// What the hardware has.
    Supply,
    /// What host and hypervisor take of it.
    Reserved,
    /// What one unit needs.
    PerUnit,
    /// Share of time that the disks of a pool are busy, with so many units.
    DiskBusy { units: u32 },
    /// Latency of the volume that is nearest to its limit, ms, with so many units.
    Latency { units: u32, volume: String, writes: bool },
    /// Response time of a transaction, ms, with so many units.
    Response { units: u32 },
}
