//! A consignment's page.

use crate::app::core::Core;
use crate::shipping::ConsignmentId;
use crate::state::{PageCommand, PageView};

impl Core {
    pub(super) fn open_page(&mut self, id: ConsignmentId) {
        let reads = self.work.reads();
        let mut page = PageView {
            open: Some(id),
            ..PageView::default()
        };
        page.followed.start(reads.followed(id));
        page.whole.start(reads.whole(id));
        page.files.start(reads.attachments(id));
        self.shared.track.page = page;
    }

    pub(super) fn close_page(&mut self) {
        self.shared.track.page = PageView::default();
    }

    pub(super) fn run_page(&mut self, command: PageCommand) {
        if command == PageCommand::Refresh
            && let Some(id) = self.shared.track.page.open
        {
            self.open_page(id);
        }
    }

    pub(super) fn poll_page(&mut self) {
        let page = &mut self.shared.track.page;
        page.followed.poll();
        page.whole.poll();
        page.files.poll();
    }
}
