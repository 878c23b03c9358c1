//! The watched folder: takes order files from it, makes drafts of their orders, and moves each file to `done` or
//! `failed`. The results of the orders are written to an outbox folder.
//!
//! A file is first moved to a folder of this bench below `in-progress`, so that no other bench takes it. Then its orders
//! are saved together with a row of the file, and only then the file is moved to where it belongs. After a crash, a file
//! in progress with a row is moved, and one without a row is read again. So each order is taken once.

mod claim;
mod results;

use std::borrow::Cow;
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use jiff::Timestamp;

use super::orders::{KNOWN_FOR, read};
use super::save::{first_free, numbered};
use super::{EngineContext, EngineError, Fetch, Reads, blocking, lock};
use draft::orders::{
    CheckedOrders, Duplicate, ExistingOrders, JsonOrders, Mapping, Order, OrderTerms, RejectedRow,
    Sheet, SheetError, check_orders, guess_mapping, rejected_file,
};
use storage::{FolderFile, Journal};

use claim::Claims;
pub use claim::{OrderFolder, WaitingFile, without_time};
pub use results::{Outbox, ResultFormat, WrittenResults};

const IN_PROGRESS: &str = "in-progress";
const DONE: &str = "done";
const FAILED: &str = "failed";

/// The number of files that the window shows.
const NEWEST: u32 = 200;

/// No further file is read in one look after so many orders.
const MOST_ORDERS: usize = 5_000;

/// The most reasons that are kept for a file.
const MOST_REASONS: usize = 200;

/// The number of names that are tried for a file.
const TRIES: u32 = 10_000;

/// The orders and files that one look at the folder found.
#[derive(Debug, Default)]
pub struct FolderRound {
    /// The orders that are drafts now.
    pub orders: Vec<Order>,
    /// The files that can't be taken yet.
    pub waiting: Vec<WaitingFile>,
    /// The files that were taken in this look.
    pub files: Vec<FolderFile>,
    /// All files that are known, newest first.
    pub known: Vec<FolderFile>,
    /// When to look again, although nothing has changed.
    pub next: Option<Duration>,
    /// The failure of a step after the orders were saved.
    pub problem: Option<EngineError>,
}

/// The terms and the known orders, against which the files of one look are checked.
struct CheckedAgainst {
    terms: Arc<OrderTerms>,
    /// Grows with each file, so that no order of a later file is taken again.
    known: Arc<Mutex<ExistingOrders>>,
    now: Timestamp,
}

/// The orders of one file.
enum FileOrders {
    Csv(Sheet, Mapping),
    Json(JsonOrders),
}

/// A file in progress whose orders were checked.
struct CheckedFile {
    file: FolderFile,
    orders: Vec<Order>,
    /// A file of the rejected orders, if others are taken.
    rejected_file: Option<Vec<u8>>,
}

impl Reads {
    /// Takes the files that are complete, and makes drafts of their orders. `listed` has the references of the drafts that
    /// the window lists, in lower case.
    pub fn take_folder_orders(
        &self,
        folder: Arc<OrderFolder>,
        terms: OrderTerms,
        listed: HashSet<String>,
    ) -> Fetch<FolderRound> {
        self.local(
            move |bench| async move { bench.take_folder_orders(folder, terms, listed).await },
        )
    }

    /// Moves a file from `failed` back into the watched folder.
    pub fn retry_folder_file(&self, folder: Arc<OrderFolder>, name: String) -> Fetch<()> {
        self.local(move |bench| async move {
            let (root, failed) = (folder.path().to_owned(), name.clone());
            let moved = blocking(move || {
                let plain = without_time(&failed);
                move_file(&root.join(FAILED).join(&failed), &root, plain)?;
                // The reasons are no longer true. Without them, the file is still complete.
                let _gone = fs::remove_file(reasons_path(&root, &failed));
                Ok::<_, EngineError>(())
            });
            moved.await?;
            let root = folder.name();
            bench
                .journal(move |journal| journal.forget_folder_file(&root, &name))
                .await
        })
    }
}

