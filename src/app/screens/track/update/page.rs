//! A consignment's page. It shows the stored data at once, and asks the service when the page stays open.
//!
//! Moving through rows sends no requests. Known data stays when a refresh fails.

use std::time::Duration;

use crate::core::Core;
use crate::state::{CodeSquares, PageCommand, PageView, TrackingView};
use engine::Remote;
use printing::qr::qr_code;
use shipping::{ConsignmentId, TrackingDesign};

/// How long a page must stay open before the service is asked.
const STAYS: Duration = Duration::from_millis(300);

/// State of the open page, and of consignments whose status was set.
#[derive(Default)]
pub(crate) struct PageState {
    /// True if a page was opened since the last turn.
    opened: bool,
    /// When the service is asked for the page.
    pub(super) due: Option<Duration>,
    /// Address that is to be opened in the browser.
    address: Option<String>,
    /// Consignments whose status was set and that must be read back.
    pub(crate) changed: Vec<ConsignmentId>,
    /// The request that reads them back.
    pub(crate) reading_back: Remote<usize>,
}

impl PageState {
    /// Returns an address to open in the browser, once.
    pub(crate) fn take_address(&mut self) -> Option<String> {
        self.address.take()
    }
}

impl Core {
    pub(super) fn open_page(&mut self, id: ConsignmentId) {
        if self.shared.track.page.open == Some(id) {
            return;
        }
        self.shared.track.page = PageView {
            open: Some(id),
            ..PageView::default()
        };
        self.track.page.opened = true;
        self.read_page();
    }

    pub(super) fn close_page(&mut self) {
        self.shared.track.page = PageView::default();
        self.track.page.opened = false;
        self.track.page.due = None;
    }

    /// Reads the stored data of the open page again, because it may have changed.
    pub(super) fn read_page(&mut self) {
        if let Some(id) = self.shared.track.page.open {
            let followed = self.work.reads().tracked(id);
            self.shared.track.page.history.start(followed);
        }
    }

    /// Asks the service for the open page. Known data stays meanwhile, and also if the request fails.
    pub(super) fn refresh_page(&mut self) {
        self.track.page.opened = false;
        self.track.page.due = None;
        if let Some(id) = self.shared.track.page.open {
            let reads = self.work.reads();
            let page = &mut self.shared.track.page;
            page.consignment.start(reads.full_consignment(id));
            page.files.start(reads.attachments(id));
        }
    }

    pub(super) fn run_page(&mut self, command: PageCommand) {
        match command {
            PageCommand::Refresh => {
                if let Some(id) = self.shared.track.page.open {
                    self.track.files.kept.forget(id);
                }
                self.refresh_page();
            }
            PageCommand::OpenTracking(design) => self.open_tracking(design),
            PageCommand::ShowTracking(design) => self.show_tracking(design),
            PageCommand::CloseTracking => self.shared.track.page.tracking = None,
        }
    }

    pub(crate) fn page_came(&mut self) {
        let page = &mut self.shared.track.page;
        if page.consignment.problem().is_none() && !page.consignment.is_loading() {
            page.fetched_at = Some(self.shared.now);
            let status = page.consignment.value().and_then(|one| one.status());
            let known = page.history.value().and_then(Option::as_ref);
            let is_new = status != known.map(|known| &known.row.status);
            self.read_page();
            if is_new {
                // The new status is in the store, so the board and the table are refreshed, too.
                self.tracked_changed();
            }
        }
    }

    pub(super) fn watch_page(&mut self, at: Duration) {
        if std::mem::take(&mut self.track.page.opened) {
            self.track.page.due = Some(at + STAYS);
        }
        if self.track.page.due.is_some_and(|due| due <= at) {
            self.refresh_page();
        }
    }

    /// Returns the token of the consignment's tracking page; empty if the service gave none.
    fn tracking_token(&self) -> String {
        let page = &self.shared.track.page;
        let whole = page.consignment.value();
        let whole = whole.and_then(|one| one.tracking_page_access_token.clone());
        let known = page.history.value().and_then(Option::as_ref);
        whole
            .or_else(|| known.map(|known| known.row.tracking_token.clone()))
            .unwrap_or_default()
    }

    fn show_tracking(&mut self, design: TrackingDesign) {
        let token = self.tracking_token();
        let address = self.shared.session.tracking.browser_url(design, &token);
        let code = address.as_deref().ok().and_then(qr_code);
        let code = code.map(|code| CodeSquares {
            side: code.side,
            dark: code.dark.into(),
        });
        self.shared.track.page.tracking = Some(TrackingView {
            design,
            address,
            code,
        });
    }

    /// Opens the tracking page in the browser. Without an address, shows the reason in its place.
    fn open_tracking(&mut self, design: TrackingDesign) {
        let token = self.tracking_token();
        match self.shared.session.tracking.browser_url(design, &token) {
            Ok(address) => self.track.page.address = Some(address),
            Err(_said_there) => self.show_tracking(design),
        }
    }
}
