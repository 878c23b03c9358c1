//! 2: the token's own company is not always the first of the list.

use serde_json::json;
use shipping::CompanyId;

use super::clerk::Place;
use crate::support::clerk::Clerk;
use crate::support::wire::answer;

const ASKED: &str = "Which company do you work for?";

/// The companies of the list, in this order: id and parent.
fn list(place: &Place, companies: &[(i64, &str, Option<i64>)]) {
    let companies: Vec<_> = companies
        .iter()
        .map(|(id, name, parent)| {
            json!({ "id": id, "name": name, "displayName": name, "parentCompanyId": parent })
        })
        .collect();
    let body = json!({ "object": companies, "errors": null }).to_string();
    let listed = answer("200 OK", "application/json", &body);
    place.wire.fail("companies/getAll", listed);
}

const HARBOUR: (i64, &str, Option<i64>) = (1, "Harbour Supplies", None);
const NEW_ZEALAND: (i64, &str, Option<i64>) = (2, "Harbour Supplies New Zealand", Some(1));

/// A clerk whose token may be of either of two companies, neither below the other.
fn with_two_companies() -> (Place, Clerk) {
    let place = Place::new();
    let other = (2, NEW_ZEALAND.1, None);
    list(&place, &[other, HARBOUR]);
    let clerk = place.clerk();
    (place, clerk)
}

#[test]
fn n2_the_own_company_is_found_wherever_it_stands_in_the_list() {
    let place = Place::new();
    list(&place, &[NEW_ZEALAND, HARBOUR]);
    let mut clerk = place.clerk();
    clerk.await_locations(1);
    let shared = &clerk.core().shared;
    assert_eq!(shared.session.company, Some(CompanyId::new(1)));
    assert!(
        clerk.sees("Harbour Supplies"),
        "the top of the window names it"
    );
    clerk.type_order();
    let made = clerk.send();
    let sent = place.wire.bodies("createConsignment").remove(0);
    assert!(sent.get("companyId").is_none(), "none was chosen: {sent}");
    assert_eq!(place.record(&made)["companyId"], 1);
}

#[test]
fn n2_where_several_companies_could_be_it_a_create_tells_which_it_is() {
    let (place, mut clerk) = with_two_companies();
    clerk.until("the clerk is asked", |core| {
        let mut notices = core.shared.notices.shown.iter();
        notices
            .find(|(_, notice)| notice.headline == ASKED)
            .map(|_| ())
    });
    assert_eq!(clerk.core().shared.session.company, None);
    clerk.until("the locations of the token's own company", |core| {
        core.shared.catalogue.locations.value().map(|_| ())
    });
    clerk.type_order();
    clerk.send();
    let sent = place.wire.bodies("createConsignment").remove(0);
    assert!(sent.get("companyId").is_none(), "{sent}");
    clerk.until("the answer told it", |core| {
        (core.shared.session.company == Some(CompanyId::new(1))).then_some(())
    });
    clerk.await_locations(1);
    assert!(!clerk.sees(ASKED), "it is not asked any more");
}

#[test]
fn n2_the_clerk_is_asked_once_and_the_answer_is_sent_and_kept() {
    let (place, mut clerk) = with_two_companies();
    clerk.until("the clerk is asked", |core| {
        core.shared.catalogue.companies.value().map(|_| ())
    });
    assert!(clerk.sees(ASKED));
    clerk.push("Show");
    clerk.push("Harbour Supplies");
    clerk.await_locations(1);
    assert!(!clerk.sees(ASKED));
    clerk.type_order();
    clerk.send();
    let sent = place.wire.bodies("createConsignment").remove(0);
    assert_eq!(sent["companyId"], 1);
    clerk.keys("<Esc>");
    let kept = clerk.until("the answer is in the settings", |_| {
        let settings = app::config::Settings::read(&place.home.places).ok()?;
        settings.company()
    });
    assert_eq!(kept, CompanyId::new(1));
}
