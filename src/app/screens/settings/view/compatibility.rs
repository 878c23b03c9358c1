//! The compatibility settings of a connection. The specification's variant comes first.

use egui::Ui;

use super::form::note;
use crate::ui::connection::{ConnectionForm, FieldErrors};
use draft::{ConnectionField, ServicePath};
use shipping::{BenchKeyField, CompanyIdFormat, DespatchSpelling, IdListFormat, Paths};
use widgets::card::Card;
use widgets::checkbox::checkbox;
use widgets::select::Select;
use widgets::{icons, layout};

pub(super) fn card(ui: &mut Ui, form: &mut ConnectionForm, errors: &FieldErrors) {
    Card::new("Compatibility").icon(icons::ICON_TRANSLATE).show(
        ui,
        |_| {},
        |ui| {
            ui.spacing_mut().item_spacing.y = 8.0;
            note(
                ui,
                "Keep the defaults unless your service provider tells you otherwise",
            );
            spellings(ui, form);
            ui.add_space(4.0);
            optional(ui, form);
            ui.add_space(4.0);
            key(ui, form);
            ui.add_space(4.0);
            paths(ui, form, errors);
        },
    );
}

/// Draws the choice of where consignments carry the bench's key, and what that means for reconciliation.
fn key(ui: &mut Ui, form: &mut ConnectionForm) {
    let places = [
        BenchKeyField::SecondReference,
        BenchKeyField::FirstReference,
        BenchKeyField::Nowhere,
    ];
    let options = ["Second reference (usual)", "First reference", "Nowhere"];
    let chosen = form.draft.compatibility.key;
    let now = places.iter().position(|place| *place == chosen);
    let words = match chosen {
        BenchKeyField::SecondReference | BenchKeyField::FirstReference => {
            "Where the clerk leaves this reference empty, the bench writes a key into it and finds the consignment by it after a \
             lost answer. A consignment with a reference of its own there is compared, and you are asked whether it is the one"
        }
        BenchKeyField::Nowhere => {
            "No consignment carries a key. After a lost answer the bench compares receiver, pieces, weight and time, and asks \
             you; of two that are alike it can't tell which is which. After the journal was damaged it can't tell its own \
             consignments from those of other benches"
        }
    };
    let now = (now.unwrap_or_default(), &options[..]);
    if let Some(picked) = pick(ui, "The bench's key", now, words) {
        form.draft.compatibility.key = places[picked];
    }
}

fn spellings(ui: &mut Ui, form: &mut ConnectionForm) {
    let dialect = &mut form.draft.compatibility;
    let options = ["dispatchDateTime… (specification)", "despatchDateTime…"];
    let now = usize::from(dialect.despatch == DespatchSpelling::Despatch);
    let words = "How the time of despatch is spelt on create. A service ignores the spelling that it does not know, and \
                 despatches at once";
    if let Some(picked) = pick(ui, "Despatch time", (now, &options), words) {
        dialect.despatch = [DespatchSpelling::Dispatch, DespatchSpelling::Despatch][picked];
    }
    let options = ["{\"ids\": [1, 2]} (as published)", "[1, 2]"];
    let now = usize::from(dialect.ids == IdListFormat::Bare);
    let words = "How consignments are requested by their ids";
    if let Some(picked) = pick(ui, "Lists of ids", (now, &options), words) {
        dialect.ids = [IdListFormat::Object, IdListFormat::Bare][picked];
    }
    let options = ["\"7\" (specification)", "7"];
    let now = usize::from(dialect.company == CompanyIdFormat::Number);
    let words = "How the company is sent when all unmanifested consignments are grouped";
    if let Some(picked) = pick(ui, "Company when grouping", (now, &options), words) {
        dialect.company = [CompanyIdFormat::Text, CompanyIdFormat::Number][picked];
    }
}

/// Draws a drop-down with an explanation beside it.
fn pick(ui: &mut Ui, label: &str, (now, options): (usize, &[&str]), words: &str) -> Option<usize> {
    let mut picked = None;
    layout::row(ui, &[1.0, 1.0], |at, ui| {
        if at == 0 {
            picked = Select::new(label, Some(now), options).show(ui).picked;
        } else {
            ui.add_space(20.0);
            note(ui, words);
        }
    });
    picked
}

fn optional(ui: &mut Ui, form: &mut ConnectionForm) {
    let dialect = &mut form.draft.compatibility;
    let has = &mut dialect.optional;
    for (on, words, about) in [
        (
            &mut has.unmanifested_list,
            "Lists unmanifested consignments",
            "getUnmanifested: Dispatch fetches less. Otherwise the list comes from recent updates and from grouping all",
        ),
        (
            &mut has.linked_pending,
            "Converts pending consignments on create",
            "linkedPendingConsignmentIds: sent with a consignment only where this is ticked",
        ),
        (
            &mut has.printers,
            "Lists its own printers",
            "groupConsignmentsForPrinting. Otherwise you enter the service's printers by number",
        ),
        (
            &mut dialect.pause_means_not_done,
            "HTTP 429 means that nothing was done",
            "Only if your contract says so: Packbench then sends again after the pause. Otherwise it checks first",
        ),
    ] {
        layout::row(ui, &[1.0, 1.0], |at, ui| {
            if at == 0 {
                checkbox(ui, &mut *on, words);
            } else {
                ui.add_space(4.0);
                note(ui, about);
            }
        });
    }
    note(
        ui,
        "These are not in the specification. Packbench uses only what is ticked",
    );
}

fn paths(ui: &mut Ui, form: &mut ConnectionForm, errors: &FieldErrors) {
    let usual = Paths::default();
    let rows = [
        [
            (ServicePath::Routes, "Path of routes", &usual.routes),
            (
                ServicePath::ComplexRoutes,
                "Path of routes with dangerous goods",
                &usual.complex_routes,
            ),
        ],
        [
            (
                ServicePath::Locations,
                "Path of saved locations",
                &usual.company_locations,
            ),
            (
                ServicePath::UnNumbers,
                "Path of UN numbers",
                &usual.un_numbers,
            ),
        ],
    ];
    for row in rows {
        layout::row(ui, &[1.0, 1.0], |at, ui| {
            let (path, label, usual) = row[at];
            form.text(ui, errors, ConnectionField::Path(path), label, usual);
        });
    }
    note(ui, "Leave a path empty to use the specification's");
}
