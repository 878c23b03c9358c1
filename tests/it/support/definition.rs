//! Checks calls against the published definition: every answer must be described by it, and every successful
//! request must be allowed by it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use jsonschema::error::ValidationErrorKind;
use jsonschema::{ValidationError, Validator};
use reqwest::Url;
use serde_json::Value;
use tokio::sync::OnceCell;

/// Read once in this process, from the first service that is asked.
static PUBLISHED: OnceCell<Definition> = OnceCell::const_new();

/// What the service publishes beside its operations.
const DOCUMENTS: [&str; 2] = ["/openapi.json", "/swagger"];
const METHODS: [&str; 8] = [
    "get", "put", "post", "delete", "options", "head", "patch", "trace",
];

pub(crate) struct Definition {
    pub(crate) document: Value,
    /// By the pointer to the schema.
    validators: Mutex<HashMap<String, Arc<Validator>>>,
}

/// One call, as it went over the wire.
pub(crate) struct Exchange<'a> {
    pub(crate) method: &'a str,
    pub(crate) url: &'a Url,
    pub(crate) sent: Option<&'a [u8]>,
    pub(crate) status: u16,
    pub(crate) content_type: &'a str,
    pub(crate) answer: &'a [u8],
}

/// The definition that the service at `base_url` publishes.
pub(crate) async fn published(client: &reqwest::Client, base_url: &str) -> &'static Definition {
    let read = async || {
        let address = format!("{base_url}/openapi.json");
        let reply = client.get(address).send().await.expect("a definition");
        let text = reply.text().await.expect("its text");
        Definition {
            document: serde_json::from_str(&text).expect("JSON"),
            validators: Mutex::default(),
        }
    };
    PUBLISHED.get_or_init(read).await
}

impl Definition {
    /// Every method, in capitals, with its path.
    pub(crate) fn operations(&self) -> Vec<(String, String)> {
        let paths = self.document["paths"].as_object().expect("paths");
        let each = paths.iter().flat_map(|(path, item)| {
            let methods = METHODS.iter().filter(|method| item.get(method).is_some());
            methods.map(|method| (method.to_uppercase(), path.clone()))
        });
        each.collect()
    }

    /// The path as it is written in the definition.
    pub(crate) fn template(&self, path: &str) -> Option<&str> {
        let paths = self.document["paths"].as_object().expect("paths");
        let fits = |template: &str| {
            let (mut parts, mut asked) = (template.split('/'), path.split('/'));
            loop {
                match (parts.next(), asked.next()) {
                    (None, None) => return true,
                    (Some(part), Some(asked)) if part == asked || part.starts_with('{') => {}
                    _ => return false,
                }
            }
        };
        // The literal one before one with a parameter in its place.
        let exact = paths.keys().find(|template| *template == path);
        exact
            .or_else(|| paths.keys().find(|template| fits(template)))
            .map(String::as_str)
    }

    /// Holds one call against the definition.
    ///
    /// # Panics
    /// When the answer is not described, or a request that succeeded is not allowed.
    pub(crate) fn hold(&self, exchange: &Exchange<'_>) {
        let path = exchange.url.path();
        let what = format!("{} {path}: {}", exchange.method, exchange.status);
        let Some(template) = self.template(path) else {
            let published = DOCUMENTS.iter().any(|document| path.starts_with(document));
            assert!(published || exchange.status == 404, "{what} has no path");
            return;
        };
        let method = exchange.method.to_lowercase();
        let operation = format!("/paths/{}/{method}", escaped(template));
        if self.document.pointer(&operation).is_none() {
            assert!(
                method == "head" || exchange.status == 405,
                "{what} has no operation"
            );
            return;
        }
        let answer = self.follow(&format!("{operation}/responses/{}", exchange.status));
        let answer = answer.unwrap_or_else(|| panic!("{what} is not described"));
        self.hold_answer(&answer, exchange, &what);
        if succeeded(exchange) {
            self.hold_request(&operation, exchange, &what);
        }
    }

