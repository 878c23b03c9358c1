//! The contract at another service than the practice service, named by the environment; and that this way of trying it
//! works, with a practice service in the other's place.

use std::io::{self, Write as _};
use std::sync::Arc;

use tempfile::tempdir;

use super::all;
use crate::support::contract::{Case, Elsewhere, Held, Kind, Skipped, Stage, Surroundings};
use crate::support::practice::Bench;

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

    fn held(&self, name: &str) -> bool {
        self.held.iter().any(|held| held.ends_with(name))
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
