//! Reads a list page by page while other users change it.
//!
//! When a row disappears from the list, the rows behind it move up, past the start of the next page. So each
//! page overlaps the end of the last one, and if the two do not join, the next page begins further back. Rows
//! of a page that does not join are returned, but no other page may join at them, because rows before them
//! are still unread. Invariant: each row is returned once. A list that cannot be read to its end is an error,
//! because the caller would conclude that the missing consignments do not exist.

mod ahead;

use rustc_hash::{FxHashMap, FxHashSet};

use super::consignments::{RecentUpdates, all_of};
use super::{Client, Failure};
use crate::shipping::{CompanyId, Consignment, ConsignmentId, Page, PartialList};
use ahead::Ahead;

/// The number of rows in a page, which is the maximum that the API allows.
pub(super) const PAGE: usize = 200;

/// The maximum number of rows read of one list.
const MOST_ROWS: usize = 500_000;

/// The maximum number of pages read of one list.
const MOST_PAGES: usize = 10_000;

/// The overlap with the next page is the number of rows of a page divided by this.
const OVERLAP: usize = 20;

/// The list to read.
#[derive(Debug, Clone, Copy)]
enum Source {
    Recent(RecentUpdates),
    Unmanifested(Option<CompanyId>),
}

/// A list that is read page by page.
#[derive(Debug)]
pub struct ListPages {
    client: Client,
    source: Source,
    place: Place,
    /// The page that is likely to come next, already being fetched.
    ahead: Option<Ahead>,
}

/// The state of reading a list.
#[derive(Debug, Default)]
struct Place {
    /// Rows that were returned to the caller.
    given: FxHashMap<ConsignmentId, Change>,
    /// How many of the returned rows are connected with the start of the list without a gap.
    joined: usize,
    /// Position in the list up to which rows are read.
    read: usize,
    /// Number of rows received on pages that join, repeated rows included.
    came: usize,
    pages: usize,
    /// Number of distinct rows on the last page that joined.
    length: usize,
    /// Additional overlap of the next page, because the last one did not join.
    back: usize,
    total: Option<u64>,
    /// First row of the last page.
    first: Option<ConsignmentId>,
    ended: bool,
    /// The service sends one page again and again.
    stands_still: bool,
}

/// The time of a row's last status change when it was read, in microseconds since 1970 to save memory with
/// many rows. A row that has changed since may have moved in the list, so pages only join at a row with an
/// equal time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Change(i64);

impl Change {
    /// Marks a row from a page that did not join; no page joins at such a row.
    const APART: Self = Self(i64::MIN);
    /// The row has no dated change.
    const NEVER: Self = Self(i64::MAX);

    fn of(row: &Consignment) -> Self {
        let changes = row.history().iter();
        let moments = changes.filter_map(|change| change.status_date_utc);
        let last = moments.map(|moment| moment.0.as_microsecond()).max();
        last.map_or(Self::NEVER, Self)
    }
}

impl Place {
    /// Returns where the next page starts, counted from 1, or none at the end of the list.
    fn next(&self) -> Result<Option<usize>, Failure> {
        if self.ended {
            Ok(None)
        } else if self.stands_still || self.given.len() >= MOST_ROWS || self.pages >= MOST_PAGES {
            Err(Failure::Endless)
        } else {
            Ok(Some(after(self.read, self.length, self.back)))
        }
    }

    /// Returns where the page after the one at `start` will start if it is as long as the one before. Returns
    /// none if the list probably ends there, or if the start cannot be predicted.
    fn likely(&self, start: usize) -> Option<usize> {
        let total = usize::try_from(self.total?).ok()?;
        let read = start - 1 + self.length;
        let goes_on = self.length > 0 && self.back == 0 && read < total;
        goes_on.then(|| after(read, self.length, 0))
    }

    /// Records the page that starts at `start`, and removes the rows from it that were returned before.
    fn add(&mut self, start: usize, page: &mut Page<Consignment>) {
        self.pages += 1;
        self.total = page.total;
        let rows = in_place(page);
        let first = rows.first().map(|(id, _)| *id);
        let is_same = first == std::mem::replace(&mut self.first, first);
        let ids = rows.iter().map(|(id, _)| *id);
        let mut new: FxHashSet<_> = ids.filter(|id| !self.given.contains_key(id)).collect();
        if self.joins(start, &rows) {
            self.back = 0;
            self.advance(start, &rows, is_same);
        } else {
            self.back = (self.back * 2).max(PAGE / 2);
            self.given.extend(new.iter().map(|id| (*id, Change::APART)));
        }
        page.rows.retain(|row| new.remove(&row.id));
        page.unread
            .retain(|row| new.remove(&ConsignmentId::new(row.key())));
    }

