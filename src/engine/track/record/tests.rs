//! Tests which data wins if a list and an operation report the same consignment.

use jiff::SignedDuration;
use serde_json::json;

use super::*;
use crate::track::Track;
use shipping::Clock;

const SCOPE: SyncScope = SyncScope {
    company: None,
    children: true,
    carrier: None,
};

fn now() -> Timestamp {
    "2026-11-20T09:00:00Z".parse().expect("a moment")
}

fn said(to: &str) -> Vec<Consignment> {
    let one = json!({"id": 7, "consignmentTrackingStatus": {"id": 2, "name": "Unmanifested"}, "toName": to});
    vec![serde_json::from_str(&one.to_string()).expect("a consignment")]
}

async fn receivers(track: &Track) -> Vec<String> {
    let ids = [ConsignmentId::new(7)];
    let rows = track.read(move |reader| reader.rows(&ids)).await;
    rows.expect("rows").into_iter().map(|row| row.to).collect()
}

#[tokio::test]
async fn a_list_gives_way_to_what_an_operation_told_while_it_was_on_its_way() {
    let folder = tempfile::tempdir().expect("a folder");
    let track = Track::for_journal(&folder.path().join("journal.db"), Clock::fixed(now()));
    let ids = vec![ConsignmentId::new(7)];
    let look = track.sync_state().begins(SyncPurpose::Track, SCOPE);
    drop(track.sync_state().mark_newer(ids.clone()));
    let told = track.follow(said("New"), None, now());
    told.await.expect("kept");
    let listed = track.follow(said("Old"), Some(SyncPurpose::Track), now());
    assert!(listed.await.expect("kept").changed.is_empty());
    assert_eq!(receivers(&track).await, ["New"]);
    let forgotten = track.forget_unlisted(ids.clone().into(), SyncPurpose::Track);
    assert!(forgotten.await.expect("none").is_empty());
    track.forget(ids.into()).await.expect("forgotten");
    let listed = track.follow(said("Old"), Some(SyncPurpose::Track), now());
    listed.await.expect("kept");
    assert!(receivers(&track).await.is_empty(), "what is gone stays so");
    drop(look);
    let listed = track.follow(
        said("Newer"),
        Some(SyncPurpose::Track),
        now() + SignedDuration::from_mins(1),
    );
    listed.await.expect("kept");
    assert_eq!(receivers(&track).await, ["Newer"]);
}

#[tokio::test]
async fn what_still_waits_to_be_kept_when_a_look_begins_counts_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let track = Track::for_journal(&folder.path().join("journal.db"), Clock::fixed(now()));
    let waits = track.sync_state().mark_newer(vec![ConsignmentId::new(7)]);
    let look = track.sync_state().begins(SyncPurpose::Track, SCOPE);
    drop(waits);
    assert!(
        track
            .sync_state()
            .is_newer(SyncPurpose::Track, ConsignmentId::new(7))
    );
    drop(look);
    let look = track.sync_state().begins(SyncPurpose::Track, SCOPE);
    assert!(
        !track
            .sync_state()
            .is_newer(SyncPurpose::Track, ConsignmentId::new(7))
    );
    drop(look);
}
