//! A consignment's page. It shows the stored data at once, and asks the service if the page stays open for a moment.
//!
//! Moving through rows quickly sends no requests. Known data stays visible when a refresh fails. Statuses that are
//! set by hand are sent in batches of limited size, and their consignments are read back afterwards.

use std::time::Duration;

use crate::core::Core;
use crate::state::{FilesCommand, Operation, OperationKind, PageCommand, PageView, Screen};
use engine::{FileCache, FilePageRequest, Payload, Remote, Request, mentions_permission};
use shipping::{AttachmentId, ConsignmentId, StatusId, StatusUpdate};

/// Maximum number of consignments in one request. The service sets the statuses of all of them, or of none.
const MOST_A_CALL: usize = 50;

/// Maximum number of consignments whose rows are read for one preview.
const MOST_AT_ONCE: usize = 1_000;

/// How long a page must stay open before the service is asked.
const STAYS: Duration = Duration::from_millis(300);

/// State of the open page, and of consignments whose status was set.
#[derive(Default)]
pub(crate) struct PageState {
    /// True if a page was opened since the last turn.
    opened: bool,
    /// When the service is asked for the page.
    pub(in crate::screens::track) due: Option<Duration>,
    cached_files: FileCache,
    /// Consignments whose status was set and that must be read back.
    pub(crate) changed: Vec<ConsignmentId>,
    /// The running request that reads the changed consignments back from the service.
    pub(crate) reading_back: Remote<usize>,
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

    /// Asks the service for the open page. Known data stays visible meanwhile, and also if the request fails.
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
                    self.track.page.cached_files.forget(id);
                }
                self.refresh_page();
            }
            PageCommand::ShowTracking(design) => self.shared.track.page.tracking = Some(design),
            PageCommand::CloseTracking => self.shared.track.page.tracking = None,
        }
    }

    pub(super) fn run_files(&mut self, command: FilesCommand) {
        match command {
            FilesCommand::ShowFile(id) => self.show_file(id, 0),
            FilesCommand::FilePage(page) => {
                if let Some(id) = self.shared.track.page.file {
                    self.show_file(id, page);
                }
            }
            FilesCommand::CloseFile => {
                self.shared.track.page.file = None;
                self.shared.track.page.shown.clear();
            }
            FilesCommand::StopSaving => self.saves.files.stop(),
            FilesCommand::ForgetSaved => self.shared.track.files.saved = None,
        }
    }

    fn show_file(&mut self, file: AttachmentId, page: usize) {
        let view = &mut self.shared.track.page;
        let (Some(consignment), Some(listed)) = (view.open, view.files.value()) else {
            return;
        };
        let order = FilePageRequest {
            consignment,
            listed: listed.clone(),
            file,
            page,
        };
        if view.file != Some(file) {
            view.shown.clear();
            view.file = Some(file);
        }
        let kept = self.track.page.cached_files.clone();
        view.shown.start(self.work.reads().file(order, kept));
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

    /// Reads the rows of these consignments for the preview of a status change.
    pub(super) fn read_status_rows(&mut self, mut ids: Vec<ConsignmentId>) {
        ids.truncate(MOST_AT_ONCE);
        let rows = self.work.reads().track_rows(ids);
        self.shared.track.status_rows.start(rows);
    }

    pub(super) fn set_statuses(&mut self, updates: &[StatusUpdate]) {
        let ids = updates.iter().map(|update| update.consignment_id);
        self.shared.operations.lock(ids, OperationKind::Status);
        for batch in updates.chunks(MOST_A_CALL) {
            self.work
                .submit(Request::Perform(Payload::Status(batch.to_vec())));
        }
    }

    pub(crate) fn statuses_read_back(&mut self) {
        if !self.track.page.reading_back.is_loading() {
            self.refresh_page();
            self.tracked_changed();
        }
    }

    /// Reads back the consignments whose status was set.
    pub(super) fn read_back_statuses(&mut self) {
        let page = &mut self.track.page;
        if !page.changed.is_empty() && !page.reading_back.is_loading() {
            let ids = std::mem::take(&mut page.changed);
            page.reading_back.start(self.work.reads().refresh(ids));
        }
    }

    /// Returns whether the open page shows the result of this operation.
    pub(crate) fn is_on_page(&self, operation: &Operation) -> bool {
        let open = self.shared.track.page.open;
        self.shared.screen == Screen::Track
            && open.is_some_and(|open| operation.consignments.contains(&open))
    }

    /// Adds a new status change to the list of this session's changes.
    pub(crate) fn show_status_change(&mut self, operation: &Operation) {
        let rights = &mut self.shared.track.rights;
        if !rights.changes.contains(&operation.id) {
            rights.changes.insert(0, operation.id);
        }
    }

    /// Handles a successful status change. A successful cancellation shows that the token's user may cancel.
    pub(crate) fn status_done(&mut self, operation: &Operation) {
        if cancels(operation) {
            self.shared.track.rights.no_cancel = None;
        }
    }

    /// Remembers a refusal, if the reason is a missing permission.
    pub(crate) fn learn_refusal(&mut self, operation: &Operation) {
        if !mentions_permission(&operation.message) {
            return;
        }
        let words = Some(operation.message.clone());
        let rights = &mut self.shared.track.rights;
        if cancels(operation) {
            rights.no_cancel = words;
        } else {
            rights.no_statuses = words;
        }
    }
}

fn cancels(operation: &Operation) -> bool {
    let Some(Payload::Status(updates)) = operation.payload() else {
        return false;
    };
    let cancelled = |update: &StatusUpdate| update.status == StatusId::CANCELLED;
    updates.iter().any(cancelled)
}
