//! From an incomplete draft saved at the service to a consignment.

use app::state::{OperationKind, OperationState};
use draft::{Field, GoodsField, Routing};
use egui::Id;
use serde_json::json;

use super::{Clerk, DRIP_KIT, goods, held, must_hold};

#[test]
fn from_pending_to_consignment_by_keyboard() {
    let (home, practice, mut clerk) = Clerk::begin_with_sides();
    clerk.keys("SO-48218<Ctrl+Shift+Enter>");
    let number = clerk.until("it is saved at the service", |core| {
        let pending = core.shared.consign.drafts.first()?.pending.clone()?;
        Some(pending.number)
    });
    assert!(clerk.core().editing.draft.is_blank());
    // Found among the drafts by its number, and completed.
    clerk.keys("<Ctrl+O>");
    clerk.text(&number);
    clerk.keys("<Enter>");
    clerk.until("it is open", |core| core.editing.draft.pending.clone());
    clerk.keys("<Alt+3>");
    clerk.fill(&goods(DRIP_KIT));
    clerk.await_routes();
    clerk.keys("<Ctrl+1>");
    clerk.until("a route is chosen", |core| {
        matches!(core.editing.draft.routing, Routing::Chosen(_)).then_some(())
    });
    crate::journeys::kit::picture(&mut clerk.window, "journey-pending");
    clerk.keys("<Ctrl+Enter>");
    let made = clerk.until("it is created", |core| {
        core.shared.consign.last_created.clone()
    });
    clerk.until("the pending one is deleted", |core| {
        let mut all = core.shared.operations.list.iter();
        let deletion = all.find(|one| one.kind == OperationKind::PendingDelete)?;
        (deletion.state == OperationState::Done && deletion.title == number).then_some(())
    });
    assert!(clerk.core().shared.consign.drafts.is_empty());
    must_hold(
        &held(&home, &practice, made.id),
        &[
            ("/fromCompanyLocationId", json!(7001)),
            ("/toCompanyLocationId", json!(7005)),
            ("/customerReference", json!("SO-48218")),
            ("/totalItemCount", json!(2)),
            ("/consignmentItems/0/name", json!("Drip irrigation kit")),
            ("/consignmentItems/0/sku", json!("DRIP-40")),
            ("/consignmentItems/0/quantity", json!(2)),
            ("/consignmentItems/0/weight", json!(7.5)),
            ("/consignmentItems/0/height", json!(30)),
        ],
    );
}

#[test]
fn what_is_at_the_service_is_thrown_away_after_a_question_only() {
    let (_home, _practice, mut clerk) = Clerk::begin();
    clerk.pick_sides();
    clerk.keys("<Ctrl+Shift+Enter>");
    clerk.until("it is saved at the service", |core| {
        core.shared.consign.drafts.first()?.pending.clone()
    });
    clerk.keys("<Ctrl+O><Ctrl+Delete>");
    assert_eq!(
        clerk.core().shared.consign.drafts.len(),
        1,
        "it is asked first"
    );
    crate::journeys::kit::picture(&mut clerk.window, "journey-pending-question");
    clerk.keys("<Enter>");
    clerk.until("it is deleted", |core| {
        let newest = core.shared.operations.list.first()?;
        let is_it =
            newest.kind == OperationKind::PendingDelete && newest.state == OperationState::Done;
        (is_it && core.shared.consign.drafts.is_empty()).then_some(())
    });
}

#[test]
fn saving_as_pending_leads_to_what_can_not_be_read_and_not_to_what_is_missing() {
    let (_home, _practice, mut clerk) = Clerk::begin();
    clerk.pick_sides();
    clerk.keys("<Alt+3>");
    clerk.replace(Field::Goods(0, GoodsField::Weight), "heavy");
    clerk.keys("<Alt+1><Ctrl+Shift+Enter>");
    clerk.rest();
    let weight = Id::unique(("consign", Field::Goods(0, GoodsField::Weight)));
    assert!(clerk.window.ctx.memory(|memory| memory.has_focus(weight)));
    assert!(clerk.core().shared.consign.drafts.is_empty());
}
