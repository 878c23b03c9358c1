//! Pending consignments: drafts on the service, which a user later converts into consignments.

use serde_json::{Value, json};

use super::Call;
use super::create::{RouteSelection, create_consignment};
use crate::catalogue::catalogue;
use crate::rules::{self, AUSTRALIA, OperationVariant, Purpose};
use crate::wire::{Answer, ConsignmentRequest, Failure, Refusal, Reply};

pub(crate) fn create_pending(call: &Call<'_>) -> Reply {
    // Stored exactly as sent, once it has been read and has passed the rules.
    let document = Value::Object(call.body()?);
    let order = ConsignmentRequest::of_pending(document.clone());
    let order = order
        .map_err(|error| Failure::Unreadable(format!("The request could not be read: {error}")))?;
    let company = rules::company(call.user, order.company_id)?;
    let context = call.rule_context(company, OperationVariant::Complex, Purpose::Create);
    rules::check_pending(&context, &order)?;
    let selection = order.default_route_selection.as_ref();
    if selection.is_some_and(|said| !said.is_null()) {
        RouteSelection::of(&order)?;
    }
    let mut store = call.store();
    let id = store.insert_pending(company.id, call.user.id, context.now, &document)?;
    Ok(json!({ "id": id, "consignmentNumber": format!("PC{id}") }).into())
}

pub(crate) fn delete_pending(call: &Call<'_>) -> Reply {
    let ids = call.ids()?;
    if ids.is_empty() {
        return Err(Refusal::general("Pending consignment ids are required").into());
    }
    check_linked(call, &ids)?;
    call.store().delete_pending(&ids)?;
    Ok(Answer::Done)
}

/// Handles `practice/convertPendingConsignment`, which exists in the practice service only. Does what a user
/// does to complete the draft in a real service's own window.
pub(crate) fn convert_pending(call: &Call<'_>) -> Reply {
    let id = call.required_number("id")?;
    check_linked(call, &[id])?;
    let found = call.store().pending(id)?;
    let (company_id, document) = found.ok_or_else(|| gone(id))?;
    let document = serde_json::from_str(&document).map_err(Failure::broken)?;
    let order = ConsignmentRequest::of_pending(document).map_err(Failure::broken)?;
    let order = completed(company_id, order, id);
    create_consignment(call, &order, OperationVariant::Complex)
}

/// Fills in the values that a real service's window adds automatically: the company, the dangerous goods
/// declaration, the international flag and three-letter country codes.
fn completed(company_id: i64, mut order: ConsignmentRequest, id: i64) -> ConsignmentRequest {
    for party in [&mut order.from, &mut order.to] {
        let Some(code) = &mut party.country_code else {
            continue;
        };
        if let Some(country) = catalogue().country_by_code_or_name(code) {
            code.clone_from(&country.code);
        }
        if code != AUSTRALIA {
            order.is_international.get_or_insert(true);
        }
    }
    let items = order.items.iter().flatten();
    let goods = items.map(|item| &item.consignment_item_dg_items);
    let holds = goods.flatten().flatten().next().is_some();
    order.dgs_declaration.get_or_insert(holds);
    order.company_id = Some(company_id);
    order.linked_pending_consignment_ids = vec![id];
    order
}

/// Checks that all pending consignments exist and that the user may see them.
pub(super) fn check_linked(call: &Call<'_>, ids: &[i64]) -> Result<(), Failure> {
    for id in ids {
        let found = call.store().pending(*id)?;
        if !found.is_some_and(|(company_id, _)| call.is_visible(company_id)) {
            return Err(gone(*id).into());
        }
    }
    Ok(())
}

fn gone(id: i64) -> Refusal {
    Refusal::general(format!("Pending consignment {id} was not found"))
}
