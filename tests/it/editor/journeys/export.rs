//! An international consignment: the receiver's country by name, and the customs data.

use draft::{AddressField, ContentsField, Field};
use serde_json::json;

use super::{Clerk, RECEIVER, goods, held, must_hold, receiver, send};

#[test]
fn an_export_with_customs_by_keyboard() {
    let (home, practice, mut clerk) = Clerk::begin();
    clerk.pick_sender();
    clerk.keys("<Alt+A>");
    clerk.fill(&RECEIVER[..5]);
    clerk.keys("<Alt+B>");
    clerk.is_at(Field::To(AddressField::Country));
    clerk.keys("new zea<Enter>");
    clerk.fill(&[
        (Field::To(AddressField::City), "Auckland"),
        (Field::To(AddressField::Province), "Auckland"),
        (Field::To(AddressField::Postcode), "2013"),
    ]);
    clerk.is_at(Field::Reference1);
    clerk.keys("SO-48216<Alt+3>");
    clerk.fill(&goods(["Hose reels", "HR-20", "2", "9", "40", "40", "30"]));
    clerk.keys("<Ctrl+I>");
    let inside = |field| Field::Contents(0, 0, field);
    clerk.fill(&[
        (inside(ContentsField::Description), "Garden hose reels"),
        (inside(ContentsField::Quantity), "4"),
        (inside(ContentsField::Value), "240,50"),
        (inside(ContentsField::Purpose), "gift"),
        (inside(ContentsField::Country), "Austral"),
        (inside(ContentsField::HarmonisedCode), "3917.39"),
    ]);
    clerk.await_routes();
    clerk.keys("<Ctrl+1>");
    clerk.picture("journey-export");
    let made = send(&mut clerk);

    let held = held(&home, &practice, made);
    must_hold(&held, &receiver());
    must_hold(
        &held,
        &[
            ("/isInternational", json!(true)),
            ("/toLocation/suburb", json!("Auckland")),
            ("/toLocation/postcode", json!("2013")),
            ("/toLocation/country", json!("NZL")),
            ("/customerReference", json!("SO-48216")),
            ("/consignmentItems/0/quantity", json!(2)),
        ],
    );
    must_hold(
        &held["consignmentItems"][0]["consignmentItemContents"][0],
        &[
            ("/description", json!("Garden hose reels")),
            ("/quantity", json!(4)),
            ("/dollarValue", json!(240.5)),
            ("/purpose", json!("Gift")),
            ("/countryOfManufactureCode", json!("AUS")),
            ("/harmonizedCode", json!("3917.39")),
        ],
    );
}
