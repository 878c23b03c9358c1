//! From what little is known, saved at the service, to a consignment.

use egui::{Id, Key, Modifiers};
use packbench::draft::{Field, GoodsField, Routing};
use packbench::state::{Kind, OperationState};

use super::{CTRL_SHIFT, Clerk};
use crate::support::desk::Home;

#[test]
fn from_pending_to_consignment_by_keyboard() {
    let home = Home::new();
    let practice = home.practise();
    let mut clerk = Clerk::new(&home, &practice);
    clerk.pick_sides();
    clerk.press(CTRL_SHIFT, Key::Enter);
    let number = clerk.until("it is saved at the service", |core| {
        let pending = core.shared.drafts.first()?.pending.clone()?;
        Some(pending.number)
    });
    assert!(clerk.core().editing.draft.is_blank());
    // Found among the drafts by its number, and completed.
    clerk.press(Modifiers::COMMAND, Key::O);
    clerk.text(&number);
    clerk.press(Modifiers::NONE, Key::Enter);
    clerk.until("it is open", |core| core.editing.draft.pending.clone());
    clerk.press(Modifiers::ALT, Key::Num3);
    for text in [
        "Drip irrigation kit",
        "DRIP-40",
        "2",
        "7,5",
        "60",
        "40",
        "30",
    ] {
        clerk.text(text);
        clerk.press(Modifiers::NONE, Key::Tab);
    }
    clerk.until("routes", |core| {
        let routes = core.shared.routes.value()?;
        (!routes.is_empty()).then_some(())
    });
    clerk.press(Modifiers::COMMAND, Key::Num1);
    clerk.until("a route is chosen", |core| {
        matches!(core.editing.draft.routing, Routing::Chosen(_)).then_some(())
    });
    crate::journeys::kit::picture(&mut clerk.window, "journey-pending");
    clerk.press(Modifiers::COMMAND, Key::Enter);
    clerk.until("it is created", |core| core.shared.last_created.clone());
    clerk.until("the pending one is deleted", |core| {
        let mut all = core.shared.operations.iter();
        let deletion = all.find(|one| one.kind == Kind::PendingDelete)?;
        (deletion.state == OperationState::Done && deletion.title == number).then_some(())
    });
    assert!(clerk.core().shared.drafts.is_empty());
}

#[test]
fn what_is_at_the_service_is_thrown_away_after_a_question_only() {
    let home = Home::new();
    let practice = home.practise();
    let mut clerk = Clerk::new(&home, &practice);
    clerk.pick_sides();
    clerk.press(CTRL_SHIFT, Key::Enter);
    clerk.until("it is saved at the service", |core| {
        core.shared.drafts.first()?.pending.clone()
    });
    clerk.press(Modifiers::COMMAND, Key::O);
    clerk.press(Modifiers::COMMAND, Key::Delete);
    assert_eq!(clerk.core().shared.drafts.len(), 1, "it is asked first");
    crate::journeys::kit::picture(&mut clerk.window, "journey-pending-question");
    clerk.press(Modifiers::NONE, Key::Enter);
    clerk.until("it is deleted", |core| {
        let newest = core.shared.operations.first()?;
        let is_it = newest.kind == Kind::PendingDelete && newest.state == OperationState::Done;
        (is_it && core.shared.drafts.is_empty()).then_some(())
    });
}

#[test]
fn saving_as_pending_leads_to_what_can_not_be_read_and_not_to_what_is_missing() {
    let home = Home::new();
    let practice = home.practise();
    let mut clerk = Clerk::new(&home, &practice);
    clerk.pick_sides();
    clerk.press(Modifiers::ALT, Key::Num3);
    clerk.replace(Field::Goods(0, GoodsField::Weight), "heavy");
    clerk.press(Modifiers::ALT, Key::Num1);
    clerk.press(CTRL_SHIFT, Key::Enter);
    clerk.rest();
    let weight = Id::unique(("consign", Field::Goods(0, GoodsField::Weight)));
    assert!(clerk.window.ctx.memory(|memory| memory.has_focus(weight)));
    assert!(clerk.core().shared.drafts.is_empty());
}
