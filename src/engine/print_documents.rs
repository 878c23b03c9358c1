//! Prints our own documents, each as a print job: the test label of a printer, a booked manifest made from the journal's
//! copy of it, documents of consignments, and a PDF that was shown before.
//!
//! Documents have a queue of their own: a document that fails or a printer that hangs delays no label.

use std::fs::File;
use std::io::{self, ErrorKind, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{
    ConsignmentDocumentOrder, DocumentOrder, DocumentSet, DocumentSource, EngineContext,
    EngineError, Fetch, JobSubject, Outcome, Reads, blocking, paper::named,
};
use printing::document::{DocumentPaper, DrawnPdf};
use printing::job::{self, PagePreview, Prepared};
use printing::page::PageSelection;
use printing::profile::{Media, PrinterProfile};
use printing::test_label;
use printing::verification::ExpectedCodes;
use shipping::Consignment;
use storage::NewJob;

/// The most bytes of a PDF file that is printed.
const MOST_BYTES: u64 = 20_000_000;

impl Reads {
    /// Draws a page of a document as it would be printed, and converts it with `show`. The second argument of `show` is a
    /// message about what can't be printed.
    pub fn document_page<T: Send + 'static>(
        &self,
        order: DocumentOrder,
        page: usize,
        show: impl FnOnce(PagePreview, Option<String>) -> T + Send + 'static,
    ) -> Fetch<T> {
        self.job(move |bench| async move {
            let pages = PageSelection::single(page);
            let (mut prepared, message) = bench.prepare_document(&order, pages).await?;
            let shown = prepared.previews.pop().ok_or(EngineError::Internal)?;
            Ok(show(shown, message))
        })
    }
}

impl Reads {
    /// Reads a PDF file of at most 20 MB and draws its first page as it would be printed.
    pub fn pdf_file_page<T: Send + 'static>(
        &self,
        path: PathBuf,
        printer: PrinterProfile,
        show: impl FnOnce(Arc<[u8]>, PagePreview) -> T + Send + 'static,
    ) -> Fetch<T> {
        self.job(move |bench| async move {
            let pdf: Arc<[u8]> = blocking(move || read_pdf(&path)).await?.into();
            let order = DocumentOrder {
                paper: DocumentSource::File(Arc::clone(&pdf)),
                name: String::new(),
                printer,
                reason: String::new(),
            };
            let pages = PageSelection::single(0);
            let (mut prepared, _message) = bench.prepare_document(&order, pages).await?;
            let shown = prepared.previews.pop().ok_or(EngineError::Internal)?;
            Ok(show(pdf, shown))
        })
    }
}

fn read_pdf(path: &Path) -> Result<Vec<u8>, EngineError> {
    let open = |error: io::Error| EngineError::Open(error.kind());
    let file = File::open(path).map_err(open)?;
    if !file.metadata().map_err(open)?.is_file() {
        return Err(EngineError::Open(ErrorKind::InvalidInput));
    }
    let mut pdf = Vec::new();
    let mut limited = file.take(MOST_BYTES + 1);
    limited.read_to_end(&mut pdf).map_err(open)?;
    if pdf.len() as u64 > MOST_BYTES {
        let message = "The file is larger than 20 MB, which no label is";
        return Err(EngineError::NotPossible(message.to_owned()));
    }
    Ok(pdf)
}

impl EngineContext {
    pub(super) async fn print_document(&self, order: DocumentOrder) {
        let what = match order.paper {
            DocumentSource::TestLabel { .. } => "Couldn't print the test label",
            DocumentSource::Manifest(_) => "The manifest was not printed",
            DocumentSource::OfConsignment(..) | DocumentSource::File(_) => {
                "The document was not printed"
            }
        };
        let printed = self.try_print_document(&order).await;
        self.report(what, printed).await;
    }

    /// Prints the documents of each consignment, in the order of the rules. A document that fails is told, and the others
    /// are printed. Consignments that can't be read are told together.
    pub(super) async fn print_documents(&self, set: DocumentSet) {
        let rows = set.rows.iter().copied().map(Some);
        let rows = rows.chain(std::iter::repeat(None));
        let mut unread = None;
        for ((id, number), row) in set.consignments.iter().zip(rows) {
            match self.client.consignment(*id).await {
                Ok(consignment) => self.print_documents_of(&consignment, number, &set).await,
                Err(error) => {
                    let (numbers, _) = unread.get_or_insert_with(|| (Vec::new(), error));
                    numbers.push(number.as_str());
                }
            }
            if self.outcomes.is_closed() {
                // What was not printed is told at the next start.
                return;
            }
            if let Some(row) = row {
                let removed = self.journal(move |journal| journal.remove_due_documents(row));
                let what = "Couldn't save which documents were printed";
                self.or_tell(what, removed).await;
            }
        }
        if let Some((numbers, error)) = unread {
            let documents = format!("documents of {}", named(&numbers));
            self.tell_not_printed(documents, error.into()).await;
        }
    }

    /// Saves which documents are due. Without a journal they are printed all the same.
    pub(super) async fn save_due_documents(&self, set: &mut DocumentSet) {
        let numbers = set.consignments.iter().map(|(_, number)| number.clone());
        let numbers: Vec<_> = numbers.collect();
        let saved = self.journal(move |journal| journal.add_due_documents(&numbers));
        let what = "Couldn't save which documents are due";
        set.rows = self.or_tell(what, saved).await.unwrap_or_default();
    }

