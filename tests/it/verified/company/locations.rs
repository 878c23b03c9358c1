//! 1: data that depends on the company is fetched for the chosen company.

use std::time::{Duration, Instant};

use draft::{AddressField, Field};
use egui_kittest::kittest::Queryable as _;
use shipping::CompanyId;

use super::clerk::{Place, saved_sender};
use crate::support::trouble::{Fault, Troubled as _};

const HARBOUR: &str = "Harbour Supplies";
const NEW_ZEALAND: &str = "Harbour Supplies New Zealand";
const OWN: &str = "Harbour Supplies (your token's company)";

const FROM: Field = Field::From(AddressField::Saved);

#[test]
fn n1_the_saved_locations_offered_and_sent_are_those_of_the_chosen_company() {
    let (place, mut clerk) = Place::begin();
    clerk.pick_company(HARBOUR, NEW_ZEALAND, 2);

    // Company 1's location is not offered any more.
    clerk.keys("<Alt+1>HSYD");
    assert!(!clerk.sees("Harbour Supplies, Sydney DC"));
    clerk.keys("<Ctrl+A>HAKL<Enter>");
    assert_eq!(saved_sender(&clerk), Some(7010));
    clerk.pick_location("<Alt+2>", "AROHA");
    clerk.type_goods();
    clerk.take_first_price();
    let made = clerk.send();
    let record = place.record(&made);
    assert_eq!(record["companyId"], 2, "{record}");
    assert_eq!(record["fromName"], "Harbour Supplies, Auckland DC");
    assert_eq!(record["toName"], "Aroha Outdoor");
}

#[test]
fn n1_a_location_of_the_company_before_is_marked_at_once_and_blocks_sending() {
    let (place, mut clerk) = Place::begin();
    clerk.pick_location("<Alt+1>", "HSYD");
    assert_eq!(saved_sender(&clerk), Some(7001));
    clerk.pick_company(HARBOUR, NEW_ZEALAND, 2);

    assert_eq!(
        clerk.errors_at(FROM).len(),
        1,
        "named before anything is sent"
    );
    assert!(clerk.sees("belongs to another company"));
    clerk.pick_location("<Alt+2>", "AROHA");
    clerk.type_goods();
    clerk.keys("<Ctrl+Enter>");
    assert_eq!(place.wire.count("createConsignment"), 0);
    assert_eq!(
        place.wire.count("returnRoutes"),
        0,
        "no price for such a draft"
    );

    clerk.pick_location("<Alt+1>", "HAKL");
    assert_eq!(saved_sender(&clerk), Some(7010));
    assert_eq!(clerk.errors_at(FROM), Vec::<String>::new());
}

#[test]
fn n1_a_late_answer_for_the_company_before_is_not_shown() {
    let (place, mut clerk) = Place::begin();
    let late = Duration::from_millis(700);
    let slow = Fault::DelayAfter { ms: 700 };
    let troubles = place.practice.trouble();
    troubles.on("/apiv2/companyLocations").once().set_now(slow);
    clerk.push(HARBOUR);
    clerk.push(NEW_ZEALAND);
    clerk.until("company 2 was asked for", |_| {
        (place.wire.count("companyId=2") > 0).then_some(())
    });
    clerk.push(NEW_ZEALAND);
    clerk.push(OWN);
    clerk.await_locations(1);
    let begun = Instant::now();
    while begun.elapsed() < late + Duration::from_millis(200) {
        clerk.window.step();
        let shared = &clerk.core().shared;
        let list = shared.catalogue.locations.value().expect("company 1's");
        let of_one = |id: Option<CompanyId>| id == Some(CompanyId::new(1));
        assert!(list.iter().all(|one| of_one(one.company_id)));
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn n1_what_was_sent_for_one_company_is_not_suggested_for_another() {
    let (_place, mut clerk) = Place::begin();
    clerk.pick_location("<Alt+1>", "HSYD");
    let core = clerk.window.state_mut().editing_mut().expect("open");
    core.draft.to.mode = draft::AddressMode::Full;
    crate::support::desk::fill(&mut core.draft, "SO-1");
    core.draft.goods[0] = draft::GoodsLine::default();
    core.draft.goods[0].sku = "HR-20".to_owned();
    core.draft.goods[0].set_source(draft::ItemSource::Sku, &[]);
    clerk.rest();
    clerk.send();
    clerk.until("what was sent is suggested", |core| {
        let shared = &core.shared;
        (shared.catalogue.receivers.len() == 1 && shared.catalogue.items.len() == 1).then_some(())
    });
    clerk.pick_company(HARBOUR, NEW_ZEALAND, 2);
    let shared = &clerk.core().shared;
    assert!(shared.catalogue.receivers.is_empty() && shared.catalogue.items.is_empty());
    clerk.pick_company(NEW_ZEALAND, OWN, 1);
    let shared = &clerk.core().shared;
    assert_eq!(
        (
            shared.catalogue.receivers.len(),
            shared.catalogue.items.len()
        ),
        (1, 1)
    );
}

#[test]
fn n1_a_draft_for_another_company_is_not_sent_unnoticed() {
    let (_place, mut clerk) = Place::begin();
    clerk.pick_location("<Alt+1>", "HSYD");
    clerk.pick_location("<Alt+2>", "BALFG");
    clerk.type_goods();
    clerk.keys("<Ctrl+N>");
    clerk.pick_company(HARBOUR, NEW_ZEALAND, 2);
    let kept = clerk.until("the draft is kept", |core| {
        core.shared
            .consign
            .drafts
            .first()
            .map(|draft| draft.id.clone())
    });
    clerk
        .window
        .state_mut()
        .push(app::state::ConsignCommand::OpenDraft(kept).into());
    clerk.rest();
    assert_eq!(clerk.errors_at(Field::Company).len(), 1);
    // The prices stand above the link, and move it when they come.
    clerk.await_routes();
    // The link leads to the company at the top.
    let link = "Company: This draft is for another company. Switch to that company";
    clerk.window.get_by_label(link).click();
    clerk.rest();
    clerk.push(OWN);
    clerk.await_locations(1);
    assert_eq!(clerk.errors_at(Field::Company), Vec::<String>::new());
    assert_eq!(clerk.errors_at(FROM), Vec::<String>::new());
}
