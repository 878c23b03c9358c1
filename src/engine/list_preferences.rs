//! Saves consignments on hold and saved views on the drafts queue.

use super::context::EngineContext;
use super::{EngineError, ListView, Outcome, ViewedList};
use shipping::ConsignmentId;
use storage::{Journal, JournalError};

impl EngineContext {
    /// Puts consignments on hold or releases them. The window shows the change already, and perhaps newer
    /// ones: it gets the list of consignments on hold only if the change could not be saved.
    pub(super) async fn set_on_hold(&self, ids: Vec<ConsignmentId>, held: bool) {
        let now = self.now();
        let kept = self
            .writer
            .run(move |journal| journal.set_on_hold(&ids, held, now));
        if let Err(error) = kept.await {
            let what = "Couldn't save which consignments are on hold";
            self.tell_failed(what, error).await;
            self.tell_held_back().await;
        }
    }

    pub(super) async fn save_view(&self, view: ListView) {
        let kept = self.change_views(move |journal| journal.save_view(&view));
        if let Err(error) = kept.await {
            self.tell_failed("Couldn't save the view", error).await;
        }
    }

    pub(super) async fn remove_view(&self, of: ViewedList, name: String) {
        let removed = self.change_views(move |journal| journal.remove_view(of, &name));
        if let Err(error) = removed.await {
            self.tell_failed("The view could not be removed", error)
                .await;
        }
    }

    /// Sends the consignments on hold and the saved views to the window.
    pub(super) async fn tell_how_shown(&self) {
        self.tell_held_back().await;
        if let Err(error) = self.change_views(|_| Ok(())).await {
            self.tell_failed("The views could not be read", error).await;
        }
    }

    async fn tell_held_back(&self) {
        match self.writer.run(|journal| journal.on_hold()).await {
            Ok(held) => self.tell(Outcome::OnHold(held)).await,
            Err(error) => {
                let what = "Couldn't read which consignments are on hold";
                self.tell_failed(what, error).await;
            }
        }
    }

    async fn change_views(
        &self,
        change: impl FnOnce(&mut Journal) -> Result<(), JournalError> + Send + 'static,
    ) -> Result<(), EngineError> {
        let views = self.writer.run(move |journal| {
            change(journal)?;
            journal.views()
        });
        let views = views.await?;
        self.tell(Outcome::Views(views)).await;
        Ok(())
    }
}
