//! 5: errors in the service's answer to a price request appear at the fields that they concern.

use draft::{AddressField, Field, Routing};
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use super::clerk::Place;
use crate::support::clerk::Clerk;
use crate::support::desk::fill;
use crate::support::wire::answer;

const PLACE: Field = Field::To(AddressField::Place);
const WORDS: &str = "To location suburb and postcode combination is invalid";

fn typed(clerk: &mut Clerk, place: &str) {
    clerk.await_locations(1);
    clerk.pick_location("<Alt+1>", "HSYD");
    let editing = clerk.window.state_mut().editing_mut().expect("open");
    fill(&mut editing.draft, "SO-5");
    place.clone_into(&mut editing.draft.to.place);
    editing.draft.routing = Routing::Unchosen;
    clerk.rest();
}

#[test]
fn n5_a_refusal_of_prices_marks_its_field_and_is_listed_before_send() {
    let place = Place::new();
    let mut clerk = place.clerk();
    typed(&mut clerk, "Nowhere VIC 3999");
    clerk.until("the service refused the prices", |core| {
        (!core.shared.consign.routes.is_loading() && core.shared.consign.routes.problem().is_some())
            .then_some(())
    });
    assert_eq!(clerk.errors_at(PLACE), [WORDS]);
    assert!(clerk.sees(&format!("To, suburb: {WORDS}")), "it is listed");
    let field = clerk.window.get_by_label("To: suburb and postcode");
    assert_eq!(field.accesskit_node().description().as_deref(), Some(WORDS));

    let editing = clerk.window.state_mut().editing_mut().expect("open");
    editing.draft.to.place = "Ballarat Central VIC 3350".to_owned();
    clerk.until("prices", |core| {
        (!core.shared.consign.routes_stale && core.shared.consign.routes.value().is_some())
            .then_some(())
    });
    assert_eq!(clerk.errors_at(PLACE), Vec::<String>::new());
}

#[test]
fn n5_invalid_company_id_leads_to_the_company_picker() {
    let place = Place::new();
    let body = r#"{"object":null,"errors":[{"validationType":1,"memberNames":[],"errorMessage":"Invalid Company ID"}]}"#;
    let refused = answer("200 OK", "application/json", body);
    place.wire.fail("returnRoutes", refused);
    let mut clerk = place.clerk();
    typed(&mut clerk, "Ballarat Central VIC 3350");
    clerk.until("the service refused the company", |core| {
        core.shared.consign.routes.problem().map(|_| ())
    });
    clerk
        .window
        .get_by_label("Company: Invalid Company ID")
        .click();
    clerk.rest();
    // The picker is open.
    assert!(clerk.sees("Harbour Supplies (your token's company)"));
    clerk.push("Harbour Supplies New Zealand");
    clerk.await_locations(2);
}
