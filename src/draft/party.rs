//! The sender or the receiver of a consignment: a saved location, or a full address. Also the earlier receivers and
//! known suburbs that the address fields suggest, and the parser for a suburb and postcode in one text, such as
//! `Ballarat Central VIC 3350`.
//!
//! A pasted address is split into fields by the form of its lines. The clerk confirms the result before any field is
//! filled in. Invariants: no line is put into two fields, and the time for a text of any length is limited.

use serde::{Deserialize, Serialize};

use super::countries;
use super::field::{AddressField, RecordField as _};
use super::text::{is_email, phone_problem};
use shipping::{
    CompanyId, CompanyLocation, CompanyLocationId, CountryCode, LocationRequest,
    australian_time_zone,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum AddressMode {
    #[default]
    Saved,
    Full,
}

/// A saved location that the clerk picked. The details are kept so that a draft can be shown without
/// the service.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PickedLocation {
    pub id: CompanyLocationId,
    pub name: String,
    pub abbreviation: String,
    pub street: String,
    /// Like "Alexandria NSW 2015".
    pub place: String,
    /// Like "Dock office · 02 5550 0114".
    pub contact: String,
    /// IANA name; empty if the service gave no zone.
    pub time_zone: String,
    /// The country as the service spells it; empty for Australia.
    #[serde(default)]
    pub country: String,
    #[serde(default)]
    pub company: Option<CompanyId>,
}

impl PickedLocation {
    fn from_id(id: CompanyLocationId) -> Self {
        Self {
            id,
            name: format!("Saved location {id}"),
            abbreviation: String::new(),
            street: String::new(),
            place: String::new(),
            contact: String::new(),
            time_zone: String::new(),
            country: String::new(),
            company: None,
        }
    }
}

impl From<&CompanyLocation> for PickedLocation {
    fn from(location: &CompanyLocation) -> Self {
        let at = &location.location;
        Self {
            id: location.id,
            name: location.name.clone(),
            abbreviation: location.abbreviation.clone(),
            street: join_parts(&[&location.address_line1, &location.address_line2], ", "),
            place: join_parts(&[&at.suburb, &at.state, &at.postcode], " "),
            contact: join_parts(&[&location.contact, &location.phone], " · "),
            time_zone: at.time_zone.clone(),
            country: at.country.clone(),
            company: location.company_id,
        }
    }
}

/// Joins the parts that are not blank.
pub fn join_parts(parts: &[&str], between: &str) -> String {
    let mut given: Vec<_> = parts.iter().map(|part| part.trim()).collect();
    given.retain(|part| !part.is_empty());
    given.join(between)
}

/// A party, as typed. Both modes keep their values, so that switching between them loses nothing.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Party {
    pub mode: AddressMode,
    pub search: String,
    pub saved: Option<PickedLocation>,
    /// The typed abbreviation of a saved location that was not picked. The service knows such locations, even
    /// if the bench does not.
    pub abbreviation: String,
    pub name: String,
    pub contact: String,
    pub phone: String,
    pub email: String,
    pub line1: String,
    pub line2: String,
    /// Suburb and postcode in one text.
    pub place: String,
    /// The country, by name or code as typed; empty for Australia.
    pub country: String,
    pub city: String,
    pub province: String,
    pub postcode: String,
    /// The company that sent to this receiver before; set only for a receiver that is suggested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub company: Option<CompanyId>,
}

impl Party {
    /// Returns the name of the saved location, or the typed name.
    pub fn title(&self) -> &str {
        match (self.mode, &self.saved) {
            (AddressMode::Saved, Some(saved)) => &saved.name,
            _ => self.name.trim(),
        }
    }

    /// Returns the IANA time zone: the zone from the service, otherwise the state's zone. `None` if unknown.
    pub fn time_zone(&self) -> Option<&str> {
        match (self.mode, &self.saved) {
            (AddressMode::Saved, Some(saved)) if !saved.time_zone.is_empty() => {
                Some(&saved.time_zone)
            }
            (AddressMode::Saved, Some(saved)) => zone_of_place(&saved.place, &saved.country),
            (AddressMode::Saved, None) => None,
            (AddressMode::Full, _) => zone_of_place(&self.place, &self.country),
        }
    }

