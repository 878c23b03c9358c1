//! The Dispatch screen's commands: the list, groups, bookings.

use std::collections::HashMap;

use jiff::SignedDuration;

use super::core::Core;
use crate::shipping::{Consignment, ConsignmentId, ManifestGroup};
use crate::state::{
    Booking, Choice, DispatchCommand, Kind, Notice, Operation, OperationState, Screen, Tone,
};
use crate::work::Request;

/// How long after it was done a consignment's key is watched for a second one.
const TWINS_WITHIN: SignedDuration = SignedDuration::from_hours(24);

impl Core {
    pub(super) fn run_dispatch(&mut self, command: DispatchCommand) {
        match command {
            DispatchCommand::Refresh => {
                self.work.reads().reconnect();
                self.refresh_unmanifested();
            }
            DispatchCommand::Group(ids) => {
                let ids: Vec<_> = ids
                    .into_iter()
                    .filter(|id| !self.shared.locked.contains(id))
                    .collect();
                if !ids.is_empty() {
                    let groups = self
                        .work
                        .reads()
                        .fetch(|client| async move { client.group(&ids).await });
                    self.shared.groups.start(groups);
                }
            }
            DispatchCommand::GroupAll => {
                if let Some(company) = self.shared.company {
                    let groups = self
                        .work
                        .reads()
                        .fetch(move |client| async move { client.group_all(company).await });
                    self.shared.groups.start(groups);
                }
            }
            DispatchCommand::ClearGroups => self.shared.groups.clear(),
            DispatchCommand::Book(groups) => {
                let ids = groups
                    .iter()
                    .flat_map(|group| group.consignment_ids.iter().copied());
                self.shared.locked.extend(ids);
                self.work.submit(Request::Book {
                    groups,
                    grouped: self.grouped_at,
                });
            }
            DispatchCommand::Delete(ids) => {
                let ids: Vec<_> = ids
                    .into_iter()
                    .filter(|id| !self.shared.locked.contains(id))
                    .collect();
                self.shared.locked.extend(ids.iter().copied());
                self.work.submit(Request::Delete(ids));
            }
            DispatchCommand::PrintLabels(ids) => self.print(ids, ""),
            DispatchCommand::ShowLabel(id) => {
                self.shared.screen = Screen::Labels;
                self.refresh_printers();
                self.select_label(id);
            }
        }
    }

    pub(super) fn refresh_unmanifested(&mut self) {
        self.shared
            .unmanifested
            .start(self.work.reads().unmanifested(self.shared.company));
    }

    pub(super) fn unmanifested_came(&mut self) {
        // While a newer fetch runs, what is there is what was there before.
        if self.shared.unmanifested.problem().is_none()
            && !self.shared.unmanifested.is_loading()
            && self.shared.unmanifested.value().is_some()
        {
            self.shared.unmanifested_at = Some(self.shared.now);
        }
        self.list_changed();
    }

    /// The list is another one.
    pub(super) fn list_changed(&mut self) {
        self.rebuild_zones();
        self.rebuild_labels();
        self.look_for_late_ones();
    }

    /// What was not found may turn up late, and what is done may turn up twice: then its operation is looked at again.
    fn look_for_late_ones(&self) {
        let list = self
            .shared
            .unmanifested
            .value()
            .map(Vec::as_slice)
            .unwrap_or_default();
        let mut there: HashMap<&str, usize> = HashMap::new();
        for key in list
            .iter()
            .filter_map(|one| one.customer_reference2.as_deref())
        {
            *there.entry(key).or_default() += 1;
        }
        let creates = self
            .shared
            .operations
            .iter()
            .filter(|operation| operation.kind == Kind::Create && !operation.key.is_empty());
        for operation in creates {
            let found = there.get(operation.key.as_str()).copied().unwrap_or(0);
            let late = match operation.state {
                OperationState::Absent => found > 0,
                OperationState::Done => {
                    let age = self.shared.now.duration_since(operation.changed);
                    found > 1 && age < TWINS_WITHIN
                }
                _ => false,
            };
            if late {
                self.work
                    .submit(Request::Decide(operation.id, Choice::CheckNow));
            }
        }
    }

