//! Compares the in-memory summaries with the store.

use std::collections::BTreeSet;
use std::sync::Arc;

use fastrand::Rng;
use jiff::Timestamp;
use tokio::runtime::Builder;

use super::Summaries;
use crate::track::Track;
use shipping::{CarrierId, Clock, CompanyId, ConsignmentId, Status, StatusId};
use storage::{ConsignmentHistory, ConsignmentRow};

fn any(random: &mut Rng, id: i64) -> ConsignmentHistory {
    let mut time = || {
        let second = random.i64(1_790_000_000..1_800_000_000);
        random
            .bool()
            .then(|| Timestamp::from_second(second).expect("in range"))
    };
    let row = ConsignmentRow {
        id: ConsignmentId::new(id),
        despatch_at: time(),
        eta_at: time(),
        changed: time(),
        scanned: time(),
        booked: time(),
        ended: time(),
        company: random.bool().then(|| CompanyId::new(random.i64(1..9))),
        carrier_id: random.bool().then(|| CarrierId::new(random.i64(1..9))),
        status: Status {
            id: StatusId::new(random.i64(1..40)),
            name: String::new(),
            description: String::new(),
        },
        number: format!("MS{id}"),
        carrier_number: String::new(),
        reference: String::new(),
        reference2: String::new(),
        tracking_token: String::new(),
        from: String::new(),
        from_place: shipping::Location::default(),
        to: String::new(),
        to_place: shipping::Location::default(),
        carrier: String::new(),
        service_id: None,
        service: String::new(),
        despatch: None,
        eta: None,
        manifest: None,
        attachments: 0,
        pieces: 0,
        weight: None,
        volume: None,
        price: None,
        dangerous: None,
        international: false,
        important: false,
        is_test: false,
    };
    ConsignmentHistory {
        row,
        history: Vec::new(),
    }
}

/// Describes summaries independently of the indexes that their companies and carriers have.
fn said(figures: &Summaries) -> Vec<String> {
    let places = figures.ids();
    let one = |one: &super::IndexedSummary| {
        let company = places.companies.values()[one.company as usize];
        let carrier = places.carriers.values()[one.carrier as usize];
        let status = places.statuses.values()[one.status as usize];
        let times = [
            one.despatch,
            one.eta,
            one.changed,
            one.scanned,
            one.booked,
            one.ended,
        ];
        format!(
            "{} {company:?} {carrier:?} {status:?} {times:?} {}",
            one.id, one.eta_day
        )
    };
    figures.iter().map(one).collect()
}

async fn stored(track: &Track) -> Summaries {
    track.read(Summaries::load).await.expect("read")
}

#[test]
fn figures_are_what_the_store_has_after_any_changes() {
    let runtime = Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime");
    for seed in 0..6 {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("journal.sqlite");
        let now = "2026-11-20T03:05:00Z".parse().expect("a moment");
        let track = Track::for_journal(&path, Clock::fixed(now));
        let mut random = Rng::with_seed(seed);
        runtime.block_on(async {
            for turn in 0..40 {
                let span = [50_i64, 3_000, 100_000][random.usize(0..3)];
                let ids: Vec<i64> = (0..random.usize(0..200))
                    .map(|_| random.i64(1..=span))
                    .collect();
                if random.u8(0..4) == 0 {
                    let ids: Arc<[_]> = ids.into_iter().map(ConsignmentId::new).collect();
                    track.forget(ids).await.expect("forgotten");
                } else {
                    let rows: Vec<_> = ids.iter().map(|id| any(&mut random, *id)).collect();
                    track
                        .put(move |store| store.put_and_summarize(&rows, now), now)
                        .await
                        .expect("kept");
                }
                if turn == 10 {
                    // The store is changed while the summaries are being loaded.
                    let loading = track.clone();
                    let load =
                        tokio::spawn(async move { loading.summaries().await.expect("figures") });
                    let rows: Vec<_> = (1..300).map(|id| any(&mut random, id)).collect();
                    track
                        .put(move |store| store.put_and_summarize(&rows, now), now)
                        .await
                        .expect("kept");
                    load.await.expect("loaded");
                }
                if turn >= 10 {
                    let figures = track.summaries().await.expect("figures");
                    assert_eq!(
                        said(&figures),
                        said(&stored(&track).await),
                        "seed {seed}, turn {turn}"
                    );
                    assert_eq!(figures.len(), figures.iter().count());
                }
            }
        });
    }
}

#[test]
fn a_state_that_is_read_does_not_change() {
    let mut random = Rng::with_seed(1);
    let mut figures = Summaries::default();
    let mut gist = |id| storage::ConsignmentSummary::of(&any(&mut random, id).row);
    figures.put(&(1..2_000).map(&mut gist).collect::<Vec<_>>());
    let (before, copy) = (said(&figures), figures.clone());
    figures.put(&(1_000..3_000).map(&mut gist).collect::<Vec<_>>());
    figures.forget(&[ConsignmentId::new(5)]);
    assert_eq!(said(&copy), before);
    assert_eq!(figures.len(), 2_998);
    assert!(figures.get(ConsignmentId::new(5)).is_none());
    assert!(figures.get(ConsignmentId::new(2_999)).is_some());
    let sorted: BTreeSet<_> = figures.iter().map(|one| one.id).collect();
    assert!(sorted.into_iter().eq(figures.iter().map(|one| one.id)));
}
