//! Goods lines of a consignment that is edited keep their kind, and values that the service already accepted
//! are no problem.

use draft::{GoodsLine, ItemSource, SavedItem};
use serde_json::{Value, json};
use shipping::CompanyItemId;

use super::form::{context, form_of, read};
use crate::support::practice::{Bench, CREATE, CREATE_COMPLEX, full_order, order, with};

#[test]
fn two_technical_names_stay_two() {
    let (_, draft) = read(&json!({
        "id": 7,
        "items": [{
            "id": 1, "name": "Thinners",
            "consignmentItemDgItems": [
                { "unNumber": 1993, "TechnicalOrChemicalGroupNames": ["Toluene", "Xylene, mixed"] }
            ]
        }]
    }));
    assert_eq!(
        draft.goods[0].dangerous[0].technical_name,
        "Toluene; Xylene, mixed"
    );
}

#[test]
fn an_item_that_only_names_a_saved_one_is_read_as_such() {
    let (_, draft) = read(&json!({
        "id": 7,
        "items": [
            { "id": 1, "sku": "HR-20", "quantity": 3 },
            { "id": 2, "companyItemId": 8001, "sku": "HR-30" },
            { "id": 3, "companyItemId": 8001, "itemType": "Carton", "name": "Hose reels", "sku": "HR-30" },
        ]
    }));
    let read = |line: &GoodsLine| (line.source, line.item_id.clone());
    let read: Vec<_> = draft.goods.iter().map(read).collect();
    assert_eq!(
        read,
        [
            (ItemSource::Sku, String::new()),
            (ItemSource::Id, "8001".to_owned()),
            (ItemSource::Direct, String::new()),
        ]
    );
}

#[tokio::test]
async fn a_saved_item_that_was_added_is_one_on_top_of_what_somebody_else_changed_too() {
    let bench = Bench::start().await;
    let form = form_of(&bench, CREATE, &order()).await;
    let (_, mut draft) = read(&form);
    let added = GoodsLine {
        source: ItemSource::Sku,
        sku: "HR-20".to_owned(),
        item_type: String::new(),
        saved: Some(SavedItem {
            id: Some(CompanyItemId::new(8001)),
            sku: "HR-20".to_owned(),
            ..SavedItem::default()
        }),
        ..GoodsLine::default()
    };
    draft.goods.push(added.clone());
    let (theirs, _) = read(&with(form, json!({ "toContact": "A. Nguyen" })));
    let rebased = draft.rebased(&theirs, &context()).expect("both fit");
    assert_eq!(rebased.to.contact, "A. Nguyen");
    assert_eq!(rebased.goods.len(), 2);
    assert_eq!(rebased.goods[1], added);
    assert_eq!(rebased.goods[0].of_item, Some(0));
}

#[tokio::test]
async fn what_was_so_at_the_service_is_no_problem_of_a_line_that_only_the_screen_wrote_into() {
    let bench = Bench::start().await;
    let mut form = form_of(&bench, CREATE_COMPLEX, &full_order()).await;
    form["items"][0]["standardItem"]["weight"] = Value::Null;
    let (_, mut draft) = read(&form);
    assert!(draft.check_change(&context()).passes());
    let line = &mut draft.goods[0];
    "ETHANOL".clone_into(&mut line.dangerous[0].shipping_name);
    line.dangerous[0].requires_technical_name = true;
    line.references = format!("  {}\n", line.references);
    let check = draft.check_change(&context());
    assert!(check.passes(), "{:?}", check.problems);
    // What is typed is the clerk's.
    "Methylated spirits".clone_into(&mut draft.goods[0].name);
    assert!(!draft.check_change(&context()).passes());
}
