//! The service's own printers: lists them and prints on them. The service can't say what became of a label.

use crate::core::Core;
use crate::state::{Notice, ServicePrinters, Tone};
use engine::Request;
use shipping::{ConsignmentId, LabelType, PrintLabelsRequest};

impl Core {
    pub(super) fn ask_service_printers(&mut self, ids: Vec<ConsignmentId>) {
        if ids.is_empty() || !self.shared.session.lists_printers {
            return;
        }
        let fetch = self.work.reads().fetch(move |client| async move {
            let choice = client.printers(&ids).await?;
            Ok(ServicePrinters { ids, choice })
        });
        self.shared.labels.service_printers.start(fetch);
    }

    /// Prints labels on a printer of the service. A label that may be on paper already needs a reason,
    /// whoever printed it.
    pub(super) fn print_at_service(&mut self, order: PrintLabelsRequest, reason: &str) {
        let (ids, reason) = (order.consignment_ids(), reason.trim());
        let is_out = order.label_type() == Some(LabelType::Item)
            && ids.iter().any(|id| self.shared.labels.may_be_out(*id));
        if is_out && reason.is_empty() {
            let headline = "Not printed: some of these labels may have been printed already";
            let notice = Notice::new(
                Tone::Warning,
                headline,
                "Enter a reason for printing them again",
            );
            self.notify(notice);
        } else if !ids.is_empty() {
            self.keep_service_printer(&order);
            let request = Request::PrintAtService(order, reason.to_owned());
            self.work.submit(request);
        }
    }

    /// Stores a printer number that was typed, so that it is suggested the next time.
    fn keep_service_printer(&mut self, order: &PrintLabelsRequest) {
        let printer = Some(order.printer());
        let is_listed = self.shared.labels.service_printers.value().is_some();
        if !is_listed && self.shared.labels.service_printer != printer {
            self.shared.labels.service_printer = printer;
            self.setup.settings.set_service_printer(printer);
            self.setup.write();
        }
    }
}
