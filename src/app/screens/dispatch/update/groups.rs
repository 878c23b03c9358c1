//! Manifest groups: taking consignments out and back, booking, stopping, and grouping the remaining
//! consignments. Booked manifests: listing, showing and printing.

use std::collections::HashSet;
use std::sync::Arc;

use crate::core::Core;
use crate::screens::dispatch::update::ON_HOLD;
use crate::state::{
    BookingMember, DispatchCommand, GroupsCommand, ManifestRow, MemberState, Notice, Operation,
    OperationId, OperationKind, OperationState, RemovedMember, Tone,
};
use engine::{
    ConsignmentFacts, DocumentKind, DocumentOrder, DocumentSource, Payload, PrintMoment, Request,
};
use printing::profile::PrinterProfile;
use shipping::{Carrier, ConsignmentId, ManifestGroup};

impl Core {
    pub(crate) fn run_groups(&mut self, command: GroupsCommand) {
        match command {
            GroupsCommand::MoveOut(id, hold) => self.move_out(id, hold),
            GroupsCommand::MoveBack => self.move_back(),
            GroupsCommand::StopBooking => {
                if let Some(run) = &mut self.shared.dispatch.groups_view.run {
                    run.stopping = true;
                    self.work.stop_booking();
                }
            }
            GroupsCommand::RegroupRest(operation) => self.group_rest(operation),
            GroupsCommand::ListManifests => self.list_manifests(),
            GroupsCommand::OpenManifest(operation) => self.open_manifest(operation),
            GroupsCommand::PrintManifest(operation) => self.print_manifest(operation),
        }
    }

    pub(crate) fn groups_came(&mut self) {
        let groups = &self.shared.dispatch.groups;
        // If the groups could not be fetched, the old groups and their time stay.
        if groups.problem().is_none() && !groups.is_loading() {
            self.dispatch.grouped_at = self.shared.now;
            self.shared.dispatch.groups_view.moved_out.clear();
            // Some consignments may have been put on hold during the fetch.
            let held = Arc::clone(&self.shared.dispatch.on_hold);
            self.take_out(&held, true);
            self.list_what_is_grouped();
        }
    }

    /// Syncs the list if the service grouped consignments that the list does not show yet.
    fn list_what_is_grouped(&mut self) {
        let grouped = self.grouped_ids();
        let is_unlisted = |id: &ConsignmentId| !self.shared.dispatch.lists(*id);
        let has_list = self.shared.dispatch.unmanifested.value().is_some();
        if has_list && grouped.iter().any(is_unlisted) {
            self.refresh_unmanifested();
        }
        self.need_group_rows();
    }

    /// Books groups, one at a time. Their consignments are locked from now on. A group with a consignment on
    /// hold is not booked.
    pub(crate) fn book(&mut self, mut groups: Vec<ManifestGroup>) {
        let is_held = |id: &ConsignmentId| self.shared.dispatch.on_hold.contains(id);
        let held = groups.extract_if(.., |group| group.consignment_ids.iter().any(is_held));
        let unnamed = || "The carrier".to_owned();
        let held = held.map(|group| group.carrier_name.unwrap_or_else(unnamed));
        let held: Vec<_> = held.collect();
        if !held.is_empty() {
            let carriers = held.join(", ");
            let advice =
                format!("{carriers}: not booked, because some of the consignments are on hold");
            self.notify(Notice::new(Tone::Warning, ON_HOLD, advice));
        }
        if groups.is_empty() {
            return;
        }
        let ids = groups.iter().flat_map(|group| &group.consignment_ids);
        let operations = &mut self.shared.operations;
        operations.lock(ids.copied(), OperationKind::Manifest);
        let run = self.shared.dispatch.groups_view.run.get_or_insert_default();
        run.total += groups.len();
        run.stopping = false;
        self.work.submit(Request::Book {
            groups,
            grouped: self.dispatch.grouped_at,
        });
    }

