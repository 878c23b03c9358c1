//! Reads a list page by page while other users change it.
//!
//! When a row disappears from the list, the rows behind it move up, past the start of the next page. So each page
//! overlaps the end of the previous page. Two pages join if both contain the same unchanged row; if they do not join,
//! the next page begins further back. Rows of a page that does not join are returned, but no other page may join at
//! these rows, because rows before them are still unread. Invariant: each row is returned once. A list that cannot be
//! read to its end is an error, because the caller would conclude that the missing consignments do not exist.

use rustc_hash::{FxHashMap, FxHashSet};
use tokio::task::JoinSet;

use super::calls::{RecentUpdates, require_all_readable};
use super::response::{SizeLimit, into_list, json};
use super::transport::{ApiRequest, query_of};
use super::{Client, Failure};
use shipping::{CompanyId, Consignment, ConsignmentId, PartialList};

/// The number of rows in a page, which is the maximum that the API allows.
const PAGE: usize = 200;

const MOST_ROWS: usize = 500_000;

const MOST_PAGES: usize = 10_000;

/// The overlap of two pages is the number of rows of a page divided by this number.
const OVERLAP: usize = 20;

#[derive(Debug, Clone, Copy)]
enum ListSource {
    Recent(RecentUpdates),
    Unmanifested(Option<CompanyId>),
}

impl ListSource {
    const fn path(self) -> &'static str {
        match self {
            Self::Recent(_) => "/apiv2/consignments/getRecentlyCreatedOrUpdatedConsignments",
            Self::Unmanifested(_) => "/apiv2/consignments/getUnmanifested",
        }
    }

    fn read(self, body: &[u8]) -> Result<PartialList<Consignment>, Failure> {
        let path = self.path();
        into_list(path, body)
            .inspect_err(|failure| tracing::warn!(path, %failure, "a page could not be read"))
    }
}

#[derive(Debug)]
pub struct ListPages {
    client: Client,
    source: ListSource,
    position: ReadPosition,
    /// The page that is likely to come next, already being fetched.
    prefetched: Option<Prefetch>,
}

#[derive(Debug, Default)]
struct ReadPosition {
    returned: FxHashMap<ConsignmentId, LastChange>,
    /// Number of returned rows that connect to the start of the list without a gap.
    connected_rows: usize,
    /// Position in the list up to which rows are read.
    end: usize,
    /// Number of rows received on pages that join, repeated rows included.
    received_rows: usize,
    pages: usize,
    /// Number of distinct rows on the last page that joined.
    last_page_rows: usize,
    /// Additional overlap of the next page; 0 unless the previous page did not join.
    extra_overlap: usize,
    total: Option<u64>,
    first: Option<ConsignmentId>,
    ended: bool,
    /// True if the service sends the same page again and again.
    repeats: bool,
}

/// The time of a row's last status change when it was read, in microseconds since 1970 to save memory with many rows.
/// A row that has changed since may have moved in the list, so pages only join at a row with an equal time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct LastChange(i64);

impl LastChange {
    /// Marks a row from a page that did not join; no page joins at such a row.
    const UNCONNECTED: Self = Self(i64::MIN);
    const NEVER: Self = Self(i64::MAX);

    fn of(row: &Consignment) -> Self {
        let changes = row.history().iter();
        let moments = changes.filter_map(|change| change.status_date_utc);
        let last = moments.map(|moment| moment.0.as_microsecond()).max();
        last.map_or(Self::NEVER, Self)
    }
}

impl ReadPosition {
    /// Returns where the next page starts, counted from 1, or none at the end of the list.
    fn next(&self) -> Result<Option<usize>, Failure> {
        if self.ended {
            Ok(None)
        } else if self.repeats || self.returned.len() >= MOST_ROWS || self.pages >= MOST_PAGES {
            Err(Failure::Endless)
        } else {
            Ok(Some(start_after(
                self.end,
                self.last_page_rows,
                self.extra_overlap,
            )))
        }
    }

