//! A&D standard format, sent continuously (stream mode). There is no request.
//!
//! ```text
//! ST,+00012.3  kg CR LF    stable
//! US,+00012.3  kg CR LF    unstable, that is in motion
//! OL,+99999.9  kg CR LF    over capacity; with a minus sign, below the weighing range
//! QT,+0000012  PC CR LF    a count of pieces
//! ```
//!
//! A telegram always has 17 bytes: the header, a comma, the sign, seven or eight characters of the number, spaces, the
//! unit, CR and LF.

use super::{Framing, Parsed, ReadingState, TelegramEnd, TelegramError, parse_number, parse_unit};
use crate::weight::Weight;

pub(super) const FRAMING: Framing = Framing {
    start: None,
    end: TelegramEnd::Byte(b'\n'),
    longest: 24,
    is_seven_bit: true,
};

/// The length of the sign, the number and the unit together.
const DATA_WIDTH: usize = 12;

pub(super) fn parse(telegram: &[u8]) -> Parsed {
    let (header, data) = match telegram.strip_suffix(b"\r\n") {
        Some([]) => return Err(TelegramError::Empty),
        Some([first, second, b',', data @ ..]) if data.len() == DATA_WIDTH => {
            ([*first, *second], data)
        }
        _ => return Err(TelegramError::Malformed),
    };
    let (is_negative, data) = match data {
        [b'+', data @ ..] => (false, data),
        [b'-', data @ ..] => (true, data),
        _ => return Err(TelegramError::Malformed),
    };
    let state = match &header {
        b"ST" => ReadingState::Stable,
        b"US" => ReadingState::InMotion,
        b"OL" if is_negative => return Ok((ReadingState::BelowZero, None)),
        b"OL" => return Ok((ReadingState::OverCapacity, None)),
        b"QT" => return Err(TelegramError::PieceCount),
        _ => return Err(TelegramError::Malformed),
    };
    let width = data.iter().position(|&byte| byte == b' ').unwrap_or(0);
    let (number, unit) = data.split_at(width);
    if !(7..=8).contains(&number.len()) || number.starts_with(b"-") {
        return Err(TelegramError::Malformed);
    }
    let mut value = parse_number(number)?;
    value.set_sign_negative(is_negative);
    let weight = Weight::new(value, parse_unit(unit.trim_ascii_start())?);
    Ok((state, Some(weight)))
}
