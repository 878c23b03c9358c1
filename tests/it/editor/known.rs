//! Suggestions: taken from answers and from what is sent, requested once, and still there after a restart.

use app::Core;
use app::state::WindowCommand;
use draft::{AddressMode, DgLine, GoodsLine, ItemSource};
use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, OpenFlags};
use shipping::UnNumber;
use storage::{Journal, SuggestionKind, SuggestionRow};

use crate::support::desk::{
    Desk, Home, NOW, open_reopenable_bench, open_reopenable_wired_bench, open_wired_bench,
};
use crate::support::wire::answer;

const LOOKUP: &str = "GetUnNumberInformation";
const CARRIERS: &str = "getAvailableCarriersAccountsAndServices";

fn un(number: u16) -> UnNumber {
    UnNumber::new(number).expect("a number in use")
}

/// Closes the program once so many of a kind are on disk: they are written behind what tells of them.
fn close_once_kept(home: &Home, mut desk: Desk, kind: &str, count: i64) {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let kept = Connection::open_with_flags(home.places.journal("practice"), flags);
    let kept = kept.expect("the journal");
    let sql = "SELECT count(*) FROM known WHERE kind = ?1";
    desk.until("it is on disk", |_| {
        let there: i64 = kept.query_row(sql, [kind], |row| row.get(0)).ok()?;
        (there >= count).then_some(())
    });
    desk.core.close(home.runtime.handle());
}

fn type_number(desk: &mut Desk, number: &str) {
    let goods = &mut desk.core.editing.draft.goods[0].dangerous;
    goods.push(DgLine {
        un_number: number.to_owned(),
        ..DgLine::default()
    });
}

fn knows(core: &Core, number: u16) -> Option<usize> {
    core.shared
        .catalogue
        .un_numbers
        .get(&un(number))
        .map(Vec::len)
}

#[test]
fn a_number_is_asked_for_once_and_remembered_across_a_start_without_the_service() {
    let (home, _practice, wire, service, mut desk) = open_reopenable_wired_bench();
    type_number(&mut desk, "1170");
    type_number(&mut desk, "UN1263");
    type_number(&mut desk, "3599");
    let entries = desk.until("the entries", |core| {
        Some([knows(core, 1170)?, knows(core, 1263)?, knows(core, 3599)?])
    });
    assert!(entries[0] > 0 && entries[1] > 0, "{entries:?}");
    assert_eq!(entries[2], 0, "what the service does not know has no entry");
    assert_eq!(wire.count(LOOKUP), 1, "several numbers in one call");
    // Typed again, elsewhere: nobody is asked.
    type_number(&mut desk, "1170");
    type_number(&mut desk, "1993");
    desk.until("the new one", |core| knows(core, 1993));
    assert_eq!(wire.count("unNumbers=1170"), 1);
    assert_eq!(wire.count(LOOKUP), 2);
    close_once_kept(&home, desk, "un number", 4);

    wire.fail("/", answer("503 Service Unavailable", "text/plain", "away"));
    let mut desk = home.open(&service);
    let restored = desk.until("what was known", |core| knows(core, 1263));
    assert_eq!(restored, entries[1]);
    assert_eq!(wire.count("unNumbers=1263"), 1);
    desk.core.close(home.runtime.handle());
}

#[test]
fn half_a_number_is_not_asked_for_while_it_is_typed() {
    let (home, _practice, wire, mut desk) = open_wired_bench();
    for typed in ["1", "11", "117", "1170"] {
        desk.core.editing.draft.goods[0].dangerous.clear();
        type_number(&mut desk, typed);
        desk.turn();
    }
    desk.until("the entry", |core| knows(core, 1170));
    assert_eq!(wire.count(LOOKUP), 1);
    assert_eq!(wire.count("unNumbers=0011"), 0);
    desk.core.close(home.runtime.handle());
}

