//! Suggestions in memory: merged as they are collected, and reported when they change. A newer value replaces an
//! older value, which only fills the empty fields of the newer one. Keeps only the 2,000 most recent receivers.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use jiff::Timestamp;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Suggestions, fold};
use draft::{Receiver, SavedItem, Suburb, parse_place, suburbs};
use shipping::CompanyId;
use storage::{SuggestionKind, SuggestionRow};

trait Suggestion: Clone + PartialEq + Serialize + DeserializeOwned {
    const KIND: SuggestionKind;
    /// The most suggestions that are kept. Real data has fewer suburbs and saved items, but a faulty service must not
    /// fill the memory.
    const MOST: usize = 20_000;

    /// Fills the empty fields of a newer suggestion from an older suggestion with the same key.
    fn fill(&mut self, older: &Self);
}

/// The suggestions of one kind, by key.
struct SuggestionTable<T> {
    entries: HashMap<String, (Timestamp, T)>,
    changed: HashSet<String>,
    /// Keys that the journal has.
    stored: HashSet<String>,
    /// Keys that were removed here and have to be removed from the journal.
    gone: Vec<String>,
}

impl<T> Default for SuggestionTable<T> {
    fn default() -> Self {
        Self {
            entries: HashMap::new(),
            changed: HashSet::new(),
            stored: HashSet::new(),
            gone: Vec::new(),
        }
    }
}

/// Changes of one kind to write to the journal.
pub struct JournalChanges {
    pub kind: SuggestionKind,
    pub rows: Vec<SuggestionRow>,
    pub gone: Vec<String>,
}

impl<T: Suggestion> SuggestionTable<T> {
    /// Adds or updates a suggestion that was seen at the time `at`.
    fn put(&mut self, key: String, at: Timestamp, new: T) {
        let merged = match self.entries.get(&key) {
            None => (at, new),
            Some((then, old)) => {
                let (mut newer, older) = if at >= *then {
                    (new, old)
                } else {
                    (old.clone(), &new)
                };
                newer.fill(older);
                (at.max(*then), newer)
            }
        };
        if self.entries.get(&key) != Some(&merged) {
            self.changed.insert(key.clone());
            self.entries.insert(key, merged);
        }
        // A long list is collected page by page, and keeping all of it until the last page takes a lot of memory.
        if self.entries.len() >= 2 * T::MOST {
            self.drop_surplus();
        }
    }

    /// Removes the oldest suggestions if there are more than `MOST`.
    fn drop_surplus(&mut self) {
        if self.entries.len() <= T::MOST {
            return;
        }
        let surplus: Vec<_> = self.by_age().into_iter().skip(T::MOST).cloned().collect();
        for key in surplus {
            self.remove(key);
        }
        self.entries.shrink_to_fit();
    }

    fn remove(&mut self, key: String) -> Option<(Timestamp, T)> {
        let removed = self.entries.remove(&key);
        self.changed.remove(&key);
        if self.stored.remove(&key) {
            self.gone.push(key);
        }
        removed
    }

    /// Moves a suggestion that an older version stored without a company to the company's key. Returns that key.
    fn move_to_company(&mut self, company: Option<CompanyId>, key: String) -> String {
        let Some(company) = company else { return key };
        let new = format!("{company} {key}");
        if let Some(known) = self.remove(key) {
            self.changed.insert(new.clone());
            self.entries.entry(new.clone()).or_insert(known);
        }
        new
    }

    /// Adds stored suggestions. Suggestions that were collected since the start are newer and stay.
    fn restore(&mut self, rows: Vec<SuggestionRow>) {
        for row in rows {
            self.stored.insert(row.key.clone());
            if let Ok(known) = serde_json::from_str(&row.body) {
                self.entries.entry(row.key).or_insert((row.seen, known));
            }
        }
    }

    /// Returns the keys, the most recently seen first.
    fn by_age(&self) -> Vec<&String> {
        let mut keys: Vec<_> = self.entries.iter().collect();
        keys.sort_unstable_by(|(a, (at, _)), (b, (then, _))| (then, a).cmp(&(at, b)));
        keys.into_iter().map(|(key, _)| key).collect()
    }

