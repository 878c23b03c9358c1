//! Files that are dropped on the window: orders are imported, a label is shown and printed. What was saved can be found in
//! the file manager.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::{env, fs};

use app::state::{
    ImportStage, JobState, JobSubject, LabelsCommand, PrinterForm, SaveCommand, SaveRequest, Screen,
};
use egui::{DroppedFile, HoveredFile};

use crate::journeys::kit::picture_showing;
use crate::support::desk::{Home, notice};
use crate::support::front::Front;
use crate::support::keyboard::click;
use crate::support::labels::a6;
use crate::support::readers::burn;
use crate::support::recorder::Recorder;
use crate::support::wait::{SOON, until};

/// A file as the window system names it.
#[derive(Debug)]
struct Dropped(PathBuf);

impl DroppedFile for Dropped {
    fn path(&self) -> &Path {
        &self.0
    }

    fn bytes(&self) -> Result<Vec<u8>, String> {
        fs::read(&self.0).map_err(|error| error.to_string())
    }
}

fn drop_on(front: &mut Front, path: &Path) {
    let file = Arc::new(Dropped(path.to_owned()));
    front.widgets().input_mut().dropped_files.push(file);
    front.rest();
}

fn bench() -> (Home, practice::RunningService, Front) {
    let home = Home::new();
    let practice = home.practise();
    let front = Front::at_practice(&home, &practice);
    (home, practice, front)
}

fn set_up(front: &mut Front, name: &str, printer: &Recorder) {
    let form = PrinterForm {
        name: name.to_owned(),
        destination: format!("127.0.0.1:{}", printer.port()),
        dots_per_mm: "8".to_owned(),
        ..PrinterForm::default()
    };
    front.ask(LabelsCommand::SavePrinter(Box::new(form)));
    front.rest();
}

#[test]
fn a_file_of_orders_that_is_dropped_is_imported_from_any_screen() {
    let (home, _practice, mut front) = bench();
    let orders = home.places.data().join("orders.csv");
    fs::write(&orders, "Reference,To name\nSO-1,Ballarat Farm\n").expect("a file");
    front.keys("<F4>");
    let hovered = HoveredFile::default();
    front.widgets().input_mut().hovered_files.push(hovered);
    front.widgets().step();
    picture_showing(front.widgets(), "file-above-window", &[]);
    front.widgets().input_mut().hovered_files.clear();
    drop_on(&mut front, &orders);
    front.until("the columns", |shared| {
        assert_eq!(shared.screen, Screen::Consign);
        (shared.consign.import.stage == ImportStage::Columns).then_some(())
    });
}

#[test]
fn a_label_that_is_dropped_is_shown_and_printed_on_the_chosen_printer() {
    let (home, _practice, mut front) = bench();
    let (zebra, dock) = (Recorder::start(), Recorder::start());
    set_up(&mut front, "Zebra", &zebra);
    set_up(&mut front, "Dock", &dock);
    let label = home.places.data().join("Tasman 4711.pdf");
    fs::write(&label, a6(&["TF4711"])).expect("a file");
    drop_on(&mut front, &label);
    front.until("it is shown", |shared| {
        shared
            .labels
            .file
            .value()
            .map(|file| assert_eq!(file.printer, "Zebra"))
    });
    front.rest();
    picture_showing(
        front.widgets(),
        "label-file",
        &["Print a label file", "Tasman 4711", "Printer", "Print"],
    );
    front.ask(LabelsCommand::OpenFile(label, Some("Dock".to_owned())));
    front.until("it is drawn for the other printer", |shared| {
        (shared.labels.file.value()?.printer == "Dock").then_some(())
    });
    front.rest();
    // The printer has the keyboard; Print comes after it.
    front.keys("<Tab><Enter>");
    let paper = dock.jobs(1);
    let codes = printing::codes::read(&burn(&paper[0])[0]);
    assert!(codes.iter().any(|code| code.text == "TF4711"), "{codes:?}");
    front.until("the job is listed", |shared| {
        let job = shared.labels.jobs.first()?;
        let is_it = (job.subject, &*job.number) == (JobSubject::Document, "Tasman 4711");
        (is_it && job.state == JobState::Sent).then_some(())
    });
    assert!(
        front.shared().labels.file.value().is_none(),
        "the dialog is closed"
    );
    assert_eq!(zebra.count(), 0);
}

