//! The overhead models that are at hand: the built-in ones, and those that users added.

use std::sync::{Arc, LazyLock};

use super::overhead::OverheadModel;

/// Models by id, in the order in which they are offered.
#[derive(Clone, Debug, Default)]
pub struct ModelCatalog {
    models: Vec<Arc<OverheadModel>>,
}

/// The files of the built-in models, in the order in which they are offered.
const FILES: [&str; 6] = [
    include_str!("../../fixtures/overhead-models/none.json"),
    include_str!("../../fixtures/overhead-models/hyperv-2008-biztalk.json"),
    include_str!("../../fixtures/overhead-models/hyperv-2008-sql.json"),
    include_str!("../../fixtures/overhead-models/hyperv-2008-biztalk-scenario.json"),
    include_str!("../../fixtures/overhead-models/xen-3.0-vmx.json"),
    include_str!("../../fixtures/overhead-models/vmware-vsan-hybrid.json"),
];

static BUILT_IN: LazyLock<ModelCatalog> = LazyLock::new(|| ModelCatalog {
    // A file that does not parse is left out here; a test names it.
    models: FILES.iter().filter_map(|text| super::parse_model(text.as_bytes()).ok()).map(Arc::new).collect(),
});

impl ModelCatalog {
    /// The models that come with the program.
    pub fn built_in() -> &'static Self {
        &BUILT_IN
    }

    /// The built-in models and these behind them. A built-in model cannot be replaced: old answers name it.
    pub fn with(added: impl IntoIterator<Item = OverheadModel>) -> Self {
        let mut catalog = Self::built_in().clone();
        for model in added {
            match catalog.models.iter().position(|known| known.id == model.id) {
                Some(index) if index < BUILT_IN.models.len() => {}
                Some(index) => catalog.models[index] = Arc::new(model),
                None => catalog.models.push(Arc::new(model)),
            }
        }
        catalog
    }

    pub fn get(&self, id: &str) -> Option<Arc<OverheadModel>> {
        self.models.iter().find(|model| model.id == id).cloned()
    }

    pub fn is_built_in(&self, id: &str) -> bool {
        BUILT_IN.models.iter().any(|model| model.id == id)
    }

    pub fn iter(&self) -> impl Iterator<Item = &Arc<OverheadModel>> {
        self.models.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_model_parses() {
        for text in FILES {
            if let Err(refused) = super::super::parse_model(text.as_bytes()) {
                panic!("{refused:?} in {text}");
            }
        }
        assert_eq!(ModelCatalog::built_in().iter().count(), FILES.len());
    }
}
