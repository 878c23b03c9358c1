//! A simulated clerk who finishes one task: answers questions, resends what did not happen, and does nothing
//! twice without a reason.
//!
//! Before each step of the clerk, the bench's state is compared with the service's data.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use app::state::{Operation, OperationDecision, OperationId, OperationState};
use engine::Request;

use super::errands::Subject;
use crate::support::lanes::{Lanes, Truth};
use crate::support::wait::SOON;

/// How often a clerk asks anew for what was refused.
const PATIENCE: u32 = 3;

/// The clerk.
pub(super) struct Clerk<'a> {
    subject: &'a Subject,
    truth: PathBuf,
    /// How long the clerk waits before checking the service, because a late request may still arrive.
    looks_after: Duration,
    /// What was decided on last: it is not decided on twice.
    decided: Option<Stand>,
    asked: u32,
    /// Refused, and asked for anew.
    behind: Option<OperationId>,
    /// Each belief on which the clerk acted or rested.
    pub(super) beliefs: Vec<OperationState>,
}

/// What of an operation changes with each step.
#[derive(PartialEq)]
struct Stand(OperationId, OperationState, u32, String, usize);

impl<'a> Clerk<'a> {
    pub(super) fn new(subject: &'a Subject, truth: PathBuf) -> Self {
        Self {
            subject,
            truth,
            looks_after: Duration::ZERO,
            decided: None,
            asked: 0,
            behind: None,
            beliefs: Vec::new(),
        }
    }

    /// Sets how long the clerk waits before checking the service.
    pub(super) fn looking_after(self, looks_after: Duration) -> Self {
        Self {
            looks_after,
            ..self
        }
    }

    /// How often it happened at the service.
    pub(super) fn happened(&self) -> u32 {
        self.subject.happened(&Truth::read(&self.truth))
    }

    /// Until it is done; `ask` asks for it where nothing is known of it. The words say what went wrong where it did.
    pub(super) fn see_through(
        &mut self,
        lanes: &mut Lanes,
        mut ask: impl FnMut(&mut Lanes),
    ) -> Result<(), String> {
        let started = Instant::now();
        loop {
            lanes.hear();
            // What follows by itself, such as the deletion of what was replaced, is none of the clerk's business.
            let mut newest_first = lanes.operations.values().rev();
            let kind = self.subject.kind();
            match newest_first.find(|one| one.kind == kind).cloned() {
                None if lanes.restored && self.asked == 0 => self.ask(lanes, &mut ask),
                Some(operation)
                    if self.behind != Some(operation.id)
                        && self.is_done(lanes, &operation, &mut ask)? =>
                {
                    return Ok(());
                }
                _ => {}
            }
            if started.elapsed() > SOON {
                return Err(format!(
                    "stuck: {:?}, told {:?}",
                    lanes.newest(),
                    lanes.told
                ));
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    fn ask(&mut self, lanes: &mut Lanes, ask: &mut impl FnMut(&mut Lanes)) {
        self.asked += 1;
        ask(lanes);
    }

    fn is_done(
        &mut self,
        lanes: &mut Lanes,
        operation: &Operation,
        ask: &mut impl FnMut(&mut Lanes),
    ) -> Result<bool, String> {
        let stand = Stand(
            operation.id,
            operation.state,
            operation.attempt,
            operation.message.clone(),
            lanes.told.len(),
        );
        if self.decided.as_ref() == Some(&stand) {
            return Ok(false);
        }
        match operation.state {
            OperationState::Ready | OperationState::Sending | OperationState::Unknown => {
                return Ok(false);
            }
            OperationState::Done => {
                self.believe(operation, 1)?;
                return Ok(true);
            }
            OperationState::Absent => {
                self.believe(operation, 0)?;
                lanes.ask(Request::Decide(operation.id, OperationDecision::SendAgain));
            }
            OperationState::Ask => {
                // Looked at with the clerk's own eyes.
                std::thread::sleep(self.looks_after);
                let happened = self.happened() > 0;
                self.beliefs.push(OperationState::Ask);
                lanes.ask(Request::Decide(
                    operation.id,
                    OperationDecision::Happened(happened),
                ));
            }
            OperationState::Rejected | OperationState::Discarded => {
                self.believe(operation, 0)?;
                if self.asked > PATIENCE {
                    return Err(format!("refused for good: {}", operation.message));
                }
                self.behind = Some(operation.id);
                self.ask(lanes, ask);
            }
            OperationState::Conflict => {
                return Err(format!("a conflict: {}", operation.message));
            }
        }
        self.decided = Some(stand);
        Ok(false)
    }

    /// The bench says that it happened so often; the words are for people.
    fn believe(&mut self, operation: &Operation, said: u32) -> Result<(), String> {
        self.beliefs.push(operation.state);
        speaks_well(operation)?;
        match self.happened() {
            happened if happened == said => Ok(()),
            0 => Err(format!("believed, but missing: {}", operation.message)),
            1 => Err(format!(
                "{:?}, but it happened: {}",
                operation.state, operation.message
            )),
            happened => Err(format!("happened {happened} times: {}", operation.message)),
        }
    }
}

/// What an answer's body, a header or a person's details would look like in words that are for the clerk. Where in the body
/// something does not fit may be said.
const NEVER_SAID: &[&str] = &[
    "{",
    "<",
    "\"",
    "errors:",
    "bfg.example",
    "Okafor",
    "Creswick",
    "http://",
];

/// There are words, and they quote nothing.
pub(super) fn speaks_well(operation: &Operation) -> Result<(), String> {
    let words = operation.message.as_str();
    if words.is_empty() {
        return Err(format!("{:?} without a word", operation.state));
    }
    match NEVER_SAID.iter().find(|never| words.contains(**never)) {
        Some(never) => Err(format!("the words quote {never}: {words}")),
        None => Ok(()),
    }
}
