//! Groups unmanifested consignments for manifesting by company, carrier, sender and despatch date, each group
//! with a default pickup. Step 1 of manifesting; `book.rs` is step 2.

use jiff::civil::Date;
use jiff::{RoundMode, Timestamp, TimestampRound, ToSpan, Unit, Zoned};
use rust_decimal::Decimal;
use serde_json::{Value, json};

use super::{Call, PracticeService};
use crate::catalogue::{Carrier, SavedLocation};
use crate::consignment::Party;
use crate::rules::{self, ALREADY_MANIFESTED, PickupHours};
use crate::status::{ConsignmentRecord, Status};
use crate::wire::{Answer, Failure, Refusal, local_text, number, whole_number};

/// Notice that a driver needs before a pickup.
const NOTICE_MINUTES: i64 = 15;

/// Handles `manifests/groupConsignmentsForManifest`.
pub(crate) fn group_for_manifest(desk: &PracticeService, call: &Call) -> Result<Answer, Failure> {
    let ids: Vec<Value> = call.body()?;
    if ids.is_empty() {
        return Err(Refusal::general("ConsignmentIds are required").into());
    }
    let mut all = Vec::with_capacity(ids.len());
    for id in &ids {
        let id = whole_number(id)
            .ok_or_else(|| Failure::Unreadable(format!("{id} is not a consignment id")))?;
        let tracked = find_unmanifested(desk, call, id)?;
        if !all
            .iter()
            .any(|known: &ConsignmentRecord| known.consignment.id == id)
        {
            all.push(tracked);
        }
    }
    Ok(groups(desk, &all))
}

/// Handles `manifests/groupAllUnmanifestedConsignmentsForManifest`. The body is the company id, as text or as
/// a number.
pub(crate) fn group_all_for_manifest(
    desk: &PracticeService,
    call: &Call,
) -> Result<Answer, Failure> {
    let body: Value = call.body()?;
    let id = whole_number(&body).ok_or_else(|| Refusal::general("Invalid Company ID"))?;
    let company = rules::company(&desk.catalogue, &call.user, Some(id))?;
    let all = desk.store().unmanifested(company.id)?;
    Ok(groups(desk, &all))
}

/// Returns the consignment if the user may see it and it is unmanifested.
pub(super) fn find_unmanifested(
    desk: &PracticeService,
    call: &Call,
    id: i64,
) -> Result<ConsignmentRecord, Failure> {
    let visible = rules::company_and_descendants(&desk.catalogue, call.user.company_id);
    let found = desk.store().consignment(id)?;
    let found = found.filter(|tracked| visible.contains(&tracked.consignment.company_id));
    let tracked =
        found.ok_or_else(|| Refusal::general(format!("Consignment {id} was not found")))?;
    if tracked.status == Status::Unmanifested {
        Ok(tracked)
    } else {
        Err(Refusal::general(ALREADY_MANIFESTED).into())
    }
}

/// Consignments with equal keys form a group.
#[derive(PartialEq)]
struct GroupKey<'a> {
    company_id: i64,
    carrier_id: i64,
    name: &'a str,
    address: [&'a str; 2],
    place: i64,
    despatch: Date,
}

fn key<'a>(desk: &PracticeService, tracked: &'a ConsignmentRecord) -> GroupKey<'a> {
    let consignment = &tracked.consignment;
    let from = &consignment.job.from;
    let zone = desk.catalogue.time_zone(&from.place.time_zone);
    GroupKey {
        company_id: consignment.company_id,
        carrier_id: consignment.carrier_id,
        name: &from.name,
        address: [&from.address_line1, &from.address_line2],
        place: from.place.id,
        despatch: consignment.despatch.to_zoned(zone).date(),
    }
}

fn groups(desk: &PracticeService, all: &[ConsignmentRecord]) -> Answer {
    let mut groups: Vec<(GroupKey<'_>, Vec<&ConsignmentRecord>)> = Vec::new();
    for tracked in all {
        let key = key(desk, tracked);
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, members)) => members.push(tracked),
            None => groups.push((key, vec![tracked])),
        }
    }
    Answer::Object(
        groups
            .iter()
            .filter_map(|(key, members)| record(desk, key, members))
            .collect(),
    )
}

fn record(
    desk: &PracticeService,
    key: &GroupKey<'_>,
    members: &[&ConsignmentRecord],
) -> Option<Value> {
    let carrier = desk.catalogue.carrier(key.carrier_id)?;
    let from = &members.first()?.consignment.job.from;
    let despatch = members
        .iter()
        .map(|tracked| tracked.consignment.despatch)
        .min()?;
    let location = desk
        .catalogue
        .locations
        .iter()
        .find(|location| Some(location.id) == from.company_location_id);
    let (pickup, closing) = default_pickup(desk, carrier, from, location, despatch);
    let spaces = members
        .iter()
        .map(|tracked| tracked.consignment.job.pallet_spaces())
        .sum::<Decimal>();
    Some(json!({
        "consignmentIds": members.iter().map(|tracked| tracked.consignment.id).collect::<Vec<_>>(),
        "companyId": key.company_id, "carrierName": carrier.name,
        "pickupDateTime": local_text(&pickup), "pickupClosingTime": local_text(&closing),
        "palletSpaces": number(spaces.ceil()),
        "pickupSpecialInstructions": location.map(|location| location.default_pickup_instructions.as_str()).unwrap_or_default(),
        "pickupAlreadyBooked": false,
        "dgsDeclaration": members.iter().any(|tracked| tracked.consignment.job.holds_dangerous_goods()),
    }))
}

/// Returns the default pickup and closing times. The pickup is at the location's usual time on the despatch
/// day if that is still ahead, otherwise at the next quarter of an hour when the carrier collects.
fn default_pickup(
    desk: &PracticeService,
    carrier: &Carrier,
    from: &Party,
    location: Option<&SavedLocation>,
    despatch: Timestamp,
) -> (Zoned, Zoned) {
    let hours = PickupHours::new(&desk.catalogue, carrier, &from.place);
    let notice = desk
        .clock
        .now()
        .saturating_add(NOTICE_MINUTES.minutes())
        .unwrap_or(despatch);
    let soonest = quarter(notice.max(despatch)).to_zoned(hours.zone().clone());
    let usual_time =
        location.map_or_else(|| hours.opens(), |location| location.default_pickup_time);
    let usual = soonest
        .date()
        .to_datetime(usual_time)
        .to_zoned(hours.zone().clone())
        .ok();
    let start = usual.filter(|usual| *usual > soonest).unwrap_or(soonest);
    let pickup = hours.first(&start, usual_time);
    let closes = location.map_or_else(|| hours.closes(), |location| location.default_closing_time);
    let closing_time = closes.min(hours.closes());
    let closing_time = if closing_time > pickup.time() {
        closing_time
    } else {
        hours.closes()
    };
    let closing = pickup
        .date()
        .to_datetime(closing_time)
        .to_zoned(hours.zone().clone());
    let closing = closing.ok().filter(|closing| *closing > pickup);
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
