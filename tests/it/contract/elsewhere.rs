//! Runs the contract at another service, named by environment variables, and tests this with a practice
//! service in its place.

use std::io::{self, Write as _};
use std::sync::Arc;

use practice::Clock;

use super::{all, companies};
use crate::support::contract::{Case, Elsewhere, Held, Kind, Skipped, Stage, Surroundings};
use crate::support::practice::{Bench, CREATE, order};
use crate::support::wire::{Wire, answer};

/// What became of the cases, by name.
#[derive(Debug, Default)]
struct Report {
    held: Vec<&'static str>,
    skipped: Vec<(&'static str, String)>,
    failed: Vec<(&'static str, String)>,
}

/// The one place where the contract reads the environment.
fn named_by_the_environment() -> Option<Elsewhere> {
    let read = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    Some(Elsewhere {
        base_url: read("PACKBENCH_CONTRACT_URL")?,
        token: read("PACKBENCH_CONTRACT_TOKEN")?,
        write: read("PACKBENCH_CONTRACT_WRITE").as_deref() == Some("1"),
    })
}

/// Plays every case at `service`, one after the other.
async fn play_all(service: &Elsewhere) -> Report {
    let surroundings = Arc::new(Surroundings::of(service).await);
    let mut report = Report::default();
    for case in all() {
        match case.kind {
            Kind::Writes if !service.write => report.skip(case, "nothing may be made or changed"),
            Kind::Practises => report.skip(case, "only the practice service has what it takes"),
            _ => {
                let stage = Stage::at(service, &surroundings).await;
                match tokio::spawn(play(*case, stage)).await {
                    Ok(Ok(())) => report.held.push(case.name),
                    Ok(Err(Skipped(reason))) => report.skip(case, &reason),
                    Err(panic) => report.failed.push((case.name, words(panic))),
                }
            }
        }
    }
    report
}

async fn play(case: Case, mut stage: Stage) -> Held {
    let held = (case.play)(&mut stage).await;
    stage.end().await;
    held
}

fn words(panic: tokio::task::JoinError) -> String {
    let payload = panic.into_panic();
    let text = payload.downcast_ref::<String>().cloned();
    let text = text.or_else(|| payload.downcast_ref::<&str>().map(|&text| text.to_owned()));
    text.unwrap_or_else(|| "it panicked".to_owned())
}

impl Report {
    fn skip(&mut self, case: &Case, reason: &str) {
        self.skipped.push((case.name, reason.to_owned()));
    }

    fn print(&self) {
        let mut out = io::stdout().lock();
        for (name, reason) in &self.skipped {
            writeln!(out, "skipped {name}: {reason}").expect("it prints");
        }
        let counts = (self.held.len(), self.skipped.len(), self.failed.len());
        let (held, skipped, failed) = counts;
        writeln!(out, "{held} held, {skipped} skipped, {failed} failed").expect("it prints");
    }

    fn none_failed(&self) {
        self.print();
        let failed: Vec<String> = self
            .failed
            .iter()
            .map(|(name, words)| format!("{name}: {words}"))
            .collect();
        assert!(failed.is_empty(), "{}", failed.join("\n\n"));
    }
}

#[tokio::test]
async fn the_service_that_the_environment_names_keeps_the_contract() {
    match named_by_the_environment() {
        Some(service) => play_all(&service).await.none_failed(),
        None => writeln!(
            io::stdout(),
            "skipped: PACKBENCH_CONTRACT_URL names no service"
        )
        .expect("it prints"),
    }
}

/// A practice service at the hour of the system's clock, as another service is, with consignments of its own.
async fn another() -> Bench {
    let bench = Bench::start().await;
    bench.set_clock(&Clock::system().now().to_string());
    for _ in 0..2 {
        bench.posted(CREATE, &order()).await;
    }
    bench
}

async fn unmanifested(bench: &Bench) -> usize {
    let group_all = "/apiv2/manifests/groupAllUnmanifestedConsignmentsForManifest";
    let groups = bench.posted(group_all, &serde_json::json!("1")).await;
    let groups = groups.as_array().expect("groups").iter();
    let ids = groups.map(|group| group["consignmentIds"].as_array().map_or(0, Vec::len));
    ids.sum()
}

fn names(kind: Kind) -> Vec<&'static str> {
    let cases = all().filter(|case| case.kind == kind);
    cases.map(|case| case.name).collect()
}

/// Plays every case there with this token; none may fail.
async fn played_at(bench: &Bench, token: &str, write: bool) -> Report {
    let service = Elsewhere {
        base_url: bench.service.base_url(),
        token: token.to_owned(),
        write,
    };
    let report = play_all(&service).await;
    report.none_failed();
    report
}

#[tokio::test]
async fn another_service_is_only_looked_at_unless_it_may_be_written_to() {
    let bench = another().await;
    let report = played_at(&bench, bench.service.viewer_token(), false).await;
    assert_eq!(
        report.held,
        names(Kind::Reads),
        "a user who may only look can try these"
    );
    let skipped: Vec<&str> = report.skipped.iter().map(|(name, _)| *name).collect();
    assert!(
        names(Kind::Writes)
            .iter()
            .all(|name| skipped.contains(name))
    );
    assert_eq!(unmanifested(&bench).await, 2, "nothing was made or removed");
}

#[tokio::test]
async fn another_service_is_left_as_it_was_found() {
    let bench = another().await;
    let report = played_at(&bench, bench.service.test_token(), true).await;
    let kinds = [names(Kind::Reads), names(Kind::Writes)].concat();
    assert!(
        kinds.iter().all(|name| report.held.contains(name)),
        "{:?}",
        report.skipped
    );
    assert_eq!(
        unmanifested(&bench).await,
        2,
        "what the cases made is removed again"
    );
}

#[tokio::test]
async fn a_service_that_breaks_the_contract_is_found_and_its_values_are_not_shown() {
    let reply = r#"{ "object": "somebody's name", "errors": null }"#;
    let wire = Wire::alone(answer("200 OK", "application/json", reply));
    let service = Elsewhere {
        base_url: wire.base_url(),
        token: "a-token".to_owned(),
        write: false,
    };
    let stage = Stage::at(&service, &Arc::default()).await;
    let played = tokio::spawn(play(companies::CASES[0], stage)).await;
    let words = words(played.expect_err("it fails"));
    assert!(
        words.contains(".object: a boolean expected, text came"),
        "{words}"
    );
    assert!(!words.contains("somebody"), "{words}");
}
