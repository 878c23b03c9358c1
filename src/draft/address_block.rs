//! Splits a pasted address into fields by what its lines look like. The clerk confirms the result before
//! anything is filled in.
//!
//! Invariants: no line ends up in two fields, and reading time is bounded for a text of any length.

use super::field::RecordField as _;
use super::text::{is_email, phone_problem};
use super::{AddressField, AddressMode, Party, countries, parse_place};

/// Limits on the lines that are read, and on the characters of each line.
const MOST_LINES: usize = 20;
const MOST_CHARACTERS: usize = 200;

/// Labels at the start of a line, separated by `|`, that tell what the line contains.
const LABELS: &[(AddressField, &str)] = &[
    (AddressField::Contact, "attention|attn|att|contact|c/o"),
    (AddressField::Phone, "phone|ph|telephone|tel|mobile|mob"),
    (AddressField::Email, "e-mail|email"),
    (AddressField::Country, "country"),
    (AddressField::Name, "company|name|ship to|deliver to"),
    (AddressField::Line1, "address|street"),
];

/// Returns a typed address with the parts found in a pasted text. Outside Australia, the place is the line with city
/// and postcode.
pub fn split_address(text: &str) -> Party {
    let mut block = Party {
        mode: AddressMode::Full,
        ..Party::default()
    };
    let mut rest: Vec<String> = Vec::new();
    for line in lines(text) {
        match labelled(&line) {
            Some((field, value)) => keep(&mut block, field, value, &mut rest),
            None if take_contact_details(&mut block, &line) => {}
            None => rest.push(line),
        }
    }
    take_place(&mut block, &mut rest);
    take_lines(&mut block, rest);
    block
}

/// Splits the text into clean lines; a single line is split at its commas.
fn lines(text: &str) -> Vec<String> {
    let short = |line: &str| line.chars().take(MOST_CHARACTERS).collect::<String>();
    let clean = |line: &str| {
        let line: String = short(line).chars().filter(|c| !c.is_control()).collect();
        line.trim().trim_matches([',', ';']).trim().to_owned()
    };
    let split: Vec<String> = text
        .split(['\n', '\r', '\t', '\u{2028}'])
        .take(10 * MOST_LINES)
        .map(clean)
        .filter(|line| !line.is_empty())
        .take(MOST_LINES)
        .collect();
    match split.as_slice() {
        [only] if only.contains(',') => only
            .split(',')
            .map(clean)
            .filter(|part| !part.is_empty())
            .collect(),
        _ => split,
    }
}

fn labelled(line: &str) -> Option<(AddressField, &str)> {
    let value_after = |label: &str| {
        let (head, rest) = line.split_at_checked(label.len())?;
        let value = rest.trim_start_matches('.').trim_start();
        let marked = value.starts_with([':', '-']) && head.eq_ignore_ascii_case(label);
        let value = value.trim_start_matches([':', '-', ' ']).trim();
        (marked && !value.is_empty()).then_some(value)
    };
    LABELS.iter().find_map(|(field, labels)| {
        let value = labels.split('|').find_map(value_after)?;
        Some((*field, value))
    })
}

/// Stores the first value of a field; streets and further values become ordinary lines.
fn keep(block: &mut Party, field: AddressField, value: &str, rest: &mut Vec<String>) {
    if field != AddressField::Line1 && field.text(block).is_empty() {
        field.set_text(block, value.to_owned());
    } else {
        rest.push(value.to_owned());
    }
}

/// Takes a phone number or an e-mail address, recognised by its form. Both may be on one line.
fn take_contact_details(block: &mut Party, line: &str) -> bool {
    let mut words = line.split([' ', '|', '<', '>', ';']);
    let email = words.find(|word| is_email(word));
    let other = match email {
        Some(email) if block.email.is_empty() => {
            email.clone_into(&mut block.email);
            line.replace(email, " ")
        }
        _ => line.to_owned(),
    };
    let other = other.trim_matches(|c: char| c.is_whitespace() || "|<>;,·".contains(c));
    if other.is_empty() {
        return email.is_some();
    }
    let letter = |c: char| c.is_ascii_alphabetic() || ".: ".contains(c);
    let bare = other.trim_start_matches(letter).trim();
    let word = other.get(..other.len() - bare.len()).unwrap_or_default();
    let word = word.trim().trim_end_matches(['.', ':']);
    let phone_words = ["", "ph", "p", "t", "m", "tel", "phone", "mob", "mobile"];
    let phone_word = phone_words
        .iter()
        .any(|known| known.eq_ignore_ascii_case(word));
    if block.phone.is_empty() && phone_word && phone_problem(bare, false).is_none() {
        bare.clone_into(&mut block.phone);
        return true;
    }
    if email.is_some() && block.contact.is_empty() {
        other.clone_into(&mut block.contact);
        return true;
    }
    email.is_some()
}

/// Takes the country from the last line, then the suburb and postcode from the lowest line that has them.
fn take_place(block: &mut Party, rest: &mut Vec<String>) {
    if block.country.is_empty()
        && let [_, .., last] = rest.as_slice()
        && let Some(country) = countries::from_name_or_code(last)
    {
        country.name.clone_into(&mut block.country);
        rest.pop();
    }
    let Some(at) = (1..rest.len()).rev().find(|at| is_place(&rest[*at])) else {
        take_parts_of_a_place(block, rest);
        return;
    };
    let line = rest.remove(at);
    let (place, country) = split_country(&line);
    place.clone_into(&mut block.place);
    if let Some(country) = country.filter(|_| block.country.is_empty()) {
        country.clone_into(&mut block.country);
    }
}

