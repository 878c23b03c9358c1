//! Redirects are reported and not followed, so that they never carry the token away.

use client::{ConnectionTestError, Failure};

use super::ears::Ears;
use super::{TOKEN, client};

const REDIRECTS: [(u16, &str); 4] = [
    (301, "301 Moved Permanently"),
    (302, "302 Found"),
    (307, "307 Temporary Redirect"),
    (308, "308 Permanent Redirect"),
];

#[tokio::test]
async fn no_redirect_to_another_machine_is_followed() {
    for (status, line) in REDIRECTS {
        let elsewhere = Ears::plain("200 OK", "", super::ears::PONG);
        let location = format!("location: {}/apiv2/elsewhere\r\n", elsewhere.base_url());
        let service = Ears::plain(line, &location, "");
        let client = client(&service.base_url(), |connection| connection);
        assert_eq!(client.ping().await, Err(Failure::Status(status)));
        assert_eq!(client.delete(&[]).await, Err(Failure::Status(status)));
        let reached = client.test_connection().await;
        assert_eq!(
            reached,
            Err(ConnectionTestError::Failed(Failure::Status(status)))
        );
        assert_eq!(
            elsewhere.heard(),
            Vec::<String>::new(),
            "{status} took the request elsewhere"
        );
        assert_eq!(service.heard().len(), 3, "each once");
    }
}

#[tokio::test]
async fn no_redirect_on_the_same_machine_is_followed_either() {
    for (status, line) in REDIRECTS {
        let service = Ears::plain(line, "location: /apiv2/elsewhere\r\n", "");
        let client = client(&service.base_url(), |connection| connection);
        assert_eq!(client.ping().await, Err(Failure::Status(status)));
        assert_eq!(client.delete(&[]).await, Err(Failure::Status(status)));
        let heard = service.heard();
        assert_eq!(heard.len(), 2);
        assert!(
            heard.iter().all(|request| !request.contains("elsewhere")),
            "{status}"
        );
        assert!(
            heard
                .iter()
                .all(|request| request.contains(&format!("token: {TOKEN}"))),
            "the service itself gets the token"
        );
    }
}
