//! The published definition of the interface describes this service correctly.
//!
//! That answers match the definition is tested everywhere: the test support for the practice service checks
//! each call against it.

use std::collections::BTreeSet;

use reqwest::header::CONTENT_TYPE;
use reqwest::{Response, StatusCode};
use serde_json::{Value, json};

use crate::support::definition::{Definition, escaped, published};
use crate::support::practice::{Bench, CREATE, CREATE_COMPLEX, order};

async fn bench_and_definition() -> (Bench, &'static Definition) {
    let bench = Bench::start().await;
    let definition = published(&bench.client, &bench.service.base_url()).await;
    (bench, definition)
}

/// Calls `look` with each object in a document and the pointer to it.
fn walk(value: &Value, pointer: &str, look: &mut impl FnMut(&str, &Value)) {
    match value {
        Value::Object(fields) => {
            look(pointer, value);
            for (name, field) in fields {
                walk(field, &format!("{pointer}/{}", escaped(name)), look);
            }
        }
        Value::Array(elements) => {
            for (index, element) in elements.iter().enumerate() {
                walk(element, &format!("{pointer}/{index}"), look);
            }
        }
        _ => {}
    }
}

/// Each operation of the definition with its pointer.
fn operations(definition: &Definition) -> impl Iterator<Item = (String, &Value)> {
    definition.operations().into_iter().map(|(method, path)| {
        let pointer = format!("/paths/{}/{}", escaped(&path), method.to_lowercase());
        let operation = definition.document.pointer(&pointer).expect("an operation");
        (pointer, operation)
    })
}

#[tokio::test]
async fn what_is_served_is_what_is_defined_and_the_other_way_round() {
    let (_bench, definition) = bench_and_definition().await;
    let defined: BTreeSet<(String, String)> = definition.operations().into_iter().collect();
    let served = practice::operations();
    let served: BTreeSet<(String, String)> = served
        .map(|(method, path)| (method.to_owned(), path.to_owned()))
        .collect();
    let undefined: Vec<_> = served.difference(&defined).collect();
    let unserved: Vec<_> = defined.difference(&served).collect();
    assert!(
        undefined.is_empty() && unserved.is_empty(),
        "undefined {undefined:?}, unserved {unserved:?}"
    );
}

/// Gets a page of this type without a token.
async fn visited(bench: &Bench, path: &str, content_type: &str) -> Response {
    let request = bench.client.get(bench.url(path));
    let reply = request.send().await.expect("a reply");
    assert_eq!(reply.status(), StatusCode::OK);
    assert_eq!(reply.headers()[CONTENT_TYPE], content_type);
    reply
}

#[tokio::test]
async fn the_definition_names_the_running_address_and_needs_no_token() {
    let bench = Bench::start().await;
    let reply = visited(&bench, "/openapi.json", "application/json").await;
    let document: Value = serde_json::from_str(&reply.text().await.expect("text")).expect("JSON");
    assert_eq!(
        document["servers"][0]["url"],
        json!(bench.service.base_url())
    );
    assert_eq!(document["openapi"], json!("3.1.0"));
}

#[tokio::test]
async fn every_reference_of_the_definition_leads_somewhere_and_every_component_is_used() {
    let (_bench, definition) = bench_and_definition().await;
    let mut used = BTreeSet::new();
    walk(&definition.document, "", &mut |place, object| {
        if let Some(target) = object["$ref"].as_str() {
            let pointer = target
                .strip_prefix('#')
                .expect("a reference inside the document");
            assert!(
                definition.document.pointer(pointer).is_some(),
                "{place} leads to {target}"
            );
            used.insert(pointer.to_owned());
        }
        if object.get("operationId").is_none()
            && let Some(links) = object["links"].as_object()
        {
            for (name, link) in links {
                let target = link["operationId"].as_str().expect("an operation's id");
                let found =
                    operations(definition).any(|(_, operation)| operation["operationId"] == target);
                assert!(found, "{place}/links/{name} leads to {target}");
            }
        }
    });
    for group in ["schemas", "responses"] {
        let components = definition.document["components"][group]
            .as_object()
            .expect("components");
        for name in components.keys() {
            assert!(
                used.contains(&format!("/components/{group}/{name}")),
                "{name} is not used"
            );
        }
    }
}

