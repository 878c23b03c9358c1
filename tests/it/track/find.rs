//! Typed and scanned numbers are found at once in the store, otherwise at the service by any of the
//! consignment's numbers.

use app::state::{Screen, TrackCommand, TrackPane, WindowCommand};
use engine::SearchTerm;
use practice::RunningService;
use serde_json::{Value, json};
use shipping::{ConsignmentId, PendingConsignmentId};

use crate::support::desk::{Desk, Home};
use crate::support::practice::{CREATE, client, order, with};
use crate::support::wire::{Fault, Wire};

const GROUP: &str = "/apiv2/manifests/groupConsignmentsForManifest";
const MANIFEST: &str = "/apiv2/manifests/manifest";
const PENDING: &str = "/apiv2/pendingConsignments/createPendingConsignment";
/// What the store is kept up with the service by.
const RECENT: &str = "getRecentlyCreatedOrUpdated";

/// A service that tells of nothing by itself, and a bench that has to ask.
struct Place {
    home: Home,
    practice: RunningService,
    wire: Wire,
    desk: Desk,
}

/// A consignment at the service, booked.
struct Made {
    id: i64,
    number: String,
    carrier_number: String,
    token: String,
}

impl Place {
    fn new() -> Self {
        let home = Home::new();
        let practice = home.practise();
        let wire = Wire::before(practice.address());
        wire.fail(RECENT, Fault::LoseRequest);
        let service = Home::service(wire.base_url(), practice.token());
        let mut desk = home.open(&service);
        desk.core.shared.session.tracking.v2 = Some("https://track.example/v2".to_owned());
        Self {
            home,
            practice,
            wire,
            desk,
        }
    }

    /// Sends it straight to the service, as somebody who may everything.
    fn post(&self, path: &str, body: &Value) -> Value {
        let address = format!("{}{path}", self.practice.base_url());
        let sent = client()
            .post(address)
            .header("token", self.practice.supervisor_token())
            .json(body);
        self.home.runtime.block_on(async {
            let answer = sent.send().await.expect("an answer");
            answer.json().await.expect("an envelope")
        })
    }

    /// One that is booked already: nothing of it waits on Dispatch.
    fn made(&self, more: Value) -> Made {
        let made = self.post(CREATE, &with(order(), more))["object"].clone();
        let id = made["id"].as_i64().expect("an id");
        let groups = self.post(GROUP, &json!([id]))["object"].clone();
        let booked = self.post(MANIFEST, &groups);
        assert_eq!(booked["object"][0]["bookingSuccessful"], true, "{booked}");
        let text = |field: &str| made[field].as_str().expect("text").to_owned();
        Made {
            id,
            number: text("consignmentNumber"),
            carrier_number: text("carrierConsignmentId"),
            token: text("trackingPageAccessToken"),
        }
    }

    fn scan(&mut self, text: &str) {
        self.desk.ask(WindowCommand::Find(text.to_owned()));
        self.desk.turn();
    }

    /// Scans it, and waits until its page is open on Track.
    #[track_caller]
    fn opens(&mut self, text: &str, one: &Made) {
        self.desk.ask(TrackCommand::Close);
        self.scan(text);
        let what = format!("{text} is open");
        self.desk.until(&what, |core| {
            let open = core.shared.track.page.open?;
            (open.get() == one.id).then_some(())
        });
        let shared = &self.desk.core.shared;
        assert_eq!(shared.screen, Screen::Track);
        assert_eq!(shared.track.pane, TrackPane::Table);
        assert_eq!(shared.track.query.words, one.number);
        assert_eq!(
            (&shared.search.not_found, &shared.search.searching_for),
            (&None, &None)
        );
    }

    #[track_caller]
    fn not_found(&mut self, text: &str) -> Vec<String> {
        self.desk.core.shared.search.not_found = None;
        self.scan(text);
        let found = self
            .desk
            .until("it is said", |core| core.shared.search.not_found.clone());
        assert_eq!(found, text);
        assert_eq!(self.desk.core.shared.search.searching_for, None);
        self.desk.core.shared.search.failures.clone()
    }
}

