//! `bench oltp`, `bench dbops` and `bench report` on real servers. No test looks at how long something took.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use sqlx::{AssertSqlSafe, Connection as _, Executor as _, Row as _};
use vmfit::bench::common::Common;
use vmfit::bench::database::DatabaseUrl;
use vmfit::bench::oltp::{Distribution, Mix, Options};
use vmfit::bench::result::{BenchResult, Ended};
use vmfit::bench::{Control, Phase, dbops, reporting};

mod fake_tds;
mod refusals;
mod servers;

use servers::Server;

fn url(text: &str) -> DatabaseUrl {
    DatabaseUrl::parse(text).unwrap()
}

/// A moment of small tables.
fn oltp(database: &str, mix: Mix) -> Options {
    let common =
        Common { threads: 2, time: Duration::from_millis(1500), warm_up: Duration::from_millis(100), repeat: 1 };
    let (scale, rows) = (1, Some(1000));
    let distribution = Distribution::Special;
    Options { common, url: url(database), mix, scale, rows, distribution, rate: None, users: None, pace: 1.0 }
}

/// What is left in a database whose names begin like ours; sqlx looks, not the code under test.
fn left_behind(database: &str) -> Vec<String> {
    let query = match database.split(':').next() {
        Some("postgres") => "SELECT relname::text FROM pg_class WHERE relname LIKE 'vmfit%'",
        Some("mysql") => {
            "SELECT CAST(TABLE_NAME AS CHAR) FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()"
        }
        _ => "SELECT name FROM sqlite_master",
    };
    ask(database, query)
}

/// Runs statements on the side.
fn ask(database: &str, sql: &str) -> Vec<String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let sql = || sqlx::raw_sql(AssertSqlSafe(sql.to_owned()));
    runtime.block_on(async {
        match database.split(':').next() {
            Some("postgres") => {
                let mut connection = sqlx::PgConnection::connect(database).await.unwrap();
                connection.fetch_all(sql()).await.unwrap().iter().map(|row| row.get(0)).collect()
            }
            Some("mysql") => {
                let mut connection = sqlx::MySqlConnection::connect(database).await.unwrap();
                connection.fetch_all(sql()).await.unwrap().iter().map(|row| row.get(0)).collect()
            }
            _ => {
                let mut connection = sqlx::SqliteConnection::connect(database).await.unwrap();
                connection.fetch_all(sql()).await.unwrap().iter().map(|row| row.get(0)).collect()
            }
        }
    })
}

/// Requests of a transaction: sysbench's counts.
fn requests(mix: Mix) -> u64 {
    match mix {
        Mix::PointSelect => 1,
        Mix::ReadOnly => 16,
        Mix::ReadWrite => 20,
        _ => 6,
    }
}

fn check_row_mixes(database: &str) {
    for mix in [Mix::PointSelect, Mix::ReadOnly, Mix::ReadWrite, Mix::WriteOnly] {
        let mut options = oltp(database, mix);
        // One connection has no conflicts, so that requests can be counted.
        options.common.threads = 1;
        options.common.warm_up = Duration::ZERO;
        let result = options.run(&Control::silent()).unwrap();
        assert_eq!((result.mode.as_str(), result.ended), ("oltp", Ended::Complete), "{:?}", result.warnings);
        assert!(result.events > 0);
        let sent = result.details["requests_per_s"].as_f64().unwrap() * result.duration_s;
        assert_eq!(sent.round() as u64, requests(mix) * result.events, "{}", mix.name());
        assert_eq!(result.operations[0].name, mix.name());
        assert_eq!(result.operations[0].events, result.events);
        let server = result.environment.database.as_ref().unwrap();
        assert!(server.version.as_ref().is_some_and(|version| version.starts_with(|c: char| c.is_ascii_digit())));
        assert!(!server.settings.is_empty() && server.local == Some(true), "{server:?}");
        assert_eq!(left_behind(database), [""; 0], "{}", mix.name());
    }
}

fn check_tpcc(database: &str) {
    let mut options = oltp(database, Mix::Tpcc);
    options.common.time = Duration::from_secs(3);
    let result = options.run(&Control::silent()).unwrap();
    assert_eq!(result.ended, Ended::Complete, "{:?}", result.warnings);
    let names: Vec<&str> = result.operations.iter().map(|operation| operation.name.as_str()).collect();
    assert_eq!(names, ["new_order", "payment", "order_status", "delivery", "stock_level"]);
    assert_eq!(result.operations.iter().map(|operation| operation.events).sum::<u64>(), result.events);
    assert!(result.operations[0].events > 0 && result.operations[1].events > 0, "{:?}", result.operations);
    let score = result.score.as_ref().unwrap();
    assert_eq!(score.name, "nopm");
    let rolled_back = result.details["rolled_back"]["new_order"].as_u64().unwrap();
    let committed = (result.operations[0].events - rolled_back) as f64 * 60.0 / result.duration_s;
    assert!((score.value / committed - 1.0).abs() < 1e-6, "{score:?} for {committed}");
    assert!(result.details["response_p90_ms"]["new_order"].as_f64().is_some());
    assert!(result.details["note"].as_str().unwrap().contains("not a TPC-C result"));
    assert_eq!(left_behind(database), [""; 0]);
}

