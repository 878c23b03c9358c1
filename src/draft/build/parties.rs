//! Builds the sender and the receiver: a saved location by id or abbreviation, a full address, or an address
//! outside Australia.

use super::{Purpose, RequestBuilder};
use crate::field::{AddressField as At, Field, RecordField as _};
use crate::party::{AddressMode, Party, parse_place};
use crate::text::{is_email, phone_problem};
use shipping::{ConsignmentRequest, CountryCode};

/// A text of an address: its field, the message if it is missing (empty if it is optional), and where it goes in the
/// request for the sender and for the receiver.
type AddressText = (At, &'static str, TextOf, TextOf);
type TextOf = fn(&mut ConsignmentRequest) -> &mut Option<String>;

macro_rules! address_texts {
    ($($table:ident { $($field:ident $missing:literal $from:ident $to:ident;)+ })+) => {
        $(const $table: &[AddressText] = &[
            $((At::$field, $missing, |r| &mut r.$from, |r| &mut r.$to)),+
        ];)+
    };
}

address_texts! {
    SAVED {
        Saved "Pick a saved location, or type an address" from_abbreviation to_abbreviation;
    }
    FULL {
        Name "Type the name" from_name to_name;
        Contact "Enter a contact name" from_contact to_contact;
        Phone "Type a phone number" from_phone to_phone;
        Email "Type an e-mail address" from_email to_email;
        Line1 "Type the street" from_address_line1 to_address_line1;
        Line2 "" from_address_line2 to_address_line2;
    }
    ABROAD {
        City "Type the city" international_from_city international_to_city;
        Postcode "" international_from_postcode international_to_postcode;
        Province "" international_from_province international_to_province;
    }
}

impl RequestBuilder<'_> {
    pub(super) fn parties(&mut self, request: &mut ConsignmentRequest) {
        self.party(request, &self.draft.from, true);
        self.party(request, &self.draft.to, false);
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

    fn party(&mut self, request: &mut ConsignmentRequest, side: &Party, is_sender: bool) {
        if side.mode == AddressMode::Full {
            return self.address(request, side, is_sender);
        }
        let Some(saved) = &side.saved else {
            return self.texts(request, SAVED, side, is_sender);
        };
        let (field, slot) = if is_sender {
            (
                Field::From(At::Saved),
                &mut request.from_company_location_id,
            )
        } else {
            (Field::To(At::Saved), &mut request.to_company_location_id)
        };
        *slot = Some(saved.id);
        if self.belongs_to_other_company(saved.company) {
            let name = &saved.name;
            let words = format!("{name} belongs to another company. Pick another location");
            self.error(field, words);
        }
    }

    fn address(&mut self, request: &mut ConsignmentRequest, side: &Party, is_sender: bool) {
        self.texts(request, FULL, side, is_sender);
        let at = if is_sender { Field::From } else { Field::To };
        let country = side.country_code();
        if country.is_none() {
            self.error(at(At::Country), "Choose a country from the list");
        }
        let abroad = country.filter(|code| self.international && *code != CountryCode::AUSTRALIA);
        if abroad.is_some() {
            self.texts(request, ABROAD, side, is_sender);
        }
        let (country, location) = if is_sender {
            (&mut request.from_country_code, &mut request.from_location)
        } else {
            (&mut request.to_country_code, &mut request.to_location)
        };
        *country = abroad;
        if abroad.is_none() {
            let words = "Type suburb and postcode, like Ballarat VIC 3350";
            let typed = self.required(at(At::Place), words);
            *location = typed.as_deref().and_then(parse_place);
            if typed.is_some() && location.is_none() {
                self.error(at(At::Place), words);
            }
        }
    }

    fn texts(
        &mut self,
        request: &mut ConsignmentRequest,
        rows: &[AddressText],
        side: &Party,
        is_sender: bool,
    ) {
        for (field, missing, from, to) in rows {
            let (at, slot) = if is_sender {
                (Field::From(*field), from(request))
            } else {
                (Field::To(*field), to(request))
            };
            *slot = if missing.is_empty() {
                self.text(at)
            } else {
                self.required(at, missing)
            };
            let problem = match (field, slot) {
                // A pending consignment also requires a contact if its receiver's address is typed.
                (At::Contact, None) if self.is_blank(at) => {
                    let needed = self.purpose == Purpose::Save && !is_sender && is_typed(side);
                    needed.then_some(*missing)
                }
                (At::Phone, Some(phone)) => phone_problem(phone, self.international),
                (At::Email, Some(email)) if !is_email(email) => {
                    Some("This is not an e-mail address")
                }
                _ => None,
            };
            if let Some(words) = problem {
                self.error(at, words);
            }
        }
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
