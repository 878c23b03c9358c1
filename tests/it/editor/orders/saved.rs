//! Saved items and customs contents in files of orders.

use std::sync::Arc;

use packbench::draft::SavedItem;
use packbench::draft::orders::{Known, OrderTerms, Sheet, check, guess};

use super::terms;

#[test]
fn a_saved_item_that_is_known_as_dangerous_is_declared_once_its_draft_is_open() {
    let text = "Reference,From,To,SKU,Quantity\nSO-1,HSYD,BFG,MS-12,1";
    let sheet = Sheet::read(text.as_bytes()).expect("a sheet");
    let known = SavedItem {
        sku: "MS-12".to_owned(),
        dangerous: Some(true),
        ..SavedItem::default()
    };
    let terms = OrderTerms {
        items: Arc::new(vec![known]),
        ..terms()
    };
    let checked = check(&sheet, &guess(&sheet), &terms, &Known::default(), &|_| ());
    let checked = checked.expect("orders");
    assert_eq!(checked.rejected, [], "nothing in a file declares it");
    let draft = &checked.orders[0].draft;
    assert!(draft.holds_dangerous_goods() && !draft.is_declared());
}