/// At a rate far below what is possible every arrival is served; response is at least service.
fn check_rate(database: &str) {
    let mut options = oltp(database, Mix::PointSelect);
    (options.rate, options.common.warm_up) = (Some(40.0), Duration::ZERO);
    options.common.time = Duration::from_secs(2);
    let result = options.run(&Control::silent()).unwrap();
    assert!((40..=130).contains(&result.events), "{}", result.events);
    let operation = &result.operations[0];
    let (service, response) = (operation.latency_ms.unwrap(), operation.response_ms.unwrap());
    assert!(response.avg >= service.avg && response.max >= service.max, "{operation:?}");
    assert_eq!(result.latency_ms.map(|latency| latency.max), Some(response.max));
    assert_eq!(result.little, None);
}

fn check_users(database: &str) {
    let mut options = oltp(database, Mix::Tpcc);
    (options.users, options.pace) = (Some(20), 0.02);
    options.common.time = Duration::from_secs(2);
    let result = options.run(&Control::silent()).unwrap();
    // A cycle of a user takes some 21 s at pace 1, thus 0.4 s here: some 90 in 2 s, and thousands without waits.
    assert!((20..=300).contains(&result.events), "{}", result.events);
    assert!(result.operations[0].response_ms.is_some());
    assert_eq!(result.parameters["users"], 20);
}

