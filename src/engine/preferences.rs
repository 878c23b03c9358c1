//! Changes on the drafts queue that the service never sees: drafts, presets, consignments on hold and saved
//! views. After each change of presets or views the window gets the complete list.

use super::context::EngineContext;
use super::{EngineError, Outcome};
use draft::{Draft, DraftId};
use shipping::ConsignmentId;
use storage::{Journal, JournalError};

impl EngineContext {
    pub(super) async fn save_draft(&self, draft: Box<Draft>) {
        let (id, at) = (draft.id.clone(), self.now());
        let saved = self
            .writer
            .run(move |journal| journal.save_draft(&draft, at));
        match saved.await {
            Ok(()) => self.tell(Outcome::DraftSaved { id, at }).await,
            Err(error) => self.tell(Outcome::DraftNotSaved(id, error)).await,
        }
    }

    pub(super) async fn discard_draft(&self, id: DraftId) {
        let gone = id.clone();
        let discarded = self.writer.run(move |journal| journal.discard_draft(&id));
        match discarded.await {
            Ok(()) => self.tell(Outcome::DraftDiscarded(gone)).await,
            Err(error) => {
                self.tell_failed("Couldn't discard the draft", error).await;
            }
        }
    }

    /// Puts consignments on hold or releases them. The window already shows the change, and possibly later
    /// changes: it gets the list of consignments on hold only if the change could not be saved.
    pub(super) async fn set_on_hold(&self, ids: Vec<ConsignmentId>, held: bool) {
        let now = self.now();
        let kept = self
            .writer
            .run(move |journal| journal.set_on_hold(&ids, held, now));
        if let Err(error) = kept.await {
            let what = "Couldn't save which consignments are on hold";
            self.tell_failed(what, error).await;
            self.tell_on_hold().await;
        }
    }

    /// Sends the presets, the consignments on hold and the saved views to the window.
    pub(super) async fn tell_preferences(&self) {
        self.change_presets("Couldn't read the presets", |_| Ok(()))
            .await;
        self.tell_on_hold().await;
        self.change_views("Couldn't read the views", |_| Ok(()))
            .await;
    }

    async fn tell_on_hold(&self) {
        let what = "Couldn't read which consignments are on hold";
        let held = self.writer.run(|journal| journal.on_hold()).await;
        self.tell_list(what, held.map(Outcome::OnHold)).await;
    }

    pub(super) async fn change_presets(
        &self,
        what: &'static str,
        change: impl FnOnce(&mut Journal) -> Result<(), JournalError> + Send + 'static,
    ) {
        let presets = self.writer.run(move |journal| {
            change(journal)?;
            journal.presets()
        });
        let told = presets.await.map(Outcome::Presets);
        self.tell_list(what, told).await;
    }

    pub(super) async fn change_views(
        &self,
        what: &'static str,
        change: impl FnOnce(&mut Journal) -> Result<(), JournalError> + Send + 'static,
    ) {
        let views = self.writer.run(move |journal| {
            change(journal)?;
            journal.views()
        });
        let told = views.await.map(Outcome::Views);
        self.tell_list(what, told).await;
    }

    async fn tell_list(&self, what: &'static str, list: Result<Outcome, EngineError>) {
        match list {
            Ok(list) => self.tell(list).await,
            Err(error) => self.tell_failed(what, error).await,
        }
    }
}
