//! Reads the list of recent updates page by page. The next page is requested while the last one
//! is being stored.

use super::SyncRun;
use super::lookups::Lookups;
use super::window::leaves_gap;
use crate::context::EngineContext;
use crate::{EngineError, ListProgress};
use client::{Failure, RecentUpdates};

impl EngineContext {
    /// Stores the listed consignments, and removes them from the lookups. If the service refuses a period as
    /// too long, a shorter one is tried.
    pub(super) async fn read_pages(
        &self,
        look: &mut SyncRun,
        asked: &mut Lookups,
    ) -> Result<(), EngineError> {
        let mut refused = EngineError::Internal;
        for from in look.window.starts(look.mark, look.began) {
            look.list_start = from;
            look.gap = leaves_gap(look.mark, from);
            match self.read_list(look, asked).await {
                Err(error @ EngineError::Service(Failure::Refused(_))) => refused = error,
                read => return read,
            }
        }
        Err(refused)
    }

    async fn read_list(&self, look: &mut SyncRun, asked: &mut Lookups) -> Result<(), EngineError> {
        let updates = RecentUpdates {
            company: look.scope.company,
            children: look.scope.children,
            carrier: look.scope.carrier,
            ..RecentUpdates::since(look.list_start)
        };
        let standing = self.track.sync_state();
        let mut pages = self.client.recent_pages(updates);
        let mut next = pages.next().await?;
        while let Some(page) = next {
            standing.still_wanted(look.scope)?;
            let of = pages.total().and_then(|total| usize::try_from(total).ok());
            let came = pages.received_rows();
            standing.came(ListProgress { came, of });
            (self.repaint)();
            asked.listed(&page.rows);
            look.set_aside(&page);
            let (stored, following) = tokio::join!(self.record_list(page.rows), pages.next());
            look.took(stored?);
            next = following?;
        }
        Ok(())
    }
}
