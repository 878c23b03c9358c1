//! Consign: one screen from the first key to Send.
//!
//! Left, what is typed, in the order that it is typed; right, what it comes to: routes, problems, Send. What is typed goes
//! straight into the draft; who watches and saves it is not known here.

mod country;
mod customs;
mod dangerous;
mod details;
mod draft_rows;
mod drafts;
mod form;
mod goods;
mod orders;
mod presets;
mod problems;
mod routes;
mod send;
mod send_all;
mod side;
mod tools;

use std::collections::HashSet;

use egui::{Id, ScrollArea, Ui};

use super::Context;
use super::actions::Action;
use super::frame::company_id;
use super::kit::layout;
use super::kit::tokens::size;
use crate::draft::{DraftId, Field, GoodsField};
use crate::state::{ConsignCommand, Editing, ProblemList, Screen, Shared};
use form::Form;
pub(super) use presets::by_name as presets_by_name;
use tools::Tools;

/// What wants mending keeps this much of the right, in points: its head and a line or two.
const LEAST_PROBLEMS: f32 = 96.0;
/// The routes keep this much, in points: the head and two of them.
const LEAST_ROUTES: f32 = 150.0;
/// Send and what was sent last keep this much, in points, and scroll where they need more.
const LEAST_SEND: f32 = 180.0;

/// What the screen keeps for itself.
#[derive(Default)]
pub(super) struct State {
    /// The draft that the rest of this is about.
    of: Option<DraftId>,
    /// Fields that were left: their problems show.
    touched: HashSet<Field>,
    /// What is unfolded and pasted in the addresses.
    side: side::State,
    /// What is unfolded of the options.
    details: details::State,
    /// Send was asked for: should nothing come of it, the focus goes to what is wrong first.
    awaits_send: bool,
    /// The lines of goods and what is open below them.
    goods: goods::State,
    /// Where the focus goes once it is drawn.
    go_to: Option<Id>,
    /// The field to lead to in the next frame.
    lead: Option<Field>,
    /// How high the card with Send was.
    send_height: f32,
    problems_height: f32,
    problems: problems::State,
    /// What works on several consignments.
    tools: Tools,
    drafts: drafts::State,
}

/// Where the focus goes for a field.
fn id(field: Field) -> Id {
    match field {
        Field::Company => company_id(),
        field => Id::unique(("consign", field)),
    }
}

impl State {
    /// Is a dialog in front of the screen?
    pub(super) fn is_open(&self, shared: &Shared) -> bool {
        shared.screen == Screen::Consign
            && (self.side.is_open() || self.drafts.is_open() || self.tools.is_open(shared))
    }

    /// The focus is in the goods, whose cells undo by the steps of the goods.
    pub(super) const fn has_focus_in_goods(&self) -> bool {
        self.goods.has_focus()
    }

    /// Were the goods changed since the deletion on Dispatch that can be undone?
    pub(super) fn are_goods_newer_than_deletion(&self) -> bool {
        self.goods.is_newer_than_deletion()
    }

