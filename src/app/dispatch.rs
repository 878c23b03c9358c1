//! The Dispatch screen's commands: the list, groups, bookings.

use std::collections::HashMap;

use super::core::Core;
use crate::shipping::{Consignment, ConsignmentId, ManifestGroup};
use crate::state::{Booking, DispatchCommand, Kind, Operation, OperationState, Screen};
use crate::work::Request;

impl Core {
    pub(super) fn run_dispatch(&mut self, command: DispatchCommand) {
        match command {
            DispatchCommand::Refresh => self.refresh_unmanifested(),
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
                self.work.submit(Request::Book(groups));
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

    /// What was not found may turn up late: then its operation is looked at again, before it is sent again.
    fn look_for_late_ones(&self) {
        let list = self
            .shared
            .unmanifested
            .value()
            .map(Vec::as_slice)
            .unwrap_or_default();
        let there = |key: &str| {
            list.iter()
                .any(|one| one.customer_reference2.as_deref() == Some(key))
        };
        let absent = self
            .shared
            .operations
            .iter()
            .filter(|operation| operation.state == OperationState::Absent);
        for late in absent.filter(|operation| !operation.key.is_empty() && there(&operation.key)) {
            self.work.submit(Request::CheckNow(late.id));
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
            if let Some(list) = self.shared.unmanifested.value_mut() {
                list.retain(|consignment| !operation.consignments.contains(&consignment.id));
            }
            self.rebuild_labels();
        }
    }
}
