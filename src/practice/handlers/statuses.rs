//! Status updates that users make by hand.
//!
//! A call is applied completely or not at all. Only a manifested consignment can be cancelled, this needs
//! [`Permission::Cancel`], and the carrier is not notified.

use jiff::Timestamp;

use super::{Call, PracticeService, ids_required};
use crate::permission::Permission;
use crate::status::{ConsignmentRecord, Status, StatusEvent};
use crate::store::StatusChange;
use crate::wire::{Answer, Failure, Refusal, StatusUpdateRequest, read_local};

/// Handles `consignments/updateConsignmentStatuses`.
pub(crate) fn update_statuses(desk: &PracticeService, call: &Call) -> Result<Answer, Failure> {
    let orders: Vec<StatusUpdateRequest> = call.records()?;
    if orders.is_empty() {
        return Err(ids_required().into());
    }
    let mut changes: Vec<StatusChange> = Vec::with_capacity(orders.len());
    for (index, order) in orders.iter().enumerate() {
        let tracked = find(desk, call, index, order)?;
        let id = tracked.consignment.id;
        let mut earlier = changes.iter().rev();
        let earlier = earlier.find(|change| change.consignment_id == id);
        let now = earlier.map_or(tracked.status, StatusChange::after);
        changes.push(change(desk, call, index, order, &tracked, now)?);
    }
    if desk.store().change_statuses(&changes)? {
        Ok(Answer::Done)
    } else {
        let message = "Consignment status has changed in the meantime: refresh and try again";
        Err(Refusal::general(message).into())
    }
}

fn find(
    desk: &PracticeService,
    call: &Call,
    index: usize,
    order: &StatusUpdateRequest,
) -> Result<ConsignmentRecord, Failure> {
    let field = format!("[{index}].consignmentId");
    let Some(id) = order.consignment_id else {
        return Err(Refusal::new(field, "consignmentId is required").into());
    };
    desk.visible(call, &field, id)
}

fn change(
    desk: &PracticeService,
    call: &Call,
    index: usize,
    order: &StatusUpdateRequest,
    tracked: &ConsignmentRecord,
    before: Status,
) -> Result<StatusChange, Failure> {
    let field = |name: &str| format!("[{index}].{name}");
    let wanted = wanted(order).map_err(|wording| Refusal::new(field("status"), wording))?;
    if wanted == Status::Cancelled {
        call.user.check(Permission::Cancel)?;
    }
    check_transition(before, wanted).map_err(|wording| Refusal::new(field("status"), wording))?;
    let at = moment(desk, order, tracked)
        .map_err(|wording| Refusal::new(field("statusDateTimeLocal"), wording))?;
    let reference = order.item_reference.as_deref();
    let lines = &tracked.consignment.job.lines;
    let known = |reference: &str| {
        let mut references = lines.iter().flat_map(|line| &line.references);
        references.any(|known| known == reference)
    };
    if let Some(reference) = reference {
        let wording = if wanted == Status::Cancelled {
            Some("A single item cannot be cancelled".to_owned())
        } else if known(reference) {
            None
        } else {
            let wording = "does not belong to this consignment";
            Some(format!("Item reference {reference} {wording}"))
        };
        if let Some(wording) = wording {
            return Err(Refusal::new(field("itemReference"), wording).into());
        }
    }
    let event = StatusEvent {
        partial: reference.is_some() && tracked.consignment.job.pieces() > 1,
        information: order.extra_information.clone(),
        item_reference: order.item_reference.clone(),
        ..StatusEvent::new(wanted, at, &call.user.name, call.user.id)
    };
    Ok(StatusChange {
        consignment_id: tracked.consignment.id,
        before,
        event,
    })
}

fn wanted(order: &StatusUpdateRequest) -> Result<Status, String> {
    let id = order.status.ok_or("status is required")?;
    match Status::from_id(id) {
        Status::Other(id) => Err(format!("Status {id} is not known")),
        known => Ok(known),
    }
}

/// Checks whether a user may change the status `before` to `wanted`.
fn check_transition(before: Status, wanted: Status) -> Result<(), String> {
    match (before, wanted) {
        (_, Status::Unmanifested) => Err("Consignment cannot go back to Unmanifested".to_owned()),
        (_, Status::Quote | Status::Manifested | Status::Manifesting | Status::Deleted) => Err(
            format!("Status {} cannot be set by an update", wanted.name()),
        ),
        (Status::Cancelled, _) => Err("Consignment is cancelled".to_owned()),
        (Status::Manifested, Status::Cancelled) => Ok(()),
        (_, Status::Cancelled) => Err("Only a manifested consignment can be cancelled".to_owned()),
        (Status::Unmanifested, _) => Err("Consignment is not manifested yet".to_owned()),
        _ => Ok(()),
    }
}

/// Returns the time of the update: the time sent, in the time zone of the pickup place, or else now.
fn moment(
    desk: &PracticeService,
    order: &StatusUpdateRequest,
    tracked: &ConsignmentRecord,
) -> Result<Timestamp, String> {
    let now = desk.clock.now();
    let Some(text) = order.status_date_time_local.as_deref() else {
        return Ok(now);
    };
    let zone = &tracked.consignment.job.from.place.time_zone;
    let civil = read_local(text);
    let zoned = civil.and_then(|civil| civil.to_zoned(desk.catalogue.time_zone(zone)).ok());
    let at = zoned.ok_or_else(|| format!("{text} is not a date and time"))?;
    if at.timestamp() > now {
        return Err("Status date cannot be in the future".to_owned());
    }
    Ok(at.timestamp())
}
