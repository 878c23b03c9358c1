//! Shares the values that all benches of a workgroup use alike: presets, views, printers, and consignments on hold.

use std::collections::HashSet;

use super::{AFTER_FAILURE, COLLECT, LOOK, LOOK_AGAIN};
use crate::{EngineContext, EngineError, Outcome};
use storage::{SharedFrom, SharedKind, ValueChange};
use workgroup::{SharedValue, Workgroup, WorkgroupState};

/// How many changes are shared in one call.
const CHANGES_AT_ONCE: u32 = 200;

/// Values that other benches have changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharedValues {
    /// The printers and document routes that have changed now. They are in the settings, not in the journal.
    pub printers: Vec<ValueChange>,
    /// True if this bench shares with this database from now on, and the others don't know its printers yet.
    pub joined: bool,
    /// All values that another bench has changed last.
    pub changed_by_others: Vec<ValueChange>,
}

impl EngineContext {
    /// Shares changes and drafts with the other benches, and shows theirs, whenever the database is connected.
    pub(super) async fn share_changes(&self) {
        let Some(workgroup) = &self.workgroup else {
            return;
        };
        let (mut states, mut heard) = (workgroup.state(), workgroup.changes());
        let mut shown = None;
        self.tell_changed_by_others(Vec::new(), false).await;
        loop {
            let is_connected = *states.borrow_and_update() == WorkgroupState::Connected;
            let before = heard.borrow_and_update().shared;
            if is_connected && let Err(error) = self.share_once(workgroup).await {
                tracing::warn!(%error, "changes could not be shared with the workgroup");
                tokio::time::sleep(AFTER_FAILURE).await;
            }
            // After a failure, the list stays as it is shown.
            if let Ok(waiting) = self.waiting_drafts(workgroup).await
                && shown.as_ref() != Some(&waiting)
            {
                shown = Some(waiting.clone());
                self.tell(Outcome::WaitingDrafts(waiting)).await;
            }
            let has_heard = async {
                // The sender lives as long as the workgroup.
                let _told = heard.wait_for(|now| now.shared != before).await;
            };
            tokio::select! {
                () = self.has_changes.notified() => tokio::time::sleep(COLLECT).await,
                () = has_heard => tokio::time::sleep(LOOK_AGAIN).await,
                _changed = states.changed() => {}
                () = tokio::time::sleep(LOOK) => {}
            }
        }
    }

    async fn share_once(&self, workgroup: &Workgroup) -> Result<(), EngineError> {
        self.finish_taking(workgroup).await?;
        self.deliver_left_drafts(workgroup).await?;
        self.take_changes(workgroup).await?;
        self.share_own_changes(workgroup).await
    }

    async fn take_changes(&self, workgroup: &Workgroup) -> Result<(), EngineError> {
        let known = self.journal(|journal| journal.shared_from()).await?;
        let newest = workgroup.newest_value().await?;
        // What the database has, although its answer was lost.
        let own_change = newest.own_change;
        self.journal(move |journal| journal.changes_shared(own_change))
            .await?;
        let joins = known.source != newest.database || newest.version < known.version;
        if !joins && newest.version == known.version {
            return Ok(());
        }
        let after = if joins { 0 } else { known.version };
        let values = workgroup.values_after(after).await?;
        let from = SharedFrom {
            source: newest.database,
            version: values.last().map_or(newest.version, |last| last.version),
        };
        let member = workgroup.member();
        let to_change = |value: SharedValue| to_change(value, &member.bench);
        let changes: Vec<_> = values.into_iter().filter_map(to_change).collect();
        let (taken, now) = (changes.clone(), self.now());
        let kinds = self
            .journal(move |journal| {
                if joins {
                    journal.join_values(&taken, &from, (&member.name, now))
                } else {
                    journal.take_changes(&taken, &from, now)
                }
            })
            .await?;
        self.tell_kinds(&kinds, joins).await;
        let is_printer =
            |change: &ValueChange| matches!(change.kind, SharedKind::Printer | SharedKind::Route);
        let mut printers = changes;
        printers.retain(|change| is_printer(change) && !change.changed_by.is_empty());
        self.tell_changed_by_others(printers, joins).await;
        Ok(())
    }

    async fn share_own_changes(&self, workgroup: &Workgroup) -> Result<(), EngineError> {
        loop {
            let changes = self.journal(|journal| journal.changes_to_share(CHANGES_AT_ONCE));
            let changes = changes.await?;
            let Some(last) = changes.last().map(|change| change.change) else {
                return Ok(());
            };
            let values: Vec<_> = changes.into_iter().map(to_value).collect();
            workgroup.share_values(&values, last).await?;
            self.journal(move |journal| journal.changes_shared(last))
                .await?;
        }
    }

    /// Shows the values of these kinds again. A bench that joins may have renamed its own.
    async fn tell_kinds(&self, kinds: &HashSet<SharedKind>, joins: bool) {
        let is_due = |kind| joins || kinds.contains(&kind);
        if is_due(SharedKind::Preset) {
            self.tell_presets().await;
        }
        if is_due(SharedKind::View) {
            self.tell_views().await;
        }
        if is_due(SharedKind::OnHold) {
            self.tell_on_hold(false).await;
        }
    }

    async fn tell_changed_by_others(&self, printers: Vec<ValueChange>, joined: bool) {
        let what = "Couldn't read what other benches have changed";
        self.tell_change(what, move |journal| {
            Ok(Outcome::SharedValues(Box::new(SharedValues {
                printers,
                joined,
                changed_by_others: journal.changed_by_others()?,
            })))
        })
        .await;
    }
}

/// Returns `None` for a value of a kind that this version does not know.
fn to_change(value: SharedValue, own_bench: &str) -> Option<ValueChange> {
    let mut kinds = SharedKind::ALL.iter();
    let changed_by = if value.bench == own_bench {
        String::new()
    } else {
        value.bench_name
    };
    Some(ValueChange {
        kind: *kinds.find(|kind| kind.as_str() == value.kind)?,
        name: value.name,
        body: value.body,
        changed_by,
        change: 0,
    })
}

fn to_value(change: ValueChange) -> SharedValue {
    SharedValue {
        kind: change.kind.as_str().to_owned(),
        name: super::without_nul(&change.name),
        body: change.body,
        version: 0,
        bench: String::new(),
        bench_name: String::new(),
    }
}
