//! Exported lists: text files and workbooks have the list's content, and nothing that a spreadsheet would
//! execute.

mod looks;

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use app::state::{
    ExportCell, ExportFormat, ExportRows, ExportTable, ListExport, ListField, SaveCommand,
    SaveRequest, Thresholds, TrackScope,
};
use rust_decimal::Decimal;

use super::proofs::{MS7, Site, delivered};

fn text(text: &str) -> ExportCell {
    ExportCell::Text(text.to_owned())
}

fn number(text: &str) -> ExportCell {
    ExportCell::Number(text.parse().expect("a number"))
}

fn list(form: ExportFormat, rows: Vec<Vec<ExportCell>>) -> ListExport {
    let heads = ["Number", "Receiver", "kg", "Despatch"]
        .map(str::to_owned)
        .to_vec();
    ListExport {
        name: "Unmanifested: all of [them]".to_owned(),
        form,
        rows: ExportRows::Cells(Arc::new(ExportTable { heads, rows })),
    }
}

/// What receivers are called who mean harm, or live abroad.
fn rows() -> Vec<Vec<ExportCell>> {
    let time = || ExportCell::Time("2026-11-20T15:30".parse().expect("a time"));
    let names = [
        "=HYPERLINK(\"http://evil.example\",\"click\")",
        "+1+2",
        "-2+3",
        "@SUM(A1)",
        "\t=1",
        "Müller & Söhne",
        "say \"hello\", twice",
        "two\nlines",
        "'quoted",
        "",
    ];
    let row = |(at, name): (usize, &str)| {
        vec![
            text(&format!("MS{at}")),
            text(name),
            number("-12.345"),
            time(),
        ]
    };
    names.into_iter().enumerate().map(row).collect()
}

/// Exports to a new file of this name and waits; what is wrong, where it is not there.
#[track_caller]
fn export(site: &mut Site, list: ListExport, name: &str) -> Result<PathBuf, String> {
    let path = site.home.places.data().join(name);
    let typed = path.display().to_string();
    let before = site.desk.core.shared.track.exports.saved;
    let list = SaveRequest::List(Box::new(list));
    site.desk.ask(SaveCommand::Save(list, Some(typed)));
    site.desk.turn();
    site.desk.turn();
    site.desk.until("exported", |core| {
        let out = &core.shared.track.exports;
        let done = (out.saved > before).then(|| Ok(path.clone()));
        let question = core.shared.path_question.as_ref();
        let problem = question.and_then(|question| question.problem.clone());
        done.or_else(|| problem.map(Err))
            .filter(|_| out.progress.is_none())
    })
}

/// The rows that Python's own reader sees.
fn by_python(path: &Path) -> Vec<Vec<String>> {
    let script = "import csv, json, sys\n\
                  with open(sys.argv[1], newline='', encoding='utf-8-sig') as file:\n\
                  \x20   print(json.dumps(list(csv.reader(file))))";
    let read = Command::new("python3")
        .args(["-c", script])
        .arg(path)
        .output();
    let read = read.expect("python3");
    assert!(
        read.status.success(),
        "{}",
        String::from_utf8_lossy(&read.stderr)
    );
    serde_json::from_slice(&read.stdout).expect("rows")
}

/// A part of a workbook.
fn part(path: &Path, name: &str) -> String {
    let file = std::fs::File::open(path).expect("a file");
    let mut archive = zip::ZipArchive::new(file).expect("a workbook");
    let mut text = String::new();
    let mut entry = archive.by_name(name).expect("a part");
    entry.read_to_string(&mut text).expect("text");
    text
}

#[test]
fn text_is_read_back_by_another_reader_as_it_was_and_runs_nothing() {
    let mut site = Site::open();
    let path = export(&mut site, list(ExportFormat::Csv, rows()), "list.csv").expect("saved");
    let read = by_python(&path);
    assert_eq!(read[0], ["Number", "Receiver", "kg", "Despatch"]);
    let names: Vec<_> = read[1..].iter().map(|row| row[1].as_str()).collect();
    let expected = [
        "'=HYPERLINK(\"http://evil.example\",\"click\")",
        "'+1+2",
        "'-2+3",
        "'@SUM(A1)",
        "'\t=1",
        "Müller & Söhne",
        "say \"hello\", twice",
        "two\nlines",
        "'quoted",
        "",
    ];
    assert_eq!(names, expected);
    assert_eq!(read[1][2..], ["-12.345", "2026-11-20 15:30"]);
    let bytes = std::fs::read(&path).expect("it is there");
    assert!(
        bytes.starts_with(b"\xEF\xBB\xBF"),
        "Excel knows it for UTF-8"
    );
}

