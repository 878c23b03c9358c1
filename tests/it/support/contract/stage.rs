//! The stage of one case: our client, a service, and the recording proxy between them.

mod holding;
mod making;
mod saying;

use std::collections::BTreeSet;
use std::sync::Arc;

use client::{Client, Connection, Middleware};
use practice::{AnswerShapes, DeliveryScenario};
use reqwest::Url;
use secrecy::SecretString;
use shipping::{Compatibility, ConsignmentId};

use super::literal::Known;
use super::surroundings::expanded;
use super::wiretap::{Exchange, Wiretap};
use super::{Elsewhere, Held, Json, Skipped, Surroundings};
use crate::support::definition;
use crate::support::practice::Bench;

const CREATE: &str = "/apiv2/consignments/createConsignment";
const DELETE: &str = "/apiv2/consignments/deleteUnmanifestedConsignments";
/// Below the practice service's own address.
const MIDDLEWARE: &str = "/middleware";

/// One case's own; see the module.
pub(crate) struct Stage {
    /// The practice service, where it is the one.
    practice: Option<Bench>,
    service: Elsewhere,
    /// The shapes of its answers.
    shapes: AnswerShapes,
    /// What live pricing wants beside the token.
    integration: String,
    wiretap: Wiretap,
    client: Client,
    dialect: Compatibility,
    surroundings: Arc<Surroundings>,
    known: Known,
    seen: Vec<Exchange>,
    held: BTreeSet<(String, String)>,
    /// Consignments that are to be removed again elsewhere.
    made: Vec<i64>,
}

impl Stage {
    /// Before a practice service of its own.
    pub(crate) async fn at_practice(shapes: AnswerShapes) -> Self {
        // Real time stands still until a case sets the clock; then all goes well on the way.
        let bench = Bench::start_shaped(DeliveryScenario::Smooth, shapes).await;
        let service = Elsewhere {
            base_url: bench.service.base_url(),
            token: bench.service.token().to_owned(),
            write: true,
        };
        let surroundings = Arc::new(Surroundings::of_practice());
        let stage = Self::new(Some(bench), service, surroundings).await;
        Self { shapes, ..stage }
    }

    /// Before another service.
    pub(crate) async fn at(service: &Elsewhere, surroundings: &Arc<Surroundings>) -> Self {
        Self::new(None, service.clone(), Arc::clone(surroundings)).await
    }

    async fn new(practice: Option<Bench>, service: Elsewhere, around: Arc<Surroundings>) -> Self {
        let wiretap = Wiretap::before(&service.base_url).await;
        let dialect = Compatibility::default();
        let integration = practice
            .as_ref()
            .map(|bench| bench.service.integration_id());
        let integration = integration.unwrap_or("none").to_owned();
        Self {
            client: caller(&wiretap, &service.token, &integration, &dialect),
            integration,
            practice,
            service,
            shapes: AnswerShapes::Plain,
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
    pub(crate) fn speak(&mut self, change: impl FnOnce(&mut Compatibility)) {
        change(&mut self.dialect);
        self.call_anew();
    }

    /// The client calls as another user from here on.
    pub(crate) fn use_token(&mut self, token: &str) {
        token.clone_into(&mut self.service.token);
        self.call_anew();
    }

    /// Live pricing is asked with another integration's id from here on.
    pub(crate) fn use_integration(&mut self, id: &str) {
        id.clone_into(&mut self.integration);
        self.call_anew();
    }

    fn call_anew(&mut self) {
        let (token, integration) = (&self.service.token, &self.integration);
        self.client = caller(&self.wiretap, token, integration, &self.dialect);
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

    /// The consignment whose number is bound to this name.
    pub(crate) fn consignment(&self, name: &str) -> ConsignmentId {
        ConsignmentId::new(self.id(name))
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

fn caller(wiretap: &Wiretap, token: &str, integration: &str, dialect: &Compatibility) -> Client {
    let secret = |text: &str| SecretString::from(text.to_owned());
    let address = wiretap.base_url();
    let middleware = format!("{address}{MIDDLEWARE}");
    let middleware = Middleware::new(&middleware, "contract", secret(integration), secret(token));
    let mut connection = Connection::new(address, secret(token)).expect("a connection");
    connection.compatibility = dialect.clone();
    connection.middleware = middleware.ok();
    Client::new(&connection).expect("a client")
}

async fn described(bench: &Bench, exchange: &Exchange) {
    let mut url = Url::parse(&bench.service.base_url()).expect("an address");
    url.set_path(&exchange.path);
    url.query_pairs_mut().extend_pairs(&exchange.query);
    let definition = definition::published(&bench.client, &bench.service.base_url()).await;
    definition.hold(&definition::Exchange {
        method: &exchange.method,
        url: &url,
        sent: Some(exchange.sent.as_slice()).filter(|sent| !sent.is_empty()),
        status: exchange.status,
        content_type: exchange.content_type(),
        answer: &exchange.answer,
    });
}

fn read(literal: &str) -> Json {
    let literal = expanded(literal);
    Json::read(&literal).unwrap_or_else(|words| panic!("a literal is not JSON: {words}\n{literal}"))
}
