//! Checks whether a text could be a phone number or an e-mail address; nothing more is verified.

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phone_number_is_digits_with_what_people_put_between_them() {
        for text in [
            "03 5550 0199",
            "+61 (2) 5550-0114",
            "02 5550 0114 ext 12",
            "555019",
        ] {
            assert_eq!(phone_problem(text, false), None, "{text}");
        }
        for text in [
            "12345",
            "ask Joe",
            "03 5550 0199 😀",
            "1234567890123456789012",
        ] {
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
        for text in [
            "stores",
            "@b.c",
            "a@b",
            "a@b..c",
            "a@.c",
            "a b@c.d",
            "a@b.c, d@e.f",
            "j😀@b.c",
            "a@b@c.d",
        ] {
            assert!(!is_email(text), "{text}");
        }
    }
}
