//! The arithmetic of a number, as data: a sum of products whose every factor has a name, a unit and a source.

use std::sync::Arc;

/// Where a figure comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// The user gave it.
    Input,
    /// A rule of thumb, or a definition, with its citation.
    Rule(&'static str),
    /// A coefficient of the overhead model, with its citation.
    Model(Arc<str>),
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
    pub source: Source,
}

impl Factor {
    pub fn input(name: &'static str, value: f64, unit: &'static str) -> Self {
        Self { name, value, unit, divides: false, source: Source::Input }
    }

    pub fn rule(name: &'static str, value: f64, unit: &'static str, source: &'static str) -> Self {
        Self { name, value, unit, divides: false, source: Source::Rule(source) }
    }

    pub fn model(name: &'static str, value: f64, unit: &'static str, source: &Arc<str>) -> Self {
        Self { name, value, unit, divides: false, source: Source::Model(source.clone()) }
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
        self.0.iter().fold(1.0, |product, f| if f.divides { product / f.value } else { product * f.value })
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
