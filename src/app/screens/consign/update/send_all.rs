//! Sends all ready drafts, one after another, through the service queue.
//!
//! Invariant: the next draft is submitted only after the previous draft has its result, and each draft is checked
//! again before it is submitted. A draft that is not sent stays a draft. A run ends early if the service is
//! unreachable, if the token is not accepted, if two drafts in a row get no answer, or if an operation can't be
//! written to the journal.

use std::collections::HashSet;

use super::routes::route_rows;
use crate::core::Core;
use crate::state::{Notice, RouteView, SendRule, SendRun, Tone};
use draft::{Check, Draft, DraftId, Field, Problem, Routing, problems_from_errors};
use engine::{EngineError, Failure, Outcome, Payload, Remote, Request};

/// Number of lost answers in a row that ends a run.
const UNKNOWN_IN_A_ROW: usize = 2;

/// Maximum number of drafts that the notice at the end of a run names.
const MAX_NAMED_DRAFTS: usize = 3;

/// Maximum number of drafts that are checked for readiness in one turn.
const MOST_A_TURN: usize = 250;

impl SendRun {
    /// Adds a draft that was not sent to the notice at the end of the run.
    fn name_draft(&mut self, draft: &Draft, reason: &str) {
        if self.reasons.len() < MAX_NAMED_DRAFTS {
            self.reasons.push(format!("{}: {reason}", draft.title()));
        }
    }
}

impl Core {
    /// Starts a run that sends these drafts in this order, unless a run is already in progress.
    pub(crate) fn send_all(&mut self, drafts: Vec<DraftId>) {
        if drafts.is_empty() {
            return;
        }
        if self.shared.consign.run.is_some() {
            let headline = "Other drafts are being sent";
            let advice = "Wait until they are sent, or stop that, and try again";
            return self.notify(Notice::new(Tone::Warning, headline, advice));
        }
        self.shared.consign.last_created = None;
        self.begin_run(drafts, None);
    }

    /// Starts a run that Packbench begins by itself, because these orders from the watched folder are ready.
    pub(crate) fn send_by_itself(&mut self, orders: Vec<DraftId>, rule: SendRule) {
        if !orders.is_empty() {
            self.begin_run(orders, Some(rule));
        }
    }

    fn begin_run(&mut self, drafts: Vec<DraftId>, rule: Option<SendRule>) {
        self.shared.consign.run = Some(SendRun {
            total: drafts.len(),
            queue: drafts.into(),
            rule,
            ..SendRun::default()
        });
    }

    /// Removes a draft from the run because it was opened: the run must not send changes that are typed after
    /// its start.
    pub(super) fn remove_from_run(&mut self, id: &DraftId) {
        if let Some(run) = &mut self.shared.consign.run {
            let before = run.queue.len();
            run.queue.retain(|waiting| waiting != id);
            run.skipped += before - run.queue.len();
        }
    }

    /// Checks which drafts are ready. Submits the next draft of the run once the previous draft has its result.
    pub(crate) fn send_next(&mut self) {
        self.check_listed_drafts();
        let away = self.shared.session.health.away_since.is_some();
        let is_workgroup_away = self.is_workgroup_away();
        while let Some(run) = &mut self.shared.consign.run {
            if run.stopped.is_none() && !run.queue.is_empty() {
                let stop = if away {
                    Some("The service can't be reached")
                } else {
                    // A person may send without knowing what other benches do. Packbench does not.
                    let is_by_itself = run.rule.is_some();
                    (is_by_itself && is_workgroup_away).then_some("The workgroup is not connected")
                };
                run.stopped = stop.map(str::to_owned);
            }
            let is_over = run.stopping || run.stopped.is_some() || run.queue.is_empty();
            if is_over && run.current.is_none() {
                self.end_run();
                break;
            }
            // The prices of the next draft are fetched while the current draft is being sent.
            if is_over || !self.has_prices_of_next() {
                break;
            }
            let Some(run) = &mut self.shared.consign.run else {
                break;
            };
            if run.current.is_some() {
                break;
            }
            let (Some(id), pricing) = (run.queue.pop_front(), run.pricing.take()) else {
                break;
            };
            let prices = pricing.map(|(_, prices)| prices).unwrap_or_default();
            let submitted = self.submit_of_run(&id, &prices);
            if let Some(run) = &mut self.shared.consign.run {
                if submitted {
                    run.current = Some(id);
                } else {
                    run.skipped += 1;
                }
            }
        }
    }

    /// Fetches the prices of the next draft, if they are needed. Returns whether they are here, or not needed.
    fn has_prices_of_next(&mut self) -> bool {
        let Some(run) = &mut self.shared.consign.run else {
            return false;
        };
        let Some(next) = run.queue.front().cloned() else {
            return false;
        };
        match &mut run.pricing {
            Some((id, prices)) if *id == next => {
                prices.poll();
                !prices.is_loading()
            }
            // The draft that they were fetched for was opened.
            stale => {
                *stale = None;
                !self.price_of_run(&next)
            }
        }
    }

