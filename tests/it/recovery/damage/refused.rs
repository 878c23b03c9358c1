//! A service that refuses to list the changes since the backup is not asked for ever, and the clerk is told.

use super::{after_a_morning, an_afternoon, notice};
use crate::support::desk::Home;
use crate::support::wire::{Wire, answer};

#[test]
fn what_the_service_refuses_to_say_is_told_once_and_not_asked_for_ever() {
    let (home, practice, path, service) = after_a_morning("SO-SENT");
    an_afternoon(&home, &service, &path, "SO-SENT");
    let wire = Wire::before(practice.address());
    wire.fail("getRecently", answer("403 Forbidden", "text/plain", "no"));
    let mut desk = home.open(&Home::service(wire.base_url(), practice.token()));
    let told = desk.until("told", |core| {
        notice(
            &core.shared,
            "Not everything that was sent since the backup",
        )
    });
    assert!(told.advice.contains("your own company"), "{}", told.advice);
    assert!(!told.advice.contains("ten days"), "{}", told.advice);
}
