//! A clerk's work in the editor, through the real window and by keyboard alone; the result is checked at the
//! practice service.

mod dangerous;
mod delegated;
mod edit;
mod export;
mod pending;
mod repeat;

use draft::{AddressField, Field, GoodsField};
use practice::RunningService;
use serde_json::{Value, json};
use shipping::ConsignmentId;

use crate::support::clerk::Clerk;
use crate::support::desk::Home;

/// A consignment as the service has it, in its own words.
#[expect(
    clippy::disallowed_methods,
    reason = "what the service says is read without the client that is tested"
)]
pub(crate) fn held(home: &Home, practice: &RunningService, id: ConsignmentId) -> Value {
    let address = practice.base_url();
    let call = reqwest::Client::new()
        .get(format!(
            "{address}/apiv2/consignments/getConsignment?id={id}"
        ))
        .header("token", practice.token());
    home.runtime.block_on(async {
        let answer = call.send().await.expect("an answer");
        let text = answer.text().await.expect("its text");
        let answer: Value = serde_json::from_str(&text).expect("JSON");
        answer["object"].clone()
    })
}

/// Each value stands there, by its pointer; all that do not are told at once.
#[track_caller]
pub(crate) fn must_hold(held: &Value, wanted: &[(&str, Value)]) {
    let same = |found: &Value, wanted: &Value| match (found.as_f64(), wanted.as_f64()) {
        (Some(found), Some(wanted)) => (found - wanted).abs() < 1e-9,
        _ => found == wanted,
    };
    let null = Value::Null;
    let wrong: Vec<String> = wanted
        .iter()
        .map(|(at, wanted)| (at, held.pointer(at).unwrap_or(&null), wanted))
        .filter(|(_, found, wanted)| !same(found, wanted))
        .map(|(at, found, wanted)| format!("{at} is {found}, not {wanted}"))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?} in {held:#}");
}

/// Sends, and answers what was made.
pub(crate) fn send(clerk: &mut Clerk) -> ConsignmentId {
    let before = clerk
        .core()
        .shared
        .consign
        .last_created
        .clone()
        .map(|one| one.id);
    clerk.keys("<Ctrl+Enter>");
    clerk.until("it is created", |core| {
        let made = core.shared.consign.last_created.as_ref()?.id;
        (Some(made) != before).then_some(made)
    })
}

/// The receiver's address, typed in full from its name on.
const RECEIVER: [(Field, &str); 6] = [
    (Field::To(AddressField::Name), "Otway Timber Yard"),
    (Field::To(AddressField::Contact), "R. Petersen"),
    (Field::To(AddressField::Phone), "03 5550 0187"),
    (Field::To(AddressField::Email), "yard@otway.example"),
    (Field::To(AddressField::Line1), "12 Sawmill Lane"),
    (Field::To(AddressField::Place), "Ballarat Central VIC 3350"),
];

/// What the service holds of [`RECEIVER`] but its place.
fn receiver() -> Vec<(&'static str, Value)> {
    vec![
        ("/toName", json!("Otway Timber Yard")),
        ("/toContact", json!("R. Petersen")),
        ("/toPhone", json!("03 5550 0187")),
        ("/toEmail", json!("yard@otway.example")),
        ("/toAddressLine1", json!("12 Sawmill Lane")),
    ]
}

/// A line of goods that the practice service's carriers take.
pub(crate) const DRIP_KIT: [&str; 7] = [
    "Drip irrigation kit",
    "DRIP-40",
    "2",
    "7,5",
    "60",
    "40",
    "30",
];

/// A line of goods, each value in its field, from the name on.
pub(crate) fn goods(texts: [&str; 7]) -> [(Field, &str); 7] {
    let fields = [
        GoodsField::Name,
        GoodsField::Sku,
        GoodsField::Quantity,
        GoodsField::Weight,
        GoodsField::Length,
        GoodsField::Width,
        GoodsField::Height,
    ];
    std::array::from_fn(|at| (Field::Goods(0, fields[at]), texts[at]))
}
