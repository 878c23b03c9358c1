//! Bitmaps of one bit per dot, and rendered pages.
//!
//! Rows run from top to bottom. Each is packed into whole bytes with the leftmost dot in the highest bit; 1 is black.
//! Bits beyond the width are always 0, so two bitmaps are equal if and only if their dots are equal.

use std::fmt;
use std::sync::Arc;

use super::profile::Rotation;

/// The maximum number of dots in a bitmap. A4 at 24 dots per millimetre has about 36 million.
pub const MOST_DOTS: u64 = 64_000_000;

/// The longest side in dots. The rasteriser uses 16-bit coordinates.
pub const LONGEST_SIDE_DOTS: u32 = 65_535;

/// A black-and-white bitmap. Clones share their memory.
#[derive(Clone, PartialEq, Eq)]
pub struct Bitmap {
    width: u32,
    height: u32,
    rows: Arc<[u8]>,
}

impl Bitmap {
    /// Makes a bitmap from packed rows. Bits beyond the width are cleared. Returns `None` if a side is 0 or too long,
    /// if the bitmap has more than [`MOST_DOTS`], or if there are not `height` rows of `width / 8` bytes, rounded up.
    pub fn from_packed(width: u32, height: u32, mut rows: Vec<u8>) -> Option<Self> {
        let is_side = |dots: u32| (1..=LONGEST_SIDE_DOTS).contains(&dots);
        let dots = u64::from(width) * u64::from(height);
        let stride = width.div_ceil(8) as usize;
        let is_possible = is_side(width) && is_side(height) && dots <= MOST_DOTS;
        if !is_possible || rows.len() != stride * height as usize {
            return None;
        }
        if !width.is_multiple_of(8) {
            let keep = 0xff_u8 << (8 - width % 8);
            for row in rows.chunks_exact_mut(stride) {
                row[stride - 1] &= keep;
            }
        }
        Some(Self {
            width,
            height,
            rows: rows.into(),
        })
    }

    /// Makes a bitmap with black dots in these columns and rows. Dots outside the bitmap are left out.
    pub(super) fn from_black_dots(
        width: u32,
        height: u32,
        dots: impl Iterator<Item = (u32, u32)>,
    ) -> Option<Self> {
        let stride = width.div_ceil(8) as usize;
        let mut rows = vec![0_u8; stride * height as usize];
        for (x, y) in dots.filter(|(x, y)| *x < width && *y < height) {
            rows[y as usize * stride + (x / 8) as usize] |= 0x80 >> (x % 8);
        }
        Self::from_packed(width, height, rows)
    }

    pub fn width(&self) -> u32 {
        self.width
    }

    pub fn height(&self) -> u32 {
        self.height
    }

    /// Returns the number of bytes in each row.
    pub fn stride(&self) -> usize {
        self.width.div_ceil(8) as usize
    }

    /// Returns whether the dot is black. Dots outside the bitmap are white.
    pub fn get(&self, x: u32, y: u32) -> bool {
        if x >= self.width || y >= self.height {
            return false;
        }
        let byte = self.rows[y as usize * self.stride() + (x / 8) as usize];
        byte & (0x80 >> (x % 8)) != 0
    }