/// Fields of records that the definition leaves out on purpose: they are read, but mean nothing in this request.
const LEFT_OUT: &[(&str, &[&str])] = &[
    (
        "PendingRequest",
        &[
            "carrierConsignmentId",
            "carrierIds",
            "dispatchDateTimeLocal",
            "dispatchDateTimeUtc",
            "linkedPendingConsignmentIds",
            "printerToken",
            "requestId",
        ],
    ),
    (
        "PendingItem",
        &["consignmentItemReferences", "standardItem"],
    ),
    (
        "EditRequest",
        &[
            "carrierIds",
            "despatchDateTimeLocal",
            "despatchDateTimeUtc",
            "requestId",
        ],
    ),
];

/// The names of a schema's properties, with those of all schemas that it includes.
fn properties(definition: &Definition, schema: &Value) -> BTreeSet<String> {
    let own = schema["properties"].as_object().into_iter().flatten();
    let mut names: BTreeSet<String> = own.map(|(name, _)| name.clone()).collect();
    for part in schema["allOf"].as_array().into_iter().flatten() {
        names.extend(properties(definition, part));
    }
    if let Some(target) = schema["$ref"].as_str() {
        let target = definition.document.pointer(&target[1..]).expect("a schema");
        names.extend(properties(definition, target));
    }
    names
}

#[tokio::test]
async fn what_a_request_may_say_is_defined_and_what_is_defined_is_read() {
    let (_bench, definition) = bench_and_definition().await;
    for (schemas, record) in practice::request_records() {
        let defined: BTreeSet<String> = { schemas.iter() }
            .flat_map(|name| {
                properties(
                    definition,
                    &definition.document["components"]["schemas"][name],
                )
            })
            .collect();
        let left_out = LEFT_OUT.iter().find(|(schema, _)| schemas.contains(schema));
        let left_out = left_out.map_or(&[][..], |(_, names)| names);
        let fields = record.as_object().expect("a record").keys();
        let read: BTreeSet<String> = fields
            .filter(|name| !left_out.contains(&name.as_str()))
            .cloned()
            .collect();
        let unread: Vec<_> = defined.difference(&read).collect();
        let undefined: Vec<_> = read.difference(&defined).collect();
        assert!(
            unread.is_empty() && undefined.is_empty(),
            "{schemas:?}: not read {unread:?}, not defined {undefined:?}"
        );
    }
}

#[tokio::test]
async fn every_operation_has_a_name_of_its_own_a_tag_words_and_its_answers() {
    let (_bench, definition) = bench_and_definition().await;
    let tags = definition.document["tags"].as_array().expect("tags");
    let mut names = BTreeSet::new();
    for (pointer, operation) in operations(definition) {
        let name = operation["operationId"]
            .as_str()
            .expect("an operation's id");
        assert!(names.insert(name), "{pointer}: {name} is taken");
        let tag = &operation["tags"][0];
        assert!(
            tags.iter().any(|known| known["name"] == *tag),
            "{pointer}: {tag}"
        );
        for words in ["summary", "description"] {
            assert!(
                operation[words]
                    .as_str()
                    .is_some_and(|said| !said.is_empty()),
                "{pointer}: no {words}"
            );
        }
        let answers = operation["responses"].as_object().expect("answers");
        assert!(
            answers.keys().any(|status| status.starts_with(['2', '3'])),
            "{pointer}"
        );
        // What names no security scheme is public.
        let public = operation["security"].as_array().is_some_and(Vec::is_empty);
        assert_eq!(answers.contains_key("401"), !public, "{pointer}");
        assert!(
            answers
                .values()
                .all(|answer| answer.get("$ref").is_some() || answer["description"].is_string())
        );
    }
}

#[tokio::test]
async fn every_schema_of_the_definition_is_one() {
    let (_bench, definition) = bench_and_definition().await;
    let mut seen = 0;
    walk(&definition.document, "", &mut |place, object| {
        let mut schemas: Vec<&Value> = object.get("schema").into_iter().collect();
        if place == "/components/schemas" {
            schemas.extend(object.as_object().expect("schemas").values());
        }
        for schema in schemas {
            seen += 1;
            let valid = jsonschema::draft202012::meta::validate(schema);
            assert!(valid.is_ok(), "{place}: {valid:?}");
        }
    });
    assert!(seen > 50, "{seen} schemas");
}

