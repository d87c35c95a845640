//! A line into its time and the values of the columns that are followed. Lines are split in place: weeks of samples are
//! hundreds of millions of cells, most of which nobody needs.

use super::header::Header;
use super::time::LocalTime;

/// The cells of one line.
pub struct Row {
    delimiter: u8,
    /// Place among the followed columns for each cell.
    places: Vec<Option<usize>>,
    /// Cells up to the last that is needed.
    needed: usize,
    pub values: Vec<Option<f64>>,
    /// Lines with fewer cells than the header.
    pub short: u64,
    last_date: Vec<u8>,
    last_midnight: f64,
}

impl Row {
    pub fn new(header: &Header) -> Self {
        let mut places = vec![None; header.cells];
        for (place, column) in header.columns.iter().enumerate() {
            places[column.index] = Some(place);
        }
        let needed = places.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
        let values = vec![None; header.columns.len()];
        Self {
            delimiter: header.delimiter,
            places,
            needed,
            values,
            short: 0,
            last_date: Vec::new(),
            last_midnight: 0.0,
        }
    }

    /// Takes the values of a line and gives its time; `None` for a line that has none.
    pub fn split(&mut self, line: &[u8]) -> Option<LocalTime> {
        let mut cells = Cells { rest: Some(line), delimiter: self.delimiter };
        let time = self.time(cells.next()?)?;
        self.values.fill(None);
        let mut count = 1;
        while count < self.needed {
            let Some(rest) = cells.rest else { break };
            match self.places[count] {
                Some(place) => match plain(rest, self.delimiter) {
                    Some((value, behind)) => {
                        self.values[place] = Some(value);
                        cells.rest = behind;
                    }
                    None => self.values[place] = cells.next().and_then(value),
                },
                None => {
                    cells.next();
                }
            }
            count += 1;
        }
        if count < self.needed {
            self.short += 1;
        }
        Some(time)
    }

    /// The date is the same for thousands of lines.
    fn time(&mut self, cell: &[u8]) -> Option<LocalTime> {
        let cell = cell.trim_ascii();
        if let (Some(date), Some(clock)) = (cell.get(..10), cell.get(11..19))
            && date == self.last_date.as_slice()
            && let [h1, h2, b':', m1, m2, b':', s1, s2] = clock
        {
            let two = |a: u8, b: u8| {
                (a.is_ascii_digit() && b.is_ascii_digit()).then(|| f64::from((a - b'0') * 10 + (b - b'0')))
            };
            let (hour, minute, second) = (two(*h1, *h2)?, two(*m1, *m2)?, two(*s1, *s2)?);
            if hour < 24.0 && minute < 60.0 && second < 61.0 {
                let milli = cell.get(20..23).and_then(|part| std::str::from_utf8(part).ok()?.parse::<u16>().ok());
                let rest = f64::from(milli.unwrap_or(0)) / 1000.0;
                return Some(LocalTime(self.last_midnight + hour * 3600.0 + minute * 60.0 + second + rest));
            }
            return None;
        }
        let time = LocalTime::parse(cell)?;
        self.last_date = cell.get(..10).unwrap_or_default().to_vec();
        self.last_midnight = (time.0 / 86_400.0).floor() * 86_400.0;
        Some(time)
    }
}

/// Cells without their quotes. Values of counters hold none, so a quote is only ever at an end.
struct Cells<'l> {
    rest: Option<&'l [u8]>,
    delimiter: u8,
}

impl<'l> Iterator for Cells<'l> {
    type Item = &'l [u8];

    fn next(&mut self) -> Option<&'l [u8]> {
        let rest = self.rest?;
        if let Some(inner) = rest.strip_prefix(b"\"") {
            let end = inner.iter().position(|&byte| byte == b'"').unwrap_or(inner.len());
            let behind = inner.get(end + 1..).unwrap_or_default();
            self.rest = match behind.first() {
                Some(&byte) if byte == self.delimiter => Some(&behind[1..]),
                _ => behind.iter().position(|&byte| byte == self.delimiter).map(|at| &behind[at + 1..]),
            };
            return Some(&inner[..end]);
        }
        match rest.iter().position(|&byte| byte == self.delimiter) {
            Some(at) => {
                self.rest = Some(&rest[at + 1..]);
                Some(&rest[..at])
            }
            None => {
                self.rest = None;
                Some(rest)
            }
        }
    }
}

/// Powers of ten that a float holds exactly.
const POWERS: [f64; 19] =
    [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18];

