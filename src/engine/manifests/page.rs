//! The printed page of a booked manifest.

use jiff::tz::TimeZone;

use crate::paper::{columns, counted, facts, joined, kilograms};
use printing::document::{ColumnKind, DocumentContent, Table};
use shipping::LocalTime;
use storage::{BookedLine, BookedManifest};

pub(super) fn paper(manifest: &BookedManifest) -> DocumentContent {
    let reference = if manifest.reference.is_empty() {
        numbers(manifest)
    } else {
        manifest.reference.clone()
    };
    let mut totals = vec![String::new(); 7];
    totals[3] = counted(manifest.lines.len(), "consignment", "consignments");
    totals[4] = manifest.pieces().to_string();
    totals[5] = kilograms(manifest.weight());
    DocumentContent {
        title: format!("Manifest · {}", manifest.carrier()),
        reference,
        stamp: if manifest.is_test { "TEST" } else { "" }.to_owned(),
        facts: manifest_facts(manifest),
        tables: vec![Table {
            columns: columns(&[
                ("Consignment", 1.55, ColumnKind::Code),
                ("Carrier con. no.", 1.75, ColumnKind::Code),
                ("Reference", 1.5, ColumnKind::Code),
                ("Receiver", 3.2, ColumnKind::Words),
                ("Pieces", 0.8, ColumnKind::Figures),
                ("kg", 0.95, ColumnKind::Figures),
                ("Dangerous", 1.25, ColumnKind::Words),
            ]),
            rows: manifest.lines.iter().map(row).collect(),
            totals,
            ..Table::default()
        }],
        notes: notes(manifest),
        signatures: vec!["Driver".to_owned(), "Clerk".to_owned()],
        foot: format!("{} · {}", manifest.from.name, clocks(manifest)),
    }
}

fn manifest_facts(manifest: &BookedManifest) -> Vec<(String, String)> {
    let group = &manifest.group;
    let from = &manifest.from;
    let street = from.street.join(", ");
    let pickup = match (group.pickup_already_booked, group.pickup_date_time) {
        (true, _) => "Pickup already booked".to_owned(),
        (false, Some(at)) => format!("{} {}", in_full(at), zone_name(at, &from.zone)),
        (false, None) => "No fixed time".to_owned(),
    };
    let closes = group.pickup_closing_time.map(|at| {
        let same_day = group
            .pickup_date_time
            .is_some_and(|pickup| pickup.0.date() == at.0.date());
        if same_day {
            at.0.strftime("%H:%M").to_string()
        } else {
            in_full(at)
        }
    });
    let spaces = group.pallet_spaces.map(|spaces| spaces.to_string());
    let mut facts = facts([
        ("Carrier", manifest.carrier().to_owned()),
        ("Carrier's reference", dashed(&manifest.reference)),
        (
            "Pickup address",
            joined(&[&from.name, &street, &from.place], ", "),
        ),
        ("Manifest", numbers(manifest)),
        (
            "Contact",
            dashed(&joined(&[&from.contact, &from.phone], ", ")),
        ),
        ("Pallet spaces", spaces.unwrap_or_else(|| "–".to_owned())),
        ("Pickup", pickup),
        ("Closes", closes.unwrap_or_else(|| "–".to_owned())),
    ]);
    if let Some(words) = group.pickup_special_instructions.as_deref()
        && !words.trim().is_empty()
    {
        facts.push(("Driver instructions".to_owned(), words.to_owned()));
    }
    facts
}

fn row(line: &BookedLine) -> Vec<String> {
    let un: Vec<_> = { line.un_numbers.iter() }
        .map(|number| format!("UN {number:04}"))
        .collect();
    let dangerous = match (line.dangerous, un.is_empty()) {
        (false, _) => String::new(),
        (true, true) => "Yes".to_owned(),
        (true, false) => un.join(", "),
    };
    vec![
        line.number.clone(),
        line.carrier_number.clone(),
        line.reference.clone(),
        joined(&[&line.to, &line.place], ", "),
        line.pieces.to_string(),
        line.weight.map(kilograms).unwrap_or_default(),
        dangerous,
    ]
}

fn notes(manifest: &BookedManifest) -> Vec<String> {
    let mut notes = Vec::new();
    if manifest.missing > 0 {
        let missing = counted(manifest.missing, "consignment", "consignments");
        notes.push(format!(
            "{missing} of this booking are not on this manifest."
        ));
    }
    notes.push(dangerous_goods(manifest));
    if manifest.is_test {
        notes.push("Test only: no carrier will collect this manifest.".to_owned());
    }
    notes
}

/// Describes the dangerous goods and their declaration. Only the declaration that was sent to the
/// carrier counts.
fn dangerous_goods(manifest: &BookedManifest) -> String {
    let with = manifest.dangerous();
    let hold = match with {
        0 => "Dangerous goods.".to_owned(),
        _ => format!(
            "{} dangerous goods.",
            counted(with, "consignment holds", "consignments hold")
        ),
    };
    match (manifest.is_declared(), with) {
        (true, _) => format!(
            "{hold} They are declared: classified, packed, marked and labelled as the rules for their transport ask. A \
             transport document goes with them."
        ),
        (false, 0) => "No dangerous goods are declared.".to_owned(),
        (false, _) => format!(
            "{hold} They were not declared in the booking: ask the carrier before you hand them over."
        ),
    }
}

/// Returns the numbers of the manifest, separated by commas: usually one.
fn numbers(manifest: &BookedManifest) -> String {
    let numbers: Vec<_> = manifest.ids.iter().map(ToString::to_string).collect();
    numbers.join(", ")
}

fn dashed(text: &str) -> String {
    if text.is_empty() { "–" } else { text }.to_owned()
}

fn in_full(at: LocalTime) -> String {
    at.0.strftime("%a %-d %b %Y %H:%M").to_string()
}

/// Returns the name of the place's time zone at that time, such as `AEDT`.
fn zone_name(at: LocalTime, zone: &str) -> String {
    let clocks = TimeZone::get(zone).ok();
    let moment = at.in_zone(zone).ok();
    match (clocks, moment) {
        (Some(clocks), Some(moment)) => clocks.to_offset_info(moment.0).abbreviation().to_owned(),
        // The zone is unknown: say so, so that nobody reads the time in the bench's zone.
        _ => "(local time)".to_owned(),
    }
}

/// Returns the time of the booking in the time zone of the pickup place, or in UTC if that zone is unknown.
fn clocks(manifest: &BookedManifest) -> String {
    let zone = match TimeZone::get(&manifest.from.zone) {
        Ok(_) => manifest.from.zone.as_str(),
        Err(_unknown) => "UTC",
    };
    let at = LocalTime::at(manifest.booked, zone);
    let zone = zone_name(at, zone);
    format!("booked {} {zone}", in_full(at))
        .trim_end()
        .to_owned()
}
