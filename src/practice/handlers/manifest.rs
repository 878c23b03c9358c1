//! Manifests: groups unmanifested consignments by company, carrier, sender and despatch date, each group with a
//! default pickup (step 1), and books the groups with their carriers (step 2).
//!
//! Groups are independent: a group that cannot be booked has the reason in its own result and does not stop
//! the other groups. The whole call is refused only when no group was booked and at least one broke a rule.

use jiff::civil::Time;
use jiff::{RoundMode, Timestamp, TimestampRound, ToSpan, Unit, Zoned};
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;
use serde_json::{Value, json};

use super::{Call, ids_required};
use crate::catalogue::{Carrier, SavedLocation, catalogue, time_zone};
use crate::consignment::{Consignment, ConsignmentRecord, Job, Party, Status, StatusEvent};
use crate::rates::PickupHours;
use crate::rules::{self, CARRIER_NOT_AVAILABLE, MUST_DECLARE};
use crate::store::NewManifest;
use crate::wire::{
    Answer, Failure, ManifestGroupRequest, Refusal, Reply, joined_messages, local_text, number,
    read_local, whole_number,
};

/// Notice that a driver needs before a pickup.
const NOTICE_MINUTES: i64 = 15;

pub(crate) fn group_for_manifest(call: &Call<'_>) -> Reply {
    let mut all: Vec<ConsignmentRecord> = Vec::new();
    for id in call.consignment_ids()? {
        let tracked = call.find_unmanifested(id)?;
        let id = tracked.consignment.id;
        if !all.iter().any(|known| known.consignment.id == id) {
            all.push(tracked);
        }
    }
    Ok(groups(call, &all))
}

/// Handles `manifests/groupAllUnmanifestedConsignmentsForManifest`. The body is the company id, as text or as
/// a number.
pub(crate) fn group_all_for_manifest(call: &Call<'_>) -> Reply {
    let body: Value = call.body()?;
    let id = whole_number(&body).ok_or_else(|| Refusal::general("Invalid Company ID"))?;
    let company = rules::company(call.user, Some(id))?;
    let all = call.store().unmanifested(company.id)?;
    Ok(groups(call, &all))
}

/// Returns the values that the consignments of a group have in common: company, carrier, sender and date of despatch.
fn key(consignment: &Consignment) -> impl PartialEq {
    let from = &consignment.job.from;
    let zone = time_zone(&from.place.time_zone);
    let despatch = consignment.despatch.to_zoned(zone).date();
    let address = [&from.name, &from.address_line1, &from.address_line2];
    let (company, carrier) = (consignment.company_id, consignment.carrier_id);
    (company, carrier, address, from.place.id, despatch)
}

fn groups(call: &Call<'_>, all: &[ConsignmentRecord]) -> Answer {
    let mut groups: Vec<(_, Vec<&Consignment>)> = Vec::new();
    for consignment in all.iter().map(|record| &record.consignment) {
        let key = key(consignment);
        match groups.iter_mut().find(|(known, _)| key == *known) {
            Some((_, members)) => members.push(consignment),
            None => groups.push((key, vec![consignment])),
        }
    }
    let records = groups.iter();
    let records = records.filter_map(|(_, members)| record(call, members));
    Answer::Object(records.collect())
}

fn record(call: &Call<'_>, members: &[&Consignment]) -> Option<Value> {
    let first = members.first()?;
    let (carrier, from) = (first.carrier()?, &first.job.from);
    let despatch = members.iter().map(|consignment| consignment.despatch);
    let despatch = despatch.min()?;
    let location = from.company_location_id;
    let location = location.and_then(|id| catalogue().location(id));
    let (pickup, closing) = default_pickup(call, carrier, from, location, despatch);
    let jobs = members.iter().map(|consignment| &consignment.job);
    let spaces: Decimal = jobs.clone().map(Job::pallet_spaces).sum();
    Some(json!({
        "consignmentIds": members.iter().map(|consignment| consignment.id).collect::<Vec<_>>(),
        "companyId": first.company_id, "carrierName": carrier.name,
        "pickupDateTime": local_text(&pickup), "pickupClosingTime": local_text(&closing),
        "palletSpaces": number(spaces.ceil()),
        "pickupSpecialInstructions": location.map(|location| location.default_pickup_instructions.as_str()).unwrap_or_default(),
        "pickupAlreadyBooked": false,
        "dgsDeclaration": jobs.clone().any(Job::holds_dangerous_goods),
    }))
}

/// Returns the default pickup and closing times. The pickup is at the location's usual time, or at the next quarter
/// of an hour if that time is past. If the carrier does not collect then, the pickup is at the usual time in the
/// carrier's next pickup hours.
fn default_pickup(
    call: &Call<'_>,
    carrier: &Carrier,
    from: &Party,
    location: Option<&SavedLocation>,
    despatch: Timestamp,
) -> (Zoned, Zoned) {
    let hours = PickupHours::new(carrier, &from.place);
    let notice = call.now().saturating_add(NOTICE_MINUTES.minutes());
    let notice = notice.unwrap_or(despatch);
    let soonest = quarter(notice.max(despatch)).to_zoned(hours.zone.clone());
    let usual_time = location.map_or(hours.opens, |location| location.default_pickup_time);
    let at = |day: &Zoned, time: Time| {
        let local = day.date().to_datetime(time);
        local.to_zoned(hours.zone.clone()).ok()
    };
    let start = at(&soonest, usual_time)
        .filter(|usual| *usual > soonest)
        .unwrap_or(soonest);
    let pickup = hours.first(&start, usual_time);
    let closes = location.map_or(hours.closes, |location| location.default_closing_time);
    let is_later = closes > pickup.time();
    let closes = if is_later {
        closes.min(hours.closes)
    } else {
        hours.closes
    };
    let closing = at(&pickup, closes).filter(|closing| *closing > pickup);
    let an_hour_later = pickup.saturating_add(1.hour());
    (pickup, closing.unwrap_or(an_hour_later))
}

