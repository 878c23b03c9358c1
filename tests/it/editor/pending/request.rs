//! The request for a draft saved at the service: items by id, nothing from forms that were only opened, and
//! each obstacle reported once.

use app::state::ConsignCommand;
use draft::{
    CheckContext, ContentsLine, DgLine, Draft, Field, GoodsField, GoodsLine, ItemSource, SavedItem,
};
use shipping::CompanyItemId;

use crate::support::desk::{NOW, fill, open_bench};

fn context() -> CheckContext {
    CheckContext::at(NOW.parse().expect("a moment"), "Australia/Sydney")
}

fn draft(line: GoodsLine) -> Draft {
    let mut draft = Draft::default();
    fill(&mut draft, "SO-1");
    draft.goods = vec![line];
    draft
}

fn by_sku(id: Option<i64>) -> GoodsLine {
    GoodsLine {
        source: ItemSource::Sku,
        sku: "HR-20".to_owned(),
        item_type: String::new(),
        saved: id.map(|id| SavedItem {
            id: Some(CompanyItemId::new(id)),
            sku: "HR-20".to_owned(),
            ..SavedItem::default()
        }),
        ..GoodsLine::default()
    }
}

#[test]
fn a_saved_item_goes_by_its_id_and_not_at_all_where_that_is_not_known() {
    let request = draft(by_sku(Some(8001))).pending_request(&context());
    let request = request.expect("it can be said");
    assert_eq!(
        request.0.items[0].company_item_id,
        Some(CompanyItemId::new(8001))
    );
    let problems = draft(by_sku(None)).pending_request(&context());
    let problems = problems.expect_err("the service would not know it");
    let fields: Vec<_> = problems.iter().map(|problem| problem.field).collect();
    assert_eq!(fields, [Field::Goods(0, GoodsField::Sku)]);
}

#[test]
fn forms_that_were_opened_and_not_typed_into_say_nothing() {
    let typed = DgLine {
        un_number: "1170".to_owned(),
        shipping_name: "ETHANOL".to_owned(),
        ..DgLine::default()
    };
    let line = GoodsLine {
        name: "Spirits".to_owned(),
        dangerous: vec![DgLine::default(), typed],
        contents: vec![ContentsLine::default()],
        ..GoodsLine::default()
    };
    let request = draft(line).pending_request(&context());
    let item = request.expect("it can be said").0.items.remove(0);
    assert!(item.pending_consignment_item_contents.is_empty());
    let goods = item.pending_consignment_item_dg_items;
    assert_eq!(goods.len(), 1);
    assert_eq!(goods[0].proper_shipping_name.as_deref(), Some("ETHANOL"));
}

#[test]
fn what_can_not_be_read_is_said_once() {
    let (_home, _practice, mut desk) = open_bench();
    desk.type_consignment("SO-1");
    "heavy".clone_into(&mut desk.core.editing.draft.goods[0].weight);
    desk.ask(ConsignCommand::SavePending);
    desk.turn();
    assert!(desk.core.editing.show_all && desk.core.shared.consign.sent.is_empty());
    let of_weight = desk
        .core
        .editing
        .problems()
        .filter(|problem| problem.field == Field::Goods(0, GoodsField::Weight));
    assert_eq!(of_weight.count(), 1);
}
