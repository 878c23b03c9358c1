//! Reading barcodes back from the dots, as a scanner will read them from the paper.
//!
//! The dots are already black and white, so no threshold is guessed. A few rows are read first ([`rows`]), which finds an
//! upright Code 128, the usual code of a label, in a fraction of the time; only when that does not answer is the page
//! searched. Each family of codes is searched for on its own: a reader that has found one kind stops looking for the others.

mod aztec;
mod rows;

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashSet;
use std::time::Instant;

use rxing::common::{BitArray, BitMatrix, LineOrientation};
use rxing::multi::{GenericMultipleBarcodeReader, MultipleBarcodeReader};
use rxing::{
    BarcodeFormat, Binarizer, BinaryBitmap, DecodeHints, Luma8LuminanceSource, LuminanceSource,
    MultiUseMultiFormatReader,
};

pub(super) use rows::has_bars;

use super::page::Bitmap;

/// Carriers' labels use these, the item's own reference mostly as a Code 128. Each family is searched by itself.
const FAMILIES: [&[BarcodeFormat]; 6] = [
    &[BarcodeFormat::CODE_128],
    &[BarcodeFormat::QR_CODE],
    &[BarcodeFormat::DATA_MATRIX],
    &[
        BarcodeFormat::CODE_39,
        BarcodeFormat::ITF,
        BarcodeFormat::EAN_13,
    ],
    &[BarcodeFormat::PDF_417],
    &[BarcodeFormat::AZTEC],
];

/// What is searched of a page at most: A6 at 24 dots a millimetre, A4 at 12.
const SEARCHED_DOTS: u64 = 10_000_000;

/// A barcode that was read.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Code {
    /// What it says, with control characters (GS1 separators) as they are.
    pub text: String,
    /// Which kind it is.
    pub symbology: Symbology,
}

/// The kinds of barcode that carriers put on labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Symbology {
    Code128,
    Code39,
    Itf,
    Ean13,
    QrCode,
    DataMatrix,
    Pdf417,
    Aztec,
    Other,
}

impl Symbology {
    fn of(format: BarcodeFormat) -> Self {
        match format {
            BarcodeFormat::CODE_128 => Self::Code128,
            BarcodeFormat::CODE_39 => Self::Code39,
            BarcodeFormat::ITF => Self::Itf,
            BarcodeFormat::EAN_13 => Self::Ean13,
            BarcodeFormat::QR_CODE => Self::QrCode,
            BarcodeFormat::DATA_MATRIX => Self::DataMatrix,
            BarcodeFormat::PDF_417 => Self::Pdf417,
            BarcodeFormat::AZTEC => Self::Aztec,
            _ => Self::Other,
        }
    }

    /// The name on the screen.
    pub fn name(self) -> &'static str {
        match self {
            Self::Code128 => "Code 128",
            Self::Code39 => "Code 39",
            Self::Itf => "ITF",
            Self::Ean13 => "EAN-13",
            Self::QrCode => "QR code",
            Self::DataMatrix => "Data Matrix",
            Self::Pdf417 => "PDF417",
            Self::Aztec => "Aztec",
            Self::Other => "Barcode",
        }
    }
}

/// How far what was found answers what is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Answered {
    /// Go on by every means.
    NotYet,
    /// Better may come at little cost; it is not worth a search.
    Enough,
    /// Stop here.
    Fully,
}

/// Every barcode found, without doubles, Code 128 first. Takes some 50 ms for an A6 label: not for the main thread.
pub fn read(bitmap: &Bitmap) -> Vec<Code> {
    let mut found = Vec::new();
    search(bitmap, &mut found, None, &|_| Answered::NotYet);
    found
}

/// The same, but stops as soon as `answered` is content: within a millisecond where it is with a Code 128 that stands
/// upright, after some 15 to 200 ms else. Past `latest` no further kind of code is searched for.
pub fn read_until(
    bitmap: &Bitmap,
    latest: Instant,
    answered: &dyn Fn(&[Code]) -> Answered,
) -> Vec<Code> {
    let mut found = rows::code_128s(bitmap, answered);
    if answered(&found) == Answered::NotYet {
        search(bitmap, &mut found, Some(latest), answered);
    }
    found
}

