//! A page image on the page of a printer driver, which counts in dots of its own and cannot print to the edge.
//!
//! What always holds: no black dot is lost, and bars never get narrower than they were drawn; where that cannot be, there is
//! no placement. For systems where we hand pictures to the driver ourselves; it must not know any system.

use super::page::Bitmap;

/// What a driver tells of its page. Everything in its own dots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DevicePage {
    /// Dots an inch, across and down.
    pub dots_per_inch: (u32, u32),
    /// Where the part that can be printed begins, from the corner of the paper.
    pub offset: (u32, u32),
    /// How large the part that can be printed is.
    pub printable: (u32, u32),
}

/// Where all of a bitmap goes, in the driver's dots from the corner of its printable part, so often less than 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Placement {
    pub left: i32,
    pub top: i32,
    pub width: u32,
    pub height: u32,
}

/// Why there is no place for a bitmap on a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoPlace {
    /// Ink would fall outside of what can be printed.
    #[error("the page does not fit the paper that the printer is set to")]
    TooLarge,
    /// The driver's dots are coarser than ours.
    #[error("the printer's driver is set to fewer dots an inch than the page was drawn for")]
    TooCoarse,
}

/// The corner of the bitmap onto the corner of the paper; where a margin of the printer would take ink there, as far along
/// as it must be moved. `dots_per_inch` is the bitmap's. Dots that are the driver's own are not scaled.
pub fn place(bitmap: &Bitmap, dots_per_inch: u32, page: DevicePage) -> Result<Placement, NoPlace> {
    let (across, down) = page.dots_per_inch;
    // 203.2 dots an inch are told as 203 by most.
    if dots_per_inch == 0 || across + 1 < dots_per_inch || down + 1 < dots_per_inch {
        return Err(NoPlace::TooCoarse);
    }
    let (width, height) = (
        scaled(bitmap.width(), across, dots_per_inch),
        scaled(bitmap.height(), down, dots_per_inch),
    );
    let columns = bitmap.ink_columns().unwrap_or(0..0);
    let rows = bitmap.ink_rows();
    let left = along(
        (
            scaled(columns.start, across, dots_per_inch),
            scaled(columns.end, across, dots_per_inch),
        ),
        page.offset.0,
        page.printable.0,
    )?;
    let top = along(
        (
            scaled(rows.start, down, dots_per_inch),
            scaled(rows.end, down, dots_per_inch),
        ),
        page.offset.1,
        page.printable.1,
    )?;
    Ok(Placement {
        left,
        top,
        width,
        height,
    })
}

/// Where the bitmap begins along one side, from the begin of the printable part.
fn along(ink: (u32, u32), offset: u32, printable: u32) -> Result<i32, NoPlace> {
    let whole = |dots: u32| i32::try_from(dots).map_err(|_beyond| NoPlace::TooLarge);
    let (first, last) = (whole(ink.0)?, whole(ink.1)?);
    let (offset, printable) = (whole(offset)?, whole(printable)?);
    if last - first > printable {
        return Err(NoPlace::TooLarge);
    }
    // Not before the printable part begins, not beyond its end; both can be met, since the ink is not longer.
    Ok((-offset).max(-first).min(printable - last))
}

fn scaled(dots: u32, theirs: u32, ours: u32) -> u32 {
    if theirs.abs_diff(ours) <= 1 {
        return dots;
    }
    let scaled =
        (u64::from(dots) * u64::from(theirs) + u64::from(ours) / 2) / u64::from(ours.max(1));
    u32::try_from(scaled).unwrap_or(u32::MAX)
}

/// The rows as a bitmap of one bit a dot has them in Windows: each as long as whole 32 bits, top to bottom.
pub fn rows_of_32_bits(bitmap: &Bitmap) -> Vec<u8> {
    let stride = bitmap.stride().next_multiple_of(4);
    let mut rows = Vec::with_capacity(stride * bitmap.height() as usize);
    for row in bitmap.rows() {
        rows.extend_from_slice(row);
        rows.resize(rows.len().next_multiple_of(stride), 0);
    }
    rows
}
