//! What was booked: each manifest with all that its page says, so that it can be printed while the service is away.
//!
//! A row belongs to the operation that booked it and goes with it. What is written here was read back from the service.

use jiff::Timestamp;
use rusqlite::{OptionalExtension as _, Row, params};
use serde::{Deserialize, Serialize};

use super::text::Millis;
use super::{Journal, JournalError, OperationId, OperationState};
use crate::shipping::{CompanyId, ConsignmentId, Kilograms, LocalTime, ManifestGroup, ManifestId};

/// A migration of its own.
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

/// How many are listed.
const MOST: u32 = 5_000;

/// A consignment on a manifest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BookedLine {
    /// Its id.
    pub id: ConsignmentId,
    /// `MS200431`.
    pub number: String,
    /// The carrier's number.
    pub carrier_number: String,
    /// The shipper's reference.
    pub reference: String,
    /// The receiver.
    pub to: String,
    /// `Ballarat Central VIC 3350`.
    pub place: String,
    /// Pieces.
    pub pieces: i64,
    /// Kilograms of all pieces.
    pub weight: Option<Kilograms>,
    /// It holds dangerous goods.
    pub dangerous: bool,
    /// Their UN numbers, as far as they are known.
    pub un_numbers: Vec<i64>,
}

/// Where it is picked up. Texts that the service did not give are empty.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct BookedPlace {
    /// The sender.
    pub name: String,
    /// Street, a line each.
    pub street: Vec<String>,
    /// `Alexandria NSW 2015`.
    pub place: String,
    /// Person to ask for.
    pub contact: String,
    /// Their phone.
    pub phone: String,
    /// IANA time zone.
    pub zone: String,
}

/// A manifest, whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BookedManifest {
    /// Which the service says it is; of a booking with a lost answer there may be several.
    pub ids: Vec<ManifestId>,
    /// The carrier's reference; empty where it gave none.
    pub reference: String,
    /// Whose it is.
    pub company: Option<CompanyId>,
    /// The group as it was sent.
    pub group: ManifestGroup,
    /// Where it is picked up.
    pub from: BookedPlace,
    /// What is on it, by number.
    pub lines: Vec<BookedLine>,
    /// Consignments of the group that are not on it.
    pub missing: usize,
    /// No carrier comes.
    pub is_test: bool,
    /// When it was booked.
    pub booked: Timestamp,
}

impl BookedManifest {
    /// The carrier.
    pub fn carrier(&self) -> &str {
        self.group.carrier_name.as_deref().unwrap_or_default()
    }

    /// Pieces of all consignments.
    pub fn pieces(&self) -> i64 {
        self.lines.iter().map(|line| line.pieces).sum()
    }

    /// Kilograms of all consignments, as far as they are known.
    pub fn weight(&self) -> Kilograms {
        let known = self.lines.iter().filter_map(|line| line.weight);
        known.fold(Kilograms::default(), |sum, weight| {
            Kilograms(sum.0 + weight.0)
        })
    }

    /// Whether dangerous goods were declared to the carrier.
    pub fn is_declared(&self) -> bool {
        self.group.dgs_declaration == Some(true)
    }

    /// How many of its consignments hold dangerous goods.
    pub fn dangerous(&self) -> usize {
        self.lines.iter().filter(|line| line.dangerous).count()
    }

    /// Everything that it may be looked for by, in small letters.
    fn findable(&self) -> String {
        let mut found = format!("{} {}", self.carrier(), self.from.name);
        for line in &self.lines {
            for text in [
                &line.number,
                &line.carrier_number,
                &line.reference,
                &line.to,
            ] {
                found.push(' ');
                found.push_str(text);
            }
        }
        found.to_lowercase()
    }
}

/// A booked manifest in the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ManifestRow {
    /// The operation that booked it.
    pub operation: OperationId,
    /// The carrier.
    pub carrier: String,
    /// The carrier's reference; empty where it gave none.
    pub reference: String,
    /// Which the service says it is.
    pub manifest: Option<ManifestId>,
    /// When the driver was asked to come, on the pickup place's clocks.
    pub pickup: Option<LocalTime>,
    /// Consignments on it.
    pub count: usize,
    /// When it was booked.
    pub booked: Timestamp,
    /// Only part of its group was booked.
    pub in_part: bool,
    /// Everything that it may be looked for by, in small letters.
    pub found: String,
}

impl Journal {
    /// Keeps a manifest with the operation that booked it, instead of what was kept before.
    pub fn keep_manifest(
        &mut self,
        operation: OperationId,
        manifest: &BookedManifest,
        now: Timestamp,
    ) -> Result<(), JournalError> {
        self.db.execute(
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
        )?;
        Ok(())
    }

    /// What was kept of a manifest, with the carrier's reference as its operation has it.
    pub fn manifest(&self, operation: OperationId) -> Result<Option<BookedManifest>, JournalError> {
        let sql = "SELECT body, reference FROM manifests JOIN operations ON id = operation WHERE operation = ?1";
        let row = self.db.query_row(sql, [operation.0], |row| {
            Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?))
        });
        let Some((body, reference)) = row.optional()? else {
            return Ok(None);
        };
        let manifest: BookedManifest = serde_json::from_str(&body)?;
        Ok(Some(BookedManifest {
            reference,
            ..manifest
        }))
    }

    /// What was booked from here, newest first: also what is kept of bookings that came about in part.
    pub fn manifests(&self) -> Result<Vec<ManifestRow>, JournalError> {
        let sql = "SELECT o.id, o.title, o.reference, o.request, o.consignments, o.changed_ms, o.state, m.manifest, m.found, m.lines
             FROM operations o LEFT JOIN manifests m ON m.operation = o.id
             WHERE o.kind = 'Manifest' AND (o.state = 'Done' OR (m.lines > 0 AND o.state IN ('Conflict', 'Discarded')))
             ORDER BY o.id DESC LIMIT ?1";
        let mut rows = self.db.prepare(sql)?;
        let rows = rows.query_map([MOST], read)?;
        Ok(rows.collect::<Result<_, _>>()?)
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
    // Before it was read back: by its ids.
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
        in_part: state != OperationState::Done,
        found,
    })
}