impl EngineContext {
    async fn take_folder_orders(
        &self,
        folder: Arc<OrderFolder>,
        terms: OrderTerms,
        listed: HashSet<String>,
    ) -> Result<FolderRound, EngineError> {
        let mut waiting = self.finish_moves(&folder).await?;
        let claims = self.claim_files(&folder, &terms, &waiting).await?;
        waiting.extend(claims.waiting);
        let mut round = FolderRound {
            next: claims.next,
            ..FolderRound::default()
        };
        if !claims.files.is_empty() {
            let known = self.existing_orders(listed).await?;
            let context = CheckedAgainst {
                terms: Arc::new(terms),
                known: Arc::new(Mutex::new(known)),
                now: self.now(),
            };
            let mut checked: Vec<CheckedFile> = Vec::new();
            for path in claims.files {
                let orders = checked.iter().map(|file| file.orders.len()).sum::<usize>();
                if orders > MOST_ORDERS {
                    round.next = Some(Duration::ZERO);
                    break;
                }
                match self.check_file(&path, &context).await {
                    Ok(file) => checked.push(file),
                    Err(error @ (EngineError::Journal(_) | EngineError::Workgroup(_))) => {
                        return Err(error);
                    }
                    Err(error) => waiting.push(WaitingFile::stuck(&path, &error)),
                }
            }
            round.files = checked.iter().map(|one| one.file.clone()).collect();
            round.orders = self.save_files(&folder, checked).await?;
            // The orders are saved now, so the window must get them, even if something fails from here on.
            match self.finish_moves(&folder).await {
                Ok(unmoved) => waiting.extend(unmoved),
                Err(error) => round.problem = Some(error),
            }
        }
        round.waiting = waiting;
        let root = folder.name();
        match self
            .journal(move |journal| journal.folder_files(&root, NEWEST))
            .await
        {
            Ok(known) => round.known = known,
            Err(error) => round.problem = Some(error),
        }
        Ok(round)
    }

    async fn claim_files(
        &self,
        folder: &Arc<OrderFolder>,
        terms: &OrderTerms,
        unmoved: &[WaitingFile],
    ) -> Result<Claims, EngineError> {
        let (own, now, zone) = (
            Arc::clone(folder),
            self.now(),
            terms.check.bench_zone.clone(),
        );
        let key = self.installation().to_owned();
        let unmoved: HashSet<_> = unmoved.iter().map(|file| file.name.clone()).collect();
        let claims = blocking(move || own.claim(&key, now, &zone));
        let mut claims = claims.await?;
        claims
            .files
            .retain(|path| !unmoved.contains(&*file_name(path)));
        Ok(claims)
    }

    /// Returns the identifier of this installation, which stays when the bench is renamed.
    fn installation(&self) -> &str {
        self.name
            .rsplit_once('-')
            .map_or(&self.name, |(_, own)| own)
    }

    /// Returns the orders that are already here, so that no order is taken twice.
    async fn existing_orders(
        &self,
        listed: HashSet<String>,
    ) -> Result<ExistingOrders, EngineError> {
        let (path, since) = (self.writer.path(), self.now() - KNOWN_FOR);
        blocking(move || {
            let (sent, imported) = Journal::earlier_orders(&path, since)?;
            let mut drafts = Journal::draft_references(&path)?;
            drafts.extend(listed);
            Ok::<_, EngineError>(ExistingOrders {
                drafts,
                sent,
                imported,
            })
        })
        .await
    }

    /// Reads and checks a file in progress. From then on, its orders are known.
    async fn check_file(
        &self,
        path: &Path,
        against: &CheckedAgainst,
    ) -> Result<CheckedFile, EngineError> {
        let mut file = CheckedFile {
            file: FolderFile {
                name: file_name(path).into_owned(),
                orders: 0,
                rejected: 0,
                reasons: String::new(),
                at: against.now,
            },
            orders: Vec::new(),
            rejected_file: None,
        };
        let (orders, checked) = match self.checked_orders(path, against).await {
            Ok(checked) => checked,
            Err(EngineError::Orders(error)) => {
                file.file.rejected = 1;
                file.file.reasons = format!("{error}. {}", error.advice());
                return Ok(file);
            }
            Err(error) => return Err(error),
        };
        self.fill(&mut file, &orders, checked).await?;
        let mut known = lock(&against.known);
        file.orders.iter().for_each(|order| known.add(order));
        Ok(file)
    }

