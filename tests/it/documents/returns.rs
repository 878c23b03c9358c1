//! Returning a consignment, and exchanging sender and receiver, by keyboard.

use app::state::{RouteView, Screen};
use draft::{AddressMode, Draft};
use shipping::{Consignment, ConsignmentId};

use crate::journeys::kit::picture_showing;
use crate::support::desk::Home;
use crate::support::front::Front;
use crate::support::lanes::{QUICK, client};

fn send_one(front: &mut Front) -> Consignment {
    front.type_consignment("SO-1");
    front.keys("<Ctrl+Enter>");
    front.until("it is made", |shared| shared.consign.last_created.clone())
}

fn open(front: &mut Front) -> Draft {
    let editing = front.widgets().state_mut().editing_mut().expect("a form");
    editing.draft.clone()
}

/// Scans a label, begins the return of its consignment, and sends it by the first route: three keys and the scan.
fn return_scanned(front: &mut Front, original: &Consignment) -> Consignment {
    front.keys("<F9>");
    front.paste(&original.consignment_number);
    front.keys("<Enter>");
    front.until("it is found", |shared| {
        let (_, found) = shared.search.found?;
        (found == original.id).then_some(())
    });
    front.rest();
    front.keys("<Alt+Shift+R>");
    front.until("the return is open", |shared| {
        (shared.screen == Screen::Consign && shared.consign.opening.is_none()).then_some(())
    });
    front.until("its prices", |shared| {
        let routes = shared.consign.routes.value()?;
        routes
            .iter()
            .any(|view| matches!(view, RouteView::Offer { .. }))
            .then_some(())
    });
    front.rest();
    front.keys("<Ctrl+1><Ctrl+Enter>");
    front.until("the return is made", |shared| {
        let last = shared.consign.last_created.clone()?;
        (last.id != original.id).then_some(last)
    })
}

#[test]
fn a_scanned_consignment_is_returned_with_three_keys_and_the_usual_sender_comes_back() {
    let home = Home::new();
    let practice = home.practise();
    let mut front = Front::at_practice(&home, &practice);
    let original = send_one(&mut front);
    let sender = |draft: &Draft| draft.from.saved.as_ref().map(|saved| saved.id);
    let usual = sender(&open(&mut front));
    assert!(usual.is_some());
    let returned = return_scanned(&mut front, &original);
    let goes_back = |one: &Consignment, other: &Consignment| {
        (one.from_name.clone(), one.to_name.clone())
            == (other.to_name.clone(), other.from_name.clone())
    };
    assert!(goes_back(&returned, &original), "{returned:?}");
    assert_eq!(
        returned.customer_reference.as_deref(),
        Some(format!("Return of {}, SO-1", original.consignment_number).as_str())
    );
    assert_eq!(returned.items().len(), original.items().len());
    let next = open(&mut front);
    assert_eq!(sender(&next), usual);
    assert!(next.is_blank() && !next.is_return);
}

#[test]
fn the_return_of_a_booked_consignment_has_its_goods_and_neither_its_route_nor_its_options() {
    let home = Home::new();
    let practice = home.practise();
    let mut front = Front::at_practice(&home, &practice);
    let original = send_one(&mut front);
    book(&home, &practice, original.id);
    front.keys("<F5>");
    front.ask(app::state::TrackCommand::Open(original.id));
    front.until("its page", |shared| {
        let page = &shared.track.page;
        (page.open == Some(original.id) && page.consignment.value().is_some()).then_some(())
    });
    front.rest();
    front.keys("<Alt+Shift+R>");
    front.until("the return is open", |shared| {
        (shared.screen == Screen::Consign && shared.consign.opening.is_none()).then_some(())
    });
    front.rest();
    let draft = open(&mut front);
    assert_eq!(draft.from.name, "Ballarat Farm & Garden");
    assert_eq!(draft.from.mode, AddressMode::Full);
    assert_eq!(draft.goods[0].name, "Hose reels, 20 m");
    assert!(draft.questions.is_empty() && draft.instructions.is_empty());
    let reference = format!("Return of {}, SO-1", original.consignment_number);
    assert_eq!(draft.reference1, reference);
    picture_showing(
        front.widgets(),
        "return",
        &["New consignment", &reference, "Ballarat Farm & Garden"],
    );
}

fn book(home: &Home, practice: &practice::RunningService, id: ConsignmentId) {
    let caller = client(&practice.base_url(), practice.token(), QUICK);
    home.runtime.block_on(async {
        let mut groups = caller.group(&[id]).await.expect("grouped");
        groups[0].dgs_declaration = Some(false);
        caller.manifest(&groups).await.expect("booked");
    });
}

#[test]
fn sender_and_receiver_are_exchanged_and_back_by_one_key() {
    let home = Home::new();
    let practice = home.practise();
    let mut front = Front::at_practice(&home, &practice);
    front.type_consignment("SO-1");
    let typed = open(&mut front);
    front.keys("<Alt+X>");
    let swapped = open(&mut front);
    assert_eq!((&swapped.from, &swapped.to), (&typed.to, &typed.from));
    assert_eq!(swapped.goods, typed.goods);
    front.keys("<Alt+X>");
    let back = open(&mut front);
    assert_eq!((&back.from, &back.to), (&typed.from, &typed.to));
}
