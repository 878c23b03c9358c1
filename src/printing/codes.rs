//! Reading barcodes back from the dots, as a scanner will read them from the paper.
//!
//! The dots are already black and white, so no threshold is guessed. Each family of codes is looked for on its own: a
//! reader that has found one kind stops looking for the others.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashSet;

use rxing::common::{BitArray, BitMatrix, LineOrientation};
use rxing::multi::{GenericMultipleBarcodeReader, MultipleBarcodeReader};
use rxing::{
    BarcodeFormat, Binarizer, BinaryBitmap, DecodeHints, Luma8LuminanceSource, LuminanceSource,
    MultiUseMultiFormatReader,
};

use super::page::Bitmap;

/// Carriers' labels use these, the item's own reference mostly as a Code 128. Each family is searched by itself.
const FAMILIES: [&[BarcodeFormat]; 4] = [
    &[BarcodeFormat::CODE_128],
    &[BarcodeFormat::QR_CODE],
    &[BarcodeFormat::DATA_MATRIX],
    &[
        BarcodeFormat::CODE_39,
        BarcodeFormat::ITF,
        BarcodeFormat::EAN_13,
    ],
];

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
            Self::Other => "Barcode",
        }
    }
}

/// Every barcode found, without doubles, Code 128 first. Takes some 50 ms for an A6 label: not for the main thread.
pub fn read(bitmap: &Bitmap) -> Vec<Code> {
    read_until(bitmap, &|_| false)
}

/// The same, but stops after the first family of codes with which `enough` is content: Code 128 alone takes some 15 ms.
pub fn read_until(bitmap: &Bitmap, enough: &dyn Fn(&[Code]) -> bool) -> Vec<Code> {
    let mut found = Vec::new();
    let Ok(luma) = Luma8LuminanceSource::new(bitmap.to_luma(), bitmap.width(), bitmap.height())
    else {
        return found;
    };
    for family in FAMILIES {
        let hints = DecodeHints {
            PossibleFormats: Some(family.iter().copied().collect::<HashSet<_>>()),
            TryHarder: Some(true),
            ..DecodeHints::default()
        };
        let mut image = BinaryBitmap::new(Bilevel::new(luma.clone()));
        let mut reader = GenericMultipleBarcodeReader::new(MultiUseMultiFormatReader::default());
        // An error means that there is none of this family.
        for result in reader
            .decode_multiple_with_hints(&mut image, &hints)
            .unwrap_or_default()
        {
            let code = Code {
                text: result.getText().to_owned(),
                symbology: Symbology::of(*result.getBarcodeFormat()),
            };
            if !found.contains(&code) {
                found.push(code);
            }
        }
        if enough(&found) {
            break;
        }
    }
    found
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
