//! The header of a PDH-CSV: zone, and a path for each column.

use encoding_rs::{GBK, WINDOWS_1251, WINDOWS_1252};

use super::counter::Quantity;
use super::names::{Object, quantity};
use crate::import::result::shown;

/// Columns that are followed at most: it bounds the memory.
pub const MOST_COUNTERS: usize = 256;

/// What a column holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    pub index: usize,
    pub machine: String,
    pub object: Object,
    pub quantity: Quantity,
    /// For example `0`, `_Total`, `C:`, `0 C: D:`.
    pub instance: String,
    /// As the file writes it.
    pub path: String,
}

/// The header, read.
#[derive(Clone, Debug, Default)]
pub struct Header {
    pub delimiter: u8,
    pub cells: usize,
    pub columns: Vec<Column>,
    /// Columns that the model does not need.
    pub unknown: u64,
    pub over_limit: u64,
    /// Time zone as printed; local times are kept as they are, because the bias may be that of winter in summer.
    pub zone: Option<String>,
    pub machines: Vec<String>,
}

pub fn is_header(line: &[u8]) -> bool {
    let start = line.trim_ascii_start();
    let start = start.strip_prefix(b"\"").unwrap_or(start);
    start.starts_with(b"(PDH-CSV")
}

/// Reads the header in the encoding in which most of its counters are known.
pub fn read(line: &[u8]) -> Header {
    if let Ok(text) = std::str::from_utf8(line) {
        return parse(text);
    }
    let encodings = [WINDOWS_1252, WINDOWS_1251, GBK];
    let read = encodings.iter().map(|encoding| parse(&encoding.decode_without_bom_handling(line).0));
    // The first of equals: `max_by_key` would take the last.
    read.fold(None, |best: Option<Header>, header| match best {
        Some(best) if best.columns.len() >= header.columns.len() => Some(best),
        _ => Some(header),
    })
    .unwrap_or_default()
}

fn parse(text: &str) -> Header {
    let text = text.trim();
    let delimiter = match text.strip_prefix('"').and_then(|rest| rest.split_once('"')) {
        Some((_, rest)) => rest.bytes().next().filter(|byte| matches!(byte, b',' | b';' | b'\t')).unwrap_or(b','),
        None => [b';', b'\t'].into_iter().find(|byte| text.as_bytes().contains(byte)).unwrap_or(b','),
    };
    let mut header = Header { delimiter, ..Header::default() };
    for (index, cell) in cells(text, delimiter).enumerate() {
        header.cells = index + 1;
        if index == 0 {
            let zone: Vec<&str> = cell.split('(').skip(2).map(|part| part.trim().trim_end_matches(')')).collect();
            header.zone = Some(shown(&zone.join(", "))).filter(|zone| !zone.is_empty());
            continue;
        }
        match column(index, &cell) {
            Some(column) if header.columns.len() < MOST_COUNTERS => {
                if !header.machines.contains(&column.machine) && header.machines.len() < 32 {
                    header.machines.push(column.machine.clone());
                }
                header.columns.push(column);
            }
            Some(_) => header.over_limit += 1,
            None => header.unknown += 1,
        }
    }
    header
}

/// Cells of a line, with quotes off; a quote inside is doubled.
fn cells(text: &str, delimiter: u8) -> impl Iterator<Item = String> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let Some(inner) = text.strip_prefix('"') else {
            let (cell, behind) = match text.split_once(char::from(delimiter)) {
                Some((cell, behind)) => (cell, Some(behind)),
                None => (text, None),
            };
            rest = behind;
            return Some(cell.trim().to_owned());
        };
        let mut end = 0;
        while let Some(at) = inner[end..].find('"') {
            end += at;
            if inner[end + 1..].starts_with('"') { end += 2 } else { break }
        }
        let end = if inner[end..].starts_with('"') { end } else { inner.len() };
        let behind = inner.get(end + 1..).unwrap_or_default();
        rest = behind.find(char::from(delimiter)).map(|at| &behind[at + 1..]);
        Some(inner[..end].replace("\"\"", "\""))
    })
}

/// `\\HOST\Object(instance)\Counter`, in which an instance may hold brackets and backslashes.
fn column(index: usize, path: &str) -> Option<Column> {
    let (machine, rest) = match path.strip_prefix("\\\\") {
        Some(rest) => rest.split_once('\\')?,
        None => ("", path.strip_prefix('\\')?),
    };
    let (object, instance, counter) = match rest.rsplit_once(")\\") {
        Some((before, counter)) => {
            let (object, instance) = before.split_once('(')?;
            (object, instance, counter)
        }
        None => rest.split_once('\\').map(|(object, counter)| (object, "", counter))?,
    };
    let (known, quantity) = quantity(object, counter)?;
    Some(Column {
        index,
        machine: shown(machine),
        object: known,
        quantity,
        instance: shown(instance),
        path: shown(path),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_taken_apart() {
        let header = read(
            br#""(PDH-CSV 4.0) (Eastern Daylight Time)(240)","\\DB1\Processor(_Total)\% Processor Time","\\DB1\LogicalDisk(C:\mnt\a(1))\Disk Reads/sec","\\DB1\Process(a,b)\% Processor Time""#,
        );
        assert_eq!(header.zone.as_deref(), Some("Eastern Daylight Time, 240"));
        assert_eq!((header.cells, header.columns.len(), header.unknown), (4, 2, 1));
        assert_eq!(header.columns[1].instance, r"C:\mnt\a(1)");
        assert_eq!(header.machines, ["DB1"]);
    }

    #[test]
    fn semicolons_and_code_pages() {
        let german = "\"(PDH-CSV 4.0)\";\"\\\\A\\Arbeitsspeicher\\Verfügbare MB\"";
        assert_eq!(read(german.as_bytes()).columns.len(), 1);
        let old: Vec<u8> = german.chars().map(|c| c as u32 as u8).collect();
        assert_eq!(read(&old).columns.len(), 1);
        let russian = WINDOWS_1251.encode("\"(PDH-CSV 4.0)\",\"\\\\A\\Память\\Доступно МБ\"").0.into_owned();
        assert_eq!(read(&russian).columns.len(), 1);
        let chinese = GBK.encode("\"(PDH-CSV 4.0)\",\"\\\\A\\处理器(_Total)\\% 处理器时间\"").0.into_owned();
        assert_eq!(read(&chinese).columns.len(), 1);
    }

    #[test]
    fn broken_headers_do_no_harm() {
        for text in [
            "\"(PDH-CSV 4.0)",
            "\"(PDH-CSV 4.0)\",\"",
            "(PDH-CSV 4.0),\\\\,\\\\x\\",
            "\"(PDH-CSV 4.0)\"x\"\"\"",
            "\"(PDH-CSV 4.0)\",\"\\\\a\\b(\"\"\"",
        ] {
            assert!(read(text.as_bytes()).columns.is_empty(), "{text}");
        }
    }
}
