//! Text typed into groups after the service grouped again: what is carried over and what is not.

use draft::{PickupDraft, carry_over};
use shipping::ManifestGroup;

use super::pickups::{at, draft, group};

#[test]
fn what_was_typed_goes_with_a_group_that_is_mostly_the_same() {
    let mut first = draft();
    "15:30".clone_into(&mut first.pickup);
    "Ring the bell".clone_into(&mut first.instructions);
    let mut second = PickupDraft::from(group(&[7, 8]));
    "9".clone_into(&mut second.spaces);
    // One has left the first, one joined the second, and there is one more; the service lists them in another order.
    let now_are = [group(&[7, 8, 9]), group(&[20]), group(&[1, 3])];
    let (new, rest) = carry_over(vec![first, second], &now_are);
    let typed: Vec<_> = new
        .iter()
        .map(|draft| [&*draft.pickup, &*draft.spaces, &*draft.instructions])
        .collect();
    assert_eq!(
        typed,
        [
            ["Fri 20 Nov 16:00", "9", ""],
            ["Fri 20 Nov 16:00", "2", ""],
            ["15:30", "2", "Ring the bell"],
        ]
    );
    assert_eq!(rest, []);
}

#[test]
fn nothing_is_carried_to_another_carrier_or_to_a_group_that_shares_too_little() {
    let mut typed = draft();
    "15:30".clone_into(&mut typed.pickup);
    let other_carrier = ManifestGroup {
        carrier_name: Some("Kookaburra Air".to_owned()),
        ..group(&[1, 2, 3])
    };
    let little = group(&[1, 30, 31]);
    let (new, rest) = carry_over(vec![typed.clone()], &[other_carrier, little]);
    assert!(new.iter().all(|draft| !draft.is_adjusted()));
    assert_eq!(rest, [typed], "it may come back");
}

#[test]
fn a_new_default_of_the_service_shows_where_the_clerk_typed_nothing() {
    let mut typed = draft();
    "Ring the bell".clone_into(&mut typed.instructions);
    "16:30".clone_into(&mut typed.closing);
    let later = ManifestGroup {
        pickup_date_time: at("2026-11-20T16:15:00"),
        pallet_spaces: Some(5),
        ..group(&[1, 2, 3])
    };
    let (new, _) = carry_over(vec![typed], &[later]);
    assert_eq!(new[0].pickup, "Fri 20 Nov 16:15");
    assert_eq!(
        (new[0].spaces.as_str(), new[0].closing.as_str()),
        ("5", "16:30")
    );
}

#[test]
fn a_typed_time_stays_on_its_day_when_the_group_moves_to_another() {
    let mut typed = draft();
    "16:30".clone_into(&mut typed.pickup);
    let monday = ManifestGroup {
        pickup_date_time: at("2026-11-23T09:00:00"),
        ..group(&[1, 2, 3])
    };
    let (new, _) = carry_over(vec![typed], &[monday]);
    assert_eq!(new[0].pickup, "Fri 20 Nov 16:30");
}

#[test]
fn dangerous_goods_are_declared_anew_for_what_joins_a_group() {
    let dangerous = |ids: &[i64]| ManifestGroup {
        dgs_declaration: Some(true),
        ..group(ids)
    };
    let declared = PickupDraft {
        dangerous_goods_declared: true,
        ..PickupDraft::from(dangerous(&[1, 2, 3]))
    };
    let (fewer, _) = carry_over(vec![declared.clone()], &[dangerous(&[1, 2])]);
    assert!(fewer[0].dangerous_goods_declared);
    let (more, _) = carry_over(vec![declared], &[dangerous(&[1, 2, 3, 4])]);
    assert!(!more[0].dangerous_goods_declared);
}
