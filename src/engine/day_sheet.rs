//! The day sheet, which a supervisor prints at the end of the day and works through on paper. Its counts come from a
//! board of all carriers, even if the screen shows one carrier, or are sums of manifest lines in the journal. The
//! preview shows the pages that are printed.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::paper::{counted, draw, joined, kilograms};
use super::{
    ArrivalCounts, Board, EngineContext, EngineError, Exception, Fetch, Reads, Thresholds,
    TrackScope, blocking,
};
use printing::document::ColumnKind::{Code, Figures, Words};
use printing::document::{DocumentContent, Table};
use printing::picture::{FileFormat, Picture};
use shipping::{CompanyId, ConsignmentId, Kilograms, LocalTime};
use storage::{BookedManifest, ConsignmentRow, JournalError, ManifestRow, TrackReader};

/// The most exceptions on a sheet: nobody works through more on paper.
const MOST: usize = 200;

/// The most rows of consignments in memory while they are summed up.
const ROWS_AT_ONCE: usize = 500;

#[derive(Clone, Default)]
struct Totals {
    consignments: usize,
    pieces: i64,
    weight: Kilograms,
}

impl Totals {
    fn add(&mut self, consignments: usize, pieces: i64, weight: Kilograms) {
        self.consignments += consignments;
        self.pieces += pieces;
        self.weight.0 += weight.0;
    }
}

#[derive(Debug, Clone)]
pub struct DaySheetRequest {
    /// The scope of the counts: all carriers of the chosen companies.
    pub scope: TrackScope,
    pub thresholds: Thresholds,
    /// The unmanifested consignments of the bench's company.
    pub unmanifested: Arc<[ConsignmentId]>,
    /// The name of the company; all companies if `None`.
    pub company: Option<String>,
    /// The name of the bench: "Bench 4".
    pub bench: String,
    /// The name of the person who makes the sheet; may be empty.
    pub staff: String,
    /// The bench's time zone (IANA).
    pub zone: String,
    /// Marks the sheet as practice or test; empty otherwise.
    pub mark: String,
}

#[derive(Debug, Clone, PartialEq)]
pub struct DaySheet {
    pub at: Timestamp,
    pub pdf: Arc<[u8]>,
    /// The pages as they are printed.
    pub pages: Vec<Picture>,
    /// A message to the clerk about what is not printed.
    pub message: Option<String>,
}

struct DaySheetContent {
    order: DaySheetRequest,
    board: Arc<Board>,
    /// The totals of each carrier, by the carrier's name.
    unmanifested: BTreeMap<String, Totals>,
    at: Timestamp,
    /// The manifests booked today, sorted by carrier and time of booking.
    manifests: Vec<TodaysManifest>,
    /// Consignments that need attention, the most severe first.
    wrong: Vec<(ConsignmentRow, Exception, Timestamp)>,
}

/// A manifest that was booked today.
struct TodaysManifest {
    row: ManifestRow,
    /// The stored manifest; `None` if it can't be read.
    whole: Option<BookedManifest>,
    /// The time of the booking. The row has only the time of the operation's last change, which is later if a partly
    /// booked operation was given up afterwards.
    booked: Timestamp,
}

impl TodaysManifest {
    /// Returns true if the manifest belongs to any of these companies, or names no company.
    fn is_of(&self, companies: Option<&[CompanyId]>) -> bool {
        let company = self.whole.as_ref().and_then(|whole| whole.company);
        match (company, companies) {
            (Some(company), Some(companies)) => companies.contains(&company),
            _ => true,
        }
    }
}

impl Reads {
    pub fn day_sheet(&self, order: DaySheetRequest) -> Fetch<Arc<DaySheet>> {
        self.local(move |bench| async move {
            let day = bench.day(order).await?;
            let at = day.at;
            let drawn = blocking(move || draw(&page(&day))).await?;
            let pdf: Arc<[u8]> = drawn.pdf.into();
            let mut pages: Vec<Picture> = Vec::new();
            while pages.first().is_none_or(|first| pages.len() < first.pages) {
                let page = { &bench.renderer }.render_picture(
                    FileFormat::Pdf,
                    Arc::clone(&pdf),
                    pages.len(),
                );
                pages.push(page.await?);
            }
            Ok(Arc::new(DaySheet {
                at,
                pdf,
                pages,
                message: drawn.message,
            }))
        })
    }
}

