//! Turns a document into bytes for a printer: renders, fits, shifts, verifies and encodes it. Nothing is sent.

use std::collections::HashSet;
use std::sync::Arc;

use super::Payload;
use crate::codes::{self, Code};
use crate::fit::{self, Fit, FitPlan, resize_to_paper, shift};
use crate::image_pages;
use crate::languages::Encoder;
use crate::page::{Bitmap, Page, PageSelection, Scale};
use crate::profile::{Destination, FitMode, PrinterProfile, Rotation, round_to_dots};
use crate::renderer::{RenderError, Renderer};
use crate::verification::{self, ExpectedCodes, Verification, VerificationError};

/// The maximum number of times a page is rendered again. Rounding may leave the page one dot too large
/// the first time.
const TRIES: usize = 3;

/// The largest share of a side that [`FitMode::Crop`] may cut off.
const MOST_CUT: f64 = 0.25;

/// The resolution, in dots per millimetre, at which the code of any label can be read.
const FINE: f64 = 12.0;

/// A job that is ready to be stored and then sent.
#[derive(Debug, Clone)]
pub struct Prepared {
    pub payload: Payload,
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
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "A label of {} × {} mm would be printed at {percent} % of its size on the {} × {} mm paper of {printer}",
    label_mm.0, label_mm.1, paper_mm.0, paper_mm.1
)]
pub struct ShrinkWarning {
    pub printer: String,
    /// Width and height of the label, in whole millimetres.
    pub label_mm: (u32, u32),
    /// Width and height of the paper, in whole millimetres.
    pub paper_mm: (u32, u32),
    /// The printed size in per cent of the label's own size.
    pub percent: u32,
}

impl ShrinkWarning {
    pub const ADVICE: &str =
        "Choose a printer with larger paper, or print labels of this size smaller";

    /// The largest difference in percentage points at which two labels of one size count as equally small. Such
    /// labels differ because their black areas differ a little.
    const ALIKE: u32 = 5;

    fn of(page: &Page, fit: &Fit, profile: &PrinterProfile) -> Option<Self> {
        let percent = round_to_dots(fit.ratio() * 100.0);
        let size = |(width, height): (f64, f64)| (round_to_dots(width), round_to_dots(height));
        (percent < u32::from(profile.least_percent)).then(|| Self {
            printer: profile.name.clone(),
            label_mm: size(page.size_mm),
            paper_mm: size(profile.paper_mm()),
            percent,
        })
    }

    /// Returns whether consent to this label also covers `other`, which must have the same printer and sizes and be
    /// at most `ALIKE` points smaller.
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
    pub page_count: usize,
    /// The barcodes read from this bitmap; empty if none was expected.
    pub codes: Vec<Code>,
    pub fit: Fit,
}

/// The reason why a job could not be made. Nothing was sent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PrepareError {
    #[error(transparent)]
    Render(#[from] RenderError),
    /// The document was rendered, but failed verification. Only this error may be overridden, by a clerk who has
    /// looked at the preview: then [`prepare_despite_problem`] gives the bytes.
    #[error(transparent)]
    Check(#[from] VerificationError),
    /// Part of the page would fall off the paper even when rendered smaller.
    #[error("Page {page} does not fit this printer's paper")]
    OffPaper { page: usize },
    /// A task on a blocking thread panicked or was cancelled.
    #[error("The label could not be prepared")]
    Interrupted,
}

impl PrepareError {
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
    let prepared = prepare_despite_problem(renderer, pdf, pages, profile, expected).await?;
    match prepared.problem {
        Some(problem) => Err(problem.into()),
        None => Ok(prepared),
    }
}

/// Does the work of [`prepare`], but returns a failed verification in [`Prepared::problem`] together with the
/// result: for previews, and for printing after an override.
pub async fn prepare_despite_problem(
    renderer: &Renderer,
    pdf: Arc<[u8]>,
    pages: PageSelection,
    profile: &PrinterProfile,
    expected: &ExpectedCodes,
) -> Result<Prepared, PrepareError> {
    let preparation = Preparation {
        renderer,
        pdf,
        pages,
        profile,
        expected,
    };
    preparation.run().await
}

struct Preparation<'a> {
    renderer: &'a Renderer,
    pdf: Arc<[u8]>,
    pages: PageSelection,
    profile: &'a PrinterProfile,
    expected: &'a ExpectedCodes,
}

