//! An answer for a terminal of 80 columns: the sentence first, then one line a resource, then what a planner asks next.

use std::fmt::Write as _;

use super::answer::{Advice, Answer, Resource};
use super::words::number;

/// Columns of a terminal; nothing but a long name goes beyond.
const WIDTH: usize = 80;
/// Signs of one bar.
const BAR: usize = 8;

/// What the terminal can show.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Style {
    /// Bars are drawn.
    pub bars: bool,
    /// The binding resource and severities are coloured.
    pub colour: bool,
}

#[derive(Clone, Copy)]
enum Ink {
    Bold,
    Red,
    Yellow,
    Dim,
}

impl Style {
    fn ink(self, ink: Ink, text: &str) -> String {
        let code = match ink {
            Ink::Bold => "1",
            Ink::Red => "31",
            Ink::Yellow => "33",
            Ink::Dim => "2",
        };
        if self.colour { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

/// The answer as text, ending with a line break.
pub fn text(answer: &Answer, style: Style) -> String {
    let mut out = String::new();
    line(&mut out, &style.ink(Ink::Bold, &answer.headline));
    wrapped(&mut out, "", &answer.certainty);
    wrapped(&mut out, "", &answer.binding.reason);
    wrapped(&mut out, "", &answer.binding.to_fit_one_more);
    line(&mut out, "");
    resources(&mut out, answer, style);
    latencies(&mut out, answer);
    transactions(&mut out, answer);
    biztalk(&mut out, answer);
    if !answer.advice.is_empty() {
        line(&mut out, "\nAdvice");
        answer.advice.iter().for_each(|advice| one_advice(&mut out, advice, style));
    }
    if !answer.not_checked.is_empty() {
        line(&mut out, "\nNot checked");
        for gap in &answer.not_checked {
            wrapped(&mut out, "  ", &format!("{}: {}", gap.label, gap.why));
        }
    }
    line(&mut out, "");
    let model = format!(
        "Overhead model {}: {}. Laws of version {}.",
        answer.overhead.id, answer.overhead.name, answer.model_version
    );
    wrapped(&mut out, "", &model);
    out
}

/// A table of columns as wide as their widest cell; the first to the left, the others to the right.
fn table(out: &mut String, head: &[&str], rows: &[Vec<String>]) {
    let wide = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.chain([head[column].chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..head.len()).map(wide).collect();
    let heads: Vec<String> = head.iter().map(|&text| text.to_owned()).collect();
    for row in std::iter::once(&heads).chain(rows) {
        let mut text = String::new();
        for (column, cell) in row.iter().enumerate() {
            let pad = " ".repeat(widths[column] - cell.chars().count());
            let gap = if column == 0 { "" } else { "  " };
            let (left, right) = if column == 0 || head[column].is_empty() {
                (cell.as_str(), pad.as_str())
            } else {
                (pad.as_str(), cell.as_str())
            };
            let _ = write!(text, "{gap}{left}{right}");
        }
        line(out, text.trim_end());
    }
}

fn resources(out: &mut String, answer: &Answer, style: Style) {
    let bars = if style.bars { Some("") } else { None };
    let head: Vec<&str> =
        ["Resource", "Fits", "In use"].into_iter().chain(bars).chain(["One needs", "Usable"]).chain([""]).collect();
    let row = |resource: &Resource| {
        let mut cells = vec![
            label(resource, if style.bars { 27 } else { 34 }),
            resource.fits_text(),
            format!("{:.0} %", resource.utilization_percent),
        ];
        cells.extend(style.bars.then(|| bar(resource)));
        cells.push(resource.per_unit.map_or_else(|| "–".to_owned(), number));
        cells.push(number(resource.usable));
        cells.push(resource.unit.clone());
        cells
    };
    let rows: Vec<Vec<String>> = answer.resources.iter().map(row).collect();
    let mut drawn = String::new();
    table(&mut drawn, &head, &rows);
    for (index, row) in drawn.lines().enumerate() {
        // The binding resource stands first.
        let binds = index == 1;
        line(out, &if binds { style.ink(Ink::Bold, row) } else { row.to_owned() });
    }
}

/// "Memory", or "IOPS of san" where there can be several of a kind.
fn label(resource: &Resource, most: usize) -> String {
    match resource.subject.as_str() {
        "host" | "" => resource.label.clone(),
        subject if subject == resource.label => resource.label.clone(),
        subject => cut(&format!("{}, {subject}", resource.label), most),
    }
}

/// Blocks for what is used, to an eighth of a sign, and a line where the policy draws the limit.
fn bar(resource: &Resource) -> String {
    const EIGHTHS: [char; 8] = ['░', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
    let share = |percent: f64| (percent / 100.0).clamp(0.0, 1.0) * BAR as f64;
    let used = (share(resource.utilization_percent) * 8.0).round() as usize;
    let limit = share(resource.limit_percent).round() as usize;
    let sign = |place: usize| match used.saturating_sub(place * 8) {
        _ if place == limit && limit > 0 => '│',
        _ if place == BAR => ' ',
        eighths => EIGHTHS.get(eighths).copied().unwrap_or('█'),
    };
    (0..=BAR).map(sign).collect()
}

/// Of the first unit: the others are like it.
fn latencies(out: &mut String, answer: &Answer) {
    let told = answer.volumes.iter().filter(|v| v.unit_number == 1 && v.vm_number == 1 && v.latency_ms.is_some());
    let milliseconds = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |ms| format!("{ms:.1}"));
    let rows: Vec<Vec<String>> = told
        .map(|volume| {
            vec![
                cut(&format!("{}: {}", volume.vm, volume.volume), 34),
                cut(&volume.lun, 14),
                milliseconds(volume.read_latency_ms),
                milliseconds(volume.write_latency_ms),
                milliseconds(volume.max_latency_ms),
            ]
        })
        .collect();
    if !rows.is_empty() {
        line(out, "");
        table(out, &["Disk latency, ms", "LUN", "Read", "Write", "Allowed"], &rows);
    }
}

fn transactions(out: &mut String, answer: &Answer) {
    let milliseconds = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), number);
    let row = |transaction: &super::answer::TransactionAnswer| {
        vec![
            cut(&transaction.vm, 34),
            number(transaction.per_s),
            milliseconds(transaction.response_ms),
            milliseconds(transaction.cpu_ms),
            milliseconds(transaction.disk_ms),
            milliseconds(transaction.other_ms),
            milliseconds(transaction.max_response_ms),
        ]
    };
    if !answer.transactions.is_empty() {
        line(out, "");
        let rows: Vec<Vec<String>> = answer.transactions.iter().map(row).collect();
        table(out, &["Response time, ms", "a second", "Response", "CPU", "Disk", "Other", "Allowed"], &rows);
    }
}

fn biztalk(out: &mut String, answer: &Answer) {
    let Some(group) = &answer.biztalk else { return };
    line(out, "\nBizTalk");
    group.rates.iter().for_each(|rate| wrapped(out, "  ", &rate.text));
    if let Some(wanted) = &group.wanted {
        wrapped(out, "  ", &wanted.text);
    }
    wrapped(out, "  ", &group.about);
}

fn one_advice(out: &mut String, advice: &Advice, style: Style) {
    let (ink, before) = match advice.severity.as_str() {
        "critical" => (Ink::Red, "critical"),
        "warning" => (Ink::Yellow, "warning"),
        _ => (Ink::Dim, "note"),
    };
    let mut text = String::new();
    wrapped(&mut text, "  ", &format!("{before}: {}", advice.text));
    // Coloured after wrapping, so that the escape signs count for nothing.
    out.push_str(&text.replacen(before, &style.ink(ink, before), 1));
}

fn line(out: &mut String, text: &str) {
    out.push_str(text);
    out.push('\n');
}

/// Words on lines of at most [`WIDTH`] columns; lines after the first are indented two further. Nothing for no text.
fn wrapped(out: &mut String, indent: &str, text: &str) {
    let mut row = String::from(indent);
    let mut columns = indent.len();
    let mut empty = true;
    for word in text.split_whitespace() {
        let long = word.chars().count();
        if !empty && columns + 1 + long > WIDTH {
            line(out, &row);
            row = format!("{indent}  ");
            if indent.is_empty() {
                row.clear();
            }
            columns = row.len();
            empty = true;
        }
        if !empty {
            row.push(' ');
            columns += 1;
        }
        row.push_str(word);
        columns += long;
        empty = false;
    }
    if !empty {
        line(out, &row);
    }
}

/// At most so many signs; what is longer ends with "…".
fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most { text.to_owned() } else { text.chars().take(most - 1).chain(['…']).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{ModelCatalog, parse_scenario};
    use crate::report::{Options, answer_for};

    fn example() -> Answer {
        let text = include_bytes!("../../fixtures/scenarios/example-dl580.json");
        answer_for(&parse_scenario(text, ModelCatalog::built_in()).unwrap(), Options::default())
    }

    #[test]
    fn bars_fit_eighty_columns() {
        let drawn = text(&example(), Style { bars: true, colour: false });
        assert!(drawn.contains("█▎"), "{drawn}");
        for row in drawn.lines() {
            assert!(row.chars().count() <= WIDTH, "{row}");
        }
    }

    #[test]
    fn colour_changes_nothing_else() {
        let coloured = text(&example(), Style { bars: false, colour: true });
        assert!(coloured.starts_with("\x1b[1m3 SQL Server VMs fit.\x1b[0m\n"), "{coloured}");
        let plain: String = coloured
            .split('\x1b')
            .map(|part| part.split_once('m').filter(|(code, _)| code.starts_with('[')).map_or(part, |(_, rest)| rest))
            .collect();
        assert_eq!(plain, text(&example(), Style::default()));
    }

    #[test]
    fn a_bar_shows_use_and_limit() {
        let mut resource = example().resources[0].clone();
        resource.utilization_percent = 78.0;
        resource.limit_percent = 95.0;
        assert_eq!(bar(&resource), "██████▎░│");
        resource.utilization_percent = 250.0;
        resource.limit_percent = 0.0;
        assert_eq!(bar(&resource), "████████ ");
    }

    #[test]
    fn long_words_do_not_loop() {
        let mut out = String::new();
        wrapped(&mut out, "  ", &format!("a {} b", "x".repeat(200)));
        assert_eq!(out.lines().count(), 3);
    }
}
