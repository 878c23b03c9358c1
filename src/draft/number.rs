//! Parses numbers as clerks type them, `1.5` or `1,5`, with a reason if the text is not a valid number.
//!
//! An ambiguous text is an error, never a guess: a comma before exactly three digits could group thousands or start a
//! fraction.

use rust_decimal::Decimal;

/// The maximum number of kilograms, centimetres, litres or pieces; no consignment has more.
pub const MOST: u32 = 1_000_000;

/// The longest number that is read, in characters.
const LONGEST: usize = 40;

/// The maximum number of decimals that are accepted; scales and rulers show fewer.
const DECIMALS: u32 = 6;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumberError {
    Empty,
    Unreadable,
    /// A comma before exactly three digits: `1,000` could mean a thousand or one.
    AmbiguousComma,
    Zero,
    Negative,
    TooLarge(u32),
    Fraction,
    TooManyDecimals,
}

impl NumberError {
    /// Returns what the clerk should do.
    pub fn message(self) -> String {
        match self {
            Self::Empty | Self::Unreadable => "Enter a number, like 1.5".to_owned(),
            Self::AmbiguousComma => {
                "A comma before three digits is ambiguous. Enter 1000 or 1.000".to_owned()
            }
            Self::Zero => "Enter a number greater than 0".to_owned(),
            Self::Negative => "Enter a number greater than 0, without a minus sign".to_owned(),
            Self::TooLarge(most) => format!("At most {}", grouped(most)),
            Self::Fraction => "Enter a whole number".to_owned(),
            Self::TooManyDecimals => format!("At most {DECIMALS} decimals"),
        }
    }
}

/// Groups the digits, like `1,000,000`.
fn grouped(number: u32) -> String {
    match number / 1000 {
        0 => number.to_string(),
        thousands => format!("{},{:03}", grouped(thousands), number % 1000),
    }
}

/// Formats a number as a field accepts it: rounded to the decimals that are accepted, without zeros at the end.
pub fn to_text(number: Decimal) -> String {
    number.round_dp(DECIMALS).normalize().to_string()
}

/// Parses a decimal of either sign.
pub fn read(text: &str) -> Result<Decimal, NumberError> {
    let text = text.trim();
    if text.is_empty() {
        return Err(NumberError::Empty);
    }
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text).as_bytes();
    let number = |byte: &u8| byte.is_ascii_digit();
    if digits.len() > LONGEST {
        let plain = digits.iter().take(LONGEST).all(number);
        return Err(if plain {
            NumberError::TooLarge(MOST)
        } else {
            NumberError::Unreadable
        });
    }
    let mark = digits.iter().position(|byte| matches!(byte, b'.' | b','));
    let (whole, fraction) = digits.split_at(mark.unwrap_or(digits.len()));
    let fraction = fraction.get(1..).unwrap_or_default();
    let all = || whole.iter().chain(fraction);
    if all().next().is_none() || !all().all(number) {
        return Err(NumberError::Unreadable);
    }
    let thousands = (1..=3).contains(&whole.len()) && fraction.len() == 3 && whole[0] != b'0';
    if thousands && mark.is_some_and(|mark| digits[mark] == b',') {
        return Err(NumberError::AmbiguousComma);
    }
    if fraction.len() > DECIMALS as usize {
        return Err(NumberError::TooManyDecimals);
    }
    let decimal: Result<Decimal, _> = text.replace(',', ".").parse();
    decimal
        .map(|decimal| decimal.normalize())
        .map_err(|_too_large| NumberError::TooLarge(MOST))
}

/// Parses a decimal above zero and at most [`MOST`].
pub fn read_positive(text: &str) -> Result<Decimal, NumberError> {
    let value = read(text)?;
    if value.is_zero() {
        Err(NumberError::Zero)
    } else if value.is_sign_negative() {
        Err(NumberError::Negative)
    } else if value > Decimal::from(MOST) {
        Err(NumberError::TooLarge(MOST))
    } else {
        Ok(value)
    }
}

/// Parses a decimal from 0 to [`MOST`].
pub fn read_from_zero(text: &str) -> Result<Decimal, NumberError> {
    match read_positive(text) {
        Err(NumberError::Zero) => Ok(Decimal::ZERO),
        other => other,
    }
}

/// Parses a whole number from 0 to `most`.
pub fn read_whole(text: &str, most: u32) -> Result<u32, NumberError> {
    let value = read(text)?;
    if value.is_sign_negative() {
        return Err(NumberError::Negative);
    }
    if !value.fract().is_zero() {
        return Err(NumberError::Fraction);
    }
    let whole = u32::try_from(value).map_err(|_larger| NumberError::TooLarge(most))?;
    if whole > most {
        return Err(NumberError::TooLarge(most));
    }
    Ok(whole)
}

/// Parses a whole number from 1 to `most`.
pub fn read_count(text: &str, most: u32) -> Result<u32, NumberError> {
    match read_whole(text, most)? {
        0 => Err(NumberError::Zero),
        count => Ok(count),
    }
}

/// Parses an id of the service: a whole number above 0.
pub fn read_id(text: &str) -> Result<i64, NumberError> {
    let text = text.trim();
    if text.is_empty() {
        return Err(NumberError::Empty);
    }
    let plain = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse()
        .ok()
        .filter(|id| plain && *id > 0)
        .ok_or(NumberError::Unreadable)
}

/// Like [`read_positive`], without the reason.
pub fn positive(text: &str) -> Option<Decimal> {
    read_positive(text).ok()
}

/// Like [`read_count`] with [`MOST`], without the reason.
pub fn count(text: &str) -> Option<u32> {
    read_count(text, MOST).ok()
}
