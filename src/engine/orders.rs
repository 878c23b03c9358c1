//! Imports files of orders: opens and checks a file, saves its orders as drafts, and writes the rejected rows to a
//! new file.
//!
//! The chosen file is only read, and no other file is overwritten. The drafts are saved all together or not
//! at all, before the file of rejected rows is written.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use jiff::SignedDuration;
use tokio::io::AsyncReadExt as _;

use super::save::{first_free, save_file, write_file};
use super::{EngineError, Fetch, Reads, Repaint, blocking};
use draft::orders::{
    CheckedOrders, ExistingOrders, MOST_BYTES, Mapping, Order, OrderTerms, RejectedRow, Sheet,
    SheetError, check_orders, guess_mapping, rejected_file, template,
};
use storage::Journal;

/// How long an order is recognised as a duplicate after it was sent or imported.
pub(super) const KNOWN_FOR: SignedDuration = SignedDuration::from_hours(90 * 24);

/// Rows between two repaints during a check.
const ROWS_A_LOOK: usize = 200;

/// The highest number in the name of a file of rejected rows.
const MOST_FILES: u32 = 1_000;

#[derive(Debug, Clone)]
pub struct OpenedOrders {
    pub path: PathBuf,
    pub sheet: Arc<Sheet>,
    /// The meaning of each column, where it is known so far.
    pub mapping: Mapping,
    /// True if the mapping was remembered from an earlier file, not guessed.
    pub remembered: bool,
}

#[derive(Debug)]
pub struct ImportedOrders {
    /// The orders that are now drafts on disk.
    pub orders: Vec<Order>,
    /// The orders that another bench has imported since the check, each as "SO-1 on Bench 3".
    pub lost: Vec<String>,
    /// The file of rejected rows; `None` if there were none.
    pub file: Option<Result<PathBuf, EngineError>>,
}

impl Reads {
    /// Opens the file at the typed path, otherwise the file that the clerk chooses. Returns `None` if the
    /// clerk cancels.
    pub fn open_orders(&self, typed: Option<PathBuf>) -> Fetch<Option<OpenedOrders>> {
        self.job(move |bench| async move {
            let path = match typed {
                Some(path) => Some(path),
                None => ask_for_orders().await,
            };
            let Some(path) = path else { return Ok(None) };
            let bytes = read(&path).await?;
            let sheet = Arc::new(blocking(move || Sheet::read(&bytes)).await?);
            let key = sheet.headers_key();
            let known = bench.journal(move |journal| journal.order_columns(&key));
            let known = known.await?;
            Ok(Some(OpenedOrders {
                path,
                remembered: known.is_some(),
                mapping: match known {
                    Some(known) => sheet.restore_mapping(known),
                    None => guess_mapping(&sheet),
                },
                sheet,
            }))
        })
    }

    /// Checks all orders of a file in a background thread; `progress` counts the rows done. `drafts` holds
    /// the references of all drafts in lower case. Then asks the workgroup which orders other benches have.
    pub fn check_orders(
        &self,
        opened: &OpenedOrders,
        terms: OrderTerms,
        drafts: HashSet<String>,
        progress: Arc<AtomicUsize>,
    ) -> Fetch<CheckedOrders> {
        let (sheet, mapping) = (Arc::clone(&opened.sheet), opened.mapping.clone());
        self.job(move |bench| async move {
            let (path, since) = (bench.writer.path(), bench.now() - KNOWN_FOR);
            let repaint: Repaint = Arc::clone(&bench.repaint);
            let checked = blocking(move || {
                let (sent, taken) = Journal::earlier_orders(&path, since)?;
                let known = ExistingOrders {
                    drafts,
                    sent,
                    imported: taken,
                };
                let told = |done| {
                    let before = progress.swap(done, Ordering::Relaxed);
                    if before / ROWS_A_LOOK != done / ROWS_A_LOOK {
                        repaint();
                    }
                };
                Ok::<_, EngineError>(check_orders(&sheet, &mapping, &terms, &known, &told)?)
            });
            let mut checked = checked.await?;
            bench.mark_orders_of_others(&mut checked.orders).await;
            Ok(checked)
        })
    }

