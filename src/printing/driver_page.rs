//! Places a page image on the page of a printer driver, which has its own resolution and cannot print
//! to the edge.
//!
//! Invariant: no black dot is lost, and bars never become narrower than they were rendered. Where this is impossible,
//! [`place`] returns an error. This module is used where we pass images to the driver ourselves, as on Windows.

use super::page::Bitmap;

/// The page as the driver describes it, in the driver's own dots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DriverPage {
    /// Horizontal and vertical resolution.
    pub dots_per_inch: (u32, u32),
    /// The distance of the printable area from the corner of the paper.
    pub offset: (u32, u32),
    pub printable: (u32, u32),
}

/// The position of a whole bitmap, in the driver's dots from the corner of the printable
/// area; often negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Placement {
    pub left: i32,
    pub top: i32,
    pub width: u32,
    pub height: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PlacementError {
    #[error("the page does not fit the paper that the printer is set to")]
    TooLarge,
    #[error("the printer's driver is set to a lower resolution than the page needs")]
    TooCoarse,
}

/// Places the corner of the bitmap at the corner of the paper. If black dots would then fall into a margin of
/// the printer, the bitmap moves just far enough to avoid that. `dots_per_inch` is the resolution of the
/// bitmap. A bitmap with the driver's resolution is not scaled.
pub fn place(
    bitmap: &Bitmap,
    dots_per_inch: u32,
    page: DriverPage,
) -> Result<Placement, PlacementError> {
    let (across, down) = page.dots_per_inch;
    // Most drivers report 203.2 dots per inch as 203, so one dot less is allowed.
    if dots_per_inch == 0 || across + 1 < dots_per_inch || down + 1 < dots_per_inch {
        return Err(PlacementError::TooCoarse);
    }
    let ink = bitmap.ink_columns().unwrap_or(0..0);
    let x = |dots: u32| scaled(dots, across, dots_per_inch);
    let y = |dots: u32| scaled(dots, down, dots_per_inch);
    let left = along((x(ink.start), x(ink.end)), page.offset.0, page.printable.0)?;
    let ink = bitmap.ink_rows();
    let top = along((y(ink.start), y(ink.end)), page.offset.1, page.printable.1)?;
    Ok(Placement {
        left,
        top,
        width: x(bitmap.width()),
        height: y(bitmap.height()),
    })
}

/// Returns where the bitmap starts along one axis, measured from the start of the printable area.
fn along(ink: (u32, u32), offset: u32, printable: u32) -> Result<i32, PlacementError> {
    let whole = |dots: u32| i32::try_from(dots).map_err(|_beyond| PlacementError::TooLarge);
    let (first, last) = (whole(ink.0)?, whole(ink.1)?);
    let (offset, printable) = (whole(offset)?, whole(printable)?);
    if last - first > printable {
        return Err(PlacementError::TooLarge);
    }
    // The ink must not start before the printable area or end after it. Both conditions can be met, because the ink
    // is not longer than the area.
    Ok((-offset).max(-first).min(printable - last))
}

fn scaled(dots: u32, theirs: u32, ours: u32) -> u32 {
    if theirs.abs_diff(ours) <= 1 {
        return dots;
    }
    let [dots, theirs, ours] = [dots, theirs, ours.max(1)].map(u64::from);
    u32::try_from((dots * theirs + ours / 2) / ours).unwrap_or(u32::MAX)
}

/// Returns the rows as Windows expects them in a bitmap of one bit per dot: top to bottom, each padded to
/// whole 32 bits.
pub fn rows_of_32_bits(bitmap: &Bitmap) -> Vec<u8> {
    let stride = bitmap.stride().next_multiple_of(4);
    let mut rows = Vec::with_capacity(stride * bitmap.height() as usize);
    for row in bitmap.rows() {
        rows.extend_from_slice(row);
        rows.resize(rows.len().next_multiple_of(stride), 0);
    }
    rows
}
