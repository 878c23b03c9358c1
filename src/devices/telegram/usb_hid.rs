//! Reports of USB HID scales: the data report of the Point of Sale usage tables, usage page 0x8D.
//!
//! ```text
//! 03 04 03 fe fa 00      report 3, stable, kilograms, times 10⁻², 250: 2.50 kg
//! │  │  │  │  └──┴─ weight, little-endian, without a sign
//! │  │  │  └─ exponent of ten, signed
//! │  │  └─ unit: 2 g, 3 kg, 11 oz, 12 lb
//! │  └─ status: 1 fault, 2 zero, 3 in motion, 4 stable, 5 under zero, 6 over weight limit, 7 needs calibration,
//! │     8 needs re-zeroing
//! └─ report id
//! ```
//!
//! USB itself has checksums, so a report arrives unchanged or not at all. The driver delivers whole reports; call
//! [`super::TelegramReader::finish`] after each, so that a short one is not completed by the next.

use rust_decimal::Decimal;

use super::{Framing, Parsed, ReadingState, TelegramEnd, TelegramError};
use crate::weight::{Weight, WeightUnit};

pub(crate) const DATA_REPORT: u8 = 3;
pub(crate) const REPORT_LENGTH: usize = 6;

pub(super) const FRAMING: Framing = Framing {
    start: Some(DATA_REPORT),
    end: TelegramEnd::Length,
    longest: REPORT_LENGTH,
    is_seven_bit: false,
};

pub(super) fn parse(report: &[u8]) -> Parsed {
    let &[DATA_REPORT, status, unit, exponent, low, high] = report else {
        return Err(TelegramError::Malformed);
    };
    let state = match status {
        1 => return Err(TelegramError::Fault),
        2 => ReadingState::Zero,
        3 => ReadingState::InMotion,
        4 => ReadingState::Stable,
        5 => return Ok((ReadingState::BelowZero, None)),
        6 => return Ok((ReadingState::OverCapacity, None)),
        7 => return Err(TelegramError::NeedsCalibration),
        8 => return Err(TelegramError::NeedsZeroing),
        _ => return Err(TelegramError::Malformed),
    };
    let unit = match unit {
        2 => WeightUnit::Gram,
        3 => WeightUnit::Kilogram,
        11 => WeightUnit::Ounce,
        12 => WeightUnit::Pound,
        other => return Err(TelegramError::UnknownUnit(format!("no. {other}"))),
    };
    let digits = i64::from(u16::from_le_bytes([low, high]));
    let value = match exponent.cast_signed() {
        decimals @ -5..=0 => Decimal::new(digits, decimals.unsigned_abs().into()),
        1 => Decimal::from(digits * 10),
        2 => Decimal::from(digits * 100),
        _ => return Err(TelegramError::Malformed),
    };
    Ok((state, Some(Weight::new(value, unit))))
}
