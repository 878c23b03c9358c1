//! Manifests: the groups that the service makes for booking; and booked manifests, the journal's copies of them, and
//! their printed pages.
//!
//! A copy is made from consignments that were read back from the service. Once the copy exists, the manifest can be
//! shown and printed without the service.

use std::collections::{BTreeSet, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

use jiff::tz::TimeZone;

use super::paper::{counted, draw, joined, kilograms};
use super::save::save_file;
use super::{EngineContext, EngineError, Failure, Fetch, Outcome, Reads, blocking};
use client::Client;
use draft::countries::is_australia;
use printing::document::ColumnKind::{Code, Figures, Words};
use printing::document::{DocumentContent, DrawnPdf, Table};
use shipping::{
    CompanyId, Consignment, ConsignmentId, LocalTime, Location, ManifestGroup, ManifestId,
    ManifestResult, Status, time_zone_of,
};
use storage::{
    BookedLine, BookedManifest, ManifestRow, Operation, OperationId, Payload, PickupPlace,
};

/// A booked manifest, with a message about what its printed page can't show.
#[derive(Debug, Clone, PartialEq)]
pub struct ManifestPage {
    pub manifest: BookedManifest,
    pub message: Option<String>,
}

/// The state of a consignment in a booking when it was last read: waiting, on a manifest, or gone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MemberState {
    Waiting,
    Manifested(ManifestId),
    /// On a manifest that is not from this booking, according to the service's answer to the booking.
    Elsewhere(ManifestId),
    /// Any other status, by its name.
    Other(String),
    Gone,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookingMember {
    pub id: ConsignmentId,
    pub number: String,
    pub state: MemberState,
}

/// The part of the service's answer to a booking that tells which manifest is ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum BookingReply {
    /// The answer was lost, or arrived before the program was last started.
    #[default]
    Nothing,
    /// Booked, but the answer names no manifest.
    Booked,
    /// Not booked. If its consignments are on a manifest, another booking made that manifest.
    Refused,
    Manifest(ManifestId),
}

impl BookingReply {
    pub(super) fn of(result: &ManifestResult) -> Self {
        match result.id.filter(|id| id.get() != 0) {
            Some(id) => Self::Manifest(id),
            None if result.booking_successful => Self::Booked,
            None => Self::Refused,
        }
    }

    pub(super) fn may_be(self, manifest: ManifestId) -> bool {
        match self {
            Self::Nothing | Self::Booked => true,
            Self::Refused => false,
            Self::Manifest(own) => own == manifest,
        }
    }
}

fn members(ids: &[ConsignmentId], found: &[Consignment], said: BookingReply) -> Vec<BookingMember> {
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

impl EngineContext {
    /// Sends the state of each consignment of a booking to the window.
    pub(super) async fn tell_members(&self, operation: &Operation, found: &[Consignment]) {
        let said = self.booking_reply(operation.id);
        let members = members(&operation.consignments, found, said);
        self.tell(Outcome::BookingRead {
            operation: operation.id,
            members,
        })
        .await;
    }

    /// Stores the manifest of a booking. A failure is only logged: the manifest is fetched again when its
    /// page is requested.
    pub(super) async fn keep_manifest(&self, operation: &Operation, found: &[Consignment]) {
        let said = self.booking_reply(operation.id);
        let Some(manifest) = manifest(operation, found, said) else {
            return;
        };
        let (id, now) = (operation.id, self.now());
        let kept = self
            .journal(move |journal| journal.keep_manifest(id, &manifest, now))
            .await;
        if let Err(error) = kept {
            tracing::warn!(%error, "a booked manifest could not be kept");
        }
    }

    /// Returns a booked manifest from the journal; otherwise fetches and stores it.
    pub(super) async fn manifest(&self, id: OperationId) -> Result<BookedManifest, EngineError> {
        let kept = self.journal(move |journal| journal.manifest(id)).await?;
        if let Some(kept) = kept {
            return Ok(kept);
        }
        let operation = self.operation(id).await?;
        let found = self.client.consignments(&operation.consignments).await?;
        let said = self.booking_reply(id);
        let made = manifest(&operation, &found, said).ok_or(EngineError::Internal)?;
        self.keep_manifest(&operation, &found).await;
        Ok(made)
    }

    pub(super) async fn manifest_page(
        &self,
        id: OperationId,
    ) -> Result<(BookedManifest, DrawnPdf), EngineError> {
        let manifest = self.manifest(id).await?;
        // Drawing takes some milliseconds a page: too long for a thread that serves sockets.
        blocking(move || {
            let drawn = draw(&page(&manifest))?;
            Ok::<_, EngineError>((manifest, drawn))
        })
        .await
    }
}

/// Collects the content of the page. Returns `None` if no consignment is on our manifest, or if several
/// manifests may be ours.
fn manifest(
    operation: &Operation,
    found: &[Consignment],
    said: BookingReply,
) -> Option<BookedManifest> {
    let Some(Payload::Manifest(group)) = operation.payload() else {
        return None;
    };
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
        group: group.as_ref().clone(),
    })
}

