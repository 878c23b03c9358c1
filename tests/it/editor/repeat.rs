//! The last orders to a receiver are shown below it, and one key takes the newest over.

use app::Core;
use app::state::{
    ConsignCommand, DispatchCommand, Notice, OperationKind, OperationState, Screen, Tone,
};
use draft::{Draft, Routing};
use egui_kittest::kittest::Queryable as _;
use shipping::{CompanyId, ConsignmentId, Question};

use crate::journeys::kit::picture_showing;
use crate::support::desk::{Desk, Home, fill, notice, open_bench};
use crate::support::front::Front;
use crate::support::wait::{SOON, until};

/// Sends a consignment to Ballarat with this many pieces, and waits for it.
fn send(front: &mut Front, reference: &str, pieces: &str) -> String {
    front.type_consignment(reference);
    let window = front.widgets().state_mut();
    let draft = &mut window.editing_mut().expect("a form").draft;
    pieces.clone_into(&mut draft.goods[0].quantity);
    front.rest();
    front.keys("<Ctrl+Enter>");
    let made = front.until("it is made", |shared| {
        let made = shared.consign.last_created.clone()?;
        (made.customer_reference.as_deref() == Some(reference)).then_some(made)
    });
    front.rest();
    made.consignment_number
}

#[test]
fn a_known_receiver_gets_the_last_order_again_with_one_key() {
    let home = Home::new();
    let practice = home.practise();
    let mut front = Front::at_practice(&home, &practice);
    let numbers = [("SO-1", "1"), ("SO-2", "2"), ("SO-3", "3"), ("SO-4", "4")]
        .map(|(reference, pieces)| send(&mut front, reference, pieces));
    assert_eq!(front.shared().screen, Screen::Consign);
    picture_showing(
        front.widgets(),
        "today",
        &[
            "Today",
            "4 consignments",
            &numbers[0],
            "Ballarat Farm & Garden · Southern Cross Road · $33.90",
        ],
    );
    // The receiver is picked among those that were sent to before.
    front.keys("<Alt+2>");
    front.text("ballarat f");
    front.keys("<Down><Enter>");
    let shown = front.until("the last orders", |shared| {
        let orders = shared.consign.last_orders.value()?;
        let shown: Vec<_> = orders.iter().map(|order| order.number.clone()).collect();
        (shown.len() == 3).then_some(shown)
    });
    assert_eq!(
        shown,
        [&*numbers[3], &*numbers[2], &*numbers[1]],
        "the newest first"
    );
    front.rest();
    picture_showing(
        front.widgets(),
        "repeat-orders",
        &[
            "Last orders to Ballarat Farm & Garden",
            &numbers[3],
            "Repeat",
        ],
    );
    front.keys("<Alt+O>");
    front.until("the goods", |shared| {
        let mut notices = shared.notices.shown.iter();
        notices
            .any(|(_, notice)| notice.headline.contains(&*numbers[3]))
            .then_some(())
    });
    front.rest();
    let window = front.widgets().state_mut();
    let draft = window.editing_mut().expect("a form").draft.clone();
    assert_eq!(
        (&*draft.goods[0].name, &*draft.goods[0].quantity),
        ("Hose reels, 20 m", "4")
    );
    assert_eq!(draft.to.name, "Ballarat Farm & Garden");
    assert!(
        draft.reference1.is_empty(),
        "the reference is the new order's own"
    );
    assert_ne!(draft.routing, Routing::Unchosen);
    let card = "Last orders to Ballarat Farm & Garden";
    assert!(
        front.widgets().query_by_label(card).is_none(),
        "there are goods now"
    );
    // One key for the order, one to send it.
    front.keys("<Ctrl+Enter>");
    let made = front.until("it is sent", |shared| {
        let made = shared.consign.last_created.clone()?;
        (!numbers.contains(&made.consignment_number)).then_some(made)
    });
    assert_eq!(made.items()[0].quantity, Some(4));
}

#[test]
fn an_earlier_order_is_taken_over_by_mouse_and_typed_goods_are_never_replaced() {
    let home = Home::new();
    let practice = home.practise();
    let mut front = Front::at_practice(&home, &practice);
    let numbers = [("SO-1", "1"), ("SO-2", "2")]
        .map(|(reference, pieces)| send(&mut front, reference, pieces));
    let pick = |front: &mut Front| {
        front.keys("<Alt+2>");
        front.text("ballarat f");
        front.keys("<Down><Enter>");
        front.until("the last orders", |shared| {
            shared
                .consign
                .last_orders
                .value()
                .filter(|orders| orders.len() == 2)
                .map(|_| ())
        });
        front.rest();
    };
    pick(&mut front);
    let older = format!("Repeat {}", numbers[0]);
    front.widgets().get_by_label(&older).click();
    let quantity = |front: &mut Front| {
        let window = front.widgets().state_mut();
        window.editing_mut().expect("a form").draft.goods[0]
            .quantity
            .clone()
    };
    front.until("the notice", |shared| {
        let mut notices = shared.notices.shown.iter();
        notices
            .any(|(_, notice)| notice.headline.contains(&*numbers[0]))
            .then_some(())
    });
    assert_eq!(quantity(&mut front), "1");
    // Goods that are typed before the order arrives stay.
    front.keys("<Ctrl+N>");
    pick(&mut front);
    let newest = front.shared().consign.last_orders.value().expect("orders")[0].id;
    let window = front.widgets().state_mut();
    let draft = &mut window.editing_mut().expect("a form").draft;
    "Hand pump".clone_into(&mut draft.goods[0].name);
    front.ask(ConsignCommand::Repeat(newest));
    front.until("the notice", |shared| {
        let mut notices = shared.notices.shown.iter();
        notices
            .any(|(_, notice)| notice.headline.contains("typed already"))
            .then_some(())
    });
    let window = front.widgets().state_mut();
    let draft = &window.editing_mut().expect("a form").draft;
    assert_eq!((&*draft.goods[0].name, draft.goods.len()), ("Hand pump", 1));
}

