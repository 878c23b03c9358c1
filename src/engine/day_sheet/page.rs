//! The content of the day sheet's pages: facts, tables and notes.

use std::collections::BTreeMap;

use jiff::tz::TimeZone;

use super::{DaySheetContent, UnmanifestedTotals};
use crate::paper::{columns, counted, facts, joined, kilograms};
use crate::{ArrivalCounts, Exception};
use printing::document::{ColumnKind, DocumentContent, Table};
use shipping::{Kilograms, LocalTime};
use storage::ConsignmentRow;

pub(super) fn paper(day: &DaySheetContent) -> DocumentContent {
    let order = &day.order;
    let made = LocalTime::at(day.at, &order.zone);
    let company = order.company.as_deref().unwrap_or("All companies");
    let zone = TimeZone::get(&order.zone).unwrap_or(TimeZone::UTC);
    let zone = zone.to_offset_info(day.at).abbreviation().to_owned();
    let who = joined(&[&order.bench, &order.staff], " · ");
    DocumentContent {
        title: "Day sheet".to_owned(),
        reference: made.0.strftime("%a %-d %b %Y").to_string(),
        stamp: order.mark.clone(),
        facts: day_facts(day, company),
        tables: vec![
            manifests(day),
            waiting(&day.unmanifested),
            wrong(day),
            carriers(day),
        ],
        notes: notes(day),
        signatures: vec!["Supervisor".to_owned()],
        foot: format!(
            "{company} · {who} · made {} {zone}",
            made.0.strftime("%H:%M")
        ),
    }
}

fn day_facts(day: &DaySheetContent, company: &str) -> Vec<(String, String)> {
    let board = &day.board;
    let on_consignments: usize = day.manifests.iter().map(|booked| booked.row.count).sum();
    let share = format!("of the last {} days", board.scope.days);
    facts([
        ("Company", company.to_owned()),
        (
            "Booked today",
            counted(on_consignments, "consignment", "consignments"),
        ),
        (
            "Unmanifested",
            format!("{} ({} due today)", board.unmanifested, board.due_today),
        ),
        ("Not collected", board.not_collected.to_string()),
        ("With carriers", board.moving.to_string()),
        ("Late", board.late.to_string()),
        ("On time", format!("{} {share}", percent(board.arrivals))),
        ("Went wrong", board.went_wrong.to_string()),
    ])
}

fn manifests(day: &DaySheetContent) -> Table {
    let mut sums = (0_usize, 0_i64, Kilograms::default());
    let mut all: Vec<_> = day.manifests.iter().collect();
    all.sort_by(|a, b| (&a.row.carrier, a.row.booked).cmp(&(&b.row.carrier, b.row.booked)));
    let rows = all.into_iter().map(|booked| {
        let row = &booked.row;
        sums.0 += row.count;
        let whole = booked
            .whole
            .as_ref()
            .map(|whole| (whole.pieces(), whole.weight()));
        let (pieces, weight) = whole.unwrap_or_default();
        sums.1 += pieces;
        sums.2 = Kilograms(sums.2.0 + weight.0);
        let known = |text: String| {
            if whole.is_some() {
                text
            } else {
                "–".to_owned()
            }
        };
        let number = row.manifest.map(|id| id.to_string()).unwrap_or_default();
        let at = LocalTime::at(row.booked, &day.order.zone);
        vec![
            row.carrier.clone(),
            row.reference.clone(),
            number,
            at.0.strftime("%H:%M").to_string(),
            row.count.to_string(),
            known(pieces.to_string()),
            known(kilograms(weight)),
        ]
    });
    let rows: Vec<_> = rows.collect();
    let totals = vec![
        counted(rows.len(), "manifest", "manifests"),
        String::new(),
        String::new(),
        String::new(),
        sums.0.to_string(),
        sums.1.to_string(),
        kilograms(sums.2),
    ];
    Table {
        title: "Booked today".to_owned(),
        columns: columns(&[
            ("Carrier", 2.4, ColumnKind::Words),
            ("Carrier's reference", 1.8, ColumnKind::Code),
            ("Manifest", 1.2, ColumnKind::Code),
            ("Booked", 0.8, ColumnKind::Words),
            ("Consignments", 1.1, ColumnKind::Figures),
            ("Pieces", 0.8, ColumnKind::Figures),
            ("kg", 1.0, ColumnKind::Figures),
        ]),
        rows,
        totals,
        empty_text: "Nothing was booked from this bench today".to_owned(),
        ..Table::default()
    }
}

