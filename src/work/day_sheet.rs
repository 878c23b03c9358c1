//! The day sheet: what a supervisor prints at the end of the day, to go through with a pen.
//!
//! What always holds: each number on it is that of a board of all carriers, whatever the screen's looks at, or adds up lines that the journal keeps; it is printed as any paper of
//! ours, and the page that is shown is the page that is printed.

mod page;

use std::sync::Arc;

use jiff::Timestamp;

use super::bench::Bench;
use super::remote::Fetch;
use super::{Board, Exception, Reads, Thresholds, TrackScope, WorkError};
use crate::journal::{BookedManifest, ManifestRow, Tracked};
use crate::printing::document;
use crate::printing::picture::{Medium, Picture};
use crate::shipping::{CompanyId, ConsignmentId, Kilograms, LocalTime};

/// Exceptions on a sheet: nobody goes through more with a pen.
const MOST: usize = 200;

/// What waits for a manifest still, of one carrier.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct StillWaiting {
    /// The carrier.
    pub carrier: String,
    /// Consignments.
    pub count: usize,
    /// Their pieces.
    pub pieces: i64,
    /// Their kilograms.
    pub weight: Kilograms,
}

/// What the sheet is made of.
#[derive(Debug, Clone)]
pub struct DaySheetOrder {
    /// What its figures count: all carriers, of the companies whose day it is.
    pub scope: TrackScope,
    /// From when on something counts as wrong.
    pub thresholds: Thresholds,
    /// What is unmanifested, by carrier.
    pub waiting: Vec<StillWaiting>,
    /// Whose day it is, for people; of all where none.
    pub company: Option<String>,
    /// "Bench 4".
    pub bench: String,
    /// Who made it; may be empty.
    pub staff: String,
    /// The bench's zone (IANA).
    pub zone: String,
    /// It is practice or a test.
    pub mark: String,
}

/// The sheet.
#[derive(Debug, Clone, PartialEq)]
pub struct DaySheet {
    /// When it was made.
    pub at: Timestamp,
    /// The file.
    pub pdf: Arc<[u8]>,
    /// Its pages as they are printed.
    pub pages: Vec<Picture>,
    /// A message to the clerk that names the letters which its font lacks.
    pub missing_letters: Option<String>,
}

/// What its page says.
struct Day {
    order: DaySheetOrder,
    board: Arc<Board>,
    at: Timestamp,
    /// Booked today.
    manifests: Vec<Booked>,
    /// What needs a person, the worst first.
    wrong: Vec<(Tracked, Exception, Timestamp)>,
}

/// A manifest that was booked today; what is on it, where that could be read back.
struct Booked {
    row: ManifestRow,
    whole: Option<BookedManifest>,
}

impl Booked {
    /// Its row tells when its operation changed last; what was booked in part and given up later was booked before that.
    fn of(row: ManifestRow, whole: Option<BookedManifest>) -> Self {
        let booked = whole.as_ref().map_or(row.booked, |whole| whole.booked);
        let row = ManifestRow { booked, ..row };
        Self { row, whole }
    }

    /// One that names no company is everybody's.
    fn is_of(&self, companies: Option<&[CompanyId]>) -> bool {
        let company = self.whole.as_ref().and_then(|whole| whole.company);
        match (company, companies) {
            (Some(company), Some(companies)) => companies.contains(&company),
            _ => true,
        }
    }
}

impl Reads {
    /// Makes the sheet of today.
    pub fn day_sheet(&self, order: DaySheetOrder) -> Fetch<Arc<DaySheet>> {
        self.local(move |bench| async move {
            let day = bench.day(order).await?;
            let at = day.at;
            let made = tokio::task::spawn_blocking(move || document::pdf(&page::paper(&day))).await;
            let made = made.map_err(|_panicked| WorkError::Internal)?;
            let drawn = made.map_err(|error| no_page(&error))?;
            let pdf: Arc<[u8]> = drawn.pdf.into();
            let mut pages = Vec::new();
            loop {
                let shown = bench
                    .renderer
                    .show(Medium::Pdf, Arc::clone(&pdf), pages.len());
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

    /// Saves it at the typed path, else where the clerk says in a dialog that proposes `name`.
    pub fn save_day_sheet(
        &self,
        sheet: Arc<DaySheet>,
        name: String,
        typed: Option<std::path::PathBuf>,
    ) -> Fetch<Option<std::path::PathBuf>> {
        self.local(move |_bench| async move {
            super::reads::save("Save the day sheet", name, typed, sheet.pdf.to_vec()).await
        })
    }
}

impl Bench {
    async fn day(&self, order: DaySheetOrder) -> Result<Day, WorkError> {
        let at = self.now();
        let date = |at| LocalTime::at(at, &order.zone).0.date();
        let is_today = |booked| date(booked) == date(at);
        let rows = self.writer.run(|journal| journal.manifests()).await?;
        let mut manifests = Vec::new();
        for row in rows {
            // In order of their intents: one of yesterday may have been booked only today.
            if !is_today(row.booked) {
                continue;
            }
            // One that cannot be read back is counted all the same.
            let whole = self.manifest(row.operation).await.ok();
            let booked = Booked::of(row, whole);
            if is_today(booked.row.booked) && booked.is_of(order.scope.companies.as_deref()) {
                manifests.push(booked);
            }
        }
        let board = self.board(order.scope.clone(), order.thresholds).await?;
        let wrong = self.wrong(&board).await?;
        Ok(Day {
            order,
            board,
            at,
            manifests,
            wrong,
        })
    }

    async fn wrong(
        &self,
        board: &Board,
    ) -> Result<Vec<(Tracked, Exception, Timestamp)>, WorkError> {
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

fn no_page(error: &document::DocumentError) -> WorkError {
    tracing::error!(%error, "the day sheet could not be made");
    WorkError::Internal
}
