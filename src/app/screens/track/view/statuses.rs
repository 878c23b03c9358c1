//! The dialog that sets a status or cancels, for one consignment or many. Consignments whose status can't be set are
//! listed with the reason before anything is sent. Permission is not checked here: callers disable the actions that
//! the service has refused to this token.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use egui::{Id, Key, KeyboardShortcut, Label, Modifiers, ScrollArea, Ui};

use super::page::{copy, copy_confirmation};
use crate::state::{ConsignmentRow, Shared, TrackCommand};
use crate::ui::Context;
use crate::ui::format::{clock, counted, day_and_time, first_and_count, grouped, zone_name};
use crate::ui::parts::{choice_with_problem, reason_field};
use draft::{StatusChangeDraft, StatusField, StatusPlan, StatusTarget, settable_statuses};
use shipping::{ConsignmentId, StatusId, time_zone_of};
use widgets::button::Button;
use widgets::field::{Field, show_error};
use widgets::hold_button::HoldButton;
use widgets::modal::Modal;
use widgets::notice::NoticeBar;
use widgets::tokens::{Tone, palette, size};
use widgets::{icons, key_cap, layout, text};

/// Largest number of consignments for one status change.
const MAX_CONSIGNMENTS: usize = 1_000;

/// With more pieces than this, a single piece can't be selected.
const MOST_PIECES: usize = 500;

/// Number of consignments that are named in a line.
const NAMED: usize = 4;

/// Height of the list of numbers to read out, in points.
const NUMBERS: f32 = 150.0;

const SEND: KeyboardShortcut = KeyboardShortcut::new(Modifiers::COMMAND, Key::Enter);

const REASONS: [&str; 4] = [
    "No longer needed",
    "Wrong address or goods",
    "Sent with another carrier",
    "Booked twice",
];

/// The dialog, and the draft of the status change.
#[derive(Default)]
pub(crate) struct StatusDialog {
    open: bool,
    /// The consignments whose status will be set.
    ids: Vec<ConsignmentId>,
    /// Number of requested consignments above `MAX_CONSIGNMENTS`, which are left out.
    over_limit: usize,
    draft: StatusChangeDraft,
    /// True after an attempt to send an invalid draft. From then on, every problem is shown.
    tried: bool,
    /// True until the reason field has been given the focus.
    wants_reason: bool,
}

impl StatusDialog {
    pub(super) const fn is_open(&self) -> bool {
        self.open
    }

    /// Opens the dialog that sets a status or, with the draft of a cancellation, cancels consignments.
    pub(super) fn begin(
        &mut self,
        context: &mut Context<'_>,
        mut ids: Vec<ConsignmentId>,
        draft: StatusChangeDraft,
    ) {
        if ids.is_empty() {
            return;
        }
        let over_limit = ids.len().saturating_sub(MAX_CONSIGNMENTS);
        ids.truncate(MAX_CONSIGNMENTS);
        context.push(TrackCommand::LoadForStatus(ids.clone()));
        *self = Self {
            open: true,
            ids,
            over_limit,
            wants_reason: draft.is_cancellation(),
            draft,
            tried: false,
        };
    }

    pub(super) fn show(&mut self, ui: &Ui, context: &mut Context<'_>) {
        let make = || StatusPreview::of(context.shared, &self.ids, self.over_limit, &self.draft);
        let preview = self.open.then(make);
        let title = preview.as_ref().map(|preview| self.title(preview));
        let mut open = self.open;
        let modal = Modal::new("status", title.as_deref().unwrap_or_default()).width(520.0);
        modal.show(ui, &mut open, |ui, open| {
            let Some(preview) = &preview else { return };
            ui.spacing_mut().item_spacing.y = 8.0;
            let confirmed = if self.draft.is_cancellation() {
                self.ask_cancel(ui, preview)
            } else {
                self.ask_set(ui, context, preview)
            };
            match &preview.result {
                Ok(plan) if confirmed => {
                    context.push(TrackCommand::SetStatuses(plan.updates.clone()));
                    *open = false;
                }
                // From now on, every problem is shown.
                _ => self.tried |= confirmed,
            }
        });
        self.open = open;
    }

    fn title(&self, preview: &StatusPreview) -> String {
        let what = if self.draft.is_cancellation() {
            "Cancel"
        } else {
            "Set the status of"
        };
        match (self.ids.as_slice(), preview.rows.first()) {
            ([_], Some(row)) => format!("{what} {}", row.number),
            ([one], None) => format!("{what} MS{one}"),
            (many, _) => format!("{what} {} consignments", many.len()),
        }
    }

