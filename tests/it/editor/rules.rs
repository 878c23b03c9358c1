//! Every rule of the specification that a form can break: how it is broken, which field reports it, with
//! which text, and that nothing is created. Tests are named after the rule.

mod customs;
mod dangerous;
mod goods;
mod hints;
mod options;
mod requests;
mod send;
mod sides;
mod speed;

use std::sync::Arc;

use draft::{
    Check, CheckContext, ChosenRoute, ContentsLine, DgLine, Draft, Field, GoodsLine, ItemSource,
    Routing, Severity,
};
use serde_json::json;
use shipping::{Carrier, CarrierAccountId, CarrierId, UnLookupEntry};

use crate::support::desk::{NOW, fill};
pub(super) use crate::support::requests::spirits;

/// How the draft is broken, where that shows, and a piece of the words.
pub(super) type Row = (fn(&mut Draft), Field, &'static str);

/// Makes a test of each rule, and lists them all.
macro_rules! rules {
    ($($name:ident: [$($row:expr),+ $(,)?]),+ $(,)?) => {
        pub(super) const ALL: &[(&str, &[super::Row])] = &[$((stringify!($name), &[$($row),+])),+];

        $(#[test]
        fn $name() {
            let (name, rows) = ALL.iter().find(|(name, _)| *name == stringify!($name)).expect("listed above");
            super::must_break(name, rows);
        })+
    };
}
use rules;

/// Every rule that is broken by an error.
pub(super) fn all() -> impl Iterator<Item = &'static (&'static str, &'static [Row])> {
    [
        sides::ALL,
        options::ALL,
        goods::ALL,
        dangerous::ALL,
        customs::ALL,
    ]
    .into_iter()
    .flatten()
}

#[track_caller]
fn must_break(rule: &str, rows: &[Row]) {
    let context = context();
    for (number, (change, field, words)) in rows.iter().enumerate() {
        let mut draft = good();
        change(&mut draft);
        let check = draft.check(&context);
        let found = check
            .errors()
            .any(|problem| problem.field == *field && problem.message.contains(words));
        assert!(
            found,
            "{rule}, row {number}: nothing at {field:?} says {words:?} among {:#?}",
            check.problems
        );
        assert!(
            check.request().is_none(),
            "{rule}, row {number}: nothing is to be sent"
        );
    }
}

/// Friday afternoon in Sydney, with what the practice service knows of some UN numbers and carriers.
pub(super) fn context() -> CheckContext {
    let entries = |number: u16, class: u8, subs: &[u8], groups: &[u8], technical: bool| {
        let subs: Vec<_> = subs
            .iter()
            .map(|class| json!({"classType": class}))
            .collect();
        let entry = |group: &u8| -> UnLookupEntry {
            let entry = json!({
                "unNumber": number, "packingGroup": group, "class": {"classType": class}, "subClasses": subs,
                "requiresTechnicalName": technical,
            });
            serde_json::from_str(&entry.to_string()).expect("an entry")
        };
        let key = serde_json::from_value(json!(number)).expect("a UN number");
        (key, groups.iter().map(entry).collect::<Vec<_>>())
    };
    let known = [
        entries(1170, 5, &[], &[2, 3], false),
        entries(1993, 5, &[], &[1, 2, 3], true),
        entries(2031, 14, &[9], &[1, 2], false),
        entries(1830, 14, &[], &[2], false),
        entries(1479, 9, &[], &[1, 2, 3], true),
        entries(1495, 9, &[], &[2], false),
        entries(1017, 4, &[9, 14], &[4], false),
        entries(3599, 5, &[], &[], false),
    ];
    let account = |id: i64, link: i64, disabled: bool, service: i64| {
        json!({
            "id": id, "companyCarrierAccountId": link, "companyCarrierAccountDisabled": disabled,
            "carrierServices": [{"id": service}],
        })
    };
    let carriers = json!([
        {"id": 11, "name": "Southern Cross", "carrierAccounts": [
            account(3101, 5101, false, 1101), account(3109, 5109, true, 1101),
        ]},
        {"id": 13, "name": "Tasman Freight", "carrierAccounts": [
            account(3103, 5103, false, 1301), account(3104, 5104, false, 1301),
        ]},
    ]);
    let carriers: Vec<Carrier> = serde_json::from_str(&carriers.to_string()).expect("carriers");
    CheckContext {
        un_numbers: Arc::new(known.into_iter().collect()),
        carriers: Arc::new(carriers),
        ..CheckContext::at(NOW.parse().expect("a moment"), "Australia/Sydney")
    }
}

/// A draft that passes: both sides typed in full.
pub(super) fn good() -> Draft {
    let mut draft = Draft::default();
    fill(&mut draft, "SO-1");
    draft.from = draft.to.clone();
    draft
}

pub(super) fn check(change: impl FnOnce(&mut Draft)) -> Check {
    let mut draft = good();
    change(&mut draft);
    draft.check(&context())
}

pub(super) fn set(field: &mut String, text: &str) {
    text.clone_into(field);
}

/// Declared ethanol in the first line, with this change.
pub(super) fn dangerous(draft: &mut Draft, change: impl FnOnce(&mut DgLine)) {
    let mut good = spirits();
    change(&mut good);
    draft.goods[0].dangerous.push(good);
    draft.declare(true);
}

/// A carrier that was chosen by itself, with one of its accounts or none.
pub(super) fn chosen_carrier(id: i64, account: Option<i64>) -> Routing {
    Routing::Carrier(ChosenRoute {
        account_id: account.map(CarrierAccountId::new),
        ..ChosenRoute::of_carrier(CarrierId::new(id), "The carrier".to_owned())
    })
}

/// Contents that customs accept.
pub(super) fn reels() -> ContentsLine {
    let text = str::to_owned;
    ContentsLine {
        description: text("Hose reels"),
        quantity: text("1"),
        harmonised_code: text("8424.90"),
        purpose: text("Sale"),
        country: text("Australia"),
        value: text("89.50"),
        ..ContentsLine::default()
    }
}

/// To Fiji, with contents in every line.
pub(super) fn export(draft: &mut Draft) {
    set(&mut draft.to.country, "Fiji");
    set(&mut draft.to.city, "Suva");
    for line in &mut draft.goods {
        line.contents.push(reels());
    }
}

/// Inside New Zealand.
pub(super) fn new_zealand(draft: &mut Draft) {
    for side in [&mut draft.from, &mut draft.to] {
        set(&mut side.country, "NZ");
        set(&mut side.place, "Hamilton Central 3204");
    }
}

/// A line that stands for a saved item by its SKU, with nothing typed over it.
pub(super) fn saved_item(sku: &str) -> GoodsLine {
    GoodsLine {
        source: ItemSource::Sku,
        sku: sku.to_owned(),
        item_type: String::new(),
        quantity: String::new(),
        ..GoodsLine::default()
    }
}

/// The words of the warnings at a field.
pub(super) fn warnings(check: &Check, field: Field) -> Vec<&str> {
    let problems = check.problems.iter();
    let here =
        problems.filter(|problem| problem.severity == Severity::Warning && problem.field == field);
    here.map(|problem| problem.message.as_str()).collect()
}
