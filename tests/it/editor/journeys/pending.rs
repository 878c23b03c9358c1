//! From what little is known, saved at the service, to a consignment.

use egui::{Key, Modifiers};
use packbench::draft::Routing;
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