    /// Returns the problem of a field, if the field has an input or sending was attempted.
    fn problem<'a>(&self, preview: &'a StatusPreview, field: StatusField) -> Option<&'a str> {
        let typed = match field {
            StatusField::Status => self.draft.status.is_some(),
            StatusField::Time => !self.draft.time.trim().is_empty(),
            StatusField::Item => self.draft.item.is_some(),
            StatusField::Information => self.draft.information.len() > 100,
        };
        if !typed && !self.tried {
            return None;
        }
        let problems = preview.result.as_ref().err()?;
        let found = problems.iter().find(|(of, _)| *of == field);
        found.map(|(_, words)| words.as_str())
    }

    /// Draws the form of a new status: status, time, piece and note. Returns true once the clerk has confirmed.
    fn ask_set(&mut self, ui: &mut Ui, context: &Context<'_>, preview: &StatusPreview) -> bool {
        let shared = context.shared;
        let first = preview.rows.first();
        let place = first.map_or("", |row| time_zone_of(&row.from_place));
        let zone = match place {
            "" => shared.session.zone.as_str(),
            place => place,
        };
        layout::row(ui, &[1.0, 1.0], |at, ui| {
            if at == 0 {
                self.status_field(ui, preview);
            } else {
                let unit = zone_name(shared.now, zone);
                let hint = format!("Now, {}", clock(shared.now, zone));
                let problem = self.problem(preview, StatusField::Time);
                let field = Field::new("Happened at", &mut self.draft.time).limit(60);
                field.hint(&hint).unit(&unit).error(problem).show(ui);
            }
        });
        if let Some(at) = preview.result.as_ref().ok().and_then(|plan| plan.at) {
            // Shows how the typed time was parsed. This time will be sent.
            let moment = at.in_zone(zone).map_or(shared.now, |moment| moment.0);
            let whose = match (place, self.ids.len()) {
                ("", _) => "this bench's time (pickup time zone unknown)",
                (_, 1) => "the pickup location's time",
                _ => "each pickup location's local time",
            };
            let (time, zone) = (day_and_time(at), zone_name(moment, zone));
            text::small_note(ui, format!("{time} {zone}, {whose}"));
        }
        self.piece_field(ui, shared, preview);
        let problem = self.problem(preview, StatusField::Information);
        Field::new("Note", &mut self.draft.information)
            .hint("For example: who signed, or what was damaged")
            .error(problem)
            .limit(500)
            .show(ui);
        preview.show_summary(ui);
        text::small_note(ui, "This doesn't notify the carrier");
        self.confirm(ui, preview)
    }

    fn status_field(&mut self, ui: &mut Ui, preview: &StatusPreview) {
        let mut all: Vec<_> = settable_statuses()
            .map(|one| (Some(one), name(one)))
            .collect();
        all.sort_by(|(_, one), (_, other)| one.cmp(other));
        let problem = self.problem(preview, StatusField::Status);
        choice_with_problem(ui, "Status", &mut self.draft.status, &all, problem);
    }

    /// Draws the choice of a piece, for a single consignment that has several pieces.
    fn piece_field(&mut self, ui: &mut Ui, shared: &Shared, preview: &StatusPreview) {
        let [id] = self.ids.as_slice() else { return };
        let whole = shared.track.page.consignment.value();
        let whole = whole.filter(|whole| whole.id == *id);
        let mut pieces = whole
            .map(|whole| whole.item_references())
            .unwrap_or_default();
        // The row's piece count decides whether the field is shown, even before the pieces are loaded. So the fields
        // below do not move while the clerk types.
        let count = preview.rows.first().map_or(0, |row| row.pieces);
        if count <= 1 && pieces.len() <= 1 {
            return;
        }
        if pieces.len() > MOST_PIECES {
            pieces.clear();
        }
        let problem = self.problem(preview, StatusField::Item);
        let pieces = pieces
            .iter()
            .map(|piece| (Some(piece.as_str()), piece.as_str()));
        let options: Vec<_> = [(None, "All of it")].into_iter().chain(pieces).collect();
        let mut chosen = self.draft.item.as_deref();
        if choice_with_problem(ui, "Piece", &mut chosen, &options, problem) {
            self.draft.item = chosen.map(str::to_owned);
        }
    }

    fn confirm(&self, ui: &mut Ui, preview: &StatusPreview) -> bool {
        let status = self.draft.status.map(name);
        let words = status.as_deref().unwrap_or("a status");
        // The button is not emphasised until a status is selected.
        let is_chosen = status.is_some();
        if self.ids.len() == 1 {
            let (words, key) = (format!("Set {words}"), key_cap::label(SEND));
            let new = if is_chosen {
                Button::primary
            } else {
                Button::new
            };
            let by_key = ui.input_mut(|input| input.consume_shortcut(&SEND));
            return ui.add(new(&words).key(&key).fill_width(ui)).clicked() || by_key;
        }
        let words = format!("Hold to set {words} for {}", grouped(preview.count()));
        let mut button = HoldButton::new(&words).shortcut(SEND);
        if !is_chosen {
            button = button.secondary();
        }
        let held = button.show(ui);
        let problem = self.problem(preview, StatusField::Status);
        if let Some(words) = problem.filter(|_| !is_chosen) {
            show_error(ui, &held.response, words);
        }
        held.completed
    }

    /// Draws the form of a cancellation: the carrier to call, the number to quote, a reason, and a button to hold.
    /// Returns true once the hold is complete.
    fn ask_cancel(&mut self, ui: &mut Ui, preview: &StatusPreview) -> bool {
        if let ([one], 1) = (preview.rows.as_slice(), self.ids.len()) {
            whom_to_call(ui, one);
        } else {
            NoticeBar::new(Tone::Warning, "This doesn't notify the carriers")
                .what_to_do("Call the carriers and quote these numbers")
                .show(ui);
            preview.show_numbers(ui);
        }
        preview.show_summary(ui);
        let problem = self.problem(preview, StatusField::Information);
        let (id, reason) = (Id::unique("reason to cancel"), &mut self.draft.information);
        let (field, picked) = reason_field(ui, id, reason, &REASONS, |_| problem);
        if field.response.has_focus() {
            self.wants_reason = false;
        } else if self.wants_reason {
            ui.memory_mut(|memory| memory.request_focus(id));
        }
        let what = match (self.ids.as_slice(), preview.rows.first()) {
            ([_], Some(row)) => row.number.clone(),
            ([_], None) => "it".to_owned(),
            _ => grouped(preview.count()),
        };
        let words = format!("Hold to cancel {what}");
        ui.add_space(2.0);
        let button = HoldButton::new(&words).shortcut(SEND).destructive();
        let held = button.show(ui);
        if let Some(words) = self.problem(preview, StatusField::Status) {
            show_error(ui, &held.response, words);
        }
        // Nothing is sent in the frame in which a reason was picked: the reason is checked in the next frame.
        held.completed && !picked
    }
}