    /// Returns the party's country. Returns Australia if no country is named, or if only the abbreviation of a saved
    /// location is known; `None` if the typed text is not a country.
    pub fn country_code(&self) -> Option<CountryCode> {
        let named = match (self.mode, &self.saved) {
            (AddressMode::Saved, Some(saved)) => saved.country.as_str(),
            (AddressMode::Saved, None) => "",
            (AddressMode::Full, _) => self.country.as_str(),
        };
        if named.trim().is_empty() {
            return Some(CountryCode::AUSTRALIA);
        }
        countries::from_name_or_code(named).map(|country| country.code)
    }

    pub fn is_abroad(&self) -> bool {
        self.country_code()
            .is_some_and(|code| code != CountryCode::AUSTRALIA)
    }

    /// Replaces an abbreviation, typed before the bench knew the location, by that location, so that its country is
    /// known too.
    pub fn resolve_abbreviation(&mut self, locations: &[CompanyLocation]) {
        let short = self.abbreviation.trim();
        if self.mode != AddressMode::Saved || self.saved.is_some() || short.is_empty() {
            return;
        }
        let called = |known: &&CompanyLocation| known.abbreviation.eq_ignore_ascii_case(short);
        if let Some(known) = locations.iter().find(called) {
            self.set_location(known);
            self.abbreviation.clear();
        }
    }

    /// Sets a saved location of which the bench knows only the id; the service knows its other details.
    pub fn set_location_id(&mut self, id: CompanyLocationId) {
        self.mode = AddressMode::Saved;
        self.search.clear();
        self.saved = Some(PickedLocation::from_id(id));
    }

    pub fn set_location(&mut self, location: &CompanyLocation) {
        self.mode = AddressMode::Saved;
        self.search.clear();
        self.saved = Some(location.into());
    }

    /// Sets the full address of an earlier receiver.
    pub fn set_receiver(&mut self, receiver: &Receiver) {
        *self = Self {
            mode: AddressMode::Full,
            company: None,
            ..receiver.clone()
        };
    }
}

/// An earlier receiver: a full address, as typed or as the service returned it.
pub type Receiver = Party;

/// A suburb. The order is by postcode, so that the suburbs of a postcode are next to each other.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub struct Suburb {
    pub postcode: String,
    pub suburb: String,
    /// Like "VIC"; empty if unknown.
    pub state: String,
}

impl Suburb {
    /// Returns the whole text: `Ballarat Central VIC 3350`.
    pub fn label(&self) -> String {
        join_parts(&[&self.suburb, &self.state, &self.postcode], " ")
    }
}

const STATES: &[&str] = &["NSW", "VIC", "QLD", "SA", "WA", "TAS", "NT", "ACT", "NZ"];

/// Parses the suburb and postcode; `None` without a four-digit postcode or without a suburb before it. A
/// state between the two is dropped, because the service knows it from the postcode.
pub fn parse_place(text: &str) -> Option<LocationRequest> {
    let (suburb, _, postcode) = parts(text)?;
    Some(LocationRequest {
        suburb: suburb.to_owned(),
        postcode: postcode.to_owned(),
    })
}

/// Returns the time zone (IANA) of a place if the text names its state.
fn zone_of_place(text: &str, country: &str) -> Option<&'static str> {
    let (_, state, postcode) = parts(text)?;
    australian_time_zone(state, postcode, country)
}

/// Returns suburb, state and postcode; the state is empty if the text names no state.
pub(super) fn parts(text: &str) -> Option<(&str, &str, &str)> {
    let (before, postcode) = text.trim().rsplit_once([' ', ','])?;
    if postcode.len() != 4 || !postcode.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let suburb = before.trim_end_matches([' ', ',']);
    let named = suburb
        .rsplit_once([' ', ','])
        .filter(|(_, last)| STATES.iter().any(|state| state.eq_ignore_ascii_case(last)));
    let (suburb, state) = named.map_or((suburb, ""), |(rest, state)| {
        (rest.trim_end_matches([' ', ',']), state)
    });
    (!suburb.is_empty()).then_some((suburb, state, postcode))
}

/// Limits on the lines that are read, and on the characters of each line.
const MOST_LINES: usize = 20;
const MOST_CHARACTERS: usize = 200;

/// Labels at the start of a line, separated by `|`, that name the content of the line.
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

/// Stores a phone number and an e-mail address, recognised by their form. Returns true if the line was used.
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

/// Takes the country from the last line, then the suburb and postcode from the last line that has them.
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

/// Takes suburb, state and postcode from separate lines, as they are in a text split at commas or copied from a form.
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