#[tokio::test]
async fn every_example_of_the_definition_is_allowed_by_it() {
    let (_bench, definition) = bench_and_definition().await;
    let mut seen = 0;
    walk(&definition.document, "", &mut |place, object| {
        let mut check = |example: &Value, name: &str| {
            seen += 1;
            let text = example.to_string();
            definition.validate(
                &format!("{place}/schema"),
                text.as_bytes(),
                &format!("{place}/{name}"),
            );
        };
        if object.get("schema").is_none() {
            return;
        }
        object
            .get("example")
            .into_iter()
            .for_each(|example| check(example, "example"));
        let examples = object["examples"].as_object().into_iter().flatten();
        examples.for_each(|(name, example)| check(&example["value"], name));
    });
    assert!(seen > 20, "{seen} examples");
}

#[tokio::test]
async fn the_page_is_ours_alone_and_keeps_the_token() {
    let bench = Bench::start().await;
    let reply = visited(&bench, "/swagger", "text/html; charset=utf-8").await;
    let policy = reply.headers()["content-security-policy"]
        .to_str()
        .expect("text")
        .to_owned();
    assert!(policy.starts_with("default-src 'self'"), "{policy}");
    let page = reply.text().await.expect("text");
    assert!(
        !page.contains("http:") && !page.contains("https:") && !page.contains("=\"//"),
        "{page}"
    );
    assert!(page.contains(r#""url": "/openapi.json""#), "{page}");
    assert!(page.contains(r#""persistAuthorization": true"#), "{page}");
    assert!(page.contains(r#""validatorUrl": "none""#), "{page}");

    let named = page
        .split(['"', '\''])
        .filter(|part| part.starts_with("/swagger/"));
    let mut kinds = BTreeSet::new();
    for file in named {
        let reply = bench
            .client
            .get(bench.url(file))
            .send()
            .await
            .expect("a reply");
        assert_eq!(reply.status(), StatusCode::OK, "{file}");
        let kind = reply.headers()[CONTENT_TYPE]
            .to_str()
            .expect("text")
            .to_owned();
        let bytes = reply.bytes().await.expect("bytes");
        assert!(!bytes.is_empty(), "{file}");
        if kind.starts_with("text/css") {
            assert!(loads_nothing(&String::from_utf8_lossy(&bytes)), "{file}");
        }
        kinds.insert(kind);
    }
    assert_eq!(kinds.len(), 3, "{kinds:?}");
    assert_eq!(
        bench.get("/swagger/../../etc/passwd").await.0,
        StatusCode::NOT_FOUND
    );
    assert_eq!(bench.get("/swagger/none.js").await.0, StatusCode::NOT_FOUND);
}

/// Whether all that a style sheet refers to lies inside it.
fn loads_nothing(css: &str) -> bool {
    let addresses = css.split("url(").skip(1);
    !css.contains("@import")
        && addresses
            .map(|address| address.trim_start_matches(['"', '\'']))
            .all(|address| address.starts_with("data:") || address.starts_with('#'))
}

/// The examples of one operation's body, in order.
fn bodies(operation: &Value) -> Vec<&Value> {
    let examples = operation["requestBody"]["content"]["application/json"]["examples"].as_object();
    examples
        .into_iter()
        .flatten()
        .map(|(_, example)| &example["value"])
        .collect()
}

#[tokio::test]
async fn the_examples_work_on_a_new_practice_service() {
    let (bench, definition) = bench_and_definition().await;
    // The consignments that the examples mean.
    bench.posted(CREATE, &order()).await;
    bench.posted(CREATE, &order()).await;
    let routes_and_creates =
        |path: &str| path.contains("/routes/") || path == CREATE || path == CREATE_COMPLEX;
    let mut tried = 0;
    for (method, path) in definition.operations() {
        let pointer = format!("/paths/{}/{}", escaped(&path), method.to_lowercase());
        let operation = definition.document.pointer(&pointer).expect("an operation");
        for body in bodies(operation)
            .into_iter()
            .filter(|_| routes_and_creates(&path))
        {
            let (status, reply) = bench.post(&path, body).await;
            assert_eq!(
                (status, &reply["errors"]),
                (StatusCode::OK, &Value::Null),
                "{path} {body}"
            );
            tried += 1;
        }
    }
    assert!(tried >= 9, "{tried} examples");
}
