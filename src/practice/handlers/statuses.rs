//! Status updates that users make by hand.
//!
//! A call is applied completely or not at all. Only a manifested consignment can be cancelled. Cancelling needs
//! [`Permission::CANCEL`] and does not notify the carrier.

use super::{Call, Permission, ids_required};
use crate::catalogue::{catalogue, time_zone};
use crate::consignment::{ConsignmentRecord, Status, StatusEvent};
use crate::store::StatusChange;
use crate::wire::{Answer, Failure, Refusal, Reply, StatusUpdateRequest, read_local};

pub(crate) fn update_statuses(call: &Call<'_>) -> Reply {
    let orders: Vec<StatusUpdateRequest> = call.records()?;
    if orders.is_empty() {
        return Err(ids_required().into());
    }
    let mut changes: Vec<StatusChange> = Vec::with_capacity(orders.len());
    for (index, order) in orders.iter().enumerate() {
        let field = |name: &str| format!("[{index}].{name}");
        let missing = || Refusal::new(field("consignmentId"), "consignmentId is required");
        let id = order.consignment_id.ok_or_else(missing)?;
        let record = call.visible(&field("consignmentId"), id)?;
        let mut earlier = changes.iter().rev();
        let earlier = earlier.find(|change| change.consignment_id == id);
        let before = earlier.map_or(record.status, StatusChange::after);
        let status = known_status(order.status);
        let status = status.map_err(|message| Refusal::new(field("status"), message))?;
        if status == Status::CANCELLED {
            call.user.check(Permission::CANCEL)?;
        }
        let event = event(call, order, &record, before, status);
        let refused = |(name, message)| Failure::from(Refusal::new(field(name), message));
        changes.push(StatusChange {
            consignment_id: id,
            before,
            event: event.map_err(refused)?,
        });
    }
    if call.store().change_statuses(&changes)? {
        Ok(Answer::Done)
    } else {
        let message = "Consignment status has changed in the meantime: refresh and try again";
        Err(Refusal::general(message).into())
    }
}

fn known_status(sent: Option<i64>) -> Result<Status, String> {
    let id = sent.ok_or("status is required")?;
    let mut known = catalogue().values.statuses.iter();
    let is_known = known.any(|info| info.id == id);
    let status = is_known.then_some(Status(id));
    status.ok_or_else(|| format!("Status {id} is not known"))
}

/// Returns the event of an update, or the name of the field that is wrong and a message.
fn event(
    call: &Call<'_>,
    order: &StatusUpdateRequest,
    record: &ConsignmentRecord,
    before: Status,
    status: Status,
) -> Result<StatusEvent, (&'static str, String)> {
    check_transition(before, status).map_err(|message| ("status", message))?;
    let job = &record.consignment.job;
    let mut at = call.now();
    if let Some(text) = &order.status_date_time_local {
        let refused = |message| Err(("statusDateTimeLocal", message));
        let zone = time_zone(&job.from.place.time_zone);
        let sent = read_local(text).and_then(|civil| civil.to_zoned(zone).ok());
        match sent.map(|sent| sent.timestamp()) {
            None => return refused(format!("{text} is not a date and time")),
            Some(sent) if sent > at => {
                return refused("Status date cannot be in the future".to_owned());
            }
            Some(sent) => at = sent,
        }
    }
    if let Some(reference) = &order.item_reference {
        let mut references = job.lines.iter().flat_map(|line| &line.references);
        let refused = |message| Err(("itemReference", message));
        if status == Status::CANCELLED {
            return refused("A single item cannot be cancelled".to_owned());
        }
        if !references.any(|known| known == reference) {
            let lack = "does not belong to this consignment";
            return refused(format!("Item reference {reference} {lack}"));
        }
    }
    Ok(StatusEvent {
        partial: order.item_reference.is_some() && job.pieces() > 1,
        information: order.extra_information.clone(),
        item_reference: order.item_reference.clone(),
        ..StatusEvent::new(status, at, &call.user.name, call.user.id)
    })
}

/// Checks whether a user may change the status `before` to `wanted`.
fn check_transition(before: Status, wanted: Status) -> Result<(), String> {
    let message = match (before, wanted) {
        (_, Status::UNMANIFESTED) => "Consignment cannot go back to Unmanifested",
        (_, wanted) if wanted.info().by_system => {
            let name = wanted.info().name;
            return Err(format!("Status {name} cannot be set by an update"));
        }
        (Status::CANCELLED, _) => "Consignment is cancelled",
        (Status::MANIFESTED, Status::CANCELLED) => return Ok(()),
        (_, Status::CANCELLED) => "Only a manifested consignment can be cancelled",
        (Status::UNMANIFESTED, _) => "Consignment is not manifested yet",
        _ => return Ok(()),
    };
    Err(message.to_owned())
}