/// Shows the carrier's own number, large enough to read out on the phone.
fn whom_to_call(ui: &mut Ui, row: &ConsignmentRow) {
    let carrier = match row.carrier.as_str() {
        "" => "The carrier",
        carrier => carrier,
    };
    NoticeBar::new(Tone::Warning, &format!("{carrier} isn't notified"))
        .what_to_do("Call the carrier and quote this number")
        .show(ui);
    let (name, number) = match row.carrier_number.as_str() {
        "" => {
            let number = row.number.as_str();
            let name = format!("No carrier consignment number: quote {number}");
            (name, number)
        }
        number => ("Carrier consignment number".to_owned(), number),
    };
    text::small_note(ui, name);
    ui.horizontal(|ui| {
        let large = text::mono_strong(number).size(size::FIGURE);
        ui.add(Label::new(large).selectable(true).truncate());
        let button = Button::new("Copy").icon(icons::ICON_CONTENT_COPY);
        let button = button.accessible_name("Copy carrier con. number");
        if ui.add(button).clicked() {
            copy(ui, number);
        }
        if let Some(words) = copy_confirmation(ui) {
            ui.label(text::small(words).color(palette(ui).ok));
        }
    });
    let mut to = vec![row.to.as_str(), row.to_place.suburb.as_str()];
    to.retain(|part| !part.is_empty());
    text::note(ui, format!("To {}", to.join(", ")));
}

/// Returns the name of a status.
fn name(status: StatusId) -> String {
    let name = status.name().map(str::to_owned);
    name.unwrap_or_else(|| format!("status {}", status.get()))
}

/// The result of checking a draft against its consignments.
struct StatusPreview {
    /// The loaded rows, in the requested order.
    rows: Vec<Arc<ConsignmentRow>>,
    /// The changes to send, or the problems by field.
    result: Result<StatusPlan, Vec<(StatusField, String)>>,
    /// Number of consignments that are not loaded.
    missing: usize,
    is_loading: bool,
    /// Number of requested consignments above the limit.
    over_limit: usize,
}

