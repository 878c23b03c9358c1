//! A page image on the page of a driver with its own resolution: no ink is lost, and no bar gets narrower.

use printing::driver_page::{DriverPage, Placement, PlacementError, place, rows_of_32_bits};
use printing::page::Bitmap;

/// A6 at 8 dots a millimetre with ink in these columns and rows.
fn inked(columns: std::ops::Range<usize>, rows: std::ops::Range<usize>) -> Bitmap {
    let mut bytes = vec![0_u8; 105 * 1184];
    for y in rows {
        for x in columns.clone() {
            bytes[y * 105 + x / 8] |= 0x80 >> (x % 8);
        }
    }
    Bitmap::from_packed(840, 1184, bytes).unwrap()
}

/// A label printer that can burn from edge to edge.
const ZEBRA: DriverPage = DriverPage {
    dots_per_inch: (203, 203),
    offset: (0, 0),
    printable: (840, 1184),
};

#[test]
fn dots_of_the_drivers_own_size_are_left_as_they_are() {
    let at = place(&inked(40..800, 40..1100), 203, ZEBRA).unwrap();
    assert_eq!(
        at,
        Placement {
            left: 0,
            top: 0,
            width: 840,
            height: 1184
        }
    );
}

#[test]
fn the_corner_lies_on_the_corner_of_the_paper() {
    let office = DriverPage {
        dots_per_inch: (600, 600),
        offset: (100, 100),
        printable: (4_760, 6_815),
    };
    let at = place(&inked(40..800, 40..1100), 203, office).unwrap();
    assert_eq!((at.left, at.top), (-100, -100));
    // 840 dots at 203 an inch.
    assert_eq!((at.width, at.height), (2_483, 3_500));
}

#[test]
fn a_margin_that_would_take_ink_moves_the_page() {
    let with_margins = DriverPage {
        offset: (24, 24),
        printable: (800, 1150),
        ..ZEBRA
    };
    let at = place(&inked(4..700, 8..1100), 203, with_margins).unwrap();
    assert_eq!(
        (at.left, at.top),
        (-4, -8),
        "the first dot of ink is the first that prints"
    );
    let at = place(&inked(100..840, 100..1184), 203, with_margins).unwrap();
    assert_eq!((at.left, at.top), (-40, -34), "and the last one the last");
}

#[test]
fn what_does_not_fit_is_refused_and_never_cut() {
    let narrow = DriverPage {
        printable: (700, 1184),
        ..ZEBRA
    };
    assert!(
        place(&inked(60..700, 40..1100), 203, narrow).is_ok(),
        "blank edges may hang over"
    );
    assert_eq!(
        place(&inked(40..800, 40..1100), 203, narrow),
        Err(PlacementError::TooLarge)
    );
    assert_eq!(
        place(&inked(40..800, 40..1100), 300, ZEBRA),
        Err(PlacementError::TooCoarse)
    );
}

#[test]
fn rows_are_made_up_to_32_bits() {
    let two = Bitmap::from_packed(9, 2, vec![0xff, 0x80, 0x01, 0x00]).unwrap();
    assert_eq!(rows_of_32_bits(&two), [0xff, 0x80, 0, 0, 0x01, 0, 0, 0]);
    let whole = Bitmap::from_packed(32, 1, vec![1, 2, 3, 4]).unwrap();
    assert_eq!(rows_of_32_bits(&whole), [1, 2, 3, 4]);
}
