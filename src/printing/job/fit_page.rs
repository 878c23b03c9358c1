//! Fits a rendered page to the printable area, shifts it as the profile says, and notes each change
//! for the clerk.

use std::sync::Arc;

use super::super::codes;
use super::super::fit::{self, Fit, FitPlan};
use super::super::page::{Bitmap, Page};
use super::super::profile::{FitMode, Language, PrinterProfile};
use super::super::renderer::Renderer;
use super::super::shift::{resize_to_paper, shift};
use super::PrepareError;

/// The most times a page is rendered again: after the first time, rounding may leave it one dot too large.
const TRIES: usize = 3;

/// The largest share of a side that [`FitMode::Crop`] may cut off.
const MOST_CUT: f64 = 0.25;

/// Returns the page as it will be printed, how it was fitted, and one line for the clerk about each change.
///
/// Invariant: the returned page does not extend beyond the paper or the print head, so verification sees
/// exactly what is printed.
pub(super) async fn fit_page(
    renderer: &Renderer,
    pdf: &Arc<[u8]>,
    page: Page,
    profile: &PrinterProfile,
) -> Result<(Page, Fit, Vec<String>), PrepareError> {
    // We fit only our own bitmaps; a PDF is fitted by the driver or the printer that renders it.
    if !profile.language.is_dots() {
        return Ok((page, Fit::AsIs, Vec::new()));
    }
    let area = profile.printable_dots();
    let (page, fit, note) = onto_paper(renderer, pdf, page, profile).await?;
    let mut notes: Vec<String> = note.into_iter().collect();
    if page.bitmap.width() > area.0 || page.bitmap.height() > area.1 {
        return Err(PrepareError::OffPaper {
            page: page.index + 1,
        });
    }
    let (bitmap, stopped) = shift(&page.bitmap, profile.offset, area);
    notes.extend(stopped.map(|went| {
        format!(
            "The label was moved by only {} and {} dots: any further, and part of it would be cut off",
            went.x_dots, went.y_dots
        )
    }));
    let bitmap = if profile.language == Language::PageImage {
        resize_to_paper(&bitmap, area)
    } else {
        bitmap
    };
    Ok((Page { bitmap, ..page }, fit, notes))
}

/// Crops blank edges, or renders the page smaller.
async fn onto_paper(
    renderer: &Renderer,
    pdf: &Arc<[u8]>,
    mut page: Page,
    profile: &PrinterProfile,
) -> Result<(Page, Fit, Option<String>), PrepareError> {
    let (area, full) = (profile.printable_dots(), page.scale);
    let mut fit = Fit::AsIs;
    for _ in 0..TRIES {
        let scale = match fit::plan(&page, area) {
            FitPlan::AsIs => break,
            FitPlan::Crop {
                bitmap,
                fit: cropped,
            } => {
                page.bitmap = bitmap;
                if fit == Fit::AsIs {
                    fit = cropped;
                }
                break;
            }
            FitPlan::Redraw { scale } => scale,
        };
        if profile.fitting == FitMode::Crop
            && let Some((cut, cropped)) = cut_edges(&page.bitmap, area).await?
        {
            let note = format!(
                "The label is {}: its edges are cut off, but every barcode is still readable",
                fit::millimetres(page.size_mm)
            );
            page.bitmap = cut;
            return Ok((page, cropped, Some(note)));
        }
        page = renderer.render(Arc::clone(pdf), page.index, scale).await?;
        fit = Fit::Shrunk {
            ratio: scale.get() / full.get(),
        };
    }
    let note = fit.note(page.size_mm, area, full);
    Ok((page, fit, note))
}

/// Returns the middle of the page at full size; `None` if that would cut off more than [`MOST_CUT`] or
/// lose a code.
async fn cut_edges(page: &Bitmap, area: (u32, u32)) -> Result<Option<(Bitmap, Fit)>, PrepareError> {
    let size = (page.width().min(area.0), page.height().min(area.1));
    let at = ((page.width() - size.0) / 2, (page.height() - size.1) / 2);
    let is_edge = |side: u32, kept: u32| f64::from(kept) >= f64::from(side) * (1.0 - MOST_CUT);
    if !is_edge(page.width(), size.0) || !is_edge(page.height(), size.1) {
        return Ok(None);
    }
    let Some(cut) = page.part(at, size) else {
        return Ok(None);
    };
    let (whole, part) = (page.clone(), cut.clone());
    let kept = tokio::task::spawn_blocking(move || {
        let read = codes::read(&part);
        codes::read(&whole).iter().all(|code| read.contains(code))
    });
    let kept = kept.await.map_err(|_panicked| PrepareError::Interrupted)?;
    Ok(kept.then(|| (cut, Fit::cropped(page, at, size))))
}