/// Searches the whole page, a family of codes after the other.
fn search(
    bitmap: &Bitmap,
    found: &mut Vec<Code>,
    latest: Option<Instant>,
    answered: &dyn Fn(&[Code]) -> Answered,
) {
    let is_late = || latest.is_some_and(|latest| Instant::now() >= latest);
    if is_late() {
        return;
    }
    let (dots, width, height) = thinned(bitmap);
    let Ok(luma) = Luma8LuminanceSource::new(dots, width, height) else {
        return;
    };
    for family in FAMILIES {
        if is_late() {
            return;
        }
        let hints = DecodeHints {
            PossibleFormats: Some(family.iter().copied().collect::<HashSet<_>>()),
            TryHarder: Some(true),
            ..DecodeHints::default()
        };
        let results = if family == [BarcodeFormat::AZTEC] {
            aztec::read(bitmap)
        } else {
            let mut image = BinaryBitmap::new(Bilevel::new(luma.clone()));
            let mut reader =
                GenericMultipleBarcodeReader::new(MultiUseMultiFormatReader::default());
            // An error means that there is none of this family.
            reader
                .decode_multiple_with_hints(&mut image, &hints)
                .unwrap_or_default()
        };
        for result in results {
            let code = Code {
                text: result.getText().to_owned(),
                symbology: Symbology::of(*result.getBarcodeFormat()),
            };
            if !found.contains(&code) {
                found.push(code);
            }
        }
        if answered(found) > Answered::NotYet {
            break;
        }
    }
}

/// Every dot, or of a page that is larger than that every second or third of a row and every such row: as fine as that, a
/// bar is many dots wide.
fn thinned(bitmap: &Bitmap) -> (Vec<u8>, u32, u32) {
    let (width, height) = (bitmap.width(), bitmap.height());
    let dots = u64::from(width) * u64::from(height);
    let step = (1..=8).find(|step| dots / (step * step) <= SEARCHED_DOTS);
    let step = usize::try_from(step.unwrap_or(8)).unwrap_or(8);
    let luma = bitmap.to_luma();
    if step == 1 {
        return (luma, width, height);
    }
    let rows = luma.chunks_exact(width as usize).step_by(step);
    let thin = rows.flat_map(|row| row.iter().step_by(step).copied());
    let side = |dots: u32| u32::try_from((dots as usize).div_ceil(step)).unwrap_or(dots);
    (thin.collect(), side(width), side(height))
}

/// Hands the dots to the readers as they are, and their rows only once each.
struct Bilevel {
    source: Luma8LuminanceSource,
    matrix: OnceCell<BitMatrix>,
}

impl Bilevel {
    fn new(source: Luma8LuminanceSource) -> Self {
        Self {
            source,
            matrix: OnceCell::new(),
        }
    }

    fn matrix(&self) -> rxing::common::Result<&BitMatrix> {
        if let Some(matrix) = self.matrix.get() {
            return Ok(matrix);
        }
        let (width, height) = (self.get_width(), self.get_height());
        let luma = self.source.get_matrix();
        let side = |dots: usize| u32::try_from(dots).unwrap_or(u32::MAX);
        let mut matrix = BitMatrix::new(side(width), side(height))?;
        for (y, row) in luma.chunks_exact(width).enumerate() {
            for (block, dots) in row.chunks(16).enumerate() {
                // Most of a label is bare paper.
                if dots.iter().all(|luma| *luma == 255) {
                    continue;
                }
                for (x, _) in dots.iter().enumerate().filter(|(_, luma)| **luma < 128) {
                    matrix.set(side(block * 16 + x), side(y));
                }
            }
        }
        Ok(self.matrix.get_or_init(|| matrix))
    }
}

impl Binarizer for Bilevel {
    type Source = Luma8LuminanceSource;

    fn get_luminance_source(&self) -> &Self::Source {
        &self.source
    }

    fn get_black_row(&self, y: usize) -> rxing::common::Result<Cow<'_, BitArray>> {
        self.get_black_line(y, LineOrientation::Row)
    }

    fn get_black_row_from_matrix(&self, y: usize) -> rxing::common::Result<Cow<'_, BitArray>> {
        self.get_black_line(y, LineOrientation::Row)
    }

    fn get_black_matrix(&self) -> rxing::common::Result<&BitMatrix> {
        self.matrix()
    }

    fn get_black_line(
        &self,
        at: usize,
        along: LineOrientation,
    ) -> rxing::common::Result<Cow<'_, BitArray>> {
        let at = u32::try_from(at).unwrap_or(u32::MAX);
        let matrix = self.matrix()?;
        let line = match along {
            LineOrientation::Row if at < matrix.height() => matrix.getRow(at),
            LineOrientation::Column if at < matrix.width() => matrix.getCol(at),
            _ => return Err(rxing::Exceptions::NOT_FOUND),
        };
        Ok(Cow::Owned(line))
    }

    fn create_binarizer(&self, source: Self::Source) -> Self {
        Self::new(source)
    }

    fn get_width(&self) -> usize {
        self.source.get_width()
    }

    fn get_height(&self) -> usize {
        self.source.get_height()
    }
}