impl EngineContext {
    async fn day(&self, order: DaySheetRequest) -> Result<DaySheetContent, EngineError> {
        let at = self.now();
        let date = |at| LocalTime::at(at, &order.zone).0.date();
        let is_today = |booked| date(booked) == date(at);
        let rows = self.journal(|journal| journal.manifests()).await?;
        let mut manifests = Vec::new();
        for row in rows {
            // Do not stop here. Rows are sorted by the time of the request, and a manifest requested yesterday may be
            // booked today.
            if !is_today(row.booked) {
                continue;
            }
            // A manifest that can't be read is still counted.
            let whole = self.manifest(row.operation).await.ok();
            let booked = whole.as_ref().map_or(row.booked, |whole| whole.booked);
            let manifest = TodaysManifest { row, whole, booked };
            if is_today(booked) && manifest.is_of(order.scope.companies.as_deref()) {
                manifests.push(manifest);
            }
        }
        manifests.sort_by(|a, b| (&a.row.carrier, a.booked).cmp(&(&b.row.carrier, b.booked)));
        let board = self.board(order.scope.clone(), order.thresholds).await?;
        let wrong = self.wrong(&board).await?;
        let ids = Arc::clone(&order.unmanifested);
        let sum = move |reader: &TrackReader| unmanifested_by_carrier(reader, &ids);
        let unmanifested = self.track.read(sum).await?;
        Ok(DaySheetContent {
            order,
            board,
            unmanifested,
            at,
            manifests,
            wrong,
        })
    }

    async fn wrong(
        &self,
        board: &Board,
    ) -> Result<Vec<(ConsignmentRow, Exception, Timestamp)>, EngineError> {
        let rows: Vec<_> = board.exceptions.iter().take(MOST).copied().collect();
        let ids: Vec<ConsignmentId> = rows.iter().map(|row| row.id).collect();
        let known = self.track.read(move |reader| reader.rows(&ids)).await?;
        let mut known: std::collections::HashMap<_, _> =
            known.into_iter().map(|one| (one.id, one)).collect();
        let with =
            |row: super::ExceptionRow| Some((known.remove(&row.id)?, row.exception, row.since));
        Ok(rows.into_iter().filter_map(with).collect())
    }
}

/// Sums up the unmanifested consignments by carrier.
fn unmanifested_by_carrier(
    reader: &TrackReader,
    ids: &[ConsignmentId],
) -> Result<BTreeMap<String, Totals>, JournalError> {
    let mut carriers = BTreeMap::<String, Totals>::new();
    for some in ids.chunks(ROWS_AT_ONCE) {
        for one in reader.rows(some)? {
            let weight = one.weight.unwrap_or_default();
            let totals = carriers.entry(one.carrier).or_default();
            totals.add(1, one.pieces, weight);
        }
    }
    Ok(carriers)
}

/// Makes the pages of the day sheet: facts, tables and notes.
fn page(day: &DaySheetContent) -> DocumentContent {
    let (order, board) = (&day.order, &day.board);
    let made = LocalTime::at(day.at, &order.zone);
    let company = order.company.as_deref().unwrap_or("All companies");
    let zone = TimeZone::get(&order.zone).unwrap_or(TimeZone::UTC);
    let zone = zone.to_offset_info(day.at).abbreviation().to_owned();
    let who = joined(&[&order.bench, &order.staff], " · ");
    let booked: usize = day.manifests.iter().map(|booked| booked.row.count).sum();
    let unlisted = board.needs_attention().saturating_sub(day.wrong.len());
    DocumentContent {
        title: "Day sheet".to_owned(),
        reference: made.0.strftime("%a %-d %b %Y").to_string(),
        stamp: order.mark.clone(),
        facts: vec![
            ("Company", company.to_owned()),
            (
                "Booked today",
                counted(booked, "consignment", "consignments"),
            ),
            (
                "Unmanifested",
                format!("{} ({} due today)", board.unmanifested, board.due_today),
            ),
            ("Not collected", board.not_collected.to_string()),
            ("With carriers", board.moving.to_string()),
            ("Late", board.late.to_string()),
            (
                "On time",
                format!(
                    "{} of the last {} days",
                    percent(board.arrivals),
                    board.scope.days
                ),
            ),
            ("Went wrong", board.went_wrong.to_string()),
        ],
        tables: vec![
            manifests(day),
            unmanifested(&day.unmanifested),
            wrong(day),
            carriers(board),
        ],
        notes: if unlisted > 0 {
            vec![format!(
                "Not listed, but needing attention: {unlisted}. See Track"
            )]
        } else {
            Vec::new()
        },
        signatures: vec!["Supervisor".to_owned()],
        foot: format!(
            "{company} · {who} · made {} {zone}",
            made.0.strftime("%H:%M")
        ),
        ..DocumentContent::default()
    }
}