/// Rounds up to the next quarter of an hour.
fn quarter(moment: Timestamp) -> Timestamp {
    let up = TimestampRound::new()
        .smallest(Unit::Minute)
        .increment(15)
        .mode(RoundMode::Ceil);
    moment.round(up).unwrap_or(moment)
}

pub(crate) fn manifest(call: &Call<'_>) -> Reply {
    let groups: Vec<ManifestGroupRequest> = call.records()?;
    if groups.is_empty() || groups.iter().any(|group| group.consignment_ids.is_empty()) {
        return Err(ids_required().into());
    }
    for group in &groups {
        rules::company(call.user, group.company_id)?;
    }
    let mut results = Vec::with_capacity(groups.len());
    let mut refused = Vec::new();
    for group in &groups {
        match book(call, group) {
            Ok(result) => results.push(result),
            Err(Failure::Refused(refusals)) => {
                results.push(not_booked(group, &joined_messages(&refusals)));
                refused.extend(refusals);
            }
            Err(other) => return Err(other),
        }
    }
    let is_refused = |result: &Value| result["bookingSuccessful"] == json!(false);
    if results.iter().all(is_refused) && !refused.is_empty() {
        return Err(Failure::Refused(refused));
    }
    Ok(Value::Array(results).into())
}

fn book(call: &Call<'_>, group: &ManifestGroupRequest) -> Result<Value, Failure> {
    let members = group.consignment_ids.iter();
    let members = members.map(|id| call.find_unmanifested(*id));
    let members: Vec<ConsignmentRecord> = members.collect::<Result<_, _>>()?;
    let carrier = one_carrier(group, &members)?;
    let mut jobs = members.iter().map(|tracked| &tracked.consignment.job);
    if jobs.any(Job::holds_dangerous_goods) && group.dgs_declaration != Some(true) {
        return Err(Refusal::general(MUST_DECLARE).into());
    }
    let spaces = group.pallet_spaces.unwrap_or_default().ceil().to_i64();
    if !group.pickup_already_booked {
        check_pickup(call, carrier, group, &members)?;
        // A carrier that declines makes the booking fail, but the call is not refused.
        let (name, most) = (&carrier.name, carrier.max_pickup_spaces);
        if spaces.is_none_or(|spaces| spaces > most) {
            let message = format!("{name} takes at most {most} pallet spaces in one pickup");
            return Ok(not_booked(group, &message));
        }
    }
    let now = call.now();
    let booked = StatusEvent::new(Status::MANIFESTED, now, &call.user.name, call.user.id);
    let company_id = group.company_id.unwrap_or(call.user.company_id);
    let (id, reference) = call.store().insert_manifest(&NewManifest {
        company_id,
        carrier_id: carrier.id,
        consignment_ids: &group.consignment_ids,
        booked: &booked,
        reference_prefix: Some(carrier.pickup_prefix.as_str()).filter(|_| !group.pickup_already_booked),
        document: &json!({
            "pickupDateTime": group.pickup_date_time, "pickupClosingTime": group.pickup_closing_time,
            "palletSpaces": spaces, "pickupSpecialInstructions": group.pickup_special_instructions,
            "pickupAlreadyBooked": group.pickup_already_booked,
        }),
    })?;
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
fn one_carrier(
    group: &ManifestGroupRequest,
    members: &[ConsignmentRecord],
) -> Result<&'static Carrier, Refusal> {
    let first = &members.first().ok_or_else(ids_required)?.consignment;
    let mut consignments = members.iter().map(|record| &record.consignment);
    let is_other = |company_id: i64| group.company_id.is_some_and(|id| id != company_id);
    let mut ids = group.consignment_ids.clone();
    ids.sort_unstable();
    let mut carriers = consignments.clone().map(|own| own.carrier_id);
    let message = if carriers.any(|id| id != first.carrier_id) {
        "All consignments of a group must have the same carrier"
    } else if consignments.any(|own| is_other(own.company_id)) {
        "All consignments of a group must belong to the group's company"
    } else if ids.windows(2).any(|pair| pair[0] == pair[1]) {
        "A consignment is in the group twice"
    } else {
        let carrier = catalogue().carrier(first.carrier_id);
        return carrier.ok_or_else(|| Refusal::general(CARRIER_NOT_AVAILABLE));
    };
    Err(Refusal::general(message))
}

/// Checks that the pickup is not in the past, that it is within the carrier's hours, and that the place closes later.
fn check_pickup(
    call: &Call<'_>,
    carrier: &Carrier,
    group: &ManifestGroupRequest,
    members: &[ConsignmentRecord],
) -> Result<(), Refusal> {
    let invalid = || Refusal::general("Invalid pickup time");
    let first = &members.first().ok_or_else(invalid)?.consignment;
    let hours = PickupHours::new(carrier, &first.job.from.place);
    let now = call.now().to_zoned(hours.zone.clone());
    let read = |text: &String| read_local(text).ok_or_else(invalid);
    let pickup = read(group.pickup_date_time.as_ref().ok_or_else(invalid)?)?;
    let closing = group.pickup_closing_time.as_ref().map(read).transpose()?;
    let is_valid = pickup >= now.datetime()
        && hours.contains(pickup)
        && closing.is_none_or(|closing| closing > pickup);
    is_valid.then_some(()).ok_or_else(invalid)
}
