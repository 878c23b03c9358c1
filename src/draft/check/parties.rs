//! Builds the sender and the receiver: a saved location by id or abbreviation, a full address, or an address
//! outside Australia.

use super::{Purpose, RequestBuilder};
use crate::field::{AddressField as At, Field, RecordField as _};
use crate::party::{AddressMode, Party, parse_place};
use crate::text::{is_email, phone_problem};
use shipping::{ConsignmentRequest, CountryCode, InternationalPlace, PartyRequest};

/// A text of an address: its field, the message if it is missing, which is empty for an optional text, and the
/// place that the text has in the request.
type AddressText<T> = (At, &'static str, fn(&mut T) -> &mut Option<String>);

const FULL: &[AddressText<PartyRequest>] = &[
    (At::Name, "Enter the name", |party| &mut party.name),
    (At::Contact, ENTER_CONTACT, |party| &mut party.contact),
    (At::Phone, "Enter a phone number", |party| &mut party.phone),
    (At::Email, "Enter an e-mail address", |party| {
        &mut party.email
    }),
    (At::Line1, "Enter the street", |party| {
        &mut party.address_line1
    }),
    (At::Line2, "", |party| &mut party.address_line2),
];

const ABROAD: &[AddressText<InternationalPlace>] = &[
    (At::City, "Enter the city", |place| &mut place.city),
    (At::Postcode, "", |place| &mut place.postcode),
    (At::Province, "", |place| &mut place.province),
];

const ENTER_CONTACT: &str = "Enter a contact name";

impl RequestBuilder<'_> {
    pub(super) fn parties(&mut self, request: &mut ConsignmentRequest) {
        let draft = self.draft;
        (request.from, request.international_from) = self.party(&draft.from, Field::From);
        (request.to, request.international_to) = self.party(&draft.to, Field::To);
        request.is_international = self.international.then_some(true);
        self.require_australian_party();
        self.warn_unknown_abbreviations();
    }

    /// Adds an error if both parties are outside Australia, which the service does not support, except within
    /// New Zealand.
    fn require_australian_party(&mut self) {
        let (from, to) = (&self.draft.from, &self.draft.to);
        if from.is_abroad() && to.is_abroad() && !self.new_zealand && self.purpose == Purpose::Send
        {
            let at = if to.mode == AddressMode::Full {
                Field::To(At::Country)
            } else {
                Field::From(At::Country)
            };
            self.error(at, "Either the sender or the receiver must be in Australia");
        }
    }

    /// Warns about an abbreviation that the bench does not know. Such a location counts as Australian, which
    /// decides whether the consignment is international when the other party is abroad.
    fn warn_unknown_abbreviations(&mut self) {
        let (from, to) = (&self.draft.from, &self.draft.to);
        let at = At::Saved;
        for (side, other, field) in [(from, to, Field::From(at)), (to, from, Field::To(at))] {
            let short = side.abbreviation.trim();
            let unknown = side.mode == AddressMode::Saved && side.saved.is_none();
            if unknown && !short.is_empty() && other.is_abroad() {
                let words =
                    format!("{short} is not a known location. Sending as if it is in Australia");
                self.warn(field, words);
            }
        }
    }

    /// Builds a party. `at` makes its fields.
    fn party(&mut self, side: &Party, at: fn(At) -> Field) -> (PartyRequest, InternationalPlace) {
        let mut party = PartyRequest::default();
        let mut place = InternationalPlace::default();
        match (side.mode, &side.saved) {
            (AddressMode::Full, _) => self.address(side, at, &mut party, &mut place),
            (AddressMode::Saved, Some(saved)) => {
                party.company_location_id = Some(saved.id);
                if self.belongs_to_other_company(saved.company) {
                    let name = &saved.name;
                    let words = format!("{name} belongs to another company. Pick another location");
                    self.error(at(At::Saved), words);
                }
            }
            (AddressMode::Saved, None) => {
                let words = "Pick a saved location, or type an address";
                party.abbreviation = self.required(at(At::Saved), words);
            }
        }
        (party, place)
    }

    fn address(
        &mut self,
        side: &Party,
        at: fn(At) -> Field,
        party: &mut PartyRequest,
        place: &mut InternationalPlace,
    ) {
        for (field, missing, slot) in FULL {
            *slot(party) = self.address_text(side, at(*field), missing);
        }
        let country = side.country_code();
        if country.is_none() {
            self.error(at(At::Country), "Choose a country from the list");
        }
        let abroad = country.filter(|code| self.international && *code != CountryCode::AUSTRALIA);
        party.country_code = abroad;
        if abroad.is_some() {
            for (field, missing, slot) in ABROAD {
                *slot(place) = self.address_text(side, at(*field), missing);
            }
        } else {
            let words = "Enter suburb and postcode, like Ballarat VIC 3350";
            let typed = self.required(at(At::Place), words);
            party.location = typed.as_deref().and_then(parse_place);
            if typed.is_some() && party.location.is_none() {
                self.error(at(At::Place), words);
            }
        }
    }

    fn address_text(&mut self, side: &Party, field: Field, missing: &str) -> Option<String> {
        let text = if missing.is_empty() {
            self.text(field)
        } else {
            self.required(field, missing)
        };
        let problem = match (field, &text) {
            // A pending consignment also requires a contact if its receiver's address is typed.
            (Field::To(At::Contact), None) if self.is_blank(field) => {
                let needed = self.purpose == Purpose::Save && is_typed(side);
                needed.then_some(ENTER_CONTACT)
            }
            (Field::From(At::Phone) | Field::To(At::Phone), Some(phone)) => {
                phone_problem(phone, self.international)
            }
            (Field::From(At::Email) | Field::To(At::Email), Some(email)) if !is_email(email) => {
                Some("This is not an e-mail address")
            }
            _ => None,
        };
        if let Some(words) = problem {
            self.error(field, words);
        }
        text
    }
}

fn is_typed(side: &Party) -> bool {
    [
        At::Name,
        At::Phone,
        At::Email,
        At::Line1,
        At::Line2,
        At::Place,
        At::City,
    ]
    .iter()
    .any(|field| !field.text(side).trim().is_empty())
}
