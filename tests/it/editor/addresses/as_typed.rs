//! Addresses typed where no suggestion fits, or instead of a suggestion.

use app::state::Remote;
use draft::AddressMode;
use egui_kittest::kittest::Queryable as _;

use super::{known, open, to};
use crate::journeys::kit::picture;
use crate::support::keyboard::type_at_once;

#[test]
fn an_abbreviation_is_used_as_typed_where_the_list_could_not_be_fetched() {
    let mut of = known();
    of.shared.catalogue.locations = Remote::default();
    let mut harness = open(of);
    to(&mut harness);
    type_at_once(&mut harness, "MELB<Enter>");
    let side = &harness.state().editing.draft.to;
    assert_eq!(
        (side.mode, &*side.abbreviation),
        (AddressMode::Saved, "MELB")
    );
    assert!(side.saved.is_none());
    harness.get_by_label_contains("The service looks up this abbreviation when you send");
    picture(&mut harness, "editor-abbreviation");
}

#[test]
fn a_saved_location_is_picked_by_its_id_known_here_or_not() {
    let of = known();
    let places = of
        .shared
        .catalogue
        .locations
        .value()
        .expect("the saved locations");
    let place = places.iter().find(|place| place.is_delivery());
    let place = place.expect("one to send to").clone();
    let mut harness = open(of);
    to(&mut harness);
    type_at_once(&mut harness, &format!("{}<Enter>", place.id));
    assert_eq!(harness.state().editing.draft.to.title(), place.name);
    to(&mut harness);
    type_at_once(&mut harness, "987654<Enter>");
    let side = &harness.state().editing.draft.to;
    let saved = side.saved.as_ref().expect("picked by its id");
    assert_eq!((side.mode, saved.id.get()), (AddressMode::Saved, 987_654));
}

#[test]
fn a_short_text_that_fits_nothing_is_a_name_first_and_may_be_an_abbreviation() {
    for (typing, mode, name, abbreviation) in [
        ("MELB<Enter>", AddressMode::Full, "MELB", ""),
        ("MELB<Down><Enter>", AddressMode::Saved, "", "MELB"),
    ] {
        let mut harness = open(known());
        to(&mut harness);
        type_at_once(&mut harness, typing);
        let side = &harness.state().editing.draft.to;
        assert_eq!(
            (side.mode, &*side.name, &*side.abbreviation),
            (mode, name, abbreviation),
            "{typing}"
        );
    }
}

#[test]
fn a_name_that_nobody_knows_becomes_the_name_of_an_address() {
    let mut harness = open(known());
    to(&mut harness);
    type_at_once(&mut harness, "bob's bikes<Enter>Bob");
    let side = &harness.state().editing.draft.to;
    assert_eq!(
        (side.mode, &*side.name, &*side.contact),
        (AddressMode::Full, "bob's bikes", "Bob")
    );
}