    /// Requests prices for a draft, so that a much dearer route is not sent without a question, and no route above the
    /// limit of the rule. Without a limit, a draft that takes the cheapest route needs no prices. Returns whether
    /// prices were requested.
    fn price_of_run(&mut self, id: &DraftId) -> bool {
        let Some(run) = &mut self.shared.consign.run else {
            return false;
        };
        let has_limit = run.rule.is_some_and(|rule| rule.price_limit.is_some());
        let is_compared = self.shared.bench.dear_percent.is_some();
        let needs_price = |draft: &&Draft| {
            let can_be_dear = matches!(draft.routing, Routing::Fastest | Routing::Chosen(_));
            has_limit || (can_be_dear && is_compared)
        };
        let draft = self.shared.consign.listed(id).filter(needs_price);
        let check = draft.map(|draft| draft.check(&self.shared.check_context()));
        let request = check.and_then(|check| check.route_request());
        let (Some(request), Some(run)) = (request, &mut self.shared.consign.run) else {
            return false;
        };
        let mut prices = Remote::default();
        prices.start(self.work.reads().routes(request, route_rows));
        run.pricing = Some((id.clone(), prices));
        true
    }

    /// Submits a draft if it still exists and has no problem now. Returns whether the draft was submitted.
    fn submit_of_run(&mut self, id: &DraftId, prices: &Remote<Vec<RouteView>>) -> bool {
        let consign = &self.shared.consign;
        let draft = consign.listed(id);
        let Some(draft) = draft.filter(|draft| !consign.is_excluded_from_runs(draft)) else {
            return false;
        };
        let check = draft.check(&self.shared.check_context());
        let Some(mut request) = check.request().cloned() else {
            // It was ready when the run began. Otherwise Packbench would try again at once, by itself.
            let problem = first_problem(&check);
            self.shared.consign.checked.insert(id.clone(), problem);
            return false;
        };
        if let Some(error) = prices.problem() {
            let problem = Notice::failed("", error).advice;
            return self.skip_without_price(id, error_problems(error, draft), problem);
        }
        let routes = prices.value().map_or(&[][..], Vec::as_slice);
        let dear_percent = self.shared.bench.dear_percent;
        let question = RouteView::price_question(&draft.routing, routes, dear_percent);
        let question =
            question.map(|words| format!("{words}. Open this draft and send it separately"));
        if let Some(words) = question {
            let draft = draft.clone();
            let consign = &mut self.shared.consign;
            if let Some(run) = &mut consign.run {
                run.name_draft(&draft, &words);
            }
            let problem = Problem::warning(Field::Route, words);
            consign.refusals.insert(draft.id, vec![problem]);
            return false;
        }
        let rule = consign.run.as_ref().and_then(|run| run.rule);
        let over_limit =
            rule.and_then(|rule| RouteView::limit_problem(&draft.routing, routes, rule));
        if let Some(words) = over_limit {
            let draft = draft.clone();
            if let Some(run) = &mut self.shared.consign.run {
                run.name_draft(&draft, &words);
            }
            self.shared.order_folder.over_limit.insert(draft.id, words);
            return false;
        }
        self.name_staff(&mut request.staff_member_name);
        self.shared.consign.refusals.remove(id);
        // A submitted draft is removed from the list, so that nobody can open it. If no consignment is created, the
        // draft is listed again.
        if let Some(draft) = self.shared.consign.unlist(id) {
            let intent = Payload::Create(Box::new(request));
            self.work.submit(Request::Send(Box::new(draft), intent));
        }
        true
    }

    /// Leaves out a draft whose prices could not be fetched. If the service refused the draft, the problems are kept with
    /// it. After any other failure, the next draft would fail, too, so the run ends.
    fn skip_without_price(
        &mut self,
        id: &DraftId,
        refused: Option<Vec<Problem>>,
        advice: String,
    ) -> bool {
        let consign = &mut self.shared.consign;
        match refused {
            Some(problems) => drop(consign.refusals.insert(id.clone(), problems)),
            None => {
                if let Some(run) = &mut consign.run {
                    run.stopped = Some(advice);
                }
            }
        }
        false
    }

