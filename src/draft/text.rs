//! Checks texts before they are sent: trimmed, on one line, without hidden characters, and not longer than
//! their field.
//!
//! The interface names no lengths. The limits here are the bench's own, so that a pasted page is reported at
//! once instead of making a label unreadable.

use super::field::{AddressField, ContentsField, CustomField, DgField, Field, GoodsField};

impl Field {
    /// Returns the maximum number of characters in the field.
    pub fn max_chars(self) -> usize {
        match self {
            Self::From(field) | Self::To(field) => match field {
                AddressField::Name | AddressField::Line1 | AddressField::Line2 => 80,
                AddressField::Contact | AddressField::Country | AddressField::City => 60,
                AddressField::Phone => 30,
                AddressField::Email => 254,
                AddressField::Place => 100,
                AddressField::Saved | AddressField::Province => 40,
                AddressField::Postcode => 16,
            },
            Self::Instructions => 250,
            Self::ReceiverAccount | Self::CarrierNumber | Self::Despatch => 40,
            Self::Goods(_, GoodsField::Name)
            | Self::PrinterToken
            | Self::Contents(_, _, ContentsField::Marks) => 100,
            Self::Dg(_, _, DgField::TechnicalName)
            | Self::Contents(_, _, ContentsField::Description)
            | Self::Custom(_, CustomField::Value) => 200,
            Self::Contents(_, _, ContentsField::HarmonisedCode) => 24,
            Self::Staff | Self::Custom(_, CustomField::Name) => 80,
            _ => 50,
        }
    }
}

/// Returns the trimmed text; `None` if it is blank.
pub(super) fn non_blank(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
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
        assert_eq!(
            text_problem("trailing line break\n", 40),
            None,
            "it is trimmed"
        );
    }
}