fn waiting(waiting: &BTreeMap<String, UnmanifestedTotals>) -> Table {
    let row = |(carrier, one): (&String, &UnmanifestedTotals)| {
        let carrier = Some(carrier.as_str()).filter(|name| !name.is_empty());
        vec![
            carrier.unwrap_or("No carrier").to_owned(),
            one.count.to_string(),
            one.pieces.to_string(),
            kilograms(one.weight),
        ]
    };
    Table {
        title: "Still unmanifested".to_owned(),
        columns: columns(&[
            ("Carrier", 6.2, ColumnKind::Words),
            ("Consignments", 1.1, ColumnKind::Figures),
            ("Pieces", 0.8, ColumnKind::Figures),
            ("kg", 1.0, ColumnKind::Figures),
        ]),
        rows: waiting.iter().map(row).collect(),
        empty_text: "All manifested".to_owned(),
        ..Table::default()
    }
}

fn wrong(day: &DaySheetContent) -> Table {
    let row = |(one, what, since): &(ConsignmentRow, Exception, jiff::Timestamp)| {
        let since = LocalTime::at(*since, &day.order.zone);
        vec![
            one.number.clone(),
            joined(&[&one.to, &one.to_place.suburb], ", "),
            joined(&[&one.carrier, &one.carrier_number], " "),
            since.0.strftime("%-d %b %H:%M").to_string(),
            what.label().to_owned(),
            String::new(),
        ]
    };
    Table {
        title: "Needs attention".to_owned(),
        columns: columns(&[
            ("Number", 1.15, ColumnKind::Code),
            ("Receiver", 2.1, ColumnKind::Words),
            ("Carrier", 1.7, ColumnKind::Words),
            ("Since", 1.15, ColumnKind::Words),
            ("What", 1.2, ColumnKind::Words),
            ("Action taken", 2.6, ColumnKind::Words),
        ]),
        rows: day.wrong.iter().map(row).collect(),
        least_row_lines: 2,
        empty_text: "Nothing is late, lost, damaged or awaiting collection".to_owned(),
        ..Table::default()
    }
}

fn carriers(day: &DaySheetContent) -> Table {
    let board = &day.board;
    let row = |tally: &crate::CarrierPerformance| {
        let share = tally.arrivals;
        vec![
            tally.name.clone(),
            share.total().to_string(),
            share.late.to_string(),
            share.failed.to_string(),
            percent(share),
        ]
    };
    let columns = columns(&[
        ("Carrier", 4.0, ColumnKind::Words),
        ("Due", 1.0, ColumnKind::Figures),
        ("Late", 1.0, ColumnKind::Figures),
        ("Failed", 1.0, ColumnKind::Figures),
        ("On time", 1.2, ColumnKind::Figures),
    ]);
    Table {
        title: format!("On time, last {} days", board.scope.days),
        columns,
        rows: board.carriers.iter().map(row).collect(),
        empty_text: "Nothing due".to_owned(),
        ..Table::default()
    }
}

fn notes(day: &DaySheetContent) -> Vec<String> {
    let listed = day.wrong.len();
    let all = day.board.needs_attention();
    if all > listed {
        return vec![format!("{} more need attention: see Track", all - listed)];
    }
    Vec::new()
}

/// Formats a share as `96.4 %`, or as a dash if nothing was due.
fn percent(share: ArrivalCounts) -> String {
    let on_time = share
        .on_time_share()
        .map(|share| format!("{:.1} %", share * 100.0));
    on_time.unwrap_or_else(|| "–".to_owned())
}
