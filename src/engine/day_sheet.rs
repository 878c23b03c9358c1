//! The day sheet, which a supervisor prints at the end of the day to go through with a pen. Its counts come
//! from a board of all carriers, whatever the screen shows, or add up manifest lines in the journal. The
//! preview shows the pages that are printed.

mod page;

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;

use super::context::{EngineContext, blocking};
use super::paper::draw;
use super::remote::Fetch;
use super::save::save_file;
use super::{Board, EngineError, Exception, Reads, Thresholds, TrackScope};
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
    /// By the name of the carrier.
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
            let drawn = blocking(move || draw(&page::paper(&day))).await?;
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
        let rows = self.writer.run(|journal| journal.manifests()).await?;
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
