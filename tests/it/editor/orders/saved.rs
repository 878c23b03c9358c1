//! Saved items and customs contents in order files.

use std::sync::Arc;

use draft::orders::{OrderTerms, Sheet};
use draft::{ItemSource, SavedItem};

use super::{checked_orders, read, reasons, terms};

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
    let checked = checked_orders(&sheet, &terms);
    let checked = checked.expect("orders");
    assert_eq!(checked.rejected, [], "nothing in a file declares it");
    let draft = &checked.orders[0].draft;
    assert!(draft.has_dangerous_goods() && !draft.is_declared());
}

#[test]
fn a_row_that_leaves_out_one_measure_of_an_unknown_sku_comes_back() {
    let text = "Reference,From,To,Item name,SKU,Quantity,Weight kg,Length cm,Width cm,Height cm\n\
                SO-1,HSYD,BFG,Reels,AB-1,1,9,40,40,\n\
                SO-2,HSYD,BFG,,AB-1,1,,,,";
    let (sheet, _, checked) = read(text.as_bytes());
    let told = reasons(&sheet, &checked);
    let [(2, reason)] = told.as_slice() else {
        panic!("{told:?}");
    };
    assert!(reason.contains("Height cm"), "{reason}");
    let [order] = checked.orders.as_slice() else {
        panic!("{:?}", checked.orders);
    };
    assert_eq!(order.draft.goods[0].source, ItemSource::Sku);
}

#[test]
fn an_order_abroad_passes_with_its_customs_columns() {
    let header = "Reference,From,To name,To contact,To phone,To e-mail,To address 1,To suburb,To postcode,To country,\
                  Item name,Quantity,Weight kg,Length cm,Width cm,Height cm,Customs contents,Customs units,\
                  Customs value,Customs purpose,Made in,HS code";
    let row = "SO-1,HSYD,Suva Stores,Ana,+679 555 0100,ana@suva.example,1 Marine Drive,Suva,,Fiji,\
               Reels,1,9,40,40,30";
    let text = format!("{header}\n{row},Hose reels,2,89.50,sale,Australia,8424.41.00");
    let (sheet, _, checked) = read(text.as_bytes());
    assert_eq!(reasons(&sheet, &checked), []);
    let inside = &checked.orders[0].draft.goods[0].contents[0];
    assert_eq!(
        (&*inside.description, &*inside.quantity),
        ("Hose reels", "2")
    );
    let text = format!("{header}\n{row},,,,,,");
    let (sheet, _, checked) = read(text.as_bytes());
    let reasons = reasons(&sheet, &checked);
    assert!(reasons[0].1.contains("Customs contents: "), "{reasons:?}");
}
