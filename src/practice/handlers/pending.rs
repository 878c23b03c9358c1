//! Pending consignments: drafts on the service, which a user later converts into consignments.

use serde_json::{Value, json};

use super::create::{RouteSelection, create_consignment};
use super::{Call, PracticeService};
use crate::rules::{self, AUSTRALIA, OperationVariant, Purpose};
use crate::store::User;
use crate::wire::{Answer, ConsignmentRequest, Failure, PendingRequest, Refusal};

/// Handles `pendingConsignments/createPendingConsignment`.
pub(crate) fn create_pending(desk: &PracticeService, call: &Call) -> Result<Answer, Failure> {
    // Stored exactly as sent, once it has been read and has passed the rules.
    let document: Value = call.body()?;
    let order: ConsignmentRequest = call.record::<PendingRequest>()?.into();
    let company = rules::company(&desk.catalogue, &call.user, order.company_id)?;
    let context = desk.rule_context(company, OperationVariant::Complex, Purpose::Create);
    rules::check_pending(&context, &order)?;
    let selection = order.default_route_selection.as_ref();
    if selection.is_some_and(|said| !said.is_null()) {
        RouteSelection::of(&order)?;
    }
    let (user, now) = (call.user.id, context.now);
    let id = desk
        .store()
        .insert_pending(company.id, user, now, &document)?;
    let number = format!("PC{id}");
    Ok(Answer::Object(
        json!({ "id": id, "consignmentNumber": number }),
    ))
}

/// Handles `pendingConsignments/deletePendingConsignments`.
pub(crate) fn delete_pending(desk: &PracticeService, call: &Call) -> Result<Answer, Failure> {
    let ids = call.ids()?;
    if ids.is_empty() {
        return Err(Refusal::general("Pending consignment ids are required").into());
    }
    check_linked(desk, &call.user, &ids)?;
    desk.store().delete_pending(&ids)?;
    Ok(Answer::Done)
}

/// Handles `practice/convertPendingConsignment`, which exists in the practice service only. Does what a user
/// does to complete the draft in a real service's own window.
pub(crate) fn convert_pending(desk: &PracticeService, call: &Call) -> Result<Answer, Failure> {
    let id = call.required_number("id")?;
    check_linked(desk, &call.user, &[id])?;
    let found = desk.store().pending(id)?;
    let (company_id, document) = found.ok_or_else(|| gone(id))?;
    let read = serde_json::from_str::<PendingRequest>(&document);
    let order = read.map_err(Failure::broken)?;
    let order = completed(desk, company_id, order.into(), id);
    let tracked = create_consignment(desk, &call.user, &order, OperationVariant::Complex)?;
    Ok(desk.created(&tracked))
}

/// Fills in the values that a real service's window adds automatically: the company, the dangerous goods
/// declaration, the international flag and three-letter country codes.
fn completed(
    desk: &PracticeService,
    company_id: i64,
    mut order: ConsignmentRequest,
    id: i64,
) -> ConsignmentRequest {
    let geography = &desk.catalogue.geography;
    order.spell_countries(|code| geography.three_letter_code(code).map(str::to_owned));
    let abroad = |code: Option<&str>| code.is_some_and(|code| code != AUSTRALIA);
    if abroad(order.from.country_code.as_deref()) || abroad(order.to.country_code.as_deref()) {
        order.is_international = order.is_international.or(Some(true));
    }
    let mut goods = order
        .items
        .iter()
        .flatten()
        .map(|item| &item.consignment_item_dg_items);
    let holds = goods.any(|goods| goods.iter().flatten().next().is_some());
    order.dgs_declaration = order.dgs_declaration.or(Some(holds));
    order.company_id = Some(company_id);
    order.linked_pending_consignment_ids = vec![id];
    order
}

/// Checks that all pending consignments exist and that the user may see them.
pub(super) fn check_linked(
    desk: &PracticeService,
    user: &User,
    ids: &[i64],
) -> Result<(), Failure> {
    for id in ids {
        let found = desk.store().pending(*id)?;
        if !found.is_some_and(|(company_id, _)| desk.is_visible(user, company_id)) {
            return Err(gone(*id).into());
        }
    }
    Ok(())
}

fn gone(id: i64) -> Refusal {
    Refusal::general(format!("Pending consignment {id} was not found"))
}
