//! From the editable form to a draft and back: only the changed fields change, whatever else the form
//! contains.

use draft::{CheckContext, ConsignmentFlag, DgLine, Draft, Field, GoodsLine, PickedLocation};
use serde_json::{Value, json};
use shipping::{CompanyLocationId, ContainerType, DgClass, EditForm, PackingGroup, Question};

use crate::support::desk::NOW;
use crate::support::practice::{
    Bench, CREATE, CREATE_COMPLEX, EDIT, FOR_EDIT, full_order, international_order, order, with,
};

const ZONE: &str = "Australia/Sydney";

pub(super) fn context() -> CheckContext {
    CheckContext::at(NOW.parse().expect("a moment"), ZONE)
}

pub(super) fn read(form: &Value) -> (EditForm, Draft) {
    let form: EditForm = serde_json::from_str(&form.to_string()).expect("a form");
    let draft = Draft::from_form(&form, ZONE).expect("it says whose it is");
    (form, draft)
}

fn written(draft: &Draft) -> Value {
    let form = draft
        .into_form(&context())
        .unwrap_or_else(|problems| panic!("{problems:?}"));
    serde_json::to_value(&form).expect("a value")
}

pub(super) async fn form_of(bench: &Bench, path: &str, order: &Value) -> Value {
    let id = bench.posted(path, order).await["id"].clone();
    bench.fetched(&format!("{FOR_EDIT}?id={id}")).await
}

/// A service, the form of a consignment that holds everything, and its draft.
async fn full_draft() -> (Bench, Value, Draft) {
    let bench = Bench::start().await;
    let form = form_of(&bench, CREATE_COMPLEX, &full_order()).await;
    let (_, draft) = read(&form);
    (bench, form, draft)
}

#[tokio::test]
async fn a_form_in_which_nothing_was_changed_is_the_very_same() {
    let bench = Bench::start().await;
    let saved = with(
        order(),
        json!({ "items": [{ "sku": "HR-20", "quantity": 3 }] }),
    );
    for (path, order) in [
        (CREATE, order()),
        (CREATE, saved),
        (CREATE_COMPLEX, full_order()),
        (CREATE_COMPLEX, international_order()),
    ] {
        let form = form_of(&bench, path, &order).await;
        let (seen, draft) = read(&form);
        assert_eq!(draft.into_form(&context()), Ok(seen));
    }
}

/// Text, digits and shapes that no form of ours has.
fn strange(dice: &mut fastrand::Rng) -> Value {
    let numbers = ["0.10000000000000000000000000001", "1e2", "7", "11.50", "-3"];
    let raw = |text: &str| serde_json::from_str::<Value>(text).expect("a number");
    match dice.u8(..9) {
        0 => Value::Null,
        1 => json!(dice.bool()),
        2 => raw(numbers[dice.usize(..numbers.len())]),
        3 => json!("Zoë 🚚 ‏שלום"),
        4 => json!(""),
        5 => json!([]),
        6 => json!([1, "13", { "a": null }]),
        7 => json!({ "id": 5, "country": "NZ", "propertyName": "x" }),
        _ => json!(["13", 99, "36"]),
    }
}

#[tokio::test]
async fn a_form_of_whatever_shape_goes_back_as_it_came() {
    let bench = Bench::start().await;
    let forms = [
        form_of(&bench, CREATE_COMPLEX, &full_order()).await,
        form_of(&bench, CREATE_COMPLEX, &international_order()).await,
    ];
    let mut dice = fastrand::Rng::with_seed(20_261_120);
    for round in 0..300 {
        let mut form = forms[round % 2].clone();
        for _ in 0..dice.usize(1..6) {
            let part = [
                "/items/0",
                "/items/0/consignmentItemDgItems/0",
                "/items/0/consignmentItemContents/0",
                "",
            ];
            let part = form.pointer_mut(part[dice.usize(..part.len())]);
            let Some(fields) = part.and_then(Value::as_object_mut) else {
                continue;
            };
            let names: Vec<_> = fields
                .keys()
                .filter(|name| *name != "id")
                .cloned()
                .collect();
            let name = names[dice.usize(..names.len())].clone();
            if dice.bool() {
                fields.remove(&name);
            } else {
                fields.insert(name, strange(&mut dice));
            }
        }
        let (seen, draft) = read(&form);
        assert_eq!(
            draft.into_form(&context()),
            Ok(seen),
            "round {round}: {form}"
        );
        let kept = serde_json::to_string(&draft).expect("text");
        let kept: Draft = serde_json::from_str(&kept).expect("a draft");
        assert_eq!(kept, draft, "round {round}: a restart keeps it");
    }
}

