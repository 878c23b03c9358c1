//! How a service speaks: where deployments differ, each with what it does, and the specification's way first.

use egui::Ui;

use super::super::connection::{Errors, Form};
use super::super::kit::card::Card;
use super::super::kit::checkbox::checkbox;
use super::super::kit::select::Select;
use super::super::kit::{icons, layout};
use super::form::note;
use crate::draft::{ConnectionField, ServicePath};
use crate::shipping::{CompanyForm, DespatchSpelling, IdLists, Paths};

pub(super) fn card(ui: &mut Ui, form: &mut Form, errors: &Errors) {
    Card::new("How it speaks").icon(icons::ICON_TRANSLATE).show(
        ui,
        |_| {},
        |ui| {
            ui.spacing_mut().item_spacing.y = 6.0;
            note(
                ui,
                "Leave all of it as the specification has it, unless the service's people say otherwise",
            );
            spellings(ui, form);
            ui.add_space(4.0);
            optional(ui, form);
            ui.add_space(4.0);
            paths(ui, form, errors);
        },
    );
}

fn spellings(ui: &mut Ui, form: &mut Form) {
    let dialect = &mut form.draft.dialect;
    layout::row(ui, &[1.0, 1.0, 1.0], |at, ui| match at {
        0 => {
            let options = ["dispatchDateTime… (specification)", "despatchDateTime…"];
            let now = usize::from(dialect.despatch == DespatchSpelling::Despatch);
            if let Some(picked) = pick(ui, "Despatch time", now, &options) {
                dialect.despatch = [DespatchSpelling::Dispatch, DespatchSpelling::Despatch][picked];
            }
            note(
                ui,
                "A service ignores the spelling that it does not know, and despatches at once",
            );
        }
        1 => {
            let options = ["{\"ids\": […]} (as published)", "[…]"];
            let now = usize::from(dialect.ids == IdLists::Bare);
            if let Some(picked) = pick(ui, "Lists of ids", now, &options) {
                dialect.ids = [IdLists::Object, IdLists::Bare][picked];
            }
            note(ui, "How consignments are asked for by their numbers");
        }
        _ => {
            let options = ["\"7\" (specification)", "7"];
            let now = usize::from(dialect.company == CompanyForm::Number);
            if let Some(picked) = pick(ui, "Company when grouping", now, &options) {
                dialect.company = [CompanyForm::Text, CompanyForm::Number][picked];
            }
            note(ui, "How the company is named when all of it is grouped");
        }
    });
}

fn pick(ui: &mut Ui, label: &str, now: usize, options: &[&str]) -> Option<usize> {
    Select::new(label, Some(now), options).show(ui).picked
}

fn optional(ui: &mut Ui, form: &mut Form) {
    let has = &mut form.draft.dialect.optional;
    checkbox(
        ui,
        &mut has.unmanifested_list,
        "It lists what is unmanifested (getUnmanifested)",
    );
    checkbox(
        ui,
        &mut has.linked_pending,
        "It converts pending consignments on create (linkedPendingConsignmentIds)",
    );
    checkbox(
        ui,
        &mut has.printers,
        "It names its own printers (groupConsignmentsForPrinting)",
    );
    note(
        ui,
        "The specification has none of these: the bench does without what is not ticked",
    );
}

fn paths(ui: &mut Ui, form: &mut Form, errors: &Errors) {
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
    note(ui, "An empty path is the specification's");
}
