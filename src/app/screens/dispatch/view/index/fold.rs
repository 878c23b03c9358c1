//! Folds text for comparison: no case, no accents, no control characters.

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// Appends the folded `text` to `out`.
pub(super) fn fold_into(out: &mut String, text: &str) {
    if text.is_ascii() {
        let plain = |byte: u8| {
            if byte.is_ascii_control() {
                ' '
            } else {
                char::from(byte.to_ascii_lowercase())
            }
        };
        out.extend(text.bytes().map(plain));
        return;
    }
    for c in text.nfkd().filter(|c| !is_combining_mark(*c)) {
        match c {
            'ß' | 'ẞ' => out.push_str("ss"),
            'æ' | 'Æ' => out.push_str("ae"),
            'œ' | 'Œ' => out.push_str("oe"),
            'ø' | 'Ø' => out.push('o'),
            'đ' | 'Đ' => out.push('d'),
            'ł' | 'Ł' => out.push('l'),
            c if c.is_control() => out.push(' '),
            c => out.extend(c.to_lowercase()),
        }
    }
}

/// Returns the folded `text`.
pub(super) fn folded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    fold_into(&mut out, text);
    out
}

#[cfg(test)]
mod tests {
    use super::folded;

    #[test]
    fn neither_case_nor_accents_nor_control_characters_are_left() {
        for (text, plain) in [
            ("Ballarat Farm & Garden", "ballarat farm & garden"),
            ("Café Müller, Straße 9", "cafe muller, strasse 9"),
            ("SØNDERGÅRD", "sondergard"),
            ("a\u{1}b\tc", "a b c"),
            ("ＭＳ２００", "ms200"),
        ] {
            assert_eq!(folded(text), plain);
        }
    }
}