#[test]
fn a_lookup_that_failed_is_said_quietly_and_made_again_when_asked() {
    let (home, _practice, wire, mut desk) = open_wired_bench();
    desk.until("the company", |core| core.shared.session.company);
    wire.fail(LOOKUP, answer("500 Broken", "text/plain", "no"));
    type_number(&mut desk, "1170");
    desk.until("the failure", |core| {
        core.shared.catalogue.un_lookup.problem().map(|_| ())
    });
    assert!(
        desk.core.shared.notices.shown.is_empty(),
        "no banner for it"
    );
    let asked = wire.count(LOOKUP);
    for _ in 0..50 {
        desk.turn();
    }
    assert_eq!(wire.count(LOOKUP), asked, "not asked again and again");
    wire.heal();
    desk.ask(WindowCommand::Reconnect);
    desk.until("the entry", |core| knows(core, 1170));
    assert!(desk.core.shared.catalogue.un_lookup.problem().is_none());
    desk.core.close(home.runtime.handle());
}

#[test]
fn carriers_come_with_their_accounts_follow_the_company_and_are_remembered() {
    let (home, _practice, wire, service, mut desk) = open_reopenable_wired_bench();
    let names = |core: &Core| {
        let carriers = core.shared.catalogue.carriers.iter();
        let names: Vec<_> = carriers
            .map(|carrier| carrier.display_name.clone())
            .collect();
        (!names.is_empty()).then_some(names)
    };
    let first = desk.until("carriers", names);
    let tasman = desk
        .core
        .shared
        .catalogue
        .carriers
        .iter()
        .find(|carrier| carrier.display_name.starts_with("Tasman"));
    assert_eq!(tasman.expect("Tasman Freight").carrier_accounts.len(), 2);
    let companies = desk.until("companies", |core| {
        core.shared.catalogue.companies.value().cloned()
    });
    desk.ask(WindowCommand::PickCompany(companies[1].id));
    let second = desk.until("the other company's", |core| {
        names(core).filter(|names| *names != first)
    });
    assert!(second.iter().any(|name| name.contains("Moa")), "{second:?}");
    close_once_kept(&home, desk, "carriers", 2);

    wire.fail(
        CARRIERS,
        answer("503 Service Unavailable", "text/plain", "away"),
    );
    let mut desk = home.open(&service);
    desk.until("the carriers last seen", names);
    desk.ask(WindowCommand::PickCompany(companies[0].id));
    desk.until("the first company's", |core| {
        names(core).filter(|names| *names == first)
    });
    desk.core.close(home.runtime.handle());
}

#[test]
fn a_receiver_is_offered_after_one_consignment_and_after_a_start() {
    let (home, _practice, service, mut desk) = open_reopenable_bench();
    assert!(desk.core.shared.catalogue.receivers.is_empty());
    for reference in ["SO-1", "SO-2"] {
        desk.create(reference);
    }
    let receivers = desk.until("the receiver", |core| {
        Some(core.shared.catalogue.receivers.to_vec()).filter(|receivers| !receivers.is_empty())
    });
    let [receiver] = receivers.as_slice() else {
        panic!("the same one is offered once: {receivers:?}");
    };
    assert_eq!(receiver.name, "Ballarat Farm & Garden");
    assert_eq!(receiver.phone, "03 5550 0199");
    assert_eq!(receiver.place, "Ballarat Central VIC 3350");
    let suburbs = &desk.core.shared.catalogue.suburbs;
    assert!(suburbs.is_sorted());
    assert!(
        suburbs
            .iter()
            .any(|suburb| suburb.suburb == "Ballarat Central" && suburb.state == "VIC"),
        "{suburbs:?}"
    );
    let draft = &mut desk.core.editing.draft;
    draft.to.set_receiver(receiver);
    assert_eq!(draft.to.mode, AddressMode::Full);
    close_once_kept(&home, desk, "receiver", 1);

    let mut desk = home.open(&service);
    let again = desk.until("the receiver again", |core| {
        core.shared.catalogue.receivers.first().cloned()
    });
    assert_eq!(&again, receiver);
    desk.core.close(home.runtime.handle());
}