impl Preparation<'_> {
    async fn run(&self) -> Result<Prepared, PrepareError> {
        let (mut pages, mut fits, mut notes) = (Vec::new(), Vec::new(), Vec::new());
        for page in self.render(self.profile.dots_per_mm).await? {
            let (page, fit) = self.fit_page(page, &mut notes).await?;
            pages.push(page);
            fits.push(fit);
        }
        let mut seen = HashSet::new();
        notes.retain(|note: &String| seen.insert(note.clone()));
        let shrunk = pages.iter().zip(&fits);
        let shrunk = shrunk.filter_map(|(page, fit)| ShrinkWarning::of(page, fit, self.profile));
        let shrink_warning = shrunk.min_by_key(|one| one.percent);
        let (pdf, profile) = (Arc::clone(&self.pdf), self.profile.clone());
        let (expected, upright) = (
            self.expected.clone(),
            self.profile.page_rotation().inverse(),
        );
        // This takes tens of milliseconds for each page, which is too long for an async thread.
        let finished = blocking(move || {
            // Barcodes are read from left to right.
            let upright: Vec<_> = pages
                .iter()
                .cloned()
                .map(|page| page.turned(upright))
                .collect();
            let verified = verification::verify(&upright, &expected);
            let problem = verification::check_pdf_complete(&pdf).err();
            let encoded = encode(&pdf, &pages, &profile);
            (pages, verified.codes, problem.or(verified.problem), encoded)
        });
        let (pages, codes, problem, (bytes, page_ends)) = finished.await?;
        let problem = match problem {
            Some(problem) => Some(self.explained(problem).await),
            None => None,
        };
        let previews = pages.into_iter().zip(codes).zip(fits);
        let previews = previews.map(|((page, codes), fit)| PagePreview {
            bitmap: page.bitmap,
            index: page.index,
            page_count: page.page_count,
            codes,
            fit,
        });
        Ok(Prepared {
            payload: Payload {
                language: self.profile.language,
                bytes,
                copies: self.profile.copies,
                pages: self.pages,
                page_ends,
            },
            previews: previews.collect(),
            notes,
            problem,
            shrink_warning,
        })
    }

    /// Renders the pages upright, as they are in the document.
    async fn render(&self, scale: Scale) -> Result<Vec<Page>, RenderError> {
        let pdf = Arc::clone(&self.pdf);
        self.renderer.render_pages(pdf, self.pages, scale).await
    }

    /// Replaces a barcode error by [`VerificationError::TooSmall`] if the document passes verification at a
    /// higher resolution: then the label is right, and only this printer's resolution is too low for its barcode.
    async fn explained(&self, problem: VerificationError) -> VerificationError {
        let page = match &problem {
            VerificationError::OtherConsignment { page } | VerificationError::NoCode { page } => {
                *page
            }
            VerificationError::MissingReference { .. } => 1,
            _ => return problem,
        };
        let scale = Scale::dots_per_mm((self.profile.dots_per_mm.get() * 1.5).max(FINE));
        let Ok(finer) = self.render(scale.unwrap_or(Scale::DOTS_12)).await else {
            return problem;
        };
        let expected = self.expected.clone();
        match blocking(move || verification::verify(&finer, &expected)).await {
            Ok(Verification { problem: None, .. }) => VerificationError::TooSmall { page },
            _ => problem,
        }
    }

    /// Returns the page as it will be printed and how it was fitted. Adds one line for the clerk about each
    /// change to `notes`.
    ///
    /// Invariant: the returned page does not extend beyond the paper or the print head, so verification sees
    /// exactly what is printed.
    async fn fit_page(
        &self,
        page: Page,
        notes: &mut Vec<String>,
    ) -> Result<(Page, Fit), PrepareError> {
        // We fit only our own bitmaps; a PDF is fitted by the driver or the printer that renders it.
        if !self.profile.language.is_dots() {
            return Ok((page, Fit::AsIs));
        }
        let area = self.profile.printable_dots();
        let page = page.turned(self.profile.page_rotation());
        let (page, fit) = self.onto_paper(page, area, notes).await?;
        if page.bitmap.width() > area.0 || page.bitmap.height() > area.1 {
            return Err(PrepareError::OffPaper {
                page: page.index + 1,
            });
        }
        let (mut bitmap, stopped) = shift(&page.bitmap, self.profile.offset, area);
        notes.extend(stopped.map(|went| {
            format!(
                "The label was moved by only {} and {} dots: any further, and part of it would be cut off",
                went.x_dots, went.y_dots
            )
        }));
        if matches!(self.profile.language.encoder(), Encoder::Image) {
            bitmap = resize_to_paper(&bitmap, area);
        }
        Ok((Page { bitmap, ..page }, fit))
    }

    /// Crops blank edges, or renders the page smaller.
    async fn onto_paper(
        &self,
        mut page: Page,
        area: (u32, u32),
        notes: &mut Vec<String>,
    ) -> Result<(Page, Fit), PrepareError> {
        let full = page.scale;
        let mut fit = Fit::AsIs;
        for _ in 0..TRIES {
            let scale = match fit::plan(&page, area) {
                FitPlan::AsIs => break,
                FitPlan::Crop { bitmap, fit: crop } => {
                    page.bitmap = bitmap;
                    if fit == Fit::AsIs {
                        fit = crop;
                    }
                    break;
                }
                FitPlan::Redraw { scale } => scale,
            };
            if self.profile.fitting == FitMode::Crop
                && let Some((cut, cropped)) =
                    cut_edges(&page.bitmap, area, self.profile.page_rotation().inverse()).await?
            {
                notes.push(format!(
                    "The label is {}: its edges are cut off, but every barcode is still readable",
                    fit::millimetres(page.size_mm)
                ));
                page.bitmap = cut;
                return Ok((page, cropped));
            }
            let pdf = Arc::clone(&self.pdf);
            page = self.renderer.render(pdf, page.index, scale).await?;
            page = page.turned(self.profile.page_rotation());
            fit = Fit::Shrunk {
                ratio: scale.get() / full.get(),
            };
        }
        notes.extend(fit.note(page.size_mm, area, full));
        Ok((page, fit))
    }
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, PrepareError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|_panicked| PrepareError::Interrupted)
}

