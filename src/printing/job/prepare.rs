//! Turns a document into bytes for a printer: renders, fits, verifies and encodes it. Nothing is sent.

use std::sync::Arc;

use super::super::codes::Code;
use super::super::fit::Fit;
use super::super::page::{Bitmap, Page, PageSelection, Scale};
use super::super::profile::{PrinterProfile, round_to_dots};
use super::super::renderer::{RenderError, Renderer};
use super::super::verification::{
    self, ExpectedCodes, PageVerification, Verification, VerificationError,
};
use super::Payload;
use super::encode::encode;
use super::fit_page::fit_page;

/// The resolution, in dots per millimetre, at which the code of any label can be read.
const FINE: f64 = 12.0;

/// A job that is ready to be stored and then sent.
#[derive(Debug, Clone)]
pub struct Prepared {
    /// The bytes to store and send.
    pub payload: Payload,
    /// SHA-256 of the bytes in hexadecimal, for the store.
    pub sha256: String,
    /// The pages shown to the clerk. Except for PDF these are exactly the dots that the printer gets.
    pub previews: Vec<PagePreview>,
    /// Notes to the clerk about changes made to fit the printer, one line each, without duplicates.
    pub notes: Vec<String>,
    /// The reason why the job must not be printed without an override by the clerk; always
    /// `None` from [`prepare`].
    pub problem: Option<VerificationError>,
    /// The question to the clerk if a label would be printed smaller than the profile allows without asking.
    pub shrink_warning: Option<ShrinkWarning>,
}

/// A label that would be printed smaller than the printer's profile allows without asking.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShrinkWarning {
    /// The printer's name.
    pub printer: String,
    /// Width and height of the label, in whole millimetres.
    pub label_mm: (u32, u32),
    /// Width and height of the paper, in whole millimetres.
    pub paper_mm: (u32, u32),
    /// The printed size in per cent of the label's own size.
    pub percent: u32,
}

impl std::fmt::Display for ShrinkWarning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let ((width, height), (across, down)) = (self.label_mm, self.paper_mm);
        write!(
            f,
            "A label of {width} × {height} mm would be printed at {} % of its size on the {across} × {down} mm paper of {}",
            self.percent, self.printer
        )
    }
}

impl ShrinkWarning {
    /// The advice that is shown with the question.
    pub const ADVICE: &str =
        "Choose a printer with larger paper, or print labels of this size smaller";

    /// The difference in percentage points below which two labels of one size count as equally small: their
    /// black areas differ a little.
    const ALIKE: u32 = 5;

    fn of(page: &Page, fit: &Fit, profile: &PrinterProfile) -> Option<Self> {
        let percent = round_to_dots(fit.ratio() * 100.0);
        let size = |(width, height): (f64, f64)| (round_to_dots(width), round_to_dots(height));
        (percent < u32::from(profile.least_percent)).then(|| Self {
            printer: profile.name.clone(),
            label_mm: size(page.size_mm),
            paper_mm: size(profile.media.size_mm()),
            percent,
        })
    }

    /// Returns whether consent to this label also covers `other`: the same printer and sizes,
    /// and hardly smaller.
    pub fn covers(&self, other: &Self) -> bool {
        (&self.printer, self.label_mm, self.paper_mm)
            == (&other.printer, other.label_mm, other.paper_mm)
            && other.percent + Self::ALIKE >= self.percent
    }
}

/// The preview of a page as it will be printed.
#[derive(Debug, Clone)]
pub struct PagePreview {
    pub bitmap: Bitmap,
    /// The page's index in the document, from 0.
    pub index: usize,
    /// The number of pages in the whole document.
    pub page_count: usize,
    /// The barcodes read from this bitmap; empty if none was expected.
    pub codes: Vec<Code>,
    /// How the page was fitted to the paper.
    pub fit: Fit,
}

/// The reason why a job could not be made. Nothing was sent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PrepareError {
    /// The document could not be rendered.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// The document was rendered, but failed verification.
    #[error(transparent)]
    Check(#[from] VerificationError),
    /// Part of the page would fall off the paper even when rendered smaller.
    #[error("Page {page} does not fit this printer's paper")]
    OffPaper { page: usize },
    /// A blocking step ended without an answer.
    #[error("The label could not be prepared")]
    Interrupted,
}

impl PrepareError {
    /// Returns whether a clerk who has looked at the preview may override the error and print with
    /// [`prepare_despite_problem`]. Only a failed verification can be overridden.
    pub fn may_be_overridden(&self) -> bool {
        matches!(self, Self::Check(_))
    }

    /// The affected page, counted from 1, if the error concerns a single page.
    pub fn page(&self) -> Option<usize> {
        match self {
            Self::Check(error) => error.page(),
            Self::OffPaper { page } | Self::Render(RenderError::NoSuchPage { page, .. }) => {
                Some(*page)
            }
            Self::Render(_) | Self::Interrupted => None,
        }
    }

