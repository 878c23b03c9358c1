//! Booked manifests: what is kept of them once they were read back, and their page on paper.
//!
//! What always holds: what a page says was read back from the service; a manifest that is kept needs the service no more.

mod page;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use super::bench::Bench;
use super::reads::Reads;
use super::remote::Fetch;
use super::{Outcome, WorkError};
use crate::draft::countries::is_home;
use crate::journal::{
    BookedLine, BookedManifest, BookedPlace, ManifestRow, Operation, OperationId,
};
use crate::printing::document::Drawn;
use crate::shipping::{
    Consignment, ConsignmentId, Location, ManifestGroup, ManifestId, ManifestResult, Status,
    zone_of,
};

/// A booked manifest, and what its page on paper can't say.
#[derive(Debug, Clone, PartialEq)]
pub struct ManifestPage {
    /// Its consignments and pickup.
    pub manifest: BookedManifest,
    /// A message to the clerk that names the letters which the page's font lacks.
    pub missing_letters: Option<String>,
}

/// Where a consignment of a booking was when it was looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MemberState {
    /// Unmanifested.
    Waiting,
    /// On this manifest.
    Manifested(ManifestId),
    /// On this manifest, which is not the one that the service answered the booking with.
    Elsewhere(ManifestId),
    /// Anything else, by its name.
    Other(String),
    /// The service has it no longer.
    Gone,
}

/// A consignment of a booking, as it was read back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookingMember {
    /// Its id.
    pub id: ConsignmentId,
    /// Its number.
    pub number: String,
    /// Where it was.
    pub state: MemberState,
}

/// What the service answered to a booking, as far as that says which manifest is ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Said {
    /// Nothing: the answer was lost, or came before this start.
    #[default]
    Nothing,
    /// It was booked, on a manifest that the answer does not name.
    Booked,
    /// It was not booked: whatever manifest they are on is another's.
    Refused,
    /// It is on this one.
    Manifest(ManifestId),
}

impl Said {
    /// What an answer says.
    pub(super) fn of(result: &ManifestResult) -> Self {
        match result.id.filter(|id| id.get() != 0) {
            Some(id) => Self::Manifest(id),
            None if result.booking_successful => Self::Booked,
            None => Self::Refused,
        }
    }

    /// Whether that manifest may be ours.
    pub(super) fn may_be(self, manifest: ManifestId) -> bool {
        match self {
            Self::Nothing | Self::Booked => true,
            Self::Refused => false,
            Self::Manifest(own) => own == manifest,
        }
    }
}

/// The consignments of a booking, each as it was found.
fn members(ids: &[ConsignmentId], found: &[Consignment], said: Said) -> Vec<BookingMember> {
    let member = |id: &ConsignmentId| {
        let Some(one) = found.iter().find(|one| one.id == *id) else {
            return BookingMember {
                id: *id,
                number: format!("MS{id}"),
                state: MemberState::Gone,
            };
        };
        let state = match one.manifest_id.filter(|_| one.is_manifested()) {
            Some(manifest) if !said.may_be(manifest) => MemberState::Elsewhere(manifest),
            Some(manifest) => MemberState::Manifested(manifest),
            None if one.is_unmanifested() => MemberState::Waiting,
            None => MemberState::Other(
                one.status()
                    .map_or_else(|| "No status".to_owned(), Status::label),
            ),
        };
        BookingMember {
            id: *id,
            number: one.consignment_number.clone(),
            state,
        }
    };
    ids.iter().map(member).collect()
}

impl Bench {
    /// Tells where each consignment of a booking is.
    pub(super) async fn tell_members(&self, operation: &Operation, found: &[Consignment]) {
        let said = self.said_to(operation.id);
        let members = members(&operation.consignments, found, said);
        self.tell(Outcome::BookingRead {
            operation: operation.id,
            members,
        })
        .await;
    }

    /// Keeps what of a booking is on a manifest. Nothing depends on it: what is missing is fetched when its page is asked for.
    pub(super) async fn keep_manifest(&self, operation: &Operation, found: &[Consignment]) {
        let said = self.said_to(operation.id);
        let Some(manifest) = manifest(operation, found, said) else {
            return;
        };
        let (id, now) = (operation.id, self.now());
        let kept = self
            .writer
            .run(move |journal| journal.keep_manifest(id, &manifest, now))
            .await;
        if let Err(error) = kept {
            tracing::warn!(%error, "a booked manifest could not be kept");
        }
    }

    /// A booked manifest, from the journal; what is not there is asked of the service and kept.
    pub(super) async fn manifest(&self, id: OperationId) -> Result<BookedManifest, WorkError> {
        let kept = self.writer.run(move |journal| journal.manifest(id)).await?;
        if let Some(kept) = kept {
            return Ok(kept);
        }
        let operation = self.operation(id).await?;
        let found = self.client.consignments(&operation.consignments).await?;
        let said = self.said_to(id);
        let made = manifest(&operation, &found, said).ok_or(WorkError::Internal)?;
        self.keep_manifest(&operation, &found).await;
        Ok(made)
    }