fn place(one: &Consignment) -> PickupPlace {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let street = [&one.from_address_line1, &one.from_address_line2];
    PickupPlace {
        name: text(&one.from_name),
        street: street
            .into_iter()
            .flatten()
            .filter(|line| !line.trim().is_empty())
            .cloned()
            .collect(),
        place: place_line(one.from_location.as_ref(), one.from_country_code.as_deref()),
        contact: text(&one.from_contact),
        phone: text(&one.from_phone),
        zone: { one.from_location.as_ref() }
            .map_or_else(String::new, |place| time_zone_of(place).to_owned()),
    }
}

/// Returns `Ballarat Central VIC 3350`, followed by the country if it is not Australia.
fn place_line(location: Option<&Location>, country: Option<&str>) -> String {
    let Some(location) = location else {
        return String::new();
    };
    let country = country.filter(|country| !is_australia(country));
    let parts = [
        &*location.suburb,
        &location.state,
        &location.postcode,
        country.unwrap_or_default(),
    ];
    joined(&parts, " ")
}

fn line(one: &Consignment) -> BookedLine {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let goods = one.items().iter();
    let goods = goods.flat_map(|item| &item.consignment_item_dg_items);
    let un_numbers: BTreeSet<_> = goods
        .filter_map(|good| good.un_number)
        .map(|number| i64::from(number.get()))
        .collect();
    BookedLine {
        id: one.id,
        number: one.consignment_number.clone(),
        carrier_number: text(&one.carrier_consignment_id),
        reference: text(&one.customer_reference),
        to: text(&one.to_name),
        place: place_line(one.to_location.as_ref(), one.to_country_code.as_deref()),
        pieces: one.pieces(),
        weight: one.total_weight,
        dangerous: one.has_dangerous_goods(),
        un_numbers: un_numbers.into_iter().collect(),
    }
}

impl Reads {
    pub fn groups(&self, ids: Vec<ConsignmentId>) -> Fetch<Vec<ManifestGroup>> {
        self.fetch(move |client| async move { client.group(&ids).await })
    }

    /// Fetches the groups of all unmanifested consignments that are not in `left_out`.
    pub fn groups_of_all(
        &self,
        company: CompanyId,
        left_out: HashSet<ConsignmentId>,
    ) -> Fetch<Vec<ManifestGroup>> {
        self.fetch(move |client| async move { all_but(&client, company, &left_out).await })
    }

    /// Lists the manifests booked from this bench, newest first.
    pub fn manifests(&self) -> Fetch<Arc<Vec<ManifestRow>>> {
        self.journal(|journal| Ok(Arc::new(journal.manifests()?)))
    }