#[test]
fn files_that_are_of_no_use_are_named_with_what_is() {
    let (home, _practice, mut front) = bench();
    let picture = home.places.data().join("holiday.gif");
    fs::write(&picture, "GIF89a").expect("a file");
    drop_on(&mut front, &picture);
    let told = front.until("the notice", |shared| {
        notice(shared, "can't use holiday.gif")
    });
    assert!(told.advice.contains("CSV"), "{told:?}");

    let broken = home.places.data().join("broken.pdf");
    fs::write(&broken, "no PDF").expect("a file");
    drop_on(&mut front, &broken);
    let told = front.until("the notice", |shared| {
        notice(shared, "No printer is chosen for labels")
    });
    assert!(!told.advice.is_empty());
    let printer = Recorder::start();
    set_up(&mut front, "Zebra", &printer);
    for bytes in [&b"no PDF"[..], b""] {
        fs::write(&broken, bytes).expect("a file");
        drop_on(&mut front, &broken);
        front.until("the problem", |shared| {
            shared.labels.file.problem().map(|_| ())
        });
        front.rest();
        picture_showing(
            front.widgets(),
            "label-file-broken",
            &["Couldn't read the file as a label"],
        );
        front.keys("<Escape>");
        front.rest();
        assert!(front.shared().labels.file.problem().is_none());
    }
    fs::remove_file(&broken).expect("it is there");
    drop_on(&mut front, &broken);
    front.until("the problem", |shared| {
        shared.labels.file.problem().map(|_| ())
    });
    assert_eq!(printer.count(), 0);
}

/// The file in which the file manager of this test writes what it was told to open.
const OPENED: &str = "PACKBENCH_TEST_OPENED";

#[test]
#[ignore = "run by the test below, with a file manager of its own"]
fn with_a_file_manager_of_its_own() {
    let opened = PathBuf::from(env::var_os(OPENED).expect("set by the test below"));
    let (home, _practice, mut front) = bench();
    front.type_consignment("SO-1");
    front.keys("<Ctrl+Enter>");
    let made = front.until("it is made", |shared| shared.consign.last_created.clone());
    let file = home.places.data().join("label.pdf");
    let request = SaveRequest::Labels(vec![made.id]);
    front.ask(SaveCommand::Save(request, Some(file.display().to_string())));
    front.until("it is saved", |shared| notice(shared, "Label saved to"));
    front.rest();
    click(front.widgets(), "Open folder");
    let folder = until("the folder", SOON, || {
        front.rest();
        fs::read_to_string(&opened)
            .ok()
            .filter(|text| text.ends_with('\n'))
    });
    assert_eq!(Path::new(folder.trim()), home.places.data());
}

#[test]
fn the_folder_of_a_saved_file_opens_in_the_file_manager() {
    let folder = tempfile::tempdir().expect("a folder");
    let opened = folder.path().join("opened");
    let manager = folder.path().join("xdg-open");
    fs::write(&manager, format!("#!/bin/sh\necho \"$1\" >\"${OPENED}\"\n")).expect("a program");
    fs::set_permissions(&manager, fs::Permissions::from_mode(0o755)).expect("its rights");
    let path = env::var("PATH").expect("a path");
    let output = Command::new(env::current_exe().expect("this test's own program"))
        .args([
            "--exact",
            "print::dropped::with_a_file_manager_of_its_own",
            "--ignored",
        ])
        .env("PATH", format!("{}:{path}", folder.path().display()))
        .env(OPENED, &opened)
        .output()
        .expect("the test runs");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && said.contains("1 passed"),
        "{said}"
    );
}
