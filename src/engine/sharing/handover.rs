//! Drafts that a bench leaves for any other, and takes over from another.
//!
//! Invariant: a draft is removed from the journal of the bench that leaves it only together with the row that delivers it,
//! and it is removed from the database only after the bench that takes it has saved it. Each step can be repeated.

use super::{is_shared_order, order_key, without_nul};
use crate::{EngineContext, EngineError, Fetch, Outcome, Reads};
use draft::Draft;
use storage::{Journal, LeftDraftRow};
use workgroup::{LeftDraft, TakenDraft, WaitingDraft, Workgroup, WorkgroupState};

/// How many waiting drafts are read for the list.
const MOST_WAITING: i64 = 1_000;

/// How many drafts are delivered in one call.
const DRAFTS_AT_ONCE: usize = 50;

impl Reads {
    /// Takes over the waiting draft with this id, or the oldest that can be sent as it is. Returns `None` if there is
    /// none, or another bench was first.
    pub fn take_draft(&self, id: Option<String>) -> Fetch<Option<Draft>> {
        self.local(move |bench| async move {
            let Some(workgroup) = &bench.workgroup else {
                return Ok(None);
            };
            let Some(taken) = workgroup.take_draft(id.as_deref()).await? else {
                return Ok(None);
            };
            let (draft, _) = bench.save_taken(workgroup, taken).await?;
            Ok(Some(draft))
        })
    }
}

impl EngineContext {
    /// Leaves drafts for any bench, all or none.
    pub(crate) async fn leave_drafts(&self, drafts: Vec<(Draft, bool)>) {
        let (left, now) = (drafts.clone(), self.now());
        let result = self.journal(move |journal| journal.leave_drafts(&left, now));
        let result = result.await;
        let drafts = drafts.into_iter().map(|(draft, _)| draft).collect();
        self.tell(Outcome::DraftsLeft { drafts, result }).await;
        self.has_changes.notify_one();
    }

    pub(super) async fn deliver_left_drafts(
        &self,
        workgroup: &Workgroup,
    ) -> Result<(), EngineError> {
        let rows = self.journal(|journal| journal.left_drafts()).await?;
        if rows.is_empty() {
            return Ok(());
        }
        self.journal(Journal::left_drafts_tried).await?;
        for some in rows.chunks(DRAFTS_AT_ONCE) {
            let left: Result<Vec<_>, _> = some.iter().map(to_left).collect();
            workgroup.leave_drafts(&left?).await?;
            let delivered: Vec<_> = some.iter().map(|row| row.draft.id.clone()).collect();
            // If this fails, the drafts are delivered again, which changes nothing.
            self.journal(move |journal| journal.left_drafts_delivered(&delivered))
                .await?;
        }
        Ok(())
    }

    /// Saves the drafts that were taken over before the program or the connection ended.
    pub(super) async fn finish_taking(&self, workgroup: &Workgroup) -> Result<(), EngineError> {
        for taken in workgroup.drafts_taken().await? {
            let (draft, is_new) = self.save_taken(workgroup, taken).await?;
            if is_new {
                self.tell(Outcome::DraftBack(Box::new(draft))).await;
            }
        }
        Ok(())
    }

    /// Saves a draft that was taken over, and removes it from the database. Returns false with it if it was saved before.
    async fn save_taken(
        &self,
        workgroup: &Workgroup,
        taken: TakenDraft,
    ) -> Result<(Draft, bool), EngineError> {
        let Ok(draft) = serde_json::from_str::<Draft>(&taken.draft) else {
            let bench = workgroup.member().bench;
            workgroup.give_draft_back(&bench, &taken.id).await?;
            let message = "The draft was written by a newer version of Packbench, so it still waits for another bench";
            return Err(EngineError::NotPossible(message.to_owned()));
        };
        let (id, saved, now) = (taken.id.clone(), draft.clone(), self.now());
        let is_new = self.journal(move |journal| journal.take_draft(&id, &saved, now));
        let is_new = is_new.await?;
        if let Err(error) = workgroup.draft_saved(&taken.id).await {
            tracing::warn!(%error, "a draft was taken over, and is removed from the database later");
        }
        Ok((draft, is_new))
    }

    /// Lets any bench take over a draft that a broken bench took over and did not save.
    pub(crate) async fn return_draft(&self, bench: &str, id: &str) {
        if let Some(workgroup) = &self.workgroup
            && let Err(error) = workgroup.give_draft_back(bench, id).await
        {
            self.tell_failed("Couldn't give the draft back", error.into())
                .await;
        }
    }

    /// Returns the drafts that any bench can take over. Those that this bench has left and the database does not have yet
    /// come last.
    pub(super) async fn waiting_drafts(
        &self,
        workgroup: &Workgroup,
    ) -> Result<Vec<WaitingDraft>, EngineError> {
        let mut waiting = Vec::new();
        if *workgroup.state().borrow() == WorkgroupState::Connected {
            waiting = workgroup.waiting_drafts(MOST_WAITING).await?;
        }
        let member = workgroup.member();
        let left = self.journal(|journal| journal.left_drafts()).await?;
        waiting.extend(left.into_iter().map(|row| WaitingDraft {
            title: row.draft.title().to_owned(),
            receiver: row.draft.to.title().to_owned(),
            suburb: row.draft.to.place.clone(),
            id: row.id,
            is_ready: row.is_ready,
            bench_name: member.name.clone(),
            clerk: member.clerk.clone(),
            since: row.left,
        }));
        Ok(waiting)
    }
}

fn to_left(row: &LeftDraftRow) -> Result<LeftDraft, EngineError> {
    let draft = &row.draft;
    Ok(LeftDraft {
        id: row.id.clone(),
        draft: serde_json::to_string(draft).map_err(|_unwritable| EngineError::Internal)?,
        title: without_nul(draft.title()),
        receiver: without_nul(draft.to.title()),
        suburb: without_nul(&draft.to.place),
        is_ready: row.is_ready,
        order: is_shared_order(draft).then(|| order_key(draft)),
    })
}
