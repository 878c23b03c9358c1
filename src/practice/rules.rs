//! Rules of the interface for create and routes requests: turns a request into a [`Job`], or lists everything
//! that is wrong with it.
//!
//! Nothing is priced or stored here. Messages that the interface specifies are used word for word; the others
//! are ours.

mod address;
mod company;
mod custom_values;
mod customs;
mod dangerous_goods;
mod despatch_time;
mod items;
mod pending;
mod pickup;

use jiff::Timestamp;

use super::catalogue::{Catalogue, Company};
use super::consignment::{Job, Party};
use super::wire::{ConsignmentRequest, Failure, Refusal, Refusals};

pub(crate) use address::AUSTRALIA;
pub(crate) use company::{company, company_and_descendants};
pub(crate) use pending::{CARRIER_NOT_AVAILABLE, check_pending};
pub(crate) use pickup::{PickupHours, is_valid_pickup};

/// Message for a consignment that can no longer be edited, deleted or manifested.
pub(crate) const ALREADY_MANIFESTED: &str = "Consignment already manifested";

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

/// Ids of the questions that the interface lists, with the option that each asks for.
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
        refusals.add(
            "isInternational",
            "International consignments need the operation with complex items",
        );
    }
    let new_zealand = [&from, &to].iter().all(|side| {
        side.as_ref()
            .is_some_and(|side| side.place.country == "NZL")
    });
    let items::CheckedItems { lines, dangerous } =
        items::lines(context, order, international, new_zealand, &mut refusals);
    declaration(context, order, dangerous, &mut refusals);
    if order.receiver_account_code.is_some() && order.receiver_account_id.is_some() {
        refusals.whole("Cannot set both ReceiverAccountCode and ReceiverAccountId");
    }
    for id in order
        .question_ids
        .iter()
        .filter(|id| question_name(**id).is_none())
    {
        refusals.add("questionIds", format!("Question {id} is not known"));
    }
    let custom_values = custom_values::values(order, &mut refusals);
    let origin = from
        .as_ref()
        .map(|side| context.catalogue.time_zone(&side.place.time_zone));
    let not_before = refusals.keep(despatch_time::not_before(context, order, origin));
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
        _ => Err(refusals.into_failure()),
    }
}

/// Checks that an international consignment has exactly one end in Australia, and that any other consignment
/// stays inside one country.
fn countries(order: &ConsignmentRequest, from: &Party, to: &Party, refusals: &mut Refusals) {
    let (from, to) = (from.place.country.as_str(), to.place.country.as_str());
    match order.is_international {
        Some(true) if from != AUSTRALIA && to != AUSTRALIA => {
            refusals.whole("Either the from or the to location must be in Australia");
        }
        Some(true) if from == to => {
            refusals.add("isInternational", "Both locations are in Australia");
        }
        Some(true) => {}
        _ if from != to => refusals.add(
            "isInternational",
            "isInternational must be true for international consignments",
        ),
        _ => {}
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
    if !enabled && (holds || order.dgs_declaration == Some(true)) {
        refusals.add(
            "dgsDeclaration",
            "Dangerous goods are not enabled for this company",
        );
        return;
    }
    match order.dgs_declaration {
        None if enabled && context.purpose.is_whole() => refusals.whole(MUST_DECLARE),
        // Already refused at the item.
        _ if holds && context.form == OperationVariant::Simple => {}
        Some(false) if holds => {
            refusals.add(
                "dgsDeclaration",
                "No Dangerous Goods have been declared yet an item holds some",
            );
        }
        Some(true) if context.form == OperationVariant::Simple => {
            refusals.add("dgsDeclaration", items::NEEDS_COMPLEX);
        }
        Some(true) if !holds => {
            refusals.add(
                "dgsDeclaration",
                "Dangerous Goods have been declared yet no item holds any",
            );
        }
        _ => {}
    }
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
    let mut letters = what.chars();
    let first = letters
        .next()
        .map(|letter| letter.to_ascii_uppercase())
        .into_iter();
    Refusal::new(
        member,
        format!("{} is required", first.chain(letters).collect::<String>()),
    )
}
