//! Runs the Consign screen's commands: drafts, prices, Send.

pub(crate) mod drafts;
pub(crate) mod edit;
pub(crate) mod handover;
pub(crate) mod order_import;
pub(crate) mod packing;
pub(crate) mod routes;
pub(crate) mod send_all;

use std::collections::HashSet;
use std::time::Duration;

use crate::core::Core;
use crate::state::{
    ConsignCommand, Editing, OperationId, OrdersCommand, PackingView, Remote, RouteView, SaveState,
};
use draft::{Draft, DraftId};
use drafts::ConvertedPending;
use edit::{FetchedForm, FormPurpose};
use engine::{Payload, Request};
use order_import::ImportReads;
use shipping::{CompanyId, RouteRequest};

/// The draft and the receiver for which an earlier order is fetched.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct RepeatTarget {
    draft: DraftId,
    receiver: String,
}

impl RepeatTarget {
    fn of(draft: &Draft) -> Self {
        Self {
            draft: draft.id.clone(),
            receiver: draft.to.title().to_owned(),
        }
    }
}

/// The shortest name of a receiver whose last orders are read, in bytes.
const SHORTEST_RECEIVER: usize = 3;

/// State of Consign that the screens do not read.
#[derive(Default)]
pub(crate) struct ConsignUpdate {
    /// The request for the prices that are shown.
    pub(crate) routes_for: Option<RouteRequest>,
    /// Operations that create a consignment, begun since the program started and not done yet.
    pub(crate) begun: HashSet<OperationId>,
    /// Drafts whose current text is not on disk: saving failed, or they are new.
    pub(crate) unsaved: HashSet<DraftId>,
    /// True if saving a draft failed and has to be retried.
    pub(crate) retry_save: bool,
    pub(crate) save_due: Option<Duration>,
    pub(crate) routes_due: Option<Duration>,
    pub(crate) import: ImportReads,
    /// The form of a consignment that is to be changed or cloned.
    pub(crate) form: Remote<FetchedForm>,
    /// Consignments that somebody made from pending consignments at the service.
    pub(crate) conversions: Remote<Vec<ConvertedPending>>,
    /// The draft that is being taken over from another bench.
    pub(crate) taking: Remote<Option<Draft>>,
    /// The receiver whose last orders are read, and the company; `None` to read them again.
    pub(crate) orders_of: Option<(String, Option<CompanyId>)>,
    /// The draft that an earlier order is fetched for.
    pub(crate) repeat_for: Option<RepeatTarget>,
    /// The form as it was when the clerk asked for that draft.
    pub(crate) taken_from: Option<Draft>,
}

impl Core {
    pub(crate) fn run_consign(&mut self, command: ConsignCommand) {
        match command {
            ConsignCommand::FindRoutes => {
                self.work.reads().reconnect();
                self.find_routes(true);
            }
            ConsignCommand::LookUpAgain => {
                self.work.reads().reconnect();
                self.retry_lookups();
            }
            ConsignCommand::Send => self.send(),
            ConsignCommand::NewDraft => {
                self.keep_open_draft();
                self.open_next_draft();
            }
            ConsignCommand::OpenDraft(id) => self.open_draft(&id),
            ConsignCommand::DiscardDraft(id) => self.discard_draft(&id),
            ConsignCommand::RestoreDraft => self.bring_back(),
            ConsignCommand::SavePending => self.save_pending(),
            ConsignCommand::Edit(id) => self.open_form(id, FormPurpose::Change),
            ConsignCommand::Clone(id) => self.open_form(id, FormPurpose::Clone),
            ConsignCommand::Repeat(id) => {
                self.consign.repeat_for = Some(RepeatTarget::of(&self.editing.draft));
                self.open_form(id, FormPurpose::Repeat);
            }
            ConsignCommand::Return(id) => self.open_form(id, FormPurpose::Return),
            ConsignCommand::CountedScan => self.scan_found(),
            ConsignCommand::UnknownScan(text) => self.scan_not_found(text),
            ConsignCommand::UncountedScan(sku, line) => self.scan_not_counted(sku, line),
            ConsignCommand::TakeWeight { line, by_itself } => self.take_weight(line, by_itself),
            ConsignCommand::RefreshLocations => self.fetch_locations(),
            ConsignCommand::Orders(command) => self.run_orders(command),
            ConsignCommand::Handover(command) => self.run_handover(command),
            ConsignCommand::Packing(command) => self.run_packing(command),
        }
    }