    async fn checked_orders(
        &self,
        path: &Path,
        against: &CheckedAgainst,
    ) -> Result<(FileOrders, CheckedOrders), EngineError> {
        let bytes = read(path).await?;
        let orders = if claim::is_json(path) {
            FileOrders::Json(blocking(move || JsonOrders::read(&bytes)).await?)
        } else {
            let sheet = blocking(move || Sheet::read(&bytes)).await?;
            let key = sheet.headers_key();
            let known = self.journal(move |journal| journal.order_columns(&key));
            let mapping = match known.await? {
                Some(known) => sheet.restore_mapping(known),
                None => guess_mapping(&sheet),
            };
            FileOrders::Csv(sheet, mapping)
        };
        let (terms, known) = (Arc::clone(&against.terms), Arc::clone(&against.known));
        blocking(move || {
            let checked = orders.check(&terms, &lock(&known))?;
            Ok::<_, SheetError>((orders, checked))
        })
        .await
    }

    /// Divides the orders into those that are taken and those that are rejected, because they are wrong or exist already.
    async fn fill(
        &self,
        file: &mut CheckedFile,
        of: &FileOrders,
        checked: CheckedOrders,
    ) -> Result<(), EngineError> {
        let CheckedOrders {
            orders,
            mut rejected,
            rejected_orders,
        } = checked;
        let (new, existing): (Vec<_>, Vec<_>) = orders
            .into_iter()
            .partition(|order| order.duplicate.is_none());
        let (taken, lost) = self.take_orders(new).await?;
        let mut refused: Vec<(&Order, String)> = lost
            .iter()
            .map(|(order, place)| (order, format!("Imported already {place}")))
            .collect();
        refused.extend(existing.iter().map(|order| {
            let at = order
                .duplicate
                .as_ref()
                .map_or_else(String::new, Duplicate::description);
            let reason = format!(
                "This order exists already ({at}). {}",
                of.advice_about_existing()
            );
            (order, reason)
        }));
        file.file.rejected = count(rejected_orders + refused.len());
        for (order, reason) in refused {
            rejected.extend(order.rows.iter().map(|row| RejectedRow {
                row: *row,
                reason: reason.clone(),
            }));
        }
        rejected.sort_by_key(|one| one.row);
        let reasons = rejected.iter().take(MOST_REASONS);
        let mut reasons: Vec<_> = reasons
            .map(|one| format!("{}: {}", of.position(one.row), one.reason))
            .collect();
        if rejected.len() > MOST_REASONS {
            reasons.push(format!("and {} more", rejected.len() - MOST_REASONS));
        }
        file.file.reasons = reasons.join("\n");
        file.file.orders = count(taken.len());
        if !rejected.is_empty() && !taken.is_empty() {
            file.rejected_file = Some(of.rejected_file(&rejected));
        }
        file.orders = taken;
        for order in &mut file.orders {
            order.draft.is_from_folder = true;
        }
        Ok(())
    }

    /// Writes what is wrong with the files, and saves their orders as drafts. Returns the orders.
    async fn save_files(
        &self,
        folder: &Arc<OrderFolder>,
        checked: Vec<CheckedFile>,
    ) -> Result<Vec<Order>, EngineError> {
        let root = folder.path().to_owned();
        let checked = blocking(move || {
            for one in &checked {
                write_reasons(&root, one)?;
            }
            Ok::<_, EngineError>(checked)
        })
        .await?;
        let files: Vec<_> = checked
            .into_iter()
            .map(|one| (one.file, one.orders))
            .collect();
        let root = folder.name();
        self.journal(move |journal| {
            journal.save_folder_files(&root, &files)?;
            Ok(files.into_iter().flat_map(|(_, orders)| orders).collect())
        })
        .await
    }

