//! Sending an invalid draft makes no call: the whole program, at a service that counts calls.

use std::sync::Arc;

use super::{all, context, good};
use crate::support::desk::Home;
use crate::support::wire::Wire;

#[test]
fn send_of_a_broken_draft_calls_nobody_and_shows_every_problem() {
    let (home, practice) = Home::with_practice();
    let address = practice.base_url();
    let address = address.trim_start_matches("http://").trim_end_matches('/');
    let wire = Wire::before(address.parse().expect("an address"));
    let mut desk = home.open(&Home::service(wire.base_url(), practice.token()));
    desk.until("carriers", |core| {
        (!core.shared.catalogue.carriers.is_empty()).then_some(())
    });
    let context = context();
    let mut broken = 0;
    for (rule, rows) in all() {
        for (number, (change, field, words)) in rows.iter().enumerate() {
            desk.core.shared.catalogue.un_numbers = Arc::clone(&context.un_numbers);
            desk.core.shared.catalogue.carriers = Arc::clone(&context.carriers);
            desk.core.editing.draft = good();
            change(&mut desk.core.editing.draft);
            desk.core.editing.show_all = false;
            desk.send();
            desk.turn();
            let editing = &desk.core.editing;
            let sent = &desk.core.shared.consign.sent;
            assert!(sent.is_empty(), "{rule}, row {number}");
            assert!(editing.show_all, "{rule}, row {number}: problems show");
            let shown = editing
                .problems()
                .any(|problem| problem.field == *field && problem.message.contains(words));
            assert!(shown, "{rule}, row {number}: {:?}", editing.check());
            broken += 1;
        }
    }
    assert!(broken > 120, "{broken} rows");
    assert_eq!(wire.count("createConsignment"), 0);
    assert_eq!(wire.count("PendingConsignment"), 0);
    desk.core.close(home.runtime.handle());
}
