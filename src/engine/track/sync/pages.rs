//! Reads the service's lists page by page. The next page is requested while the previous page is being
//! stored.

use super::SyncRun;
use super::lookups::Lookups;
use super::state::SyncPurpose;
use super::window::{SyncWindow, leaves_gap};
use crate::context::EngineContext;
use crate::error::is_unavailable;
use crate::{EngineError, ListProgress, Outcome};
use client::{Failure, ListPages, RecentUpdates};
use shipping::Consignment;

impl EngineContext {
    /// Stores the listed consignments, and removes them from the lookups. If the service refuses a period as
    /// too long, a shorter one is tried.
    pub(super) async fn read_pages(
        &self,
        look: &mut SyncRun,
        asked: &mut Lookups,
    ) -> Result<(), EngineError> {
        if self.read_own_list(look, asked).await? {
            return Ok(());
        }
        let mut refused = EngineError::Internal;
        for from in look.window.starts(look.mark, look.began) {
            look.list_start = from;
            look.gap = leaves_gap(look.mark, from);
            let updates = RecentUpdates {
                company: look.scope.company,
                children: look.scope.children,
                carrier: look.scope.carrier,
                ..RecentUpdates::since(from)
            };
            let pages = self.client.recent_pages(updates);
            match self.read_list(look, asked, pages).await {
                Err(error @ EngineError::Service(Failure::Refused(_))) => refused = error,
                read => return read,
            }
        }
        Err(refused)
    }

    /// Reads the service's own list of unmanifested consignments, if this deployment has one and everything
    /// is to be read. Returns false if recent updates have to be read instead: that list is not in the
    /// specification.
    async fn read_own_list(
        &self,
        look: &mut SyncRun,
        asked: &mut Lookups,
    ) -> Result<bool, EngineError> {
        let has_list = self.client.compatibility().optional.unmanifested_list;
        if !has_list || look.purpose != SyncPurpose::Unmanifested || look.window != SyncWindow::Full
        {
            return Ok(false);
        }
        let pages = self.client.unmanifested_pages(look.scope.company);
        match self.read_list(look, asked, pages).await {
            Ok(()) => look.has_own_list = true,
            Err(EngineError::Service(failure)) if !is_unavailable(&failure) => look.unread.clear(),
            Err(error) => return Err(error),
        }
        Ok(look.has_own_list)
    }

    async fn read_list(
        &self,
        look: &mut SyncRun,
        asked: &mut Lookups,
        mut pages: ListPages,
    ) -> Result<(), EngineError> {
        let standing = self.track.sync_state();
        let mut next = pages.next().await?;
        while let Some(page) = next {
            standing.still_wanted(look.purpose, look.scope)?;
            let of = pages.total().and_then(|total| usize::try_from(total).ok());
            look.came = pages.received_rows();
            let came = look.came;
            standing.came(look.purpose, ListProgress { came, of });
            (self.repaint)();
            asked.listed(&page.rows);
            look.set_aside(&page);
            if look.purpose == SyncPurpose::Unmanifested {
                look.own_company = look.own_company.or(company_of(&page.rows));
                self.tell_modes(&page.rows).await;
                self.remember_page(page.rows.clone()).await;
            }
            let (stored, following) =
                tokio::join!(self.record_list(page.rows, look.purpose), pages.next());
            look.took(stored?);
            next = following?;
        }
        Ok(())
    }

    /// Tells the app whether the page contains test consignments and whether it contains live ones.
    async fn tell_modes(&self, page: &[Consignment]) {
        let holds = |test: bool| page.iter().any(|one| one.is_test == Some(test));
        let (test, real) = (holds(true), holds(false));
        if test || real {
            self.tell(Outcome::ModesListed { test, real }).await;
        }
    }
}

fn company_of(page: &[Consignment]) -> Option<shipping::CompanyId> {
    page.iter().find_map(|one| one.company_id)
}
