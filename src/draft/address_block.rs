//! Splits a pasted address into fields by what its lines look like. The clerk confirms the result before
//! anything is filled in.
//!
//! Invariants: no line ends up in two fields, and reading time is bounded for a text of any length.

use super::contact::{is_email, phone_problem};
use super::{countries, parse_place};

/// Limits on the lines that are read, and on the characters of each line.
const MOST_LINES: usize = 20;
const MOST_CHARACTERS: usize = 200;

/// The parts found in a pasted address; each may be empty.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AddressBlock {
    pub name: String,
    /// The person to ask for.
    pub contact: String,
    pub phone: String,
    pub email: String,
    /// The street.
    pub line1: String,
    pub line2: String,
    /// Suburb, state and postcode; outside Australia, the city and postcode line.
    pub place: String,
    pub country: String,
}

/// Labels at the start of a line that tell what the line contains.
const LABELS: &[(&str, Kind)] = &[
    ("attention", Kind::Contact),
    ("attn", Kind::Contact),
    ("att", Kind::Contact),
    ("contact", Kind::Contact),
    ("c/o", Kind::Contact),
    ("phone", Kind::Phone),
    ("ph", Kind::Phone),
    ("telephone", Kind::Phone),
    ("tel", Kind::Phone),
    ("mobile", Kind::Phone),
    ("mob", Kind::Phone),
    ("e-mail", Kind::Email),
    ("email", Kind::Email),
    ("country", Kind::Country),
    ("company", Kind::Name),
    ("name", Kind::Name),
    ("ship to", Kind::Name),
    ("deliver to", Kind::Name),
    ("address", Kind::Street),
    ("street", Kind::Street),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Name,
    Contact,
    Phone,
    Email,
    Street,
    Country,
}

pub fn split_address(text: &str) -> AddressBlock {
    let mut block = AddressBlock::default();
    let mut rest: Vec<String> = Vec::new();
    for line in lines(text) {
        match labelled(&line) {
            Some((Kind::Name, value)) => keep(&mut block.name, value, &mut rest),
            Some((Kind::Contact, value)) => keep(&mut block.contact, value, &mut rest),
            Some((Kind::Phone, value)) => keep(&mut block.phone, value, &mut rest),
            Some((Kind::Email, value)) => keep(&mut block.email, value, &mut rest),
            Some((Kind::Country, value)) => keep(&mut block.country, value, &mut rest),
            Some((Kind::Street, value)) => rest.push(value.to_owned()),
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

fn labelled(line: &str) -> Option<(Kind, &str)> {
    LABELS.iter().find_map(|(label, kind)| {
        let head = line.get(..label.len())?;
        let rest = line.get(label.len()..)?;
        let value = rest.trim_start_matches('.').trim_start();
        let marked = value.starts_with([':', '-']) && head.eq_ignore_ascii_case(label);
        let value = value.trim_start_matches([':', '-', ' ']).trim();
        (marked && !value.is_empty()).then_some((*kind, value))
    })
}

/// Stores the first value of a kind; further values become ordinary lines.
fn keep(part: &mut String, value: &str, rest: &mut Vec<String>) {
    if part.is_empty() {
        value.clone_into(part);
    } else {
        rest.push(value.to_owned());
    }
}

/// Takes a phone number or an e-mail address, recognised by its form. Both may be on one line.
fn take_contact_details(block: &mut AddressBlock, line: &str) -> bool {
    let email = line
        .split([' ', '|', '<', '>', ';'])
        .find(|word| is_email(word));
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
    let bare = other
        .trim_start_matches(|c: char| c.is_ascii_alphabetic() || ".: ".contains(c))
        .trim();
    let word = other.get(..other.len() - bare.len()).unwrap_or_default();
    let word = word
        .trim()
        .trim_end_matches(['.', ':'])
        .to_ascii_lowercase();
    let phone_word = matches!(
        word.as_str(),
        "" | "ph" | "p" | "t" | "m" | "tel" | "phone" | "mob" | "mobile"
    );
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
fn take_place(block: &mut AddressBlock, rest: &mut Vec<String>) {
    if block.country.is_empty()
        && rest.len() > 1
        && let Some(country) = rest
            .last()
            .and_then(|last| countries::from_name_or_code(last))
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
fn take_parts_of_a_place(block: &mut AddressBlock, rest: &mut Vec<String>) {
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
fn take_lines(block: &mut AddressBlock, rest: Vec<String>) {
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
mod tests;