    fn hold_answer(&self, answer: &str, exchange: &Exchange<'_>, what: &str) {
        let Some(content) = self.document.pointer(&format!("{answer}/content")) else {
            assert!(exchange.answer.is_empty(), "{what} has a body");
            return;
        };
        let kind = exchange
            .content_type
            .split(';')
            .next()
            .unwrap_or_default()
            .trim();
        assert!(
            content.get(kind).is_some(),
            "{what} is not described as {kind}"
        );
        if kind == "application/json" {
            let schema = format!("{answer}/content/{}/schema", escaped(kind));
            self.validate(&schema, exchange.answer, what);
        }
    }

    fn hold_request(&self, operation: &str, exchange: &Exchange<'_>, what: &str) {
        if let Some(body) = self.document.pointer(&format!("{operation}/requestBody")) {
            match exchange.sent.filter(|sent| !sent.is_empty()) {
                Some(sent) => {
                    let schema =
                        format!("{operation}/requestBody/content/application~1json/schema");
                    self.validate(&schema, sent, &format!("{what}, its request"));
                }
                None => assert!(body["required"] == false, "{what} did without a body"),
            }
        }
        let known = self.document.pointer(&format!("{operation}/parameters"));
        let known = known
            .and_then(Value::as_array)
            .map(Vec::as_slice)
            .unwrap_or_default();
        let in_query = known.iter().filter(|known| known["in"] == "query");
        let names: Vec<&str> = in_query
            .clone()
            .filter_map(|known| known["name"].as_str())
            .collect();
        for (name, _) in exchange.url.query_pairs() {
            assert!(
                names.contains(&&*name),
                "{what}: the parameter {name} is not described"
            );
        }
        for needed in in_query.filter(|known| known["required"] == true) {
            let name = needed["name"].as_str().expect("a name");
            let sent = exchange.url.query_pairs().any(|(sent, _)| sent == name);
            assert!(sent, "{what} did without {name}");
        }
    }

    /// The pointer to what stands at `pointer`, be it there or referred to.
    fn follow(&self, pointer: &str) -> Option<String> {
        let there = self.document.pointer(pointer)?;
        match there["$ref"]
            .as_str()
            .and_then(|target| target.strip_prefix('#'))
        {
            Some(target) => self.follow(target),
            None => Some(pointer.to_owned()),
        }
    }

    /// Holds some JSON against the schema at `pointer`.
    pub(crate) fn validate(&self, pointer: &str, text: &[u8], what: &str) {
        let value: Value =
            serde_json::from_slice(text).unwrap_or_else(|error| panic!("{what}: {error}"));
        let validator = self.validator(pointer);
        if let Some(error) = validator.iter_errors(&value).next() {
            panic!("{what}: {}", explained(&error));
        }
    }

    fn validator(&self, pointer: &str) -> Arc<Validator> {
        let mut known = self.validators.lock().expect("nobody panicked");
        let make = || {
            let mut schema = self.document.pointer(pointer).expect("a schema").clone();
            // References are to the components, which then lie in the same document.
            schema["components"] = self.document["components"].clone();
            let validator = jsonschema::draft202012::new(&schema);
            Arc::new(validator.unwrap_or_else(|error| panic!("{pointer}: {error}")))
        };
        Arc::clone(known.entry(pointer.to_owned()).or_insert_with(make))
    }
}

/// Returns the place of the error, inside the alternative that matched furthest.
fn explained(error: &ValidationError<'_>) -> String {
    let depth =
        |error: &ValidationError<'_>| error.instance_path().to_string().matches('/').count();
    if let ValidationErrorKind::AnyOf { context } = error.kind() {
        let furthest = context.iter().flatten().max_by_key(|inner| depth(inner));
        if let Some(inner) = furthest.filter(|inner| depth(inner) > depth(error)) {
            return explained(inner);
        }
    }
    let (place, rule) = (error.instance_path(), error.schema_path());
    let words: String = error.to_string().chars().rev().take(300).collect();
    let words: String = words.chars().rev().collect();
    format!("at «{place}» …{words} (by {rule})")
}

/// HTTP 200 carries refusals too.
fn succeeded(exchange: &Exchange<'_>) -> bool {
    let envelope = serde_json::from_slice::<Value>(exchange.answer).unwrap_or_default();
    exchange.status == 200 && envelope["errors"].is_null() && envelope["error"].is_null()
}

/// A key inside a JSON pointer.
pub(crate) fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}
