//! Reads the list of recent updates page by page. The next page is requested while the last one
//! is being stored.

use super::Look;
use super::asked::Asked;
use super::reach::leaves_gap;
use crate::client::{Failure, RecentUpdates};
use crate::work::bench::Bench;
use crate::work::{ListProgress, WorkError};

impl Bench {
    /// Stores the listed consignments, and removes them from the lookups. If the service refuses a period as
    /// too long, a shorter one is tried.
    pub(super) async fn read_pages(
        &self,
        look: &mut Look,
        asked: &mut Asked,
    ) -> Result<(), WorkError> {
        let mut refused = WorkError::Internal;
        for from in look.reach.starts(look.mark, look.began) {
            look.from = from;
            look.gap = leaves_gap(look.mark, from);
            match self.read_list(look, asked).await {
                Err(error @ WorkError::Service(Failure::Refused(_))) => refused = error,
                read => return read,
            }
        }
        Err(refused)
    }

    async fn read_list(&self, look: &mut Look, asked: &mut Asked) -> Result<(), WorkError> {
        let updates = RecentUpdates {
            company: look.scope.company,
            children: look.scope.children,
            carrier: look.scope.carrier,
            ..RecentUpdates::since(look.from)
        };
        let standing = self.track.standing();
        let mut pages = self.client.recent_pages(updates);
        let mut next = pages.next().await?;
        while let Some(page) = next {
            standing.still_wanted(look.scope)?;
            let of = pages.total().and_then(|total| usize::try_from(total).ok());
            let came = pages.came();
            standing.came(ListProgress { came, of });
            (self.repaint)();
            asked.listed(&page.rows);
            look.set_aside(&page);
            let (stored, following) = tokio::join!(self.follow_all(page.rows), pages.next());
            look.took(stored?);
            next = following?;
        }
        Ok(())
    }
}
