//! The Consign screen: the form for one consignment, from the first key press to Send.
//!
//! The left side holds the input fields in the order in which they are typed. The right side holds the
//! routes, the problems and Send. Fields write straight into the draft; other modules check and save it.

pub(crate) mod batch;
mod details;
mod drafts;
mod form;
mod goods;
mod list_dialog;
mod packing;
mod party;
mod presets;
mod problems;
mod repeat;
mod routes;
mod send;
mod today;

use egui::{Id, ScrollArea, Ui};

use crate::state::{ConsignCommand, Editing, ProblemList, Screen, Shared};
use crate::ui::actions::Action;
use crate::ui::frame::{company_id, search_id};
use crate::ui::{Context, ScreenView};
use draft::{DraftId, Field, GoodsField, Problem};
use form::{FocusState, Form};
pub(crate) use presets::action_entries as presets_by_name;
use widgets::layout;
use widgets::tokens::size;

/// Minimum height of the list of problems, in points: its title and a line or two.
const LEAST_PROBLEMS: f32 = 96.0;
/// Minimum height of the routes, in points: the title and two routes.
const LEAST_ROUTES: f32 = 150.0;
/// Minimum height of the area with Send and the last created consignment, in points. Larger content scrolls.
const LEAST_SEND: f32 = 180.0;

/// State of the Consign screen that is kept between frames.
#[derive(Default)]
pub(crate) struct ConsignState {
    /// The draft that the other fields of this struct belong to.
    draft_id: Option<DraftId>,
    focus: FocusState,
    parties: party::PartiesState,
    details: details::DetailsState,
    /// True after Send was requested. If errors stop it, the focus goes to the first error.
    awaits_send: bool,
    goods: goods::GoodsState,
    /// Height of the card with Send in the last frame, in points.
    send_height: f32,
    problems_height: f32,
    presets: presets::PresetDialogs,
    batch: batch::BatchTools,
    drafts: drafts::DraftsDialog,
    packing: packing::PackingList,
    today: today::TodayState,
}

/// Returns the id of the widget that edits a field.
fn id(field: Field) -> Id {
    match field {
        Field::Company => company_id(),
        field => Id::unique(("consign", field)),
    }
}

impl ScreenView for ConsignState {
    fn is_open(&self, shared: &Shared) -> bool {
        shared.screen == Screen::Consign
            && (self.parties.is_open()
                || self.drafts.is_open()
                || self.presets.is_open()
                || self.packing.is_open(shared)
                || self.batch.is_open(shared))
    }

    fn show(&mut self, ui: &mut Ui, context: &mut Context<'_>, editing: &mut Editing) {
        let is_new = self.reset_for_draft(editing);
        self.drafts.show(ui, context);
        self.after_send(editing);
        self.actions(ui, context, editing);
        self.batch.actions(context);
        self.presets.actions(ui, context, editing);
        let problems = editing.problem_list();
        self.parties.catch_paste(ui, &editing.draft);
        if let Some(field) = self.focus.next_field.take() {
            self.focus_field(editing, field);
        }
        if let Some(id) = self.focus.next_widget.take() {
            ui.memory_mut(|memory| memory.request_focus(id));
        }
        let right = (ui.available_width() * 0.31).clamp(272.0, 380.0);
        let left = ui.available_width() - right - size::GUTTER;
        layout::panes(ui, &[left, right], |pane, ui| {
            if pane == 1 {
                return self.right(ui, context, editing, &problems);
            }
            let dialogs = (&mut self.drafts, &mut self.presets, &mut self.batch);
            drafts::title(ui, context, editing, dialogs);
            batch::send_progress(ui, context);
            ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
                self.packing.card(ui, context, &editing.draft);
                let mut parties = form(context, editing, &problems, &mut self.focus);
                party::both(ui, &mut parties, &mut self.parties);
                repeat::card(ui, context, editing);
                let mut form = form(context, editing, &problems, &mut self.focus);
                details::card(ui, &mut form, &mut self.details);
                goods::card(ui, &mut form, &mut self.goods);
                today::card(ui, context, &mut self.today);
            });
        });
        if is_new {
            // Fields that lost the focus up to now belong to the previous draft.
            self.focus.touched.clear();
        }
        let mut form = form(context, editing, &problems, &mut self.focus);
        self.parties.show_pasted(ui, &mut form);
        self.after_commands(ui, context, editing);
        self.presets.show(ui, context, editing);
        self.batch.show(ui, context);
        self.packing.dialogs(ui, context, &editing.draft);
    }
}

