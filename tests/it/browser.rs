//! The page in a real Chromium, driven through ChromeDriver: the way of a planner from the example to the PDF.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;
use thirtyfour::prelude::*;
use thirtyfour::stringmatch::StringMatch;

use super::app::TestApp;

/// ChromeDriver on a free port; ends with the test.
struct Driver {
    process: Child,
    port: u16,
}

impl Driver {
    fn start() -> Self {
        // Asked of the system and given back: ChromeDriver does not tell the port it would choose itself in time.
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let program = std::env::var("CHROMEDRIVER").unwrap_or_else(|_| "chromedriver".to_owned());
        let mut command = Command::new(&program);
        command.arg(format!("--port={port}")).stdout(Stdio::null()).stderr(Stdio::null());
        let process = command.spawn().unwrap_or_else(|error| panic!("{program}: {error}"));
        Self { process, port }
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A browser with a profile of its own, in a window of that width.
async fn browser(driver: &Driver, folder: &Path, width: u32) -> WebDriver {
    let mut capabilities = DesiredCapabilities::chrome();
    for argument in [
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--disable-dev-shm-usage",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
    ] {
        capabilities.add_arg(argument).unwrap();
    }
    capabilities.add_arg(&format!("--user-data-dir={}", folder.join("profile").display())).unwrap();
    capabilities.add_arg(&format!("--window-size={width},900")).unwrap();
    if let Ok(program) = std::env::var("CHROME") {
        capabilities.set_binary(&program).unwrap();
    }
    let preferences = json!({ "download.default_directory": folder, "download.prompt_for_download": false });
    capabilities.add_experimental_option("prefs", preferences).unwrap();
    capabilities.set("goog:loggingPrefs", json!({ "browser": "ALL" })).unwrap();
    let address = format!("http://127.0.0.1:{}", driver.port);
    let began = Instant::now();
    loop {
        match WebDriver::new(&address, capabilities.clone()).await {
            Ok(browser) => return browser,
            Err(error) if began.elapsed() > Duration::from_secs(60) => panic!("{error}"),
            Err(_) => tokio::time::sleep(Duration::from_millis(200)).await,
        }
    }
}

/// Waits until the answer's first line is another; returns it.
async fn next_headline(browser: &WebDriver, before: &str) -> String {
    let began = Instant::now();
    loop {
        let text = headline(browser).await;
        if text.as_deref().is_some_and(|text| text != before) {
            return text.unwrap();
        }
        assert!(began.elapsed() < Duration::from_secs(30), "the answer stays “{before}”");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

async fn headline(browser: &WebDriver) -> Option<String> {
    browser.find(By::Css(".headline .number")).await.ok()?.text().await.ok()
}

async fn field(browser: &WebDriver, name: &str) -> WebElement {
    browser.query(By::Css(format!("[name='{name}']"))).first().await.unwrap()
}

async fn retype(browser: &WebDriver, name: &str, text: &str) {
    let field = field(browser, name).await;
    field.send_keys(Key::Control + "a").await.unwrap();
    field.send_keys(text).await.unwrap();
}

/// Runs a script and returns the text that it gives.
async fn run(browser: &WebDriver, script: &str) -> String {
    let value = browser.execute(script, Vec::new()).await.unwrap();
    value.json().as_str().unwrap_or_default().to_owned()
}

/// A downloaded file with that ending, once it is complete.
async fn downloaded(folder: &Path, ending: &str) -> std::path::PathBuf {
    let began = Instant::now();
    loop {
        let files = std::fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path());
        if let Some(file) = files.into_iter().find(|path| path.extension().is_some_and(|e| e == ending)) {
            return file;
        }
        assert!(began.elapsed() < Duration::from_secs(60), "no {ending} came");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_planner_fills_in_the_form_and_takes_the_report() {
    let (app, driver, folder) = (TestApp::new().await, Driver::start(), tempfile::tempdir().unwrap());
    let browser = browser(&driver, folder.path(), 1280).await;
    browser.goto(&app.address).await.unwrap();
    assert_eq!(headline(&browser).await.as_deref(), Some("3 SQL Server VMs fit."));

    // A change changes the answer in place, whatever the unit.
    retype(&browser, "host.memory_gib", "65536 MB").await;
    let six = next_headline(&browser, "3 SQL Server VMs fit.").await;
    assert_eq!(six, "6 SQL Server VMs fit.");

    // A wrong value is told at its field, and the last answer stays.
    retype(&browser, "host.memory_gib", "-1").await;
    let wrong = browser.query(By::Css("[name='host.memory_gib'][aria-invalid='true']")).first().await;
    assert!(wrong.is_ok(), "the field is marked");
    let told = browser.find(By::Id("e-host.memory_gib")).await.unwrap().text().await.unwrap();
    assert!(told.contains("0.5 to 65,536 GiB"), "{told}");
    assert_eq!(headline(&browser).await.as_deref(), Some(six.as_str()));

    // Back is undo.
    browser.back().await.unwrap();
    browser.query(By::Css("[name='host.memory_gib'][value='65536 MB']")).first().await.unwrap();
    assert_eq!(headline(&browser).await.as_deref(), Some(six.as_str()));

    // A LUN changes the number; its name has the focus, and arrows move to its size.
    browser.find(By::Css("button[value='add:storage.luns']")).await.unwrap().click().await.unwrap();
    let small = next_headline(&browser, &six).await;
    assert_eq!(small, "No SQL Server VM fits.", "the new LUN of 100 GiB is too small");
    let focus = "return document.activeElement.name";
    assert_eq!(run(&browser, focus).await, "storage.luns.0.name");
    for _ in 0..3 {
        browser.active_element().await.unwrap().send_keys(Key::Right + "").await.unwrap();
    }
    assert_eq!(run(&browser, focus).await, "storage.luns.0.size_gib");
    browser.active_element().await.unwrap().send_keys("300").await.unwrap();
    let one = next_headline(&browser, &small).await;
    assert_eq!(one, "1 SQL Server VM fits.");

    // Rows from a spreadsheet, pasted into a cell.
    run(
        &browser,
        "const cell = document.querySelector(\"[name='storage.luns.0.name']\"); cell.focus(); const data = new DataTransfer();\
         data.setData('text/plain', 'K:\\tData\\tsan\\t300\\nL:\\tData\\tsan\\t300\\n');\
         cell.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));",
    )
    .await;
    let two = next_headline(&browser, &one).await;
    assert_eq!(two, "2 SQL Server VMs fit.");
    assert_eq!(field(&browser, "storage.luns.1.name").await.value().await.unwrap().as_deref(), Some("L:"));

    // Saved, the report says the same number.
    retype(&browser, "name", "Two of them").await;
    browser.find(By::Css("button[value='save']")).await.unwrap().click().await.unwrap();
    let saved = browser.query(By::LinkText("Saved sizing")).first().await.unwrap();
    browser.find(By::Css("button[value='pdf']")).await.unwrap().click().await.unwrap();
    let report = downloaded(folder.path(), "pdf").await;
    let text = Command::new("pdftotext").arg("-layout").arg(&report).arg("-").output().unwrap();
    let text = String::from_utf8_lossy(&text.stdout).into_owned();
    assert!(text.contains("2 SQL Server VMs fit"), "{text}");
    assert!(text.contains("Two of them"));
    saved.click().await.unwrap();
    browser.query(By::Css("h1")).with_text("Two of them").first().await.unwrap();
    assert_eq!(headline(&browser).await.as_deref(), Some(two.as_str()));

    no_complaints(&browser, &app).await;
    browser.quit().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn leaving_with_changes_asks() {
    let (app, driver, folder) = (TestApp::new().await, Driver::start(), tempfile::tempdir().unwrap());
    let browser = browser(&driver, folder.path(), 390).await;
    // A driven browser is never asked itself: the event tells whether a person would be.
    let asks = "const leave = new Event('beforeunload', { cancelable: true }); dispatchEvent(leave);\
                return String(leave.defaultPrevented)";
    browser.goto(&app.address).await.unwrap();
    assert_eq!(run(&browser, asks).await, "false", "nothing was changed");
    retype(&browser, "host.memory_gib", "64").await;
    next_headline(&browser, "3 SQL Server VMs fit.").await;
    assert_eq!(run(&browser, asks).await, "true");
    // On a phone the number stays in sight.
    let bar = browser.find(By::Id("bar")).await.unwrap();
    assert!(bar.is_displayed().await.unwrap() && bar.text().await.unwrap().contains("6 SQL Server VMs fit."));
    let wide = run(&browser, "return String(document.documentElement.scrollWidth > innerWidth)").await;
    assert_eq!(wide, "false", "nothing is wider than the phone");
    browser.find(By::Css("button[value='save']")).await.unwrap().click().await.unwrap();
    browser.query(By::LinkText("Saved sizing")).first().await.unwrap();
    assert_eq!(run(&browser, asks).await, "false", "it is saved");
    no_complaints(&browser, &app).await;
    browser.quit().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_benchmark_is_watched_until_its_result() {
    let files = tempfile::tempdir().unwrap();
    let (app, driver) = (TestApp::with_runs(files.path()).await, Driver::start());
    let folder = tempfile::tempdir().unwrap();
    let browser = browser(&driver, folder.path(), 390).await;
    browser.goto(&format!("{}/benchmarks", app.address)).await.unwrap();
    let disk = browser.find(By::Id("run.size_gib")).await.unwrap();
    assert!(!disk.is_displayed().await.unwrap(), "the disk's fields are the disk's");
    retype(&browser, "time_s", "4").await;
    browser.find(By::Css(".run button")).await.unwrap().click().await.unwrap();
    // The chart comes without a new page, and at the end the result does.
    run(&browser, "document.body.dataset.first = 'yes'").await;
    browser.query(By::Css("[data-first] [data-live] svg.chart")).first().await.unwrap();
    browser.query(By::Css("h1")).with_text(StringMatch::from("cpu, 1 ×").partial()).first().await.unwrap();
    assert!(browser.find(By::Css("svg.chart-rate")).await.unwrap().is_displayed().await.unwrap());
    no_complaints(&browser, &app).await;
    browser.quit().await.unwrap();
}

/// The console told of no error, no blocked script or style, and nothing was loaded from elsewhere.
async fn no_complaints(browser: &WebDriver, app: &TestApp) {
    let entries = browser.browser_log().await.unwrap();
    let bad: Vec<_> = entries.iter().filter(|entry| matches!(entry.level.as_str(), "WARNING" | "SEVERE")).collect();
    assert!(bad.is_empty(), "{bad:?}");
    let loaded = run(browser, "return performance.getEntriesByType('resource').map(e => e.name).join(' ')").await;
    assert!(loaded.split(' ').filter(|name| !name.is_empty()).all(|name| name.starts_with(&app.address)), "{loaded}");
}
