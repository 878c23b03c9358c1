//! Calls that do not come from our client: those that set a case up, those of other clients, and public
//! pages.

use super::{Stage, read};
use crate::support::contract::Json;
use crate::support::contract::literal::filled;
use crate::support::contract::operation::Operation;
use crate::support::contract::surroundings::ask;
use crate::support::contract::wiretap::{Exchange, client};

impl Stage {
    /// Past the wiretap: a call that sets a case up. Gives the answer's object.
    pub(crate) async fn tell(&self, method: &str, address: &str, literal: &str) -> Json {
        let address = Operation::read(&format!("{method} {address}"), &self.known).address();
        let body = self.filled(literal);
        let came = ask(&self.service, method, &address, &body).await;
        let came = came.unwrap_or(Json::Null).to_string();
        Json::read(&self.in_plain_shape(came.as_bytes())).expect("JSON")
    }

    /// A text of the consignment `made`, bound to `name`.
    pub(crate) async fn bind_text_of_made(&mut self, name: &str, member: &str) -> String {
        let fetch = "/apiv2/consignments/getConsignment?id=<id:made>";
        let made = self.tell("GET", fetch, "").await;
        let text = made.get(member).and_then(Json::as_text);
        let text = text.unwrap_or_default().to_owned();
        self.bind(name, Json::Text(text.clone()));
        text
    }

    /// Through the wiretap, and not by our client: what it never sends, and others do.
    pub(crate) async fn say(&self, operation: &str, literal: &str) {
        let operation = Operation::read(operation, &self.known);
        let url = format!("{}{}", self.wiretap.base_url(), operation.address());
        let method = operation.method.parse().expect("a method");
        let mut request = client(&url)
            .request(method, url)
            .header("token", &self.service.token);
        let body = self.filled(literal);
        if !body.is_empty() {
            request = request
                .header("content-type", "application/json")
                .body(body);
        }
        request.send().await.expect("an answer");
    }

    /// Calls without a body and without any token, as anybody can. Gives what came.
    pub(crate) async fn visit(&mut self, operation: &str) -> Exchange {
        let written = Operation::read(operation, &self.known);
        let url = format!("{}{}", self.wiretap.base_url(), written.address());
        let method = written.method.parse().expect("a method");
        let sent = client(&url).request(method, url).send().await;
        sent.expect("an answer");
        let exchange = self.wiretap.next().expect("just called");
        assert!(!exchange.headers.contains_key("token"), "it has no token");
        self.held
            .insert((exchange.method.clone(), exchange.path.clone()));
        self.seen.push(exchange.clone());
        exchange
    }

    /// The last call's header.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.seen.last()?.headers.get(name)?.to_str().ok()
    }

    /// Says it, and holds the answer.
    pub(crate) async fn said(&mut self, operation: &str, request: &str, answer: &str) {
        self.say(operation, request).await;
        self.answered(operation, request, answer);
    }

    /// Says it, and holds the refusal.
    pub(crate) async fn said_in_vain(&mut self, operation: &str, request: &str, refusal: &str) {
        self.say(operation, request).await;
        self.refused(operation, request, refusal);
    }

    fn filled(&self, literal: &str) -> String {
        if literal.is_empty() {
            return String::new();
        }
        filled(&read(literal), &self.known).to_string()
    }
}
