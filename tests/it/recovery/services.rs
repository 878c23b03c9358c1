//! A service that is down, refuses, or sends invalid answers: the message is clear, and typed text is still
//! there.

use std::time::Duration;

use app::state::{ConsignCommand, Notice, OperationState, Tone};
use draft::{AddressField, Field};

use crate::support::desk::{Desk, Home, notice, open_wired_bench};
use crate::support::text::assert_contains;
use crate::support::wire::{Fault, Wire, answer};

const CREATE: &str = "/consignments/createConsignment";

/// Types a consignment, sends it against `fault` on create, and returns the program and the message once it
/// is free again.
fn refused_by(home: &Home, fault: Fault) -> (Desk, String) {
    let (_practice, wire, mut desk) = home.open_behind_wire();
    desk.type_consignment("SO-48213");
    let typed = desk.core.editing.draft.clone();
    wire.fail(CREATE, fault);
    desk.send();
    desk.until("it is being sent", |core| {
        (!core.shared.consign.sent.is_empty()).then_some(())
    });
    desk.until("it ended", |core| {
        core.shared.consign.sent.is_empty().then_some(())
    });
    assert_eq!(
        desk.core.editing.draft, typed,
        "what was typed is as it was typed"
    );
    let words = desk
        .core
        .shared
        .notices
        .shown
        .iter()
        .map(|(_, notice)| format!("{}. {}", notice.headline, notice.advice));
    let words = words.collect::<Vec<_>>().join("\n");
    (desk, words)
}

#[test]
fn a_service_that_is_down_is_said_and_nothing_typed_is_lost() {
    let (home, practice) = Home::with_practice();
    let address = practice.base_url();
    let mut desk = home.open(&Home::service(address, practice.token()));
    desk.type_consignment("SO-48213");
    let typed = desk.core.editing.draft.clone();
    // What is asked for in the background must not be what finds the service away.
    desk.until("nothing is asked for", |core| {
        (!core.shared.dispatch.unmanifested.is_loading()).then_some(())
    });
    home.runtime.block_on(practice.stop());
    desk.send();
    let notice = desk.until("a notice", |core| notice(&core.shared, "not sent"));
    assert_eq!(
        notice.headline,
        "The consignment was not sent. Your draft is unchanged"
    );
    assert_contains(&notice.advice, "cannot be reached");
    assert_eq!(desk.core.editing.draft, typed);
    let operation = &desk.core.shared.operations.list[0];
    assert_eq!(
        (operation.state, operation.attempt),
        (OperationState::Discarded, 3),
        "tried three times, then told"
    );
}

#[test]
fn a_token_that_is_not_accepted_is_said() {
    let home = Home::new();
    let (_desk, words) = refused_by(&home, answer("401 Unauthorized", "application/json", "{}"));
    assert_contains(&words, "does not accept this bench's token");
}

#[test]
fn the_services_own_words_stand_at_the_field_that_they_name() {
    let home = Home::new();
    let refusal = r#"{"object":null,"errors":[{"validationType":1,"memberNames":["toContact"],"errorMessage":"To contact is required"}]}"#;
    let (desk, words) = refused_by(&home, answer("200 OK", "application/json", refusal));
    assert_eq!(words, "");
    let problem = &desk.core.editing.refusals[0];
    assert_eq!(problem.field, Field::To(AddressField::Contact));
    assert_eq!(problem.message, "To contact is required");
}

/// Waits until the list of unmanifested consignments has a problem, and returns its notice.
fn until_list_fails(desk: &mut Desk) -> Notice {
    desk.until("a problem with the list", |core| {
        let problem = core.shared.dispatch.unmanifested.problem()?;
        Some(Notice::failed("The list", problem))
    })
}

#[test]
fn a_web_page_instead_of_an_answer_leaves_a_create_unknown_and_a_read_explained() {
    let home = Home::new();
    let page = answer(
        "200 OK",
        "text/html",
        "<html><body>Sign in to the warehouse network</body></html>",
    );
    let wire = Wire::alone(page);
    let mut desk = home.open(&Home::service(wire.base_url(), "any"));
    let notice = until_list_fails(&mut desk);
    assert_contains(&notice.advice, "A web page answered");
    assert_eq!(notice.tone, Tone::Bad);
}

#[test]
fn an_answer_that_takes_too_long_is_not_waited_for_and_the_list_is_kept() {
    let (_home, _practice, wire, mut desk) = open_wired_bench();
    desk.create("SO-1");
    desk.until("listed", |core| {
        let list = core.shared.dispatch.unmanifested.value()?;
        (list.len() == 1).then_some(())
    });
    // As long as it takes: the bench gives up by its own limit.
    wire.fail("getRecently", Fault::Silence(Duration::from_secs(70)));
    desk.ask(app::state::DispatchCommand::Refresh);
    let notice = until_list_fails(&mut desk);
    assert_contains(&notice.advice, "did not answer in time");
    assert_eq!(
        desk.core
            .shared
            .dispatch
            .unmanifested
            .value()
            .map(|list| list.len()),
        Some(1),
        "the old list is kept"
    );
    // All else is answered: the service is not away.
    assert_eq!(desk.core.shared.session.health.away_since, None);
}

#[test]
fn prices_that_cannot_be_fetched_leave_the_draft_alone() {
    let (home, practice, wire) = Home::with_wire();
    wire.fail(
        "/routes/",
        answer("500 Internal Server Error", "text/plain", "oops"),
    );
    let mut desk = home.open(&Home::service(wire.base_url(), practice.token()));
    desk.type_consignment("SO-1");
    let typed = desk.core.editing.draft.clone();
    desk.ask(ConsignCommand::FindRoutes);
    let notice = desk.until("a problem with the prices", |core| {
        core.shared
            .consign
            .routes
            .problem()
            .map(|problem| Notice::failed("Prices", problem))
    });
    assert_contains(&notice.advice, "The service has a problem (HTTP 500)");
    assert_eq!(desk.core.editing.draft, typed);
}
