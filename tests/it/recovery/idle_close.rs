//! A service that closes idle connections, which is why writes never use a pooled connection.

use client::{Client, Connection};
use shipping::ConsignmentId;
use tokio::runtime::Runtime;

use crate::support::keepalive::{Keepalive, Then};

const POSTS: usize = 24;

#[test]
fn no_write_is_ambiguous_although_the_service_closes_idle_connections() {
    let runtime = Runtime::new().expect("a runtime");
    let service = Keepalive::start(Then::Close);
    let connection = Connection::new(&service.base_url(), "any".into()).expect("a connection");
    let client = Client::new(&connection).expect("a client");
    for _ in 0..POSTS {
        let deleted = runtime.block_on(client.delete(&[ConsignmentId::from(1)]));
        assert_eq!(deleted, Ok(()));
    }
    assert_eq!(
        (service.requests(), service.connections()),
        (POSTS, POSTS),
        "each on a connection of its own"
    );
}

/// The counter-proof: were this to end well, the test above would prove nothing.
#[test]
fn pooled_writes_must_fail_ambiguously_on_the_same_service() {
    let runtime = Runtime::new().expect("a runtime");
    let service = Keepalive::start(Then::Close);
    let pooled = reqwest::Client::builder()
        .no_proxy()
        .build()
        .expect("a client");
    let url = format!(
        "{}/apiv2/consignments/deleteUnmanifestedConsignments",
        service.base_url()
    );
    let post = async || {
        let request = pooled.post(&url).body("[1]");
        request.send().await?.bytes().await
    };
    let ambiguous = (0..POSTS)
        .filter(|_| matches!(runtime.block_on(post()), Err(error) if !error.is_connect()))
        .count();
    assert!(
        ambiguous > 0,
        "pooled posts were never ambiguous: {} answered",
        service.requests()
    );
    assert!(
        service.requests() < POSTS,
        "the service never saw what the caller cannot know of"
    );
}
