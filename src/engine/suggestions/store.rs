//! Suggestions in memory: merged as they are collected, and reported when they change. The newer value wins,
//! and the older one fills its gaps. Keeps only the 2,000 receivers that were sent to most recently.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use jiff::Timestamp;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Suggestions, fold};
use draft::{Receiver, SavedItem, Suburb, parse_place};
use shipping::CompanyId;
use storage::{SuggestionKind, SuggestionRow};

const MOST_RECEIVERS: usize = 2_000;

/// The most suburbs and the most saved items. There are fewer, but a faulty service must not fill the memory.
const MOST: usize = 20_000;

/// The suggestions of one kind, by key.
struct SuggestionTable<T> {
    entries: HashMap<String, (Timestamp, T)>,
    changed: HashSet<String>,
    /// Keys in the journal that were replaced by others.
    replaced: Vec<String>,
}

impl<T> Default for SuggestionTable<T> {
    fn default() -> Self {
        Self {
            entries: HashMap::new(),
            changed: HashSet::new(),
            replaced: Vec::new(),
        }
    }
}

/// Changes of one kind to write to the journal.
pub(super) struct JournalChanges {
    pub(super) kind: SuggestionKind,
    pub(super) rows: Vec<SuggestionRow>,
    pub(super) gone: Vec<String>,
}

impl<T: Clone + PartialEq + Serialize + DeserializeOwned> SuggestionTable<T> {
    /// Adds or updates a suggestion that was seen `at`. `merge` fills the gaps of the newer one from the
    /// older one.
    fn put(&mut self, key: String, at: Timestamp, new: T, merge: impl FnOnce(&mut T, &T)) {
        let merged = match self.entries.get(&key) {
            None => (at, new),
            Some((then, old)) => {
                let (mut newer, older) = if at >= *then {
                    (new, old)
                } else {
                    (old.clone(), &new)
                };
                merge(&mut newer, older);
                (at.max(*then), newer)
            }
        };
        if self.entries.get(&key) != Some(&merged) {
            self.changed.insert(key.clone());
            self.entries.insert(key, merged);
        }
    }

    /// Moves a suggestion that an older version stored without a company to the company's key.
    /// Returns that key.
    fn move_to_company(&mut self, company: Option<CompanyId>, key: &str) -> String {
        let Some(company) = company else {
            return key.to_owned();
        };
        let new = format!("{company} {key}");
        if let Some(known) = self.entries.remove(key) {
            self.changed.remove(key);
            self.replaced.push(key.to_owned());
            self.changed.insert(new.clone());
            self.entries.entry(new.clone()).or_insert(known);
        }
        new
    }

    fn restore(&mut self, rows: &[SuggestionRow]) {
        for row in rows {
            if let Ok(known) = serde_json::from_str(&row.body) {
                // Suggestions collected since the start are newer.
                let entry = self.entries.entry(row.key.clone());
                entry.or_insert((row.seen, known));
            }
        }
    }

    /// Returns the keys, the most recently seen first.
    fn by_age(&self) -> Vec<&String> {
        let mut keys: Vec<_> = self
            .entries
            .iter()
            .map(|(key, (at, _))| (at, key))
            .collect();
        keys.sort_unstable_by(|(at, a), (then, b)| (then, a).cmp(&(at, b)));
        keys.into_iter().map(|(_, key)| key).collect()
    }

    /// Returns the changes since the last call, and removes the oldest suggestions above `most`.
    fn written(&mut self, kind: SuggestionKind, most: usize) -> Option<JournalChanges> {
        if self.changed.is_empty() {
            return None;
        }
        let surplus: Vec<_> = { self.by_age().into_iter() }.skip(most).cloned().collect();
        for key in &surplus {
            self.entries.remove(key);
        }
        let gone = [std::mem::take(&mut self.replaced), surplus].concat();
        let rows = self.changed.drain().filter_map(|key| {
            let (seen, known) = self.entries.get(&key)?;
            let body = serde_json::to_string(known).ok()?;
            let seen = *seen;
            Some(SuggestionRow { key, seen, body })
        });
        let rows = rows.collect();
        Some(JournalChanges { kind, rows, gone })
    }

    fn newest_first(&self) -> Vec<T> {
        let keys = self.by_age().into_iter();
        keys.map(|key| self.entries[key].1.clone()).collect()
    }
}

#[derive(Default)]
pub(crate) struct SuggestionStore {
    /// Keys of saved items that are known only from lists since this start.
    uncertain_items: HashSet<String>,
    receivers: SuggestionTable<Receiver>,
    suburbs: SuggestionTable<Suburb>,
    items: SuggestionTable<SavedItem>,
}

