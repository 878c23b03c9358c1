//! Builds the sender and the receiver: a saved location by id or abbreviation, a full address, or an address
//! outside Australia.

use super::{Purpose, RequestBuilder};
use crate::contact::{is_email, phone_problem};
use crate::field::{AddressField, Field};
use crate::party::{AddressMode, Party};
use crate::place::parse_place;
use shipping::{CompanyLocationId, ConsignmentRequest, CountryCode, LocationRequest};

/// The fields of one party, as they go into a request.
#[derive(Default)]
struct PartyFields {
    saved: Option<CompanyLocationId>,
    abbreviation: Option<String>,
    name: Option<String>,
    contact: Option<String>,
    phone: Option<String>,
    email: Option<String>,
    line1: Option<String>,
    line2: Option<String>,
    location: Option<LocationRequest>,
    city: Option<String>,
    postcode: Option<String>,
    province: Option<String>,
    country: Option<CountryCode>,
}

type PartyField = fn(AddressField) -> Field;

impl RequestBuilder<'_> {
    pub(super) fn parties(&mut self, request: &mut ConsignmentRequest) {
        let draft = self.draft;
        let from = self.party(&draft.from, Field::From);
        request.from_company_location_id = from.saved;
        request.from_abbreviation = from.abbreviation;
        request.from_name = from.name;
        request.from_contact = from.contact;
        request.from_phone = from.phone;
        request.from_email = from.email;
        request.from_address_line1 = from.line1;
        request.from_address_line2 = from.line2;
        request.from_location = from.location;
        request.international_from_city = from.city;
        request.international_from_postcode = from.postcode;
        request.international_from_province = from.province;
        request.from_country_code = from.country;
        let to = self.party(&draft.to, Field::To);
        request.to_company_location_id = to.saved;
        request.to_abbreviation = to.abbreviation;
        request.to_name = to.name;
        request.to_contact = to.contact;
        request.to_phone = to.phone;
        request.to_email = to.email;
        request.to_address_line1 = to.line1;
        request.to_address_line2 = to.line2;
        request.to_location = to.location;
        request.international_to_city = to.city;
        request.international_to_postcode = to.postcode;
        request.international_to_province = to.province;
        request.to_country_code = to.country;
        request.is_international = self.international.then_some(true);
        self.require_australian_party();
        self.warn_unknown_abbreviations();
    }

    /// Reports an error if both parties are outside Australia, which the service does not support, except
    /// within New Zealand.
    fn require_australian_party(&mut self) {
        let (from, to) = (&self.draft.from, &self.draft.to);
        if from.is_abroad() && to.is_abroad() && !self.new_zealand && self.purpose == Purpose::Send
        {
            let at = if to.mode == AddressMode::Full {
                Field::To(AddressField::Country)
            } else {
                Field::From(AddressField::Country)
            };
            self.error(at, "Either the sender or the receiver must be in Australia");
        }
    }

    /// Warns about an abbreviation that the bench does not know. Such a location counts as Australian, which
    /// decides whether the consignment is international when the other party is abroad.
    fn warn_unknown_abbreviations(&mut self) {
        let (from, to) = (&self.draft.from, &self.draft.to);
        let at = AddressField::Saved;
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

    fn party(&mut self, side: &Party, at: PartyField) -> PartyFields {
        match side.mode {
            AddressMode::Saved => self.saved(side, at),
            AddressMode::Full => self.full(side, at),
        }
    }

    fn saved(&mut self, side: &Party, at: PartyField) -> PartyFields {
        let field = at(AddressField::Saved);
        if let Some(saved) = &side.saved {
            if self.belongs_to_other_company(saved.company) {
                let name = &saved.name;
                let words = format!("{name} belongs to another company. Pick another location");
                self.error(field, words);
            }
            return PartyFields {
                saved: Some(saved.id),
                ..PartyFields::default()
            };
        }
        let words = "Pick a saved location, or type an address";
        PartyFields {
            abbreviation: self.required(field, &side.abbreviation, words),
            ..PartyFields::default()
        }
    }

    fn full(&mut self, side: &Party, at: PartyField) -> PartyFields {
        let name = self.required(at(AddressField::Name), &side.name, "Type the name");
        let contact = self.contact(side, at);
        let phone = self.phone(side, at);
        let email = self.email(side, at);
        let line1 = self.required(at(AddressField::Line1), &side.line1, "Type the street");
        let built = PartyFields {
            name,
            contact,
            phone,
            email,
            line1,
            line2: self.text(at(AddressField::Line2), &side.line2),
            ..PartyFields::default()
        };
        let country = side.country_code();
        if country.is_none() {
            let field = at(AddressField::Country);
            self.error(field, "Choose a country from the list");
        }
        let abroad = country.filter(|code| self.international && *code != CountryCode::AUSTRALIA);
        match abroad {
            Some(code) => self.abroad(side, at, code, built),
            None => self.home(side, at, built),
        }
    }

    fn home(&mut self, side: &Party, at: PartyField, built: PartyFields) -> PartyFields {
        let field = at(AddressField::Place);
        let words = "Type suburb and postcode, like Ballarat VIC 3350";
        let typed = self.required(field, &side.place, words);
        let location = typed.as_deref().and_then(parse_place);
        if typed.is_some() && location.is_none() {
            self.error(field, words);
        }
        PartyFields { location, ..built }
    }

    fn abroad(
        &mut self,
        side: &Party,
        at: PartyField,
        code: CountryCode,
        built: PartyFields,
    ) -> PartyFields {
        PartyFields {
            city: self.required(at(AddressField::City), &side.city, "Type the city"),
            postcode: self.text(at(AddressField::Postcode), &side.postcode),
            province: self.text(at(AddressField::Province), &side.province),
            country: Some(code),
            ..built
        }
    }

    /// Reads the contact. A pending consignment also requires a contact if its receiver's address is typed.
    fn contact(&mut self, side: &Party, at: PartyField) -> Option<String> {
        let field = at(AddressField::Contact);
        let words = "Enter a contact name";
        let contact = self.required(field, &side.contact, words);
        let kept_receiver =
            self.purpose == Purpose::Save && field == Field::To(AddressField::Contact);
        if kept_receiver && contact.is_none() && side.contact.trim().is_empty() && is_typed(side) {
            self.error(field, words);
        }
        contact
    }

    fn phone(&mut self, side: &Party, at: PartyField) -> Option<String> {
        let field = at(AddressField::Phone);
        let phone = self.required(field, &side.phone, "Type a phone number")?;
        if let Some(words) = phone_problem(&phone, self.international) {
            self.error(field, words);
        }
        Some(phone)
    }

    fn email(&mut self, side: &Party, at: PartyField) -> Option<String> {
        let field = at(AddressField::Email);
        let email = self.required(field, &side.email, "Type an e-mail address")?;
        if !is_email(&email) {
            self.error(field, "This is not an e-mail address");
        }
        Some(email)
    }
}

fn is_typed(side: &Party) -> bool {
    let texts = [
        &side.name,
        &side.phone,
        &side.email,
        &side.line1,
        &side.line2,
        &side.place,
        &side.city,
    ];
    texts.iter().any(|text| !text.trim().is_empty())
}