#[tokio::test]
async fn only_what_was_changed_is_changed() {
    let bench = Bench::start().await;
    let mut form = form_of(&bench, CREATE_COMPLEX, &full_order()).await;
    form["questionIds"] = json!([13, 99]);
    let (_, draft) = read(&form);
    let changed = |change: fn(&mut Draft)| {
        let mut draft = draft.clone();
        change(&mut draft);
        written(&draft)
    };
    let with_item = |fields: Value| {
        let mut whole = form.clone();
        whole["items"][0] = with(whole["items"][0].clone(), fields);
        whole
    };
    let size = |weight: f64| {
        with(
            form["items"][0]["standardItem"].clone(),
            json!({ "weight": weight }),
        )
    };
    assert_eq!(
        changed(|draft| draft.to.contact = "A. Nguyen".to_owned()),
        with(form.clone(), json!({ "toContact": "A. Nguyen" }))
    );
    assert_eq!(
        changed(|draft| draft.flags.tracking_email = false),
        with(form.clone(), json!({ "sendingTrackingEmail": false }))
    );
    assert_eq!(
        changed(|draft| draft.questions.extend([Question::Tailgate])),
        with(form.clone(), json!({ "questionIds": [13, 99, "7"] }))
    );
    assert_eq!(
        changed(|draft| draft.goods[0].weight = "12,25".to_owned()),
        with_item(json!({ "standardItem": size(12.25) }))
    );
    assert_eq!(
        changed(|draft| draft.despatch = "2026-11-24 09:30".to_owned()),
        with(
            form.clone(),
            json!({ "dispatchDateTimeUtc": "2026-11-23T22:30:00.000Z" })
        )
    );
    let mut goods = form["items"][0]["consignmentItemDgItems"].clone();
    goods[0]["aggregateQuantity"] = json!(6);
    assert_eq!(
        changed(|draft| {
            draft.goods[0].dangerous[0].amount = "6".to_owned();
            draft.declare(true);
        }),
        with_item(json!({ "consignmentItemDgItems": goods }))
    );
}

/// The row of a flag, the request's field and the practice service's own record name it alike.
#[tokio::test]
async fn every_flag_is_kept_by_the_service() {
    let bench = Bench::start().await;
    for flag in ConsignmentFlag::ALL {
        let name = flag.row().wire_names[0];
        let order = with(order(), json!({ (name): true }));
        let form = form_of(&bench, CREATE, &order).await;
        assert_eq!(form[name], json!(true), "{flag:?}");
        let (_, mut draft) = read(&form);
        assert!(draft.flags.is_set(*flag), "{flag:?}");
        let check = draft.check_change(&context());
        let request = serde_json::to_value(check.request().expect("a request")).expect("a value");
        assert_eq!(request[name], json!(true), "{flag:?}");
        *draft.flags.value_mut(*flag) = false;
        assert_eq!(written(&draft)[name], json!(false), "{flag:?}");
    }
}