    /// Handles the outcome of the run's draft. Returns the outcome if other code has to handle it too.
    pub(crate) fn handle_run_outcome(&mut self, outcome: Outcome) -> Option<Outcome> {
        let Some(run) = &mut self.shared.consign.run else {
            return Some(outcome);
        };
        let id = match &outcome {
            Outcome::Created { draft, .. } | Outcome::ResultUnknown(draft) => draft.as_ref(),
            Outcome::NotCreated { draft, .. } => draft.as_ref().map(|draft| &draft.id),
            _ => None,
        };
        if id.is_none() || id != run.current.as_ref() {
            return Some(outcome);
        }
        run.current = None;
        let lost_before = std::mem::take(&mut run.unknown_in_a_row);
        match outcome {
            Outcome::NotCreated {
                draft: Some(draft),
                error,
            } => {
                self.not_created_in_run(*draft, &error);
                return None;
            }
            Outcome::ResultUnknown(_) => {
                run.unknown += 1;
                run.unknown_in_a_row = lost_before + 1;
                if run.unknown_in_a_row >= UNKNOWN_IN_A_ROW {
                    run.stopped = Some("The service doesn't answer".to_owned());
                }
            }
            _ => run.sent += 1,
        }
        Some(outcome)
    }

    /// Puts a draft that was not created back into the list, with the reason as its problems.
    fn not_created_in_run(&mut self, draft: Draft, error: &EngineError) {
        let consign = &mut self.shared.consign;
        let Some(run) = &mut consign.run else {
            return;
        };
        let advice = Notice::failed("", error).advice;
        let problems = match error {
            EngineError::Service(Failure::Refused(errors)) => {
                run.refused += 1;
                run.name_draft(&draft, &advice);
                problems_from_errors(errors, &draft)
            }
            // Only this draft can't be sent, for example because another bench has it.
            EngineError::NotPossible(_) => {
                run.skipped += 1;
                run.name_draft(&draft, &advice);
                vec![Problem::error(Field::Whole, advice)]
            }
            _ => {
                run.skipped += 1;
                run.stopped = Some(advice.clone());
                match run.rule {
                    // Packbench tries again by itself.
                    Some(_) => Vec::new(),
                    None => vec![Problem::error(Field::Whole, advice)],
                }
            }
        };
        if !problems.is_empty() {
            consign.refusals.insert(draft.id.clone(), problems);
        }
        self.relist_draft(draft);
    }

    fn end_run(&mut self) {
        let Some(run) = self.shared.consign.run.take() else {
            return;
        };
        if run.rule.is_some() && (run.stopped.is_some() || run.stopping) {
            self.folder_run_stopped(run.stopping);
        }
        if run.rule.is_some() && run.sent == run.total {
            return;
        }
        let left = run.total - run.done();
        let mut headline = format!("{} of {} sent", run.sent, run.total);
        for (count, word) in [
            (run.refused, "refused"),
            (run.unknown, "being checked"),
            (run.skipped, "skipped"),
            (left, "not started"),
        ] {
            if count > 0 {
                headline = format!("{headline} · {count} {word}");
            }
        }
        let tone = if run.stopped.is_some() || run.refused > 0 {
            Tone::Bad
        } else if run.unknown > 0 {
            Tone::Unknown
        } else if run.skipped + left > 0 {
            Tone::Warning
        } else {
            Tone::Ok
        };
        let mut advice: Vec<_> = run.stopped.into_iter().collect();
        if run.refused + run.skipped + left > 0 {
            advice.push("Drafts that were not sent are unchanged".to_owned());
        }
        let mut notice = Notice::new(tone, headline, advice.join(". "));
        notice.detail = run.reasons.join("\n");
        self.notify(notice);
    }

    /// Returns true while drafts of a long list are still unchecked.
    pub(crate) fn is_counting_drafts(&self) -> bool {
        self.shared.consign.unchecked().next().is_some()
    }

    /// Checks new drafts of the list, a bounded number in one turn. A draft that left the list is checked again when it
    /// comes back, because it may have been changed.
    fn check_listed_drafts(&mut self) {
        let consign = &mut self.shared.consign;
        if consign.checked.len() == consign.drafts.len() && consign.unchecked().next().is_none() {
            return;
        }
        let listed: HashSet<_> = consign.drafts.iter().map(|draft| &draft.id).collect();
        consign.checked.retain(|id, _| listed.contains(id));
        let context = self.shared.check_context();
        let unchecked = self.shared.consign.unchecked().take(MOST_A_TURN);
        let new: Vec<_> = unchecked
            .map(|draft| (draft.id.clone(), first_problem(&draft.check(&context))))
            .collect();
        self.shared.consign.checked.extend(new);
    }
}

/// Returns the problems of a draft that the service refused; `None` for any other error.
fn error_problems(error: &EngineError, draft: &Draft) -> Option<Vec<Problem>> {
    match error {
        EngineError::Service(Failure::Refused(errors)) => Some(problems_from_errors(errors, draft)),
        _ => None,
    }
}

/// Returns the first error of a draft; `None` if the draft can be sent.
fn first_problem(check: &Check) -> Option<String> {
    let problem = check.errors().next();
    problem.map(|problem| problem.message.clone())
}
