//! Saves and removes presets on the drafts queue. After each change the window gets the complete list.

use super::context::EngineContext;
use super::{EngineError, Outcome};
use draft::Preset;
use storage::{Journal, JournalError};

impl EngineContext {
    pub(super) async fn save_preset(&self, preset: Preset, was: Option<String>) {
        let kept = self.change_presets(move |journal| journal.save_preset(&preset, was.as_deref()));
        if let Err(error) = kept.await {
            self.tell_failed("Couldn't save the preset", error).await;
        }
    }

    pub(super) async fn remove_preset(&self, name: String) {
        let removed = self.change_presets(move |journal| journal.remove_preset(&name));
        if let Err(error) = removed.await {
            self.tell_failed("The preset could not be removed", error)
                .await;
        }
    }

    /// Sends the list of presets to the window.
    pub(super) async fn tell_presets(&self) {
        if let Err(error) = self.change_presets(|_| Ok(())).await {
            self.tell_failed("The presets could not be read", error)
                .await;
        }
    }

    async fn change_presets(
        &self,
        change: impl FnOnce(&mut Journal) -> Result<(), JournalError> + Send + 'static,
    ) -> Result<(), EngineError> {
        let presets = self.writer.run(move |journal| {
            change(journal)?;
            journal.presets()
        });
        let presets = presets.await?;
        self.tell(Outcome::Presets(presets)).await;
        Ok(())
    }
}
