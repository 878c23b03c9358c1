//! The service's own printers: asked for, and given labels. What became of them can't be asked.

use super::super::core::Core;
use crate::shipping::{ConsignmentId, LabelOrder, LabelSize, LabelType, PrinterId};
use crate::state::ServicePrinters;
use crate::work::Request;

impl Core {
    pub(super) fn ask_service_printers(&mut self, ids: Vec<ConsignmentId>) {
        if ids.is_empty() {
            return;
        }
        let fetch = self.work.reads().fetch(move |client| async move {
            let choice = client.printers(&ids).await?;
            Ok(ServicePrinters { ids, choice })
        });
        self.shared.service_printers.start(fetch);
    }

    pub(super) fn print_at_service(
        &mut self,
        ids: Vec<ConsignmentId>,
        what: LabelType,
        printer: PrinterId,
        size: LabelSize,
    ) {
        if !ids.is_empty() {
            let order = LabelOrder::new(ids, what, printer, size);
            self.work.submit(Request::PrintAtService(order));
        }
    }
}
