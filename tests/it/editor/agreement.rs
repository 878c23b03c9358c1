//! The draft's check and the practice service were written separately from the same interface. They agree:
//! the check passes exactly if the service accepts the request. Two fixed lists name the exceptions: what the
//! bench cannot know before sending, and where it is stricter on purpose.
//!
//! Set `PROPTEST_CASES` to try more drafts.

mod drafts;
mod lists;
mod typed;

use std::env;
use std::sync::Arc;

use client::{Client, Connection, Failure};
use draft::{CheckContext, Draft, Field, problems_from_errors};
use proptest::test_runner::{Config, TestCaseError, TestRng, TestRunner};
use reqwest::header::CONTENT_TYPE;
use serde_json::Value;
use shipping::{CompanyId, ServiceError, UnNumber};
use tokio::runtime::Runtime;

use self::drafts::Plan;
use crate::support::practice::{Bench, NOW};

const COMPLEX: &str = "/apiv2/consignments/createConsignmentwithComplexItems";

/// Drafts of the short form.
const SHORT: u32 = 300;

/// The practice service, and what the bench was told by it.
struct Stage {
    runtime: Runtime,
    bench: Bench,
    client: Client,
    told: CheckContext,
    untold: CheckContext,
}

/// How often what happened.
#[derive(Debug, Default)]
struct Tally {
    accepted: u32,
    unknowable: u32,
    refused: u32,
    stricter: u32,
}

impl Stage {
    fn new() -> Self {
        let runtime = Runtime::new().expect("a runtime");
        let bench = runtime.block_on(Bench::start());
        let connection = Connection::new(&bench.service.base_url(), bench.service.token().into());
        let client = Client::new(&connection.expect("an address")).expect("a client");
        let untold = CheckContext::at(NOW.parse().expect("a moment"), "Australia/Sydney");
        let mut told = untold.clone();
        let numbers: Vec<UnNumber> = [1, 1170, 1090, 1993, 2031, 1830, 1495, 3599]
            .into_iter()
            .filter_map(UnNumber::new)
            .collect();
        let (entries, carriers) = runtime.block_on(async {
            let entries = client.un_numbers(&numbers).await.expect("the lookup");
            let carriers = client.carriers(CompanyId::new(1)).await;
            (entries, carriers.expect("the carriers"))
        });
        let of = |number: &UnNumber| {
            let own = entries.iter().filter(|entry| entry.un_number == *number);
            (*number, own.cloned().collect())
        };
        told.un_numbers = Arc::new(numbers.iter().map(of).collect());
        told.carriers = Arc::new(carriers);
        Self {
            runtime,
            bench,
            client,
            told,
            untold,
        }
    }

    /// Plays one draft both ways.
    fn play(&self, plan: &Plan, tally: &mut Tally) -> Result<(), String> {
        let draft = plan.draft();
        let context = if plan.told { &self.told } else { &self.untold };
        let check = draft.check(context);
        if let Some(request) = check.request() {
            return match self.runtime.block_on(self.client.create(request)) {
                Ok(_made) => {
                    tally.accepted += 1;
                    Ok(())
                }
                Err(Failure::Refused(errors)) => {
                    tally.unknowable += 1;
                    must_be_unknowable(&errors, &draft, plan.told)
                }
                Err(other) => Err(format!("{other:?} is no answer to {request:?}")),
            };
        }
        let raw = typed::request(&draft);
        let (status, answer) = self.runtime.block_on(self.post(&raw));
        if passed_the_rules(status, &answer) {
            tally.stricter += 1;
            let surprising = check
                .errors()
                .find(|problem| !lists::is_stricter(problem, &draft));
            if let Some(problem) = surprising {
                return Err(format!(
                    "the service accepts {raw}\nyet the check says {problem:?}"
                ));
            }
        } else {
            tally.refused += 1;
        }
        Ok(())
    }

    /// As it is: what a naive bench sends need not be what the definition describes.
    async fn post(&self, body: &Value) -> (u16, Value) {
        let address = format!("{}{COMPLEX}", self.bench.service.base_url());
        let call = self.bench.client.post(address);
        let call = call.header("token", self.bench.service.token());
        let call = call
            .header(CONTENT_TYPE, "application/json")
            .body(body.to_string());
        let answer = call.send().await.expect("an answer");
        let status = answer.status().as_u16();
        let text = answer.text().await.expect("its text");
        (status, serde_json::from_str(&text).unwrap_or_default())
    }
}

/// Every error is one that the bench could not know of, and has its field.
fn must_be_unknowable(errors: &[ServiceError], draft: &Draft, told: bool) -> Result<(), String> {
    for error in errors {
        let information = matches!(error.validation_type.as_str(), "2" | "information");
        if !information && !lists::is_unknowable(error, draft, told) {
            return Err(format!("the check passes, and the service says {error:?}"));
        }
        if problems_from_errors(std::slice::from_ref(error), draft)
            .iter()
            .any(|problem| problem.field == Field::Whole)
        {
            return Err(format!("nobody knows where {error:?} belongs"));
        }
    }
    Ok(())
}

/// Made, or refused by the carriers alone, which are asked last.
fn passed_the_rules(status: u16, answer: &Value) -> bool {
    let carriers = |message: &str| {
        lists::CARRIERS_ALONE
            .iter()
            .any(|words| message.contains(words))
    };
    let errors = answer["errors"].as_array().cloned().unwrap_or_default();
    let of_carriers = |error: &Value| {
        error["validationType"] == 2 || carriers(error["errorMessage"].as_str().unwrap_or_default())
    };
    status == 200 && errors.iter().all(of_carriers)
}

#[test]
fn a_draft_passes_the_check_exactly_when_the_service_accepts_what_it_sends() {
    let cases: Option<u32> = env::var("PROPTEST_CASES")
        .ok()
        .and_then(|cases| cases.parse().ok());
    let config = Config {
        cases: cases.unwrap_or(SHORT),
        failure_persistence: None,
        max_shrink_iters: 300,
        ..Config::default()
    };
    // The short form meets the same drafts each time: what it finds, it finds at once.
    let mut runner = if cases.is_some() {
        TestRunner::new(config)
    } else {
        let chance = TestRng::deterministic_rng(config.rng_algorithm);
        TestRunner::new_with_rng(config, chance)
    };
    let stage = Stage::new();
    let tally = std::cell::RefCell::new(Tally::default());
    let outcome = runner.run(&drafts::plans(), |plan| {
        stage
            .play(&plan, &mut tally.borrow_mut())
            .map_err(TestCaseError::fail)
    });
    let tally = tally.into_inner();
    eprintln!("{tally:?}");
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
    let least = cases.unwrap_or(SHORT) / 12;
    assert!(
        tally.accepted > least && tally.refused > least,
        "it tries both: {tally:?}"
    );
}
