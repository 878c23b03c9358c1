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
pub(super) fn text_problem(text: &str, longest: usize) -> Option<String> {
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

/// The fewest digits of a number that can be called within the country.
const LEAST_DIGITS: usize = 6;
/// The fewest digits of an international consignment's number, which must be valid for the customs broker.
const LEAST_DIGITS_ABROAD: usize = 7;
/// The most digits of any number, including country code and extension.
const MOST_DIGITS: usize = 20;

/// Returns the problem with a phone number; `None` if it could be called.
pub(super) fn phone_problem(text: &str, international: bool) -> Option<&'static str> {
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
pub(super) fn is_email(text: &str) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_on_one_line_with_nothing_hidden_can_be_sent() {
        for text in ["Ballarat Farm & Garden", " Zürich 🚚 ", "مخزن", "👨‍👩‍👧"] {
            assert_eq!(text_problem(text, 40), None, "{text:?}");
        }
    }

    #[test]
    fn line_breaks_hidden_characters_and_pages_are_told_of() {
        for (text, piece) in [
            ("a\nb", "line break"),
            ("a\u{2028}b", "line break"),
            ("a\tb", "tab"),
            ("a\u{7}b", "can't be printed"),
            ("é\u{9f}b", "can't be printed"),
            ("a\u{202e}b", "reverse text"),
            ("a\u{200b}b", "hidden"),
            (
                "12345678901234567890123456789012345678901",
                "At most 40 characters: this text has 41",
            ),
        ] {
            let words = text_problem(text, 40).unwrap_or_default();
            assert!(words.contains(piece), "{text:?}: {words}");
        }
        let trimmed = text_problem("trailing line break\n", 40);
        assert_eq!(trimmed, None);
    }

    #[test]
    fn a_phone_number_is_digits_with_what_people_put_between_them() {
        for text in "03 5550 0199|+61 (2) 5550-0114|02 5550 0114 ext 12|555019".split('|') {
            assert_eq!(phone_problem(text, false), None, "{text}");
        }
        for text in "12345|ask Joe|03 5550 0199 😀|1234567890123456789012".split('|') {
            assert!(phone_problem(text, false).is_some(), "{text}");
        }
        assert_eq!(phone_problem("555 0199", true), None);
        assert!(phone_problem("555 019", true).is_some(), "six are too few");
    }

    #[test]
    fn an_e_mail_address_has_a_name_and_a_host_with_a_dot() {
        for text in ["stores@bfg.example", "o'neil+dock@a-b.co.example"] {
            assert!(is_email(text), "{text}");
        }
        for text in "stores|@b.c|a@b|a@b..c|a@.c|a b@c.d|a@b.c, d@e.f|j😀@b.c|a@b@c.d".split('|')
        {
            assert!(!is_email(text), "{text}");
        }
    }

    #[test]
    fn references_are_set_apart_by_blanks_lines_commas_and_semicolons() {
        let pasted = " SCX0001\r\nSCX0002,SCX0003;\tSCX0004\n\n";
        let list = ["SCX0001", "SCX0002", "SCX0003", "SCX0004"];
        assert!(reference_list(pasted).eq(list));
        assert_eq!(reference_list(" ,; \n").count(), 0);
        assert!(reference_list("A1 A1").eq(["A1", "A1"]));
    }
}
