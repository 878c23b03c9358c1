//! Tests of the answers that the specification asks of every service, area by area: literal
//! requests, literal answers, and the client between them.
//!
//! In each case our client calls the service, and the bytes on the wire are compared in both directions with
//! literals that neither side made. Each case is a test at the practice service, once in the specification's
//! shapes and once in those that live services publish, which are converted before the comparison. With
//! `PACKBENCH_CONTRACT_URL` and `PACKBENCH_CONTRACT_TOKEN` the cases run at another service; those that
//! create or change something run there only with `PACKBENCH_CONTRACT_WRITE=1`.

mod companies;
mod consignments;
mod coverage;
mod dangerous_goods;
mod documents;
mod elsewhere;
mod errors;
mod live_pricing;
mod manifests;
mod orders;
mod pending;
mod routes;
mod tracking;
mod troubles;

use std::collections::BTreeSet;

use practice::AnswerShapes;

use crate::support::contract::{Case, Skipped, Stage};

/// The areas of the interface.
const AREAS: &[&[Case]] = &[
    companies::CASES,
    routes::CASES,
    consignments::create::CASES,
    consignments::complex::CASES,
    consignments::fetch::CASES,
    consignments::recent::CASES,
    consignments::edit::CASES,
    consignments::statuses::CASES,
    pending::CASES,
    manifests::CASES,
    documents::CASES,
    dangerous_goods::CASES,
    live_pricing::CASES,
    tracking::CASES,
    troubles::CASES,
    errors::CASES,
];

/// Every case.
fn all() -> impl Iterator<Item = &'static Case> {
    AREAS.iter().copied().flatten()
}

/// Plays a case at a practice service of its own; gives the operations that it held to a literal.
async fn play_at_practice(case: &Case, shapes: AnswerShapes) -> BTreeSet<(String, String)> {
    let mut stage = Stage::at_practice(shapes).await;
    if let Err(Skipped(reason)) = (case.play)(&mut stage).await {
        panic!("{} could not be tried in practice: {reason}", case.name);
    }
    stage.end().await
}

/// The refusal, with one error, of a call that answers with an object. `member` is empty if the error is at no field.
fn refusal(member: &str, words: &str) -> String {
    let error = error(member, words);
    format!(r#"{{ "object": null, "errors": [{error}] }}"#)
}

/// The refusal, with one error, of a call that answers with no object.
fn failure(member: &str, words: &str) -> String {
    let error = error(member, words);
    format!(r#"{{ "errors": [{error}], "success": false }}"#)
}

fn error(member: &str, words: &str) -> String {
    let members = [member].into_iter().filter(|member| !member.is_empty());
    let members: Vec<String> = members.map(|member| format!(r#""{member}""#)).collect();
    let members = members.join(", ");
    format!(r#"{{ "validationType": 1, "memberNames": [{members}], "errorMessage": "{words}" }}"#)
}
