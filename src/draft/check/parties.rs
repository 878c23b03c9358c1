//! Builds the sender and the receiver: a saved location by id or abbreviation, a full address, or an address
//! outside Australia.

use super::{Purpose, RequestBuilder};
use crate::field::{AddressField as At, Field, RecordField as _};
use crate::party::{AddressMode, Party, parse_place};
use crate::suburbs;
use crate::text::{is_email, phone_problem};
use shipping::{ConsignmentRequest, CountryCode, InternationalPlace, PartyRequest};

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

    /// Builds a party. `at` returns the party's field for an address field.
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
                party.abbreviation = self.required(at(At::Saved));
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
        party.name = self.required(at(At::Name));
        party.contact = self.contact(side, at(At::Contact));
        party.phone = self.checked(at(At::Phone), phone_problem);
        party.email = self.checked(at(At::Email), |email, _| {
            (!is_email(email)).then_some("This is not an e-mail address")
        });
        party.address_line1 = self.required(at(At::Line1));
        party.address_line2 = self.text(at(At::Line2));
        let country = side.country_code();
        if country.is_none() {
            self.error(at(At::Country), "Choose a country from the list");
        }
        let abroad = country.filter(|code| self.international && *code != CountryCode::AUSTRALIA);
        party.country_code = abroad;
        if abroad.is_some() {
            place.city = self.required(at(At::City));
            place.postcode = self.text(at(At::Postcode));
            place.province = self.text(at(At::Province));
        } else {
            let field = at(At::Place);
            let typed = self.required(field);
            party.location = typed.as_deref().and_then(parse_place);
            if typed.is_some() && party.location.is_none() {
                self.error(field, field.row().missing);
            }
            let is_australian = country == Some(CountryCode::AUSTRALIA);
            if let Some(typed) = typed.filter(|_| is_australian)
                && let Some(words) = suburbs::doubt(&self.context.suburbs, &typed)
            {
                self.warn(field, words);
            }
        }
    }

    /// Reads the contact. A pending consignment also requires a contact if its receiver's address is typed.
    fn contact(&mut self, side: &Party, field: Field) -> Option<String> {
        let is_receiver = field == Field::To(At::Contact);
        let saves = self.purpose == Purpose::Save;
        if saves && is_receiver && self.is_blank(field) && is_typed(side) {
            self.error(field, field.row().missing);
        }
        self.required(field)
    }

    /// Reads a required text and checks its form. `problem` returns what is wrong with a text, which may depend on
    /// whether the consignment is international.
    fn checked(
        &mut self,
        field: Field,
        problem: impl Fn(&str, bool) -> Option<&'static str>,
    ) -> Option<String> {
        let text = self.required(field)?;
        if let Some(words) = problem(&text, self.international) {
            self.error(field, words);
        }
        Some(text)
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