impl ConsignState {
    /// Prepares the draft for the commands of this frame that send the draft, save it or start a new draft.
    fn after_commands(&mut self, ui: &Ui, context: &Context<'_>, editing: &mut Editing) {
        let asked = |command: ConsignCommand| context.has_command(&command.into());
        let sends = asked(ConsignCommand::Send);
        let saves_pending = asked(ConsignCommand::SavePending);
        if sends || saves_pending || asked(ConsignCommand::NewDraft) {
            self.goods.remove_empty_rows(&mut editing.draft);
        }
        if sends {
            self.awaits_send = true;
            ui.ctx().request_repaint();
        }
        if saves_pending {
            // Only values that cannot be parsed prevent saving as pending. Missing values are allowed.
            let request = editing
                .draft
                .pending_request(&context.shared.check_context());
            let first = |problems: Vec<Problem>| problems.first().map(|problem| problem.field);
            self.focus.next_field = request.err().and_then(first);
        }
    }

    /// Returns true if the focus is in the goods, where Undo undoes changes of goods lines instead of typed text.
    pub(crate) const fn has_focus_in_goods(&self) -> bool {
        self.goods.focused
    }

    /// Returns true if the goods were changed after the deletion on Dispatch that can still be undone.
    pub(crate) fn are_goods_newer_than_deletion(&self) -> bool {
        self.goods.is_newer_than_deletion()
    }

    fn right(
        &mut self,
        ui: &mut Ui,
        context: &mut Context<'_>,
        editing: &mut Editing,
        problems: &ProblemList,
    ) {
        // Each part scrolls separately if there is too little room, so that no part shrinks to nothing.
        let all = ui.available_height() - 2.0 * size::GUTTER;
        let left = all - LEAST_ROUTES - self.problems_height.min(LEAST_PROBLEMS);
        let for_send = self.send_height.min(left.max(LEAST_SEND));
        let room = all - for_send;
        let few = routes::min_height(context).min(room - LEAST_PROBLEMS);
        let for_routes = (room - self.problems_height).max(room * 0.4).max(few);
        ScrollArea::vertical()
            .id_salt("routes")
            .max_height(for_routes.max(LEAST_ROUTES))
            .auto_shrink([false, true])
            .show(ui, |ui| {
                routes::card(ui, context, editing);
            });
        let left = ui.available_height() - for_send - size::GUTTER;
        let shown = ScrollArea::vertical()
            .id_salt("problems")
            .max_height(left.max(48.0))
            .auto_shrink([false, true])
            .show(ui, |ui| problems::card(ui, editing, problems));
        self.problems_height = shown.content_size.y;
        if let Some(field) = shown.inner {
            self.focus_field(editing, field);
            ui.ctx().request_repaint();
        }
        // The scroll area starts at its bottom, so that Send stays visible in a low window. The last created
        // consignment, at the top, scrolls out of sight first.
        let shown = ScrollArea::vertical()
            .id_salt("send")
            .max_height(ui.available_height())
            .stick_to_bottom(true)
            .auto_shrink([false, true])
            .show(ui, |ui| send::card(ui, context, editing));
        let height = shown.content_size.y;
        if (height - self.send_height).abs() > 0.5 {
            self.send_height = height;
            ui.ctx()
                .request_discard("the card with Send has another height");
        }
    }

    /// Resets the state when another draft was opened. Returns true in the first frame of that draft.
    ///
    /// The focus goes to the receiver, or to the sender if that is still empty. A draft that the service
    /// refused opens at the first refused field.
    fn reset_for_draft(&mut self, editing: &mut Editing) -> bool {
        let is_new = self.draft_id.as_ref() != Some(&editing.draft.id);
        if is_new {
            let first = if editing.draft.from.title().is_empty() {
                Action::Sender
            } else {
                Action::Receiver
            };
            *self = Self {
                draft_id: Some(editing.draft.id.clone()),
                send_height: self.send_height,
                presets: std::mem::take(&mut self.presets),
                batch: std::mem::take(&mut self.batch),
                drafts: std::mem::take(&mut self.drafts),
                today: std::mem::take(&mut self.today),
                ..Self::default()
            };
            self.focus.next_widget = Some(start_of(first, editing));
            self.goods.remove_empty_rows(&mut editing.draft);
            self.focus.next_field = { editing.refusals.first() }.map(|refused| refused.field);
        }
        is_new
    }

