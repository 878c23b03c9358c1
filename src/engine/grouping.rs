//! Asks the service to group consignments for manifests: a selection, or all but a few.
//!
//! Invariants: an excluded consignment is in no group, and a group's default pickup (above all its pallet
//! spaces) is computed from exactly the consignments in it.

use std::collections::HashSet;

use super::Failure;
use super::reads::Reads;
use super::remote::Fetch;
use client::Client;
use shipping::{CompanyId, ConsignmentId, ManifestGroup};

impl Reads {
    /// Fetches the groups of a selection.
    pub fn groups(&self, ids: Vec<ConsignmentId>) -> Fetch<Vec<ManifestGroup>> {
        self.fetch(move |client| async move { client.group(&ids).await })
    }

    /// Fetches the groups of all unmanifested consignments except those in `left_out`.
    pub fn groups_of_all(
        &self,
        company: CompanyId,
        left_out: HashSet<ConsignmentId>,
    ) -> Fetch<Vec<ManifestGroup>> {
        self.fetch(move |client| async move { all_but(&client, company, &left_out).await })
    }
}

/// Groups all consignments, then groups again the groups that contain an excluded one, without it. The
/// interface can group only all consignments or a selection. A selection of "all but a few" could be of any
/// size (the documentation shows no limit), and removing ids from a group ourselves would leave its pallet
/// spaces too high. A repeated request is no larger than the booking of the group.
async fn all_but(
    client: &Client,
    company: CompanyId,
    left_out: &HashSet<ConsignmentId>,
) -> Result<Vec<ManifestGroup>, Failure> {
    let mut groups = Vec::new();
    for group in client.group_all(company).await? {
        let ids = &group.consignment_ids;
        let rest: Vec<_> = ids
            .iter()
            .copied()
            .filter(|id| !left_out.contains(id))
            .collect();
        if rest.len() == ids.len() {
            groups.push(group);
        } else if !rest.is_empty() {
            groups.extend(client.group(&rest).await?);
        }
    }
    Ok(groups)
}
