//! Rules of the API for create and routes requests: turns a request into a [`Job`], or lists everything that
//! is wrong with it.
//!
//! Nothing is priced or stored here. Messages that the API specifies are used word for word; all other
//! messages are ours.

mod address;
mod dangerous_goods;
mod items;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::Value;

use super::catalogue::{Catalogue, Company};
use super::consignment::{CustomValue, DUTIES_BY_RECIPIENT, Job, Party};
use super::store::User;
use super::wire::{
    ConsignmentRequest, CustomValueOrder, Failure, PartyRequest, Refusal, Refusals, read_local,
    read_utc,
};

pub(crate) use address::AUSTRALIA;

/// Message for a consignment that can no longer be edited, deleted or manifested.
pub(crate) const ALREADY_MANIFESTED: &str = "Consignment already manifested";

pub(crate) const CARRIER_NOT_AVAILABLE: &str = "Selected carrier is not available for this company";

pub(crate) const MUST_DECLARE: &str = "Dangerous Goods / No Dangerous Goods must be declared";

/// Variant of the operation that is called. Only the complex variant takes dangerous goods, customs contents
/// and item references from the shipper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OperationVariant {
    Simple,
    Complex,
}

/// Purpose of the request. A price needs fewer fields than a consignment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    Create,
    /// Holds the despatch time that was requested before the edit. If the edit leaves it unchanged it stays,
    /// even if it is past by now.
    Edit(Timestamp),
    Routes,
}

impl Purpose {
    /// Whether the request is for a consignment, not only for prices.
    fn is_whole(self) -> bool {
        self != Self::Routes
    }
}

/// Everything that the rules need besides the request.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RuleContext<'a> {
    pub(crate) catalogue: &'a Catalogue,
    pub(crate) company: &'a Company,
    pub(crate) now: Timestamp,
    pub(crate) form: OperationVariant,
    pub(crate) purpose: Purpose,
}

/// Ids of the questions that the API lists, with the option that each asks for.
const QUESTIONS: [(i64, &str); 5] = [
    (7, "hydraulic tailgate"),
    (8, "crane truck"),
    (13, "residential delivery"),
    (14, "authority to leave"),
    (36, "hand unload"),
];

/// Returns the option that a question id asks for.
pub(crate) fn question_name(id: i64) -> Option<&'static str> {
    QUESTIONS
        .iter()
        .find(|(known, _)| *known == id)
        .map(|(_, name)| *name)
}

/// Applies every rule that needs no carrier.
pub(crate) fn check_order(
    context: &RuleContext<'_>,
    order: &ConsignmentRequest,
) -> Result<Job, Failure> {
    let mut refusals = Refusals::default();
    let from = address::check_party(context, order, &order.sender(), &mut refusals);
    let to = address::check_party(context, order, &order.receiver(), &mut refusals);
    if let (Some(from), Some(to)) = (&from, &to) {
        countries(order, from, to, &mut refusals);
    }
    let international = order.is_international == Some(true);
    if international && context.form == OperationVariant::Simple {
        let message = "International consignments need the operation with complex items";
        refusals.add("isInternational", message);
    }
    let is_there = |side: &Party| side.place.country == "NZL";
    let new_zealand = from.as_ref().is_some_and(is_there) && to.as_ref().is_some_and(is_there);
    let items::CheckedItems { lines, dangerous } =
        items::lines(context, order, international, new_zealand, &mut refusals);
    declaration(context, order, dangerous, &mut refusals);
    let custom_values = options(order, &mut refusals);
    let origin = from
        .as_ref()
        .map(|side| context.catalogue.time_zone(&side.place.time_zone));
    let not_before = refusals.keep(not_before(context, order, origin));
    match (from, to, not_before) {
        (Some(from), Some(to), Some(not_before)) if refusals.is_empty() => Ok(Job {
            company_id: context.company.id,
            from,
            to,
            lines,
            international,
            not_before,
            question_ids: order.question_ids.clone(),
            customer_reference: order.customer_reference.clone(),
            customer_reference2: order.customer_reference2.clone(),
            special_instructions: order.special_instructions.clone(),
            receiver_account: order.receiver_account_code.clone(),
            receiver_account_id: order.receiver_account_id.clone(),
            sending_tracking_email: order.sending_tracking_email.unwrap_or(false),
            printer_token: order.printer_token.clone(),
            custom_values,
            staff_member_name: order.staff_member_name.clone(),
        }),
        _ => Err(refusals.into()),
    }
}

