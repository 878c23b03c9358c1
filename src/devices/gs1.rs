//! GS1 element strings, as barcode scanners read them.
//!
//! A barcode is taken for GS1 if it says so: by a symbology prefix, by parentheses around a known identifier, by a
//! group separator, or by starting with an SSCC or a GTIN whose check digit is right. Everything else is an ordinary
//! barcode, which passes through untouched.

/// Separates an element of variable length from the next (FNC1 in the barcode).
const GROUP_SEPARATOR: char = '\u{1D}';

/// The symbology prefixes of GS1-128, GS1 `DataMatrix`, GS1 QR Code and GS1 `DataBar`.
const PREFIXES: [&str; 4] = ["]C1", "]d2", "]Q3", "]e0"];

/// The application identifiers that Packbench uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ApplicationIdentifier {
    /// 00: the number of a logistic unit, 18 digits.
    Sscc,
    /// 01: the number of a trade item, 14 digits.
    Gtin,
    /// 02: the number of the trade items in a logistic unit, 14 digits.
    ContainedGtin,
    /// 10: a batch or lot, up to 20 characters.
    Batch,
    /// 21: a serial number, up to 20 characters.
    Serial,
    /// 37: the number of trade items in a logistic unit, up to 8 digits.
    Count,
    /// 400: the customer's purchase order number, up to 30 characters.
    CustomerOrder,
    /// 401: the consignment number (GINC), up to 30 characters.
    Consignment,
    /// 402: the shipment number (GSIN), 17 digits.
    Shipment,
    /// 420: the receiver's postcode, up to 20 characters.
    Postcode,
    /// 421: the receiver's country as three digits (ISO 3166-1), then the postcode of up to 9 characters.
    CountryPostcode,
}

/// The characters of a value, with its shortest and longest length.
enum ValueFormat {
    Digits(usize, usize),
    /// Digits of a fixed number, the last of which is a check digit.
    CheckedDigits(usize),
    Text(usize, usize),
    /// Three digits, then text.
    CountryText(usize, usize),
}

impl ApplicationIdentifier {
    pub const ALL: [Self; 11] = [
        Self::Sscc,
        Self::Gtin,
        Self::ContainedGtin,
        Self::Batch,
        Self::Serial,
        Self::Count,
        Self::CustomerOrder,
        Self::Consignment,
        Self::Shipment,
        Self::Postcode,
        Self::CountryPostcode,
    ];

    /// Returns the identifier's digits, such as `00`.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Sscc => "00",
            Self::Gtin => "01",
            Self::ContainedGtin => "02",
            Self::Batch => "10",
            Self::Serial => "21",
            Self::Count => "37",
            Self::CustomerOrder => "400",
            Self::Consignment => "401",
            Self::Shipment => "402",
            Self::Postcode => "420",
            Self::CountryPostcode => "421",
        }
    }

    fn from_code(code: &str) -> Option<Self> {
        { Self::ALL.into_iter() }.find(|identifier| identifier.code() == code)
    }

    const fn format(self) -> ValueFormat {
        match self {
            Self::Sscc => ValueFormat::CheckedDigits(18),
            Self::Gtin | Self::ContainedGtin => ValueFormat::CheckedDigits(14),
            Self::Shipment => ValueFormat::CheckedDigits(17),
            Self::Count => ValueFormat::Digits(1, 8),
            Self::Batch | Self::Serial | Self::Postcode => ValueFormat::Text(1, 20),
            Self::CustomerOrder | Self::Consignment => ValueFormat::Text(1, 30),
            Self::CountryPostcode => ValueFormat::CountryText(4, 12),
        }
    }

    fn check(self, value: &str) -> Result<(), Gs1Error> {
        let code = self.code();
        let (shortest, longest, digits) = match self.format() {
            ValueFormat::Digits(shortest, longest) => (shortest, longest, longest),
            ValueFormat::CheckedDigits(length) => (length, length, length),
            ValueFormat::Text(shortest, longest) => (shortest, longest, 0),
            ValueFormat::CountryText(shortest, longest) => (shortest, longest, 3),
        };
        if !(shortest..=longest).contains(&value.len()) {
            return Err(Gs1Error::WrongLength(code));
        }
        let is_valid = |(index, byte): (usize, u8)| {
            byte.is_ascii_digit() || (index >= digits && is_text_character(byte))
        };
        if !value.bytes().enumerate().all(is_valid) {
            return Err(Gs1Error::WrongCharacter(code));
        }
        let is_checked = matches!(self.format(), ValueFormat::CheckedDigits(_));
        if is_checked && !has_right_check_digit(value) {
            return Err(Gs1Error::WrongCheckDigit(code));
        }
        Ok(())
    }
}

/// An identifier with its value, without the separator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Element {
    pub identifier: ApplicationIdentifier,
    pub value: String,
}