    /// A short name of the error, for a row of a list.
    pub fn short_name(&self) -> &'static str {
        match self {
            Self::Render(error) => error.short_name(),
            Self::Check(error) => error.word(),
            Self::OffPaper { .. } => "Doesn't fit the paper",
            Self::Interrupted => "Not prepared",
        }
    }

    /// Returns what the clerk can do about the error.
    pub fn advice(&self) -> &'static str {
        match self {
            Self::Render(error) => error.advice(),
            Self::Check(error) => error.advice(),
            Self::OffPaper { .. } => {
                "Choose a printer with larger paper, or check the paper and the print head width in the printer's settings"
            }
            Self::Interrupted => "Try again. If this happens again, restart Packbench",
        }
    }
}

/// Renders, fits, verifies and encodes. `pdf` is the document exactly as the service sent it.
pub async fn prepare(
    renderer: &Renderer,
    pdf: Arc<[u8]>,
    pages: PageSelection,
    profile: &PrinterProfile,
    expected: &ExpectedCodes,
) -> Result<Prepared, PrepareError> {
    let mut prepared = prepare_despite_problem(renderer, pdf, pages, profile, expected).await?;
    prepared
        .problem
        .take()
        .map_or(Ok(prepared), |problem| Err(problem.into()))
}

/// Does the work of [`prepare`], but returns a failed verification in [`Prepared::problem`] beside the
/// result: for previews, and for printing after an override.
pub async fn prepare_despite_problem(
    renderer: &Renderer,
    pdf: Arc<[u8]>,
    pages: PageSelection,
    profile: &PrinterProfile,
    expected: &ExpectedCodes,
) -> Result<Prepared, PrepareError> {
    let drawn = renderer
        .render_pages(Arc::clone(&pdf), pages, profile.dots_per_mm)
        .await?;
    let mut notes = Vec::new();
    let mut shrunk: Option<ShrinkWarning> = None;
    let mut fitted = Vec::with_capacity(drawn.len());
    for page in drawn {
        let (page, fit, said) = fit_page(renderer, &pdf, page, profile).await?;
        for note in said {
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
        let smaller = ShrinkWarning::of(&page, &fit, profile);
        let is_smallest = |one: &ShrinkWarning| {
            { shrunk.as_ref() }.is_none_or(|known| one.percent < known.percent)
        };
        if let Some(smaller) = smaller.filter(is_smallest) {
            shrunk = Some(smaller);
        }
        fitted.push((page, fit));
    }
    let job = (Arc::clone(&pdf), profile.clone(), expected.clone());
    // Takes tens of milliseconds for each page: too long for a thread that serves sockets.
    let finished = tokio::task::spawn_blocking(move || {
        let (pdf, profile, expected) = job;
        finish(&pdf, pages, fitted, &profile, &expected)
    });
    let (payload, previews, problem) = finished
        .await
        .map_err(|_panicked| PrepareError::Interrupted)?;
    let problem = match problem {
        Some(problem) => {
            Some(explained(renderer, &pdf, (pages, profile), (problem, expected)).await)
        }
        None => None,
    };
    Ok(Prepared {
        sha256: payload.sha256(),
        payload,
        previews,
        notes,
        problem,
        shrink_warning: shrunk,
    })
}

/// Replaces a barcode error by [`VerificationError::TooSmall`] if the document passes verification at a
/// higher resolution: then the label is right, and only this printer's resolution is too low for its barcode.
async fn explained(
    renderer: &Renderer,
    pdf: &Arc<[u8]>,
    (pages, profile): (PageSelection, &PrinterProfile),
    (problem, expected): (VerificationError, &ExpectedCodes),
) -> VerificationError {
    let page = match &problem {
        VerificationError::OtherConsignment { page } | VerificationError::NoCode { page } => *page,
        VerificationError::MissingReference { .. } => 1,
        _ => return problem,
    };
    let scale = Scale::dots_per_mm((profile.dots_per_mm.get() * 1.5).max(FINE));
    let finer = renderer.render_pages(Arc::clone(pdf), pages, scale.unwrap_or(Scale::DOTS_12));
    let Ok(finer) = finer.await else {
        return problem;
    };
    let expected = expected.clone();
    let checked =
        tokio::task::spawn_blocking(move || verification::verify(&finer, &expected)).await;
    match checked {
        Ok(Verification { problem: None, .. }) => VerificationError::TooSmall { page },
        _ => problem,
    }
}

fn finish(
    pdf: &Arc<[u8]>,
    pages: PageSelection,
    fitted: Vec<(Page, Fit)>,
    profile: &PrinterProfile,
    expected: &ExpectedCodes,
) -> (Payload, Vec<PagePreview>, Option<VerificationError>) {
    let (drawn, fits): (Vec<Page>, Vec<Fit>) = fitted.into_iter().unzip();
    let Verification {
        pages: checked,
        problem,
    } = verification::verify(&drawn, expected);
    let problem = verification::check_pdf_complete(pdf).err().or(problem);
    let (bytes, page_ends) = encode(pdf, &drawn, profile);
    let payload = Payload {
        language: profile.language,
        bytes,
        copies: profile.copies,
        pages,
        page_ends,
    };
    let shown = drawn.into_iter().zip(checked).zip(fits);
    let previews = shown.map(
        |((page, PageVerification { codes_read }), fit)| PagePreview {
            bitmap: page.bitmap,
            index: page.index,
            page_count: page.page_count,
            codes: codes_read,
            fit,
        },
    );
    (payload, previews.collect(), problem)
}
