//! Mettler Toledo 8217, the protocol of many checkout scales. The request is `W`.
//!
//! ```text
//! STX 12.345 CR     stable, 12.345; by default in kilograms (see DigitFormat)
//! STX 12.345N CR    likewise, a net weight
//! STX ? A CR        no weight: a status byte tells the reason
//! ```
//!
//! Bits of the status byte: 0 in motion, 1 over capacity, 2 under zero, 3 outside the range of the zero key, 4 centre
//! of zero, 5 net weight, 6 always 1, 7 parity. Without a unit and a checksum, the number of digits and the place of
//! the point are all that can be checked.

use super::{DigitFormat, Framing, Parsed, ReadingState, TelegramEnd, TelegramError, parse_number};
use crate::weight::Weight;

const STX: u8 = 0x02;

pub(super) const FRAMING: Framing = Framing {
    start: Some(STX),
    end: TelegramEnd::Byte(b'\r'),
    longest: 20,
    is_seven_bit: true,
};

pub(super) fn parse(telegram: &[u8], format: DigitFormat) -> Parsed {
    let [STX, body @ .., b'\r'] = telegram else {
        return Err(TelegramError::Malformed);
    };
    match body {
        [] => return Err(TelegramError::Empty),
        [b'?', status] => return parse_status(*status),
        _ => (),
    }
    let digits = body.strip_suffix(b"N").unwrap_or(body);
    let whole = usize::from(format.whole_digits);
    let decimals = usize::from(format.decimals);
    let has_format = if decimals == 0 {
        digits.len() == whole && !digits.contains(&b'.')
    } else {
        digits.len() == whole + 1 + decimals && digits[whole] == b'.'
    };
    if !has_format {
        return Err(TelegramError::Malformed);
    }
    let weight = Weight::new(parse_number(digits)?, format.unit);
    Ok((ReadingState::Stable, Some(weight)))
}

fn parse_status(status: u8) -> Parsed {
    let has = |bit: u8| status & (1 << bit) != 0;
    let state = if !has(6) {
        return Err(TelegramError::Malformed);
    } else if has(1) {
        ReadingState::OverCapacity
    } else if has(2) {
        ReadingState::BelowZero
    } else if has(0) {
        ReadingState::InMotion
    } else if has(4) {
        ReadingState::Zero
    } else {
        return Err(TelegramError::NoWeight);
    };
    Ok((state, None))
}
