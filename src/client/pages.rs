//! Lists that come page by page, while others change them.
//!
//! What always holds: each row is given once. A row that goes makes those behind it move up, past the place that is read
//! next: so each page begins a little before the end of the last one, and where it does not join it, further back. What was
//! on a page that joins nothing is given, but no other page joins there: what lies before it is not read yet. A list that is
//! cut short is an error: it would say of some consignments that they are not there.

mod ahead;

use rustc_hash::{FxHashMap, FxHashSet};

use super::consignments::{RecentUpdates, all_of};
use super::{Client, Failure};
use crate::shipping::{CompanyId, Consignment, ConsignmentId, Page, PartialList};
use ahead::Ahead;

/// Rows in a page: the interface's most.
pub(super) const PAGE: usize = 200;

/// Rows read of one list.
const MOST_ROWS: usize = 500_000;

/// Pages asked for of one list.
const MOST_PAGES: usize = 10_000;

/// So many rows, divided by this, are read again with the next page.
const OVERLAP: usize = 20;

/// Which list.
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
    /// The page that is likely to follow, on its way.
    ahead: Option<Ahead>,
}

/// How far a list is read.
#[derive(Debug, Default)]
struct Place {
    /// Rows that were given.
    given: FxHashMap<ConsignmentId, Change>,
    /// How many of them are read without a gap from the start of the list.
    joined: usize,
    /// Rows of the list that are read, from its start.
    read: usize,
    /// With those that came again.
    came: usize,
    pages: usize,
    /// How many rows the last page had that joined.
    length: usize,
    /// How much further back than where that overlaps the next one begins.
    back: usize,
    total: Option<u64>,
    /// What the last page began with.
    first: Option<ConsignmentId>,
    ended: bool,
    /// The same page comes again and again.
    stands_still: bool,
}

/// When a row that is read without a gap had last changed: one that changes meanwhile may stand elsewhere. Microseconds since
/// 1970: there may be many rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Change(i64);

impl Change {
    /// Of a row that stood on a page that joined nothing: no page joins there.
    const APART: Self = Self(i64::MIN);
    /// No change is dated.
    const NEVER: Self = Self(i64::MAX);

    fn of(row: &Consignment) -> Self {
        let changes = row.history().iter();
        let moments = changes.filter_map(|change| change.status_date_utc);
        let last = moments.map(|moment| moment.0.as_microsecond()).max();
        last.map_or(Self::NEVER, Self)
    }
}

impl Place {
    /// Where the next page starts, counted from 1; nothing where the list has ended.
    fn next(&self) -> Result<Option<usize>, Failure> {
        if self.ended {
            Ok(None)
        } else if self.stands_still || self.given.len() >= MOST_ROWS || self.pages >= MOST_PAGES {
            Err(Failure::Endless)
        } else {
            Ok(Some(after(self.read, self.length, self.back)))
        }
    }

    /// Where the page behind the one that starts at `start` will start, should that be as long as the one before; nothing where
    /// the list is likely to end with it, or nobody can know.
    fn likely(&self, start: usize) -> Option<usize> {
        let total = usize::try_from(self.total?).ok()?;
        let read = start - 1 + self.length;
        let goes_on = self.length > 0 && self.back == 0 && read < total;
        goes_on.then(|| after(read, self.length, 0))
    }

    /// Takes the page that starts at `start`, and leaves in it what was not given before.
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

    /// True where nothing can lie between what is read and this page.
    fn joins(&self, start: usize, rows: &[(ConsignmentId, Change)]) -> bool {
        let again = (self.read + 1).saturating_sub(start);
        let is_read = |(id, change): &(ConsignmentId, Change)| self.given.get(id) == Some(change);
        again == 0 || start == 1 || rows.iter().take(again).any(is_read)
    }

    /// A service that says how many rows there are is believed; of any other, a page that is not full is the last. A row that
    /// stands on two pages, or twice on one, counts once: what follows it is still asked for.
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

/// The rows of a page as they stood in it, those that can't be read among them: these take a place, too.
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

/// Where the page starts that follows so many rows, the last page of `length` among them: it overlaps that a little.
fn after(read: usize, length: usize, back: usize) -> usize {
    (read + 1).saturating_sub(length / OVERLAP + back).max(1)
}

impl ListPages {
    /// The rows of the next page that were on none before, as far as they can be read; nothing after the last.
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

    /// How many rows came, each once.
    pub fn came(&self) -> usize {
        self.place.given.len()
    }

    /// How many rows the list has, where the service says.
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
    /// The recent updates, page by page.
    pub fn recent_pages(&self, updates: RecentUpdates) -> ListPages {
        self.pages(Source::Recent(updates))
    }

    /// Every page of the recent updates, each consignment once.
    pub async fn recently_updated(
        &self,
        updates: &RecentUpdates,
    ) -> Result<Vec<Consignment>, Failure> {
        self.recent_pages(*updates).all().await
    }

    /// `GET /apiv2/consignments/getUnmanifested`, page by page. Not in the specification: a deployment that lacks it answers
    /// with [`Failure::Status`].
    pub fn unmanifested_pages(&self, company: Option<CompanyId>) -> ListPages {
        self.pages(Source::Unmanifested(company))
    }

    /// Every page of that, each consignment once.
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
