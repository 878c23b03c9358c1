//! Checks the parties of a request. Sender and receiver can each be a saved location, a full address or a
//! place abroad, independently of the other.

use super::{Purpose, RuleContext};
use crate::catalogue::{Place, SavedLocation, catalogue};
use crate::consignment::Party;
use crate::wire::{ConsignmentRequest, PartyRequest, Refusal, Refusals};

pub(crate) const AUSTRALIA: &str = "AUS";

/// How many digits a phone number needs so that a customs broker can call it.
const PHONE_DIGITS: usize = 7;

pub(super) fn check_party(
    context: &RuleContext,
    order: &ConsignmentRequest,
    sent: &PartyRequest<'_>,
    refusals: &mut Refusals,
) -> Option<Party> {
    if !sent.is_saved() {
        return spelt(context, order, sent, refusals);
    }
    let location = refusals.keep(saved(context, sent))?;
    let party = from_saved(location)?;
    let is_form = matches!(context.purpose, Purpose::Edit(_)) && sent.has_address();
    if !is_form {
        return Some(party);
    }
    // The editable form sends both the saved location and its address, and they must agree.
    let spelt = spelt(context, order, sent, refusals)?;
    let address = |party: &Party| {
        let names = [&party.name, &party.contact, &party.phone, &party.email];
        let lines = [&party.address_line1, &party.address_line2];
        let trimmed = |text: &String| text.trim().to_owned();
        (names.map(trimmed), lines.map(trimmed), party.place.id)
    };
    if address(&party) == address(&spelt) {
        return Some(party);
    }
    let advice = "send only the location or only the address";
    let (title, id) = (sent.title(), location.id);
    let message = format!("{title} company location {id} has a different address: {advice}");
    refusals.add(sent.field("CompanyLocationId"), message);
    None
}

/// Reads a full address or a place abroad.
fn spelt(
    context: &RuleContext,
    order: &ConsignmentRequest,
    sent: &PartyRequest<'_>,
    refusals: &mut Refusals,
) -> Option<Party> {
    let international = order.is_international == Some(true);
    let is_other = |code: &str| !code.eq_ignore_ascii_case(AUSTRALIA);
    let is_abroad = international && sent.fields.country_code.as_deref().is_some_and(is_other);
    let place = refusals.keep(if is_abroad {
        abroad(sent)
    } else {
        suburb(sent)
    });
    if context.purpose.is_whole() {
        check_address(sent, international, refusals);
    }
    let fields = sent.fields;
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    Some(Party {
        company_location_id: None,
        name: text(&fields.name),
        contact: text(&fields.contact),
        phone: text(&fields.phone),
        email: text(&fields.email),
        address_line1: text(&fields.address_line1),
        address_line2: text(&fields.address_line2),
        place: place?,
    })
}

pub(super) fn saved(
    context: &RuleContext,
    sent: &PartyRequest<'_>,
) -> Result<&'static SavedLocation, Refusal> {
    let own = catalogue().locations.iter();
    let mut own = own.filter(|location| location.company_id == context.company.id);
    let (found, field, what) = if let Some(id) = sent.fields.company_location_id {
        let found = own.find(|location| location.id == id);
        (found, "CompanyLocationId", format!("company location {id}"))
    } else {
        let text = sent.fields.abbreviation.as_deref().unwrap_or_default();
        let found = own.find(|location| location.abbreviation.eq_ignore_ascii_case(text));
        (found, "Abbreviation", format!("abbreviation {text}"))
    };
    let message = || format!("{} {what} is not known", sent.title());
    found.ok_or_else(|| Refusal::new(sent.field(field), message()))
}

fn from_saved(location: &SavedLocation) -> Option<Party> {
    let place = catalogue().place(&location.suburb, &location.postcode)?;
    Some(Party {
        company_location_id: Some(location.id),
        name: location.name.clone(),
        contact: location.contact.clone(),
        phone: location.phone.clone(),
        email: location.email.clone(),
        address_line1: location.address_line1.clone(),
        address_line2: location.address_line2.clone(),
        place: place.clone(),
    })
}

pub(super) fn suburb(sent: &PartyRequest<'_>) -> Result<Place, Refusal> {
    let refused = |what: &str| {
        Refusal::new(
            sent.field("Location"),
            format!("{} location {what}", sent.title()),
        )
    };
    let location = sent.fields.location.as_ref();
    let location = location.ok_or_else(|| refused("is required"))?;
    let postcode = location.postcode.as_deref().unwrap_or_default();
    let place = catalogue().place(&location.suburb, postcode).cloned();
    place.ok_or_else(|| refused("suburb and postcode combination is invalid"))
}

fn abroad(sent: &PartyRequest<'_>) -> Result<Place, Refusal> {
    let title = sent.title();
    let code = sent.fields.country_code.as_deref().unwrap_or_default();
    let country = catalogue().country(code).ok_or_else(|| {
        let mistake = if code.len() == 3 {
            "is not served"
        } else {
            "is not a three-letter code"
        };
        let message = format!("{title} country code {code} {mistake}");
        Refusal::new(sent.field("CountryCode"), message)
    })?;
    let field = format!("international{title}City");
    let missing = || Refusal::new(field, format!("{title} city is required"));
    let abroad = sent.abroad.clone();
    Ok(Place {
        id: 0,
        suburb: abroad.city.ok_or_else(missing)?,
        postcode: abroad.postcode.unwrap_or_default(),
        state: abroad.province.unwrap_or_default(),
        country: country.code.clone(),
        zone: country.zone.clone(),
        time_zone: country.time_zone.clone(),
    })
}

/// Checks the fields of a full address, except the location.
fn check_address(sent: &PartyRequest<'_>, international: bool, refusals: &mut Refusals) {
    let party = sent.fields;
    for (field, what, value) in [
        ("Name", "name", &party.name),
        ("Contact", "contact", &party.contact),
        ("Phone", "phone", &party.phone),
        ("Email", "email", &party.email),
        ("AddressLine1", "address line 1", &party.address_line1),
    ] {
        if value.is_none() {
            let message = format!("{} {what} is required", sent.title());
            refusals.add(sent.field(field), message);
        }
    }
    check_email(sent, refusals);
    let digits = |phone: &String| phone.chars().filter(char::is_ascii_digit).count();
    let is_short = |phone: &String| digits(phone) < PHONE_DIGITS;
    if international && party.phone.as_ref().is_some_and(is_short) {
        refusals.add(sent.field("Phone"), "A valid phone number is required");
    }
}

pub(super) fn check_email(sent: &PartyRequest<'_>, refusals: &mut Refusals) {
    let email = sent.fields.email.as_deref();
    if email.is_some_and(|email| !is_email(email)) {
        let message = "String is not a valid email address";
        refusals.add(sent.field("Email"), message);
    }
}

fn is_email(text: &str) -> bool {
    let Some((user, host)) = text.split_once('@') else {
        return false;
    };
    !user.is_empty()
        && host.contains('.')
        && host.split('.').all(|label| !label.is_empty())
        && !host.contains('@')
        && !text.contains(char::is_whitespace)
}