#[test]
fn a_workbook_has_numbers_times_and_text_and_no_formula() {
    let mut site = Site::open();
    let mut rows = rows();
    rows.push(vec![
        text("x"),
        text("y"),
        number("12345678901234567.89"),
        text(""),
    ]);
    let path = export(&mut site, list(ExportFormat::Xlsx, rows), "list.xlsx").expect("saved");
    let sheet = part(&path, "xl/worksheets/sheet1.xml");
    assert!(!sheet.contains("<f>") && !sheet.contains("<f "), "{sheet}");
    assert!(sheet.contains("=HYPERLINK("), "{sheet}");
    assert!(sheet.contains("<v>-12.345</v>"), "exact: {sheet}");
    // 20 November 2026, 15:30, counted in days.
    assert!(sheet.contains("<v>46346.6458333"), "a time: {sheet}");
    assert!(
        sheet.contains("12345678901234567.89"),
        "too long for a number: text"
    );
    assert!(sheet.contains("Müller"), "{sheet}");
    assert!(
        sheet.contains("state=\"frozen\"") && sheet.contains("<autoFilter"),
        "{sheet}"
    );
    let book = part(&path, "xl/workbook.xml");
    assert!(book.contains("Unmanifested all of them"), "{book}");
    let list = std::fs::read_dir(site.home.places.data()).expect("a folder");
    let parts = list.filter(|entry| {
        let name = entry.as_ref().expect("an entry").file_name();
        name.to_string_lossy().contains(".part")
    });
    assert_eq!(parts.count(), 0, "nothing is left beside it");
}

#[test]
fn a_hundred_thousand_rows_go_into_either_kind() {
    let mut site = Site::open();
    let row = |at: u32| {
        let name = format!("Receiver {at}");
        vec![
            text(&format!("MS{at}")),
            text(&name),
            ExportCell::Number(Decimal::from(at)),
            text(""),
        ]
    };
    let rows: Vec<_> = (0..100_000).map(row).collect();
    let csv = export(&mut site, list(ExportFormat::Csv, rows.clone()), "many.csv").expect("saved");
    let lines = std::fs::read_to_string(&csv).expect("text").lines().count();
    assert_eq!(lines, 100_001);
    let xlsx = export(&mut site, list(ExportFormat::Xlsx, rows), "many.xlsx").expect("saved");
    let sheet = part(&xlsx, "xl/worksheets/sheet1.xml");
    assert_eq!(sheet.matches("<row ").count(), 100_001);
    assert!(sheet.contains("<v>99999</v>"));
}

#[test]
fn a_list_that_a_workbook_cannot_hold_is_not_begun() {
    let mut site = Site::open();
    let list = list(ExportFormat::Xlsx, vec![Vec::new(); 1_048_576]);
    let said = export(&mut site, list, "too-many.xlsx").expect_err("too many");
    assert!(said.contains("1,048,575") && said.contains("CSV"), "{said}");
}

#[test]
fn what_is_there_is_never_replaced_and_a_place_that_cannot_be_is_said() {
    let mut site = Site::open();
    let place = site.home.places.data().join("mine.csv");
    std::fs::write(&place, "mine").expect("a file");
    let said = export(&mut site, list(ExportFormat::Csv, rows()), "mine.csv").expect_err("taken");
    assert!(said.contains("already"), "{said}");
    assert_eq!(std::fs::read_to_string(&place).expect("it"), "mine");
    let said = export(
        &mut site,
        list(ExportFormat::Csv, rows()),
        "no/such/folder.csv",
    )
    .expect_err("no");
    assert!(said.contains("This folder doesn't exist"), "{said}");
}

#[test]
fn what_is_followed_is_exported_with_the_columns_that_are_shown() {
    let mut site = Site::open();
    let mut one = delivered(7, 2);
    one["totalWeight"] = "21.50".into();
    one["etaLocal"] = "2026-11-20T12:00:00".into();
    one["toName"] = "=Kings".into();
    site.has(&[one]);
    site.desk.ask(app::state::TrackCommand::Open(MS7));
    site.desk.until("it is followed", |core| {
        core.shared.track.page.consignment.value().map(|_| ())
    });
    let columns = vec![
        ListField::Number,
        ListField::To,
        ListField::Weight,
        ListField::Eta,
        ListField::Files,
    ];
    let rows = ExportRows::Tracked {
        ids: Arc::from([MS7]),
        columns,
    };
    let list = ListExport {
        name: "Consignments".to_owned(),
        form: ExportFormat::Csv,
        rows,
    };
    let path = export(&mut site, list, "followed.csv").expect("saved");
    let read = by_python(&path);
    assert_eq!(read[0], ["Number", "Receiver", "kg", "ETA", "Files"]);
    assert_eq!(read[1], ["MS7", "'=Kings", "21.5", "2026-11-20 12:00", "2"]);
}

#[test]
fn what_needs_a_person_is_exported_with_why_and_since_when() {
    let mut site = Site::open();
    let mut one = delivered(7, 0);
    one["status"] = serde_json::json!({ "id": 9, "name": "Damaged" });
    one["statusHistory"] = serde_json::json!([{
        "consignmentTrackingStatus": { "id": 9, "name": "Damaged" },
        "statusDateUtc": "2026-11-18T22:12:00Z"
    }]);
    site.has(&[one]);
    site.desk.ask(app::state::TrackCommand::Open(MS7));
    site.desk.until("it is followed", |core| {
        core.shared.track.page.consignment.value().map(|_| ())
    });
    let columns = vec![ListField::Number, ListField::Exception, ListField::Since];
    let list = ListExport {
        name: "Needs attention".to_owned(),
        form: ExportFormat::Csv,
        rows: ExportRows::NeedsAttention {
            scope: TrackScope::default(),
            thresholds: Thresholds::default(),
            count: 1,
            columns,
        },
    };
    let path = export(&mut site, list, "in-need.csv").expect("saved");
    let read = by_python(&path);
    assert_eq!(read[0], ["Number", "What", "Since"]);
    assert_eq!(read[1], ["MS7", "damaged", "2026-11-19 09:12"]);
}
