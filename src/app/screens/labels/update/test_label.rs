//! The test label: shown, printed, and scanned back to prove that the printer prints readable barcodes.

use std::sync::Arc;

use crate::core::Core;
use crate::state::{JobSubject, Notice, Preview, Screen, TestLabelView, Tone};
use engine::{DocumentOrder, DocumentSource, Request};
use printing::job::PagePreview;
use printing::profile::{PrinterProfile, TestLabel};
use printing::test_label::{TOKEN_PREFIX, token};
use shipping::{LabelSize, LocalTime};

impl Core {
    /// Shows a new test label for the printer whose last test label did not come out.
    pub(crate) fn test_again(&mut self) {
        let jobs = self.shared.labels.jobs.iter();
        let last = jobs
            .into_iter()
            .find(|job| job.subject == JobSubject::TestLabel);
        if let Some(printer) = last.map(|job| job.printer.clone()) {
            self.show_test_label(&printer);
            self.shared.screen = Screen::Labels;
        }
    }

    /// Draws the test label of this printer, with a new code.
    pub(crate) fn show_test_label(&mut self, printer: &str) {
        let Some(profile) = self.profile(printer) else {
            return;
        };
        let (printer, token) = (printer.to_owned(), token());
        let order = self.test_order(profile, token.clone());
        let fetch = self
            .work
            .reads()
            .test_label(order, move |shown, missing_letters| {
                let mut preview = preview(&printer, &shown);
                preview.notes.extend(missing_letters);
                TestLabelView {
                    printer,
                    token,
                    preview,
                    printed: false,
                }
            });
        self.shared.labels.test_label.clear();
        self.shared.labels.test_label.start(fetch);
    }

    /// Prints the shown test label.
    pub(crate) fn print_test_label(&mut self) {
        let now = self.shared.now;
        let Some(view) = self.shared.labels.test_label.value_mut() else {
            return;
        };
        view.printed = true;
        let (name, token) = (view.printer.clone(), view.token.clone());
        let printers = self.setup.settings.printers.iter_mut();
        let Some(profile) = printers.into_iter().find(|one| one.name == name) else {
            return;
        };
        profile.test = Some(TestLabel {
            token: token.clone(),
            printed: now,
            proved: None,
        });
        let order = self
            .profile(&name)
            .map(|profile| self.test_order(profile, token));
        if let Some(order) = order {
            self.work.submit(Request::PrintDocument(Box::new(order)));
            self.printers_changed();
        }
    }

    /// Marks the printer of a scanned test label as proved. Returns whether the text belongs to a test label.
    pub(crate) fn scanned_test_label(&mut self, text: &str) -> bool {
        if !text.starts_with(TOKEN_PREFIX) {
            return false;
        }
        let now = self.shared.now;
        let printers = self.setup.settings.printers.iter_mut();
        let tested = printers.filter_map(|one| Some((&one.name, one.test.as_mut()?)));
        let Some((name, label)) = tested.into_iter().find(|(_, label)| label.token == text) else {
            return false;
        };
        label.proved = Some(now);
        let notice = Notice::new(Tone::Good, format!("{name} prints readable labels"), "");
        self.shared.search.not_found = None;
        self.shared.labels.test_label.clear();
        self.notify(notice);
        self.printers_changed();
        true
    }

    fn profile(&self, name: &str) -> Option<PrinterProfile> {
        let mut printers = self.setup.settings.printers.iter();
        printers.find(|printer| printer.name == name).cloned()
    }

    fn test_order(&self, printer: PrinterProfile, token: String) -> DocumentOrder {
        let day = LocalTime::at(self.shared.now, &self.shared.session.zone).0;
        let date = day.strftime("%-d %B %Y, %H:%M").to_string();
        DocumentOrder {
            paper: DocumentSource::TestLabel { token, date },
            name: "Test label".to_owned(),
            printer,
            reason: String::new(),
        }
    }
}

fn preview(printer: &str, shown: &PagePreview) -> Preview {
    Preview {
        subject: JobSubject::TestLabel,
        number: printer.to_owned(),
        page: 0,
        pages: 1,
        size: LabelSize::A6,
        width: shown.bitmap.width(),
        height: shown.bitmap.height(),
        dots: Arc::from(shown.bitmap.packed()),
        codes_read: shown.codes.len(),
        checked: true,
        exact: true,
        notes: Vec::new(),
        problem: None,
        overview: None,
    }
}