    /// Returns the changes since the last call.
    fn take_changes(&mut self) -> Option<JournalChanges> {
        if self.changed.is_empty() {
            return None;
        }
        self.drop_surplus();
        let gone = std::mem::take(&mut self.gone);
        let rows = self.changed.drain().filter_map(|key| {
            let (seen, known) = self.entries.get(&key)?;
            let body = serde_json::to_string(known).ok()?;
            let seen = *seen;
            self.stored.insert(key.clone());
            Some(SuggestionRow { key, seen, body })
        });
        Some(JournalChanges {
            kind: T::KIND,
            rows: rows.collect(),
            gone,
        })
    }

    fn newest_first(&self) -> Vec<T> {
        let keys = self.by_age().into_iter();
        keys.map(|key| self.entries[key].1.clone()).collect()
    }
}

#[derive(Default)]
pub struct SuggestionStore {
    /// Keys of saved items that are known only from lists read since the program started.
    uncertain_items: HashSet<String>,
    receivers: SuggestionTable<Receiver>,
    suburbs: SuggestionTable<Suburb>,
    items: SuggestionTable<SavedItem>,
}

impl SuggestionStore {
    pub fn receiver(&mut self, receiver: Receiver, at: Timestamp) {
        let place = parse_place(&receiver.place).map_or_else(
            || [&*receiver.city, &receiver.postcode, &receiver.country].map(fold),
            |place| [fold(&place.suburb), fold(&place.postcode), String::new()],
        );
        let [name, line1] = [&receiver.name, &receiver.line1].map(|text| fold(text));
        let who = [name, line1, place.join("\n")].join("\n");
        let key = self.receivers.move_to_company(receiver.company, who);
        self.receivers.put(key, at, receiver);
    }

    pub(super) fn suburb(&mut self, suburb: Suburb, at: Timestamp) {
        let key = key_of(&suburb);
        // Seeing a suburb again does not make it newer, so nothing is written for that.
        let at = self.suburbs.entries.get(&key).map_or(at, |(then, _)| *then);
        self.suburbs.put(key, at, suburb);
    }

    /// Remembers a saved item. If not `sure`, the values may have been typed over the saved values, and are
    /// used only if nothing more certain is known.
    pub fn item(&mut self, item: SavedItem, sure: bool, at: Timestamp) {
        let by_sku = format!("sku {}", fold(&item.sku));
        let by_sku = self.items.move_to_company(item.company, by_sku);
        let key = item
            .id
            .map_or_else(|| by_sku.clone(), |id| format!("id {id}"));
        let is_known = self.items.entries.contains_key(&key);
        if !sure && self.is_sure(&key) {
            return;
        }
        let at = if !sure && is_known {
            Timestamp::UNIX_EPOCH
        } else {
            at
        };
        if !sure && !is_known {
            self.uncertain_items.insert(key.clone());
        } else if sure && self.uncertain_items.remove(&key) {
            self.items.entries.remove(&key);
        }
        // The item was known by its SKU alone, and now has an id.
        let before = { self.items.entries.get(&by_sku) }.filter(|_| key != by_sku);
        let before = before.cloned();
        let item = if !sure && key != by_sku && self.is_sure(&by_sku) {
            self.uncertain_items.remove(&key);
            SavedItem {
                id: item.id,
                company: item.company,
                sku: item.sku,
                ..SavedItem::default()
            }
        } else {
            item
        };
        self.items.put(key.clone(), at, item);
        if let Some((then, known)) = before {
            self.items.put(key, then, known);
        }
    }

    /// Returns true if the item is known from another source than a list.
    fn is_sure(&self, key: &str) -> bool {
        self.items.entries.contains_key(key) && !self.uncertain_items.contains(key)
    }

    pub(super) fn restore(&mut self, kind: SuggestionKind, rows: Vec<SuggestionRow>) {
        match kind {
            SuggestionKind::Receiver => self.receivers.restore(rows),
            SuggestionKind::Suburb => self.suburbs.restore(rows),
            SuggestionKind::Item => self.items.restore(rows),
            SuggestionKind::UnNumber | SuggestionKind::Carriers => {}
        }
    }

    /// Returns the changes since the last call, for the journal and for the screens.
    pub fn changes(&mut self) -> (Vec<JournalChanges>, Suggestions) {
        let receivers = self.receivers.take_changes();
        let suburbs = self.suburbs.take_changes();
        let items = self.items.take_changes();
        if receivers.is_none() && suburbs.is_none() && items.is_none() {
            return (Vec::new(), Suggestions::default());
        }
        // Sort and copy only the lists that have changed.
        let known = Suggestions {
            receivers: receivers.is_some().then(|| self.newest_receivers()),
            suburbs: suburbs.is_some().then(|| self.sorted_suburbs()),
            items: items.is_some().then(|| self.newest_items()),
            ..Suggestions::default()
        };
        let written = [receivers, suburbs, items].into_iter().flatten().collect();
        (written, known)
    }

