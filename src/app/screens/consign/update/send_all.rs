//! Sends all ready drafts, one after another, through the service queue.
//!
//! Invariant: the next draft is submitted only after the previous draft has its result, and each draft is
//! checked again before that. A draft that is not sent stays a draft. A run ends early if the service is
//! away, if the token is not accepted, if two drafts in a row get no answer, or if an operation can't be
//! written to the journal.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use super::routes::route_rows;
use crate::core::Core;
use crate::state::{Notice, RouteView, SendRun, Tone};
use draft::{Draft, DraftId, Field, Problem, Routing, problems_from_errors};
use engine::{EngineError, Failure, Outcome, Payload, Remote, Request};

/// Lost answers in a row after which nothing more is sent.
const UNKNOWN_IN_A_ROW: usize = 2;

/// Drafts that are named in the notice at the end of a run.
const MAX_NAMED_DRAFTS: usize = 3;

/// Drafts that are checked for readiness in one turn.
const MOST_A_TURN: usize = 250;

/// Whether a run can send a draft.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Readiness {
    /// Can be sent. Contains the description of how its carrier is chosen.
    Ready(String),
    /// The clerk has to fix something first.
    Unready,
    /// Never sent by a run: it changes a consignment, completes a pending one, or may have been sent already.
    Excluded,
}

/// The current run, and the readiness of the drafts.
#[derive(Default)]
pub(crate) struct SendingAll {
    pub(super) run: Option<Run>,
    ready: HashMap<DraftId, Readiness>,
    /// The list of drafts that the view was counted from.
    counted: Vec<DraftId>,
    doubts: usize,
}

#[derive(Default)]
pub(super) struct Run {
    queue: VecDeque<DraftId>,
    /// The draft that was submitted and has no result yet.
    current: Option<DraftId>,
    /// The next draft, while its price is compared with the cheapest.
    pricing: Option<(DraftId, Remote<Vec<RouteView>>)>,
    pub(super) view: SendRun,
    unknown_in_a_row: usize,
    /// The reason for ending the run early.
    stopped: Option<String>,
    refused: Vec<String>,
}

impl SendingAll {
    /// Returns true while drafts are being sent.
    pub(crate) const fn is_on(&self) -> bool {
        self.run.is_some()
    }
}

impl Core {
    /// Starts a run over these drafts, in this order. Only one run goes on at a time.
    pub(crate) fn send_all(&mut self, drafts: Vec<DraftId>) {
        if self.consign.sending_all.is_on() || drafts.is_empty() {
            return;
        }
        let view = SendRun {
            total: drafts.len(),
            ..SendRun::default()
        };
        self.shared.consign.last_created = None;
        self.consign.sending_all.run = Some(Run {
            queue: drafts.into(),
            view,
            ..Run::default()
        });
    }

    /// Removes a draft from the run because it was opened: the run must not send changes that are typed after
    /// its start.
    pub(crate) fn remove_from_run(&mut self, id: &DraftId) {
        if let Some(run) = &mut self.consign.sending_all.run {
            let before = run.queue.len();
            run.queue.retain(|waiting| waiting != id);
            run.view.skipped += before - run.queue.len();
        }
    }

    /// Counts the ready drafts. Submits the next draft of the run once the previous draft has its result.
    pub(crate) fn send_next(&mut self) {
        self.count_ready();
        let away = self.shared.session.health.away_since.is_some();
        while let Some(run) = &mut self.consign.sending_all.run {
            if run.current.is_some() {
                break;
            }
            if away && run.stopped.is_none() && !run.queue.is_empty() {
                run.stopped = Some("The service can't be reached".to_owned());
            }
            let over = run.view.stopping || run.stopped.is_some();
            if let Some((_, prices)) = &mut run.pricing {
                prices.poll();
                if prices.is_loading() && !over {
                    break;
                }
            }
            let priced = run.pricing.take();
            let next = match &priced {
                Some((id, _)) => Some(id.clone()),
                None => run.queue.pop_front(),
            };
            let Some(id) = next.filter(|_| !over) else {
                self.end_run();
                break;
            };
            let prices = match priced {
                Some((_, prices)) => prices,
                None if self.price_of_run(&id) => break,
                None => Remote::default(),
            };
            let submitted = self.submit_of_run(&id, &prices);
            if let Some(run) = &mut self.consign.sending_all.run {
                if submitted {
                    run.current = Some(id);
                } else {
                    run.view.skipped += 1;
                }
            }
        }
        let view = self
            .consign
            .sending_all
            .run
            .as_ref()
            .map(|run| run.view.clone());
        if self.shared.consign.send_all.run != view {
            self.shared.consign.send_all.run = view;
        }
    }

