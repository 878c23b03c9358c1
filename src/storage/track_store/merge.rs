//! Merges an answer with the stored row: values that the answer leaves out keep their former content, so that
//! a short answer never erases the values of a complete answer. Values in the answer always win. The merge
//! depends only on the shape of the answer, not on the call that it answers.

use super::row::ConsignmentRow;
use shipping::{Consignment, Location};

impl ConsignmentRow {
    /// Merges a complete answer. Names, places and dates can be changed but not removed, so where they are
    /// missing, this deployment of the service leaves them out. A reference can be removed.
    pub(super) fn merge_complete(self, before: Option<&Self>) -> Self {
        match before {
            None => self,
            Some(before) => self.filled(before),
        }
    }

    /// Merges a row of a list, or the answer to a create or an edit.
    pub(super) fn merge_partial(mut self, said: &Consignment, before: Option<&Self>) -> Self {
        self.international |= is_between_countries(&self.from_place, &self.to_place);
        let Some(before) = before else { return self };
        self.international |= before.international;
        keep(&mut self.reference, &before.reference);
        keep(&mut self.reference2, &before.reference2);
        self.manifest = self.manifest.or(before.manifest);
        if said.status().is_none() {
            self.status.clone_from(&before.status);
            self.ended = before.ended;
        }
        let stands = self.status.id == before.status.id;
        if said.history().is_empty() {
            self.changed = before.changed;
            self.scanned = before.scanned;
            self.booked = before.booked;
            self.ended = self.ended.or(before.ended.filter(|_| stands));
        }
        self.important |= before.important && stands;
        self.filled(before)
    }

    fn filled(mut self, before: &Self) -> Self {
        keep(&mut self.number, &before.number);
        keep(&mut self.carrier_number, &before.carrier_number);
        keep(&mut self.tracking_token, &before.tracking_token);
        keep(&mut self.from, &before.from);
        keep(&mut self.to, &before.to);
        keep_place(&mut self.from_place, &before.from_place);
        keep_place(&mut self.to_place, &before.to_place);
        if self.carrier.is_empty() && self.carrier_id.is_none() {
            self.carrier.clone_from(&before.carrier);
            self.carrier_id = before.carrier_id;
        } else if self.carrier == before.carrier {
            self.carrier_id = self.carrier_id.or(before.carrier_id);
        }
        if self.service.is_empty() && self.service_id.is_none() {
            self.service.clone_from(&before.service);
            self.service_id = before.service_id;
        } else if self.service == before.service {
            self.service_id = self.service_id.or(before.service_id);
        }
        self.company = self.company.or(before.company);
        if self.despatch.is_none() && self.despatch_at.is_none() {
            (self.despatch, self.despatch_at) = (before.despatch, before.despatch_at);
        }
        if self.eta.is_none() && self.eta_at.is_none() {
            (self.eta, self.eta_at) = (before.eta, before.eta_at);
        }
        if self.pieces == 0 {
            self.pieces = before.pieces;
        }
        self.weight = self.weight.or(before.weight);
        self.volume = self.volume.or(before.volume);
        self.price = self.price.or(before.price);
        self
    }
}

fn keep(said: &mut String, before: &str) {
    if said.is_empty() {
        before.clone_into(said);
    }
}

fn keep_place(said: &mut Location, before: &Location) {
    if *said == Location::default() {
        said.clone_from(before);
    }
}

/// Returns true if both countries are known and differ. A row of a list does not say whether a consignment is
/// international, but its places do.
fn is_between_countries(from: &Location, to: &Location) -> bool {
    let of = |place: &Location| place.country.trim().to_uppercase();
    let (from, to) = (of(from), of(to));
    // A country may have two letters, three letters or a name. Two countries are taken as equal if one begins
    // with the other.
    !from.is_empty() && !to.is_empty() && !from.starts_with(&to) && !to.starts_with(&from)
}