    /// Predicts where the page after the page at `start` begins, assuming that the page at `start` has as many rows
    /// as the page before it. Returns `None` if the list probably ends there or if no prediction is possible.
    fn predict_start(&self, start: usize) -> Option<usize> {
        let total = usize::try_from(self.total?).ok()?;
        let read = start - 1 + self.last_page_rows;
        let goes_on = self.last_page_rows > 0 && self.extra_overlap == 0 && read < total;
        goes_on.then(|| start_after(read, self.last_page_rows, 0))
    }

    /// Records the page that starts at `start`, and removes rows that were returned before from the page.
    fn add(&mut self, start: usize, page: &mut PartialList<Consignment>) {
        self.pages += 1;
        self.total = page.total;
        let rows = rows_in_order(page);
        let first = rows.first().map(|(id, _)| *id);
        let is_same = first == std::mem::replace(&mut self.first, first);
        let ids = rows.iter().map(|(id, _)| *id);
        let mut new: FxHashSet<_> = ids.filter(|id| !self.returned.contains_key(id)).collect();
        if self.joins(start, &rows) {
            self.extra_overlap = 0;
            self.advance(start, &rows, is_same);
        } else {
            self.extra_overlap = (self.extra_overlap * 2).max(PAGE / 2);
            self.returned
                .extend(new.iter().map(|id| (*id, LastChange::UNCONNECTED)));
        }
        page.rows.retain(|row| new.remove(&row.id));
        page.unreadable
            .retain(|row| new.remove(&ConsignmentId::new(row.key())));
    }

    /// Returns true if no row can be missing between the rows read so far and this page.
    fn joins(&self, start: usize, rows: &[(ConsignmentId, LastChange)]) -> bool {
        let again = (self.end + 1).saturating_sub(start);
        let is_read =
            |(id, change): &(ConsignmentId, LastChange)| self.returned.get(id) == Some(change);
        again == 0 || start == 1 || rows.iter().take(again).any(is_read)
    }

    /// Moves on past a page that joins. The end of the list is decided by the total if the service reports one;
    /// otherwise a page that is not full is the last. A row that is on two pages, or twice on one page, counts once,
    /// so that the rows behind it are still requested.
    fn advance(&mut self, start: usize, rows: &[(ConsignmentId, LastChange)], is_same: bool) {
        let (came, before) = (rows.len(), self.connected_rows);
        let own: FxHashSet<_> = rows.iter().map(|(id, _)| *id).collect();
        for (id, change) in rows {
            let known = self.returned.insert(*id, *change);
            self.connected_rows +=
                usize::from(known.is_none_or(|known| known == LastChange::UNCONNECTED));
        }
        self.received_rows += came;
        self.end = start - 1 + own.len();
        self.last_page_rows = own.len();
        let enough = |rows: usize| self.total.is_some_and(|total| rows as u64 >= total);
        let nothing_new = self.connected_rows == before;
        self.ended = came == 0
            || enough(self.end)
            || (self.total.is_none() && came < PAGE)
            // As many rows arrived as the list has, but some changed places while the pages were read.
            || (nothing_new && enough(self.received_rows));
        self.repeats = nothing_new && is_same && !self.ended;
    }
}

/// Returns the rows of a page in their original order. Unreadable rows are included, because they take up
/// positions too.
fn rows_in_order(page: &PartialList<Consignment>) -> Vec<(ConsignmentId, LastChange)> {
    let mut rows: Vec<_> = { page.rows.iter() }
        .map(|row| (row.id, LastChange::of(row)))
        .collect();
    for unread in &page.unreadable {
        let at = unread.at.min(rows.len());
        rows.insert(at, (ConsignmentId::new(unread.key()), LastChange::NEVER));
    }
    rows
}

/// Returns the start of the page that follows `read` rows. The page overlaps the previous page, which had `length`
/// rows, and begins `back` rows earlier than usual.
fn start_after(read: usize, length: usize, back: usize) -> usize {
    (read + 1).saturating_sub(length / OVERLAP + back).max(1)
}