    /// Returns the packed rows from top to bottom.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[u8]> + DoubleEndedIterator {
        self.rows.chunks_exact(self.stride())
    }

    /// Returns all packed rows in one slice.
    pub fn packed(&self) -> &[u8] {
        &self.rows
    }

    pub fn ink(&self) -> u64 {
        self.rows
            .iter()
            .map(|byte| u64::from(byte.count_ones()))
            .sum()
    }

    /// Returns the columns from the first to the last black dot, as `left..right`; `None` if the bitmap is blank.
    pub fn ink_columns(&self) -> Option<std::ops::Range<u32>> {
        let mut columns = vec![0_u8; self.stride()];
        for row in self.rows() {
            for (column, byte) in columns.iter_mut().zip(row) {
                *column |= byte;
            }
        }
        let first = columns.iter().position(|byte| *byte != 0)?;
        let last = columns.iter().rposition(|byte| *byte != 0)?;
        let to_dots = |byte: usize| u32::try_from(byte * 8).unwrap_or(u32::MAX);
        let left = to_dots(first) + columns[first].leading_zeros();
        let right = to_dots(last) + 8 - columns[last].trailing_zeros();
        Some(left..right)
    }

    /// Returns the rows from the first to the last black dot, as `top..bottom`; empty if the bitmap is blank.
    pub fn ink_rows(&self) -> std::ops::Range<u32> {
        let blank = |row: &[u8]| row.iter().all(|byte| *byte == 0);
        let count = |rows: usize| u32::try_from(rows).unwrap_or(u32::MAX);
        let first = self.rows().position(|row| !blank(row)).unwrap_or(0);
        let end = self.rows().rposition(|row| !blank(row));
        count(first)..count(end.map_or(0, |at| at + 1))
    }

    /// Copies the part of `width` × `height` dots with its upper left corner at `left`, `top`; `None` if the part is
    /// empty or not inside the bitmap.
    pub fn part(&self, (left, top): (u32, u32), (width, height): (u32, u32)) -> Option<Self> {
        if left.checked_add(width)? > self.width || top.checked_add(height)? > self.height {
            return None;
        }
        let (skip, shift) = ((left / 8) as usize, left % 8);
        let stride = width.div_ceil(8) as usize;
        let mut rows = Vec::with_capacity(stride * height as usize);
        for row in self.rows().skip(top as usize).take(height as usize) {
            rows.extend((skip..skip + stride).map(|at| {
                let here = row[at] << shift;
                let next = row.get(at + 1).copied().unwrap_or(0);
                here | next.checked_shr(8 - shift).unwrap_or(0)
            }));
        }
        Self::from_packed(width, height, rows)
    }

    /// Converts to one byte per dot: 0 is black, 255 white.
    pub fn to_luma(&self) -> Vec<u8> {
        let width = self.width as usize;
        let mut luma = vec![255; width * self.height as usize];
        for (row, luma) in self.rows().zip(luma.chunks_exact_mut(width)) {
            for x in black_dots(row) {
                luma[x as usize] = 0;
            }
        }
        luma
    }

    /// Returns the bitmap turned clockwise.
    #[must_use]
    pub fn turned(&self, by: Rotation) -> Self {
        let (width, height) = (self.width, self.height);
        let size = if by.is_sideways() {
            (height, width)
        } else {
            (width, height)
        };
        let turned = self.black_dots().map(|(x, y)| match by {
            Rotation::None => (x, y),
            Rotation::Quarter => (height - 1 - y, x),
            Rotation::Half => (width - 1 - x, height - 1 - y),
            Rotation::ThreeQuarters => (y, width - 1 - x),
        });
        // Both sides are possible, so the turned bitmap is, too.
        Self::from_black_dots(size.0, size.1, turned).unwrap_or_else(|| self.clone())
    }

    /// Returns the column and the row of each black dot.
    pub(super) fn black_dots(&self) -> impl Iterator<Item = (u32, u32)> {
        let rows = (0..).zip(self.rows());
        rows.flat_map(|(y, row)| black_dots(row).map(move |x| (x, y)))
    }
}

impl fmt::Debug for Bitmap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bitmap({} × {})", self.width, self.height)
    }
}

/// Returns the positions of the black dots in a packed row.
pub(super) fn black_dots(row: &[u8]) -> impl Iterator<Item = u32> {
    let bytes = (0..).step_by(8).zip(row).filter(|(_, byte)| **byte != 0);
    bytes.flat_map(|(at, byte)| {
        let bits = (0..8).filter(move |bit| byte & (0x80 >> bit) != 0);
        bits.map(move |bit| at + bit)
    })
}

/// A resolution in dots per millimetre: more than 0, at most 48.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Scale(f64);

impl Scale {
    /// The usual resolution of label printers, 203 dpi.
    pub const DOTS_8: Self = Self(8.0);
    /// 300 dpi.
    pub const DOTS_12: Self = Self(12.0);
    /// 600 dpi.
    pub const DOTS_24: Self = Self(24.0);

    /// Checks that `dots` is more than 0 and at most 48; otherwise returns `None`.
    pub fn dots_per_mm(dots: f64) -> Option<Self> {
        (dots > 0.0 && dots <= 48.0).then_some(Self(dots))
    }

    /// Returns the number of dots per millimetre.
    pub fn get(self) -> f64 {
        self.0
    }

    /// Returns the number of dots per PDF point, which is 1/72 inch.
    pub fn dots_per_point(self) -> f64 {
        self.0 * 25.4 / 72.0
    }
}

impl TryFrom<f64> for Scale {
    type Error = &'static str;

    fn try_from(dots: f64) -> Result<Self, Self::Error> {
        Self::dots_per_mm(dots).ok_or("dots per millimetre must be more than 0 and at most 48")
    }
}

impl From<Scale> for f64 {
    fn from(scale: Scale) -> Self {
        scale.0
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    pub bitmap: Bitmap,
    /// The page's index in the document, from 0.
    pub index: usize,
    /// The number of pages found in the document.
    pub page_count: usize,
    /// The number of pages that the document announces, which is higher than `page_count` if pages were lost;
    /// 0 if unknown.
    pub announced_page_count: usize,
    /// Width and height of the paper in millimetres.
    pub size_mm: (f64, f64),
    pub scale: Scale,
}

impl Page {
    /// Returns the page turned clockwise.
    #[must_use]
    pub fn turned(self, by: Rotation) -> Self {
        if by == Rotation::None {
            return self;
        }
        let (width, height) = self.size_mm;
        Self {
            bitmap: self.bitmap.turned(by),
            size_mm: if by.is_sideways() {
                (height, width)
            } else {
                (width, height)
            },
            ..self
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PageSelection {
    #[default]
    All,
    /// `count` pages from index `first`, which counts from 0.
    From { first: usize, count: usize },
}

impl PageSelection {
    /// Selects a single page by its index, which counts from 0.
    pub fn single(index: usize) -> Self {
        Self::From {
            first: index,
            count: 1,
        }
    }
}
