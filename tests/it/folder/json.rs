//! Orders as JSON: the field names of the service's interface, and what is said about others.

use draft::Routing;
use draft::orders::{CheckedOrders, ExistingOrders, JsonOrders};
use serde_json::{Value, json};

use super::{Folders, open};
use crate::editor::orders::terms;
use crate::support::requests::{hose_reels, to_ballarat};

fn checked(text: &str) -> CheckedOrders {
    let orders = JsonOrders::read(text.as_bytes()).expect("orders");
    orders.check(&terms(), &ExistingOrders::default())
}

fn an_order() -> Value {
    serde_json::to_value(to_ballarat()).expect("an order")
}

/// Returns the reason why the order is rejected.
#[track_caller]
fn reason(order: &Value) -> String {
    let checked = checked(&order.to_string());
    assert_eq!((checked.orders.len(), checked.rejected_orders), (0, 1));
    checked.rejected[0].reason.clone()
}

#[test]
fn an_order_is_sent_with_every_field_of_its_file() {
    let mut wanted = to_ballarat();
    wanted.special_instructions = Some("Ring the bell".to_owned());
    wanted.customer_reference2 = Some("PO-7".to_owned());
    wanted.question_ids = vec![shipping::Question::Tailgate];
    wanted.default_route_selection = Some(shipping::RouteSelection::Fastest);
    wanted.to.address_line2 = Some("Shed 4".to_owned());
    wanted.staff_member_name = Some("Ana".to_owned());
    let text = serde_json::to_string(&wanted).expect("an order");
    let checked = checked(&text);
    assert_eq!(checked.rejected, []);
    let draft = &checked.orders[0].draft;
    assert_eq!(draft.routing, Routing::Fastest);
    let check = draft.check(&terms().check);
    let mut without_sender = check.request().expect("a request").clone();
    without_sender.from = wanted.from.clone();
    without_sender.company_id = None;
    assert_eq!(
        serde_json::to_value(&without_sender).expect("a request"),
        serde_json::to_value(&wanted).expect("a request"),
    );
    assert_eq!(
        draft.from.title(),
        "Harbour Supplies",
        "the bench's own sender"
    );
}

#[test]
fn dangerous_goods_and_customs_contents_are_read_and_wait_for_the_declaration() {
    let mut order = an_order();
    order["dgsDeclaration"] = json!(true);
    order["items"][0]["consignmentItemDgItems"] = json!([{
        "unNumber": 1170, "packingGroup": 2, "dgClassType": 3, "containerType": 6, "numberOfContainers": 12,
        "aggregateQuantity": 12, "isAggregateQuantityWeight": false, "flashpoint": 13,
    }]);
    order["items"][0]["consignmentItemContents"] = json!([{
        "description": "Reels", "quantity": 2, "dollarValue": 12.5, "countryOfManufactureCode": "AUS",
    }]);
    let checked = checked(&order.to_string());
    assert_eq!(checked.rejected, []);
    let draft = &checked.orders[0].draft;
    assert_eq!(draft.goods[0].dangerous[0].un_number, "1170");
    assert_eq!(draft.goods[0].contents[0].description, "Reels");
    assert!(!draft.is_declared(), "a file can't declare dangerous goods");
}

#[test]
fn a_field_with_an_unknown_name_or_another_type_is_named() {
    let mut order = an_order();
    order["toSuburb"] = json!("Ballarat");
    assert_eq!(
        reason(&order),
        "The field “toSuburb” is unknown or can't be read"
    );
    let mut order = an_order();
    order["items"][0]["weigth"] = json!(9);
    assert_eq!(
        reason(&order),
        "The field “items[1].weigth” is unknown or can't be read"
    );
    let mut order = an_order();
    order["carrierId"] = json!({ "id": 7 });
    assert!(
        reason(&order).starts_with("Can't be read: "),
        "{}",
        reason(&order)
    );
}

#[test]
fn a_missing_value_is_named_with_its_item() {
    let mut order = an_order();
    order["items"][0]
        .as_object_mut()
        .expect("an item")
        .remove("weight");
    assert!(
        reason(&order).starts_with("Item 1: Weight kg: "),
        "{}",
        reason(&order)
    );
}

#[test]
fn two_orders_with_one_reference_are_one_too_many() {
    let two = json!([an_order(), an_order()]);
    let checked = checked(&two.to_string());
    assert_eq!(checked.orders.len(), 1);
    let reason = &checked.rejected[0].reason;
    assert_eq!(
        reason,
        "An earlier order of this file has the same reference"
    );
}

#[test]
fn empty_values_and_a_byte_order_mark_do_no_harm() {
    let mut order = an_order();
    order["fromName"] = Value::Null;
    order["specialInstructions"] = json!("");
    order["questionIds"] = json!([]);
    order["isInternational"] = json!(false);
    let checked = checked(&format!("\u{feff}{order}"));
    assert_eq!(checked.rejected, []);
    assert_eq!(
        checked.orders[0].draft.goods[0].name,
        hose_reels().name.expect("a name")
    );
}

#[test]
fn a_list_of_orders_is_taken_from_the_folder() {
    let folders = Folders::new();
    let (_home, _practice, mut desk) = open(&folders, |_| ());
    let mut other = an_order();
    other["customerReference"] = json!("SO-2");
    let mut bad = an_order();
    bad["customerReference"] = json!("SO-3");
    bad["toName"] = json!("");
    folders.put("orders.json", &json!([an_order(), other, bad]).to_string());
    let references = desk.until("two orders", |core| {
        let orders = core.shared.folder_orders();
        let references: Vec<_> = orders.map(|draft| draft.reference1.clone()).collect();
        (references.len() == 2).then_some(references)
    });
    assert_eq!(references, ["SO-48213", "SO-2"]);
    let file = desk.core.shared.order_folder.files[0].clone();
    assert!(
        file.reasons.starts_with("Order 3: To name: "),
        "{}",
        file.reasons
    );
    assert_eq!(
        folders.names("failed"),
        ["orders-rejected.json", "orders.json.reasons.txt"]
    );
}