#[test]
fn what_the_bench_does_not_know_is_found_at_the_service_by_every_number() {
    let mut place = Place::new();
    let one = place.made(json!({ "customerReference": "SO-1" }));
    place.opens(&one.number.clone(), &one);
    let one = place.made(json!({ "customerReference": "SO-2" }));
    place.opens(&one.id.to_string(), &one);
    let one = place.made(json!({ "customerReference": "SO-3" }));
    place.opens(&one.carrier_number.clone(), &one);
    let one = place.made(json!({ "customerReference": "SO-4" }));
    place.opens("SO-4", &one);
    let one = place.made(json!({ "customerReference": "SO-5", "customerReference2": "PO-5" }));
    place.opens("PO-5", &one);
    let pending = place.post(
        PENDING,
        &json!({ "companyId": 1, "customerReference": "SO-6" }),
    );
    let pending = pending["object"].clone();
    let one = place.made(json!({ "linkedPendingConsignmentIds": [pending["id"]] }));
    let number = pending["consignmentNumber"].as_str().expect("PC…");
    place.opens(number, &one);
}

#[test]
fn what_is_followed_is_found_at_once_and_the_service_is_not_asked_again() {
    let mut place = Place::new();
    let one = place.made(json!({ "customerReference": "SO-1" }));
    place.opens("SO-1", &one);
    let asked = place.wire.count("returnConsignmentsByReference1");
    place.opens("so-1", &one);
    place.opens(&one.token.clone(), &one);
    place.opens(&format!("https://track.example/v2/{}", one.token), &one);
    place.opens(&one.id.to_string(), &one);
    // By its receiver and its suburb, in any order.
    place.opens(
        "creswick ballarat farm".split_once(' ').expect("words").1,
        &one,
    );
    place.opens("central ballarat", &one);
    assert_eq!(place.wire.count("returnConsignmentsByReference1"), asked);
}

#[test]
fn what_is_found_is_listed_whatever_the_table_looked_at_before() {
    let mut place = Place::new();
    let one = place.made(json!({ "customerReference": "SO-1" }));
    let carrier = shipping::CarrierId::new(404);
    place.desk.ask(TrackCommand::Carrier(Some(carrier)));
    let late = app::state::DrillDown::WentWrong;
    place.desk.ask(TrackCommand::DrillDown(late));
    place.opens("SO-1", &one);
    let listed = |desk: &mut Desk, count: usize| {
        desk.until("the rows", |core| {
            let list = &core.shared.track.list;
            let is_it = list.value()?.ids.len() == count && !list.is_loading();
            is_it.then_some(())
        });
    };
    listed(&mut place.desk, 1);
    // The carrier is looked at again as soon as other words are typed.
    place
        .desk
        .ask(TrackCommand::FilterWords("ballarat".to_owned()));
    place.desk.turn();
    listed(&mut place.desk, 0);
    assert_eq!(
        place.desk.core.shared.track.query.scope.carrier,
        Some(carrier)
    );
}

#[test]
fn several_are_listed_and_none_of_them_is_opened() {
    let mut place = Place::new();
    let first = place.made(json!({ "customerReference": "SO-9" }));
    let second = place.made(json!({ "customerReference": "SO-9" }));
    place.desk.ask(TrackCommand::Open(ConsignmentId::new(1)));
    place.scan("SO-9");
    let listed = place.desk.until("both are listed", |core| {
        let list = core.shared.track.list.value()?;
        (list.query.words == "SO-9" && list.ids.len() == 2).then(|| list.ids.clone())
    });
    let listed: Vec<i64> = listed.iter().map(|id| id.get()).collect();
    assert_eq!(listed, [second.id, first.id]);
    let shared = &place.desk.core.shared;
    assert_eq!(
        (shared.screen, shared.track.page.open),
        (Screen::Track, None)
    );
}

