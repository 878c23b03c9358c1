//! Item labels: a vector PDF with one page for each piece, in A6 or with the same label on A4.
//!
//! The unit of the layout is a dot of an eighth of a millimetre, the dot of a 203 dpi thermal print head.
//! Every bar, module and rule lies on that grid, so at 8 dots/mm no edge falls between two dots. Text is
//! measured before it is drawn, and is made smaller, wrapped or shortened if it does not fit.

mod barcodes;
mod hazard;
mod layout;

use super::canvas::{self, CanvasError};
use super::catalogue::Catalogue;
use super::consignment::{Consignment, Line};

/// The size of A6 in dots.
const LABEL_WIDTH: f32 = 840.0;
const LABEL_HEIGHT: f32 = 1184.0;

/// Paper size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Paper {
    A6,
    A4,
}

impl Paper {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::A6 => "A6",
            Self::A4 => "A4",
        }
    }

    /// Returns the size in points, a hundredth above the exact value, because some renderers round down to
    /// whole dots and would lose the last one.
    fn size(self) -> (f32, f32) {
        match self {
            Self::A6 => (297.64, 419.53),
            Self::A4 => (595.28, 841.9),
        }
    }

    /// Returns the position of the label's top left corner on the page, in dots.
    fn corner(self) -> (f32, f32) {
        match self {
            Self::A6 => (0.0, 0.0),
            Self::A4 => (80.0, 80.0),
        }
    }
}

/// The reason why a label cannot be made.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LabelError {
    #[error(transparent)]
    Canvas(#[from] CanvasError),
    #[error("{text} cannot be written as a code: {source}")]
    Code {
        text: String,
        source: rxing::Exceptions,
    },
    #[error("the barcode of {0} doesn't fit on the label")]
    TooLong(String),
}

/// One piece of a consignment.
struct Piece<'a> {
    consignment: &'a Consignment,
    line: &'a Line,
    reference: &'a str,
    /// The number of the piece within the whole consignment, from 1.
    number: i64,
    of: i64,
}

/// Draws the labels of all pieces, in the order of the items.
pub(crate) fn pdf(
    catalogue: &Catalogue,
    consignment: &Consignment,
    paper: Paper,
) -> Result<Vec<u8>, LabelError> {
    let title = format!("{} item labels", consignment.number());
    canvas::pdf(title, |document, fonts| {
        for piece in pieces(consignment) {
            canvas::draw_page(document, fonts, paper.size(), paper.corner(), |pen| {
                layout::draw(pen, catalogue, &piece)?;
                if paper == Paper::A4 {
                    layout::crop_marks(pen);
                }
                Ok::<_, LabelError>(())
            })??;
        }
        Ok(())
    })
}

fn pieces(consignment: &Consignment) -> impl Iterator<Item = Piece<'_>> {
    let of = consignment.job.pieces();
    let lines = consignment.job.lines.iter();
    let lines = lines.flat_map(|line| line.references.iter().map(move |text| (line, text)));
    lines
        .zip(1..)
        .map(move |((line, reference), number)| Piece {
            consignment,
            line,
            reference,
            number,
            of,
        })
}
