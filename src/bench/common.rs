//! Options that every mode of threads shares, and how sizes are written.

use std::time::Duration;

use serde_json::{Map, Value};

use super::error::Mistakes;
use super::runner::Limits;

/// Options of every mode.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Common {
    pub threads: u32,
    /// Counted time of a window.
    pub time: Duration,
    /// Load before it that is not counted.
    pub warm_up: Duration,
    /// Windows.
    pub repeat: u32,
}

/// Most threads of a load: beyond, a machine measures its scheduler.
const MOST_THREADS: u32 = 4096;
const MOST_SECONDS: f64 = 86_400.0;
const MOST_REPEATS: u32 = 1000;

impl Common {
    /// Notes what cannot be.
    pub fn check(&self, mistakes: &mut Mistakes) {
        let Self { threads, time, warm_up, repeat } = *self;
        mistakes.unless((1..=MOST_THREADS).contains(&threads), || {
            format!("--threads {threads}: allowed is 1 to {MOST_THREADS}")
        });
        let (time, warm_up) = (time.as_secs_f64(), warm_up.as_secs_f64());
        mistakes.unless(time > 0.0 && time <= MOST_SECONDS, || {
            format!("--time {time}: allowed is more than 0 to {MOST_SECONDS} s")
        });
        mistakes.unless(warm_up <= MOST_SECONDS, || format!("--warmup {warm_up}: allowed is 0 to {MOST_SECONDS} s"));
        mistakes.unless((1..=MOST_REPEATS).contains(&repeat), || {
            format!("--repeat {repeat}: allowed is 1 to {MOST_REPEATS}")
        });
    }

    /// A window of this length.
    pub fn limits(&self) -> Limits {
        Limits { warm_up: self.warm_up, time: Some(self.time), events: None }
    }

    /// These options and more, as a result lists them.
    pub fn parameters(&self, more: Value) -> Map<String, Value> {
        let mut all = Map::new();
        all.insert("threads".to_owned(), self.threads.into());
        all.insert("time_s".to_owned(), self.time.as_secs_f64().into());
        all.insert("warmup_s".to_owned(), self.warm_up.as_secs_f64().into());
        all.insert("repeat".to_owned(), self.repeat.into());
        if let Value::Object(more) = more {
            all.extend(more);
        }
        all
    }
}

/// Units of a size: binary ones, and the decimal ones of disks and networks.
const UNITS: [(&str, u64); 8] = [
    ("KiB", 1 << 10),
    ("MiB", 1 << 20),
    ("GiB", 1 << 30),
    ("TiB", 1 << 40),
    ("KB", 1_000),
    ("MB", 1_000_000),
    ("GB", 1_000_000_000),
    ("B", 1),
];

/// A size in bytes, as `8KiB` or `1.5 GiB`; a bare number is bytes.
///
/// # Errors
/// What is allowed, for anything else.
pub fn parse_size(text: &str) -> Result<u64, String> {
    let told = || "allowed is a number and B, KiB, MiB, GiB, TiB, KB, MB or GB, for example 8KiB".to_owned();
    let unit = UNITS.iter().find(|(name, _)| {
        text.len() >= name.len() && text.is_char_boundary(text.len() - name.len()) && {
            text[text.len() - name.len()..].eq_ignore_ascii_case(name)
        }
    });
    let (number, factor) = unit.map_or((text, 1), |(name, factor)| (&text[..text.len() - name.len()], *factor));
    let number: f64 = number.trim().parse().map_err(|_| told())?;
    let bytes = number * factor as f64;
    // Sizes of exabytes are not measured.
    if !(0.0..=1e18).contains(&bytes) || bytes.fract() != 0.0 {
        return Err(told());
    }
    Ok(bytes as u64)
}

/// A size as it is written: in the largest binary unit that divides it.
pub fn size_text(bytes: u64) -> String {
    let fits = UNITS[..4].iter().rev().find(|(_, factor)| bytes >= *factor && bytes.is_multiple_of(*factor));
    fits.map_or_else(|| format!("{bytes} B"), |(name, factor)| format!("{} {name}", bytes / factor))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_with_units() {
        for (text, bytes) in
            [("8KiB", 8192), ("1.5 GiB", 3 << 29), ("512", 512), ("60kib", 61_440), ("1MB", 1_000_000), ("0B", 0)]
        {
            assert_eq!(parse_size(text), Ok(bytes), "{text}");
        }
        for text in ["", "KiB", "8K", "-1KiB", "nanMiB", "1e30GiB", "0.3B", "infB", "8кб"] {
            assert!(parse_size(text).is_err(), "{text}");
        }
    }

    #[test]
    fn sizes_are_written_as_they_are_read() {
        for (bytes, text) in [(8192, "8 KiB"), (1 << 30, "1 GiB"), (1536, "1536 B"), (0, "0 B")] {
            assert_eq!(size_text(bytes), text);
            assert_eq!(parse_size(text), Ok(bytes));
        }
    }

    #[test]
    fn every_mistake_is_told_at_once() {
        let common = Common { threads: 0, time: Duration::ZERO, warm_up: Duration::ZERO, repeat: 0 };
        let mut mistakes = Mistakes::default();
        common.check(&mut mistakes);
        let told = mistakes.done().unwrap_err().to_string();
        assert!(told.contains("--threads 0: allowed is 1 to 4096; --time 0"), "{told}");
        assert!(told.contains("--repeat 0"), "{told}");
    }
}
