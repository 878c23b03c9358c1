//! Where one case is played: a client of ours, a service, and the wiretap between them.

use std::collections::BTreeSet;
use std::sync::Arc;

use packbench::client::{Client, Connection, Failure, Middleware};
use packbench::shipping::Dialect;
use reqwest::Url;
use secrecy::SecretString;

use super::literal::{Closeness, Known, differences, filled};
use super::operation::Operation;
use super::surroundings::{ORDER, ask};
use super::wiretap::{Exchange, Wiretap, client};
use super::{Elsewhere, Held, Json, Skipped, Surroundings};
use crate::support::definition;
use crate::support::practice::Bench;

const CREATE: &str = "/apiv2/consignments/createConsignment";
const DELETE: &str = "/apiv2/consignments/deleteUnmanifestedConsignments";
const RECENT: &str = "/apiv2/consignments/getRecentlyCreatedOrUpdatedConsignments?retrieveSize=200&startIndex=1&fromDateUtc=";

/// One case's own; see the module.
pub(crate) struct Stage {
    /// The practice service, where it is the one.
    practice: Option<Bench>,
    service: Elsewhere,
    wiretap: Wiretap,
    client: Client,
    dialect: Dialect,
    surroundings: Arc<Surroundings>,
    known: Known,
    seen: Vec<Exchange>,
    held: BTreeSet<(String, String)>,
    /// Consignments that are to be removed again elsewhere.
    made: Vec<i64>,
}

impl Stage {
    /// Before a practice service of its own.
    pub(crate) async fn at_practice() -> Self {
        let bench = Bench::start().await;
        let service = Elsewhere {
            base_url: bench.service.base_url(),
            token: bench.service.token().to_owned(),
            write: true,
        };
        let surroundings = Arc::new(Surroundings::of_practice());
        Self::new(Some(bench), service, surroundings).await
    }

    /// Before another service.
    pub(crate) async fn at(service: &Elsewhere, surroundings: &Arc<Surroundings>) -> Self {
        Self::new(None, service.clone(), Arc::clone(surroundings)).await
    }

    async fn new(practice: Option<Bench>, service: Elsewhere, around: Arc<Surroundings>) -> Self {
        let wiretap = Wiretap::before(&service.base_url).await;
        let dialect = Dialect::default();
        Self {
            client: caller(&wiretap, &service.token, &dialect),
            practice,
            service,
            wiretap,
            dialect,
            known: around.known.clone(),
            surroundings: around,
            seen: Vec::new(),
            held: BTreeSet::new(),
            made: Vec::new(),
        }
    }

    /// The client under test; what it calls passes the wiretap.
    pub(crate) fn client(&self) -> Client {
        self.client.clone()
    }

    /// Has the client speak otherwise.
    pub(crate) fn speak(&mut self, change: impl FnOnce(&mut Dialect)) {
        change(&mut self.dialect);
        self.client = caller(&self.wiretap, &self.service.token, &self.dialect);
    }

    /// The client calls as another user from here on.
    pub(crate) fn use_token(&mut self, token: &str) {
        token.clone_into(&mut self.service.token);
        self.client = caller(&self.wiretap, token, &self.dialect);
    }

    /// The practice service itself.
    pub(crate) fn practice(&self) -> Result<&Bench, Skipped> {
        let words = "only the practice service has what this takes";
        self.practice
            .as_ref()
            .ok_or_else(|| Skipped(words.to_owned()))
    }

    /// Nothing where the service has all of these; else why it has not.
    pub(crate) fn needs(&self, names: &[&str]) -> Held {
        self.surroundings.needs(names)
    }

    /// A bound name's number.
    pub(crate) fn id(&self, name: &str) -> i64 {
        let value = self.known.get(name).and_then(Json::as_whole);
        value.unwrap_or_else(|| panic!("no number is known as `{name}`"))
    }

    /// A bound name's text.
    pub(crate) fn text(&self, name: &str) -> String {
        let value = self.known.get(name).and_then(Json::as_text);
        value
            .unwrap_or_else(|| panic!("no text is known as `{name}`"))
            .to_owned()
    }

