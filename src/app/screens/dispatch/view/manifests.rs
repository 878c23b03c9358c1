//! The booked manifests: a list with a filter, and the page of the selected manifest, to be printed or saved.

mod page;

use std::sync::Arc;

use egui::{Align, Align2, Key, Layout, Modifiers, Response, Role, ScrollArea, Ui, vec2};

use crate::state::{ExportCell, GroupsCommand, ManifestRow, Notice, OperationId};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::export::{Export, ExportDialog, all_rows};
use crate::ui::format::{counted, day_and_time};
use crate::ui::parts::list_row;
use shipping::LocalTime;
use widgets::button::Button;
use widgets::card::Card;
use widgets::empty_state::empty_state;
use widgets::field::{Field, OnEnter};
use widgets::modal;
use widgets::tokens::{palette, size};
use widgets::{layout, paint, text};

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
                page::show(ui, context);
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

    /// Moves through the list with the arrow keys, unless something is open in front of it.
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
            format!("{why}. Then go back and open it again")
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
