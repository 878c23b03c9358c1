//! The telegrams of scales: requests, and a reader that turns bytes into readings.
//!
//! The form of each protocol's telegrams is described in its module. None of the serial protocols has a checksum, so
//! the reader demands the exact form: start and end bytes, widths, the place of the decimal point and the unit. A
//! digit that noise turns into another digit still has the right form. [`super::taking`] covers that case: only a
//! weight that two telegrams in a row agree on can be taken.

mod and_continuous;
mod mettler_toledo_8217;
mod mt_sics;
mod nci;
mod usb_hid;

use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) use usb_hid::{DATA_REPORT, REPORT_LENGTH};

use crate::weight::{Weight, WeightUnit};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ScaleProtocol {
    /// The reports of USB HID scales (usage page 0x8D).
    UsbHid,
    #[serde(rename = "mettler_toledo_8217")]
    MettlerToledo8217,
    MtSics,
    /// Also called SCP-01; Avery Weigh-Tronix, Brecknell and others speak it.
    Nci,
    /// The stream mode of A&D.
    AndContinuous,
}

impl ScaleProtocol {
    /// All protocols, in the order in which the screen offers them.
    pub const ALL: [Self; 5] = [
        Self::UsbHid,
        Self::MettlerToledo8217,
        Self::MtSics,
        Self::Nci,
        Self::AndContinuous,
    ];

    /// Returns the name shown on the screen.
    pub const fn name(self) -> &'static str {
        match self {
            Self::UsbHid => "USB scale (HID)",
            Self::MettlerToledo8217 => "Mettler Toledo 8217",
            Self::MtSics => "Mettler Toledo MT-SICS",
            Self::Nci => "NCI / Avery Weigh-Tronix",
            Self::AndContinuous => "A&D continuous",
        }
    }

    /// Returns the bytes that ask for one reading; `None` if the scale sends its readings unasked.
    pub const fn request(self) -> Option<&'static [u8]> {
        match self {
            Self::UsbHid | Self::AndContinuous => None,
            Self::MettlerToledo8217 => Some(b"W"),
            Self::MtSics => Some(b"SI\r\n"),
            Self::Nci => Some(b"W\r"),
        }
    }

    const fn framing(self) -> Framing {
        match self {
            Self::UsbHid => usb_hid::FRAMING,
            Self::MettlerToledo8217 => mettler_toledo_8217::FRAMING,
            Self::MtSics => mt_sics::FRAMING,
            Self::Nci => nci::FRAMING,
            Self::AndContinuous => and_continuous::FRAMING,
        }
    }
}

/// How the telegrams of a protocol are told apart in a stream of bytes.
struct Framing {
    /// The first byte; `None` if a telegram starts wherever the one before it ends.
    start: Option<u8>,
    end: TelegramEnd,
    /// The length in bytes at which a telegram without an end is given up.
    longest: usize,
    /// Whether characters have seven bits. The eighth may then be a parity bit and is ignored.
    is_seven_bit: bool,
}

enum TelegramEnd {
    Byte(u8),
    Length,
}

/// The form of weights in telegrams that contain neither a unit nor a fixed number of digits. Only Mettler Toledo 8217
/// needs it. The default is `12.345` in kilograms; scales in pounds usually send `12.34`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct DigitFormat {
    pub unit: WeightUnit,
    /// The number of digits before the decimal point.
    pub whole_digits: u8,
    /// The number of digits after the decimal point. A weight without decimals has no point.
    pub decimals: u8,
}

impl Default for DigitFormat {
    fn default() -> Self {
        Self {
            unit: WeightUnit::Kilogram,
            whole_digits: 2,
            decimals: 3,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadingState {
    /// At rest, above zero.
    Stable,
    InMotion,
    Zero,
    BelowZero,
    OverCapacity,
}

/// One telegram that was understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    pub state: ReadingState,
    /// Always present if the state is [`ReadingState::Stable`]. Many scales send no weight in other states.
    pub weight: Option<Weight>,
    /// The bytes as they came from the scale, which are the evidence in a dispute about a weight.
    pub telegram: Vec<u8>,
}

impl Reading {
    /// Derives the state from the weight where the scale only says "stable". Returns an error if both contradict.
    fn new(
        state: ReadingState,
        weight: Option<Weight>,
        telegram: Vec<u8>,
    ) -> Result<Self, TelegramError> {
        let state = match (state, weight.map(|weight| weight.value)) {
            (ReadingState::Stable, None) => return Err(TelegramError::NoWeight),
            (ReadingState::Stable, Some(value)) if value.is_zero() => ReadingState::Zero,
            (ReadingState::Stable, Some(value)) if value.is_sign_negative() => {
                ReadingState::BelowZero
            }
            (ReadingState::Zero, Some(value)) if !value.is_zero() => {
                return Err(TelegramError::Malformed);
            }
            (state, _) => state,
        };
        Ok(Self {
            state,
            weight,
            telegram,
        })
    }
}

/// Why a telegram gave no reading.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TelegramError {
    #[error("The scale sent an empty message")]
    Empty,
    #[error("The scale's message was cut off")]
    CutOff,
    #[error("The scale's message can't be read. Check the protocol and the port settings")]
    Malformed,
    #[error("The scale sent its state without a weight")]
    NoWeight,
    #[error("The scale uses the unit “{0}”. Set the scale to g, kg, lb or oz")]
    UnknownUnit(String),
    #[error("The scale is counting pieces. Set the scale to weighing")]
    PieceCount,
    #[error("The scale didn't understand the request. Check the protocol")]
    NotUnderstood,
    #[error("The scale is busy")]
    Busy,
    #[error("The scale reports a fault. Switch it off and on again")]
    Fault,
    #[error("The scale needs calibration")]
    NeedsCalibration,
    #[error("The scale needs to be zeroed. Empty the scale and press its zero key")]
    NeedsZeroing,
}

/// The contents of a telegram, as the parser of each protocol returns them.
type Parsed = Result<(ReadingState, Option<Weight>), TelegramError>;

/// Reads telegrams from bytes that arrive in pieces of any length.
///
/// Spoilt bytes give an error, and the reader goes on at the next telegram. The buffer holds at most one telegram.
#[derive(Debug)]
pub struct TelegramReader {
    protocol: ScaleProtocol,
    format: DigitFormat,
    buffer: Vec<u8>,
    /// Whether bytes between two telegrams were already reported as an error.
    is_skipping: bool,
}

impl TelegramReader {
    pub fn new(protocol: ScaleProtocol) -> Self {
        Self::with_format(protocol, DigitFormat::default())
    }