impl StatusPreview {
    fn of(
        shared: &Shared,
        ids: &[ConsignmentId],
        over_limit: usize,
        draft: &StatusChangeDraft,
    ) -> Self {
        let answers = &shared.track.status_rows;
        let known: HashMap<_, _> = { answers.value().into_iter().flatten() }
            .map(|row| (row.id, row))
            .collect();
        let shown = shared.track.page.history.value().and_then(Option::as_ref);
        let row = |id: &ConsignmentId| match shown {
            // The row on the open page is at least as new.
            Some(shown) if shown.row.id == *id => Some(Arc::new(shown.row.clone())),
            _ => known.get(id).map(|row| Arc::clone(row)),
        };
        let rows: Vec<_> = ids.iter().filter_map(row).collect();
        let target = |row: &Arc<ConsignmentRow>| StatusTarget {
            id: row.id,
            number: row.number.clone(),
            status: row.status.id,
            zone: time_zone_of(&row.from_place).to_owned(),
            in_open_operation: shared.operations.locked.contains_key(&row.id),
        };
        let targets: Vec<_> = rows.iter().map(target).collect();
        Self {
            result: draft.check(&targets, shared.now, &shared.session.zone),
            missing: ids.len() - rows.len(),
            is_loading: answers.is_loading(),
            over_limit,
            rows,
        }
    }

    /// Returns the number of changes that will be sent. While there are problems, this is the number of loaded rows.
    fn count(&self) -> usize {
        let plan = self.result.as_ref();
        plan.map_or(self.rows.len(), |plan| plan.updates.len())
    }

    /// Shows how many statuses will be set, and which consignments are skipped and why. Shows nothing for a single
    /// consignment whose status can be set.
    fn show_summary(&self, ui: &mut Ui) {
        if self.is_loading && self.missing > 0 {
            return text::small_note(ui, format!("{} still loading", grouped(self.missing)));
        }
        if self.rows.len() > 1 {
            let words = format!("{} will be set", grouped(self.count()));
            ui.label(text::strong(words));
        }
        let plan = self.result.as_ref().ok();
        let skipped = plan.map_or(&[][..], |plan| plan.skipped.as_slice());
        let count = skipped.len() + self.missing + self.over_limit;
        if count == 0 {
            return;
        }
        let mut by_reason: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for one in skipped {
            let numbers = by_reason.entry(&one.reason).or_default();
            numbers.push(one.number.clone());
        }
        let mut lines: Vec<_> = { by_reason.iter() }
            .map(|(why, numbers)| format!("{}: {why}", first_and_count(numbers, NAMED)))
            .collect();
        if self.missing > 0 {
            let words = counted(self.missing, "is", "are");
            lines.push(format!("{words} not tracked on this bench"));
        }
        if self.over_limit > 0 {
            let over = grouped(self.over_limit);
            let most = grouped(MAX_CONSIGNMENTS);
            lines.push(format!("{over} over the limit of {most}"));
        }
        let headline = format!("Consignments that will be skipped: {}", grouped(count));
        let bar = NoticeBar::new(Tone::Warning, &headline);
        bar.what_to_do(&lines.join("\n")).show(ui);
    }

    /// Lists the carrier consignment numbers to read out on the phone, grouped by carrier. Lists only the consignments
    /// whose status will change, or all rows while there are problems. Only the lines in view are laid out.
    fn show_numbers(&self, ui: &mut Ui) {
        let sent: Option<HashSet<_>> = self.result.as_ref().ok().map(|plan| {
            let ids = plan.updates.iter().map(|update| update.consignment_id);
            ids.collect()
        });
        let is_sent = |id| sent.as_ref().is_none_or(|sent| sent.contains(&id));
        let mut carriers: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for row in self.rows.iter().filter(|row| is_sent(row.id)) {
            let theirs = match row.carrier_number.as_str() {
                "" => "no carrier con. number",
                number => number,
            };
            let line = format!("{theirs}  ({})", row.number);
            carriers.entry(&row.carrier).or_default().push(line);
        }
        let mut lines = Vec::new();
        for (name, numbers) in carriers {
            let name = if name.is_empty() { "No carrier" } else { name };
            let heading = format!("{name}: {}", grouped(numbers.len()));
            lines.push(text::strong(heading));
            lines.extend(numbers.into_iter().map(text::mono));
        }
        ui.spacing_mut().item_spacing.y = 2.0;
        let scroll = ScrollArea::vertical().max_height(NUMBERS);
        scroll.show_rows(ui, size::LINE, lines.len(), |ui, shown| {
            for words in &lines[shown] {
                let words = words.clone().line_height(Some(size::LINE));
                ui.add(Label::new(words).selectable(true).truncate());
            }
        });
        ui.spacing_mut().item_spacing.y = size::GRID;
    }
}