    /// Returns true while drafts of a long list are still unchecked.
    pub(crate) fn is_counting_drafts(&self) -> bool {
        self.consign.sending_all.counted.len() < self.shared.consign.drafts.len()
    }

    /// Requests prices for a draft, unless it takes the cheapest route anyway: a much dearer route is not
    /// sent without a question. Returns whether prices were requested.
    fn price_of_run(&mut self, id: &DraftId) -> bool {
        let draft = self
            .shared
            .consign
            .drafts
            .iter()
            .find(|draft| draft.id == *id);
        let compares =
            |draft: &&Draft| matches!(draft.routing, Routing::Fastest | Routing::Chosen(_));
        let Some(draft) = draft
            .filter(compares)
            .filter(|_| self.shared.session.price_limit_percent.is_some())
        else {
            return false;
        };
        let Some(request) = draft.check(&self.shared.check_context()).route_request() else {
            return false;
        };
        let mut prices = Remote::default();
        prices.start(self.work.reads().routes(request, route_rows));
        if let Some(run) = &mut self.consign.sending_all.run {
            run.pricing = Some((id.clone(), prices));
        }
        true
    }

    /// Submits a draft, if it still exists and nothing is wrong with it now. Returns whether it
    /// was submitted.
    fn submit_of_run(&mut self, id: &DraftId, prices: &Remote<Vec<RouteView>>) -> bool {
        let Some(at) = self.shared.consign.draft_index(id) else {
            return false;
        };
        let draft = &self.shared.consign.drafts[at];
        if self.shared.consign.possibly_sent.contains_key(id) || is_excluded_from_runs(draft) {
            return false;
        }
        let check = draft.check(&self.shared.check_context());
        let Some(mut request) = check.request().cloned() else {
            return false;
        };
        let routes = prices.value().map_or(&[][..], Vec::as_slice);
        let dear_percent = self.shared.session.price_limit_percent;
        let question = RouteView::price_question(&draft.routing, routes, dear_percent);
        if let Some(question) = question {
            let words = format!("{question}. Open this draft and send it separately");
            if let Some(run) = &mut self.consign.sending_all.run
                && run.refused.len() < MAX_NAMED_DRAFTS
            {
                run.refused.push(format!("{}: {words}", draft.title()));
            }
            let problem = Problem::warning(Field::Route, words);
            self.shared
                .consign
                .refusals
                .insert(id.clone(), vec![problem]);
            return false;
        }
        self.name_staff(&mut request.staff_member_name);
        self.shared.consign.refusals.remove(id);
        // A submitted draft leaves the list, so that nobody can open it. If no consignment is created, it
        // comes back.
        let draft = self.shared.consign.drafts.remove(at);
        let intent = Payload::Create(Box::new(request));
        self.work.submit(Request::Send(Box::new(draft), intent));
        true
    }

    /// Handles the outcome of the run's draft. Returns the outcome if others have to handle it too.
    pub(crate) fn handle_run_outcome(&mut self, outcome: Outcome) -> Option<Outcome> {
        let Some(run) = &mut self.consign.sending_all.run else {
            return Some(outcome);
        };
        let is_current = |id: Option<&DraftId>| id.is_some() && id == run.current.as_ref();
        match outcome {
            Outcome::Created { ref draft, .. } if is_current(draft.as_ref()) => {
                run.current = None;
                run.view.sent += 1;
                run.unknown_in_a_row = 0;
                Some(outcome)
            }
            Outcome::ResultUnknown(ref draft) if is_current(draft.as_ref()) => {
                run.current = None;
                run.view.unknown += 1;
                run.unknown_in_a_row += 1;
                if run.unknown_in_a_row >= UNKNOWN_IN_A_ROW {
                    run.stopped = Some("The service doesn't answer".to_owned());
                }
                Some(outcome)
            }
            Outcome::NotCreated {
                draft: Some(draft),
                error,
            } if is_current(Some(&draft.id)) => {
                self.not_created_in_run(*draft, &error);
                None
            }
            other => Some(other),
        }
    }

    /// Puts the draft back into the list, with the service's refusals.
    fn not_created_in_run(&mut self, draft: Draft, error: &EngineError) {
        let Some(run) = &mut self.consign.sending_all.run else {
            return;
        };
        run.current = None;
        run.unknown_in_a_row = 0;
        let advice = Notice::failed("", error).advice;
        let problems = if let EngineError::Service(Failure::Refused(errors)) = error {
            run.view.refused += 1;
            if run.refused.len() < MAX_NAMED_DRAFTS {
                run.refused.push(format!("{}: {advice}", draft.title()));
            }
            problems_from_errors(errors, &draft)
        } else {
            run.view.skipped += 1;
            run.stopped = Some(advice.clone());
            vec![Problem::error(Field::Whole, advice)]
        };
        self.shared
            .consign
            .refusals
            .insert(draft.id.clone(), problems);
        self.relist_draft(draft);
    }