/// Checks that an international consignment has exactly one end in Australia, and that any other consignment
/// stays inside one country.
fn countries(order: &ConsignmentRequest, from: &Party, to: &Party, refusals: &mut Refusals) {
    let (from, to) = (from.place.country.as_str(), to.place.country.as_str());
    let international = order.is_international == Some(true);
    if international && from != AUSTRALIA && to != AUSTRALIA {
        refusals.whole("Either the from or the to location must be in Australia");
    } else if international && from == to {
        refusals.add("isInternational", "Both locations are in Australia");
    } else if !international && from != to {
        let message = "isInternational must be true for international consignments";
        refusals.add("isInternational", message);
    }
}

/// Checks the dangerous goods declaration. It is required if the company has dangerous goods enabled, and
/// must agree with the items.
fn declaration(
    context: &RuleContext<'_>,
    order: &ConsignmentRequest,
    holds: bool,
    refusals: &mut Refusals,
) {
    let enabled = context.company.dangerous_goods;
    let simple = context.form == OperationVariant::Simple;
    let message = match order.dgs_declaration {
        declared if !enabled && (holds || declared == Some(true)) => {
            "Dangerous goods are not enabled for this company"
        }
        None if enabled && context.purpose.is_whole() => return refusals.whole(MUST_DECLARE),
        // Already refused at the item.
        _ if holds && simple => return,
        Some(false) if holds => "No Dangerous Goods have been declared yet an item holds some",
        Some(true) if simple => items::NEEDS_COMPLEX,
        Some(true) if !holds => "Dangerous Goods have been declared yet no item holds any",
        _ => return,
    };
    refusals.add("dgsDeclaration", message);
}

/// Checks the receiver's account and the question ids, and returns the custom values.
fn options(order: &ConsignmentRequest, refusals: &mut Refusals) -> Vec<CustomValue> {
    if order.receiver_account_code.is_some() && order.receiver_account_id.is_some() {
        refusals.whole("Cannot set both ReceiverAccountCode and ReceiverAccountId");
    }
    let asked = order.question_ids.iter();
    for id in asked.filter(|id| question_name(**id).is_none()) {
        refusals.add("questionIds", format!("Question {id} is not known"));
    }
    custom_values(order, refusals)
}

/// Reads the custom values: options of a carrier, which are stored as sent. Names must be unique, and
/// `AreDutiesPaidByRecipient` must be true or false.
fn custom_values(order: &ConsignmentRequest, refusals: &mut Refusals) -> Vec<CustomValue> {
    let sent = order.custom_values.as_deref().unwrap_or_default();
    let mut kept: Vec<CustomValue> = Vec::with_capacity(sent.len());
    for (index, custom) in sent.iter().enumerate() {
        let field = |name: &str| format!("customValues[{index}].{name}");
        let Some(name) = custom.property_name.clone() else {
            let message = "Custom value property name is required";
            refusals.add(field("propertyName"), message);
            continue;
        };
        if kept.iter().any(|other| other.property_name == name) {
            let message = format!("Custom value {name} is sent twice");
            refusals.add(field("propertyName"), message);
            continue;
        }
        if let Some(value) = custom_value(&name, custom) {
            let property_name = name;
            kept.push(CustomValue {
                property_name,
                value,
            });
        } else if name == DUTIES_BY_RECIPIENT {
            refusals.add(field("value"), format!("{name} must be true or false"));
        } else {
            let message = format!("{name} must be text, a number, true or false");
            refusals.add(field("value"), message);
        }
    }
    kept
}

/// Returns the value to store, or `None` if it is invalid. Pending consignments send values as text, so the
/// text of a boolean counts as a boolean.
fn custom_value(name: &str, custom: &CustomValueOrder) -> Option<Value> {
    match &custom.value {
        Value::Array(_) | Value::Object(_) => None,
        _ if name != DUTIES_BY_RECIPIENT => Some(custom.value.clone()),
        Value::Bool(_) => Some(custom.value.clone()),
        Value::String(text) => text.to_ascii_lowercase().parse().ok().map(Value::Bool),
        _ => None,
    }
}

/// Returns the earliest despatch time. UTC takes precedence over local time, and a missing or past time becomes now.
/// An edit that leaves the time unchanged keeps it. `origin` is the time zone of the pickup place, if known. Create
/// requests spell the field `dispatch…` and routes requests `despatch…`; the other spelling is ignored.
fn not_before(
    context: &RuleContext<'_>,
    order: &ConsignmentRequest,
    origin: Option<TimeZone>,
) -> Result<Timestamp, Refusal> {
    let (utc, local, name) = if context.purpose.is_whole() {
        let (utc, local) = (
            &order.dispatch_date_time_utc,
            &order.dispatch_date_time_local,
        );
        (utc, local, "dispatchDateTime")
    } else {
        let (utc, local) = (
            &order.despatch_date_time_utc,
            &order.despatch_date_time_local,
        );
        (utc, local, "despatchDateTime")
    };
    let invalid = |suffix: &str, text: &str| {
        let message = format!("{text} is not a date and time");
        Refusal::new(format!("{name}{suffix}"), message)
    };
    let asked = match (utc, local, origin) {
        (Some(text), _, _) => read_utc(text).ok_or_else(|| invalid("Utc", text))?,
        (None, Some(text), Some(origin)) => {
            let moment = read_local(text).and_then(|civil| origin.to_timestamp(civil).ok());
            moment.ok_or_else(|| invalid("Local", text))?
        }
        _ => context.now,
    };
    match context.purpose {
        // Compared to the second, because the editable form has no fractions of a second.
        Purpose::Edit(kept) if kept.as_second() == asked.as_second() => Ok(kept),
        _ => Ok(asked.max(context.now)),
    }
}