#[tokio::test]
async fn items_are_added_changed_and_removed_and_the_service_takes_it() {
    let (bench, form, mut draft) = full_draft().await;
    draft.goods[0].quantity = "2".to_owned();
    draft.goods.push(GoodsLine {
        name: "Acetone".to_owned(),
        quantity: "1".to_owned(),
        weight: "9".to_owned(),
        length: "30".to_owned(),
        width: "30".to_owned(),
        height: "30".to_owned(),
        dangerous: vec![DgLine {
            un_number: "1090".to_owned(),
            packing_group: Some(PackingGroup::II),
            class: Some(DgClass::FlammableLiquid),
            container: Some(ContainerType::Bottle),
            containers: "6".to_owned(),
            amount: "6".to_owned(),
            litres: true,
            flash_point: "-18".to_owned(),
            hazchem: "•2YE".to_owned(),
            ..DgLine::default()
        }],
        ..GoodsLine::default()
    });
    draft.declare(true);
    let sent = written(&draft);
    assert_eq!(sent["setItemReferences"], json!(false));
    let after = bench.posted(EDIT, &sent).await;
    assert_eq!(after["totalItemCount"], json!(3));
    let id = form["id"].clone();
    let form = bench.fetched(&format!("{FOR_EDIT}?id={id}")).await;
    let (_, mut draft) = read(&form);
    draft.goods.remove(0);
    draft.declare(true);
    let sent = written(&draft);
    assert_eq!(
        sent["setItemReferences"],
        json!(true),
        "the others' stay as they are"
    );
    let after = bench.posted(EDIT, &sent).await;
    assert_eq!(after["items"][0]["name"], json!("Acetone"));
    assert_eq!(after["totalItemCount"], json!(1));
}

#[tokio::test]
async fn references_change_together_and_a_line_that_was_doubled_is_a_new_one() {
    let (bench, _, mut draft) = full_draft().await;
    draft.goods[0].references = "HARBA1".to_owned();
    let second = GoodsLine {
        references: "HARBB1".to_owned(),
        ..draft.goods[0].clone()
    };
    draft.goods.push(second);
    draft.declare(true);
    let sent = written(&draft);
    assert_eq!(sent["setItemReferences"], json!(true));
    assert!(sent["items"][1]["id"].is_null());
    let after = bench.posted(EDIT, &sent).await;
    let references: Vec<_> = (0..2)
        .map(|at| after["items"][at]["references"].clone())
        .collect();
    assert_eq!(references, [json!(["HARBA1"]), json!(["HARBB1"])]);
    // One too few is seen before it is sent.
    draft.goods[0].quantity = "2".to_owned();
    let problems = draft
        .into_form(&context())
        .expect_err("one reference is missing");
    assert_eq!(problems.len(), 1, "{problems:?}");
}

#[tokio::test]
async fn a_side_that_becomes_another_leaves_nothing_of_the_first() {
    let bench = Bench::start().await;
    let form = form_of(&bench, CREATE, &order()).await;
    let (_, mut draft) = read(&form);
    let saved = draft.from.saved.clone().expect("a saved sender");
    draft.to.mode = draft.from.mode;
    draft.to.saved = Some(PickedLocation {
        id: CompanyLocationId::new(7002),
        ..saved
    });
    let sent = written(&draft);
    assert_eq!(sent["toCompanyLocationId"], json!(7002));
    assert_eq!(
        (&sent["toName"], &sent["toLocation"]),
        (&Value::Null, &Value::Null)
    );
    bench.posted(EDIT, &sent).await;
    let id = form["id"].clone();
    let form = bench.fetched(&format!("{FOR_EDIT}?id={id}")).await;
    assert_eq!(form["toCompanyLocationId"], json!(7002));
}

#[tokio::test]
async fn a_time_that_has_passed_is_forgiven_as_it_came_and_not_as_typed() {
    let bench = Bench::start().await;
    let form = form_of(&bench, CREATE_COMPLEX, &full_order()).await;
    let past = json!({ "dispatchDateTimeUtc": "2026-11-02T22:30:00.000Z" });
    let (_, mut draft) = read(&with(form, past));
    let late = |draft: &Draft| {
        let check = draft.check_change(&context());
        check
            .errors()
            .any(|problem| problem.field == Field::Despatch)
    };
    assert!(!late(&draft), "{}", draft.despatch);
    draft.despatch = "2026-11-04 09:30".to_owned();
    assert!(late(&draft), "typed anew");
}