    async fn print_documents_of(&self, of: &Consignment, number: &str, set: &DocumentSet) {
        for (rule, printer) in &set.rules {
            let document = rule.document.of_consignment();
            let document = document.filter(|document| {
                rule.applies_to(&of.into()) && document.not_needed(of).is_none()
            });
            let Some(document) = document else { continue };
            let order = DocumentOrder {
                paper: DocumentSource::OfConsignment(ConsignmentDocumentOrder {
                    document,
                    consignment: of.id,
                    texts: set.texts.clone(),
                }),
                name: document.name_of(number),
                printer: printer.clone(),
                reason: String::new(),
            };
            let drawn = self.document_of(document, of.clone(), &set.texts, paper_of(printer));
            let printed = match drawn.await {
                Ok(drawn) => self.print_drawn(&order, drawn).await,
                Err(error) => Err(error),
            };
            if let Err(error) = printed {
                self.tell_not_printed(order.name, error).await;
            }
        }
    }

    async fn tell_not_printed(&self, document: String, error: EngineError) {
        tracing::error!(%error, "a document was not printed");
        self.tell(Outcome::DocumentFailed { document, error }).await;
    }

    async fn print_drawn(&self, order: &DocumentOrder, drawn: DrawnPdf) -> Result<(), EngineError> {
        let prepared = self.prepared(drawn.pdf.into(), PageSelection::All, order);
        self.print_prepared(order, prepared.await?, drawn.message)
            .await
    }

    async fn try_print_document(&self, order: &DocumentOrder) -> Result<(), EngineError> {
        let (prepared, message) = self.prepare_document(order, PageSelection::All).await?;
        self.print_prepared(order, prepared, message).await
    }

    async fn print_prepared(
        &self,
        order: &DocumentOrder,
        prepared: Prepared,
        message: Option<String>,
    ) -> Result<(), EngineError> {
        let subject = match order.paper {
            DocumentSource::TestLabel { .. } => JobSubject::TestLabel,
            DocumentSource::Manifest(_)
            | DocumentSource::OfConsignment(..)
            | DocumentSource::File(_) => JobSubject::Document,
        };
        let shrunk = prepared.shrink_warning.as_ref().map(ToString::to_string);
        let messages: Vec<_> = message.into_iter().chain(shrunk).collect();
        let message = (!messages.is_empty()).then(|| messages.join(". "));
        // The clerk has already seen a test label and its message.
        if let (Some(message), JobSubject::Document) = (message, subject) {
            let document = order.name.clone();
            self.tell(Outcome::DocumentIncomplete { document, message })
                .await;
        }
        let new = NewJob {
            subject,
            reason: order.reason.clone(),
            ..self.new_job(&order.name, &order.printer, &prepared.payload)
        };
        let now = self.now();
        let job = self.journal(move |journal| journal.begin_job(&new, now));
        let to = &order.printer.destination;
        let _told = self.hand_over(job.await?, &prepared.payload, to).await;
        Ok(())
    }

    /// Draws, scales and encodes pages of a document of our own. Also returns a message about what can't be printed.
    async fn prepare_document(
        &self,
        order: &DocumentOrder,
        pages: PageSelection,
    ) -> Result<(Prepared, Option<String>), EngineError> {
        let (pdf, message): (Arc<[u8]>, _) = match &order.paper {
            DocumentSource::TestLabel { token, date } => {
                let drawn = test_label::document(&order.printer, token, date);
                let drawn = drawn.map_err(|error| EngineError::NotPossible(error.to_string()))?;
                (drawn.pdf.into(), drawn.message)
            }
            DocumentSource::Manifest(operation) => {
                let (_manifest, drawn) = self.manifest_page(*operation).await?;
                (drawn.pdf.into(), drawn.message)
            }
            DocumentSource::OfConsignment(wanted) => {
                let paper = paper_of(&order.printer);
                let drawn = self.consignment_document(wanted, paper).await?;
                (drawn.pdf.into(), drawn.message)
            }
            // The clerk has already seen the page and its message.
            DocumentSource::File(pdf) => (Arc::clone(pdf), None),
        };
        Ok((self.prepared(pdf, pages, order).await?, message))
    }

    async fn prepared(
        &self,
        pdf: Arc<[u8]>,
        pages: PageSelection,
        order: &DocumentOrder,
    ) -> Result<Prepared, EngineError> {
        let expected = match &order.paper {
            DocumentSource::TestLabel { token, .. } => {
                ExpectedCodes::References(vec![token.clone()])
            }
            // No other document has a barcode to verify.
            _ => ExpectedCodes::Nothing,
        };
        let prepared = job::prepare(&self.renderer, pdf, pages, &order.printer, &expected);
        Ok(prepared.await?)
    }
}

/// Returns the paper for which documents are laid out. A printer with other paper than A4 or Letter prints them smaller.
const fn paper_of(printer: &PrinterProfile) -> DocumentPaper {
    match printer.media {
        Media::Letter => DocumentPaper::Letter,
        _ => DocumentPaper::A4,
    }
}
