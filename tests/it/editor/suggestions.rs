//! Suggestions in memory: which of two answers counts, what is reported, and what is forgotten.

use std::ops::Range;
use std::sync::Arc;

use draft::{Receiver, SavedItem};
use engine::{SuggestionStore, brings_dangerous_goods};
use jiff::{SignedDuration, Timestamp};
use shipping::{CompanyItemId, ConsignmentItem, DgItem, Kilograms};

/// As many receivers are kept.
const MOST_RECEIVERS: usize = 2_000;

fn receivers(store: &SuggestionStore) -> Arc<Vec<Receiver>> {
    store.whole().receivers.expect("all receivers")
}

fn items(store: &SuggestionStore) -> Arc<Vec<SavedItem>> {
    store.whole().items.expect("all items")
}

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
    let known = receivers(&store);
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
    let mut see = |minutes: Range<i64>| {
        for minute in minutes {
            let name = format!("Receiver {minute}");
            store.receiver(receiver(&name, "Ballarat VIC 3350", ""), at(minute));
        }
        let (written, known) = store.changes();
        let known = known.receivers.expect("they changed");
        let oldest = known.last().expect("some").name.clone();
        (written[0].rows.len(), written[0].gone.len(), oldest)
    };
    // Receivers of a long list that were never written don't have to be removed from the journal.
    let long = see(0..5 * most);
    assert_eq!(long, (MOST_RECEIVERS, 0, format!("Receiver {}", 4 * most)));
    let more = see(5 * most..5 * most + 5);
    assert_eq!(more, (5, 5, format!("Receiver {}", 4 * most + 5)));
}

#[test]
fn what_may_have_been_typed_over_counts_until_something_surer_is_known() {
    let mut store = SuggestionStore::default();
    let item = |name: &str, weight| item(Some(8001), name, weight);
    let known = |store: &SuggestionStore| {
        let items = items(store);
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
    let items = items(&store);
    assert_eq!(items.len(), 1);
    assert_eq!(
        (items[0].id, items[0].weight),
        (Some(CompanyItemId::new(8001)), None)
    );
}

#[test]
fn dangerous_goods_that_were_sent_beside_a_saved_item_are_not_taken_for_its_own() {
    let learnt = |declared: bool, beside: usize, listed: bool| {
        let asked = ConsignmentItem {
            consignment_item_dg_items: vec![DgItem::default(); beside],
            ..ConsignmentItem::default()
        };
        brings_dangerous_goods(Some(declared), &asked, listed)
    };
    assert_eq!(learnt(true, 1, true), None, "typed by the clerk");
    assert_eq!(learnt(true, 0, true), Some(true));
    assert_eq!(learnt(true, 0, false), None, "an answer may leave them out");
    assert_eq!(learnt(false, 0, false), Some(false));
}