/// Returns the middle of the page at full size; `None` if that would cut off more than [`MOST_CUT`] or
/// lose a code.
async fn cut_edges(
    page: &Bitmap,
    area: (u32, u32),
    upright: Rotation,
) -> Result<Option<(Bitmap, Fit)>, PrepareError> {
    let size = (page.width().min(area.0), page.height().min(area.1));
    let at = ((page.width() - size.0) / 2, (page.height() - size.1) / 2);
    let is_edge = |side: u32, kept: u32| f64::from(kept) >= f64::from(side) * (1.0 - MOST_CUT);
    if !is_edge(page.width(), size.0) || !is_edge(page.height(), size.1) {
        return Ok(None);
    }
    let Some(cut) = page.part(at, size) else {
        return Ok(None);
    };
    let (whole, part) = (page.turned(upright), cut.turned(upright));
    let kept = blocking(move || {
        let read = codes::read(&part);
        codes::read(&whole).iter().all(|code| read.contains(code))
    });
    Ok(kept.await?.then(|| (cut, Fit::cropped(page, at, size))))
}

/// Returns the bytes of all pages and the end of each page in them. A PDF is passed on unchanged. The pages
/// of a PDF or of a page image cannot be separated.
fn encode(pdf: &Arc<[u8]>, pages: &[Page], profile: &PrinterProfile) -> (Arc<[u8]>, Vec<usize>) {
    match profile.language.encoder() {
        Encoder::Document => (Arc::clone(pdf), Vec::new()),
        Encoder::Label(encode) => {
            let (mut bytes, mut ends) = (Vec::new(), Vec::with_capacity(pages.len()));
            for page in pages {
                bytes.extend(encode(&page.bitmap, profile));
                ends.push(bytes.len());
            }
            (bytes.into(), ends)
        }
        Encoder::Image => {
            let bitmaps: Vec<&Bitmap> = pages.iter().map(|page| &page.bitmap).collect();
            // The image states the printer's resolution, even if a page was rendered at a smaller scale.
            let scale = profile.dots_per_mm;
            let bytes = match profile.destination {
                // Every driverless printer accepts PWG raster; few accept PNG.
                Destination::Ipp(_) => image_pages::encode_raster(&bitmaps, scale),
                _ => image_pages::encode(&bitmaps, scale),
            };
            (bytes.into(), Vec::new())
        }
    }
}