/// Applies the rules for pending consignments: every field is optional, but a field that is sent must be valid. Of
/// the goods, only the item types are checked; the rest is checked on conversion to a consignment.
pub(crate) fn check_pending(
    context: &RuleContext<'_>,
    order: &ConsignmentRequest,
) -> Result<(), Failure> {
    let mut refusals = Refusals::default();
    check_pending_party(context, order, &order.sender(), &mut refusals);
    let receiver = order.receiver();
    check_pending_party(context, order, &receiver, &mut refusals);
    let has_contact = receiver.fields.contact.is_some();
    if !receiver.is_saved() && receiver.has_address() && !has_contact {
        refusals.refuse(required(member("to", "Contact"), "to contact"));
    }
    let linked = |id: i64| {
        let mut accounts = context.company.accounts.iter();
        accounts.any(|account| account.carrier_id == id)
    };
    if order.carrier_id.is_some_and(|id| !linked(id)) {
        refusals.add("carrierId", CARRIER_NOT_AVAILABLE);
    }
    options(order, &mut refusals);
    for (index, sent) in order.items.iter().flatten().enumerate() {
        if let Some(kind) = &sent.item_type
            && items::packaging(kind).is_none()
        {
            let message = format!("Item type {kind} is not known");
            refusals.add(item_member(index, "itemType"), message);
        }
    }
    refusals.into_result(())
}

fn check_pending_party(
    context: &RuleContext<'_>,
    order: &ConsignmentRequest,
    sent: &PartyRequest<'_>,
    refusals: &mut Refusals,
) {
    if sent.is_saved() {
        refusals.keep(address::saved(context, sent));
        return;
    }
    let geography = &context.catalogue.geography;
    // Two-letter and three-letter codes are accepted: the API's documentation shows both for pending
    // consignments.
    let country_code = sent.fields.country_code.as_deref();
    if let Some(code) = country_code
        && geography.country_by_code_or_name(code).is_none()
    {
        let title = address::title(sent.prefix);
        let message = format!("{title} country code {code} is not served");
        refusals.add(member(sent.prefix, "CountryCode"), message);
    }
    let home = |code: &str| code.eq_ignore_ascii_case(AUSTRALIA) || code.eq_ignore_ascii_case("AU");
    let abroad =
        order.is_international == Some(true) || country_code.is_some_and(|code| !home(code));
    if sent.fields.location.is_some() && !abroad {
        refusals.keep(address::suburb(context, sent));
    }
    address::check_email(sent, refusals);
}

/// Returns the requested company, or the user's own if none is requested.
pub(crate) fn company<'a>(
    catalogue: &'a Catalogue,
    user: &User,
    asked: Option<i64>,
) -> Result<&'a Company, Refusal> {
    let id = asked.unwrap_or(user.company_id);
    let allowed = company_and_descendants(catalogue, user.company_id);
    let company = catalogue.company(id).filter(|_| allowed.contains(&id));
    company.ok_or_else(|| Refusal::general("Invalid Company ID"))
}

/// Returns the ids of a company and of all companies below it.
pub(crate) fn company_and_descendants(catalogue: &Catalogue, id: i64) -> Vec<i64> {
    let mut found = vec![id];
    let mut next = 0;
    while let Some(&parent) = found.get(next) {
        for company in &catalogue.companies {
            if company.parent_company_id == Some(parent) && !found.contains(&company.id) {
                found.push(company.id);
            }
        }
        next += 1;
    }
    found
}

/// Joins prefix and name: `from` and `Name` give `fromName`.
fn member(prefix: &str, name: &str) -> String {
    format!("{prefix}{name}")
}

/// Returns the name of an item's field, such as `items[2].quantity`.
fn item_member(index: usize, name: &str) -> String {
    format!("items[{index}].{name}")
}

/// Returns the refusal for a missing field.
fn required(member: String, what: &str) -> Refusal {
    let (first, rest) = what.split_at(1.min(what.len()));
    let first = first.to_ascii_uppercase();
    Refusal::new(member, format!("{first}{rest} is required"))
}
