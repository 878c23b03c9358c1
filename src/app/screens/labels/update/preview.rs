//! Turns a rendered label page into the preview on the screen. Runs in the background, never during a frame.

use std::sync::Arc;

use crate::state::{JobSubject, Preview, PreviewProblem, ReducedPage};
use engine::LabelView;
use printing::page::Bitmap;
use printing::profile::Language;
use shipping::{ConsignmentId, LabelSize};

/// Longest texture side, in dots, that every graphics card accepts. A6 at 300 dpi fits; A4 or 600 dpi does
/// not fit.
const LONGEST_SIDE: u32 = 2_048;

pub(super) fn shown(
    consignment: ConsignmentId,
    number: String,
    size: LabelSize,
    language: Language,
    view: &LabelView,
) -> Preview {
    let bitmap = &view.shown.bitmap;
    let problem = view.problem.as_ref();
    let problem = problem.map(|(problem, fault)| PreviewProblem {
        headline: problem.to_string(),
        advice: problem.advice().to_owned(),
        page: problem.page().and_then(|page| page.checked_sub(1)),
        fault: fault.clone(),
    });
    Preview {
        subject: JobSubject::Label(consignment),
        number,
        page: view.shown.index,
        pages: view.shown.page_count,
        size,
        width: bitmap.width(),
        height: bitmap.height(),
        dots: Arc::from(bitmap.packed()),
        codes_read: view.shown.codes.len(),
        checked: problem.is_none() && view.compared,
        notes: view.notes.clone(),
        exact: language != Language::Pdf,
        problem,
        overview: overview(bitmap),
    }
}

/// Returns the page scaled down to fit a texture, or `None` if it fits as it is.
fn overview(bitmap: &Bitmap) -> Option<ReducedPage> {
    let (across, down) = (bitmap.width(), bitmap.height());
    let factor = across.max(down).div_ceil(LONGEST_SIDE);
    if factor <= 1 {
        return None;
    }
    let (width, height) = (across.div_ceil(factor), down.div_ceil(factor));
    let mut greys = Vec::with_capacity(width as usize * height as usize);
    for top in (0..down).step_by(factor as usize) {
        greys.extend(row_of_greys(bitmap, top, factor));
    }
    Some(ReducedPage {
        width,
        height,
        factor,
        greys: Arc::from(greys),
    })
}

/// Returns one row of grey values: the mean of each square of `factor` × `factor` dots, from row `top` on.
fn row_of_greys(bitmap: &Bitmap, top: u32, factor: u32) -> Vec<u8> {
    let (across, down) = (bitmap.width() as usize, bitmap.height());
    let stride = across.div_ceil(8);
    let step = factor as usize;
    let mut black = vec![0u32; across.div_ceil(step)];
    let rows = top..(top + factor).min(down);
    for y in rows.clone() {
        let row = &bitmap.packed()[y as usize * stride..][..stride];
        for (at, byte) in row.iter().enumerate().filter(|(_, byte)| **byte != 0) {
            for bit in 0..8 {
                let x = at * 8 + bit;
                if byte >> (7 - bit) & 1 == 1 && x < across {
                    black[x / step] += 1;
                }
            }
        }
    }
    let count = |at: usize| {
        let width = step.min(across - at * step);
        u32::try_from(width).unwrap_or(factor) * (rows.end - rows.start)
    };
    let grey = |(at, black): (usize, &u32)| {
        let paper = 255 - black * 255 / count(at).max(1);
        u8::try_from(paper).unwrap_or(u8::MAX)
    };
    black.iter().enumerate().map(grey).collect()
}

#[cfg(test)]
mod tests {
    use super::overview;
    use printing::page::Bitmap;

    #[test]
    fn a_label_is_shown_as_it_is_and_a_page_too_large_for_a_screen_in_greys() {
        let label = Bitmap::from_packed(840, 1_184, vec![0; 105 * 1_184]).expect("a label");
        assert_eq!(overview(&label), None);
        let mut rows = vec![0u8; 620 * 7_016];
        // The first four rows are black, so the first row of greys is all black.
        rows[..4 * 620].fill(0xFF);
        let page = Bitmap::from_packed(4_960, 7_016, rows).expect("a page");
        let small = overview(&page).expect("too large");
        assert_eq!(small.factor, 4);
        assert_eq!((small.width, small.height), (1_240, 1_754));
        assert_eq!((small.greys[0], small.greys[1_239]), (0, 0));
        assert_eq!(small.greys[1_240], 255);
    }
}
