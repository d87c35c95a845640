//! The queue, with short loads of the processor.

use std::time::Duration;

use super::*;
use crate::bench::result::Ended;
use crate::domain::parse_run;
use crate::store::{DatabaseUrl, StoreError, open};

fn run(json: &str) -> Run {
    parse_run(json.as_bytes()).unwrap()
}

/// A load that ends when it is told to.
fn long() -> Run {
    run(r#"{"mode":"cpu","time_s":600,"warmup_s":0}"#)
}

async fn queue(folder: &tempfile::TempDir) -> (Arc<Runs>, Arc<dyn Store>) {
    let store = open(&DatabaseUrl::Sqlite(folder.path().join("test.db"))).await.unwrap();
    (Arc::new(Runs::new(folder.path().to_owned(), store.clone()).unwrap()), store)
}

async fn until(job: &Job, reached: impl Fn(&Told) -> bool) -> Told {
    let mut watch = job.watch();
    let told = tokio::time::timeout(Duration::from_secs(60), watch.wait_for(|told| reached(told))).await;
    told.expect("in a minute").unwrap().clone()
}

async fn stop(runs: Arc<Runs>) {
    tokio::task::spawn_blocking(move || runs.stop()).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn one_at_a_time_in_their_order() {
    let folder = tempfile::tempdir().unwrap();
    let (runs, store) = queue(&folder).await;
    let first = runs.start(long()).unwrap();
    until(&first, |told| told.state == State::Running && !told.events_each_second.is_empty()).await;
    let short = || run(r#"{"mode":"cpu","time_s":0.2,"warmup_s":0,"cpu_max_prime":100}"#);
    let (second, third) = (runs.start(short()).unwrap(), runs.start(short()).unwrap());
    assert_eq!((second.told().position, third.told().position), (Some(1), Some(2)));
    assert_eq!(runs.open().iter().map(|job| job.id).collect::<Vec<_>>(), [first.id, second.id, third.id]);

    assert!(runs.cancel(second.id));
    assert_eq!((second.told().state, third.told().position), (State::Cancelled, Some(1)));
    assert!(matches!(store.benchmark(second.id).await, Err(StoreError::NotFound)));

    // What it measured is kept, and says that it was stopped.
    assert!(runs.cancel(first.id));
    assert_eq!(until(&first, |told| told.state.is_over()).await.state, State::Done);
    let kept = store.benchmark(first.id).await.unwrap().result;
    assert_eq!((kept.ended, kept.valid), (Ended::Cancelled, false));

    assert_eq!(until(&third, |told| told.state.is_over()).await.state, State::Done);
    assert_eq!(store.benchmark(third.id).await.unwrap().result.ended, Ended::Complete);
    assert!(runs.find(third.id).is_none() && runs.find(second.id).is_some());
    assert!(runs.cancel(second.id) && !runs.cancel(second.id));
    stop(runs).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_queue_is_bounded_and_ends_with_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let (runs, store) = queue(&folder).await;
    let running = runs.start(long()).unwrap();
    until(&running, |told| told.state == State::Running).await;
    let waiting: Vec<_> = (0..MOST_WAITING).map(|_| runs.start(long()).unwrap()).collect();
    assert_eq!(runs.start(long()).err(), Some(NotTaken::QueueFull));
    stop(Arc::clone(&runs)).await;
    assert_eq!(runs.start(long()).err(), Some(NotTaken::Stopping));
    assert!(waiting.iter().all(|job| job.told().state == State::Cancelled));
    assert!(running.told().state.is_over());
    store.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_measured_says_why_and_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let (runs, _) = queue(&folder).await;
    let huge = runs.start(run(r#"{"mode":"fileio","size_gib":1024,"cached":true}"#)).unwrap();
    let told = until(&huge, |told| told.state.is_over()).await;
    assert_eq!(told.state, State::Failed);
    assert!(told.why.unwrap().contains("free"));

    let small = r#"{"mode":"fileio","size_gib":0.02,"time_s":600,"warmup_s":0,"cached":true}"#;
    let disk = runs.start(run(small)).unwrap();
    until(&disk, |told| !told.events_each_second.is_empty()).await;
    stop(runs).await;
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().contains("fileio")), "{left:?}");
}
