//! The check before sending: each rule that a form can break has its problem, at its field, and nothing is built from it.

use packbench::draft::{
    AddressField, AddressMode, Check, CheckContext, DgField, DgLine, Draft, Field, GoodsField,
    PickupDraft, PickupField, Routing, Severity,
};
use packbench::shipping::{ContainerType, DgClass, LocalTime, ManifestGroup, PackingGroup};

use crate::support::desk::{NOW, fill};

fn context() -> CheckContext {
    CheckContext::at(NOW.parse().expect("a moment"), "Australia/Sydney")
}

/// A draft that passes: both sides typed in full.
fn good() -> Draft {
    let mut draft = Draft::default();
    fill(&mut draft, "SO-1");
    draft.from = draft.to.clone();
    draft
}

fn spirits() -> DgLine {
    DgLine {
        un_number: "1170".to_owned(),
        packing_group: Some(PackingGroup::II),
        class: Some(DgClass::FlammableLiquid),
        container: Some(ContainerType::Bottle),
        containers: "12".to_owned(),
        amount: "12".to_owned(),
        litres: true,
        flash_point: "13".to_owned(),
        ..DgLine::default()
    }
}

fn check(change: impl FnOnce(&mut Draft)) -> Check {
    let mut draft = good();
    change(&mut draft);
    draft.check(&context())
}

#[test]
fn a_draft_without_a_problem_becomes_a_request() {
    let check = check(|_| ());
    assert_eq!(check.problems, []);
    let request = serde_json::to_value(check.request().expect("a request")).expect("JSON");
    assert_eq!(
        request["toLocation"],
        serde_json::json!({"suburb": "Ballarat Central", "postcode": "3350"})
    );
    assert_eq!(request["defaultRouteSelection"], "cheapest");
    assert_eq!(request["dgsDeclaration"], false);
    assert!(
        request.get("carrierId").is_none(),
        "absent, not null: {request}"
    );
}

type Case = (fn(&mut Draft), Field);

/// What a clerk may get wrong, and where the problem must be.
const BROKEN: &[Case] = &[
    (
        |d| d.from.mode = AddressMode::Saved,
        Field::From(AddressField::Saved),
    ),
    (|d| set(&mut d.to.name, " "), Field::To(AddressField::Name)),
    (
        |d| set(&mut d.to.phone, "123"),
        Field::To(AddressField::Phone),
    ),
    (
        |d| set(&mut d.to.email, "not an address"),
        Field::To(AddressField::Email),
    ),
    (
        |d| set(&mut d.to.place, "Ballarat"),
        Field::To(AddressField::Place),
    ),
    (|d| d.goods.clear(), Field::AllGoods),
    (
        |d| set(&mut d.goods[0].quantity, "0"),
        Field::Goods(0, GoodsField::Quantity),
    ),
    (
        |d| set(&mut d.goods[0].weight, "-1"),
        Field::Goods(0, GoodsField::Weight),
    ),
    (
        |d| set(&mut d.goods[0].length, "1.2,3"),
        Field::Goods(0, GoodsField::Length),
    ),
    (
        |d| set(&mut d.goods[0].references, "ONLY-ONE"),
        Field::Goods(0, GoodsField::References),
    ),
    (|d| d.routing = Routing::Unchosen, Field::Route),
    (|d| set(&mut d.despatch, "half past"), Field::Despatch),
    // The clocks go forward over it in Sydney.
    (
        |d| set(&mut d.despatch, "2027-10-03 02:30"),
        Field::Despatch,
    ),
    (|d| d.goods[0].dangerous.push(spirits()), Field::Declaration),
    (
        |d| d.goods[0].dangerous.push(DgLine::default()),
        Field::Dg(0, 0, DgField::UnNumber),
    ),
    (
        |d| dangerous(d, |good| good.flash_point.clear()),
        Field::Dg(0, 0, DgField::FlashPoint),
    ),
    (
        |d| dangerous(d, |good| set(&mut good.hazchem, "9Z")),
        Field::Dg(0, 0, DgField::Hazchem),
    ),
];

fn set(field: &mut String, text: &str) {
    text.clone_into(field);
}

fn dangerous(draft: &mut Draft, change: fn(&mut DgLine)) {
    let mut good = spirits();
    change(&mut good);
    draft.goods[0].dangerous.push(good);
}

#[test]
fn each_broken_rule_has_its_problem_at_its_field() {
    for (number, (change, field)) in BROKEN.iter().enumerate() {
        let check = check(change);
        let found = check.errors().any(|problem| problem.field == *field);
        assert!(
            found,
            "case {number}: no problem at {field:?} among {:?}",
            check.problems
        );
        assert!(check.request().is_none(), "case {number} must not be sent");
    }
}

#[test]
fn dangerous_goods_that_are_declared_go_nested_to_the_complex_endpoint() {
    let check = check(|draft| {
        draft.goods[0].dangerous.push(spirits());
        draft.dangerous_goods_declared = true;
    });
    let request = check.request().expect("a request");
    assert!(request.is_complex());
    let item = serde_json::to_value(&request.items[0]).expect("JSON");
    assert_eq!(item["standardItem"]["weight"], 9);
    assert!(item.get("weight").is_none(), "{item}");
    let good = &item["consignmentItemDgItems"][0];
    assert_eq!(
        (
            &good["unNumber"],
            &good["dgClassType"],
            &good["packingGroup"]
        ),
        (&1170.into(), &5.into(), &2.into())
    );
}

#[test]
fn a_flash_point_outside_its_packing_group_is_a_warning_and_no_more() {
    let check = check(|draft| {
        draft.goods[0].dangerous.push(DgLine {
            flash_point: "33".to_owned(),
            ..spirits()
        });
        draft.dangerous_goods_declared = true;
    });
    assert!(check.passes());
    assert_eq!(
        check
            .problems
            .iter()
            .map(|problem| problem.severity)
            .collect::<Vec<_>>(),
        [Severity::Warning]
    );
}

#[test]
fn a_pickup_says_what_is_wrong_at_its_field_before_it_is_sent() {
    let at = |text: &str| Some(LocalTime::read(text).expect("a time"));
    let group: ManifestGroup =
        serde_json::from_str(r#"{"consignmentIds":[1],"dgsDeclaration":true}"#).expect("a group");
    let group = ManifestGroup {
        pickup_date_time: at("2026-11-20T13:30:00"),
        pickup_closing_time: at("2026-11-20T13:00:00"),
        ..group
    };
    let mut pickup = PickupDraft::from(group);
    let problems = pickup
        .check(context().now, "Australia/Sydney")
        .expect_err("it has passed");
    let fields: Vec<_> = problems.iter().map(|(field, _)| *field).collect();
    assert_eq!(
        fields,
        [
            PickupField::Pickup,
            PickupField::Closing,
            PickupField::Declaration
        ]
    );
    "2026-11-23 16:00".clone_into(&mut pickup.pickup);
    "2026-11-23 17:00".clone_into(&mut pickup.closing);
    pickup.dangerous_goods_declared = true;
    let booked = pickup
        .check(context().now, "Australia/Sydney")
        .expect("it is right now");
    assert_eq!(
        booked.pickup_date_time,
        at("2026-11-23T16:00:00"),
        "the typed day counts"
    );
    assert_eq!(booked.dgs_declaration, Some(true));
}
