//! Nothing is sent before the whole journal was checked, and nothing after damage was found.
//!
//! What is typed, looked at or printed goes on: it doubles nothing.

use super::bench::Bench;
use super::{Choice, Outcome, Request, WorkError};
use crate::journal::JournalError;

/// What is known of the journal's file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Soundness {
    /// It is being checked.
    Checking,
    /// The check could not be made; it is tried again.
    Unchecked,
    /// All of it was checked.
    Sound,
    /// It is damaged.
    Damaged,
}

impl Bench {
    /// Gives a request back where it may be done now; one that changes the service waits until the journal is checked, and is
    /// told off where it is damaged.
    pub(super) async fn let_through(&self, request: Request) -> Option<Request> {
        let harmless = match &request {
            Request::SaveDraft(_)
            | Request::DiscardDraft(_)
            | Request::SavePreset(..)
            | Request::RemovePreset(_)
            | Request::HoldBack(..)
            | Request::SaveView(_)
            | Request::RemoveView(..)
            | Request::AnswerJob { .. }
            | Request::Print(_) => true,
            Request::Decide(_, choice) => {
                !matches!(choice, Choice::SendAgain | Choice::DeleteTwin(_))
            }
            _ => false,
        };
        if harmless {
            return Some(request);
        }
        let mut soundness = self.writer.soundness();
        let checked = soundness.wait_for(|sound| *sound != Soundness::Checking);
        let error = match checked.await.map(|sound| *sound) {
            Ok(Soundness::Sound) => return Some(request),
            Ok(Soundness::Damaged) => WorkError::Journal(JournalError::Damaged),
            _ => WorkError::Journal(JournalError::Unchecked),
        };
        match request {
            // Nobody asked for it: the next start does it.
            Request::FinishConversions => {}
            Request::Create { draft, .. }
            | Request::CreatePending { draft, .. }
            | Request::Edit {
                draft: Some(draft), ..
            } => {
                let draft = Some(draft);
                self.tell(Outcome::NotCreated { draft, error }).await;
            }
            Request::SendWritten(written) => {
                let draft = Some(written.into_draft());
                self.tell(Outcome::NotCreated { draft, error }).await;
            }
            Request::Decide(..) => self.tell_failed("Nothing was sent", error).await,
            _ => self.tell(Outcome::NotWritten(error)).await,
        }
        None
    }
}
