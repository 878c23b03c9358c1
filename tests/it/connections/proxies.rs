//! Plain HTTP is used only to this machine; a configured proxy is used, except for this machine.

use client::{Connection, ConnectionError, ConnectionTestError, Failure};

use super::ears::{Ears, PONG};
use super::{TOKEN, client};

#[test]
fn plain_http_to_another_machine_is_refused() {
    for address in [
        "http://ship.example",
        "http://10.0.0.1",
        "http://192.168.1.20:8080/base",
        "http://127.0.0.1.example",
    ] {
        let refused = Connection::new(address, TOKEN.into()).map(drop);
        assert_eq!(refused, Err(ConnectionError::NotHttps), "{address}");
    }
    for address in ["http://127.0.0.1:1", "http://localhost:1", "http://[::1]:1"] {
        assert!(Connection::new(address, TOKEN.into()).is_ok(), "{address}");
    }
}

#[tokio::test]
async fn a_proxy_that_is_set_is_asked_and_is_not_told_the_token() {
    let proxy = Ears::plain("502 Bad Gateway", "", "");
    let client = client("https://packbench.invalid", |connection| {
        connection
            .with_proxy(&proxy.base_url())
            .expect("an address of a proxy")
    });
    let reached = client.test_connection().await;
    assert_eq!(
        reached,
        Err(ConnectionTestError::Failed(Failure::NeverSent)),
        "names are the proxy's business"
    );
    let heard = proxy.heard();
    assert!(!heard.is_empty(), "nobody asked the proxy");
    assert!(
        heard[0].starts_with("CONNECT packbench.invalid:443 "),
        "{heard:?}"
    );
    assert!(
        heard.iter().all(|request| !request.contains(TOKEN)),
        "the token was shown to the proxy"
    );
}

#[tokio::test]
async fn a_service_on_this_machine_is_never_asked_for_through_a_proxy() {
    let proxy = Ears::plain("502 Bad Gateway", "", "");
    let service = Ears::plain("200 OK", "", PONG);
    let client = client(&service.base_url(), |connection| {
        connection
            .with_proxy(&proxy.base_url())
            .expect("an address of a proxy")
    });
    client.test_connection().await.expect("it answers");
    assert_eq!(client.ping().await, Ok(true));
    assert_eq!(service.heard().len(), 2);
    assert_eq!(proxy.heard(), Vec::<String>::new());
}
