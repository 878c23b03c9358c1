//! Books manifest groups with their carriers. Step 2 of manifesting; `group.rs` is step 1.
//!
//! Groups are independent: a group that cannot be booked reports the reason in its own result and does not
//! stop the others. The whole call is refused only when no group was booked and at least one broke a rule.

use jiff::civil::DateTime;
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;
use serde_json::{Value, json};

use super::group::find_unmanifested;
use super::{Call, PracticeService};
use crate::catalogue::Carrier;
use crate::rules::{
    self, ALREADY_MANIFESTED, CARRIER_NOT_AVAILABLE, MUST_DECLARE, PickupHours, is_valid_pickup,
};
use crate::status::{ConsignmentRecord, Status, StatusEvent};
use crate::store::NewManifest;
use crate::wire::{Answer, Failure, ManifestGroupRequest, Refusal, read_local};

/// Handles `manifests/manifest`.
pub(crate) fn manifest(desk: &PracticeService, call: &Call) -> Result<Answer, Failure> {
    let groups: Vec<ManifestGroupRequest> = call.records()?;
    if groups.is_empty() || groups.iter().any(|group| group.consignment_ids.is_empty()) {
        return Err(Refusal::general("ConsignmentIds are required").into());
    }
    for group in &groups {
        rules::company(&desk.catalogue, &call.user, group.company_id)?;
    }
    let mut results = Vec::with_capacity(groups.len());
    let mut refused = Vec::new();
    for group in &groups {
        match book(desk, call, group) {
            Ok(result) => results.push(result),
            Err(Failure::Refused(refusals)) => {
                let messages: Vec<&str> = refusals.iter().map(Refusal::message).collect();
                results.push(not_booked(group, &messages.join("; ")));
                refused.extend(refusals);
            }
            Err(other) => return Err(other),
        }
    }
    let all_refused = results
        .iter()
        .all(|result| result["bookingSuccessful"] == json!(false));
    if all_refused && !refused.is_empty() {
        return Err(Failure::Refused(refused));
    }
    Ok(Answer::Object(Value::Array(results)))
}

fn book(
    desk: &PracticeService,
    call: &Call,
    group: &ManifestGroupRequest,
) -> Result<Value, Failure> {
    let members = group
        .consignment_ids
        .iter()
        .map(|id| find_unmanifested(desk, call, *id));
    let members: Vec<ConsignmentRecord> = members.collect::<Result<_, _>>()?;
    let carrier = one_carrier(desk, group, &members)?;
    let holds = members
        .iter()
        .any(|tracked| tracked.consignment.job.holds_dangerous_goods());
    if holds && group.dgs_declaration != Some(true) {
        return Err(Refusal::general(MUST_DECLARE).into());
    }
    let spaces = group
        .pallet_spaces
        .map_or(Decimal::ZERO, |spaces| spaces.ceil());
    if !group.pickup_already_booked {
        check_pickup(desk, carrier, group, &members)?;
        // The carrier declines: a failed booking, not a refusal.
        if spaces
            .to_i64()
            .is_none_or(|spaces| spaces > carrier.max_pickup_spaces)
        {
            let most = carrier.max_pickup_spaces;
            return Ok(not_booked(
                group,
                &format!(
                    "{} takes at most {most} pallet spaces in one pickup",
                    carrier.name
                ),
            ));
        }
    }
    let now = desk.clock.now();
    let booked = StatusEvent::new(
        Status::Manifested,
        now,
        call.user.name.as_str(),
        call.user.id,
    );
    let company_id = group.company_id.unwrap_or(call.user.company_id);
    let made = desk.store().insert_manifest(&NewManifest {
        company_id,
        carrier_id: carrier.id,
        consignment_ids: &group.consignment_ids,
        booked: &booked,
        reference_prefix: Some(carrier.pickup_prefix.as_str()).filter(|_| !group.pickup_already_booked),
        document: &json!({
            "pickupDateTime": group.pickup_date_time, "pickupClosingTime": group.pickup_closing_time,
            "palletSpaces": spaces.to_i64(), "pickupSpecialInstructions": group.pickup_special_instructions,
            "pickupAlreadyBooked": group.pickup_already_booked,
        }),
    })?;
    let (id, reference) = made.ok_or_else(|| Refusal::general(ALREADY_MANIFESTED))?;
    Ok(json!({
        "id": id, "consignmentIds": group.consignment_ids, "companyId": company_id, "carrierReference": reference,
        "bookingSuccessful": true, "errorMessage": null,
    }))
}

fn not_booked(group: &ManifestGroupRequest, message: &str) -> Value {
    json!({
        "id": 0, "consignmentIds": group.consignment_ids, "companyId": group.company_id, "carrierReference": null,
        "bookingSuccessful": false, "errorMessage": message,
    })
}

/// Returns the group's carrier. All consignments of a group must have the same carrier and belong to the
/// group's company, and none may occur twice.
fn one_carrier<'a>(
    desk: &'a PracticeService,
    group: &ManifestGroupRequest,
    members: &[ConsignmentRecord],
) -> Result<&'a Carrier, Refusal> {
    let first = members
        .first()
        .ok_or_else(|| Refusal::general("ConsignmentIds are required"))?;
    let same = |tracked: &ConsignmentRecord| {
        tracked.consignment.carrier_id == first.consignment.carrier_id
    };
    if !members.iter().all(same) {
        return Err(Refusal::general(
            "All consignments of a group must have the same carrier",
        ));
    }
    let of_company = |tracked: &ConsignmentRecord| {
        group
            .company_id
            .is_none_or(|id| id == tracked.consignment.company_id)
    };
    if !members.iter().all(of_company) {
        return Err(Refusal::general(
            "All consignments of a group must belong to the group's company",
        ));
    }
    let mut ids = group.consignment_ids.clone();
    ids.sort_unstable();
    if ids.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(Refusal::general("A consignment is in the group twice"));
    }
    let carrier = desk.catalogue.carrier(first.consignment.carrier_id);
    carrier.ok_or_else(|| Refusal::general(CARRIER_NOT_AVAILABLE))
}

fn check_pickup(
    desk: &PracticeService,
    carrier: &Carrier,
    group: &ManifestGroupRequest,
    members: &[ConsignmentRecord],
) -> Result<(), Refusal> {
    let invalid = || Refusal::general("Invalid pickup time");
    let place = members
        .first()
        .map(|tracked| &tracked.consignment.job.from.place)
        .ok_or_else(invalid)?;
    let hours = PickupHours::new(&desk.catalogue, carrier, place);
    let now = desk.clock.now().to_zoned(hours.zone().clone());
    let read = |text: &Option<String>| -> Result<Option<DateTime>, Refusal> {
        text.as_deref()
            .map(|text| read_local(text).ok_or_else(invalid))
            .transpose()
    };
    let pickup = read(&group.pickup_date_time)?.ok_or_else(invalid)?;
    if is_valid_pickup(&hours, &now, pickup, read(&group.pickup_closing_time)?) {
        Ok(())
    } else {
        Err(invalid())
    }
}
