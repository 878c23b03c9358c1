//! The booked manifests: a list with a filter, and the page of the selected manifest, to be printed or saved.

use std::sync::Arc;

use egui::{Align, Align2, Key, Label, Layout, Modifiers, Response, Role, ScrollArea, Ui, vec2};

use crate::state::{
    BookedLine, BookedManifest, ExportCell, GroupsCommand, ManifestRow, Notice, OperationId,
    SaveRequest,
};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::export::{Export, ExportDialog, all_rows};
use crate::ui::format::{counted, day_and_time, kilograms, zone_name};
use crate::ui::frame::notices;
use crate::ui::parts::list_row;
use shipping::LocalTime;
use widgets::badge::{self, Badge};
use widgets::button::Button;
use widgets::card::{self, Card};
use widgets::empty_state::empty_state;
use widgets::field::{Field, OnEnter};
use widgets::tokens::{Tone, palette, size};
use widgets::{layout, modal, paint, text};

/// Height of a row of the list, in points.
const ROW: f32 = 52.0;

/// State of the booked manifests between frames.
#[derive(Default)]
pub(super) struct ManifestsState {
    open: bool,
    filter: String,
    filtered: FilteredManifests,
    export: ExportDialog,
}

impl ManifestsState {
    pub(super) const fn is_open(&self) -> bool {
        self.open
    }

    /// Returns whether a dialog is open in front of the list.
    pub(super) const fn has_dialog(&self) -> bool {
        self.export.is_open()
    }

    /// Opens the list, with the page of the manifest `shown` if there is one.
    pub(super) fn open(&mut self, context: &mut Context<'_>, shown: Option<OperationId>) {
        self.open = true;
        context.push(GroupsCommand::ListManifests);
        if let Some(shown) = shown {
            self.filter.clear();
            context.push(GroupsCommand::OpenManifest(shown));
        }
    }

    /// Draws the booked manifests in place of the unmanifested consignments.
    pub(super) fn show(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        if context.is_triggered(Action::Manifests)
            || (!context.is_dialog_open && modal::consume_escape(ui))
        {
            self.open = false;
            return;
        }
        let left = (ui.available_width() * 0.34).clamp(280.0, 420.0);
        let right = ui.available_width() - left - size::GUTTER;
        layout::panes(ui, &[left, right], |pane, ui| {
            if pane == 0 {
                self.list(ui, context);
            } else {
                page(ui, context);
            }
        });
    }

    fn list(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        ui.horizontal(|ui| {
            ui.set_height(size::PRIMARY);
            ui.label(text::title("Booked manifests"));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let back = Button::new("Back").key("Esc");
                if ui.add(back).clicked() {
                    self.open = false;
                }
            });
        });
        ui.add_space(size::GRID);
        let key = Action::Filter.key();
        let field = Field::new("Filter the booked manifests", &mut self.filter).hide_label();
        let field = field.hint("Number, carrier, receiver or date").key(&key);
        let shown = field.on_enter(OnEnter::Stay).show(ui);
        if context.is_triggered(Action::Filter) {
            shown.response.request_focus();
        }
        ui.add_space(size::GRID);
        let shared = context.shared;
        let none = Arc::default();
        let all = shared
            .dispatch
            .groups_view
            .manifests
            .value()
            .unwrap_or(&none);
        let rows = self.filtered.rows(all, &shared.session.zone, &self.filter);
        Self::handle_arrow_keys(ui, context, &rows);
        show_export(ui, context, &mut self.export, &rows);
        Card::plain()
            .flush()
            .fill_height()
            .body(ui, |ui| rows_of(ui, context, (&rows, all.is_empty())));
    }

    /// Moves through the list with the arrow keys, unless a dialog is open in front of the list.
    fn handle_arrow_keys(ui: &Ui, context: &mut Context<'_>, rows: &[&ManifestRow]) {
        if context.is_dialog_open || rows.is_empty() {
            return;
        }
        let pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
        let step: isize = match (pressed(Key::ArrowDown), pressed(Key::ArrowUp)) {
            (true, _) => 1,
            (_, true) => -1,
            _ => return,
        };
        let shown = context.shared.dispatch.groups_view.shown;
        let at = rows.iter().position(|row| Some(row.operation) == shown);
        let next = at.map_or(0, |at| at.saturating_add_signed(step).min(rows.len() - 1));
        context.push(GroupsCommand::OpenManifest(rows[next].operation));
    }
}

