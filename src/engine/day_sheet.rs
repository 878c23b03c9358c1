//! The day sheet, which a supervisor prints at the end of the day to go through with a pen. Its counts come
//! from a board of all carriers, whatever the screen shows, or add up manifest lines in the journal. The
//! preview shows the pages that are printed.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::paper::{columns, counted, draw, facts, joined, kilograms};
use super::save::save_file;
use super::{
    ArrivalCounts, Board, CarrierPerformance, EngineContext, EngineError, Exception, Fetch, Reads,
    Thresholds, TrackScope, blocking,
};
use printing::document::{ColumnKind, DocumentContent, Table};
use printing::picture::{FileFormat, Picture};
use shipping::{CompanyId, ConsignmentId, Kilograms, LocalTime};
use storage::{BookedManifest, ConsignmentRow, ManifestRow, TrackReader};

/// The most exceptions on a sheet: nobody goes through more with a pen.
const MOST: usize = 200;

/// The most rows of consignments in memory while they are summed up.
const ROWS_AT_ONCE: usize = 500;

#[derive(Debug, Clone, PartialEq, Default)]
struct UnmanifestedTotals {
    count: usize,
    pieces: i64,
    weight: Kilograms,
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
    /// A message to the clerk that names the letters which the font lacks.
    pub missing_letters: Option<String>,
}

struct DaySheetContent {
    order: DaySheetRequest,
    board: Arc<Board>,
    /// The totals of each carrier, by the carrier's name.
    unmanifested: BTreeMap<String, UnmanifestedTotals>,
    at: Timestamp,
    manifests: Vec<TodaysManifest>,
    /// Consignments that need attention, the most severe first.
    wrong: Vec<(ConsignmentRow, Exception, Timestamp)>,
}

/// A manifest that was booked today, with its lines if they could be read.
struct TodaysManifest {
    row: ManifestRow,
    whole: Option<BookedManifest>,
}

impl TodaysManifest {
    /// Takes the time of the booking from the stored manifest. The row only has the time of the operation's
    /// last change, which is later if a partly booked operation was given up afterwards.
    fn of(row: ManifestRow, whole: Option<BookedManifest>) -> Self {
        let booked = whole.as_ref().map_or(row.booked, |whole| whole.booked);
        let row = ManifestRow { booked, ..row };
        Self { row, whole }
    }

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
            let mut pages = Vec::new();
            loop {
                let shown =
                    bench
                        .renderer
                        .render_picture(FileFormat::Pdf, Arc::clone(&pdf), pages.len());
                let page = shown.await?;
                let count = page.pages;
                pages.push(page);
                if pages.len() >= count {
                    break;
                }
            }
            Ok(Arc::new(DaySheet {
                at,
                pdf,
                pages,
                missing_letters: drawn.missing_letters,
            }))
        })
    }

    /// Saves the sheet at the typed path, or where the clerk chooses in a dialog that proposes `name`.
    pub fn save_day_sheet(
        &self,
        sheet: Arc<DaySheet>,
        name: String,
        typed: Option<std::path::PathBuf>,
    ) -> Fetch<Option<std::path::PathBuf>> {
        self.local(move |_bench| async move {
            save_file("Save the day sheet", &name, typed, &sheet.pdf).await
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
            // Rows are in the order of their intents, so a row from yesterday may have been
            // booked only today.
            if !is_today(row.booked) {
                continue;
            }
            // A manifest that can't be read is counted all the same.
            let whole = self.manifest(row.operation).await.ok();
            let booked = TodaysManifest::of(row, whole);
            if is_today(booked.row.booked) && booked.is_of(order.scope.companies.as_deref()) {
                manifests.push(booked);
            }
        }
        let board = self.board(order.scope.clone(), order.thresholds).await?;
        let wrong = self.wrong(&board).await?;
        let unmanifested = self
            .unmanifested_by_carrier(Arc::clone(&order.unmanifested))
            .await?;
        Ok(DaySheetContent {
            order,
            board,
            unmanifested,
            at,
            manifests,
            wrong,
        })
    }

    /// Sums up the unmanifested consignments by carrier.
    async fn unmanifested_by_carrier(
        &self,
        ids: Arc<[ConsignmentId]>,
    ) -> Result<BTreeMap<String, UnmanifestedTotals>, EngineError> {
        let sum = move |reader: &TrackReader| {
            let mut carriers = BTreeMap::<String, UnmanifestedTotals>::new();
            for some in ids.chunks(ROWS_AT_ONCE) {
                for one in reader.rows(some)? {
                    let sum = carriers.entry(one.carrier).or_default();
                    sum.count += 1;
                    sum.pieces += one.pieces;
                    sum.weight.0 += one.weight.unwrap_or_default().0;
                }
            }
            Ok(carriers)
        };
        self.track.read(sum).await
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

/// Makes the pages of the day sheet: facts, tables and notes.
fn page(day: &DaySheetContent) -> DocumentContent {
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
    let row = |(one, what, since): &(ConsignmentRow, Exception, Timestamp)| {
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
    let row = |tally: &CarrierPerformance| {
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