impl ListPages {
    /// Returns the new rows of the next page, with unreadable records listed separately, or none after the last page.
    pub async fn next(&mut self) -> Result<Option<PartialList<Consignment>>, Failure> {
        let Some(start) = self.position.next()? else {
            return Ok(None);
        };
        let ahead = self.prefetched.take().filter(|ahead| ahead.start == start);
        let body = match ahead {
            Some(mut ahead) => {
                let read = ahead.task.join_next().await;
                read.and_then(Result::ok).ok_or(Failure::Broken)??
            }
            None => self.client.page_body(self.source, start).await?,
        };
        // Invariant: the next page is requested only after this page has been received completely. Otherwise a row
        // that moves between the two pages could be on neither.
        let likely = self.position.predict_start(start);
        self.prefetched = likely.map(|start| self.prefetch(start));
        let mut page = self.source.read(&body)?;
        self.position.add(start, &mut page);
        Ok(Some(page))
    }

    fn prefetch(&self, start: usize) -> Prefetch {
        let (client, source) = (self.client.clone(), self.source);
        let mut task = JoinSet::new();
        task.spawn(async move { client.page_body(source, start).await });
        Prefetch { start, task }
    }

    /// Returns the number of distinct rows received so far.
    pub fn received_rows(&self) -> usize {
        self.position.returned.len()
    }

    /// Returns the number of rows in the list, if the service reports it.
    pub const fn total(&self) -> Option<u64> {
        self.position.total
    }

    async fn all(mut self) -> Result<Vec<Consignment>, Failure> {
        let mut all = Vec::new();
        while let Some(page) = self.next().await? {
            all.extend(require_all_readable(page)?);
        }
        Ok(all)
    }
}

/// The page that starts at `start`, fetched in a separate task while the page before it is parsed. Dropping the
/// prefetch stops the task.
#[derive(Debug)]
struct Prefetch {
    start: usize,
    task: JoinSet<Result<Vec<u8>, Failure>>,
}

impl Client {
    /// Reads one page of `GET /apiv2/consignments/getRecentlyCreatedOrUpdatedConsignments`; `start` counts from 1.
    pub async fn recent_page(
        &self,
        updates: &RecentUpdates,
        start: usize,
    ) -> Result<PartialList<Consignment>, Failure> {
        let source = ListSource::Recent(*updates);
        source.read(&self.page_body(source, start).await?)
    }

    /// Fetches one page of a list; `start` counts from 1.
    async fn page_body(&self, source: ListSource, start: usize) -> Result<Vec<u8>, Failure> {
        let mut query = match source {
            ListSource::Recent(updates) => updates.query(),
            ListSource::Unmanifested(company) => query_of("companyId", company),
        };
        query.extend(query_of("startIndex", [start]));
        query.extend(query_of("retrieveSize", [PAGE]));
        let call = ApiRequest::get(source.path(), query, SizeLimit::List, self.limits.read);
        self.transport.read_as(&call, json).await
    }

    pub fn recent_pages(&self, updates: RecentUpdates) -> ListPages {
        self.pages(ListSource::Recent(updates))
    }

    /// Reads all pages of the recent updates and returns each consignment once.
    pub async fn recently_updated(
        &self,
        updates: &RecentUpdates,
    ) -> Result<Vec<Consignment>, Failure> {
        self.recent_pages(*updates).all().await
    }

    /// `GET /apiv2/consignments/getUnmanifested`, page by page. The operation is not in the specification: a
    /// deployment without it answers with [`Failure::Status`].
    pub fn unmanifested_pages(&self, company: Option<CompanyId>) -> ListPages {
        self.pages(ListSource::Unmanifested(company))
    }

    /// Reads all pages of the unmanifested consignments and returns each consignment once.
    pub async fn unmanifested(
        &self,
        company: Option<CompanyId>,
    ) -> Result<Vec<Consignment>, Failure> {
        self.unmanifested_pages(company).all().await
    }

    fn pages(&self, source: ListSource) -> ListPages {
        ListPages {
            client: self.clone(),
            source,
            position: ReadPosition::default(),
            prefetched: None,
        }
    }
}
