//! Compares the next recorded call with its literals.

use practice::AnswerShapes;

use super::{CREATE, Stage, read};
use crate::support::contract::Json;
use crate::support::contract::literal::{Closeness, differences};
use crate::support::contract::operation::Operation;
use crate::support::contract::published::plain;
use crate::support::contract::wiretap::Exchange;

/// The one operation that sends back what the service published.
const EDIT: &str = "/apiv2/consignments/editUnmanifestedConsignment";

/// Characters of what came that a failure shows.
const MOST_SHOWN: usize = 3000;

impl Stage {
    /// Whether there is a call that nobody has looked at.
    pub(crate) fn has_more(&self) -> bool {
        self.wiretap.waiting() > 0
    }

    /// The next call was this request, and this came back with HTTP 200.
    pub(crate) fn answered(&mut self, operation: &str, request: &str, answer: &str) {
        self.answered_with(200, operation, request, answer);
    }

    /// The next call was this request, and was refused in these words: with HTTP 200 in practice, and elsewhere with
    /// whatever status the interface leaves open.
    pub(crate) fn refused(&mut self, operation: &str, request: &str, answer: &str) {
        let status = if self.practice.is_some() { 200 } else { 0 };
        self.answered_with(status, operation, request, answer);
    }

    /// The next call was this request, and this came back with this HTTP status; 0 is any.
    pub(crate) fn answered_with(
        &mut self,
        status: u16,
        operation: &str,
        request: &str,
        answer: &str,
    ) {
        let exchange = self.requested(operation, request);
        let came = self.in_plain_shape(&exchange.answer);
        let what = format!("{operation} was answered");
        let found = match Json::read(&came) {
            // The interface knows such answers by their status alone.
            _ if self.practice.is_none() && !matches!(status, 0 | 200) => Vec::new(),
            Ok(came) => {
                self.note_made(&exchange.path, &came);
                self.compared(&read(answer), &came)
            }
            Err(words) => vec![format!("not JSON: {words}")],
        };
        let wrong = status != 0 && status != exchange.status;
        let status = wrong.then(|| format!("HTTP {status} expected, {} came", exchange.status));
        let found: Vec<String> = found.into_iter().chain(status).collect();
        self.hold(&what, &found, &came);
    }

    /// The next call was to this operation, and this came back; the request was made of what the service itself had sent.
    pub(crate) fn answered_to_anything(&mut self, operation: &str, answer: &str) {
        let sent = self
            .wiretap
            .peek()
            .map(|exchange| exchange.sent)
            .unwrap_or_default();
        let sent = self.in_plain_shape(&sent);
        self.answered(operation, &sent, answer);
    }

    fn note_made(&mut self, path: &str, answer: &Json) {
        let id = answer
            .get("object")
            .and_then(|made| made.get("id")?.as_whole());
        self.made.extend(id.filter(|_| path.starts_with(CREATE)));
    }

    fn compared(&mut self, literal: &Json, came: &Json) -> Vec<String> {
        let closeness = if self.practice.is_some() {
            Closeness::Exact
        } else {
            Closeness::Shape
        };
        let mut found = differences(literal, came, closeness, &mut self.known);
        // A shape alone cannot tell success from refusal.
        let errors = |answer: &Json| {
            !answer
                .get("errors")
                .map(Json::elements)
                .unwrap_or_default()
                .is_empty()
        };
        if errors(literal) != errors(came) {
            let expected = if errors(literal) {
                "a refusal"
            } else {
                "no errors"
            };
            found.push(format!(".errors: {expected} expected"));
        }
        found
    }

    /// The next call was this request. Gives it, for answers that are no JSON.
    pub(crate) fn requested(&mut self, operation: &str, request: &str) -> Exchange {
        let Some(mut exchange) = self.wiretap.next() else {
            panic!("{operation} was not called");
        };
        let written = Operation::read(operation, &self.known);
        let mut found = written.differences(&exchange, &mut self.known);
        let sent = if exchange.path == EDIT {
            self.in_plain_shape(&exchange.sent)
        } else {
            String::from_utf8_lossy(&exchange.sent).into_owned()
        };
        match (request, sent.as_str()) {
            ("", "") => {}
            ("", _) => found.push("a body should not be there".to_owned()),
            (_, "") => found.push("a body is missing".to_owned()),
            (request, sent) => match Json::read(sent) {
                Ok(came) => {
                    let literal = read(request);
                    found.extend(differences(
                        &literal,
                        &came,
                        Closeness::Exact,
                        &mut self.known,
                    ));
                }
                Err(words) => found.push(format!("not JSON: {words}")),
            },
        }
        found.extend(self.token_faults(&exchange, &sent));
        self.hold(&format!("{operation} was asked"), &found, &sent);
        self.held
            .insert((exchange.method.clone(), exchange.path.clone()));
        self.seen.push(exchange.clone());
        let is_json = serde_json::from_slice::<serde_json::Value>(&exchange.answer).is_ok();
        if is_json {
            exchange.answer = self.in_plain_shape(&exchange.answer).into_bytes();
        }
        exchange
    }

    /// What literals can be held against: published shapes become the specification's.
    pub(super) fn in_plain_shape(&self, text: &[u8]) -> String {
        match serde_json::from_slice(text) {
            Ok(mut value) if self.shapes == AnswerShapes::Published => {
                plain(&mut value);
                value.to_string()
            }
            _ => String::from_utf8_lossy(text).into_owned(),
        }
    }

    /// The token is a header, once, and nowhere else.
    fn token_faults(&self, exchange: &Exchange, sent: &str) -> Option<String> {
        let token = &self.service.token;
        let mut headers = exchange.headers.get_all("token").iter();
        let header = headers.next().is_some_and(|value| value == token) && headers.next().is_none();
        let astray = sent.contains(token.as_str())
            || exchange.path.contains(token.as_str())
            || exchange
                .query
                .iter()
                .any(|(_, value)| value.contains(token.as_str()));
        (!header || astray).then(|| "the token is not in its header, or not there alone".to_owned())
    }

    fn hold(&self, what: &str, found: &[String], came: &str) {
        let shown = if self.practice.is_some() {
            &came[..came.floor_char_boundary(MOST_SHOWN)]
        } else {
            "(not shown: another service's)"
        };
        assert!(
            found.is_empty(),
            "{what} otherwise:\n  {}\n{shown}",
            found.join("\n  ")
        );
    }
}