#[test]
fn what_is_found_nowhere_is_said_until_it_is_acknowledged() {
    let mut place = Place::new();
    let one = place.made(json!({ "customerReference": "SO-1" }));
    place.opens("SO-1", &one);
    assert_eq!(place.not_found("SO-404"), [""; 0]);
    // An address that is nobody's, and a token of ours that nothing goes by: no service can be asked for either.
    let asked = place.wire.count("returnConsignmentsByReference1");
    assert_eq!(place.not_found("https://elsewhere.example/v2/abc"), [""; 0]);
    assert_eq!(place.not_found("https://track.example/v2/abc"), [""; 0]);
    assert_eq!(place.wire.count("returnConsignmentsByReference1"), asked);
    place.desk.ask(WindowCommand::AcknowledgeFind);
    place.desk.turn();
    assert_eq!(place.desk.core.shared.search.not_found, None);
}

#[test]
fn a_service_that_is_away_is_told_from_one_that_knows_nothing() {
    let mut place = Place::new();
    place.wire.fail("returnConsignments", Fault::LoseRequest);
    let why = place.not_found("SO-1");
    assert_eq!(why.len(), 1, "{why:?}");
    place.wire.heal();
    place.wire.fail(RECENT, Fault::LoseRequest);
    let one = place.made(json!({ "customerReference": "SO-1" }));
    // From the table, with the same words.
    place.desk.ask(WindowCommand::Reconnect);
    place
        .desk
        .ask(TrackCommand::AskService(" SO-1 ".to_owned()));
    place.desk.until("it is open", |core| {
        (core.shared.track.page.open?.get() == one.id).then_some(())
    });
}

#[test]
fn one_question_that_fails_takes_nothing_from_the_others_and_is_told() {
    let mut place = Place::new();
    let one = place.made(json!({ "customerReference": "SO-1" }));
    let broken = crate::support::wire::answer("500 Internal Server Error", "text/plain", "no");
    place.wire.fail("ByReference2", broken);
    place.opens("SO-1", &one);
    let told = place.desk.core.shared.notices.shown.iter();
    let told: Vec<_> = told.map(|(_, notice)| notice.headline.as_str()).collect();
    assert!(
        told.contains(&"The search at the service is incomplete"),
        "{told:?}"
    );
}

#[test]
fn what_waits_for_a_manifest_opens_on_dispatch_and_from_there_on_track() {
    let mut place = Place::new();
    place.wire.heal();
    let ids = crate::dispatch::support::send(&mut place.desk, &["SO-77"]);
    crate::dispatch::support::listed(&mut place.desk);
    place.scan("SO-77");
    let found = place.desk.until("found", |core| core.shared.search.found);
    assert_eq!(
        (found.1, place.desk.core.shared.screen),
        (ids[0], Screen::Dispatch)
    );
    place.desk.ask(TrackCommand::Reveal(ids[0]));
    place.desk.turn();
    let shared = &place.desk.core.shared;
    assert_eq!(
        (shared.screen, shared.track.page.open),
        (Screen::Track, Some(ids[0]))
    );
}

#[test]
fn a_number_is_known_by_its_letters() {
    let id = |text: &str| {
        let wanted = SearchTerm {
            text: text.to_owned(),
            is_token: false,
        };
        (
            wanted.id().map(ConsignmentId::get),
            wanted.pending().map(PendingConsignmentId::get),
        )
    };
    assert_eq!(id("MS200431"), (Some(200_431), None));
    assert_eq!(id("ms200431"), (Some(200_431), None));
    assert_eq!(id("200431"), (Some(200_431), None));
    assert_eq!(id("PC5121"), (None, Some(5_121)));
    for text in [
        "MS",
        "MS-1",
        "MS0",
        "PCX",
        "SO-1",
        "99999999999999999999",
        "é",
    ] {
        assert_eq!(id(text), (None, None), "{text}");
    }
}