    /// Thought to be settled, and found to be there twice: nobody may overlook that.
    fn sound_the_alarm(&mut self, operation: &Operation) {
        let known = self.shared.operation(operation.id).map(|known| known.state);
        let settled = matches!(known, Some(OperationState::Done | OperationState::Absent));
        if settled && operation.state == OperationState::Conflict {
            let headline = format!("{} is at the service twice", operation.title);
            let advice = format!("{}. Look at it under Operations", operation.words);
            self.notify(Notice::new(Tone::Bad, headline, advice));
        }
    }

    /// Each group's times are those of its pickup place.
    fn rebuild_zones(&mut self) {
        let consignments = self
            .shared
            .unmanifested
            .value()
            .map(Vec::as_slice)
            .unwrap_or_default();
        let zones: HashMap<_, _> = consignments
            .iter()
            .filter_map(|consignment| {
                let zone = &consignment.from_location.as_ref()?.time_zone;
                (!zone.is_empty()).then(|| (consignment.id, zone.clone()))
            })
            .collect();
        self.shared.pickup_zones = zones;
    }

    /// Consignments were read back or made: the list shows them as they are now.
    pub(super) fn seen(&mut self, consignments: Vec<Consignment>) {
        if let Some(list) = self.shared.unmanifested.value_mut() {
            for consignment in consignments {
                let at = list.iter().position(|known| known.id == consignment.id);
                match (at, consignment.is_unmanifested()) {
                    (Some(at), true) => list[at] = consignment,
                    (Some(at), false) => drop(list.remove(at)),
                    (None, true) => list.insert(0, consignment),
                    (None, false) => {}
                }
            }
        } else {
            self.refresh_unmanifested();
        }
        self.rebuild_zones();
        self.rebuild_labels();
    }

    /// An operation is new or has changed: the list of them, what they hold, and the cards of bookings follow.
    pub(super) fn operation_changed(&mut self, operation: Operation) {
        if operation.kind == Kind::Manifest {
            self.booking_changed(&operation);
        }
        self.sound_the_alarm(&operation);
        if operation.kind == Kind::Delete && operation.state == OperationState::Done {
            self.forget(&operation.consignments);
        }
        match self
            .shared
            .operations
            .iter_mut()
            .find(|known| known.id == operation.id)
        {
            Some(known) => *known = operation,
            None => self.shared.operations.insert(0, operation),
        }
        self.rebuild_locks();
    }

    pub(super) fn rebuild_locks(&mut self) {
        let held: Vec<ConsignmentId> = self
            .shared
            .open_operations()
            .flat_map(|operation| operation.consignments.iter().copied())
            .collect();
        self.shared.locked = held.into_iter().collect();
    }

    fn booking_changed(&mut self, operation: &Operation) {
        if !self
            .shared
            .bookings
            .iter()
            .any(|booking| booking.operation == operation.id)
        {
            let Ok(group) = serde_json::from_str::<ManifestGroup>(&operation.request) else {
                return;
            };
            let booking = Booking {
                operation: operation.id,
                group,
            };
            self.shared.bookings.insert(0, booking);
        }
        // A refused group stays, to be mended; any other has its card among the bookings.
        let gone = matches!(
            operation.state,
            OperationState::Done | OperationState::Unknown | OperationState::Conflict
        );
        if gone && let Some(groups) = self.shared.groups.value_mut() {
            groups.retain(|group| group.consignment_ids != operation.consignments);
        }
        if operation.state == OperationState::Done {
            self.forget(&operation.consignments);
        }
    }

    /// These wait no longer.
    pub(super) fn forget(&mut self, ids: &[ConsignmentId]) {
        if let Some(list) = self.shared.unmanifested.value_mut() {
            list.retain(|consignment| !ids.contains(&consignment.id));
        }
        self.rebuild_labels();
    }
}
