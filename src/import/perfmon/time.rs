//! Local time of a sample, and the hours that count.

use crate::import::ImportError;

/// Local time: seconds since 1970-01-01 as the machine's clock showed, without any zone.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct LocalTime(pub f64);

impl LocalTime {
    /// `MM/DD/YYYY HH:MM:SS.mmm` as PDH writes in every language; `DD.MM.YYYY` and `YYYY-MM-DD` as people re-save it.
    pub fn parse(text: &[u8]) -> Option<Self> {
        let mut numbers = [0_u32; 6];
        let mut at = 0;
        let separator = text.iter().find(|byte| !byte.is_ascii_digit())?;
        for number in &mut numbers {
            let start = at;
            while let Some(digit) = text.get(at).filter(|byte| byte.is_ascii_digit()) {
                *number = number.checked_mul(10)?.checked_add(u32::from(digit - b'0'))?;
                at += 1;
            }
            if at == start {
                return None;
            }
            at += 1;
        }
        let [a, b, c, hour, minute, second] = numbers;
        let (year, month, day) = match separator {
            b'/' if a > 12 && a <= 31 => (c, b, a),
            b'/' => (c, a, b),
            b'.' => (c, b, a),
            b'-' => (a, b, c),
            _ => return None,
        };
        let fraction = match text.get(at - 1) {
            Some(b'.' | b',') => fraction(&text[at..]),
            _ => 0.0,
        };
        let good = (1980..=2200).contains(&year) && hour < 24 && minute < 60 && second < 61;
        let date =
            jiff::civil::Date::new(i16::try_from(year).ok()?, i8::try_from(month).ok()?, i8::try_from(day).ok()?)
                .ok()?;
        let days = days(i64::from(date.year()), i64::from(date.month()), i64::from(date.day()));
        good.then(|| Self((days * 86_400) as f64 + f64::from(hour * 3600 + minute * 60 + second) + fraction))
    }

    /// Minutes after midnight.
    pub fn minute_of_day(self) -> u32 {
        (self.0.rem_euclid(86_400.0) / 60.0) as u32
    }

    /// Saturday or Sunday.
    pub fn is_weekend(self) -> bool {
        // 1970-01-01 was a Thursday.
        let weekday = ((self.0 / 86_400.0).floor() as i64 + 3).rem_euclid(7);
        weekday >= 5
    }

    /// `YYYY-MM-DD HH:MM:SS`.
    pub fn shown(self) -> String {
        let start = jiff::civil::date(1970, 1, 1).at(0, 0, 0, 0);
        start
            .checked_add(jiff::SignedDuration::from_secs(self.0 as i64))
            .map_or_else(|_| String::new(), |time| time.strftime("%Y-%m-%d %H:%M:%S").to_string())
    }
}

fn fraction(text: &[u8]) -> f64 {
    let (mut value, mut scale) = (0.0, 0.1);
    for digit in text.iter().take_while(|byte| byte.is_ascii_digit()).take(9) {
        value += f64::from(digit - b'0') * scale;
        scale /= 10.0;
    }
    value
}

/// Days since 1970-01-01 in the Gregorian calendar (Hinnant, "chrono-compatible low-level date algorithms").
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// A span of the day in minutes after midnight; it may pass midnight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    pub from: u32,
    pub to: u32,
}

impl Span {
    /// `8-18`, `08:00-18:30`, `22:00-02:00`.
    ///
    /// # Errors
    /// [`ImportError::Knob`] with what is allowed.
    pub fn parse(knob: &'static str, text: &str) -> Result<Self, ImportError> {
        let told = || ImportError::Knob {
            knob,
            value: crate::import::result::shown(text),
            allowed: "two different times of the day, as 8-18 or 22:00-02:00".to_owned(),
        };
        let time = |text: &str| {
            let (hours, minutes) = text.trim().split_once(':').unwrap_or((text.trim(), "0"));
            let (hours, minutes): (u32, u32) = (hours.parse().ok()?, minutes.parse().ok()?);
            (hours <= 24 && minutes < 60 && hours * 60 + minutes <= 24 * 60).then_some(hours * 60 + minutes)
        };
        let (from, to) = text.split_once('-').ok_or_else(told)?;
        let span = Self { from: time(from).ok_or_else(told)?, to: time(to).ok_or_else(told)? };
        if span.from == span.to { Err(told()) } else { Ok(span) }
    }

    pub fn holds(&self, minute: u32) -> bool {
        if self.from < self.to {
            (self.from..self.to).contains(&minute)
        } else {
            minute >= self.from || minute < self.to
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> LocalTime {
        LocalTime::parse(text.as_bytes()).expect(text)
    }

    #[test]
    fn dates_of_every_kind_are_one() {
        let time = at("08/13/2026 21:23:46.194");
        assert_eq!(time.shown(), "2026-08-13 21:23:46");
        assert!((time.0 - time.0.floor() - 0.194).abs() < 1e-6);
        for other in ["13.08.2026 21:23:46.194", "2026-08-13 21:23:46.194", "13/08/2026 21:23:46.194"] {
            assert!((at(other).0 - time.0).abs() < 1e-6, "{other}");
        }
        assert_eq!(at("01/01/1980 00:00:00").shown(), "1980-01-01 00:00:00");
        assert!(!time.is_weekend() && at("08/15/2026 10:00:00").is_weekend());
        for nonsense in [
            "",
            "x",
            "13/13/2026 1:1:1",
            "02/30/2026 1:1:1",
            "08/13/2026",
            "08/13/2026 25:00:00",
            "99999999999999/1/1 1:1:1",
        ] {
            assert!(LocalTime::parse(nonsense.as_bytes()).is_none(), "{nonsense}");
        }
    }

    #[test]
    fn spans_may_pass_midnight() {
        let night = Span::parse("--backup-window", "22:00-02:00").expect("a span");
        assert!(night.holds(23 * 60) && night.holds(60) && !night.holds(12 * 60) && !night.holds(120));
        let day = Span::parse("--business-hours", "8-18").expect("a span");
        assert!(day.holds(8 * 60) && !day.holds(18 * 60));
        for nonsense in ["", "8", "8-8", "25-26", "8:61-9", "a-b", "24:30-1"] {
            assert!(Span::parse("--business-hours", nonsense).is_err(), "{nonsense}");
        }
    }
}