    pub fn manifest(&self, id: OperationId) -> Fetch<Arc<ManifestPage>> {
        self.job(move |bench| async move {
            let (manifest, drawn) = bench.manifest_page(id).await?;
            Ok(Arc::new(ManifestPage {
                manifest,
                message: drawn.message,
            }))
        })
    }

    /// Saves a manifest's page at the typed path, otherwise where the clerk chooses in a dialog that suggests
    /// `name`. Returns `None` if the clerk cancels.
    pub fn save_manifest(
        &self,
        id: OperationId,
        name: String,
        typed: Option<PathBuf>,
    ) -> Fetch<Option<PathBuf>> {
        self.job(move |bench| async move {
            let (_manifest, drawn) = bench.manifest_page(id).await?;
            save_file("Save manifest", &name, typed, &drawn.pdf).await
        })
    }
}

/// Groups all consignments, then groups again each group that contains an excluded consignment, without that
/// consignment. The service can group only all consignments or a selection. A selection of "all but a few" could be
/// of any size (the documentation shows no limit), and removing ids from a group ourselves would leave its pallet
/// spaces too high. The request that groups such a group again is no larger than the booking of the group.
///
/// Invariants: an excluded consignment is in no group, and a group's default pickup (above all its pallet
/// spaces) is computed from exactly the consignments in it.
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

/// Makes the printed page of a booked manifest.
fn page(manifest: &BookedManifest) -> DocumentContent {
    let reference = if manifest.reference.is_empty() {
        numbers(manifest)
    } else {
        manifest.reference.clone()
    };
    let mut totals = vec![String::new(); 7];
    totals[3] = counted(manifest.lines.len(), "consignment", "consignments");
    totals[4] = manifest.pieces().to_string();
    totals[5] = kilograms(manifest.weight());
    DocumentContent {
        title: format!("Manifest · {}", manifest.carrier()),
        reference,
        stamp: if manifest.is_test { "TEST" } else { "" }.to_owned(),
        facts: manifest_facts(manifest),
        tables: vec![Table {
            totals,
            ..Table::of(
                &manifest.lines,
                &[
                    ("Consignment", 1.55, Code, &|line| line.number.clone()),
                    ("Carrier con. no.", 1.75, Code, &|line| {
                        line.carrier_number.clone()
                    }),
                    ("Reference", 1.5, Code, &|line| line.reference.clone()),
                    ("Receiver", 3.2, Words, &|line| {
                        joined(&[&line.to, &line.place], ", ")
                    }),
                    ("Pieces", 0.8, Figures, &|line| line.pieces.to_string()),
                    ("kg", 0.95, Figures, &|line| {
                        line.weight.map(kilograms).unwrap_or_default()
                    }),
                    ("Dangerous", 1.25, Words, &un_numbers),
                ],
            )
        }],
        notes: notes(manifest),
        signatures: vec!["Driver".to_owned(), "Clerk".to_owned()],
        foot: format!("{} · {}", manifest.from.name, clocks(manifest)),
        ..DocumentContent::default()
    }
}

fn manifest_facts(manifest: &BookedManifest) -> Vec<(&'static str, String)> {
    let group = &manifest.group;
    let from = &manifest.from;
    let street = from.street.join(", ");
    let pickup = match (group.pickup_already_booked, group.pickup_date_time) {
        (true, _) => "Pickup already booked".to_owned(),
        (false, Some(at)) => format!("{} {}", in_full(at), zone_name(at, &from.zone)),
        (false, None) => "No fixed time".to_owned(),
    };
    let closes = group.pickup_closing_time.map(|at| {
        let same_day = group
            .pickup_date_time
            .is_some_and(|pickup| pickup.0.date() == at.0.date());
        if same_day {
            at.0.strftime("%H:%M").to_string()
        } else {
            in_full(at)
        }
    });
    let spaces = group.pallet_spaces.map(|spaces| spaces.to_string());
    let mut facts = vec![
        ("Carrier", manifest.carrier().to_owned()),
        ("Carrier's reference", dashed(&manifest.reference)),
        (
            "Pickup address",
            joined(&[&from.name, &street, &from.place], ", "),
        ),
        ("Manifest", numbers(manifest)),
        (
            "Contact",
            dashed(&joined(&[&from.contact, &from.phone], ", ")),
        ),
        ("Pallet spaces", spaces.unwrap_or_else(|| "–".to_owned())),
        ("Pickup", pickup),
        ("Closes", closes.unwrap_or_else(|| "–".to_owned())),
    ];
    if let Some(words) = group.pickup_special_instructions.as_deref()
        && !words.trim().is_empty()
    {
        facts.push(("Driver instructions", words.to_owned()));
    }
    facts
}