    /// Binds a name.
    pub(crate) fn bind(&mut self, name: &str, value: Json) {
        self.known.insert(name.to_owned(), value);
    }

    /// An unmanifested consignment, bound to `name`: made past the wiretap, or where nothing may be made, one of those that
    /// are there.
    pub(crate) async fn make(&mut self, name: &str) -> Held {
        if !self.service.write {
            return self.find(name).await;
        }
        self.needs(&["sender", "carrier", "service"])?;
        self.make_of(name, CREATE, ORDER).await
    }

    /// A consignment of this order.
    pub(crate) async fn make_of(&mut self, name: &str, path: &str, order: &str) -> Held {
        let made = self.tell("POST", path, order).await;
        let id = made.get("id").and_then(Json::as_whole);
        let id = id.ok_or_else(|| Skipped("no consignment could be made".to_owned()))?;
        self.made.push(id);
        self.bind(name, Json::Number(id.into()));
        Ok(())
    }

    /// A manifested consignment, bound to `name`. In practice only: elsewhere a carrier would come.
    pub(crate) async fn book(&mut self, name: &str) -> Held {
        self.practice()?;
        self.make(name).await?;
        let ids = format!(r#"["<id:{name}>"]"#);
        let groups = self
            .tell(
                "POST",
                "/apiv2/manifests/groupConsignmentsForManifest",
                &ids,
            )
            .await;
        let results = self
            .tell("POST", "/apiv2/manifests/manifest", &groups.to_string())
            .await;
        let booked = results
            .elements()
            .first()
            .and_then(|result| result.get("bookingSuccessful"));
        assert_eq!(booked, Some(&Json::Bool(true)), "{results}");
        Ok(())
    }

    /// A pending consignment and the consignment that a user made of it. In practice only: elsewhere a user is needed.
    pub(crate) async fn convert(&mut self, pending: &str, name: &str) -> Held {
        self.practice()?;
        let create = "/apiv2/pendingConsignments/createPendingConsignment";
        self.make_of(pending, create, ORDER).await?;
        let convert = format!("/practice/convertPendingConsignment?id=<id:{pending}>");
        self.make_of(name, &convert, "").await
    }

    async fn find(&mut self, name: &str) -> Held {
        let address = format!("{RECENT}{}", self.text("since"));
        let rows = ask(&self.service, "GET", &address, "").await;
        let rows = rows.as_ref().map(Json::elements).unwrap_or_default();
        let is_new = |row: &&Json| {
            let status = row.get("consignmentTrackingStatus").or(row.get("status"));
            let status = status.and_then(|status| status.get("id")?.as_whole());
            status == Some(2)
        };
        let id = rows
            .iter()
            .find(is_new)
            .and_then(|row| row.get("id"))
            .cloned();
        let words = "no unmanifested consignment is there, and none may be made";
        self.bind(name, id.ok_or_else(|| Skipped(words.to_owned()))?);
        Ok(())
    }

    /// Goes on only where booking calls no carrier: in practice, or where the consignment `name` is a test.
    pub(crate) async fn needs_no_carrier(&self, name: &str) -> Held {
        if self.practice.is_some() {
            return Ok(());
        }
        let address = format!("/apiv2/consignments/getConsignment?id={}", self.id(name));
        let found = ask(&self.service, "GET", &address, "").await;
        let is_test = found.as_ref().and_then(|found| found.get("isTest"));
        let words = "the token is not in test mode: a real carrier would come";
        if is_test == Some(&Json::Bool(true)) {
            Ok(())
        } else {
            Err(Skipped(words.to_owned()))
        }
    }

    /// Goes on unless another service refused: not every deployment has a carrier for everything.
    pub(crate) fn may_refuse<T>(&mut self, result: &Result<T, Failure>) -> Held {
        match result {
            Err(Failure::Refused(_)) if self.practice.is_none() => {
                self.wiretap.next();
                Err(Skipped(
                    "the service has no carrier that takes it".to_owned(),
                ))
            }
            _ => Ok(()),
        }
    }

    /// Past the wiretap: a call that sets a case up. Gives the answer's object.
    pub(crate) async fn tell(&self, method: &str, address: &str, literal: &str) -> Json {
        let address = Operation::read(&format!("{method} {address}"), &self.known).address();
        let body = self.filled(literal);
        ask(&self.service, method, &address, &body)
            .await
            .unwrap_or(Json::Null)
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
        let came = String::from_utf8_lossy(&exchange.answer).into_owned();
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
        self.hold(&what, found.into_iter().chain(status).collect(), &came);
    }

    /// The next call was to this operation, and this came back; the request was made of what the service itself had sent.
    pub(crate) fn answered_to_anything(&mut self, operation: &str, answer: &str) {
        let sent = self
            .wiretap
            .peek()
            .map(|exchange| exchange.sent)
            .unwrap_or_default();
        self.answered(operation, &String::from_utf8_lossy(&sent), answer);
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
        let Some(exchange) = self.wiretap.next() else {
            panic!("{operation} was not called");
        };
        let written = Operation::read(operation, &self.known);
        let mut found = written.differences(&exchange, &mut self.known);
        let sent = String::from_utf8_lossy(&exchange.sent).into_owned();
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
        self.hold(&format!("{operation} was asked"), found, &sent);
        self.held
            .insert((exchange.method.clone(), exchange.path.clone()));
        self.seen.push(exchange.clone());
        exchange
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

    fn hold(&self, what: &str, found: Vec<String>, came: &str) {
        let shown = if self.practice.is_some() {
            came
        } else {
            "(not shown: another service's)"
        };
        assert!(
            found.is_empty(),
            "{what} otherwise:\n  {}\n{shown}",
            found.join("\n  ")
        );
    }

    /// Ends the case: nothing was called that it did not look at, every answer is one that the definition describes, and
    /// what was made elsewhere is removed. Gives the operations that were held to a literal.
    pub(crate) async fn end(self) -> BTreeSet<(String, String)> {
        assert_eq!(
            self.wiretap.waiting(),
            0,
            "calls that the case did not look at"
        );
        match &self.practice {
            Some(bench) => {
                for exchange in &self.seen {
                    described(bench, exchange).await;
                }
            }
            None if self.made.is_empty() => {}
            None => {
                let ids: Vec<String> = self.made.iter().map(i64::to_string).collect();
                self.tell("POST", DELETE, &format!("[{}]", ids.join(",")))
                    .await;
            }
        }
        self.held
    }
}

fn caller(wiretap: &Wiretap, token: &str, dialect: &Dialect) -> Client {
    let secret = |text: &str| SecretString::from(text.to_owned());
    let address = wiretap.base_url();
    let middleware = Middleware::new(address, "contract", secret("integration-7"), secret(token));
    let connection = Connection::new(address, secret(token)).expect("a connection");
    let connection = connection.with_dialect(dialect.clone());
    let connection = connection.with_middleware(middleware.expect("a middleware"));
    Client::new(&connection).expect("a client")
}

async fn described(bench: &Bench, exchange: &Exchange) {
    let mut url = Url::parse(&bench.service.base_url()).expect("an address");
    url.set_path(&exchange.path);
    url.query_pairs_mut().extend_pairs(&exchange.query);
    let kind = exchange.answer_headers.get("content-type");
    let definition = definition::published(&bench.client, &bench.service.base_url()).await;
    definition.hold(&definition::Exchange {
        method: &exchange.method,
        url: &url,
        sent: Some(exchange.sent.as_slice()).filter(|sent| !sent.is_empty()),
        status: exchange.status,
        content_type: kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default(),
        answer: &exchange.answer,
    });
}

fn read(literal: &str) -> Json {
    Json::read(literal).unwrap_or_else(|words| panic!("a literal is not JSON: {words}\n{literal}"))
}