impl SuggestionStore {
    pub(super) fn receiver(&mut self, receiver: Receiver, at: Timestamp) {
        let place = parse_place(&receiver.place).map_or_else(
            || [&*receiver.city, &receiver.postcode, &receiver.country].map(fold),
            |place| [fold(&place.suburb), fold(&place.postcode), String::new()],
        );
        let [name, line1] = [&receiver.name, &receiver.line1].map(|text| fold(text));
        let who = [name, line1, place.join("\n")].join("\n");
        let key = self.receivers.move_to_company(receiver.company, &who);
        self.receivers.put(key, at, receiver, fill_receiver);
    }

    pub(super) fn suburb(&mut self, suburb: Suburb, at: Timestamp) {
        let key = [&*suburb.suburb, &suburb.postcode].map(fold).join("\n");
        // Seeing a suburb again does not make it newer, so nothing is written for that.
        let at = self.suburbs.entries.get(&key).map_or(at, |(then, _)| *then);
        self.suburbs.put(key, at, suburb, |new, old| {
            if new.state.is_empty() {
                new.state.clone_from(&old.state);
            }
            new.suburb.clone_from(&old.suburb);
        });
    }

    /// Remembers a saved item. If not `sure`, the values may have been typed over the saved values, and are
    /// used only if nothing more certain is known.
    pub(super) fn item(&mut self, item: SavedItem, sure: bool, at: Timestamp) {
        let by_sku = format!("sku {}", fold(&item.sku));
        let by_sku = self.items.move_to_company(item.company, &by_sku);
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
        self.items.put(key.clone(), at, item, fill_item);
        if let Some((then, known)) = before {
            self.items.put(key, then, known, fill_item);
        }
    }

    /// Returns true if the item is known from more than lists.
    fn is_sure(&self, key: &str) -> bool {
        self.items.entries.contains_key(key) && !self.uncertain_items.contains(key)
    }

    pub(super) fn restore(&mut self, kind: SuggestionKind, rows: &[SuggestionRow]) {
        match kind {
            SuggestionKind::Receiver => self.receivers.restore(rows),
            SuggestionKind::Suburb => self.suburbs.restore(rows),
            SuggestionKind::Item => self.items.restore(rows),
            SuggestionKind::UnNumber | SuggestionKind::Carriers => {}
        }
    }

    /// Returns the changes since the last call, for the journal and for the screens.
    pub(super) fn changes(&mut self) -> (Vec<JournalChanges>, Suggestions) {
        let receivers = self
            .receivers
            .written(SuggestionKind::Receiver, MOST_RECEIVERS);
        let suburbs = self.suburbs.written(SuggestionKind::Suburb, MOST);
        let items = self.items.written(SuggestionKind::Item, MOST);
        let known = Suggestions {
            receivers: receivers.is_some().then(|| self.receivers()),
            suburbs: suburbs.is_some().then(|| self.suburbs()),
            items: items.is_some().then(|| self.items()),
            ..Suggestions::default()
        };
        let written = [receivers, suburbs, items].into_iter().flatten().collect();
        (written, known)
    }

    pub(super) fn whole(&self) -> Suggestions {
        Suggestions {
            receivers: Some(self.receivers()),
            suburbs: Some(self.suburbs()),
            items: Some(self.items()),
            ..Suggestions::default()
        }
    }

    fn receivers(&self) -> Arc<Vec<Receiver>> {
        Arc::new(self.receivers.newest_first())
    }

    fn suburbs(&self) -> Arc<Vec<Suburb>> {
        let known = self.suburbs.entries.values();
        let mut suburbs: Vec<_> = known.map(|(_, suburb)| suburb.clone()).collect();
        suburbs.sort_unstable();
        Arc::new(suburbs)
    }

    fn items(&self) -> Arc<Vec<SavedItem>> {
        let mut seen = HashSet::new();
        let mut items = self.items.newest_first();
        // Items with an id first: a duplicate that is known only by its SKU adds nothing.
        items.sort_by_key(|item| item.id.is_none());
        items.retain(|item| item.sku.is_empty() || seen.insert((item.company, fold(&item.sku))));
        Arc::new(items)
    }
}

fn fill_receiver(new: &mut Receiver, old: &Receiver) {
    new.company = new.company.or(old.company);
    for (new, old) in [
        (&mut new.contact, &old.contact),
        (&mut new.phone, &old.phone),
        (&mut new.email, &old.email),
        (&mut new.line2, &old.line2),
        (&mut new.country, &old.country),
        (&mut new.city, &old.city),
        (&mut new.province, &old.province),
        (&mut new.postcode, &old.postcode),
    ] {
        if new.is_empty() {
            new.clone_from(old);
        }
    }
    // `Ballarat VIC 3350` says more than `Ballarat 3350`.
    if old.place.len() > new.place.len() {
        new.place.clone_from(&old.place);
    }
}

