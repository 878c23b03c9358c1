//! Sends nothing before the whole journal was checked, and nothing after damage was found. Work that changes
//! nothing at the service continues.

use super::context::EngineContext;
use super::{EngineError, OperationDecision, Outcome, Request};
use storage::JournalError;

/// The state of the journal's file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum JournalHealth {
    /// The check is running.
    Checking,
    /// The check failed to run and is repeated.
    Unchecked,
    /// The whole file was checked and is intact.
    Intact,
    /// The file is damaged.
    Damaged,
}

impl EngineContext {
    /// Returns a request that may be handled now. A request that changes the service waits until the journal
    /// is checked, and is refused if the journal is damaged.
    pub(super) async fn admit(&self, request: Request) -> Option<Request> {
        let harmless = match &request {
            Request::SaveDraft(_)
            | Request::DiscardDraft(_)
            | Request::SavePreset(..)
            | Request::RemovePreset(_)
            | Request::SetOnHold(..)
            | Request::SaveView(_)
            | Request::RemoveView(..)
            | Request::AnswerJob { .. }
            | Request::Print(_) => true,
            Request::Decide(_, choice) => !matches!(
                choice,
                OperationDecision::SendAgain | OperationDecision::DeleteDuplicate(_)
            ),
            _ => false,
        };
        if harmless {
            return Some(request);
        }
        let mut soundness = self.writer.health();
        let checked = soundness.wait_for(|sound| *sound != JournalHealth::Checking);
        let error = match checked.await.map(|sound| *sound) {
            Ok(JournalHealth::Intact) => return Some(request),
            Ok(JournalHealth::Damaged) => EngineError::Journal(JournalError::Damaged),
            _ => EngineError::Journal(JournalError::Unchecked),
        };
        match request {
            // The clerk did not request it; the next start repeats it.
            Request::DeleteReplaced => {}
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
