//! Units of measure and quantities as people type them.
//!
//! Memory and LUN sizes are binary (MiB, GiB), disk sizes decimal as printed on the disk (GB), rates MB/s are 10^6 bytes.

/// Mebibytes in a gibibyte.
pub const MIB_PER_GIB: f64 = 1024.0;
/// Gibibytes in a decimal gigabyte: 10^9 / 2^30.
pub const GIB_PER_GB: f64 = 1e9 / 1_073_741_824.0;
/// Decimal megabytes in a gibibyte: 2^30 / 10^6.
pub const MB_PER_GIB: f64 = 1_073_741_824.0 / 1e6;
/// Decimal megabytes a second in a gigabit a second.
pub const MB_S_PER_GBPS: f64 = 125.0;
/// Seconds in an hour.
pub const SECONDS_PER_HOUR: f64 = 3600.0;

/// The unit that a field's name ends in, longest suffix first.
const SUFFIXES: [(&str, &str); 13] = [
    ("_percent_per_year", "%"),
    ("_percent", "%"),
    ("_gbps", "Gb/s"),
    ("_mb_s", "MB/s"),
    ("_iops", "IOPS"),
    ("_gib", "GiB"),
    ("_mib", "MiB"),
    ("_kib", "KiB"),
    ("_ghz", "GHz"),
    ("_gb", "GB"),
    ("_ms", "ms"),
    ("_s", "s"),
    ("_h", "h"),
];

/// The unit of a field by the suffix of its name; empty for a plain number.
pub fn unit_of_field(name: &str) -> &'static str {
    match name {
        "iops" | "iops_per_disk" => "IOPS",
        "per_s" | "docs_per_s" => "1/s",
        _ => SUFFIXES.iter().find(|(suffix, _)| name.ends_with(suffix)).map_or("", |(_, unit)| unit),
    }
}

/// What one of a typed unit is in the field's unit. People write GB for memory and mean GiB; only a disk's size is decimal.
fn factor(field_unit: &str, typed: &str) -> Option<f64> {
    let typed = typed.to_ascii_lowercase();
    let typed = typed.as_str();
    let binary_gib = |typed: &str| {
        Some(match typed {
            "kib" | "kb" | "k" => 1.0 / (MIB_PER_GIB * MIB_PER_GIB),
            "mib" | "mb" | "m" => 1.0 / MIB_PER_GIB,
            "gib" | "gb" | "g" => 1.0,
            "tib" | "tb" | "t" => 1024.0,
            _ => return None,
        })
    };
    match field_unit {
        "GiB" => binary_gib(typed),
        "MiB" => binary_gib(typed).map(|f| f * MIB_PER_GIB),
        "KiB" => binary_gib(typed).map(|f| f * MIB_PER_GIB * MIB_PER_GIB),
        "GB" => Some(match typed {
            "mb" | "m" => 1e-3,
            "gb" | "g" => 1.0,
            "tb" | "t" => 1e3,
            "gib" => 1.0 / GIB_PER_GB,
            "tib" => 1024.0 / GIB_PER_GB,
            _ => return None,
        }),
        "Gb/s" => Some(match typed {
            "gb/s" | "gbps" | "gbit/s" | "gb" | "g" => 1.0,
            "mb/s" | "mbps" | "mbit/s" | "m" => 1e-3,
            _ => return None,
        }),
        "MB/s" => Some(match typed {
            "mb/s" | "mb" => 1.0,
            "gb/s" => 1e3,
            "kb/s" => 1e-3,
            "mib/s" => 1.048_576,
            _ => return None,
        }),
        "GHz" => Some(match typed {
            "ghz" => 1.0,
            "mhz" => 1e-3,
            _ => return None,
        }),
        "ms" => Some(match typed {
            "ms" => 1.0,
            "s" => 1e3,
            "us" | "µs" => 1e-3,
            _ => return None,
        }),
        "s" => Some(match typed {
            "s" => 1.0,
            "ms" => 1e-3,
            "min" => 60.0,
            _ => return None,
        }),
        "h" => Some(match typed {
            "h" => 1.0,
            "min" => 1.0 / 60.0,
            _ => return None,
        }),
        "%" => (typed == "%").then_some(1.0),
        "IOPS" => (typed == "iops" || typed == "io/s" || typed == "/s").then_some(1.0),
        _ => None,
    }
}

