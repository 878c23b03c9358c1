//! Rules for pending consignments: every field is optional, but a field that is sent must be valid.

use super::address::{self, AUSTRALIA};
use super::{RuleContext, items, member, question_name, required};
use crate::wire::{ConsignmentRequest, Failure, PartyRequest, Refusal, Refusals};

/// Applies every rule. Of the goods, only the item types are checked; the rest is checked on conversion
/// to a consignment.
pub(crate) fn check_pending(
    context: &RuleContext<'_>,
    order: &ConsignmentRequest,
) -> Result<(), Failure> {
    let mut refusals = Refusals::default();
    check_party(context, order, &order.sender(), &mut refusals);
    let receiver = order.receiver();
    check_party(context, order, &receiver, &mut refusals);
    let saved = receiver.company_location_id.is_some() || receiver.abbreviation.is_some();
    if !saved && receiver.has_address() && receiver.contact.is_none() {
        refusals.keep::<()>(Err(required(member("to", "Contact"), "to contact")));
    }
    let linked = |id: i64| {
        let mut accounts = context.company.accounts.iter();
        accounts.any(|account| account.carrier_id == id)
    };
    if order.carrier_id.is_some_and(|id| !linked(id)) {
        refusals.add("carrierId", CARRIER_NOT_AVAILABLE);
    }
    if order.receiver_account_code.is_some() && order.receiver_account_id.is_some() {
        refusals.whole("Cannot set both ReceiverAccountCode and ReceiverAccountId");
    }
    let unknown = order
        .question_ids
        .iter()
        .filter(|id| question_name(**id).is_none());
    for id in unknown {
        refusals.add("questionIds", format!("Question {id} is not known"));
    }
    super::custom_values::values(order, &mut refusals);
    for (index, sent) in order.items.iter().flatten().enumerate() {
        if sent
            .item_type
            .as_deref()
            .is_some_and(|kind| items::packaging(kind).is_none())
        {
            let kind = sent.item_type.as_deref().unwrap_or_default();
            let field = super::item_member(index, "itemType");
            refusals.add(field, format!("Item type {kind} is not known"));
        }
    }
    if refusals.is_empty() {
        Ok(())
    } else {
        Err(refusals.into_failure())
    }
}

pub(crate) const CARRIER_NOT_AVAILABLE: &str = "Selected carrier is not available for this company";

fn check_party(
    context: &RuleContext<'_>,
    order: &ConsignmentRequest,
    sent: &PartyRequest<'_>,
    refusals: &mut Refusals,
) {
    if sent.company_location_id.is_some() || sent.abbreviation.is_some() {
        refusals.keep(address::saved(context, sent));
        return;
    }
    if let Some(code) = sent.country_code {
        refusals.keep(country(context, sent.prefix, code));
    }
    let home = |code: &str| code.eq_ignore_ascii_case(AUSTRALIA) || code.eq_ignore_ascii_case("AU");
    let abroad =
        order.is_international == Some(true) || sent.country_code.is_some_and(|code| !home(code));
    if sent.location.is_some() && !abroad {
        refusals.keep(address::suburb(context, sent));
    }
    if sent.email.is_some_and(|email| !address::is_email(email)) {
        let field = member(sent.prefix, "Email");
        refusals.add(field, "String is not a valid email address");
    }
}

/// Accepts two-letter and three-letter codes: the interface shows both for pending consignments.
fn country(context: &RuleContext<'_>, prefix: &str, code: &str) -> Result<(), Refusal> {
    match context.catalogue.geography.three_letter_code(code) {
        Some(_) => Ok(()),
        None => Err(Refusal::new(
            member(prefix, "CountryCode"),
            format!(
                "{} country code {code} is not served",
                address::title(prefix)
            ),
        )),
    }
}