/// The value of a cell of digits and a point, and what follows the cell: nearly all cells are such, and one pass over them
/// is half of the work of a file. Exact to 15 digits, and to the last place beyond. `None` for every other cell.
fn plain(rest: &[u8], delimiter: u8) -> Option<(f64, Option<&[u8]>)> {
    let quoted = rest.first() == Some(&b'"');
    let mut at = usize::from(quoted);
    let (mut mantissa, mut digits, mut decimals) = (0_u64, 0_usize, 0_usize);
    let start = at;
    while let Some(digit) = rest.get(at).map(|byte| byte.wrapping_sub(b'0')).filter(|digit| *digit < 10) {
        if digits == 18 {
            return None;
        }
        mantissa = mantissa * 10 + u64::from(digit);
        digits += 1;
        at += 1;
    }
    if at == start {
        return None;
    }
    if rest.get(at) == Some(&b'.') {
        at += 1;
        while let Some(digit) = rest.get(at).map(|byte| byte.wrapping_sub(b'0')).filter(|digit| *digit < 10) {
            // Further digits are beyond what a float holds.
            if digits < 18 {
                mantissa = mantissa * 10 + u64::from(digit);
                digits += 1;
                decimals += 1;
            }
            at += 1;
        }
    }
    if quoted {
        if rest.get(at) != Some(&b'"') {
            return None;
        }
        at += 1;
    }
    let behind = match rest.get(at) {
        None => None,
        Some(&byte) if byte == delimiter => Some(&rest[at + 1..]),
        Some(_) => return None,
    };
    Some((mantissa as f64 / POWERS[decimals], behind))
}

/// A value with a decimal point or comma; blank, `NaN` and the like are none.
fn value(cell: &[u8]) -> Option<f64> {
    let cell = cell.trim_ascii();
    let first = *cell.first()?;
    if !(first.is_ascii_digit() || matches!(first, b'-' | b'.' | b'+')) {
        return None;
    }
    let text = std::str::from_utf8(cell).ok()?;
    let parsed = match text.parse::<f64>() {
        Ok(value) => value,
        Err(_) => text.replacen(',', ".", 1).parse().ok()?,
    };
    Some(parsed).filter(|value| value.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::perfmon::header;

    #[test]
    fn lines_of_every_make_give_their_values() {
        for (head, line) in [
            (
                "\"(PDH-CSV 4.0)\",\"\\\\A\\Memory\\Available MBytes\",\"\\\\A\\Processor(_Total)\\% Processor Time\"",
                "\"08/13/2026 21:23:46.194\",\" 100\",\"12.5\"",
            ),
            (
                "\"(PDH-CSV 4.0)\";\"\\\\A\\Memory\\Available MBytes\";\"\\\\A\\Processor(_Total)\\% Processor Time\"",
                "\"08/13/2026 21:23:46.194\";\"100\";\"12,5\"",
            ),
            (
                "\"(PDH-CSV 4.0)\",\"\\\\A\\Memory\\Available MBytes\",\"\\\\A\\Processor(_Total)\\% Processor Time\"",
                "\"08/13/2026 21:23:46.194\",\"100\",\"12,5\"",
            ),
            (
                "(PDH-CSV 4.0),\\\\A\\Memory\\Available MBytes,\\\\A\\Processor(_Total)\\% Processor Time",
                "08/13/2026 21:23:46.194,100,12.5",
            ),
        ] {
            let mut row = Row::new(&header::read(head.as_bytes()));
            for _ in 0..2 {
                let time = row.split(line.as_bytes()).expect("a time");
                assert_eq!(time.shown(), "2026-08-13 21:23:46");
                assert!((time.0.fract() - 0.194).abs() < 1e-6);
                assert_eq!(row.values, [Some(100.0), Some(12.5)], "{line}");
            }
        }
    }

    #[test]
    fn the_quick_way_reads_as_the_slow_one() {
        for text in ["0", "12.5", "0.00012", "99.999999999999986", "123456789012345678", "1.", "000.5", "549755813888"]
        {
            let slow = value(text.as_bytes()).expect(text);
            for (cell, behind) in
                [(format!("\"{text}\",x"), Some(&b"x"[..])), (text.to_owned(), None), (format!("\"{text}\""), None)]
            {
                let (quick, rest) = plain(cell.as_bytes(), b',').expect(text);
                assert!((quick - slow).abs() <= slow * f64::EPSILON, "{text}: {quick}, {slow}");
                assert_eq!(rest, behind);
            }
        }
        for text in ["", "-1", " 1", "1e5", "\"1", "1x", "\"1\"x", "1234567890123456789", ".5", "\"\""] {
            assert!(plain(text.as_bytes(), b',').is_none(), "{text}");
        }
    }

    #[test]
    fn what_is_no_number_is_none() {
        for cell in ["", " ", "NaN", "-nan(ind)", "inf", "1e999", "-1.#IND", "x", "12,5,6", "-"] {
            assert_eq!(value(cell.as_bytes()), None, "{cell}");
        }
        assert_eq!(value(b"-1"), Some(-1.0));
    }
}
