//! The preview of a label, and the test label: shown, printed, and scanned back to prove that the printer prints
//! readable barcodes.

use std::path::PathBuf;
use std::sync::Arc;

use image::GrayImage;
use image::imageops::thumbnail;

use crate::core::Core;
use crate::state::{
    DocumentKind, JobSubject, LabelFile, LabelState, Notice, Preview, PreviewProblem, ReducedPage,
    Screen, TestLabelView, Tone,
};
use engine::{
    ConsignmentDocument, ConsignmentFacts, DocumentOrder, DocumentSource, LabelPageRequest, Request,
};
use printing::job::PagePreview;
use printing::page::Bitmap;
use printing::profile::{Language, Media, PrinterProfile, TestLabel};
use printing::test_label::{TOKEN_PREFIX, token};
use shipping::{ConsignmentId, LabelSize, LocalTime};

/// Longest texture side, in dots, that every graphics card accepts. A6 at 300 dpi fits; A4 or 600 dpi does
/// not fit.
const LONGEST_SIDE: u32 = 2_048;

impl Core {
    pub(crate) fn select_label(&mut self, id: ConsignmentId) {
        self.shared.labels.selected = Some(id);
        self.shared.labels.document = None;
        self.labels.page = 0;
        self.shared.labels.preview.clear();
        self.refresh_preview();
    }

    /// Draws the shown page again, for the printer that would print it.
    pub(crate) fn refresh_preview(&mut self) {
        self.draw_preview(false);
    }

    fn draw_preview(&mut self, again: bool) {
        let Some(consignment) = self.shared.labels.selected else {
            return;
        };
        if let Some(kind) = self.shared.labels.document {
            return self.draw_document(kind, consignment);
        }
        let number = self.number_of(consignment);
        let printer = self.label_printer_of(consignment).unwrap_or_default();
        let (size, language) = (self.shared.labels.size, printer.language);
        let wanted = LabelPageRequest {
            consignment,
            size,
            page: self.labels.page,
            printer,
            again,
        };
        // Drawing runs in the background, never during a frame.
        let fetch = self.work.reads().label(wanted, move |view| {
            let problem = view.problem.map(|(problem, fault)| PreviewProblem {
                headline: problem.to_string(),
                advice: problem.advice().to_owned(),
                page: problem.page().and_then(|page| page.checked_sub(1)),
                fault,
            });
            Preview {
                size,
                checked: problem.is_none() && view.compared,
                notes: view.notes,
                exact: language != Language::Pdf,
                problem,
                ..preview(JobSubject::Label(consignment), number, &view.shown)
            }
        });
        self.shared.labels.preview.start(fetch);
    }

    /// Draws the page of a document, for the printer of its rule. Without a rule, the page is drawn as it would be saved.
    fn draw_document(&mut self, kind: ConsignmentDocument, id: ConsignmentId) {
        let number = self.number_of(id);
        let facts = self.shared.row(id).map(ConsignmentFacts::from);
        let rule = self.setup.settings.rule_for(kind.into(), facts.as_ref());
        let printer = rule.ok().map(|(_, printer)| printer.clone());
        let printer = printer.unwrap_or_else(|| PrinterProfile {
            language: Language::Pdf,
            media: Media::A4,
            ..PrinterProfile::default()
        });
        let is_exact = printer.language != Language::Pdf;
        let order = DocumentOrder {
            paper: DocumentSource::OfConsignment(self.document_order(kind, id)),
            name: number.clone(),
            printer,
            reason: String::new(),
        };
        let reads = self.work.reads();
        let fetch = reads.document_page(order, self.labels.page, move |shown, message| Preview {
            exact: is_exact,
            notes: message.into_iter().collect(),
            ..preview(JobSubject::Document, number, &shown)
        });
        self.shared.labels.preview.start(fetch);
    }

    /// Fetches a label file again. The service may have corrected a label that failed verification or could
    /// not be drawn.
    pub(super) fn fetch_label_again(&mut self, id: ConsignmentId) {
        if let LabelState::FailedVerification(_) | LabelState::Failed(_) =
            self.shared.labels.state(id)
        {
            let state = self.state_without_print(id);
            self.shared.labels.set_state(id, state);
        }
        self.shared.labels.selected = Some(id);
        self.shared.labels.preview.clear();
        self.draw_preview(true);
    }

