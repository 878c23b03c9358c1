//! Checks texts before they are sent: trimmed, on one line, without hidden characters, and not longer than
//! their field. Also checks phone numbers and e-mail addresses by their form, and splits lists of references.

/// Returns the trimmed text; `None` if it is blank.
pub(super) fn non_blank(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// Returns the number with its noun, like `1 piece` or `2 pieces`.
pub(super) fn counted(count: usize, noun: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{ending}")
}

/// Returns the text on one line, with one blank between words.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the problem with a text of at most `longest` characters; `None` if it can be sent.
pub fn text_problem(text: &str, longest: usize) -> Option<String> {
    let text = text.trim();
    if text.is_ascii() && text.len() <= longest {
        // The fast path for nearly all texts.
        let control = text.bytes().find(u8::is_ascii_control)?;
        return hidden(char::from(control)).map(str::to_owned);
    }
    if let Some(words) = text.chars().take(longest * 8).find_map(hidden) {
        return Some(words.to_owned());
    }
    let count = text.chars().count();
    (count > longest).then(|| format!("At most {longest} characters: this text has {count}"))
}

/// Returns the problem with a character; `None` if it is allowed.
fn hidden(character: char) -> Option<&'static str> {
    match character {
        '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => {
            Some("Remove the line break")
        }
        '\t' => Some("Remove the tab"),
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            Some("Remove the hidden characters that reverse text")
        }
        '\u{200b}' | '\u{2060}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' => {
            Some("Remove the hidden characters")
        }
        other if other.is_control() => Some("Remove the characters that can't be printed"),
        _ => None,
    }
}

/// The minimum number of digits in a domestic phone number.
const LEAST_DIGITS: usize = 6;
/// The minimum number of digits on an international consignment: the customs broker needs a valid phone number.
const LEAST_DIGITS_ABROAD: usize = 7;
/// The maximum number of digits in any phone number, including the country code but not the extension.
const MOST_DIGITS: usize = 20;

/// Returns the problem with a phone number; `None` if the number could be called.
pub fn phone_problem(text: &str, international: bool) -> Option<&'static str> {
    let lower = text.trim().to_ascii_lowercase();
    let mut number = lower.as_str();
    for word in ["extension", "ext.", "ext", "x", "#"] {
        if let Some((before, after)) = number.split_once(word)
            && after.trim().bytes().all(|byte| byte.is_ascii_digit())
        {
            number = before;
            break;
        }
    }
    let digits = number.bytes().filter(u8::is_ascii_digit).count();
    let plain = |letter: char| letter.is_ascii_digit() || " +-()./\u{a0}".contains(letter);
    if !number.chars().all(plain) {
        Some("A phone number is digits, like 03 5550 0199")
    } else if international && digits < LEAST_DIGITS_ABROAD {
        Some("A valid phone number is required: at least seven digits")
    } else if digits < LEAST_DIGITS {
        Some("A phone number has at least six digits")
    } else if digits > MOST_DIGITS {
        Some("A phone number has at most twenty digits")
    } else {
        None
    }
}

/// Returns whether the text could be an e-mail address.
pub fn is_email(text: &str) -> bool {
    let Some((name, host)) = text.split_once('@') else {
        return false;
    };
    let visible = |byte: u8| byte.is_ascii_graphic() && !b"@,;:<>()[]\\\"".contains(&byte);
    let host_byte = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    let labels = || host.split('.');
    !name.is_empty()
        && name.bytes().all(visible)
        && labels().count() > 1
        && labels().all(|label| !label.is_empty() && label.bytes().all(host_byte))
}

/// Splits a list of delegated references, as pasted or scanned, with any usual separator. Duplicates are kept.
pub fn reference_list(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| letter.is_whitespace() || matches!(letter, ',' | ';'))
        .filter(|reference| !reference.is_empty())
}