/// Takes suburb, state and postcode from separate lines, as split commas or form labels leave them.
fn take_parts_of_a_place(block: &mut Party, rest: &mut Vec<String>) {
    for count in [3, 2] {
        let Some(from) = rest.len().checked_sub(count).filter(|from| *from > 0) else {
            continue;
        };
        let joined = rest[from..].join(" ");
        if rest[from].bytes().all(|byte| !byte.is_ascii_digit()) && parse_place(&joined).is_some() {
            rest.truncate(from);
            block.place = joined;
            return;
        }
    }
    // Outside Australia, the last line is the city with its postcode.
    if !block.country.is_empty() && rest.len() > 2 {
        block.place = rest.pop().unwrap_or_default();
    }
}

fn is_place(line: &str) -> bool {
    parse_place(split_country(line).0).is_some()
}

/// Splits off a trailing country: `Ballarat VIC 3350, Australia` becomes `Ballarat VIC 3350` and the country.
fn split_country(line: &str) -> (&str, Option<&'static str>) {
    for (at, _) in line.match_indices([' ', ',']) {
        let (before, after) = line.split_at(at);
        let postcode = before.trim_end_matches([' ', ',']);
        let ends_in_digit = postcode.ends_with(|c: char| c.is_ascii_digit());
        if ends_in_digit
            && let Some(country) = countries::from_name_or_code(after.trim_matches([' ', ',']))
        {
            return (postcode, Some(country.name));
        }
    }
    (line, None)
}

/// Takes name, contact and street, in the usual order of an address.
fn take_lines(block: &mut Party, rest: Vec<String>) {
    let mut rest = rest.into_iter().peekable();
    let is_street = |line: &String| line.bytes().any(|byte| byte.is_ascii_digit());
    if block.name.is_empty()
        && let Some(name) = rest.next_if(|line| !is_street(line))
    {
        block.name = name;
    }
    if block.contact.is_empty()
        && let Some(contact) = rest.next_if(|line| !is_street(line) && line.contains(' '))
    {
        block.contact = contact;
    }
    block.line1 = rest.next().unwrap_or_default();
    block.line2 = rest.collect::<Vec<_>>().join(", ");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ballarat_farm() -> Party {
        Party {
            mode: AddressMode::Full,
            name: "Ballarat Farm & Garden".to_owned(),
            contact: "J. Okafor".to_owned(),
            phone: "03 5550 0199".to_owned(),
            email: "stores@bfg.example".to_owned(),
            line1: "8 Creswick Road".to_owned(),
            place: "Ballarat Central VIC 3350".to_owned(),
            ..Party::default()
        }
    }

    #[test]
    fn a_block_is_split_into_its_lines() {
        let text = "Ballarat Farm & Garden\nJ. Okafor\n8 Creswick Road\nBallarat Central VIC 3350\n03 5550 0199\nstores@bfg.example\n";
        assert_eq!(split_address(text), ballarat_farm());
    }

    #[test]
    fn labels_say_what_a_line_holds() {
        let text = "Ship to: Ballarat Farm & Garden\r\nAttn: J. Okafor\r\nPh: 03 5550 0199\r\nEmail: stores@bfg.example\r\n8 Creswick Road\r\nBallarat Central VIC 3350";
        assert_eq!(split_address(text), ballarat_farm());
    }

    #[test]
    fn one_line_is_split_at_its_commas() {
        let text = "Ballarat Farm & Garden, 8 Creswick Road, Ballarat Central VIC 3350";
        let block = split_address(text);
        assert_eq!(block.name, "Ballarat Farm & Garden");
        assert_eq!(block.line1, "8 Creswick Road");
        assert_eq!(block.place, "Ballarat Central VIC 3350");
    }

    #[test]
    fn suburb_state_and_postcode_may_stand_apart() {
        let text =
            "Ballarat Farm & Garden\tJ. Okafor\t8 Creswick Road\tBallarat Central\tVIC\t3350";
        let block = split_address(text);
        assert_eq!(block.place, "Ballarat Central VIC 3350");
        assert_eq!(block.line1, "8 Creswick Road");
        assert_eq!(block.contact, "J. Okafor");
    }

    #[test]
    fn a_country_is_taken_from_the_end() {
        let text = "Aroha Outdoor\nT. Ngata\n61 Victoria Street\nUnit 4\nHamilton Central 3204\nNew Zealand";
        let block = split_address(text);
        assert_eq!(block.country, "New Zealand");
        assert_eq!(block.place, "Hamilton Central 3204");
        assert_eq!(block.line2, "Unit 4");
        let block = split_address("Acme\n1 Main St\nSydney NSW 2000, Australia");
        assert_eq!(block.place, "Sydney NSW 2000");
        assert_eq!(block.country, "Australia");
        let block = split_address("Acme GmbH\nHans Müller\nLange Straße 5\n10115 Berlin\nGermany");
        assert_eq!(block.place, "10115 Berlin");
        assert_eq!(block.country, "Germany");
        assert_eq!(block.line1, "Lange Straße 5");
    }

    #[test]
    fn text_that_is_no_address_is_taken_without_a_panic_and_soon() {
        assert_eq!(split_address("").title(), "");
        assert_eq!(split_address("\n , ;\n\t"), split_address(""));
        let long = "a line of a very long paste, with a number 7\n".repeat(10_000);
        let block = split_address(&long);
        assert!(block.line2.len() < 20 * 200);
        let wide = "é@".repeat(100_000);
        assert!(split_address(&wide).name.chars().count() <= 200);
        let strange = "Attn:|ph 😀|مخزن\u{202e}|:|x@y.z x@y.z|ATTN-é";
        for text in strange.split('|') {
            let _split = split_address(text);
        }
    }
}
