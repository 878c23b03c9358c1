//! Booked manifests, with everything that the printed page needs, so that they can be printed while the service is
//! unavailable.
//!
//! A row belongs to the operation that booked the manifest and is deleted with it. Its content was read back
//! from the service.

use jiff::Timestamp;
use jiff::civil::Time;
use rusqlite::{Row, params};
use serde::{Deserialize, Serialize};

use super::sql_types::{Millis, first_row, rows};
use super::{Journal, OperationId, OperationState, Result};
use shipping::{CompanyId, ConsignmentId, Kilograms, LocalTime, ManifestGroup, ManifestId};

pub(super) const TABLES: &str = "
CREATE TABLE manifests (
    operation INTEGER PRIMARY KEY,
    manifest INTEGER,
    found TEXT NOT NULL,
    lines INTEGER NOT NULL,
    body TEXT NOT NULL,
    kept_ms INTEGER NOT NULL
) STRICT;
";

const MOST: u32 = 5_000;
/// The most manifests that are read for closing times.
const MOST_CLOSINGS: u32 = 100;

/// When a carrier's pickups at a place end, as a manifest was booked last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClosingTime {
    pub carrier: String,
    /// The name of the pickup place.
    pub place: String,
    pub time: Time,
    /// The time zone of the place; empty if it is unknown.
    pub zone: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BookedLine {
    pub id: ConsignmentId,
    /// The consignment number, such as `MS200431`.
    pub number: String,
    pub carrier_number: String,
    pub reference: String,
    pub to: String,
    /// The destination, such as `Ballarat Central VIC 3350`.
    pub place: String,
    pub pieces: i64,
    pub weight: Option<Kilograms>,
    pub dangerous: bool,
    /// The UN numbers of the dangerous goods, where they are known so far.
    pub un_numbers: Vec<i64>,
}

/// The pickup address. Texts that the service did not give are empty.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PickupPlace {
    pub name: String,
    /// One entry for each line of the street address.
    pub street: Vec<String>,
    /// Suburb, state and postcode, such as `Alexandria NSW 2015`.
    pub place: String,
    /// The person to ask for.
    pub contact: String,
    pub phone: String,
    pub zone: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BookedManifest {
    /// Manifest ids that the service gave; several are possible for a booking whose answer was lost.
    pub ids: Vec<ManifestId>,
    pub reference: String,
    pub company: Option<CompanyId>,
    /// The group as it was sent to the service.
    pub group: ManifestGroup,
    pub from: PickupPlace,
    /// The consignments, ordered by number.
    pub lines: Vec<BookedLine>,
    /// Number of consignments in the group that are not on the manifest.
    pub missing: usize,
    /// True for a test manifest, for which no carrier comes.
    pub is_test: bool,
    pub booked: Timestamp,
}

impl BookedManifest {
    pub fn carrier(&self) -> &str {
        self.group.carrier_name.as_deref().unwrap_or_default()
    }

    pub fn pieces(&self) -> i64 {
        self.lines.iter().map(|line| line.pieces).sum()
    }

    /// Returns the total weight in kilograms of the consignments whose weight is known.
    pub fn weight(&self) -> Kilograms {
        let known = self.lines.iter().filter_map(|line| line.weight);
        known.fold(Kilograms::default(), |sum, weight| {
            Kilograms(sum.0 + weight.0)
        })
    }

    pub fn is_declared(&self) -> bool {
        self.group.dgs_declaration == Some(true)
    }

    pub fn dangerous(&self) -> usize {
        self.lines.iter().filter(|line| line.dangerous).count()
    }

