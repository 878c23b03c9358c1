//! NCI, also called SCP-01, of Avery Weigh-Tronix and others. The request is `W` CR.
//!
//! ```text
//! LF   2.50lb CR LF S 0 0 CR ETX      2.50 lb, stable, two status bytes
//! LF   2.50lb CR LF S 0 p 0 CR ETX    likewise with three status bytes
//! LF S 1 0 CR ETX                     in motion; some scales leave the weight out unless it is stable
//! LF ? CR ETX                         the request was not understood
//! ```
//!
//! The number has six to eight characters. The `S` is missing on some scales. Bits of the status bytes:
//!
//! | Bit | First | Second | Third |
//! |---|---|---|---|
//! | 0 | in motion | under capacity | range |
//! | 1 | at zero | over capacity | range |
//! | 2 | memory fault | memory fault | net weight |
//! | 3 | memory fault | faulty calibration | wrong zero when switched on |
//! | 4, 5 | always 1 | always 1 | always 1 |
//! | 6 | always 0 | a third byte follows | always 0 |

use super::{Framing, Parsed, ReadingState, TelegramEnd, TelegramError, parse_number, parse_unit};
use crate::weight::Weight;

const ETX: u8 = 0x03;

pub(super) const FRAMING: Framing = Framing {
    start: Some(b'\n'),
    end: TelegramEnd::Byte(ETX),
    longest: 32,
    is_seven_bit: true,
};

pub(super) fn parse(telegram: &[u8]) -> Parsed {
    let body = match telegram {
        [b'\n', ETX] => return Err(TelegramError::Empty),
        [b'\n', b'?', b'\r', ETX] => return Err(TelegramError::NotUnderstood),
        [b'\n', body @ .., b'\r', ETX] => body,
        _ => return Err(TelegramError::Malformed),
    };
    let (weight, status) = match body.iter().position(|&byte| byte == b'\r') {
        Some(end) => match &body[end..] {
            [b'\r', b'\n', status @ ..] => (Some(&body[..end]), status),
            _ => return Err(TelegramError::Malformed),
        },
        None => (None, body),
    };
    let state = parse_status(status.strip_prefix(b"S").unwrap_or(status))?;
    let weight = match state {
        // The weight then consists of bars or dashes.
        ReadingState::OverCapacity | ReadingState::BelowZero => None,
        _ => weight.map(parse_weight).transpose()?,
    };
    Ok((state, weight))
}

fn parse_weight(field: &[u8]) -> Result<Weight, TelegramError> {
    let width = field.iter().position(u8::is_ascii_alphabetic);
    match width.and_then(|width| field.split_at_checked(width)) {
        Some((number, unit)) if (6..=8).contains(&number.len()) => {
            Ok(Weight::new(parse_number(number)?, parse_unit(unit)?))
        }
        _ => Err(TelegramError::Malformed),
    }
}

fn parse_status(status: &[u8]) -> Result<ReadingState, TelegramError> {
    const BYTE_FOLLOWS: u8 = 0b0100_0000;
    let (first, second, third) = match *status {
        [first, second] if second & BYTE_FOLLOWS == 0 => (first, second, 0b0011_0000),
        [first, second, third] if second & BYTE_FOLLOWS != 0 => (first, second, third),
        _ => return Err(TelegramError::Malformed),
    };
    let is_status = |byte: u8| byte & 0b0011_0000 == 0b0011_0000;
    let has_form = [first, second, third].into_iter().all(is_status);
    if !has_form || (first | third) & BYTE_FOLLOWS != 0 {
        return Err(TelegramError::Malformed);
    }
    if first & 0b1100 != 0 || second & 0b0100 != 0 {
        return Err(TelegramError::Fault);
    }
    if second & 0b1000 != 0 {
        return Err(TelegramError::NeedsCalibration);
    }
    if third & 0b1000 != 0 {
        return Err(TelegramError::NeedsZeroing);
    }
    Ok(if second & 0b10 != 0 {
        ReadingState::OverCapacity
    } else if second & 0b1 != 0 {
        ReadingState::BelowZero
    } else if first & 0b1 != 0 {
        ReadingState::InMotion
    } else if first & 0b10 != 0 {
        ReadingState::Zero
    } else {
        ReadingState::Stable
    })
}