fn fill_item(new: &mut SavedItem, old: &SavedItem) {
    for (new, old) in [
        (&mut new.sku, &old.sku),
        (&mut new.name, &old.name),
        (&mut new.item_type, &old.item_type),
    ] {
        if new.is_empty() {
            new.clone_from(old);
        }
    }
    new.id = new.id.or(old.id);
    new.company = new.company.or(old.company);
    new.quantity = new.quantity.or(old.quantity);
    new.weight = new.weight.or(old.weight);
    new.length = new.length.or(old.length);
    new.width = new.width.or(old.width);
    new.height = new.height.or(old.height);
    new.dangerous = new.dangerous.or(old.dangerous);
}

#[cfg(test)]
mod tests {
    use jiff::SignedDuration;

    use super::*;
    use shipping::{CompanyItemId, Kilograms};

    fn receiver(name: &str, place: &str, phone: &str) -> Receiver {
        Receiver {
            name: name.to_owned(),
            line1: "8 Creswick Road".to_owned(),
            place: place.to_owned(),
            phone: phone.to_owned(),
            ..Receiver::default()
        }
    }

    fn item(id: Option<i64>, name: &str, weight: Option<i64>) -> SavedItem {
        SavedItem {
            id: id.map(CompanyItemId::new),
            sku: "HR-20".to_owned(),
            name: name.to_owned(),
            weight: weight.map(|weight| Kilograms(weight.into())),
            ..SavedItem::default()
        }
    }

    fn at(minutes: i64) -> Timestamp {
        Timestamp::UNIX_EPOCH + SignedDuration::from_mins(minutes)
    }

    #[test]
    fn the_same_receiver_is_one_and_the_newer_word_is_filled_from_the_older() {
        let mut store = SuggestionStore::default();
        store.receiver(receiver("Farm", "Ballarat VIC 3350", "03 5550 0199"), at(1));
        store.receiver(receiver(" FARM ", "Ballarat  3350", ""), at(2));
        store.receiver(receiver("Nursery", "Ballarat 3350", ""), at(3));
        let known = store.receivers();
        let names: Vec<_> = known.iter().map(|one| one.name.trim()).collect();
        assert_eq!(names, ["Nursery", "FARM"], "the last one first");
        assert_eq!(known[1].phone, "03 5550 0199");
        assert_eq!(known[1].place, "Ballarat VIC 3350");
    }

    #[test]
    fn what_is_seen_again_as_it_was_is_no_change() {
        let mut store = SuggestionStore::default();
        store.receiver(receiver("Farm", "Ballarat VIC 3350", ""), at(1));
        assert_eq!(store.changes().0.len(), 1);
        store.receiver(receiver("Farm", "Ballarat VIC 3350", ""), at(1));
        let (written, known) = store.changes();
        assert!(written.is_empty() && known.receivers.is_none());
    }

    #[test]
    fn the_oldest_receivers_go_where_there_are_too_many() {
        let mut store = SuggestionStore::default();
        let most = i64::try_from(MOST_RECEIVERS).expect("small");
        for minute in 0..most + 5 {
            let name = format!("Receiver {minute}");
            store.receiver(receiver(&name, "Ballarat VIC 3350", ""), at(minute));
        }
        let (written, known) = store.changes();
        assert_eq!(written[0].gone.len(), 5);
        assert_eq!(written[0].rows.len(), MOST_RECEIVERS);
        let known = known.receivers.expect("they changed");
        assert_eq!(known.last().expect("some").name, "Receiver 5");
    }

    #[test]
    fn what_may_have_been_typed_over_counts_until_something_surer_is_known() {
        let mut store = SuggestionStore::default();
        let item = |name: &str, weight| item(Some(8001), name, weight);
        let known = |store: &SuggestionStore| {
            let items = store.items();
            (
                items[0].name.clone(),
                items[0].weight.map(|weight| weight.0),
            )
        };
        store.item(item("Hose reels", Some(12)), false, at(1));
        assert_eq!(known(&store), ("Hose reels".to_owned(), Some(12.into())));
        // The weight was typed, so the saved weight is unknown, whatever later lists say.
        store.item(item("Hose reels, 20 m", None), true, at(2));
        store.item(item("Reels", Some(12)), false, at(5));
        assert_eq!(known(&store), ("Hose reels, 20 m".to_owned(), None));
        store.item(item("Hose reels, 20 m", Some(9)), true, at(6));
        assert_eq!(known(&store).1, Some(9.into()));
    }

    #[test]
    fn one_that_is_known_by_its_sku_learns_its_id_and_no_more_from_a_list() {
        let mut store = SuggestionStore::default();
        store.item(item(None, "", None), true, at(1));
        store.item(item(Some(8001), "", Some(12)), false, at(2));
        let items = store.items();
        assert_eq!(items.len(), 1);
        assert_eq!(
            (items[0].id, items[0].weight),
            (Some(CompanyItemId::new(8001)), None)
        );
    }
}