    pub fn whole(&self) -> Suggestions {
        Suggestions {
            receivers: Some(self.newest_receivers()),
            suburbs: Some(self.sorted_suburbs()),
            items: Some(self.newest_items()),
            ..Suggestions::default()
        }
    }

    fn newest_receivers(&self) -> Arc<Vec<Receiver>> {
        Arc::new(self.receivers.newest_first())
    }

    fn sorted_suburbs(&self) -> Arc<Vec<Suburb>> {
        let known = &self.suburbs.entries;
        let postcodes: HashSet<&str> = { known.values() }
            .map(|(_, suburb)| suburb.postcode.as_str())
            .collect();
        let mut learned: Vec<_> = known.values().map(|(_, suburb)| suburb.clone()).collect();
        let mut all = Vec::with_capacity(suburbs::australian().len() + learned.len());
        for suburb in suburbs::australian() {
            // The keys of all suburbs would take too long to make.
            if postcodes.contains(suburb.postcode.as_str()) {
                let key = key_of(suburb);
                if let Some(known) = learned.iter_mut().find(|known| key_of(known) == key) {
                    // The service's own spelling counts. It may leave the state out.
                    if known.state.is_empty() {
                        known.state.clone_from(&suburb.state);
                    }
                    continue;
                }
            }
            all.push(suburb.clone());
        }
        all.append(&mut learned);
        // Two sorted parts are merged quickly.
        all.sort();
        Arc::new(all)
    }

    fn newest_items(&self) -> Arc<Vec<SavedItem>> {
        let mut seen = HashSet::new();
        let mut items = self.items.newest_first();
        // Items with an id first: a duplicate that is known only by its SKU adds nothing.
        items.sort_by_key(|item| item.id.is_none());
        items.retain(|item| item.sku.is_empty() || seen.insert((item.company, fold(&item.sku))));
        Arc::new(items)
    }
}

fn key_of(suburb: &Suburb) -> String {
    [&*suburb.suburb, &suburb.postcode].map(fold).join("\n")
}

fn fill_empty<const N: usize>(texts: [(&mut String, &String); N]) {
    for (new, old) in texts {
        if new.is_empty() {
            new.clone_from(old);
        }
    }
}

impl Suggestion for Receiver {
    const KIND: SuggestionKind = SuggestionKind::Receiver;
    const MOST: usize = 2_000;

    fn fill(&mut self, older: &Self) {
        self.company = self.company.or(older.company);
        fill_empty([
            (&mut self.contact, &older.contact),
            (&mut self.phone, &older.phone),
            (&mut self.email, &older.email),
            (&mut self.line2, &older.line2),
            (&mut self.country, &older.country),
            (&mut self.city, &older.city),
            (&mut self.province, &older.province),
            (&mut self.postcode, &older.postcode),
        ]);
        // `Ballarat VIC 3350` says more than `Ballarat 3350`.
        if older.place.len() > self.place.len() {
            self.place.clone_from(&older.place);
        }
    }
}

impl Suggestion for Suburb {
    const KIND: SuggestionKind = SuggestionKind::Suburb;

    fn fill(&mut self, older: &Self) {
        fill_empty([(&mut self.state, &older.state)]);
        self.suburb.clone_from(&older.suburb);
    }
}

impl Suggestion for SavedItem {
    const KIND: SuggestionKind = SuggestionKind::Item;

    fn fill(&mut self, older: &Self) {
        fill_empty([
            (&mut self.sku, &older.sku),
            (&mut self.name, &older.name),
            (&mut self.item_type, &older.item_type),
        ]);
        self.id = self.id.or(older.id);
        self.company = self.company.or(older.company);
        self.quantity = self.quantity.or(older.quantity);
        self.weight = self.weight.or(older.weight);
        self.length = self.length.or(older.length);
        self.width = self.width.or(older.width);
        self.height = self.height.or(older.height);
        self.dangerous = self.dangerous.or(older.dangerous);
    }
}