    /// Moves the files whose orders are saved out of the folder of files in progress. Returns those that can't be moved yet.
    async fn finish_moves(
        &self,
        folder: &Arc<OrderFolder>,
    ) -> Result<Vec<WaitingFile>, EngineError> {
        let name = folder.name();
        let files = self.journal(move |journal| journal.folder_files_to_move(&name));
        let files = files.await?;
        if files.is_empty() {
            return Ok(Vec::new());
        }
        let root = folder.path().to_owned();
        let own = root.join(IN_PROGRESS).join(self.installation());
        let (moved, unmoved) = blocking(move || {
            // Without this folder, a file that isn't found may still be there: a network folder is away.
            own.read_dir()
                .map_err(|error| EngineError::Open(error.kind()))?;
            let (mut moved, mut unmoved) = (Vec::new(), Vec::new());
            for file in files {
                let path = own.join(&file.name);
                let to = if file.orders > 0 { DONE } else { FAILED };
                match move_file(&path, &root.join(to), &file.name) {
                    Err(error) if error.kind() != ErrorKind::NotFound => {
                        unmoved.push(WaitingFile::stuck(&path, &error.into()));
                    }
                    // A file that is gone was moved before the program ended.
                    Ok(_) | Err(_) => moved.push(file.name),
                }
            }
            Ok::<_, EngineError>((moved, unmoved))
        })
        .await?;
        let root = folder.name();
        self.journal(move |journal| journal.folder_files_moved(&root, &moved))
            .await?;
        Ok(unmoved)
    }
}

impl FileOrders {
    fn check(
        &self,
        terms: &OrderTerms,
        known: &ExistingOrders,
    ) -> Result<CheckedOrders, SheetError> {
        match self {
            Self::Csv(sheet, mapping) => check_orders(sheet, mapping, terms, known, &|_| ()),
            Self::Json(orders) => Ok(orders.check(terms, known)),
        }
    }

    /// Returns where in the file a rejected row is.
    fn position(&self, row: usize) -> String {
        match self {
            Self::Csv(sheet, _) => {
                format!("Line {}", sheet.rows.get(row).map_or(0, |row| row.line))
            }
            Self::Json(_) => format!("Order {}", row + 1),
        }
    }

    /// Returns how an order that exists already can be sent again.
    const fn advice_about_existing(&self) -> &'static str {
        match self {
            Self::Csv(..) => "To import it again, use Batch on Consign",
            Self::Json(_) => "To send it again, give it another reference",
        }
    }

    fn rejected_file(&self, rejected: &[RejectedRow]) -> Vec<u8> {
        match self {
            Self::Csv(sheet, _) => rejected_file(sheet, rejected),
            Self::Json(orders) => orders.rejected_file(rejected),
        }
    }
}

fn count(of: usize) -> u32 {
    u32::try_from(of).unwrap_or(u32::MAX)
}

fn reasons_path(root: &Path, name: &str) -> PathBuf {
    root.join(FAILED).join(format!("{name}.reasons.txt"))
}

/// Writes the reasons, and the rejected orders of a file of which others are taken, into the folder `failed`.
fn write_reasons(root: &Path, checked: &CheckedFile) -> io::Result<()> {
    let name = &checked.file.name;
    if !checked.file.reasons.is_empty() {
        let text = format!("{}\n", checked.file.reasons);
        write_in_place(&reasons_path(root, name), text.as_bytes())?;
    }
    if let Some(bytes) = &checked.rejected_file {
        let (stem, ending) = name.rsplit_once('.').unwrap_or((name, "csv"));
        let path = root.join(FAILED).join(format!("{stem}-rejected.{ending}"));
        write_in_place(&path, bytes)?;
    }
    Ok(())
}

/// Writes a file without a temporary file, which would stay in the folder after a crash. The order file is then read again,
/// and this file is written again.
fn write_in_place(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

fn file_name(path: &Path) -> Cow<'_, str> {
    path.file_name().unwrap_or_default().to_string_lossy()
}

/// Moves a file into a folder, under its name or one with a number if that is taken. Returns its new path. Only this bench
/// makes files with these names, so no other file can appear in between.
fn move_file(from: &Path, folder: &Path, name: &str) -> io::Result<PathBuf> {
    first_free(1..=TRIES, |number| {
        let to = folder.join(numbered(name, number));
        if to.try_exists()? {
            return Err(ErrorKind::AlreadyExists.into());
        }
        fs::rename(from, &to)?;
        Ok(to)
    })
}
