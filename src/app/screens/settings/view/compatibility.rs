//! The compatibility settings of a connection. The specification's variant comes first.

use egui::Ui;

use super::form::text_pair;
use crate::ui::connection::{ConnectionForm, FieldErrors};
use crate::ui::parts::choice;
use draft::{ConnectionField, ServicePath};
use engine::compared_names;
use shipping::{BenchKeyField, CompanyIdFormat, DespatchSpelling, IdListFormat, Paths};
use widgets::card::Card;
use widgets::checkbox::checkbox;
use widgets::{icons, layout, text};

pub(super) fn card(ui: &mut Ui, form: &mut ConnectionForm, errors: &FieldErrors) {
    let card = Card::new("Compatibility").icon(icons::ICON_TRANSLATE);
    card.body(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 8.0;
        let words = "Keep the defaults unless your service provider tells you otherwise";
        text::small_note(ui, words);
        spellings(ui, form);
        ui.add_space(4.0);
        optional(ui, form);
        ui.add_space(4.0);
        key(ui, form);
        ui.add_space(4.0);
        paths(ui, form, errors);
    });
}

/// Draws the choice of where consignments carry the bench's key, and what that means for reconciliation.
fn key(ui: &mut Ui, form: &mut ConnectionForm) {
    const PLACES: [(BenchKeyField, &str); 3] = [
        (BenchKeyField::SecondReference, "Second reference (usual)"),
        (BenchKeyField::FirstReference, "First reference"),
        (BenchKeyField::Nowhere, "Nowhere"),
    ];
    let key = &mut form.draft.compatibility.key;
    let words = match key {
        BenchKeyField::SecondReference | BenchKeyField::FirstReference => {
            "Where the clerk leaves this reference empty, the bench writes a key into it and finds the consignment by it after a \
             lost answer. A consignment with a reference of its own there is compared, and you are asked whether it is the one"
                .to_owned()
        }
        BenchKeyField::Nowhere => format!(
            "No consignment carries a key. After a lost answer the bench compares {}, and asks \
             you; of two that are alike it can't tell which is which. After the journal was damaged it can't tell its own \
             consignments from those of other benches",
            compared_names()
        ),
    };
    explained_choice(ui, "The bench's key", key, &PLACES, &words);
}

fn spellings(ui: &mut Ui, form: &mut ConnectionForm) {
    let compatibility = &mut form.draft.compatibility;
    explained_choice(
        ui,
        "Despatch time",
        &mut compatibility.despatch,
        &[
            (
                DespatchSpelling::Dispatch,
                "dispatchDateTime… (specification)",
            ),
            (DespatchSpelling::Despatch, "despatchDateTime…"),
        ],
        "How the time of despatch is spelt on create. A service ignores the spelling that it does not know, and \
         despatches at once",
    );
    explained_choice(
        ui,
        "Lists of ids",
        &mut compatibility.ids,
        &[
            (IdListFormat::Object, "{\"ids\": [1, 2]} (as published)"),
            (IdListFormat::Bare, "[1, 2]"),
        ],
        "How consignments are requested by their ids",
    );
    explained_choice(
        ui,
        "Company when grouping",
        &mut compatibility.company,
        &[
            (CompanyIdFormat::Text, "\"7\" (specification)"),
            (CompanyIdFormat::Number, "7"),
        ],
        "How the company is sent when all unmanifested consignments are grouped",
    );
}

/// Draws a drop-down with an explanation beside it.
fn explained_choice<T: Copy + PartialEq>(
    ui: &mut Ui,
    label: &str,
    chosen: &mut T,
    options: &[(T, &str)],
    words: &str,
) {
    layout::row(ui, &[1.0, 1.0], |at, ui| {
        if at == 0 {
            choice(ui, label, chosen, options);
        } else {
            ui.add_space(20.0);
            text::small_note(ui, words);
        }
    });
}

fn optional(ui: &mut Ui, form: &mut ConnectionForm) {
    let compatibility = &mut form.draft.compatibility;
    let has = &mut compatibility.optional;
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
            &mut compatibility.pause_means_not_done,
            "HTTP 429 means that nothing was done",
            "Only if your contract says so: Packbench then sends again after the pause. Otherwise it checks first",
        ),
    ] {
        layout::row(ui, &[1.0, 1.0], |at, ui| {
            if at == 0 {
                checkbox(ui, &mut *on, words);
            } else {
                ui.add_space(4.0);
                text::small_note(ui, about);
            }
        });
    }
    text::small_note(
        ui,
        "These are not in the specification. Packbench uses only what is ticked",
    );
}

fn paths(ui: &mut Ui, form: &mut ConnectionForm, errors: &FieldErrors) {
    let usual = Paths::default();
    let path = |path, label, usual| (ConnectionField::Path(path), label, usual);
    let dangerous = "Path of routes with dangerous goods";
    let routes = [
        path(ServicePath::Routes, "Path of routes", &*usual.routes),
        path(ServicePath::ComplexRoutes, dangerous, &usual.complex_routes),
    ];
    let lists = [
        path(
            ServicePath::Locations,
            "Path of saved locations",
            &usual.company_locations,
        ),
        path(
            ServicePath::UnNumbers,
            "Path of UN numbers",
            &usual.un_numbers,
        ),
    ];
    text_pair(ui, form, errors, routes);
    text_pair(ui, form, errors, lists);
    text::small_note(ui, "Leave a path empty to use the specification's");
}
