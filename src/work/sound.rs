//! Sends nothing before the whole journal was checked, and nothing after damage was found. Work that changes
//! nothing at the service continues.

use super::bench::Bench;
use super::{Choice, Outcome, Request, WorkError};
use crate::journal::JournalError;

/// The state of the journal's file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Soundness {
    /// The check is running.
    Checking,
    /// The check failed to run and is repeated.
    Unchecked,
    /// The whole file was checked and is intact.
    Sound,
    /// The file is damaged.
    Damaged,
}

impl Bench {
    /// Returns a request that may be handled now. A request that changes the service waits until the journal
    /// is checked, and is refused if the journal is damaged.
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
            // The clerk did not request it; the next start repeats it.
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
