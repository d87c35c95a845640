//! The workbook, read back.

use std::io::Cursor;

use calamine::{Data, Reader, Xlsx};
use vmfit::report::xlsx::workbook;

use crate::documents::{SCENARIOS, answer_of, example, hostile_texts, input, input_with_text, with_text};

fn open(bytes: Vec<u8>) -> Xlsx<Cursor<Vec<u8>>> {
    calamine::open_workbook_from_rs(Cursor::new(bytes)).expect("a workbook")
}

fn cells(book: &mut Xlsx<Cursor<Vec<u8>>>, sheet: &str) -> Vec<Vec<Data>> {
    book.worksheet_range(sheet).expect("a sheet").rows().map(<[Data]>::to_vec).collect()
}

fn text(text: &str) -> Data {
    Data::String(text.to_owned())
}

#[test]
fn holds_the_answer_as_figures() {
    let (answer, input) = example();
    let mut book = open(workbook(&answer, &input).expect("a workbook"));
    assert_eq!(book.sheet_names(), ["Answer", "Resources", "Volumes", "Inputs", "Coefficients", "Advice"]);

    let sheet = cells(&mut book, "Answer");
    assert_eq!(sheet[0][0], text("BizTalk databases on one DL580"));
    let likely = sheet.iter().find(|row| row[0] == text("Likely")).expect("the likely number");
    assert_eq!(likely[1], Data::Float(3.0));

    let sheet = cells(&mut book, "Resources");
    assert_eq!(sheet[0][..4], [text("Resource"), text("Of"), text("Unit"), text("Supply")]);
    assert_eq!(
        sheet[1][..6],
        [text("Memory"), text("host"), text("MiB"), Data::Float(32768.0), Data::Float(812.0), Data::Float(30358.2)]
    );
    assert_eq!(sheet.len(), 1 + answer.resources.len());

    let sheet = cells(&mut book, "Inputs");
    let rule = sheet.iter().flatten().any(|cell| *cell == text("rule of thumb: IOPS a disk"));
    assert!(rule, "a rule of thumb is marked: {sheet:?}");
    assert_eq!(cells(&mut book, "Coefficients").len(), 1 + answer.overhead.coefficients.len());
}

#[test]
fn every_scenario_has_a_workbook_and_the_same_bytes_twice() {
    for (name, _) in SCENARIOS {
        let input = input(name);
        let answer = answer_of(&input);
        let first = workbook(&answer, &input).expect("a workbook");
        assert_eq!(first, workbook(&answer, &input).expect("a workbook"), "{name}");
        open(first);
    }
}

#[test]
fn no_text_becomes_a_formula() {
    let (answer, input) = example();
    for hostile in hostile_texts() {
        let bytes = workbook(&with_text(&answer, &hostile), &input_with_text(&input, &hostile)).expect("a workbook");
        let mut book = open(bytes);
        for sheet in book.sheet_names() {
            let formulas = book.worksheet_formula(&sheet).expect("formulas");
            assert_eq!(
                formulas.cells().filter(|(.., formula)| !formula.is_empty()).count(),
                0,
                "{sheet}: {hostile:.40}"
            );
        }
    }
}