    /// Draws the screen.
    pub(super) fn show(&mut self, ui: &mut Ui, context: &mut Context<'_>, editing: &mut Editing) {
        let is_new = self.follow(editing);
        self.drafts.show(ui, context);
        self.after_send(editing);
        self.actions(ui, context, editing);
        self.tools.actions(ui, context, editing);
        let problems = editing.problem_list();
        self.side.catch_paste(ui, &editing.draft);
        if let Some(field) = self.lead.take() {
            self.lead_to(editing, field);
        }
        if let Some(id) = self.go_to.take() {
            ui.memory_mut(|memory| memory.request_focus(id));
        }
        let right = (ui.available_width() * 0.31).clamp(272.0, 380.0);
        let left = ui.available_width() - right - size::GUTTER;
        layout::panes(ui, &[left, right], |pane, ui| {
            if pane == 1 {
                return self.right(ui, context, editing, &problems);
            }
            drafts::title(ui, context, editing, (&mut self.drafts, &mut self.tools));
            send_all::progress(ui, context);
            ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
                let goes = (&mut self.go_to, &mut self.lead);
                let mut form = form(editing, &problems, &mut self.touched, goes);
                side::both(ui, context, &mut form, &mut self.side);
                details::card(ui, context, &mut form, &mut self.details);
                goods::card(ui, context, &mut form, &mut self.goods);
            });
        });
        if is_new {
            // The focus left a field of the draft before, not one of this draft.
            self.touched.clear();
        }
        let goes = (&mut self.go_to, &mut self.lead);
        let mut form = form(editing, &problems, &mut self.touched, goes);
        self.side.show_pasted(ui, &mut form);
        let leaves = [
            ConsignCommand::Send,
            ConsignCommand::SavePending,
            ConsignCommand::NewDraft,
        ];
        let asked = |command: ConsignCommand| context.has_asked(&command.into());
        if leaves.into_iter().any(asked) {
            self.goods.tidy(&mut editing.draft);
        }
        if context.has_asked(&ConsignCommand::Send.into()) {
            self.awaits_send = true;
            ui.ctx().request_repaint();
        }
        if context.has_asked(&ConsignCommand::SavePending.into()) {
            // Only what can't be read is in its way: what is missing may be so.
            let kept = editing
                .draft
                .pending_request(&context.shared.check_context());
            self.lead = kept.err().and_then(|all| all.first().map(|one| one.field));
        }
        self.tools.show(ui, context, editing);
    }

    fn right(
        &mut self,
        ui: &mut Ui,
        context: &mut Context<'_>,
        editing: &mut Editing,
        problems: &ProblemList,
    ) {
        // Each part scrolls by itself where all of them need more room than there is: none is squeezed to nothing.
        let all = ui.available_height() - 2.0 * size::GUTTER;
        let left = all - LEAST_ROUTES - self.problems_height.min(LEAST_PROBLEMS);
        let for_send = self.send_height.min(left.max(LEAST_SEND));
        let room = all - for_send;
        let few = routes::height_of_few(context).min(room - LEAST_PROBLEMS);
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
            .show(ui, |ui| {
                problems::card(ui, editing, problems, &mut self.problems)
            });
        self.problems_height = shown.content_size.y;
        if let Some(field) = shown.inner {
            self.lead_to(editing, field);
            ui.ctx().request_repaint();
        }
        // Send itself is at the end: what was sent last scrolls out of sight first.
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

    /// Where another draft is open, what was remembered of the one before goes, and the receiver is next. One that the service
    /// refused opens at what it refused. True in the first frame of another draft.
    fn follow(&mut self, editing: &mut Editing) -> bool {
        let is_new = self.of.as_ref() != Some(&editing.draft.id);
        if is_new {
            let first = if editing.draft.from.title().is_empty() {
                Action::From
            } else {
                Action::To
            };
            *self = Self {
                of: Some(editing.draft.id.clone()),
                send_height: self.send_height,
                tools: std::mem::take(&mut self.tools),
                drafts: std::mem::take(&mut self.drafts),
                ..Self::default()
            };
            self.go_to = Some(start_of(first, editing));
            self.goods.tidy(&mut editing.draft);
            self.lead = { editing.refusals.first() }.map(|refused| refused.field);
        }
        is_new
    }

    fn actions(&mut self, ui: &Ui, context: &mut Context<'_>, editing: &mut Editing) {
        if context.asked(Action::Drafts) {
            self.drafts.open();
        }
        if context.asked(Action::StopChanging) && editing.draft.edits.is_some() {
            context.ask(ConsignCommand::DiscardDraft(editing.draft.id.clone()));
        }
        self.goods.follow(ui, context, &mut editing.draft);
        if self.is_open(context.shared) {
            // What a dialog keeps or sends is as typed.
            self.goods.tidy(&mut editing.draft);
        }
        self.go_to = self
            .goods
            .keys(ui, context, &mut editing.draft)
            .or(self.go_to.take());
        for moved in self.goods.moved() {
            moved.follow(&mut self.touched);
        }
        for action in [Action::From, Action::To, Action::Goods] {
            if context.asked(action) {
                self.go_to = Some(start_of(action, editing));
            }
        }
        self.details_actions(ui, context, editing);
    }

    /// What the keys of the addresses and the options do.
    fn details_actions(&mut self, ui: &Ui, context: &mut Context<'_>, editing: &mut Editing) {
        for question in context.all_asked().filter_map(details::question_of) {
            details::toggle(&mut editing.draft, question);
        }
        if context.asked(Action::Options) {
            self.details.open = !self.details.open;
            self.go_to = self.details.open.then(|| id(Field::Questions));
        }
        if context.asked(Action::References) {
            let short = details::next_short(&editing.draft, self.goods.line());
            self.lead_to(editing, short);
        }
        let problems = editing.problem_list();
        let mut form = form(
            editing,
            &problems,
            &mut self.touched,
            (&mut self.go_to, &mut self.lead),
        );
        for action in [Action::SwapAddress, Action::Abroad, Action::SecondLine] {
            if context.asked(action) {
                self.side.act(ui, action, &mut form);
            }
        }
    }

    /// Where Send was asked for and did not go, the clerk is led to what is wrong first.
    fn after_send(&mut self, editing: &mut Editing) {
        if !self.awaits_send || editing.check().is_none() {
            return;
        }
        self.awaits_send = false;
        if let Some(field) = editing.problem_list().first_error() {
            editing.show_all = true;
            self.lead_to(editing, field);
        }
    }

    /// Goes to where a problem can be mended, unfolding what hides it.
    fn lead_to(&mut self, editing: &mut Editing, field: Field) {
        self.side.unfold(field);
        self.details.unfold(field);
        self.go_to = Some(id(match field {
            Field::Goods(..)
            | Field::Dg(..)
            | Field::Customs(_)
            | Field::Contents(..)
            | Field::AllGoods
            | Field::Whole => self.goods.lead_to(&mut editing.draft, field),
            field => field,
        }));
    }
}

/// What the fields are drawn from and typed into.
fn form<'a>(
    editing: &'a mut Editing,
    problems: &'a ProblemList,
    touched: &'a mut HashSet<Field>,
    (go_to, lead): (&'a mut Option<Id>, &'a mut Option<Field>),
) -> Form<'a> {
    Form {
        draft: &mut editing.draft,
        problems,
        show_all: editing.show_all,
        touched,
        go_to,
        lead,
        focused: None,
    }
}

/// The first field of a part of the screen.
fn start_of(part: Action, editing: &Editing) -> Id {
    match part {
        Action::From | Action::To => side::start_of(part, &editing.draft),
        _ => id(Field::Goods(0, GoodsField::Name)),
    }
}