    /// Returns the text that a search looks in, in lower case.
    fn findable(&self) -> String {
        let lines = self.lines.iter().flat_map(|line| {
            [
                &*line.number,
                &line.carrier_number,
                &line.reference,
                &line.to,
            ]
        });
        let texts: Vec<_> = [self.carrier(), &self.from.name]
            .into_iter()
            .chain(lines)
            .collect();
        texts.join(" ").to_lowercase()
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ManifestRow {
    pub operation: OperationId,
    pub carrier: String,
    pub reference: String,
    pub manifest: Option<ManifestId>,
    /// Pickup time, in the pickup place's time zone.
    pub pickup: Option<LocalTime>,
    pub count: usize,
    pub booked: Timestamp,
    /// True if only a part of the group was booked.
    pub is_partial: bool,
    pub search_text: String,
}

impl Journal {
    /// Saves a manifest with the operation that booked it. Replaces an earlier version.
    pub fn keep_manifest(
        &mut self,
        operation: OperationId,
        manifest: &BookedManifest,
        now: Timestamp,
    ) -> Result<()> {
        self.write(
            "INSERT OR REPLACE INTO manifests (operation, manifest, found, lines, body, kept_ms)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            params![
                operation.0,
                manifest.ids.first().map(|id| id.get()),
                manifest.findable(),
                i64::try_from(manifest.lines.len()).unwrap_or(i64::MAX),
                serde_json::to_string(manifest)?,
                Millis(now)
            ],
        )
    }

    /// Returns a saved manifest, with the carrier's reference from its operation.
    pub fn manifest(&self, operation: OperationId) -> Result<Option<BookedManifest>> {
        let sql = "SELECT body, reference FROM manifests JOIN operations ON id = operation WHERE operation = ?1";
        let row = first_row(&self.db, sql, [operation.0], |row| {
            Ok((row.get::<_, String>(0)?, row.get(1)?))
        })?;
        let manifest = row.map(|(body, reference)| {
            let manifest: BookedManifest = serde_json::from_str(&body)?;
            Ok(BookedManifest {
                reference,
                ..manifest
            })
        });
        manifest.transpose()
    }

    /// Returns the closing times of the manifests that were booked since then, the newest first.
    pub fn closing_times(&self, since: Timestamp) -> Result<Vec<ClosingTime>> {
        let sql = "SELECT body FROM manifests WHERE kept_ms >= ?1 ORDER BY kept_ms DESC LIMIT ?2";
        let bodies = rows(
            &self.db,
            sql,
            params![Millis(since), MOST_CLOSINGS],
            |row| row.get::<_, String>(0),
        )?;
        let closing = |body: &String| {
            let manifest: BookedManifest = serde_json::from_str(body).ok()?;
            Some(ClosingTime {
                time: manifest.group.pickup_closing_time?.0.time(),
                carrier: manifest.carrier().to_owned(),
                place: manifest.from.name,
                zone: manifest.from.zone,
            })
        };
        Ok(bodies.iter().filter_map(closing).collect())
    }

    /// Returns the manifests booked from this bench, newest first, including saved
    /// manifests of partly booked groups.
    pub fn manifests(&self) -> Result<Vec<ManifestRow>> {
        let sql = "SELECT o.id, o.title, o.reference, o.request, o.consignments, o.changed_ms, o.state, m.manifest, m.found, m.lines
             FROM operations o LEFT JOIN manifests m ON m.operation = o.id
             WHERE o.kind = 'Manifest' AND (o.state = 'Done' OR (m.lines > 0 AND o.state IN ('Conflict', 'Discarded')))
             ORDER BY o.id DESC LIMIT ?1";
        rows(&self.db, sql, [MOST], read)
    }
}

fn read(row: &Row<'_>) -> rusqlite::Result<ManifestRow> {
    let (carrier, reference): (String, String) = (row.get(1)?, row.get(2)?);
    let request: String = row.get(3)?;
    let group = serde_json::from_str::<ManifestGroup>(&request).ok();
    let ids: String = row.get(4)?;
    let state: OperationState = row.get(6)?;
    let manifest = row.get::<_, Option<i64>>(7)?.map(ManifestId::new);
    let kept: Option<String> = row.get(8)?;
    let lines: Option<i64> = row.get(9)?;
    let count = lines.map_or_else(
        || ids.split_whitespace().count(),
        |lines| usize::try_from(lines).unwrap_or_default(),
    );
    // Until the manifest is read back from the service, the search text contains its consignments' ids.
    let kept = kept.unwrap_or_else(|| {
        let ids = ids.split_whitespace().map(|id| format!("ms{id}"));
        ids.collect::<Vec<_>>().join(" ")
    });
    let number = manifest.map(|id| id.to_string()).unwrap_or_default();
    let found = format!("{carrier} {reference} {number} {kept}").to_lowercase();
    Ok(ManifestRow {
        operation: OperationId(row.get(0)?),
        carrier,
        reference,
        manifest,
        pickup: group.and_then(|group| group.pickup_date_time),
        count,
        booked: row.get::<_, Millis>(5)?.0,
        is_partial: state != OperationState::Done,
        search_text: found,
    })
}