    fn end_run(&mut self) {
        let Some(run) = self.consign.sending_all.run.take() else {
            return;
        };
        let view = run.view;
        let left = view.total - view.done();
        let mut headline = vec![format!("{} of {} sent", view.sent, view.total)];
        for (count, word) in [
            (view.refused, "refused"),
            (view.unknown, "being checked"),
            (view.skipped, "skipped"),
            (left, "not started"),
        ] {
            if count > 0 {
                headline.push(format!("{count} {word}"));
            }
        }
        let tone = if run.stopped.is_some() || view.refused > 0 {
            Tone::Bad
        } else if view.unknown > 0 {
            Tone::Unknown
        } else if view.skipped + left > 0 {
            Tone::Warning
        } else {
            Tone::Ok
        };
        let mut advice: Vec<_> = run.stopped.into_iter().collect();
        if view.refused + view.skipped + left > 0 {
            advice.push("Drafts that were not sent are unchanged".to_owned());
        }
        let mut notice = Notice::new(tone, headline.join(" · "), advice.join(". "));
        notice.detail = run.refused.join("\n");
        self.notify(notice);
    }

    /// Shows the refusals of a draft again when it is opened.
    pub(crate) fn recall_refusal(&mut self) {
        if let Some(problems) = self.shared.consign.refusals.remove(&self.editing.draft.id) {
            self.editing.refusals = problems;
            self.editing.show_all = true;
        }
    }

    /// Keeps the service's problems of the open draft when the draft is closed.
    pub(crate) fn remember_refusal(&mut self) {
        if !self.editing.refusals.is_empty() {
            let (id, problems) = (self.editing.draft.id.clone(), self.editing.refusals.clone());
            self.shared.consign.refusals.insert(id, problems);
        }
    }

    /// Counts the ready drafts after the list has changed. Checks a bounded number of drafts in one turn.
    fn count_ready(&mut self) {
        let drafts = &self.shared.consign.drafts;
        let state = &mut self.consign.sending_all;
        let known = state.doubts == self.shared.consign.possibly_sent.len()
            && state.counted.len() == drafts.len()
            && state
                .counted
                .iter()
                .eq(drafts.iter().map(|draft| &draft.id));
        if known {
            return;
        }
        let here: std::collections::HashSet<_> = drafts.iter().map(|draft| &draft.id).collect();
        state.ready.retain(|id, _| here.contains(id));
        if state.doubts != self.shared.consign.possibly_sent.len() {
            state.doubts = self.shared.consign.possibly_sent.len();
            state.ready.clear();
        }
        let context = self.shared.check_context();
        let new = drafts
            .iter()
            .filter(|draft| !state.ready.contains_key(&draft.id));
        let looked: Vec<_> = new
            .take(MOST_A_TURN)
            .map(|draft| {
                let readiness = if self.shared.consign.possibly_sent.contains_key(&draft.id)
                    || is_excluded_from_runs(draft)
                {
                    Readiness::Excluded
                } else if draft.check(&context).passes() {
                    Readiness::Ready(describe_carrier_choice(&draft.routing))
                } else {
                    Readiness::Unready
                };
                (draft.id.clone(), readiness)
            })
            .collect();
        state.ready.extend(looked);
        let mut ready = Vec::new();
        let (mut unready, mut apart) = (0, 0);
        let mut counted = Vec::with_capacity(drafts.len());
        for draft in drafts {
            match state.ready.get(&draft.id) {
                // Checked in the next turn.
                None => continue,
                Some(Readiness::Ready(words)) => ready.push((draft.id.clone(), words.clone())),
                Some(Readiness::Unready) => unready += 1,
                Some(Readiness::Excluded) => apart += 1,
            }
            counted.push(draft.id.clone());
        }
        state.counted = counted;
        let view = &mut self.shared.consign.send_all;
        view.ready = Arc::new(ready);
        (view.unready, view.not_batchable) = (unready, apart);
    }
}

/// Returns whether a draft changes a consignment or completes a pending one. Runs don't send such drafts.
const fn is_excluded_from_runs(draft: &Draft) -> bool {
    draft.edits.is_some() || draft.pending.is_some()
}

/// Describes how the carrier is chosen. Ready drafts are counted by this text.
fn describe_carrier_choice(routing: &Routing) -> String {
    let named = |carrier: &str, service: &str| format!("{carrier} {service}").trim().to_owned();
    match routing {
        Routing::Unchosen => String::new(),
        Routing::Cheapest => "Cheapest".to_owned(),
        Routing::Fastest => "Fastest".to_owned(),
        Routing::Chosen(route) => named(&route.carrier, &route.service),
        Routing::Carrier(chosen) => named(&chosen.carrier, &chosen.service),
    }
}