    /// Updates the progress of the booking run.
    pub(crate) fn update_booking_run(&mut self, changed: &Operation) {
        let Some(run) = &mut self.shared.dispatch.groups_view.run else {
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
                let mut all = self.shared.operations.list.iter();
                all.find(|one| one.id == **id).map(|one| one.state)
            };
            state.is_some_and(|state| !under_way(state))
        };
        run.done = run.operations.iter().filter(ended).count();
        if run.done >= run.total {
            self.shared.dispatch.groups_view.run = None;
        }
    }

    /// Records the consignments of a booking as they were read back. Removes consignments that no longer wait for a
    /// manifest from the shown groups.
    pub(crate) fn booking_read(&mut self, operation: OperationId, members: Vec<BookingMember>) {
        let taken = { members.iter() }.filter(|member| member.state != MemberState::Waiting);
        let taken: HashSet<_> = taken.map(|member| member.id).collect();
        // Changes only the groups shown on Dispatch. The group stored with the booking stays as it was sent.
        let groups = &mut self.shared.dispatch.groups_view;
        groups.members.insert(operation, members);
        self.leave_groups(|id| taken.contains(&id));
    }

    /// Takes consignments out of their groups, and removes groups that become empty.
    fn leave_groups(&mut self, leaves: impl Fn(ConsignmentId) -> bool) {
        if let Some(asked) = &mut self.dispatch.grouped {
            asked.retain(|id| !leaves(*id));
        }
        let Some(groups) = self.shared.dispatch.groups.value_mut() else {
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

    /// Removes consignments that no longer wait for a manifest from their groups; they can't be put back.
    pub(crate) fn gone_from_groups(&mut self, gone: &HashSet<ConsignmentId>) {
        self.leave_groups(|id| gone.contains(&id));
        let moved = &mut self.shared.dispatch.groups_view.moved_out;
        moved.retain(|moved| !gone.contains(&moved.id));
    }

    /// Removes all groups from the screen.
    pub(crate) fn clear_groups(&mut self) {
        self.shared.dispatch.groups.clear();
        self.shared.dispatch.groups_view.moved_out.clear();
        self.dispatch.grouped = None;
    }

    /// Returns all consignments that are in a group.
    pub(crate) fn grouped_ids(&self) -> Vec<ConsignmentId> {
        let groups = self.shared.dispatch.groups.value().into_iter().flatten();
        let ids = groups.flat_map(|group| group.consignment_ids.iter().copied());
        ids.collect()
    }

    fn move_out(&mut self, id: ConsignmentId, hold: bool) {
        let taken = self.take_out(&HashSet::from([id]), hold);
        if hold && taken {
            self.run_dispatch(DispatchCommand::SetOnHold(vec![id], true));
        }
    }

    /// Takes consignments out of their groups and remembers these groups; locked consignments stay. Returns whether
    /// any consignment was taken out.
    pub(crate) fn take_out(&mut self, ids: &HashSet<ConsignmentId>, held: bool) -> bool {
        let locked = &self.shared.operations.locked;
        let leaves = |id: &ConsignmentId| ids.contains(id) && !locked.contains_key(id);
        let mut taken = Vec::new();
        for group in self.shared.dispatch.groups.value().into_iter().flatten() {
            let of_it: Vec<_> = { group.consignment_ids.iter() }
                .copied()
                .filter(leaves)
                .collect();
            if !of_it.is_empty() {
                let group = Arc::new(group.clone());
                taken.extend(of_it.into_iter().map(|id| RemovedMember {
                    id,
                    number: self.number_of(id),
                    group: Arc::clone(&group),
                    held,
                }));
            }
        }
        let out: HashSet<_> = taken.iter().map(|member| member.id).collect();
        self.shared.dispatch.groups_view.moved_out.extend(taken);
        self.leave_groups(|id| out.contains(&id));
        !out.is_empty()
    }

    /// Puts the consignment that was taken out last back into its group.
    fn move_back(&mut self) {
        let Some(moved) = self.shared.dispatch.groups_view.moved_out.pop() else {
            return;
        };
        if self.shared.dispatch.on_hold.contains(&moved.id) {
            self.run_dispatch(DispatchCommand::SetOnHold(vec![moved.id], false));
        }
        let others = self.shared.dispatch.groups_view.moved_out.iter();
        let others: HashSet<_> = others.map(|other| other.id).collect();
        let Some(groups) = self.shared.dispatch.groups.value_mut() else {
            return;
        };
        let was: HashSet<_> = moved.group.consignment_ids.iter().copied().collect();
        let rest = |group: &&mut ManifestGroup| {
            let ids = &group.consignment_ids;
            ids.iter().all(|id| was.contains(id))
        };
        if let Some(group) = groups.iter_mut().find(rest) {
            // Keeps the old order, without consignments that left the group meanwhile.
            let now: HashSet<_> = group.consignment_ids.iter().copied().collect();
            let stays = |id: &&ConsignmentId| now.contains(*id) || **id == moved.id;
            let was = moved.group.consignment_ids.iter();
            group.consignment_ids = was.filter(stays).copied().collect();
        } else if was.iter().all(|id| *id == moved.id || others.contains(id)) {
            // All other consignments of the group were taken out, too, so nothing of the group was booked.
            groups.push(ManifestGroup {
                consignment_ids: vec![moved.id],
                ..ManifestGroup::clone(&moved.group)
            });
        } else {
            // The old group's details include other consignments, so the service has to group again.
            let mut ids = self.grouped_ids();
            ids.push(moved.id);
            self.group(Some(ids));
        }
    }

    /// Requests new groups for the consignments that are in groups now or, after a failure, for the consignments of
    /// the failed request. Consignments that were taken out stay out, and consignments that no longer wait for a
    /// manifest are left out.
    pub(crate) fn group_again(&mut self) {
        let standing = self.grouped_ids();
        let asked = if self.shared.dispatch.groups.problem().is_some() || standing.is_empty() {
            self.dispatch.grouped.clone()
        } else {
            Some(standing)
        };
        let Some(mut ids) = asked else {
            return self.group(None);
        };
        if self.shared.dispatch.unmanifested.value().is_some() {
            ids.retain(|id| self.shared.dispatch.lists(*id));
        }
        if ids.is_empty() {
            self.clear_groups();
            let words = "Nothing left to group";
            let advice = "None of these consignments is unmanifested any more";
            return self.notify(Notice::new(Tone::Warning, words, advice));
        }
        self.group(Some(ids));
    }

    /// Groups the consignments of a booking that are still unmanifested, together with all consignments in groups.
    fn group_rest(&mut self, operation: OperationId) {
        let members = self.shared.dispatch.groups_view.members.get(&operation);
        let members = members.into_iter().flatten();
        let waiting = members.filter(|member| member.state == MemberState::Waiting);
        let mut ids: Vec<_> = waiting.map(|member| member.id).collect();
        let known: HashSet<_> = ids.iter().copied().collect();
        let standing = self.grouped_ids();
        ids.extend(standing.into_iter().filter(|id| !known.contains(id)));
        self.dismiss_booking(operation);
        if !ids.is_empty() {
            self.group(Some(ids));
        }
    }
}

impl Core {
    pub(crate) fn list_manifests(&mut self) {
        let rule = self.setup.settings.rule_for(DocumentKind::Manifest, None);
        let printer = rule.ok().map(|(_, printer)| printer.name.clone());
        self.shared.dispatch.groups_view.printer = printer;
        let fetch = self.work.reads().manifests();
        self.shared.dispatch.groups_view.manifests.start(fetch);
    }

    pub(crate) fn open_manifest(&mut self, operation: OperationId) {
        let shown = &mut self.shared.dispatch.groups_view;
        if shown.shown != Some(operation) {
            shown.shown = Some(operation);
            shown.manifest.clear();
        }
        shown.manifest.start(self.work.reads().manifest(operation));
        if shown.manifests.value().is_none() {
            self.list_manifests();
        }
    }

    /// Opens the newest manifest, unless one is open already.
    pub(crate) fn manifests_came(&mut self) {
        let view = &self.shared.dispatch.groups_view;
        let newest = view.manifests.value().and_then(|list| list.first());
        if let (None, Some(newest)) = (view.shown, newest) {
            self.open_manifest(newest.operation);
        }
    }

    pub(crate) fn print_manifest(&mut self, operation: OperationId) {
        let carrier = self.manifest_carrier(operation);
        let facts = ConsignmentFacts::of_carrier(&carrier);
        let printer = self.printer_for(DocumentKind::Manifest, Some(&facts));
        if let Some(printer) = printer {
            self.print_manifest_on(operation, printer);
        }
    }

    /// Prints a manifest that was just booked on the printers of the rules for this moment.
    pub(crate) fn print_booked_manifest(&mut self, operation: OperationId) {
        let carrier = self.manifest_carrier(operation);
        let facts = ConsignmentFacts::of_carrier(&carrier);
        for (rule, printer) in self.setup.settings.rules_at(PrintMoment::Booking) {
            if rule.document == DocumentKind::Manifest && rule.applies_to(&facts) {
                self.print_manifest_on(operation, printer);
            }
        }
    }

    /// Returns the name of the carrier with which a manifest was booked, as the rules have it; empty if it is not known.
    fn manifest_carrier(&self, operation: OperationId) -> String {
        let list = self.shared.dispatch.groups_view.manifests.value();
        let row = list.and_then(|list| list.iter().find(|row| row.operation == operation));
        let payload = self.shared.operations.by_id(operation);
        let payload = payload.and_then(|operation| operation.payload());
        let name = match (row, payload) {
            (Some(row), _) => row.carrier.as_str(),
            (None, Some(Payload::Manifest(group))) => {
                group.carrier_name.as_deref().unwrap_or_default()
            }
            _ => "",
        };
        let mut carriers = self.shared.catalogue.carriers.iter();
        let known = carriers.find(|carrier| carrier.name == name || carrier.label() == name);
        known.map_or(name, Carrier::label).to_owned()
    }

    fn print_manifest_on(&mut self, operation: OperationId, printer: PrinterProfile) {
        let name = self.manifest_name(operation);
        let reason = self.reason_for_copy(&name);
        let order = DocumentOrder {
            paper: DocumentSource::Manifest(operation),
            reason: reason.to_owned(),
            name,
            printer,
        };
        self.work.submit(Request::PrintDocument(Box::new(order)));
    }

    /// Returns a name such as `Manifest SCR-000012`, by the carrier's reference, else the service's number,
    /// else the id of our operation.
    pub(crate) fn manifest_name(&self, operation: OperationId) -> String {
        let list = self.shared.dispatch.groups_view.manifests.value();
        let row = list.and_then(|list| list.iter().find(|row| row.operation == operation));
        let known = self.shared.operations.by_id(operation);
        let reference = known.map_or_else(
            || row.map(|row| row.reference.clone()).unwrap_or_default(),
            |operation| operation.reference.clone(),
        );
        if !reference.is_empty() {
            return format!("Manifest {reference}");
        }
        let number = |row: &ManifestRow| Some(format!("Manifest {}", row.manifest?));
        row.and_then(number)
            .unwrap_or_else(|| format!("Manifest for booking {}", operation.0))
    }
}
