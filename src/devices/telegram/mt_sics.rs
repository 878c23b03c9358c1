//! MT-SICS, the Mettler Toledo Standard Interface Command Set. The request is `SI` CR LF, for the weight now.
//!
//! ```text
//! S S     100.00 g CR LF    stable; the weight has ten characters and is aligned to the right
//! S D     100.00 g CR LF    dynamic, that is in motion
//! S I CR LF                 the scale is busy, for example with taring
//! S + CR LF                 over capacity
//! S - CR LF                 below zero
//! ES, ET, EL CR LF          the request was not understood
//! ```

use super::{Framing, Parsed, ReadingState, TelegramEnd, TelegramError, parse_number, parse_unit};
use crate::weight::Weight;

pub(super) const FRAMING: Framing = Framing {
    start: None,
    end: TelegramEnd::Byte(b'\n'),
    longest: 40,
    is_seven_bit: false,
};

const WEIGHT_WIDTH: usize = 10;

pub(super) fn parse(telegram: &[u8]) -> Parsed {
    let (state, weight) = match telegram.strip_suffix(b"\r\n") {
        Some(b"") => return Err(TelegramError::Empty),
        Some(b"S I") => return Err(TelegramError::Busy),
        Some(b"S +") => return Ok((ReadingState::OverCapacity, None)),
        Some(b"S -") => return Ok((ReadingState::BelowZero, None)),
        Some(b"ES" | b"ET" | b"EL") => return Err(TelegramError::NotUnderstood),
        Some([b'S', b' ', b'S', b' ', weight @ ..]) => (ReadingState::Stable, weight),
        Some([b'S', b' ', b'D', b' ', weight @ ..]) => (ReadingState::InMotion, weight),
        _ => return Err(TelegramError::Malformed),
    };
    let Some((number, [b' ', unit @ ..])) = weight.split_at_checked(WEIGHT_WIDTH) else {
        return Err(TelegramError::Malformed);
    };
    let weight = Weight::new(parse_number(number)?, parse_unit(unit)?);
    Ok((state, Some(weight)))
}
