//! Checks the parties of a request. Sender and receiver can each be a saved location, a full address or a
//! place abroad, independently of the other.

use super::{Purpose, RuleContext, member, required};
use crate::catalogue::{Place, SavedLocation};
use crate::consignment::Party;
use crate::wire::{ConsignmentRequest, PartyRequest, Refusal, Refusals};

pub(crate) const AUSTRALIA: &str = "AUS";

/// How many digits a phone number needs so that a customs broker can call it.
const PHONE_DIGITS: usize = 7;

pub(super) fn check_party(
    context: &RuleContext<'_>,
    order: &ConsignmentRequest,
    sent: &PartyRequest<'_>,
    refusals: &mut Refusals,
) -> Option<Party> {
    if sent.is_saved() {
        let location = refusals.keep(saved(context, sent))?;
        let side = from_saved(context, location)?;
        let form = matches!(context.purpose, Purpose::Edit(_)) && sent.has_address();
        if !form {
            return Some(side);
        }
        // The editable form sends both the saved location and its address, and they must agree.
        let spelt = spelt(context, order, sent, refusals)?;
        return refusals.keep(same(sent.prefix, side, &spelt));
    }
    spelt(context, order, sent, refusals)
}

/// Returns the saved location if the address that was also sent is the same.
fn same(prefix: &str, saved: Party, spelt: &Party) -> Result<Party, Refusal> {
    let address = |side: &Party| {
        let names = [&side.name, &side.contact, &side.phone, &side.email];
        let lines = [&side.address_line1, &side.address_line2];
        let trimmed = |text: &String| text.trim().to_owned();
        (names.map(trimmed), lines.map(trimmed), side.place.id)
    };
    if address(&saved) == address(spelt) {
        return Ok(saved);
    }
    let (title, id) = (title(prefix), saved.company_location_id.unwrap_or_default());
    let advice = "send only the location or only the address";
    let wording = format!("{title} company location {id} has a different address: {advice}");
    Err(Refusal::new(member(prefix, "CompanyLocationId"), wording))
}

/// Reads a full address or a place abroad.
fn spelt(
    context: &RuleContext<'_>,
    order: &ConsignmentRequest,
    sent: &PartyRequest<'_>,
    refusals: &mut Refusals,
) -> Option<Party> {
    let international = order.is_international == Some(true);
    let is_other = |code: &str| !code.eq_ignore_ascii_case(AUSTRALIA);
    let is_abroad = international && sent.fields.country_code.as_deref().is_some_and(is_other);
    let place = refusals.keep(if is_abroad {
        abroad(context, sent)
    } else {
        suburb(context, sent)
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

pub(super) fn saved<'a>(
    context: &RuleContext<'a>,
    sent: &PartyRequest<'_>,
) -> Result<&'a SavedLocation, Refusal> {
    let own = context.catalogue.locations.iter();
    let mut own = own.filter(|location| location.company_id == context.company.id);
    let (found, field, what) = if let Some(id) = sent.fields.company_location_id {
        let found = own.find(|location| location.id == id);
        (found, "CompanyLocationId", format!("company location {id}"))
    } else {
        let text = sent.fields.abbreviation.as_deref().unwrap_or_default();
        let found = own.find(|location| location.abbreviation.eq_ignore_ascii_case(text));
        (found, "Abbreviation", format!("abbreviation {text}"))
    };
    let message = || format!("{} {what} is not known", title(sent.prefix));
    found.ok_or_else(|| Refusal::new(member(sent.prefix, field), message()))
}

fn from_saved(context: &RuleContext<'_>, location: &SavedLocation) -> Option<Party> {
    Some(Party {
        company_location_id: Some(location.id),
        name: location.name.clone(),
        contact: location.contact.clone(),
        phone: location.phone.clone(),
        email: location.email.clone(),
        address_line1: location.address_line1.clone(),
        address_line2: location.address_line2.clone(),
        place: (context.catalogue)
            .place(&location.suburb, &location.postcode)?
            .clone(),
    })
}

pub(super) fn suburb(context: &RuleContext<'_>, sent: &PartyRequest<'_>) -> Result<Place, Refusal> {
    let field = member(sent.prefix, "Location");
    let location = (sent.fields.location.as_ref())
        .ok_or_else(|| required(field.clone(), &format!("{} location", sent.prefix)))?;
    let postcode = location.postcode.as_deref().unwrap_or_default();
    let place = context.catalogue.place(&location.suburb, postcode).cloned();
    place.ok_or_else(|| {
        let title = title(sent.prefix);
        let message = format!("{title} location suburb and postcode combination is invalid");
        Refusal::new(field, message)
    })
}

fn abroad(context: &RuleContext<'_>, sent: &PartyRequest<'_>) -> Result<Place, Refusal> {
    let code = sent.fields.country_code.as_deref().unwrap_or_default();
    let country = context.catalogue.geography.country(code).ok_or_else(|| {
        let wording = if code.len() == 3 {
            "is not served"
        } else {
            "is not a three-letter code"
        };
        let message = format!("{} country code {code} {wording}", title(sent.prefix));
        Refusal::new(member(sent.prefix, "CountryCode"), message)
    })?;
    let field = format!("international{}City", title(sent.prefix));
    let abroad = sent.abroad.clone();
    let missing = || required(field, &format!("{} city", sent.prefix));
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
    let fields = [
        ("Name", "name", &party.name),
        ("Contact", "contact", &party.contact),
        ("Phone", "phone", &party.phone),
        ("Email", "email", &party.email),
        ("AddressLine1", "address line 1", &party.address_line1),
    ];
    for (field, what, _) in fields.iter().filter(|(_, _, value)| value.is_none()) {
        let what = format!("{} {what}", sent.prefix);
        refusals.refuse(required(member(sent.prefix, field), &what));
    }
    check_email(sent, refusals);
    let digits = |phone: &String| phone.chars().filter(char::is_ascii_digit).count();
    let is_short = |phone: &String| digits(phone) < PHONE_DIGITS;
    if international && party.phone.as_ref().is_some_and(is_short) {
        let message = "A valid phone number is required";
        refusals.add(member(sent.prefix, "Phone"), message);
    }
}

pub(super) fn check_email(sent: &PartyRequest<'_>, refusals: &mut Refusals) {
    if sent
        .fields
        .email
        .as_deref()
        .is_some_and(|email| !is_email(email))
    {
        let message = "String is not a valid email address";
        refusals.add(member(sent.prefix, "Email"), message);
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

/// Returns `From` or `To`, with which the API's messages begin.
pub(super) fn title(prefix: &str) -> &'static str {
    if prefix == "from" { "From" } else { "To" }
}