#[test]
fn what_the_service_said_of_a_number_a_month_ago_is_asked_for_again() {
    let (home, _practice, wire, service, mut desk) = open_reopenable_wired_bench();
    type_number(&mut desk, "1170");
    desk.until("the entry", |core| knows(core, 1170));
    close_once_kept(&home, desk, "un number", 1);

    home.clock
        .set(NOW.parse::<Timestamp>().expect("a moment") + SignedDuration::from_hours(31 * 24));
    let mut desk = home.open(&service);
    desk.until("what was known", |core| knows(core, 1170));
    desk.core.editing.draft.goods[0].dangerous.clear();
    type_number(&mut desk, "1170");
    desk.until("asked again", |_| (wire.count(LOOKUP) == 2).then_some(()));
    desk.core.close(home.runtime.handle());
}

#[test]
fn saved_items_are_learnt_from_answers_without_what_was_typed_in_their_place() {
    let (home, _practice, service, mut desk) = open_reopenable_bench();
    desk.type_consignment("SO-1");
    let saved = |sku: &str, quantity: &str, weight: &str| GoodsLine {
        source: ItemSource::Sku,
        sku: sku.to_owned(),
        item_type: String::new(),
        quantity: quantity.to_owned(),
        weight: weight.to_owned(),
        ..GoodsLine::default()
    };
    let draft = &mut desk.core.editing.draft;
    draft.goods = vec![saved("HR-20", "3", ""), saved("PM-40", "", "400")];
    desk.send();
    desk.until("created", |core| core.shared.consign.last_created.clone());
    let items = desk.until("the items", |core| {
        Some(core.shared.catalogue.items.to_vec()).filter(|items| items.len() == 2)
    });
    let of = |sku: &str| {
        let found = items.iter().find(|item| item.sku == sku);
        found.unwrap_or_else(|| panic!("{sku} is not among {items:?}"))
    };
    let reels = of("HR-20");
    assert_eq!(
        (&*reels.name, &*reels.item_type),
        ("Hose reels, 20 m", "Carton")
    );
    assert_eq!(reels.weight.map(|weight| weight.0), Some(9.into()));
    assert_eq!(reels.quantity, None, "3 was typed, and is not saved");
    let mix = of("PM-40");
    assert_eq!(mix.quantity, Some(1));
    assert_eq!(mix.weight, None, "400 kg were typed, and are not saved");
    assert_eq!(mix.dangerous, Some(false));
    close_once_kept(&home, desk, "item", 2);

    let mut desk = home.open(&service);
    let again = desk.until("the items again", |core| {
        Some(core.shared.catalogue.items.to_vec()).filter(|items| !items.is_empty())
    });
    assert_eq!(again.len(), 2);
    desk.core.close(home.runtime.handle());
}

#[test]
fn what_is_known_goes_a_year_after_it_was_seen_last() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut journal = Journal::open(&folder.path().join("journal.db")).expect("a journal");
    let now: Timestamp = NOW.parse().expect("a moment");
    let row = |key: &str, days: i64| SuggestionRow {
        key: key.to_owned(),
        seen: now - SignedDuration::from_hours(days * 24),
        body: "{}".to_owned(),
    };
    let rows = [row("kept", 364), row("gone", 366)];
    journal
        .remember_suggestions(SuggestionKind::Receiver, &rows)
        .expect("kept");
    // An older word does not take a newer one's place.
    journal
        .remember_suggestions(SuggestionKind::Receiver, &[row("kept", 365)])
        .expect("looked at");
    assert_eq!(
        journal
            .remove_expired(now, |_| false)
            .expect("tidied")
            .known,
        1
    );
    let left = Journal::suggestions(&journal.path(), SuggestionKind::Receiver);
    assert_eq!(left.expect("read"), rows[..1]);
}