fn rows_of(ui: &mut Ui, context: &mut Context<'_>, (rows, none): (&[&ManifestRow], bool)) {
    let manifests = &context.shared.dispatch.groups_view.manifests;
    if rows.is_empty() {
        let why = manifests.problem().map(|problem| {
            let why = Notice::failed("", problem).advice;
            format!("{why}. Then go back and open the booked manifests again")
        });
        let (headline, words) = if manifests.is_loading() {
            ("Loading", "Manifests booked from this bench")
        } else if let Some(why) = &why {
            ("Couldn't load the list", why.as_str())
        } else if none {
            ("Nothing booked yet", "Group consignments and book them")
        } else {
            (
                "No results",
                "No booked manifest matches all of these words",
            )
        };
        empty_state(ui, Action::Manifests.entry().icon, headline, words, None);
        return;
    }
    ui.spacing_mut().item_spacing.y = 0.0;
    let list = ScrollArea::vertical().auto_shrink(false);
    list.show_rows(ui, ROW, rows.len(), |ui, range| {
        for row in &rows[range] {
            if draw_row(ui, context, row).clicked() {
                context.push(GroupsCommand::OpenManifest(row.operation));
            }
        }
    });
    let words = counted(rows.len(), "manifest", "manifests");
    ui.ctx()
        .accesskit_node_builder(ui.unique_id(), |node| node.set_description(words.as_str()));
}

/// Draws a row of the list: carrier, time of booking, reference and number of consignments.
fn draw_row(ui: &mut Ui, context: &Context<'_>, row: &ManifestRow) -> Response {
    let shared = context.shared;
    let chosen = shared.dispatch.groups_view.shown == Some(row.operation);
    let booked = day_and_time(LocalTime::at(row.booked, &shared.session.zone));
    let count = counted(row.count, "consignment", "consignments");
    let number = match (row.reference.is_empty(), row.manifest) {
        (false, _) => row.reference.clone(),
        (true, Some(id)) => format!("Manifest {id}"),
        (true, None) => "No reference".to_owned(),
    };
    let part = if row.is_partial {
        ", partly booked"
    } else {
        ""
    };
    let name = format!("{} {number}, {booked}, {count}{part}", row.carrier);
    let response = list_row(ui, ROW, Role::Button, &name, chosen);
    let (rect, p) = (response.rect, palette(ui));
    let inner = rect.shrink2(vec2(14.0, 7.0));
    let when = text::line(ui, text::small(booked), inner.width(), p.muted);
    let room = inner.width() - when.size().x - 10.0;
    let carrier = text::line(ui, text::strong(&row.carrier), room, p.text);
    let number = text::line(ui, text::mono(number), room, p.text);
    let amount = text::small(format!("{count}{part}"));
    let amount = text::line(ui, amount, inner.width(), p.muted);
    let painter = ui.painter();
    let top_right = inner.right_top() + vec2(0.0, 2.0);
    paint::text_at(painter, Align2::RIGHT_TOP, top_right, when);
    paint::text_at(painter, Align2::RIGHT_BOTTOM, inner.right_bottom(), amount);
    paint::text_at(painter, Align2::LEFT_TOP, inner.left_top(), carrier);
    paint::text_at(painter, Align2::LEFT_BOTTOM, inner.left_bottom(), number);
    response
}

