//! The day on paper: what was booked, what waits, what needs a person; shown, saved, and printed where manifests go or not at
//! all.

mod looks;

use std::process::Command;
use std::sync::Arc;

use packbench::draft::PickupDraft;
use packbench::shipping::ConsignmentId;
use packbench::state::{
    Board, DaySheet, DispatchCommand, Exception, ExceptionRow, Kind, OperationState, OutCommand,
    Remote, Share, TrackCommand,
};
use packbench::work::CarrierTally;

use super::proofs::{MS7, Site, delivered};

/// What a reader of PDF sees.
fn read(pdf: &[u8]) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("page.pdf");
    std::fs::write(&file, pdf).expect("a file");
    let read = Command::new("pdftotext")
        .args(["-layout"])
        .arg(&file)
        .arg("-")
        .output();
    String::from_utf8(read.expect("pdftotext, of poppler-utils").stdout).expect("text")
}

/// Sends so many and books them.
fn book(site: &mut Site, references: &[&str]) {
    let mut ids: Vec<ConsignmentId> = Vec::new();
    for reference in references {
        site.desk.type_consignment(reference);
        site.desk.send();
        ids.push(site.desk.until("created", |core| {
            let made = core.shared.last_created.as_ref()?;
            (made.customer_reference.as_deref() == Some(*reference)).then_some(made.id)
        }));
    }
    site.desk.core.push(DispatchCommand::Group(ids).into());
    let group = site.desk.until("grouped", |core| {
        let groups = &core.shared.groups;
        (!groups.is_loading()).then(|| groups.value()?.first().cloned())?
    });
    let draft = PickupDraft::from(group);
    let group = draft
        .check(site.desk.core.shared.now, "Australia/Sydney")
        .expect("it is right");
    site.desk
        .core
        .push(DispatchCommand::Book(vec![group]).into());
    site.desk.until("booked", |core| {
        let mut all = core.shared.operations.iter();
        all.find(|one| one.kind == Kind::Manifest && one.state == OperationState::Done)
            .map(|_| ())
    });
}

/// A board on which MS7 is damaged.
fn board(site: &mut Site) -> Board {
    let mut damaged = delivered(7, 0);
    damaged["status"] = serde_json::json!({ "id": 9, "name": "Damaged" });
    damaged["toLocation"] =
        serde_json::json!({ "suburb": "West Perth", "state": "WA", "postcode": "6005" });
    damaged["carrier"] =
        serde_json::json!({ "id": 2, "name": "Bluegum", "displayName": "Bluegum" });
    damaged["carrierConsignmentId"] = "BG-55102".into();
    site.has(&[damaged]);
    site.desk.core.push(TrackCommand::Open(MS7).into());
    site.desk.until("it is followed", |core| {
        core.shared.track.page.whole.value().map(|_| ())
    });
    site.wire.heal();
    let share = Share {
        on_time: 27,
        late: 2,
        failed: 1,
    };
    Board {
        unmanifested: 2,
        due_today: 1,
        late: 3,
        went_wrong: 1,
        share,
        carriers: vec![CarrierTally {
            carrier: None,
            name: "Bluegum".to_owned(),
            share,
        }],
        exceptions: vec![ExceptionRow {
            id: MS7,
            exception: Exception::Damaged,
            since: "2026-11-18T22:12:00Z".parse().expect("a moment"),
        }],
        ..Board::default()
    }
}

fn made(site: &mut Site) -> Arc<DaySheet> {
    let board = board(site);
    site.desk.core.shared.track.board = Remote::ready(Arc::new(board));
    site.desk.core.push(OutCommand::ShowDaySheet.into());
    site.desk.until("the sheet", |core| {
        let sheet = &core.shared.track.out.sheet;
        assert!(sheet.problem().is_none(), "{:?}", sheet.problem());
        sheet.value().cloned()
    })
}

#[test]
fn the_day_sheet_says_what_was_booked_what_waits_and_what_needs_a_person() {
    let mut site = Site::open();
    book(&mut site, &["SO-1", "SO-2"]);
    let sheet = made(&mut site);
    let said = read(&sheet.pdf);
    for words in [
        "Day sheet",
        "Fri 20 Nov 2026",
        "Booked today",
        "1 manifest",
        "36.0",
        "Unmanifested still",
        "Needs a person",
        "MS7",
        "Kings Park Nursery,",
        "West Perth",
        "BG-55102",
        "19 Nov",
        "09:12",
        "damaged",
        "What was done",
        "90.0 %",
        "2 (1 due today)",
        "Supervisor",
        "Signature",
        "Page 1 of",
        "PRACTICE",
        "Bench 4",
    ] {
        assert!(said.contains(words), "{words} is not on the sheet:\n{said}");
    }
    let path = site.home.places.data().join("day.pdf");
    let save = OutCommand::SaveDaySheet(Some(path.display().to_string()));
    site.desk.core.push(save.into());
    site.desk.until("saved", |core| {
        let mut notices = core.shared.notices.iter();
        notices
            .find(|(_, notice)| notice.headline.starts_with("Day sheet saved to "))
            .map(|_| ())
    });
    assert_eq!(
        std::fs::read(&path).expect("it is there"),
        sheet.pdf.as_ref()
    );
}

#[test]
fn without_a_printer_for_manifests_nothing_is_printed_anywhere_and_that_is_said() {
    let mut site = Site::open();
    drop(made(&mut site));
    assert_eq!(site.desk.core.shared.track.out.printer, None);
    site.desk.core.push(OutCommand::PrintDaySheet.into());
    site.desk.turn();
    site.desk.turn();
    let notices = &site.desk.core.shared.notices;
    assert!(
        notices
            .iter()
            .any(|(_, notice)| notice.headline.to_lowercase().contains("print")),
        "{notices:?}"
    );
    assert!(site.desk.core.shared.jobs.is_empty());
}