fn un_numbers(line: &BookedLine) -> String {
    let un: Vec<_> = { line.un_numbers.iter() }
        .map(|number| format!("UN {number:04}"))
        .collect();
    match (line.dangerous, un.is_empty()) {
        (false, _) => String::new(),
        (true, true) => "Yes".to_owned(),
        (true, false) => un.join(", "),
    }
}

fn notes(manifest: &BookedManifest) -> Vec<String> {
    let mut notes = Vec::new();
    if manifest.missing > 0 {
        let missing = counted(manifest.missing, "consignment", "consignments");
        notes.push(format!(
            "{missing} of this booking are not on this manifest."
        ));
    }
    notes.push(dangerous_goods(manifest));
    if manifest.is_test {
        notes.push("Test only: no carrier will collect this manifest.".to_owned());
    }
    notes
}

/// Describes the dangerous goods and their declaration. Only the declaration that was sent to the carrier counts.
fn dangerous_goods(manifest: &BookedManifest) -> String {
    let with = manifest.dangerous();
    let hold = match with {
        0 => "Dangerous goods.".to_owned(),
        _ => format!(
            "{} dangerous goods.",
            counted(with, "consignment holds", "consignments hold")
        ),
    };
    match (manifest.is_declared(), with) {
        (true, _) => format!(
            "{hold} They are declared: fully and accurately described by their proper shipping names, classified, packaged, marked \
             and labelled or placarded, and in all respects in proper condition for transport according to the ADG Code. A \
             transport document goes with them."
        ),
        (false, 0) => "No dangerous goods are declared.".to_owned(),
        (false, _) => format!(
            "{hold} They were not declared in the booking: ask the carrier before you hand them over."
        ),
    }
}

/// Returns the numbers of the manifest, separated by commas: usually one.
fn numbers(manifest: &BookedManifest) -> String {
    let numbers: Vec<_> = manifest.ids.iter().map(ToString::to_string).collect();
    numbers.join(", ")
}

fn dashed(text: &str) -> String {
    if text.is_empty() { "–" } else { text }.to_owned()
}

fn in_full(at: LocalTime) -> String {
    at.0.strftime("%a %-d %b %Y %H:%M").to_string()
}

/// Returns the name of the place's time zone at that time, such as `AEDT`.
fn zone_name(at: LocalTime, zone: &str) -> String {
    let clocks = TimeZone::get(zone).ok();
    let moment = at.in_zone(zone).ok();
    match (clocks, moment) {
        (Some(clocks), Some(moment)) => clocks.to_offset_info(moment.0).abbreviation().to_owned(),
        // The zone is unknown: say so, so that nobody reads the time in the bench's zone.
        _ => "(local time)".to_owned(),
    }
}

/// Returns the time of the booking in the time zone of the pickup place, or in UTC if that zone is unknown.
fn clocks(manifest: &BookedManifest) -> String {
    let zone = match TimeZone::get(&manifest.from.zone) {
        Ok(_) => manifest.from.zone.as_str(),
        Err(_unknown) => "UTC",
    };
    let at = LocalTime::at(manifest.booked, zone);
    let zone = zone_name(at, zone);
    format!("booked {} {zone}", in_full(at))
        .trim_end()
        .to_owned()
}