/// Picks the receiver that was sent to before, and waits for its last orders.
fn pick(front: &mut Front, count: usize) -> ConsignmentId {
    front.keys("<Alt+2>");
    front.text("ballarat f");
    front.keys("<Down><Enter>");
    let newest = front.until("the last orders", |shared| {
        let orders = shared.consign.last_orders.value()?;
        (orders.len() == count).then(|| orders[0].id)
    });
    front.rest();
    newest
}

fn draft(front: &mut Front) -> &mut Draft {
    &mut front
        .widgets()
        .state_mut()
        .editing_mut()
        .expect("a form")
        .draft
}

fn told(front: &mut Front, words: &str) -> Notice {
    front.until(words, |shared| notice(shared, words))
}

#[test]
fn the_options_of_an_order_are_repeated_and_those_of_a_booked_one_are_asked_for() {
    let home = Home::new();
    let practice = home.practise();
    let mut front = Front::at_practice(&home, &practice);
    front.type_consignment("SO-1");
    draft(&mut front).questions.insert(Question::Tailgate);
    "Ring the bell".clone_into(&mut draft(&mut front).instructions);
    front.rest();
    front.keys("<Ctrl+Enter>");
    let made = front.until("it is made", |shared| shared.consign.last_created.clone());
    front.rest();
    pick(&mut front, 1);
    front.keys("<Alt+O>");
    told(&mut front, "Goods and carrier of");
    assert!(draft(&mut front).questions.contains(&Question::Tailgate));
    assert!(draft(&mut front).reference1.is_empty());

    // The service gives no form for a booked consignment.
    front.keys("<Ctrl+N>");
    front.ask(DispatchCommand::GroupAll);
    let groups = front.until("the groups", |shared| {
        shared.dispatch.groups.value().cloned()
    });
    front.ask(DispatchCommand::Book(groups));
    front.until("it is booked", |shared| {
        let mut operations = shared.operations.list.iter();
        let booking = operations.find(|one| one.kind == OperationKind::Manifest)?;
        (booking.state == OperationState::Done).then_some(())
    });
    front.keys("<F2>");
    front.rest();
    assert_eq!(pick(&mut front, 1), made.id);
    front.keys("<Alt+O>");
    let warning = front.until("the warning", |shared| {
        let found = notice(shared, "Goods and carrier of")?;
        (found.tone == Tone::Warning).then_some(found)
    });
    assert!(warning.advice.contains("Choose them again"), "{warning:?}");
    assert_eq!(draft(&mut front).goods[0].name, "Hose reels, 20 m");
}

#[test]
fn an_order_that_arrives_late_fills_no_other_draft() {
    let home = Home::new();
    let practice = home.practise();
    let mut front = Front::at_practice(&home, &practice);
    send(&mut front, "SO-1", "1");
    let newest = pick(&mut front, 1);
    let window = front.widgets().state_mut();
    window.push(ConsignCommand::Repeat(newest).into());
    window.push(ConsignCommand::NewDraft.into());
    told(&mut front, "another consignment is open now");
    assert!(draft(&mut front).goods[0].name.is_empty());
}

#[test]
fn the_last_orders_are_those_of_the_drafts_company() {
    let (_home, _practice, mut desk) = open_bench();
    desk.create("SO-1");
    let pick = |desk: &mut Desk, company: i64| {
        let draft = &mut desk.core.editing.draft;
        fill(draft, "SO-2");
        draft.company = Some(CompanyId::new(company));
        desk.turn();
    };
    let orders = |core: &Core| {
        let orders = &core.shared.consign.last_orders;
        let count = orders.value()?.len();
        (!orders.is_loading()).then_some(count)
    };
    pick(&mut desk, 1);
    desk.until("its own order", |core| (orders(core)? == 1).then_some(()));
    pick(&mut desk, 2);
    desk.until("none of the other company", |core| {
        (orders(core)? == 0).then_some(())
    });
}

#[test]
fn what_was_sent_today_is_listed_again_after_another_screen() {
    let home = Home::new();
    let practice = home.practise();
    let mut front = Front::at_practice(&home, &practice);
    let number = send(&mut front, "SO-1", "1");
    let open = format!("Open {number}");
    assert!(front.widgets().query_by_label(&open).is_some());
    for keys in ["<F5>", "<F4>", "<F3>"] {
        front.keys(keys);
        front.rest();
        front.keys("<F2>");
        until("the row again", SOON, || {
            front.rest();
            front.widgets().query_by_label(&open).map(|_| ())
        });
    }
    front.widgets().get_by_label(&open).click();
    front.until("it is shown", |shared| {
        (shared.screen == Screen::Dispatch).then_some(())
    });
}