    pub(crate) fn open_label_file(&mut self, path: PathBuf, printer: Option<&str>) {
        let settings = &self.setup.settings;
        let named = printer.and_then(|name| {
            let mut printers = settings.printers.iter();
            printers.find(|printer| printer.name == name).cloned()
        });
        let printer = named.or_else(|| self.printer_for(DocumentKind::ItemLabels, None));
        let Some(printer) = printer else { return };
        let shown = self.shared.labels.file.value();
        if shown.is_none_or(|shown| shown.path != path) {
            self.shared.labels.file.clear();
        }
        let name = path.file_stem().unwrap_or_default();
        let (name, printer_name) = (name.to_string_lossy().into_owned(), printer.name.clone());
        let shown_name = name.clone();
        let fetch = self
            .work
            .reads()
            .pdf_file_page(path.clone(), printer, move |pdf, shown| LabelFile {
                preview: preview(JobSubject::Document, shown_name, &shown),
                name,
                path,
                pdf,
                printer: printer_name,
            });
        self.shared.labels.file.start(fetch);
    }

    pub(super) fn print_label_file(&mut self) {
        let Some(file) = self.shared.labels.file.value().cloned() else {
            return;
        };
        let mut printers = self.setup.settings.printers.iter();
        let Some(printer) = printers
            .find(|printer| printer.name == file.printer)
            .cloned()
        else {
            return;
        };
        let order = DocumentOrder {
            paper: DocumentSource::File(file.pdf),
            reason: self.reason_for_copy(&file.name).to_owned(),
            name: file.name,
            printer,
        };
        self.work.submit(Request::PrintDocument(Box::new(order)));
        self.shared.labels.file.clear();
    }

    /// Shows a new test label for the printer of the newest test label job.
    pub(super) fn test_again(&mut self) {
        let mut jobs = self.shared.labels.jobs.iter();
        let last = jobs.find(|job| job.subject == JobSubject::TestLabel);
        if let Some(printer) = last.map(|job| job.printer.clone()) {
            self.show_test_label(printer);
            self.shared.screen = Screen::Labels;
        }
    }

    /// Draws the test label of this printer, with a new code.
    pub(super) fn show_test_label(&mut self, printer: String) {
        let mut printers = self.setup.settings.printers.iter();
        let Some(profile) = printers.find(|one| one.name == printer).cloned() else {
            return;
        };
        let token = token();
        let order = self.test_order(profile, token.clone());
        let fetch = { self.work.reads() }.document_page(order, 0, move |shown, message| {
            let mut preview = preview(JobSubject::TestLabel, printer.clone(), &shown);
            preview.notes.extend(message);
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

    pub(super) fn print_test_label(&mut self) {
        let Some(view) = self.shared.labels.test_label.value_mut() else {
            return;
        };
        view.printed = true;
        let (name, token) = (view.printer.clone(), view.token.clone());
        let mut printers = self.setup.settings.printers.iter_mut();
        let Some(profile) = printers.find(|one| one.name == name) else {
            return;
        };
        profile.test = Some(TestLabel {
            token: token.clone(),
            printed: self.shared.now,
            proved: None,
        });
        let profile = profile.clone();
        let order = self.test_order(profile, token);
        self.work.submit(Request::PrintDocument(Box::new(order)));
        self.printers_changed();
    }

    /// Marks the printer of a scanned test label as proved. Returns whether the text belongs to a test label.
    pub(crate) fn scanned_test_label(&mut self, text: &str) -> bool {
        if !text.starts_with(TOKEN_PREFIX) {
            return false;
        }
        let printers = self.setup.settings.printers.iter_mut();
        let mut tested = printers.filter_map(|one| Some((&one.name, one.test.as_mut()?)));
        let Some((name, label)) = tested.find(|(_, label)| label.token == text) else {
            return false;
        };
        label.proved = Some(self.shared.now);
        let notice = Notice::new(Tone::Ok, format!("{name} prints readable labels"), "");
        self.scan_found();
        self.shared.labels.test_label.clear();
        self.notify(notice);
        self.printers_changed();
        true
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

fn preview(subject: JobSubject, number: String, shown: &PagePreview) -> Preview {
    Preview {
        subject,
        number,
        page: shown.index,
        pages: shown.page_count,
        size: LabelSize::A6,
        bitmap: shown.bitmap.clone(),
        codes_read: shown.codes.len(),
        checked: true,
        exact: true,
        notes: Vec::new(),
        problem: None,
        overview: overview(&shown.bitmap),
    }
}

/// Returns the page scaled down to fit a texture, or `None` if it fits as it is. Each pixel is as dark as the
/// dots that it covers, so that a line one dot wide stays visible.
fn overview(bitmap: &Bitmap) -> Option<ReducedPage> {
    let (across, down) = (bitmap.width(), bitmap.height());
    let factor = across.max(down).div_ceil(LONGEST_SIDE);
    if factor <= 1 {
        return None;
    }
    let page = GrayImage::from_raw(across, down, bitmap.to_luma())?;
    let (width, height) = (across.div_ceil(factor), down.div_ceil(factor));
    Some(ReducedPage {
        width,
        height,
        factor,
        greys: Arc::from(thumbnail(&page, width, height).into_raw()),
    })
}