    fn run_orders(&mut self, command: OrdersCommand) {
        let path = |typed: Option<String>| typed.map(|path| path.trim().into());
        match command {
            // The dialog has made sure that no other preset uses the preset's shortcut.
            OrdersCommand::SavePreset { preset, was } if !preset.name.is_empty() => {
                self.work.submit(Request::SavePreset(preset, was));
            }
            OrdersCommand::SavePreset { .. } => {}
            OrdersCommand::RemovePreset(name) => self.work.submit(Request::RemovePreset(name)),
            OrdersCommand::Import(typed) => self.open_orders(path(typed)),
            OrdersCommand::Check { mapping, routing } => self.check_orders(mapping, routing),
            OrdersCommand::BackToColumns => self.back_to_columns(),
            OrdersCommand::CreateDrafts(again) => self.import_orders(&again),
            OrdersCommand::SaveRejected(typed) => self.save_rejected(path(typed)),
            OrdersCommand::PutAway => self.close_import(),
            OrdersCommand::SaveTemplate(typed) => self.save_template(path(typed)),
            OrdersCommand::SendAll(drafts) => self.send_all(drafts),
            OrdersCommand::StopSending => {
                if let Some(run) = &mut self.shared.consign.run {
                    run.stopping = true;
                }
            }
        }
    }

    /// Opens a draft in the form. Values that the form fills in automatically do not count as typed.
    pub(crate) fn open_in_form(&mut self, mut draft: Draft) {
        self.set_draft_company(&mut draft);
        if draft.is_from_folder && !draft.was_opened {
            draft.was_opened = true;
            self.work
                .submit(Request::SaveDraft(Box::new(draft.clone())));
        }
        draft.recall(&self.shared.catalogue.items);
        if draft.edits.is_none() {
            let locations = self.shared.catalogue.known_locations();
            draft.from.resolve_abbreviation(locations);
            draft.to.resolve_abbreviation(locations);
        }
        self.editing = Editing::of(draft);
        self.editing.notice_change();
        if self.consign.unsaved.contains(&self.editing.draft.id) {
            self.editing.saved = SaveState::Pending;
        } else if !self.editing.draft.is_blank() {
            self.editing.saved = SaveState::At(self.shared.now);
        }
        self.shared.consign.packing = PackingView::default();
        self.consign.routes_for = None;
        self.shared.consign.routes.clear();
        self.find_routes(false);
    }

    /// Reads the last orders of the draft's company to the receiver of the form, if either has changed.
    pub(crate) fn follow_receiver(&mut self) {
        let receiver = self.editing.draft.to.title();
        let company = self.editing.draft.company.or(self.shared.session.company);
        let is_same = |(known, of): &(String, _)| known == receiver && *of == company;
        if self.consign.orders_of.as_ref().is_some_and(is_same) {
            return;
        }
        let receiver = receiver.to_owned();
        self.consign.orders_of = Some((receiver.clone(), company));
        if receiver.len() >= SHORTEST_RECEIVER {
            let fetch = self.work.reads().last_orders(receiver, company);
            self.shared.consign.last_orders.start(fetch);
        }
    }

    pub(crate) fn open_next_draft(&mut self) {
        let next = self.next_draft();
        self.open_in_form(next);
    }

    /// Checks the draft and submits it to the service queue. If the check fails, shows every problem instead.
    fn send(&mut self) {
        if self.editing.draft.edits.is_some() {
            return self.save_changes();
        }
        if self.waits_for_comparison(&self.editing.draft.id.clone()) {
            return;
        }
        let context = self.shared.check_context();
        if !self.editing.refresh_check(&context, true).passes() {
            self.editing.show_all = true;
            return;
        }
        if !self.may_send_packed() {
            return;
        }
        let check = self.editing.draft.as_packed().check(&context);
        let Some(mut request) = check.request().cloned() else {
            return self.notify_unsendable(&check);
        };
        let routes = self.shared.consign.routes.value();
        let routes = routes.map_or(&[][..], Vec::as_slice);
        let routing = &self.editing.draft.routing;
        let question = RouteView::price_question(routing, routes, self.shared.bench.dear_percent);
        let was_asked = self.editing.price_question.is_some() && !self.editing.is_changed();
        if question.is_some() && !was_asked {
            self.editing.price_question = question;
            return;
        }
        self.name_staff(&mut request.staff_member_name);
        let draft = self.take_open_draft();
        let intent = Payload::Create(Box::new(request));
        self.work.submit(Request::Send(draft, intent));
    }

    /// Sets the packer's name to the bench's clerk if no name was typed.
    pub(crate) fn name_staff(&self, typed: &mut Option<String>) {
        if typed.is_none() && !self.shared.bench.staff.is_empty() {
            *typed = Some(self.shared.bench.staff.clone());
        }
    }

    /// Moves the open draft from the form to the list of sent drafts. The form begins the next draft at once, so that
    /// keys typed after Send belong to the next order.
    pub(crate) fn take_open_draft(&mut self) -> Box<Draft> {
        // Saves the draft first, because the service queue may be busy with earlier requests for a while.
        self.save_draft();
        self.shared.consign.last_created = None;
        let draft = self.editing.draft.clone();
        self.shared.consign.sent.push(draft.clone());
        self.open_next_draft();
        Box::new(draft)
    }

    /// Removes a draft from the list of sent drafts, because its result is known or because it goes back to the
    /// drafts. Returns `None` if the draft was not sent from the form.
    pub(crate) fn take_sent(&mut self, id: Option<&DraftId>) -> Option<Draft> {
        let sent = &mut self.shared.consign.sent;
        let at = sent.iter().position(|draft| Some(&draft.id) == id)?;
        Some(sent.remove(at))
    }
}
