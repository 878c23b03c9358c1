//! Adjusting a pickup: errors appear at their field before it is sent.

use draft::{PickupContext, PickupDraft, PickupField};
use jiff::Timestamp;
use shipping::{LocalTime, ManifestGroup};

use crate::support::desk::NOW;

#[test]
fn a_pickup_says_what_is_wrong_at_its_field_before_it_is_sent() {
    let now: Timestamp = NOW.parse().expect("a moment");
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
        .review(&PickupContext::at(now, "Australia/Sydney"))
        .group
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
        .review(&PickupContext::at(now, "Australia/Sydney"))
        .group
        .expect("it is right now");
    assert_eq!(
        booked.pickup_date_time,
        at("2026-11-23T16:00:00"),
        "the typed day counts"
    );
    assert_eq!(booked.dgs_declaration, Some(true));
}
