//! Reads barcodes back from a bitmap, as a scanner will read them from the label.
//!
//! The bitmap is already black and white, so no threshold has to be guessed. First a few rows are read ([`rows`]):
//! this finds an upright Code 128, the usual code on a label, in a fraction of the time. The whole page is searched
//! only if the codes in these rows are not enough. Each family of codes is searched separately, because a reader that
//! has found one kind of code stops looking for other kinds.

mod aztec;
mod rows;

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashSet;
use std::time::Instant;

use rxing::common::{BitArray, BitMatrix, LineOrientation};
use rxing::multi::{GenericMultipleBarcodeReader, MultipleBarcodeReader};
use rxing::{
    Binarizer, BinaryBitmap, DecodeHints, Luma8LuminanceSource, LuminanceSource,
    MultiUseMultiFormatReader,
};

pub use rxing::BarcodeFormat;

pub(super) use rows::has_bars;

use super::page::Bitmap;

/// The codes used on carriers' labels; the item's reference is usually a Code 128. Each family
/// is searched separately.
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

/// Larger pages are thinned to at most this many dots. A6 at 24 dots per millimetre and A4 at 12 stay
/// below the limit.
const SEARCHED_DOTS: u64 = 10_000_000;

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Code {
    /// The text, including control characters such as GS1 separators.
    pub text: String,
    pub format: BarcodeFormat,
}

/// Whether the codes found so far are enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SearchState {
    /// Continue with every method.
    Insufficient,
    /// Continue only with cheap methods: a better code would be useful, but is not worth a search of the whole page.
    Sufficient,
    /// Stop: everything expected was found.
    Complete,
}

/// Returns every barcode on the page once, Code 128 first. Takes about 50 ms for an A6 label, so don't call
/// this on the main thread.
pub fn read(bitmap: &Bitmap) -> Vec<Code> {
    let mut found = Vec::new();
    search(bitmap, &mut found, None, &|_| SearchState::Insufficient);
    found
}

/// Reads barcodes until `answered` is satisfied. Takes up to 1 ms if an upright Code 128 satisfies it,
/// otherwise 15 to 200 ms. After `latest` no further family of codes is searched.
pub fn read_until(
    bitmap: &Bitmap,
    latest: Instant,
    answered: &dyn Fn(&[Code]) -> SearchState,
) -> Vec<Code> {
    let mut found = rows::code_128s(bitmap, answered);
    if answered(&found) == SearchState::Insufficient {
        search(bitmap, &mut found, Some(latest), answered);
    }
    found
}

/// Searches the whole page for one family of codes after another.
fn search(
    bitmap: &Bitmap,
    found: &mut Vec<Code>,
    latest: Option<Instant>,
    answered: &dyn Fn(&[Code]) -> SearchState,
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
            let mut image = BinaryBitmap::new(BilevelBinarizer::new(luma.clone()));
            let reader = MultiUseMultiFormatReader::default();
            let mut reader = GenericMultipleBarcodeReader::new(reader);
            // An error means that the page has no code of this family.
            { reader.decode_multiple_with_hints(&mut image, &hints) }.unwrap_or_default()
        };
        for result in results {
            let code = Code {
                text: result.getText().to_owned(),
                format: *result.getBarcodeFormat(),
            };
            if !found.contains(&code) {
                found.push(code);
            }
        }
        if answered(found) > SearchState::Insufficient {
            break;
        }
    }
}

/// Returns every dot of the page as luma. For a page larger than [`SEARCHED_DOTS`], keeps only every second, third …
/// dot of every second, third … row. Bars stay readable, because a bar is many dots wide at such resolutions.
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

/// A binarizer that passes the dots to the readers unchanged and builds the bit matrix only once.
struct BilevelBinarizer {
    source: Luma8LuminanceSource,
    matrix: OnceCell<BitMatrix>,
}

impl BilevelBinarizer {
    fn new(source: Luma8LuminanceSource) -> Self {
        Self {
            source,
            matrix: OnceCell::new(),
        }
    }
}

impl Binarizer for BilevelBinarizer {
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
        if let Some(matrix) = self.matrix.get() {
            return Ok(matrix);
        }
        let (width, height) = (self.get_width(), self.get_height());
        let luma = self.source.get_matrix();
        let side = |dots: usize| u32::try_from(dots).unwrap_or(u32::MAX);
        let mut matrix = BitMatrix::new(side(width), side(height))?;
        for (at, _) in luma.iter().enumerate().filter(|(_, luma)| **luma < 128) {
            matrix.set(side(at % width), side(at / width));
        }
        Ok(self.matrix.get_or_init(|| matrix))
    }

    fn get_black_line(
        &self,
        at: usize,
        along: LineOrientation,
    ) -> rxing::common::Result<Cow<'_, BitArray>> {
        let at = u32::try_from(at).unwrap_or(u32::MAX);
        let matrix = self.get_black_matrix()?;
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
