//! Tests of the answers that the specification asks of every service, area by area: literal
//! requests, literal answers, and the client between them.
//!
//! In each case our client calls the service, and the bytes on the wire are compared in both directions with
//! literals that neither side made. Each case is a test at the practice service, once in the specification's
//! shapes and once in those that live services publish, which are converted before the comparison. With
//! `PACKBENCH_CONTRACT_URL` and `PACKBENCH_CONTRACT_TOKEN` the cases run at another service; those that
//! create or change something run there only with `PACKBENCH_CONTRACT_WRITE=1`.

mod attachments;
mod authenticate;
mod companies;
mod consignments;
mod coverage;
mod dangerous_goods;
mod elsewhere;
mod errors;
mod labels;
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
    authenticate::CASES,
    companies::CASES,
    routes::CASES,
    consignments::create::CASES,
    consignments::despatch::CASES,
    consignments::users::CASES,
    consignments::complex::CASES,
    consignments::fetch::CASES,
    consignments::lookups::CASES,
    consignments::recent::CASES,
    consignments::edit::CASES,
    consignments::delete::CASES,
    consignments::statuses::CASES,
    pending::CASES,
    manifests::CASES,
    labels::CASES,
    attachments::CASES,
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