fn manifests(day: &DaySheetContent) -> Table {
    let mut sums = Totals::default();
    for TodaysManifest { row, whole, .. } in &day.manifests {
        let (pieces, weight) = { whole.as_ref() }
            .map(|whole| (whole.pieces(), whole.weight()))
            .unwrap_or_default();
        sums.add(row.count, pieces, weight);
    }
    let known = |one: &TodaysManifest, text: fn(&BookedManifest) -> String| {
        one.whole.as_ref().map_or_else(|| "–".to_owned(), text)
    };
    let time = |at| {
        LocalTime::at(at, &day.order.zone)
            .0
            .strftime("%H:%M")
            .to_string()
    };
    Table {
        title: "Booked today".to_owned(),
        totals: vec![
            counted(day.manifests.len(), "manifest", "manifests"),
            String::new(),
            String::new(),
            String::new(),
            sums.consignments.to_string(),
            sums.pieces.to_string(),
            kilograms(sums.weight),
        ],
        empty_text: "Nothing was booked from this bench today",
        ..Table::of(
            &day.manifests,
            &[
                ("Carrier", 2.4, Words, &|one| one.row.carrier.clone()),
                ("Carrier's reference", 1.8, Code, &|one| {
                    one.row.reference.clone()
                }),
                ("Manifest", 1.2, Code, &|one| {
                    one.row
                        .manifest
                        .map(|id| id.to_string())
                        .unwrap_or_default()
                }),
                ("Booked", 0.8, Words, &|one| time(one.booked)),
                ("Consignments", 1.1, Figures, &|one| {
                    one.row.count.to_string()
                }),
                ("Pieces", 0.8, Figures, &|one| {
                    known(one, |whole| whole.pieces().to_string())
                }),
                ("kg", 1.0, Figures, &|one| {
                    known(one, |whole| kilograms(whole.weight()))
                }),
            ],
        )
    }
}

fn unmanifested(carriers: &BTreeMap<String, Totals>) -> Table {
    let carriers: Vec<_> = carriers.iter().collect();
    Table {
        title: "Still unmanifested".to_owned(),
        empty_text: "All manifested",
        ..Table::of(
            &carriers,
            &[
                ("Carrier", 6.2, Words, &|(carrier, _)| {
                    if carrier.is_empty() {
                        "No carrier"
                    } else {
                        carrier
                    }
                    .to_owned()
                }),
                ("Consignments", 1.1, Figures, &|(_, one)| {
                    one.consignments.to_string()
                }),
                ("Pieces", 0.8, Figures, &|(_, one)| one.pieces.to_string()),
                ("kg", 1.0, Figures, &|(_, one)| kilograms(one.weight)),
            ],
        )
    }
}

fn wrong(day: &DaySheetContent) -> Table {
    let time = |at| {
        let at = LocalTime::at(at, &day.order.zone);
        at.0.strftime("%-d %b %H:%M").to_string()
    };
    Table {
        title: "Needs attention".to_owned(),
        least_row_lines: 2,
        empty_text: "Nothing is late, lost, damaged or awaiting collection",
        ..Table::of(
            &day.wrong,
            &[
                ("Number", 1.15, Code, &|(one, ..)| one.number.clone()),
                ("Receiver", 2.1, Words, &|(one, ..)| {
                    joined(&[&one.to, &one.to_place.suburb], ", ")
                }),
                ("Carrier", 1.7, Words, &|(one, ..)| {
                    joined(&[&one.carrier, &one.carrier_number], " ")
                }),
                ("Since", 1.15, Words, &|(_, _, since)| time(*since)),
                ("What", 1.2, Words, &|(_, what, _)| what.label().to_owned()),
                ("Action taken", 2.6, Words, &|_| String::new()),
            ],
        )
    }
}

fn carriers(board: &Board) -> Table {
    Table {
        title: format!("On time, last {} days", board.scope.days),
        empty_text: "Nothing due",
        ..Table::of(
            &board.carriers,
            &[
                ("Carrier", 4.0, Words, &|one| one.name.clone()),
                ("Due", 1.0, Figures, &|one| one.arrivals.total().to_string()),
                ("Late", 1.0, Figures, &|one| one.arrivals.late.to_string()),
                ("Failed", 1.0, Figures, &|one| {
                    one.arrivals.failed.to_string()
                }),
                ("On time", 1.2, Figures, &|one| percent(one.arrivals)),
            ],
        )
    }
}

/// Formats a share as `96.4 %`, or as a dash if nothing was due.
fn percent(share: ArrivalCounts) -> String {
    let on_time = share.on_time_share();
    on_time.map_or_else(|| "–".to_owned(), |share| format!("{:.1} %", share * 100.0))
}