/// The columns of the export.
const HEADS: [&str; 7] = [
    "Carrier",
    "Reference",
    "Manifest",
    "Booked",
    "Pickup",
    "Consignments",
    "Partly booked",
];

/// Opens the export dialog if its action was requested, and draws it while it is open.
fn show_export(
    ui: &Ui,
    context: &mut Context<'_>,
    dialog: &mut ExportDialog,
    rows: &[&ManifestRow],
) {
    if context.is_triggered(Action::ExportWaiting) {
        let cells = { rows.iter() }.map(|row| cells(row, &context.shared.session.zone));
        let text = all_rows(rows.len());
        let export = Export::of_cells("Booked manifests", text, HEADS, cells.collect());
        dialog.begin(export, context);
    }
    dialog.show(ui, context);
}

fn cells(row: &ManifestRow, zone: &str) -> Vec<ExportCell> {
    let text = |text: &str| ExportCell::Text(text.to_owned());
    let number = row.manifest.map(|id| id.to_string()).unwrap_or_default();
    vec![
        text(&row.carrier),
        text(&row.reference),
        text(&number),
        ExportCell::Time(LocalTime::at(row.booked, zone).0),
        row.pickup
            .map_or_else(|| text(""), |at| ExportCell::Time(at.0)),
        ExportCell::Number(row.count.into()),
        text(if row.is_partial { "yes" } else { "" }),
    ]
}

/// The manifests that match every word of a filter, recomputed when the list or the filter changes, not in every frame.
#[derive(Default)]
struct FilteredManifests {
    all: Arc<Vec<ManifestRow>>,
    zone: String,
    filter: String,
    /// Searchable dates of each manifest; filled when a filter is first typed.
    days: Vec<String>,
    places: Vec<usize>,
}

impl FilteredManifests {
    /// Returns the manifests of `all` that match every word.
    fn rows<'a>(
        &mut self,
        all: &'a Arc<Vec<ManifestRow>>,
        zone: &str,
        filter: &str,
    ) -> Vec<&'a ManifestRow> {
        let is_same = Arc::ptr_eq(&self.all, all) && self.zone == zone;
        if !is_same {
            self.all = Arc::clone(all);
            zone.clone_into(&mut self.zone);
            self.days.clear();
        }
        if !is_same || self.filter != filter {
            filter.clone_into(&mut self.filter);
            self.refilter();
        }
        self.places.iter().map(|place| &all[*place]).collect()
    }

    fn refilter(&mut self) {
        let words: Vec<String> = { self.filter.split_whitespace() }
            .map(str::to_lowercase)
            .collect();
        if !words.is_empty() && self.days.is_empty() {
            self.days = self.all.iter().map(|row| days(row, &self.zone)).collect();
        }
        let holds = |place: &usize| {
            let row = &self.all[*place];
            let is_found =
                |word: &String| row.search_text.contains(word) || self.days[*place].contains(word);
            words.iter().all(is_found)
        };
        self.places = (0..self.all.len()).filter(holds).collect();
    }
}

/// Returns the dates of booking and pickup as searchable text: `fri 20 nov 2026-11-20 20/11/2026`.
fn days(row: &ManifestRow, zone: &str) -> String {
    let booked = LocalTime::at(row.booked, zone);
    let days = [Some(booked), row.pickup].into_iter().flatten();
    let words = days.map(|day| day.0.strftime("%a %-d %b %Y-%m-%d %d/%m/%Y").to_string());
    words.collect::<Vec<_>>().join(" ").to_lowercase()
}

/// Relative widths of the columns: number, reference, receiver, pieces, kilograms, dangerous goods.
const LINE_COLUMNS: [f32; 6] = [1.3, 1.4, 4.2, 0.8, 0.9, 1.0];
const LINE_HEADS: [&str; 6] = ["Consignment", "Reference", "Receiver", "Pieces", "kg", "DG"];