    /// A booked manifest and its page, as PDF.
    pub(super) async fn manifest_page(
        &self,
        id: OperationId,
    ) -> Result<(BookedManifest, Drawn), WorkError> {
        let manifest = self.manifest(id).await?;
        // Some milliseconds a page: not for a thread that serves sockets.
        let drawn = tokio::task::spawn_blocking(move || {
            let drawn = page::pdf(&manifest)?;
            Ok((manifest, drawn))
        });
        drawn.await.map_err(|_panicked| WorkError::Internal)?
    }
}

/// Everything that the page says; nothing where none of them is on our manifest, or nobody knows which of several is ours.
fn manifest(operation: &Operation, found: &[Consignment], said: Said) -> Option<BookedManifest> {
    let group: ManifestGroup = serde_json::from_str(&operation.request).ok()?;
    let ours = |one: &&Consignment| {
        one.is_manifested() && one.manifest_id.is_some_and(|id| said.may_be(id))
    };
    let mut on_it: Vec<&Consignment> = found.iter().filter(ours).collect();
    on_it.sort_by_key(|one| one.id);
    let first = on_it.first()?;
    let ids: BTreeSet<_> = on_it.iter().filter_map(|one| one.manifest_id).collect();
    if ids.len() > 1 {
        return None;
    }
    Some(BookedManifest {
        ids: ids.into_iter().collect(),
        reference: operation.reference.clone(),
        company: group.company_id,
        from: place(first),
        missing: operation.consignments.len().saturating_sub(on_it.len()),
        is_test: on_it.iter().any(|one| one.is_test == Some(true)),
        lines: on_it.iter().map(|one| line(one)).collect(),
        booked: operation.changed,
        group,
    })
}

fn place(one: &Consignment) -> BookedPlace {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let street = [&one.from_address_line1, &one.from_address_line2];
    BookedPlace {
        name: text(&one.from_name),
        street: street
            .into_iter()
            .flatten()
            .filter(|line| !line.trim().is_empty())
            .cloned()
            .collect(),
        place: spot(one.from_location.as_ref(), one.from_country_code.as_deref()),
        contact: text(&one.from_contact),
        phone: text(&one.from_phone),
        zone: { one.from_location.as_ref() }
            .map_or_else(String::new, |place| zone_of(place).to_owned()),
    }
}

/// `Ballarat Central VIC 3350`, with the country where it is abroad.
fn spot(location: Option<&Location>, country: Option<&str>) -> String {
    let Some(location) = location else {
        return String::new();
    };
    let country = country.filter(|country| !is_home(country));
    [
        location.suburb.as_str(),
        location.state.as_str(),
        location.postcode.as_str(),
        country.unwrap_or_default(),
    ]
    .into_iter()
    .filter(|part| !part.is_empty())
    .collect::<Vec<_>>()
    .join(" ")
}

fn line(one: &Consignment) -> BookedLine {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let goods = one.items().iter();
    let goods = goods.flat_map(|item| &item.consignment_item_dg_items);
    let un_numbers: BTreeSet<_> = goods.filter_map(|good| good.un_number).collect();
    BookedLine {
        id: one.id,
        number: one.consignment_number.clone(),
        carrier_number: text(&one.carrier_consignment_id),
        reference: text(&one.customer_reference),
        to: text(&one.to_name),
        place: spot(one.to_location.as_ref(), one.to_country_code.as_deref()),
        pieces: one.pieces(),
        weight: one.total_weight,
        dangerous: one.holds_dangerous_goods(),
        un_numbers: un_numbers.into_iter().collect(),
    }
}

impl Reads {
    /// What was booked from here, newest first.
    pub fn manifests(&self) -> Fetch<Arc<Vec<ManifestRow>>> {
        self.job(|bench| async move {
            let rows = bench.writer.run(|journal| journal.manifests()).await?;
            Ok(Arc::new(rows))
        })
    }

    /// A booked manifest, whole.
    pub fn manifest(&self, id: OperationId) -> Fetch<Arc<ManifestPage>> {
        self.job(move |bench| async move {
            let (manifest, drawn) = bench.manifest_page(id).await?;
            Ok(Arc::new(ManifestPage {
                manifest,
                missing_letters: drawn.missing_letters,
            }))
        })
    }

    /// Saves a manifest's page at the typed path, else where the clerk says in a dialog that proposes `name`; nothing where
    /// the clerk changed their mind.
    pub fn save_manifest(
        &self,
        id: OperationId,
        name: String,
        typed: Option<PathBuf>,
    ) -> Fetch<Option<PathBuf>> {
        self.job(move |bench| async move {
            let (_manifest, drawn) = bench.manifest_page(id).await?;
            super::reads::save("Save manifest", name, typed, drawn.pdf).await
        })
    }
}
