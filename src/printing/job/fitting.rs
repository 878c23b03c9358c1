//! A drawn page onto the printer's head and paper, moved as the profile says; whatever was done is said.

use std::sync::Arc;

use super::super::codes;
use super::super::fit::{self, Fit, Plan};
use super::super::page::{Bitmap, Page, Scale};
use super::super::profile::{Fitting, Language, PrinterProfile, whole};
use super::super::renderer::Renderer;
use super::super::shift::{ink_rows, on_paper, shift};
use super::PrepareError;

/// The page as it will be burnt, what was done to its width, and a line for the clerk of everything that was done.
pub(super) async fn fit_page(
    renderer: &Renderer,
    pdf: &Arc<[u8]>,
    page: Page,
    profile: &PrinterProfile,
) -> Result<(Page, Fit, Vec<String>), PrepareError> {
    // Only our own dots meet the head; a PDF is fitted by who draws it.
    if !profile.language.is_dots() {
        return Ok((page, Fit::AsIs, Vec::new()));
    }
    // A page that is drawn again is whole again: its length comes first, and what is cut of its width stays cut.
    let (page, shorter) = down(renderer, pdf, page, profile).await?;
    let (page, fit, narrower) = across(renderer, pdf, page, profile).await?;
    let mut notes: Vec<String> = shorter.into_iter().chain(narrower).collect();
    let head = profile.head_width_dots.unwrap_or(page.bitmap.width());
    if page.bitmap.width() > head {
        return Err(PrepareError::TooWide {
            page: page.index + 1,
        });
    }
    let paper = (head, profile.paper_dots().1);
    let (bitmap, stopped) = shift(&page.bitmap, profile.offset, paper);
    notes.extend(stopped.map(|went| {
        format!(
            "The label was moved by {} and {} dots only: further, and ink would be lost",
            went.x_dots, went.y_dots
        )
    }));
    let bitmap = if profile.language == Language::PageImage {
        on_paper(&bitmap, picture(profile))
    } else {
        bitmap
    };
    Ok((Page { bitmap, ..page }, fit, notes))
}

/// The paper in dots as drivers count them: whole dots an inch, and none beyond the edge, which would be a page more.
fn picture(profile: &PrinterProfile) -> (u32, u32) {
    let per_inch = (profile.dots_per_mm.get() * 25.4).round();
    let dots = |mm: f64| whole((mm / 25.4 * per_inch + 0.001).floor());
    let (width, height) = profile.media.size_mm();
    let head = profile.head_width_dots.unwrap_or(u32::MAX);
    (dots(width).min(head), dots(height))
}

async fn across(
    renderer: &Renderer,
    pdf: &Arc<[u8]>,
    page: Page,
    profile: &PrinterProfile,
) -> Result<(Page, Fit, Option<String>), PrepareError> {
    let Some(head_dots) = profile.head_width_dots else {
        return Ok((page, Fit::AsIs, None));
    };
    match fit::plan(&page, head_dots) {
        Plan::AsIs => Ok((page, Fit::AsIs, None)),
        Plan::Crop { bitmap, fit } => {
            let note = fit.note(&page, head_dots);
            Ok((Page { bitmap, ..page }, fit, note))
        }
        Plan::Redraw { scale, fit } => {
            if profile.fitting == Fitting::Crop
                && let Some(cut) = cut_edges(&page.bitmap, head_dots).await?
            {
                let note = format!(
                    "The label is {} dots wide and the printer {head_dots}: its edges were cut, and every code still reads",
                    page.bitmap.width()
                );
                return Ok((
                    Page {
                        bitmap: cut.0,
                        ..page
                    },
                    cut.1,
                    Some(note),
                ));
            }
            let note = fit.note(&page, head_dots);
            let redrawn = redraw(renderer, pdf, &page, scale).await?;
            Ok((redrawn, fit, note))
        }
    }
}

/// The middle of the page at its full size; nothing where a code would be lost by that.
async fn cut_edges(page: &Bitmap, head_dots: u32) -> Result<Option<(Bitmap, Fit)>, PrepareError> {
    let spare = page.width().saturating_sub(head_dots);
    let Some(cut) = page.columns(spare / 2, head_dots) else {
        return Ok(None);
    };
    let (whole, part) = (page.clone(), cut.clone());
    let kept = tokio::task::spawn_blocking(move || {
        let read = codes::read(&part);
        codes::read(&whole).iter().all(|code| read.contains(code))
    });
    let kept = kept.await.map_err(|_panicked| PrepareError::Interrupted)?;
    let fit = Fit::Cropped {
        left_dots: spare / 2,
        right_dots: spare - spare / 2,
    };
    Ok(kept.then_some((cut, fit)))
}

/// A page whose ink is longer than the paper is drawn smaller: the rest would be burnt onto the next label.
async fn down(
    renderer: &Renderer,
    pdf: &Arc<[u8]>,
    page: Page,
    profile: &PrinterProfile,
) -> Result<(Page, Option<String>), PrepareError> {
    let (height, paper) = (page.bitmap.height(), profile.paper_dots().1);
    // A page and its paper are rarely cut to the same tenth of a millimetre.
    if paper == 0 || f64::from(ink_rows(&page.bitmap).end) <= f64::from(paper) * 1.01 {
        return Ok((page, None));
    }
    let ratio = f64::from(paper) / f64::from(height) * 0.999;
    let Some(scale) = Scale::dots_per_mm(page.scale.get() * ratio) else {
        return Ok((page, None));
    };
    let note = format!(
        "The label is {height} dots long and the paper {paper}: it was drawn at {:.1} % of its size",
        ratio * 100.0
    );
    let redrawn = redraw(renderer, pdf, &page, scale).await?;
    Ok((redrawn, Some(note)))
}

async fn redraw(
    renderer: &Renderer,
    pdf: &Arc<[u8]>,
    page: &Page,
    scale: Scale,
) -> Result<Page, PrepareError> {
    Ok(renderer.render(Arc::clone(pdf), page.index, scale).await?)
}