/// A quantity as typed into a field of that unit: `32`, `32 GB`, `32768 MiB`, `1,5`, `1 024`, `1.024,5`.
///
/// A single point is the decimal mark. A single comma is one too, unless it stands as one for thousands does: exactly three
/// digits behind it and one to three before it that do not start with zero, so `1,200` is 1200 and `0,375` is 0.375. With
/// both marks the last one is the decimal mark; one that is repeated is for thousands. The result is finite. `None` if it cannot be read as a quantity of that unit.
pub fn parse_quantity(text: &str, field_unit: &str) -> Option<f64> {
    let text = text.trim();
    if text.len() > 64 {
        return None;
    }
    let is_number =
        |c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | '+' | '-' | ' ' | '\u{a0}' | '\u{202f}' | '\'');
    let end = text.find(|c: char| !is_number(c)).unwrap_or(text.len());
    // An exponent belongs to the number: 1e3 is a thousand, not "1" of unit "e3".
    let (number, typed_unit) = match text[end..].strip_prefix(['e', 'E']) {
        Some(rest) if rest.trim_start_matches(['+', '-']).starts_with(|c: char| c.is_ascii_digit()) => (text, ""),
        _ => (&text[..end], text[end..].trim()),
    };
    let number: String = number.chars().filter(|c| !matches!(c, ' ' | '\u{a0}' | '\u{202f}' | '\'')).collect();
    let value: f64 = normalized(&number).parse().ok()?;
    let scale = if typed_unit.is_empty() { 1.0 } else { factor(field_unit, typed_unit)? };
    let value = value * scale;
    value.is_finite().then_some(value)
}

/// The number with a point as its decimal mark and no marks for thousands.
fn normalized(number: &str) -> String {
    let (commas, points) = (number.matches(',').count(), number.matches('.').count());
    match (commas, points) {
        (0, 0 | 1) => number.to_owned(),
        (1, 0) if groups_thousands(number) => number.replace(',', ""),
        (1, 0) => number.replace(',', "."),
        (0, _) => number.replace('.', ""),
        (_, 0) => number.replace(',', ""),
        // Both marks: the last one is the decimal mark.
        _ if number.rfind(',') > number.rfind('.') => number.replace('.', "").replace(',', "."),
        _ => number.replace(',', ""),
    }
}

/// Whether the number's one comma is where one for thousands would be.
fn groups_thousands(number: &str) -> bool {
    let digits = number.trim_start_matches(['+', '-']);
    digits
        .split_once(',')
        .is_some_and(|(whole, rest)| rest.len() == 3 && (1..=3).contains(&whole.len()) && !whole.starts_with('0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_people_type() {
        let cases = [
            ("32", "GiB", 32.0),
            ("32 GB", "GiB", 32.0),
            ("32768 MiB", "GiB", 32.0),
            ("1,5", "GiB", 1.5),
            ("1,200", "IOPS", 1200.0),
            ("0,375", "ms", 0.375),
            ("1.5 TB", "GB", 1500.0),
            ("1 024", "MiB", 1024.0),
            ("1.024,5", "MiB", 1024.5),
            ("1,024,000", "IOPS", 1_024_000.0),
            ("2400 MHz", "GHz", 2.4),
            ("0,5 GiB", "MiB", 512.0),
            ("80 %", "%", 80.0),
            ("1e3", "", 1000.0),
            ("-1", "GiB", -1.0),
            ("10 Gb/s", "Gb/s", 10.0),
            ("90 min", "h", 1.5),
        ];
        for (text, unit, expected) in cases {
            assert_eq!(parse_quantity(text, unit), Some(expected), "{text} as {unit}");
        }
    }

    #[test]
    fn refuses_what_is_no_quantity_of_the_unit() {
        for (text, unit) in [
            ("", "GiB"),
            ("abc", "GiB"),
            ("nan", ""),
            ("inf", ""),
            ("32 apples", "GiB"),
            ("1e999", ""),
            ("5 ms", "GiB"),
            ("--1", ""),
        ] {
            assert_eq!(parse_quantity(text, unit), None, "{text} as {unit}");
        }
    }

    #[test]
    fn a_field_names_its_unit() {
        for (name, unit) in [
            ("memory_gib", "GiB"),
            ("growth_percent_per_year", "%"),
            ("network_mb_s", "MB/s"),
            ("per_s", "1/s"),
            ("vcpus", ""),
        ] {
            assert_eq!(unit_of_field(name), unit, "{name}");
        }
    }
}
