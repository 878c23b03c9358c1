//! Checks that a bitmap looks like a page: some black dots, but not too many, and nothing cut off at an edge.

use super::super::page::{Bitmap, Page};
use super::{Edge, VerificationError};

/// At least one dot in this many must be black: about 500 dots on an A6 label at 8 dots per millimetre. A
/// truncated or misread file often renders as an empty page without an error, and pale colours print nothing
/// on a thermal printer.
const DOTS_FOR_ONE_BLACK: u64 = 2_000;

/// The highest share of black dots, in per cent. The heaviest label seen so far has a third.
const MOST_BLACK_PERCENT: u64 = 75;

/// An edge with at least this many separate runs of black, where the opposite edge is white, cuts
/// through text or bars. A frame, rule or box gives one or two runs, and rules from edge to edge are
/// black at both edges.
const RUNS_OF_A_CUT: usize = 12;

pub(super) fn looks_like_a_page(page: &Page) -> Result<(), VerificationError> {
    let bitmap = &page.bitmap;
    let number = page.index + 1;
    let (ink, dots) = (
        bitmap.ink(),
        u64::from(bitmap.width()) * u64::from(bitmap.height()),
    );
    if ink * DOTS_FOR_ONE_BLACK < dots {
        return Err(VerificationError::Blank { page: number });
    }
    if ink * 100 > dots * MOST_BLACK_PERCENT {
        return Err(VerificationError::Black { page: number });
    }
    match cut_edge(bitmap) {
        Some(edge) => Err(VerificationError::Clipped { page: number, edge }),
        None => Ok(()),
    }
}

fn cut_edge(bitmap: &Bitmap) -> Option<Edge> {
    let (right, bottom) = (bitmap.width() - 1, bitmap.height() - 1);
    let rows = 0..bitmap.height();
    let columns = 0..bitmap.width();
    let across = |one: u32, other: u32| {
        runs(
            rows.clone()
                .map(|y| bitmap.get(one, y) && !bitmap.get(other, y)),
        )
    };
    let along = |one: u32, other: u32| {
        runs(
            columns
                .clone()
                .map(|x| bitmap.get(x, one) && !bitmap.get(x, other)),
        )
    };
    let edges = [
        (Edge::Right, across(right, 0)),
        (Edge::Left, across(0, right)),
        (Edge::Bottom, along(bottom, 0)),
        (Edge::Top, along(0, bottom)),
    ];
    edges
        .into_iter()
        .find(|(_, runs)| *runs >= RUNS_OF_A_CUT)
        .map(|(edge, _)| edge)
}

/// Counts the separate runs of black.
fn runs(dots: impl Iterator<Item = bool>) -> usize {
    let mut before = false;
    let mut runs = 0;
    for black in dots {
        runs += usize::from(black && !before);
        before = black;
    }
    runs
}
