//! Grouping for a manifest: of these, or of all but some.
//!
//! What always holds: what is to be left out is in no group, and a group's default pickup (its pallet spaces, above all) is
//! that of exactly the consignments in it.

use std::collections::HashSet;

use super::Failure;
use super::reads::Reads;
use super::remote::Fetch;
use crate::client::Client;
use crate::shipping::{CompanyId, ConsignmentId, ManifestGroup};

impl Reads {
    /// Groups of these.
    pub fn groups(&self, ids: Vec<ConsignmentId>) -> Fetch<Vec<ManifestGroup>> {
        self.fetch(move |client| async move { client.group(&ids).await })
    }

    /// Groups of all that wait, but for `left_out`.
    pub fn groups_of_all(
        &self,
        company: CompanyId,
        left_out: HashSet<ConsignmentId>,
    ) -> Fetch<Vec<ManifestGroup>> {
        self.fetch(move |client| async move { all_but(&client, company, &left_out).await })
    }
}

/// The interface groups all, or a selection. A selection of all but a few would be a request of any size (its limit is "not
/// shown"); taking ids out of a group by hand would leave the pallet spaces of what is not in it. So all are grouped, and
/// only a group that holds something to be left out is asked for again, without that: it is as large as its booking will be.
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
