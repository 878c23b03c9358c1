//! A full address and two dangerous goods in one line: number from the lookup, packaging type, amount, flash
//! point, declaration.

use draft::{DgField, Field};
use serde_json::json;
use shipping::UnNumber;

use super::{Clerk, RECEIVER, goods, held, must_hold, receiver, send};

/// A good, as it is typed after its number.
struct Good {
    number: &'static str,
    /// How often the arrow is pressed to its entry; a number with one entry needs none.
    arrows: usize,
    container: &'static str,
    containers: &'static str,
    amount: &'static str,
    unit: &'static str,
    hazchem: &'static str,
    flash_point: &'static str,
}

const ETHANOL: Good = Good {
    number: "1170",
    arrows: 2,
    container: "bottle",
    containers: "12",
    amount: "6",
    unit: "l",
    hazchem: "2YE",
    flash_point: "16",
};

const ACETONE: Good = Good {
    number: "1090",
    arrows: 0,
    container: "pail",
    containers: "2",
    amount: "4,5",
    unit: "k",
    hazchem: "",
    flash_point: "-18",
};

#[track_caller]
fn type_good(clerk: &mut Clerk, at: usize, good: &Good) {
    let field = |field| Field::Dg(0, at, field);
    clerk.is_at(field(DgField::UnNumber));
    clerk.text(good.number);
    let number = good.number.parse().ok().and_then(UnNumber::new);
    let number = number.expect("a UN number");
    clerk.until("what the service says of it", |core| {
        core.shared.catalogue.un_numbers.get(&number).map(|_| ())
    });
    for _ in 0..good.arrows {
        clerk.keys("<Down>");
    }
    clerk.keys("<Enter>");
    clerk.fill(&[
        (field(DgField::Container), good.container),
        (field(DgField::Containers), good.containers),
        (field(DgField::Amount), good.amount),
    ]);
    clerk.text(good.unit);
    clerk.keys("<Tab>");
    clerk.fill(&[(field(DgField::Hazchem), good.hazchem)]);
    clerk.is_at(field(DgField::FlashPoint));
    clerk.text(good.flash_point);
}

#[test]
fn two_dangerous_goods_to_a_full_address_by_keyboard() {
    let (home, practice, mut clerk) = Clerk::begin();
    clerk.pick_sender();
    clerk.keys("<Alt+A>");
    clerk.fill(&RECEIVER);
    clerk.is_at(Field::Reference1);
    clerk.keys("SO-48215<Alt+3>");
    clerk.fill(&goods([
        "Solvents, mixed",
        "SM-12",
        "2",
        "14,5",
        "40",
        "30",
        "30",
    ]));
    clerk.keys("<Ctrl+D>");
    type_good(&mut clerk, 0, &ETHANOL);
    clerk.keys("<Alt+N>");
    type_good(&mut clerk, 1, &ACETONE);
    clerk.await_routes();
    clerk.keys("<Ctrl+1>");
    clerk.picture("journey-dangerous");
    // Send leads to what is missing: the declaration.
    clerk.keys("<Ctrl+Enter>");
    assert!(clerk.core().shared.consign.last_created.is_none());
    clerk.keys("<Space>");
    assert!(clerk.core().editing.draft.dangerous_goods_declared);
    let made = send(&mut clerk);

    let held = held(&home, &practice, made);
    must_hold(&held, &receiver());
    let item = "/consignmentItems/0";
    let of = |at: &str| format!("{item}{at}");
    let good = |good: usize, at: &str| of(&format!("/consignmentItemDgItems/{good}{at}"));
    let wanted = [
        ("/customerReference".to_owned(), json!("SO-48215")),
        ("/dgsDeclaration".to_owned(), json!(true)),
        (of("/name"), json!("Solvents, mixed")),
        (of("/sku"), json!("SM-12")),
        (of("/quantity"), json!(2)),
        (of("/weight"), json!(14.5)),
        (of("/length"), json!(40)),
        (good(0, "/unNumber"), json!(1170)),
        (good(0, "/packingGroup"), json!(3)),
        (good(0, "/dgClassType"), json!(5)),
        (good(0, "/containerType"), json!(6)),
        (good(0, "/numberOfContainers"), json!(12)),
        (good(0, "/aggregateQuantity"), json!(6)),
        (good(0, "/isAggregateQuantityWeight"), json!(false)),
        (good(0, "/flashpoint"), json!(16)),
        (good(0, "/hazchem"), json!("2YE")),
        (good(1, "/unNumber"), json!(1090)),
        (good(1, "/packingGroup"), json!(2)),
        (good(1, "/containerType"), json!(4)),
        (good(1, "/numberOfContainers"), json!(2)),
        (good(1, "/aggregateQuantity"), json!(4.5)),
        (good(1, "/isAggregateQuantityWeight"), json!(true)),
        (good(1, "/flashpoint"), json!(-18)),
    ];
    let wanted: Vec<_> = wanted
        .iter()
        .map(|(at, value)| (at.as_str(), value.clone()))
        .collect();
    must_hold(&held, &wanted);
}
