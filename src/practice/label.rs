//! Item labels: a vector PDF with one page for each piece, in A6 or with the same label on A4.
//!
//! The unit of the layout is a dot of an eighth of a millimetre, the dot of a 203 dpi thermal print head.
//! Every bar, module and rule lies on that grid, so at 8 dots/mm no edge falls between two dots. Text is
//! measured before it is drawn, and is made smaller, wrapped or shortened if it does not fit.

mod barcodes;
mod hazard;
mod layout;

use printing::canvas::{CanvasError, Drawing, PageSize};

use super::catalogue::Catalogue;
use super::consignment::{Consignment, Line};

/// PDF points in a dot: an inch has 72 points and 203.2 dots.
pub(crate) const POINTS_PER_DOT: f32 = 72.0 / 203.2;

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

    /// Returns the size of the page, and where the label's top left corner is on it. The size is a hundredth
    /// of a point above the exact value, because some renderers round down to whole dots and would lose the
    /// last dot.
    fn size(self) -> PageSize {
        let (points, corner) = match self {
            Self::A6 => ((297.64, 419.53), 0.0),
            Self::A4 => ((595.28, 841.9), 80.0),
        };
        PageSize {
            points,
            unit: POINTS_PER_DOT,
            origin: (corner, corner),
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
    let mut drawing = Drawing::new(&format!("{} item labels", consignment.number()))?;
    for piece in pieces(consignment) {
        drawing.page(paper.size(), |pen| {
            layout::draw(pen, catalogue, &piece)?;
            if paper == Paper::A4 {
                layout::crop_marks(pen);
            }
            Ok::<_, LabelError>(())
        })??;
    }
    Ok(drawing.finish()?.pdf)
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