fn check_dbops(database: &str, folder: &Path) -> BenchResult {
    let options = dbops::Options { url: url(database), scale: 1, repeat: 2, path: folder.to_owned() };
    let result = options.run(&Control::silent()).unwrap();
    let names: Vec<&str> = result.operations.iter().map(|operation| operation.name.as_str()).collect();
    assert_eq!(names, ["backup", "restore", "index_rebuild", "consistency_check"], "{:?}", result.warnings);
    for operation in &result.operations {
        assert_eq!((operation.events, &operation.not_done), (2, &None), "{operation:?}");
        assert!(operation.mb_s.is_some_and(|mb_s| mb_s > 0.0), "{operation:?}");
    }
    let file = folder.join("vmfit-dbops.backup");
    assert!(!file.exists() && left_behind(database).is_empty());
    // Somebody's file of that name is not overwritten.
    std::fs::write(&file, "mine").unwrap();
    let error = options.run(&Control::silent()).unwrap_err();
    assert!(error.is_usage() && error.to_string().contains("vmfit-dbops.backup is there already"), "{error}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "mine");
    std::fs::remove_file(&file).unwrap();
    assert_eq!(left_behind(database), [""; 0]);
    result
}

fn check_report(database: &str) {
    let options = reporting::Options { url: url(database), scale: 1, repeat: 1, warm_up: false };
    let result = options.run(&Control::silent()).unwrap();
    assert_eq!((result.mode.as_str(), result.operations.len(), result.events), ("report", 4, 4));
    for operation in &result.operations {
        assert!(operation.duration_s.is_some() && operation.not_done.is_none(), "{operation:?}");
    }
    assert_eq!(left_behind(database), [""; 0]);
}

/// Tables of others are refused, and stay as they are.
fn check_strangers(database: &str) {
    ask(database, "CREATE TABLE vmfit_sbtest1 (mine INTEGER)");
    let error = oltp(database, Mix::ReadOnly).run(&Control::silent()).unwrap_err().to_string();
    assert!(error.contains("vmfit_sbtest1 is there and was not made by a benchmark"), "{error}");
    assert!(!error.contains("s3cret-pw"), "{error}");
    ask(database, "DROP TABLE vmfit_sbtest1");
    ask(database, "CREATE TABLE vmfit_tables (mine INTEGER)");
    let error = oltp(database, Mix::ReadOnly).run(&Control::silent()).unwrap_err().to_string();
    assert!(error.contains("vmfit_tables is there and was not made by a benchmark"), "{error}");
    ask(database, "DROP TABLE vmfit_tables");
    assert_eq!(left_behind(database), [""; 0]);
}

/// Tells when transactions are counted.
fn watched() -> (Control, mpsc::Receiver<()>) {
    let (tell, told) = mpsc::channel();
    let once = Arc::new(AtomicBool::new(false));
    let control = Control::new(move |progress| {
        if progress.phase == Phase::Measure
            && progress.rate.is_some_and(|rate| rate > 0.0)
            && !once.swap(true, Ordering::SeqCst)
        {
            let _ = tell.send(());
        }
    });
    (control, told)
}

fn check_stop(database: &str) {
    let (control, measuring) = watched();
    let mut options = oltp(database, Mix::ReadWrite);
    options.common.time = Duration::from_secs(600);
    let running = {
        let control = control.clone();
        std::thread::spawn(move || options.run(&control))
    };
    measuring.recv().unwrap();
    // A second benchmark in the same database would drop the tables of the first.
    let error = oltp(database, Mix::ReadOnly).run(&Control::silent()).unwrap_err().to_string();
    assert!(error.contains("another benchmark of vmfit runs in it"), "{error}");
    control.cancel();
    let result = running.join().unwrap().unwrap();
    assert_eq!((result.ended, result.valid), (Ended::Cancelled, false));
    assert!(result.events > 0);
    assert_eq!(left_behind(database), [""; 0]);
}

#[test]
fn sqlite() {
    let folder = tempfile::tempdir().unwrap();
    let database = format!("sqlite://{}?mode=rwc", folder.path().join("bench.db").display());
    check_row_mixes(&database);
    check_tpcc(&database);
    check_rate(&database);
    check_dbops(&database, folder.path());
    check_report(&database);
    check_strangers(&database);
    check_stop(&database);
    let files: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(files, ["bench.db"]);
}

#[test]
fn postgres() {
    let Some(server) = Server::postgres() else { return };
    let database = server.url();
    check_row_mixes(database);
    check_tpcc(database);
    check_rate(database);
    check_users(database);
    check_report(database);
    check_strangers(database);
    check_stop(database);
    let result = check_dbops(database, server.folder());
    assert!(result.details["backup_compression_ratio"].as_f64().unwrap() > 1.2, "{:?}", result.details);
    assert_eq!(ask(database, "SELECT extname::text FROM pg_extension WHERE extname = 'amcheck'"), [""; 0]);
}

#[test]
fn mariadb() {
    let Some(server) = Server::mariadb() else { return };
    let database = server.url();
    check_row_mixes(database);
    check_tpcc(database);
    check_report(database);
    check_strangers(database);
    check_stop(database);
    let result = check_dbops(database, server.folder());
    assert!(result.details["backup_compression_ratio"].as_f64().unwrap() > 1.2, "{:?}", result.details);
    assert_eq!(result.environment.database.unwrap().product, "MariaDB");
}

/// A server that dies leaves a result of what was measured until then; the next run clears what it left.
#[test]
fn a_server_that_dies() {
    let Some(mut server) = Server::postgres() else { return };
    let database = server.url().to_owned();
    let (control, measuring) = watched();
    let mut options = oltp(&database, Mix::ReadWrite);
    options.common.time = Duration::from_secs(600);
    let again = options.clone();
    let running = std::thread::spawn(move || options.run(&control));
    measuring.recv().unwrap();
    server.stop("QUIT");
    let result = running.join().unwrap().unwrap();
    assert_eq!((result.ended, result.valid), (Ended::Failed, false));
    assert!(result.events > 0 && result.duration_s > 0.0);
    assert!(!result.warnings[0].is_empty(), "{:?}", result.warnings);
    let left = result.warnings.iter().find(|warning| warning.starts_with("not dropped: vmfit_tables, vmfit_sbtest1"));
    assert!(left.is_some(), "{:?}", result.warnings);
    assert!(!result.warnings.concat().contains("s3cret-pw"));
    server.start();
    assert!(left_behind(&database).contains(&"vmfit_sbtest1".to_owned()));
    let mut again = again;
    again.common.time = Duration::from_secs(2);
    assert_eq!(again.run(&Control::silent()).unwrap().ended, Ended::Complete);
    assert_eq!(left_behind(&database), [""; 0]);
}

/// Many connections on few rows: what loses is done again and counted apart.
#[test]
fn conflicts_are_counted_and_no_failure() {
    let Some(server) = Server::postgres() else { return };
    let mut options = oltp(server.url(), Mix::WriteOnly);
    (options.common.threads, options.common.time) = (8, Duration::from_secs(3));
    let result = options.run(&Control::silent()).unwrap();
    assert_eq!((result.ended, result.errors), (Ended::Complete, 0), "{:?}", result.warnings);
    let retries = result.details["retries"].as_object().unwrap();
    let all: u64 = retries.values().map(|count| count.as_u64().unwrap()).sum();
    assert!(all > 0, "{retries:?}");
    assert_eq!(result.operations[0].retries, Some(all));
}