/// The fault of a barcode that says it is GS1. The text is the identifier.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Gs1Error {
    #[error("The value after ({0}) is too short or too long. Scan the barcode again")]
    WrongLength(&'static str),
    #[error(
        "The value after ({0}) contains a character that isn't allowed. Scan the barcode again"
    )]
    WrongCharacter(&'static str),
    #[error("The check digit after ({0}) is wrong. Scan the barcode again")]
    WrongCheckDigit(&'static str),
    #[error("The barcode is incomplete. Scan it again")]
    Incomplete,
}

/// Parses a GS1 element string. Returns `None` for any other barcode.
///
/// Elements with identifiers that [`ApplicationIdentifier`] does not list are skipped.
pub fn parse_gs1(text: &str) -> Result<Option<Vec<Element>>, Gs1Error> {
    if let Some(elements) = PREFIXES
        .iter()
        .find_map(|&prefix| text.strip_prefix(prefix))
    {
        return parse_elements(elements).map(Some);
    }
    if starts_with_printed_identifier(text) {
        return parse_printed(text).map(Some);
    }
    let starts_with_number = text.starts_with("00") || text.starts_with("01");
    if starts_with_number || text.contains(GROUP_SEPARATOR) {
        let elements = parse_elements(text).ok();
        return Ok(elements.filter(|elements| !elements.is_empty()));
    }
    Ok(None)
}

/// Returns the text of a barcode without the prefix that names its symbology, such as `]C0` of Code 128. The prefixes of
/// GS1 barcodes stay, because [`parse_gs1`] reads them.
pub fn without_symbology(text: &str) -> &str {
    let is_prefix = |prefix: &str| match prefix.as_bytes() {
        [b']', letter, digit] => letter.is_ascii_alphabetic() && digit.is_ascii_alphanumeric(),
        _ => false,
    };
    match text.split_at_checked(3) {
        Some((prefix, rest)) if is_prefix(prefix) && !PREFIXES.contains(&prefix) => rest,
        _ => text,
    }
}

fn parse_elements(text: &str) -> Result<Vec<Element>, Gs1Error> {
    let mut elements = Vec::new();
    let mut rest = text.trim_start_matches(GROUP_SEPARATOR);
    if rest.is_empty() {
        return Err(Gs1Error::Incomplete);
    }
    while !rest.is_empty() {
        let starts_with_digits = rest.bytes().take_while(u8::is_ascii_digit).count() >= 2;
        if !starts_with_digits {
            return Err(Gs1Error::Incomplete);
        }
        let end = match fixed_length(rest) {
            Some(length) if length > rest.len() => return Err(too_short(rest)),
            Some(length) => length,
            None => rest.find(GROUP_SEPARATOR).unwrap_or(rest.len()),
        };
        let (element, after) = rest.split_at_checked(end).ok_or(Gs1Error::Incomplete)?;
        elements.extend(parse_element(element)?);
        rest = after.trim_start_matches(GROUP_SEPARATOR);
    }
    Ok(elements)
}

fn identify(element: &str) -> Option<(ApplicationIdentifier, &str)> {
    { ApplicationIdentifier::ALL.into_iter() }
        .find_map(|identifier| Some((identifier, element.strip_prefix(identifier.code())?)))
}

fn parse_element(element: &str) -> Result<Option<Element>, Gs1Error> {
    let Some((identifier, value)) = identify(element) else {
        return Ok(None);
    };
    identifier.check(value)?;
    Ok(Some(Element {
        identifier,
        value: value.to_owned(),
    }))
}

fn too_short(element: &str) -> Gs1Error {
    identify(element).map_or(Gs1Error::Incomplete, |(identifier, _)| {
        Gs1Error::WrongLength(identifier.code())
    })
}

/// Returns the length of the identifier and the value together if the first two digits fix it, by the GS1 General
/// Specifications (predefined lengths). All other elements end at a separator.
fn fixed_length(element: &str) -> Option<usize> {
    Some(match element.get(..2)? {
        "00" => 20,
        "01" | "02" | "03" | "41" => 16,
        "04" => 18,
        "11" | "12" | "13" | "14" | "15" | "16" | "17" | "18" | "19" => 8,
        "20" => 4,
        "31" | "32" | "33" | "34" | "35" | "36" => 10,
        _ => return None,
    })
}

/// Parses the printed form, such as `(00) 3 9312345 000000001 3`. Values never contain spaces.
fn parse_printed(text: &str) -> Result<Vec<Element>, Gs1Error> {
    let mut starts: Vec<usize> = { text.match_indices('(') }
        .map(|(start, _)| start)
        .filter(|&start| printed_identifier(&text[start..]).is_some())
        .collect();
    starts.push(text.len());
    let mut elements = Vec::new();
    for range in starts.windows(2) {
        let printed = &text[range[0]..range[1]];
        let Some((code, value)) = printed_identifier(printed) else {
            return Err(Gs1Error::Incomplete);
        };
        if let Some(identifier) = ApplicationIdentifier::from_code(code) {
            let value = value.replace([' ', GROUP_SEPARATOR], "");
            identifier.check(&value)?;
            elements.push(Element { identifier, value });
        }
    }
    Ok(elements)
}

/// Splits `(digits)value` if the identifier has two to four digits.
fn printed_identifier(text: &str) -> Option<(&str, &str)> {
    let (code, value) = text.strip_prefix('(')?.split_once(')')?;
    let is_code = (2..=4).contains(&code.len()) && code.bytes().all(|b| b.is_ascii_digit());
    is_code.then_some((code, value))
}

fn starts_with_printed_identifier(text: &str) -> bool {
    printed_identifier(text)
        .is_some_and(|(code, _)| ApplicationIdentifier::from_code(code).is_some())
}

/// Returns whether GS1 allows the character in text (character set 82).
fn is_text_character(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!\"%&'()*+,-./:;<=>?_".contains(&byte)
}

/// Returns whether the last digit fits the others: from the right, they count three times and once in turn.
fn has_right_check_digit(digits: &str) -> bool {
    let weighted = digits.bytes().rev().enumerate().map(|(index, byte)| {
        let digit = u32::from(byte.wrapping_sub(b'0'));
        if index % 2 == 0 { digit } else { digit * 3 }
    });
    weighted.sum::<u32>().is_multiple_of(10)
}
