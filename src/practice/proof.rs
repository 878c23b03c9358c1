//! Proofs of delivery, which a carrier brings back with a completed consignment.
//!
//! There is always a page with the receiver's signature, and from some carriers also a photo. None of the
//! files are stored: each is drawn on request from the consignment and its history, and always comes out
//! identical to the byte. A consignment that a user completed by hand has no proof, because no carrier
//! was involved.

mod page;
mod photo;

use jiff::Timestamp;
use printing::canvas::CanvasError;

use super::catalogue::Catalogue;
use super::status::{ConsignmentRecord, StatusEvent};

/// The id of an attachment is its consignment's id times this, plus the number of the kind.
const IDS_EACH: i64 = 10;

/// The reason why a proof cannot be drawn.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ProofError {
    #[error(transparent)]
    Canvas(#[from] CanvasError),
    #[error("the picture cannot be drawn")]
    Picture,
    #[error("the picture cannot be written: {0}")]
    Jpeg(#[from] image::ImageError),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Signature,
    Photo,
}

/// One file that is available.
#[derive(Debug)]
pub(crate) struct Proof<'a> {
    tracked: &'a ConsignmentRecord,
    /// The event that completed the consignment.
    completion: &'a StatusEvent,
    kind: Kind,
}

/// Returns all proofs of a consignment, signature first.
pub(crate) fn all<'a>(catalogue: &Catalogue, tracked: &'a ConsignmentRecord) -> Vec<Proof<'a>> {
    let told = |event: &&StatusEvent| event.carrier_status.is_some();
    let Some(completion) = tracked.completion().filter(told) else {
        return Vec::new();
    };
    let carrier = catalogue.tracking(tracked.consignment.carrier_id);
    let photo = carrier.is_some_and(|carrier| carrier.photo);
    let kinds = [Some(Kind::Signature), photo.then_some(Kind::Photo)];
    let proof = |kind| Proof {
        tracked,
        completion,
        kind,
    };
    kinds.into_iter().flatten().map(proof).collect()
}

impl Proof<'_> {
    pub(crate) fn id(&self) -> i64 {
        let kind = match self.kind {
            Kind::Signature => 1,
            Kind::Photo => 2,
        };
        self.tracked.consignment.id * IDS_EACH + kind
    }

    pub(crate) fn file_name(&self) -> String {
        let number = self.tracked.consignment.number();
        match self.kind {
            Kind::Signature => format!("{number}-POD.pdf"),
            Kind::Photo => format!("{number}-photo.jpg"),
        }
    }

    pub(crate) fn content_type(&self) -> &'static str {
        match self.kind {
            Kind::Signature => "application/pdf",
            Kind::Photo => "image/jpeg",
        }
    }

    pub(crate) fn added(&self) -> Timestamp {
        self.completion.at
    }

    /// Draws the file.
    pub(crate) fn draw(&self, catalogue: &Catalogue) -> Result<Vec<u8>, ProofError> {
        match self.kind {
            Kind::Signature => page::draw(catalogue, self),
            Kind::Photo => photo::draw(catalogue, self),
        }
    }

    /// Formats the time of delivery in the receiver's time zone.
    fn local_time(&self, catalogue: &Catalogue) -> String {
        let zone = catalogue.time_zone(&self.tracked.consignment.job.to.place.time_zone);
        let there = self.completion.at.to_zoned(zone);
        there.strftime("%-d %B %Y, %H:%M").to_string()
    }
}
