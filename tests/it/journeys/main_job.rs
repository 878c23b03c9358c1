//! The main job through the real widgets, over the practice service on a real socket: only typing and keys,
//! up to the last printed dot.

use app::state::{OperationKind, OperationState, Preview, Screen};
use draft::Routing;
use egui::{Key, Modifiers};
use practice::AnswerShapes;
use printing::codes;
use printing::page::Bitmap;
use shipping::Consignment;

use crate::editor::journeys::DRIP_KIT;
use crate::support::clerk::Clerk;
use crate::support::desk::{Home, operation};
use crate::support::printers::{at_port, label_printer};
use crate::support::readers::burn;
use crate::support::recorder::Recorder;

fn printing_on(home: &mut Home, printer: &Recorder) {
    let printer = label_printer("Zebra bench 4", at_port(printer.port()));
    home.settings.printers = vec![printer];
    home.settings
        .assign_printer(engine::DocumentKind::ItemLabels, "Zebra bench 4");
}

fn dots(preview: &Preview) -> Bitmap {
    preview.bitmap.clone()
}

fn consign(clerk: &mut Clerk) -> Consignment {
    clerk.until("the saved locations", |core| {
        let places = core.shared.catalogue.locations.value()?;
        (!places.is_empty()).then_some(())
    });
    clerk.keys("<Alt+1>HSYD<Enter><Alt+2>BALFG<Enter><Alt+3>");
    for text in DRIP_KIT {
        clerk.text(text);
        clerk.keys("<Tab>");
    }
    clerk.until("routes", |core| {
        core.shared
            .consign
            .routes
            .value()
            .filter(|routes| !routes.is_empty())
            .map(drop_it)
    });
    clerk.keys("<Ctrl+1>");
    clerk.until("a route is chosen", |core| {
        matches!(core.editing.draft.routing, Routing::Chosen(_)).then_some(())
    });
    super::kit::picture(&mut clerk.window, "main-job-consign");
    clerk.keys("<Ctrl+Enter>");
    clerk.until("created", |core| core.shared.consign.last_created.clone())
}

fn drop_it<T>(_: T) {}

/// Looks at both pages, prints, and holds what was burnt against what was shown.
fn print(clerk: &mut Clerk, printer: &Recorder, consignment: &Consignment) {
    clerk.keys("<F4>");
    let first = clerk.until("the first page", |core| {
        core.shared.labels.preview.value().cloned()
    });
    assert!(first.checked, "{:?}", first.notes);
    super::kit::picture(&mut clerk.window, "main-job-labels");
    clerk.keys("<Ctrl+PageDown>");
    let second = clerk.until("the second page", |core| {
        core.shared
            .labels
            .preview
            .value()
            .filter(|preview| preview.page == 1)
            .cloned()
    });
    clerk.keys("<Ctrl+P>");
    let job = printer.jobs(1).remove(0);
    let burnt = burn(&job);
    assert!(
        burnt == [dots(&first), dots(&second)],
        "what is burnt differs from what was previewed"
    );
    for (page, reference) in burnt.iter().zip(consignment.item_references()) {
        let read = codes::read(page);
        assert!(
            read.iter().any(|code| code.text == reference),
            "{reference} is not among {read:?}"
        );
    }
}

/// Groups everything and holds the key that books it.
fn book(clerk: &mut Clerk) {
    clerk.keys("<F3>");
    let place = clerk.until("it is listed", |core| {
        let listed = core.shared.dispatch.unmanifested.value()?;
        let id = listed.first().filter(|_| listed.len() == 1)?;
        let row = core.shared.row(*id)?;
        (core.shared.screen == Screen::Dispatch).then(|| row.to_place.clone())
    });
    assert!(
        !place.suburb.is_empty() && !place.state.is_empty() && !place.country.is_empty(),
        "{place:?}"
    );
    clerk.keys("<Ctrl+G>");
    clerk.until("grouped", |core| {
        let groups = core.shared.dispatch.groups.value()?;
        (groups.len() == 1).then_some(())
    });
    super::kit::picture(&mut clerk.window, "main-job-grouped");
    clerk
        .window
        .key_down_modifiers(Modifiers::COMMAND, Key::Enter);
    let booked = clerk.until("booked", |core| {
        operation(core, OperationKind::Manifest, OperationState::Done)
    });
    clerk
        .window
        .key_up_modifiers(Modifiers::COMMAND, Key::Enter);
    clerk.chords += 1;
    clerk.rest();
    super::kit::picture(&mut clerk.window, "main-job-booked");
    assert!(
        !booked.reference.is_empty(),
        "the carrier's reference is kept"
    );
}

#[test]
fn the_main_job_is_done_by_typing_and_keys_only_to_the_last_dot_on_paper() {
    main_job_in(AnswerShapes::Plain);
}

/// The main job, at a practice service that answers in these shapes; every list on its way is full.
pub(crate) fn main_job_in(shapes: AnswerShapes) {
    let mut home = Home::new();
    let practice = home.practise_shaped(shapes);
    let printer = Recorder::start();
    printing_on(&mut home, &printer);
    let mut clerk = Clerk::new(&home, &practice);

    let consignment = consign(&mut clerk);
    let kept = &clerk.core().editing.draft;
    assert!(
        kept.is_blank() && kept.from.saved.is_some(),
        "ready for the next, the sender kept"
    );
    assert_eq!(
        consignment.item_references().len(),
        2,
        "a reference a piece"
    );
    print(&mut clerk, &printer, &consignment);
    book(&mut clerk);
    assert_eq!(
        clerk
            .core()
            .shared
            .dispatch
            .unmanifested
            .value()
            .map(|list| list.len()),
        Some(0)
    );
    assert!(clerk.chords <= 20, "{} keys besides text", clerk.chords);
    followed(&mut clerk);
}

/// Track has it, and nothing of any list was set aside.
fn followed(clerk: &mut Clerk) {
    clerk.keys("<F5><F8>");
    clerk.until("it is followed", |core| {
        let board = core.shared.track.board.value()?;
        let known = core.shared.track.mark.is_some() && !core.shared.track.sync.is_loading();
        (known && board.total == 1 && board.booked == 1).then_some(())
    });
    let unread = &clerk.core().shared.catalogue.unreadable;
    for list in [
        &unread.unmanifested,
        &unread.tracked,
        &unread.locations,
        &unread.routes,
    ] {
        assert!(list.of > 0 && list.records.is_empty(), "{list:?}");
    }
}
