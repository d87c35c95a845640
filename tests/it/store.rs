//! The store by itself.

use serde_json::Value;
use uuid::Uuid;

use vmfit::domain::{ModelCatalog, scenario_from_value};
use vmfit::report::{Options, answer_for};
use vmfit::store::{DatabaseUrl, NewSizing, SizingQuery, StoreError, load_examples, open};

use crate::app::EXAMPLE;

fn new_sizing() -> NewSizing {
    let scenario: Value = serde_json::from_str(EXAMPLE).unwrap();
    let checked = scenario_from_value(scenario.clone(), ModelCatalog::built_in()).unwrap();
    NewSizing { name: checked.name.clone(), answer: answer_for(&checked, Options::SHOWN), scenario }
}

#[tokio::test]
async fn scenario_answer_and_model_version_stay_together() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&DatabaseUrl::Sqlite(folder.path().join("a.db"))).await.unwrap();
    let new = new_sizing();
    let id = store.insert_sizing(new.clone()).await.unwrap().id;
    let kept = store.sizing(id).await.unwrap();
    assert_eq!(kept.scenario, new.scenario);
    assert_eq!(kept.model_version, new.answer.model_version);
    assert_eq!(kept.answer, new.answer, "the answer comes back to the last digit");
    assert_eq!(kept.created, kept.updated);
}

#[tokio::test]
async fn what_is_not_there_is_not_found() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&DatabaseUrl::Sqlite(folder.path().join("a.db"))).await.unwrap();
    let id = Uuid::now_v7();
    assert!(matches!(store.sizing(id).await, Err(StoreError::NotFound)));
    assert!(matches!(store.update_sizing(id, new_sizing()).await, Err(StoreError::NotFound)));
    assert!(matches!(store.delete_sizing(id).await, Err(StoreError::NotFound)));
    assert!(matches!(store.restore_sizing(id).await, Err(StoreError::NotFound)));
}

#[tokio::test]
async fn examples_are_loaded_once() {
    let folder = tempfile::tempdir().unwrap();
    let store = open(&DatabaseUrl::Sqlite(folder.path().join("a.db"))).await.unwrap();
    load_examples(store.as_ref()).await.unwrap();
    let all = store.sizings(SizingQuery::default()).await.unwrap();
    for sizing in &all {
        store.delete_sizing(sizing.id).await.unwrap();
    }
    load_examples(store.as_ref()).await.unwrap();
    assert_eq!(store.count_sizings(None).await.unwrap(), 0, "deleted examples do not come back");
}

#[tokio::test]
async fn a_file_that_is_no_database_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("text.db");
    std::fs::write(
        &path,
        "this is no database, only a text that is long enough to look like a header of one".repeat(20),
    )
    .unwrap();
    assert!(matches!(open(&DatabaseUrl::Sqlite(path)).await, Err(StoreError::Other(_))));
    let nowhere = DatabaseUrl::Sqlite(folder.path().join("no/such/folder/a.db"));
    assert!(matches!(open(&nowhere).await, Err(StoreError::Other(_))));
}

/// Two programs over one file, as a command and a server are.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_programs_write_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let url = DatabaseUrl::Sqlite(folder.path().join("a.db"));
    let stores = [open(&url).await.unwrap(), open(&url).await.unwrap()];
    let mut writers = Vec::new();
    for n in 0..40 {
        let store = stores[n % 2].clone();
        writers.push(tokio::spawn(async move { store.insert_sizing(new_sizing()).await }));
    }
    for writer in writers {
        writer.await.unwrap().unwrap();
    }
    assert_eq!(stores[0].count_sizings(None).await.unwrap(), 40);
}

#[test]
fn addresses_of_databases() {
    for (text, path) in
        [("sqlite://vmfit.db", "vmfit.db"), ("sqlite:///var/lib/a.db", "/var/lib/a.db"), ("sqlite:a.db", "a.db")]
    {
        assert_eq!(text.parse(), Ok(DatabaseUrl::Sqlite(path.into())));
    }
    for text in ["", "sqlite://", "postgres://localhost/x", "vmfit.db", "sqlite://a.db?mode=ro", "sqlite::memory:"] {
        assert!(text.parse::<DatabaseUrl>().unwrap_err().contains("sqlite://"), "{text}");
    }
}
