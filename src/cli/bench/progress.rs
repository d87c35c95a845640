//! The bar on a terminal, and Ctrl-C.

use std::sync::Arc;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::bench::control::{Control, Phase, Progress};

/// A benchmark under watch: a bar on standard error where that is a terminal, and a stop by Ctrl-C.
pub struct Watched {
    bar: Arc<ProgressBar>,
    control: Control,
}

/// Starts to watch.
pub fn watched() -> Watched {
    // Without a terminal nothing is drawn.
    let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr_with_hz(5));
    let style = ProgressStyle::with_template("{prefix} {bar:30} {msg}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    let bar = Arc::new(bar);
    let drawn = Arc::clone(&bar);
    let control = Control::new(move |progress| draw(&drawn, progress));
    cancel_on_ctrl_c(control.clone());
    Watched { bar, control }
}

impl Watched {
    pub fn control(&self) -> &Control {
        &self.control
    }

    /// A line above the bar, for a person only.
    pub fn announce(&self, line: &str) {
        self.bar.println(line);
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

fn draw(bar: &ProgressBar, progress: &Progress) {
    let phase = match progress.phase {
        Phase::Prepare => "prepare",
        Phase::WarmUp => "warm up",
        Phase::Measure => "measure",
        Phase::CleanUp => "clean up",
    };
    let millis = |seconds: f64| (seconds * 1000.0) as u64;
    bar.set_prefix(if progress.step.is_empty() { phase.to_owned() } else { format!("{phase} ({})", progress.step) });
    bar.set_length(progress.planned_s.map_or(0, millis));
    bar.set_position(millis(progress.elapsed_s));
    bar.set_message(message(progress));
}

/// The live rate and the time left.
fn message(progress: &Progress) -> String {
    let left = progress.planned_s.map(|planned| (planned - progress.elapsed_s).max(0.0));
    let parts = [progress.rate.map(|rate| format!("{rate:.0}/s")), left.map(|left| format!("{left:.0} s left"))];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// Asks the benchmark to end when the user does. Where the system has no such signal, nothing is lost but the politeness.
fn cancel_on_ctrl_c(control: Control) {
    let wait = move || {
        let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else { return };
        if runtime.block_on(tokio::signal::ctrl_c()).is_ok() {
            control.cancel();
        }
        // The runtime keeps the signal: a second one must not end the program before the test file is gone.
        loop {
            std::thread::sleep(Duration::from_secs(3600));
        }
    };
    // The thread ends with the program.
    let _ = std::thread::Builder::new().name("ctrl-c".to_owned()).spawn(wait);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_has_rate_and_time_left() {
        let mut progress = Progress {
            phase: Phase::Measure,
            step: String::new(),
            elapsed_s: 4.0,
            planned_s: Some(10.0),
            done: None,
            rate: Some(1234.4),
        };
        assert_eq!(message(&progress), "1234/s, 6 s left");
        (progress.rate, progress.planned_s) = (None, None);
        assert_eq!(message(&progress), "");
    }
}
