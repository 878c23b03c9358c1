//! Proofs of delivery: what a carrier brings back with a completed consignment.
//!
//! A page with the receiver's signature always, and from some carriers a picture. None of it is stored: each file is
//! drawn when it is asked for, from the consignment and its history, and is the same to the byte every time. What a user
//! completed by hand has none, for no carrier was there.

mod page;
mod photo;

use jiff::Timestamp;

use super::catalogue::Catalogue;
use super::pen::PenError;
use super::status::{Event, Tracked};

/// Ids of attachments are ten times their consignment's id, and the kind.
const IDS_EACH: i64 = 10;

/// Why a proof cannot be drawn.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ProofError {
    #[error(transparent)]
    Pen(#[from] PenError),
    #[error("the PDF cannot be written: {0}")]
    Pdf(String),
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

/// One file that can be had.
#[derive(Debug)]
pub(crate) struct Proof<'a> {
    tracked: &'a Tracked,
    /// How the consignment was completed.
    completion: &'a Event,
    kind: Kind,
}

/// All that a carrier has brought back, signature first.
pub(crate) fn all<'a>(catalogue: &Catalogue, tracked: &'a Tracked) -> Vec<Proof<'a>> {
    let told = |event: &&Event| event.carrier_status.is_some();
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

    /// The file itself.
    pub(crate) fn draw(&self, catalogue: &Catalogue) -> Result<Vec<u8>, ProofError> {
        match self.kind {
            Kind::Signature => page::draw(catalogue, self.tracked, self.completion),
            Kind::Photo => photo::draw(catalogue, self.tracked, self.completion),
        }
    }
}

/// When it was handed over, as the clocks there showed it.
fn local_time(catalogue: &Catalogue, tracked: &Tracked, completion: &Event) -> String {
    let zone = catalogue.time_zone(&tracked.consignment.job.to.place.time_zone);
    let there = completion.at.to_zoned(zone);
    there.strftime("%-d %B %Y, %H:%M").to_string()
}