    /// Returns true if no row can be missing between the rows read so far and this page.
    fn joins(&self, start: usize, rows: &[(ConsignmentId, Change)]) -> bool {
        let again = (self.read + 1).saturating_sub(start);
        let is_read = |(id, change): &(ConsignmentId, Change)| self.given.get(id) == Some(change);
        again == 0 || start == 1 || rows.iter().take(again).any(is_read)
    }

    /// Moves on past a page that joins. The end of the list is decided by the total if the service reports
    /// one; otherwise a page that is not full is the last. A row that stands on two pages, or twice on one,
    /// counts once, so that the rows behind it are still requested.
    fn advance(&mut self, start: usize, rows: &[(ConsignmentId, Change)], is_same: bool) {
        let (came, before) = (rows.len(), self.joined);
        let own: FxHashSet<_> = rows.iter().map(|(id, _)| *id).collect();
        for (id, change) in rows {
            let known = self.given.insert(*id, *change);
            self.joined += usize::from(known.is_none_or(|known| known == Change::APART));
        }
        self.came += came;
        self.read = start - 1 + own.len();
        self.length = own.len();
        let enough = |rows: usize| self.total.is_some_and(|total| rows as u64 >= total);
        let nothing_new = self.joined == before;
        self.ended = came == 0
            || enough(self.read)
            || (self.total.is_none() && came < PAGE)
            // Rows changed places while the pages were read.
            || (nothing_new && enough(self.came));
        self.stands_still = nothing_new && is_same && !self.ended;
    }
}

/// Returns the rows of a page in their original order. Unreadable rows are included, because they take up
/// positions too.
fn in_place(page: &Page<Consignment>) -> Vec<(ConsignmentId, Change)> {
    let mut rows: Vec<_> = { page.rows.iter() }
        .map(|row| (row.id, Change::of(row)))
        .collect();
    for unread in &page.unread {
        let at = unread.at.min(rows.len());
        rows.insert(at, (ConsignmentId::new(unread.key()), Change::NEVER));
    }
    rows
}

/// Returns the start of the page that follows `read` rows. The page overlaps the last one, which had
/// `length` rows.
fn after(read: usize, length: usize, back: usize) -> usize {
    (read + 1).saturating_sub(length / OVERLAP + back).max(1)
}

impl ListPages {
    /// Returns the new rows of the next page, with unreadable records listed separately, or none after the
    /// last page.
    pub async fn next(&mut self) -> Result<Option<PartialList<Consignment>>, Failure> {
        let Some(start) = self.place.next()? else {
            return Ok(None);
        };
        let ahead = self.ahead.take().filter(|ahead| ahead.start == start);
        let mut page = ahead.unwrap_or_else(|| self.begin(start));
        page.arrived().await;
        let likely = self.place.likely(start);
        let following = likely.map(|start| self.begin(start));
        let (mut page, is_first) = page.read().await?;
        self.ahead = following.filter(|_| is_first);
        self.place.add(start, &mut page);
        Ok(Some(PartialList {
            rows: page.rows,
            unread: page.unread,
        }))
    }

    /// Returns the number of distinct rows received so far.
    pub fn came(&self) -> usize {
        self.place.given.len()
    }

    /// Returns the number of rows in the list, if the service reports it.
    pub const fn total(&self) -> Option<u64> {
        self.place.total
    }

    async fn all(mut self) -> Result<Vec<Consignment>, Failure> {
        let mut all = Vec::new();
        while let Some(page) = self.next().await? {
            all.extend(all_of(page)?);
        }
        Ok(all)
    }
}

impl Client {
    /// Reads the recent updates page by page.
    pub fn recent_pages(&self, updates: RecentUpdates) -> ListPages {
        self.pages(Source::Recent(updates))
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
        self.pages(Source::Unmanifested(company))
    }

    /// Reads all pages of the unmanifested consignments and returns each consignment once.
    pub async fn unmanifested(
        &self,
        company: Option<CompanyId>,
    ) -> Result<Vec<Consignment>, Failure> {
        self.unmanifested_pages(company).all().await
    }

    fn pages(&self, source: Source) -> ListPages {
        ListPages {
            client: self.clone(),
            source,
            place: Place::default(),
            ahead: None,
        }
    }
}
