//! Every text of a draft, one after another, without a window.

use draft::Draft;
use serde_json::Value;
use shipping::Question;

use super::super::rules::{context, dangerous, export, new_zealand, saved_item, set};
use super::view::{filled, full_contents, stored_good};
use super::{characters, lengths, more, numbers, unclean, words};

/// A draft with something in each field that can hold something.
fn full() -> Draft {
    let mut draft = filled();
    for side in [&mut draft.from, &mut draft.to] {
        set(&mut side.search, "tweed");
        set(&mut side.abbreviation, "TWEED");
    }
    draft.questions.insert(Question::Tailgate);
    dangerous(&mut draft, |good| {
        set(&mut good.technical_name, "ethanol");
        set(&mut good.shipping_name, "ETHANOL SOLUTIONS");
    });
    let line = &mut draft.goods[0];
    set(&mut line.sku, "HR-20");
    set(&mut line.spaces, "1");
    set(&mut line.references, "SCX0000001 SCX0000002");
    draft.goods.push(saved_item("PM-40"));
    draft
}

/// The drafts that between them use every text that there is.
fn drafts() -> Vec<(&'static str, Draft)> {
    let mut abroad = full();
    abroad.goods[0].dangerous.clear();
    abroad.goods.truncate(1);
    set(&mut abroad.from.country, "");
    export(&mut abroad);
    set(&mut abroad.to.province, "Rewa");
    set(&mut abroad.to.postcode, "0000");
    abroad.goods[0].contents = vec![full_contents()];
    let mut stored = full();
    stored.goods[0].dangerous = vec![stored_good()];
    stored.declare(true);
    let mut there = full();
    new_zealand(&mut there);
    there.declare(true);
    vec![
        ("home", full()),
        ("abroad", abroad),
        ("stored", stored),
        ("New Zealand", there),
    ]
}

/// Where the texts of a value stand.
fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    match value {
        Value::String(_) => found.push(at.to_owned()),
        Value::Array(values) => {
            for (index, value) in values.iter().enumerate() {
                places(value, &format!("{at}/{index}"), found);
            }
        }
        Value::Object(fields) => {
            for (name, value) in fields {
                places(value, &format!("{at}/{name}"), found);
            }
        }
        _ => {}
    }
}

#[test]
fn every_text_of_a_draft_is_told_of_or_sent_clean() {
    let context = context();
    let mut tried = 0;
    for (which, draft) in drafts() {
        let check = draft.check(&context);
        assert!(check.passes(), "{which}: {:#?}", check.problems);
        let declares = draft.is_declared();
        let whole = serde_json::to_value(&draft).expect("a draft is JSON");
        let mut found = Vec::new();
        places(&whole, "", &mut found);
        let bad: Vec<_> = [lengths(), characters(), numbers(), words(), more()]
            .into_iter()
            .flatten()
            .collect();
        for (place, bad) in found
            .iter()
            .flat_map(|at| bad.iter().map(move |bad| (at, bad)))
        {
            let mut changed = whole.clone();
            let text = changed.pointer_mut(place).expect("found there");
            *text = Value::String(bad.text.clone());
            let Ok(mut draft) = serde_json::from_value::<Draft>(changed) else {
                // One of a known few, which no clerk types.
                continue;
            };
            draft.declare(declares);
            tried += 1;
            let check = draft.check(&context);
            if let Some(wrong) = unclean(&check) {
                panic!("{which}, {place}, {}: {wrong}", bad.what);
            }
            draft.pending_request(&context).map_or_else(
                |problems| assert!(!problems.is_empty(), "{which}, {place}, {}", bad.what),
                drop,
            );
            let _totals = draft.totals();
        }
    }
    assert!(tried > 4_000, "{tried} texts");
}