fn page(ui: &mut Ui, context: &mut Context<'_>) {
    let shared = context.shared;
    let Some(shown) = shared.dispatch.groups_view.shown else {
        let icon = Action::Manifests.entry().icon;
        let words = "You can print or save it here";
        empty_state(ui, icon, "Pick a manifest", words, None);
        return;
    };
    page_head(ui, context, shown);
    if let Some(problem) = shared.dispatch.groups_view.manifest.problem() {
        let headline = "Couldn't load the manifest";
        if notices::failed(ui, headline, problem, "Try again") {
            context.push(GroupsCommand::OpenManifest(shown));
        }
    }
    ui.add_space(size::GRID);
    match shared.dispatch.groups_view.manifest.value() {
        Some(page) => {
            if let Some(message) = &page.message {
                text::warning(ui, message);
            }
            Card::plain()
                .fill_height()
                .body(ui, |ui| body(ui, &page.manifest));
        }
        None => text::small_note(ui, "Loading…"),
    }
}

fn page_head(ui: &mut Ui, context: &mut Context<'_>, shown: OperationId) {
    let shared = context.shared;
    ui.horizontal(|ui| {
        ui.set_height(size::PRIMARY);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let print = Action::PrintChosen;
            let key = print.key();
            let printer = shared.dispatch.groups_view.printer.as_deref();
            let words = printer.map_or("Print".to_owned(), |name| format!("Print on {name}"));
            let button = Button::primary(&words).icon(print.entry().icon).key(&key);
            if ui.add(button).clicked() || context.is_triggered(print) {
                context.push(GroupsCommand::PrintManifest(shown));
            }
            let save = Action::SaveManifest;
            let key = save.key();
            let button = Button::new("Save PDF…").icon(save.entry().icon).key(&key);
            if ui.add(button).clicked() || context.is_triggered(save) {
                context.push(SaveRequest::Manifest(shown));
            }
            if printer.is_none() {
                let words = "No printer is set up for manifests";
                ui.add(Label::new(text::small(words).color(palette(ui).warning)).truncate());
            }
        });
    });
}

fn body(ui: &mut Ui, manifest: &BookedManifest) {
    let p = palette(ui);
    let reference = if manifest.reference.is_empty() {
        "No reference"
    } else {
        manifest.reference.as_str()
    };
    ui.horizontal(|ui| {
        ui.label(text::title(manifest.carrier()));
        if manifest.is_test {
            Badge::new(Tone::Warning, "TEST").outlined().show(ui);
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.add(Label::new(text::mono_strong(reference)).selectable(true));
        });
    });
    card::rule(ui);
    let facts = facts(manifest);
    for pair in facts.chunks(2) {
        layout::columns(ui, &[1.0, 1.0], size::GUTTER, |at, ui| {
            if let Some((name, value)) = pair.get(at) {
                ui.horizontal_top(|ui| {
                    let room = vec2(104.0, size::LINE);
                    ui.allocate_ui(room, |ui| {
                        ui.set_min_width(room.x);
                        ui.label(text::small(*name).color(p.muted));
                    });
                    ui.add(
                        Label::new(text::body(value.as_str()))
                            .wrap()
                            .selectable(true),
                    );
                });
            }
        });
    }
    card::rule(ui);
    table(ui, manifest);
}