    fn actions(&mut self, ui: &Ui, context: &mut Context<'_>, editing: &mut Editing) {
        if context.is_triggered(Action::Drafts) {
            self.drafts.open();
        }
        if context.is_triggered(Action::DiscardChanges) && editing.draft.edits.is_some() {
            context.push(ConsignCommand::DiscardDraft(editing.draft.id.clone()));
        }
        self.goods.record_changes(ui, context, &mut editing.draft);
        if self.is_open(context.shared) {
            // A dialog may save or send the draft, so empty sub-rows are removed first.
            self.goods.remove_empty_rows(&mut editing.draft);
        }
        if self.packing.actions(ui, context, &editing.draft) {
            // The next scan is typed into the search box, where every text counts as a scan.
            self.focus.next_widget = Some(search_id());
        }
        let is_in_packing = self.packing.has_focus(ui);
        let draft = &mut editing.draft;
        self.goods
            .handle_input(ui, context, draft, &mut self.focus, is_in_packing);
        for action in [Action::Sender, Action::Receiver, Action::Goods] {
            if context.is_triggered(action) {
                self.focus.next_widget = Some(start_of(action, editing));
            }
        }
        if context.is_triggered(Action::SwapSides) {
            editing.draft.swap_sides();
            self.focus.next_widget = Some(start_of(Action::Receiver, editing));
        }
        self.details_actions(ui, context, editing);
    }

    fn details_actions(&mut self, ui: &Ui, context: &mut Context<'_>, editing: &mut Editing) {
        details::toggle_triggered(context, &mut editing.draft);
        if context.is_triggered(Action::Options) {
            self.details.open = !self.details.open;
            self.focus.next_widget = self.details.open.then(|| id(Field::Questions));
        }
        if context.is_triggered(Action::References) {
            let short = details::next_incomplete(&editing.draft, self.goods.line);
            self.focus_field(editing, short);
        }
        let problems = editing.problem_list();
        let mut form = form(context, editing, &problems, &mut self.focus);
        for action in [
            Action::SwapAddress,
            Action::International,
            Action::SecondLine,
        ] {
            if context.is_triggered(action) {
                self.parties.perform_on_focused(ui, action, &mut form);
            }
        }
    }

    /// If errors stopped Send, shows all errors and moves the focus to the first error.
    fn after_send(&mut self, editing: &mut Editing) {
        if !self.awaits_send || editing.check().is_none() {
            return;
        }
        self.awaits_send = false;
        let problems = editing.problem_list();
        if let Some(first) = problems.errors().next() {
            editing.show_all = true;
            self.focus_field(editing, first.field);
        }
    }

    /// Moves the focus to the field where a problem can be fixed. Unfolds the part of the form that hides it.
    fn focus_field(&mut self, editing: &mut Editing, field: Field) {
        self.parties.unfold(field);
        self.details.unfold(field);
        self.focus.next_widget = Some(id(match field {
            Field::Goods(..)
            | Field::Dg(..)
            | Field::Customs(_)
            | Field::Contents(..)
            | Field::AllGoods
            | Field::Whole => self.goods.reveal_field(&mut editing.draft, field),
            field => field,
        }));
    }
}

/// Builds the form that the fields are drawn from and write to.
fn form<'a>(
    context: &Context<'a>,
    editing: &'a mut Editing,
    problems: &'a ProblemList,
    focus: &'a mut FocusState,
) -> Form<'a> {
    Form {
        shared: context.shared,
        is_dialog_open: context.is_dialog_open,
        draft: &mut editing.draft,
        problems,
        show_all: editing.show_all,
        focus,
        focused: None,
        no_text: String::new(),
    }
}

/// Returns the id of the first field of a part of the screen.
fn start_of(part: Action, editing: &Editing) -> Id {
    match part {
        Action::Sender | Action::Receiver => party::start_of(part, &editing.draft),
        _ => id(Field::Goods(0, GoodsField::Name)),
    }
}
