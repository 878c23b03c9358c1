//! The last orders to a receiver are shown below it, and one key takes the newest over.

use app::state::{ConsignCommand, Screen};
use draft::Routing;
use egui_kittest::kittest::Queryable as _;

use crate::journeys::kit::picture_showing;
use crate::support::desk::Home;
use crate::support::front::Front;

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
