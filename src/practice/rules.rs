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

use super::catalogue::{Company, catalogue, time_zone};
use super::consignment::{DUTIES_BY_RECIPIENT, Job, Party};
use super::handlers::User;
use super::wire::{
    ConsignmentRequest, CustomValue, Failure, Options, PartyRequest, Refusal, Refusals, read_local,
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
    /// Holds the despatch time that was requested before the edit. An edit that does not change this time keeps it,
    /// even if it is now in the past.
    Edit(Timestamp),
    Routes,
}

impl Purpose {
    /// Returns whether the request is for a consignment, not only for prices.
    fn is_whole(self) -> bool {
        self != Self::Routes
    }
}

/// Everything that the rules need besides the request.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RuleContext {
    pub(crate) company: &'static Company,
    pub(crate) now: Timestamp,
    pub(crate) form: OperationVariant,
    pub(crate) purpose: Purpose,
}

/// Applies every rule that needs no carrier.
pub(crate) fn check_order(
    context: &RuleContext,
    order: &ConsignmentRequest,
) -> Result<Job, Failure> {
    let mut refusals = Refusals::default();
    let parties = order.parties();
    let [from, to] =
        parties.map(|party| address::check_party(context, order, &party, &mut refusals));
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
    let origin = from.as_ref().map(|side| time_zone(&side.place.time_zone));
    let not_before = refusals.keep(not_before(context, order, origin));
    match (from, to, not_before) {
        (Some(from), Some(to), Some(not_before)) if refusals.is_empty() => Ok(Job {
            company_id: context.company.id,
            from,
            to,
            lines,
            international,
            not_before,
            customer_reference: order.customer_reference.clone(),
            customer_reference2: order.customer_reference2.clone(),
            options: Options {
                custom_values,
                ..order.options.clone()
            },
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
        refusals.add_general("Either the from or the to location must be in Australia");
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
    context: &RuleContext,
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
        None if enabled && context.purpose.is_whole() => return refusals.add_general(MUST_DECLARE),
        // The rules for items have already refused the goods.
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
    let options = &order.options;
    if options.receiver_account_code.is_some() && options.receiver_account_id.is_some() {
        refusals.add_general("Cannot set both ReceiverAccountCode and ReceiverAccountId");
    }
    for id in &options.question_ids {
        if !catalogue().values.questions.contains_key(id) {
            refusals.add("questionIds", format!("Question {id} is not known"));
        }
    }
    custom_values(&options.custom_values, refusals)
}

/// Reads the custom values: options of a carrier, which are stored as sent. Names must be unique, and
/// `AreDutiesPaidByRecipient` must be true or false.
fn custom_values(sent: &[CustomValue], refusals: &mut Refusals) -> Vec<CustomValue> {
    let mut kept: Vec<CustomValue> = Vec::new();
    for (index, custom) in sent.iter().enumerate() {
        let mut fields = refusals.within(format!("customValues[{index}]"));
        let Some(name) = &custom.property_name else {
            fields.refuse("propertyName", "Custom value property name is required");
            continue;
        };
        if kept
            .iter()
            .any(|other| other.property_name.as_ref() == Some(name))
        {
            let message = format!("Custom value {name} is sent twice");
            fields.refuse("propertyName", message);
            continue;
        }
        if let Some(value) = custom_value(name, &custom.value) {
            let property_name = Some(name.clone());
            kept.push(CustomValue {
                property_name,
                value,
            });
        } else if name == DUTIES_BY_RECIPIENT {
            fields.refuse("value", format!("{name} must be true or false"));
        } else {
            fields.refuse(
                "value",
                format!("{name} must be text, a number, true or false"),
            );
        }
    }
    kept
}

/// Returns the value to store, or `None` if it is invalid. Pending consignments send values as text, so the
/// text of a boolean counts as a boolean.
fn custom_value(name: &str, value: &Value) -> Option<Value> {
    match value {
        Value::Array(_) | Value::Object(_) => None,
        _ if name != DUTIES_BY_RECIPIENT => Some(value.clone()),
        Value::Bool(_) => Some(value.clone()),
        Value::String(text) => text.to_ascii_lowercase().parse().ok().map(Value::Bool),
        _ => None,
    }
}

/// Returns the earliest despatch time. UTC takes precedence over local time, and a missing or past time becomes now.
/// An edit that leaves the time unchanged keeps it. `origin` is the time zone of the pickup place, if known. Create
/// requests spell the field `dispatch…` and routes requests `despatch…`; the other spelling is ignored.
fn not_before(
    context: &RuleContext,
    order: &ConsignmentRequest,
    origin: Option<TimeZone>,
) -> Result<Timestamp, Refusal> {
    let (dispatch, despatch) = (
        (
            &order.dispatch_date_time_utc,
            &order.dispatch_date_time_local,
        ),
        (
            &order.despatch_date_time_utc,
            &order.despatch_date_time_local,
        ),
    );
    let (name, (utc, local)) = if context.purpose.is_whole() {
        ("dispatchDateTime", dispatch)
    } else {
        ("despatchDateTime", despatch)
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
        // The times are compared in whole seconds, because the editable form has no fractions of a second.
        Purpose::Edit(kept) if kept.as_second() == asked.as_second() => Ok(kept),
        _ => Ok(asked.max(context.now)),
    }
}

/// Applies the rules for pending consignments: every field is optional, but a field that is sent must be valid. Of
/// the goods, only the item types are checked; the rest is checked on conversion to a consignment.
pub(crate) fn check_pending(
    context: &RuleContext,
    order: &ConsignmentRequest,
) -> Result<(), Failure> {
    let mut refusals = Refusals::default();
    let [sender, receiver] = order.parties();
    check_pending_party(context, order, &sender, &mut refusals);
    check_pending_party(context, order, &receiver, &mut refusals);
    let has_contact = receiver.fields.contact.is_some();
    if !receiver.is_saved() && receiver.has_address() && !has_contact {
        refusals.add("toContact", "To contact is required");
    }
    let is_linked = |id: i64| context.company.is_linked_to(id);
    if order.carrier_id.is_some_and(|id| !is_linked(id)) {
        refusals.add("carrierId", CARRIER_NOT_AVAILABLE);
    }
    options(order, &mut refusals);
    for (index, sent) in order.items.iter().flatten().enumerate() {
        if let Some(kind) = &sent.item_type
            && catalogue().values.item_type(kind).is_none()
        {
            let message = format!("Item type {kind} is not known");
            refusals.add(format!("items[{index}].itemType"), message);
        }
    }
    refusals.into_result(())
}

fn check_pending_party(
    context: &RuleContext,
    order: &ConsignmentRequest,
    sent: &PartyRequest<'_>,
    refusals: &mut Refusals,
) {
    if sent.is_saved() {
        refusals.keep(address::saved(context, sent));
        return;
    }
    // Two-letter and three-letter codes are accepted: the API's documentation shows both for pending
    // consignments.
    let country_code = sent.fields.country_code.as_deref();
    if let Some(code) = country_code
        && catalogue().country_by_code_or_name(code).is_none()
    {
        let message = format!("{} country code {code} is not served", sent.title());
        refusals.add(sent.field("CountryCode"), message);
    }
    let home = |code: &str| code.eq_ignore_ascii_case(AUSTRALIA) || code.eq_ignore_ascii_case("AU");
    let abroad =
        order.is_international == Some(true) || country_code.is_some_and(|code| !home(code));
    if sent.fields.location.is_some() && !abroad {
        refusals.keep(address::suburb(sent));
    }
    address::check_email(sent, refusals);
}

/// Returns the requested company, or the user's own if none is requested.
pub(crate) fn company(user: &User, asked: Option<i64>) -> Result<&'static Company, Refusal> {
    let id = asked.unwrap_or(user.company_id);
    let allowed = company_and_descendants(user.company_id);
    let company = catalogue().company(id).filter(|_| allowed.contains(&id));
    company.ok_or_else(|| Refusal::general("Invalid Company ID"))
}

/// Returns the ids of a company and of all companies below it.
pub(crate) fn company_and_descendants(id: i64) -> Vec<i64> {
    let mut found = vec![id];
    let mut next = 0;
    while let Some(&parent) = found.get(next) {
        for company in &catalogue().companies {
            if company.parent_company_id == Some(parent) && !found.contains(&company.id) {
                found.push(company.id);
            }
        }
        next += 1;
    }
    found
}