    pub fn with_format(protocol: ScaleProtocol, format: DigitFormat) -> Self {
        Self {
            protocol,
            format,
            buffer: Vec::new(),
            is_skipping: false,
        }
    }

    /// Adds bytes and returns the readings and errors of all telegrams that are whole now.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<Result<Reading, TelegramError>> {
        { bytes.iter() }
            .filter_map(|&byte| self.push_byte(byte))
            .collect()
    }

    /// Ends a telegram that nothing follows: the line fell silent, or a USB report is over. Returns an error if the
    /// telegram was incomplete.
    pub fn finish(&mut self) -> Option<TelegramError> {
        self.is_skipping = false;
        let is_partial = !self.buffer.is_empty();
        self.buffer.clear();
        is_partial.then_some(TelegramError::CutOff)
    }

    fn push_byte(&mut self, byte: u8) -> Option<Result<Reading, TelegramError>> {
        let framing = self.protocol.framing();
        let character = plain(byte, &framing);
        if self.buffer.is_empty() && framing.start.is_some_and(|start| start != character) {
            let was_skipping = std::mem::replace(&mut self.is_skipping, true);
            return (!was_skipping).then_some(Err(TelegramError::Malformed));
        }
        self.is_skipping = false;
        self.buffer.push(byte);
        let is_longest = self.buffer.len() >= framing.longest;
        let is_whole = match framing.end {
            TelegramEnd::Byte(end) => character == end,
            TelegramEnd::Length => is_longest,
        };
        if !is_whole && !is_longest {
            return None;
        }
        let telegram = std::mem::take(&mut self.buffer);
        let reading = if is_whole {
            self.parse(&telegram)
        } else {
            Err(TelegramError::Malformed)
        };
        if let Err(error) = &reading {
            tracing::debug!(?error, telegram = %telegram.escape_ascii(), "unreadable telegram");
        }
        Some(reading)
    }

    fn parse(&self, telegram: &[u8]) -> Result<Reading, TelegramError> {
        let framing = self.protocol.framing();
        let characters: Vec<u8> = { telegram.iter() }
            .map(|&byte| plain(byte, &framing))
            .collect();
        let (state, weight) = match self.protocol {
            ScaleProtocol::UsbHid => usb_hid::parse(&characters),
            ScaleProtocol::MettlerToledo8217 => {
                mettler_toledo_8217::parse(&characters, self.format)
            }
            ScaleProtocol::MtSics => mt_sics::parse(&characters),
            ScaleProtocol::Nci => nci::parse(&characters),
            ScaleProtocol::AndContinuous => and_continuous::parse(&characters),
        }?;
        Reading::new(state, weight, telegram.to_vec())
    }
}

fn plain(byte: u8, framing: &Framing) -> u8 {
    if framing.is_seven_bit {
        byte & 0x7F
    } else {
        byte
    }
}

/// Parses a number that is aligned to the right: spaces, an optional minus sign, digits, and an optional decimal point
/// between two digits.
fn parse_number(field: &[u8]) -> Result<Decimal, TelegramError> {
    let text = str::from_utf8(field.trim_ascii_start()).unwrap_or_default();
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, decimals) = digits.split_once('.').unwrap_or((digits, "0"));
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    if !is_digits(whole) || !is_digits(decimals) {
        return Err(TelegramError::Malformed);
    }
    text.parse()
        .map_err(|_too_long: rust_decimal::Error| TelegramError::Malformed)
}

fn parse_unit(field: &[u8]) -> Result<WeightUnit, TelegramError> {
    let text = str::from_utf8(field).unwrap_or_default();
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(TelegramError::Malformed);
    }
    WeightUnit::from_symbol(text).ok_or_else(|| TelegramError::UnknownUnit(text.to_owned()))
}