fn facts(manifest: &BookedManifest) -> Vec<(&'static str, String)> {
    let group = &manifest.group;
    let from = &manifest.from;
    let zoned = |at: LocalTime| {
        let moment = at.in_zone(&from.zone);
        let name = moment.map_or_else(|_| String::new(), |moment| zone_name(moment.0, &from.zone));
        format!("{} {name}", day_and_time(at))
    };
    let pickup = match (group.pickup_already_booked, group.pickup_date_time) {
        (true, _) => "Pickup already booked".to_owned(),
        (false, Some(at)) => zoned(at),
        (false, None) => "No fixed time".to_owned(),
    };
    let closing = group.pickup_closing_time.map(|at| {
        let pickup = group.pickup_date_time;
        if pickup.is_some_and(|pickup| pickup.0.date() == at.0.date()) {
            at.0.strftime("%H:%M").to_string()
        } else {
            zoned(at)
        }
    });
    let closing = closing.unwrap_or_default();
    let numbers: Vec<_> = manifest.ids.iter().map(ToString::to_string).collect();
    let mut place = vec![from.name.clone()];
    place.extend(from.street.iter().cloned());
    place.push(from.place.clone());
    let dangerous = match (manifest.is_declared(), manifest.dangerous()) {
        (true, _) => "Declared",
        (false, 0) => "None declared",
        (false, _) => "Not declared. Ask the carrier before you hand them over",
    };
    let spaces = group.pallet_spaces.map(|spaces| spaces.to_string());
    let words = group.pickup_special_instructions.clone();
    let facts = [
        ("Pickup address", place.join(", ")),
        ("Manifest", numbers.join(", ")),
        ("Pickup", pickup),
        ("Closes", closing),
        ("Pallet spaces", spaces.unwrap_or_default()),
        ("Dangerous goods", dangerous.to_owned()),
        (
            "Contact",
            [from.contact.as_str(), from.phone.as_str()].join(" "),
        ),
        ("Driver instructions", words.unwrap_or_default()),
    ];
    let said = |(_, value): &(&str, String)| !value.trim().is_empty();
    facts.into_iter().filter(said).collect()
}

fn table(ui: &mut Ui, manifest: &BookedManifest) {
    let p = palette(ui);
    layout::columns(ui, &LINE_COLUMNS, size::FIELD_GAP, |at, ui| {
        let align = if matches!(at, 3 | 4) {
            Layout::right_to_left(Align::Min)
        } else {
            Layout::left_to_right(Align::Min)
        };
        ui.with_layout(align, |ui| {
            ui.label(text::small(LINE_HEADS[at]).color(p.muted))
        });
    });
    let lines = &manifest.lines;
    let room = (ui.available_height() - size::ROW).max(size::ROW);
    let list = ScrollArea::vertical()
        .max_height(room)
        .auto_shrink([false, true]);
    list.show_rows(ui, size::LINE + 2.0, lines.len(), |ui, rows| {
        for line in &lines[rows] {
            draw_line(ui, line);
        }
    });
    card::rule(ui);
    let totals = [
        counted(lines.len(), "consignment", "consignments"),
        format!("{} pieces", manifest.pieces()),
        format!("{} kg", kilograms(manifest.weight())),
    ];
    ui.label(text::strong(totals.join(" · ")));
}

fn draw_line(ui: &mut Ui, line: &BookedLine) {
    let p = palette(ui);
    layout::columns(ui, &LINE_COLUMNS, size::FIELD_GAP, |at, ui| match at {
        0 => {
            ui.add(Label::new(text::mono(line.number.as_str())).truncate());
        }
        1 => {
            ui.add(Label::new(text::mono(line.reference.as_str())).truncate());
        }
        2 => {
            let words = format!("{}, {}", line.to, line.place);
            ui.add(Label::new(text::body(words)).truncate());
        }
        3 => right(ui, |ui| {
            ui.label(text::body(line.pieces.to_string()));
        }),
        4 => right(ui, |ui| {
            ui.label(text::body(line.weight.map(kilograms).unwrap_or_default()));
        }),
        _ if line.dangerous => {
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = 4.0;
                badge::dangerous_mark(ui);
                let numbers: Vec<_> = { line.un_numbers.iter() }
                    .map(|number| format!("{number:04}"))
                    .collect();
                let numbers = text::small(numbers.join(", ")).color(p.bad);
                ui.add(Label::new(numbers).truncate());
            });
        }
        _ => {}
    });
}

fn right(ui: &mut Ui, content: impl FnOnce(&mut Ui)) {
    ui.with_layout(Layout::right_to_left(Align::Min), content);
}
