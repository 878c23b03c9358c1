//! Groups: grouping, taking a consignment out, booking one or all, stopping, and grouping what is left.

use std::collections::HashSet;

use super::core::Core;
use crate::shipping::{ConsignmentId, ManifestGroup};
use crate::state::{
    BookingMember, BookingRun, DispatchCommand, GroupsCommand, Kind, MemberState, MovedOut,
    Operation, OperationId, OperationState,
};
use crate::work::Request;

impl Core {
    pub(super) fn run_groups(&mut self, command: GroupsCommand) {
        match command {
            GroupsCommand::MoveOut(id, hold) => self.move_out(id, hold),
            GroupsCommand::MoveBack => self.move_back(),
            GroupsCommand::StopBooking => {
                if let Some(run) = &mut self.shared.pickups.run {
                    run.stopping = true;
                    self.work.stop_booking();
                }
            }
            GroupsCommand::GroupRest(operation) => self.group_rest(operation),
            GroupsCommand::ListManifests => self.list_manifests(),
            GroupsCommand::OpenManifest(operation) => self.open_manifest(operation),
            GroupsCommand::PrintManifest(operation) => self.print_manifest(operation),
            GroupsCommand::SaveManifest(operation) => self.save_manifest(operation, None),
            GroupsCommand::SaveManifestAt(operation, path) => {
                self.save_manifest(operation, Some(path.trim().into()));
            }
        }
    }

    pub(super) fn poll_groups(&mut self) {
        if self.shared.groups.poll()
            && self.shared.groups.problem().is_none()
            && !self.shared.groups.is_loading()
        {
            // After a failure the old groups stay, as old as they are.
            self.grouped_at = self.shared.now;
            self.shared.pickups.moved_out.clear();
        }
        self.poll_manifests();
    }

    /// Books groups, one at a time: they are locked from now on.
    pub(super) fn book(&mut self, groups: Vec<ManifestGroup>) {
        if groups.is_empty() {
            return;
        }
        let ids = groups
            .iter()
            .flat_map(|group| group.consignment_ids.iter().copied());
        self.lock(ids, Kind::Manifest);
        let run = self.shared.pickups.run.get_or_insert_default();
        run.total += groups.len();
        run.stopping = false;
        self.work.submit(Request::Book {
            groups,
            grouped: self.grouped_at,
        });
    }

    /// How far the booking is that is under way.
    pub(super) fn run_goes_on(&mut self, changed: &Operation) {
        let Some(run) = &mut self.shared.pickups.run else {
            return;
        };
        let is_known = run.operations.contains(&changed.id);
        if !is_known && changed.attempt == 0 && run.operations.len() < run.total {
            run.operations.push(changed.id);
        }
        let under_way = |state| matches!(state, OperationState::Ready | OperationState::Sending);
        let ended = |id: &&OperationId| {
            let state = if **id == changed.id {
                Some(changed.state)
            } else {
                let mut all = self.shared.operations.iter();
                all.find(|one| one.id == **id).map(|one| one.state)
            };
            state.is_some_and(|state| !under_way(state))
        };
        let done = run.operations.iter().filter(ended).count();
        *run = BookingRun {
            done,
            ..std::mem::take(run)
        };
        if run.done >= run.total {
            self.shared.pickups.run = None;
        }
    }

    /// Each consignment of a booking as it was found. Those that others booked leave their group.
    pub(super) fn booking_read(&mut self, operation: OperationId, members: Vec<BookingMember>) {
        let taken: HashSet<_> = members
            .iter()
            .filter(|member| member.state != MemberState::Waiting)
            .map(|member| member.id)
            .collect();
        // While nothing is known of the booking, its group stays as it was sent.
        self.shared.pickups.members.insert(operation, members);
        self.leave_groups(|id| taken.contains(&id));
    }

    /// Takes consignments out of their groups; a group without any goes, too.
    fn leave_groups(&mut self, leaves: impl Fn(ConsignmentId) -> bool) {
        let Some(groups) = self.shared.groups.value_mut() else {
            return;
        };
        let concerned = |group: &ManifestGroup| group.consignment_ids.iter().any(|id| leaves(*id));
        if !groups.iter().any(concerned) {
            return;
        }
        for group in groups.iter_mut() {
            group.consignment_ids.retain(|id| !leaves(*id));
        }
        groups.retain(|group| !group.consignment_ids.is_empty());
    }

    fn move_out(&mut self, id: ConsignmentId, hold: bool) {
        let groups = self.shared.groups.value().into_iter().flatten();
        let is_free = !self.shared.locked.contains_key(&id);
        let with_it = |group: &&ManifestGroup| group.consignment_ids.contains(&id);
        let Some(group) = groups
            .into_iter()
            .find(with_it)
            .filter(|_| is_free)
            .cloned()
        else {
            return;
        };
        let number = self.number_of(id);
        self.shared.pickups.moved_out.push(MovedOut {
            id,
            number,
            group,
            held: hold,
        });
        self.leave_groups(|left| left == id);
        if hold {
            self.run_dispatch(DispatchCommand::HoldBack(vec![id], true));
        }
    }

    /// The last one that was taken out is where it was.
    fn move_back(&mut self) {
        let Some(moved) = self.shared.pickups.moved_out.pop() else {
            return;
        };
        if moved.held {
            self.run_dispatch(DispatchCommand::HoldBack(vec![moved.id], false));
        }
        let Some(groups) = self.shared.groups.value_mut() else {
            return;
        };
        let was = &moved.group.consignment_ids;
        let rest = |group: &&mut ManifestGroup| {
            let ids = &group.consignment_ids;
            ids.iter().all(|id| was.contains(id))
        };
        match groups.iter_mut().find(rest) {
            Some(group) => {
                // In its old place, without those that left meanwhile.
                let now: HashSet<_> = group.consignment_ids.iter().copied().collect();
                let stays = |id: &&ConsignmentId| now.contains(*id) || **id == moved.id;
                group.consignment_ids = was.iter().filter(stays).copied().collect();
            }
            None => groups.push(ManifestGroup {
                consignment_ids: vec![moved.id],
                ..moved.group
            }),
        }
    }

    /// Groups what others left of a booking, with all that stands in groups already.
    fn group_rest(&mut self, operation: OperationId) {
        let members = self.shared.pickups.members.get(&operation);
        let waiting = members
            .into_iter()
            .flatten()
            .filter(|member| member.state == MemberState::Waiting)
            .map(|member| member.id);
        let mut ids: Vec<_> = waiting.collect();
        let groups = self.shared.groups.value().into_iter().flatten();
        for id in groups.flat_map(|group| &group.consignment_ids) {
            if !ids.contains(id) {
                ids.push(*id);
            }
        }
        self.put_away(operation);
        if !ids.is_empty() {
            self.group(Some(ids));
        }
    }
}