    /// Saves orders as drafts and remembers the mapping of the columns; then writes the rejected rows to a
    /// new file beside the original. Leaves out orders that another bench has imported since the check.
    pub fn import_orders(
        &self,
        opened: OpenedOrders,
        orders: Vec<Order>,
        rejected: Vec<RejectedRow>,
    ) -> Fetch<ImportedOrders> {
        self.job(move |bench| async move {
            let OpenedOrders {
                path,
                sheet,
                mapping,
                ..
            } = opened;
            let columns = sheet.mapping_to_save(&mapping);
            let (headers, now) = (sheet.headers_key(), bench.now());
            let (orders, lost) = bench.take_orders(orders).await?;
            let lost = lost.into_iter();
            let lost =
                lost.map(|(order, place)| format!("{} {place}", order.draft.reference1.trim()));
            let lost = lost.collect();
            let orders = bench
                .journal(move |journal| {
                    journal.save_imported_orders(&orders, &headers, &columns, now)?;
                    Ok(orders)
                })
                .await?;
            let file = if rejected.is_empty() {
                None
            } else {
                let bytes = rejected_file(&sheet, &rejected);
                Some(blocking(move || write_beside(&path, &bytes)).await)
            };
            Ok(ImportedOrders { orders, lost, file })
        })
    }

    /// Writes the rejected rows to the typed path, otherwise where the clerk chooses. A typed path never
    /// overwrites a file.
    pub fn save_rejected(
        &self,
        sheet: Arc<Sheet>,
        rejected: Vec<RejectedRow>,
        typed: Option<PathBuf>,
    ) -> Fetch<Option<PathBuf>> {
        self.job(move |_| async move {
            let file = rejected_file(&sheet, &rejected);
            save_file("Save orders", "orders-rejected.csv", typed, &file).await
        })
    }

    pub fn save_template(&self, typed: Option<PathBuf>) -> Fetch<Option<PathBuf>> {
        self.job(move |_| async move {
            let template = template();
            save_file(
                "Save orders",
                "orders-template.csv",
                typed,
                template.as_bytes(),
            )
            .await
        })
    }
}

async fn ask_for_orders() -> Option<PathBuf> {
    let dialog = rfd::AsyncFileDialog::new()
        .set_title("Import orders")
        .add_filter("Orders (CSV)", &["csv", "txt", "tsv"]);
    Some(dialog.pick_file().await?.path().to_owned())
}

/// Writes `orders-rejected.csv` beside `orders.csv`, with a number if that name is taken.
fn write_beside(path: &Path, bytes: &[u8]) -> Result<PathBuf, EngineError> {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let stem = stem.split("-rejected").next().unwrap_or_default();
    let beside = first_free(1..=MOST_FILES, |number| {
        let beside = path.with_file_name(match number {
            1 => format!("{stem}-rejected.csv"),
            number => format!("{stem}-rejected-{number}.csv"),
        });
        write_file(&beside, false, bytes).map(|()| beside)
    });
    Ok(beside?)
}

/// Reads a file and fails if it is larger than allowed for orders. The size that the file system reports
/// is not trusted.
pub(super) async fn read(path: &Path) -> Result<Vec<u8>, EngineError> {
    let open = |error: io::Error| EngineError::Open(error.kind());
    let about = tokio::fs::metadata(path).await.map_err(open)?;
    if !about.is_file() {
        return Err(EngineError::Open(io::ErrorKind::InvalidInput));
    }
    let file = tokio::fs::File::open(path).await.map_err(open)?;
    let mut bytes = Vec::new();
    let mut limited = file.take(MOST_BYTES + 1);
    limited.read_to_end(&mut bytes).await.map_err(open)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(SheetError::TooLarge.into());
    }
    Ok(bytes)
}
