//! Finds the proof of delivery among a consignment's files, by the file names.

use shipping::Attachment;

/// A file name that contains any of these is a proof of delivery.
const PROOF_WORDS: [&str; 3] = ["proof", "signature", "signed"];

/// Returns the most likely proof: a file named like one (a PDF before a picture), else a PDF. Returns `None`
/// if no name fits.
pub(super) fn proof(files: &[Attachment]) -> Option<&Attachment> {
    let likely = |file: &&Attachment| {
        let name = file.file_name.to_lowercase();
        (is_named_so(&name), is_pdf(&name))
    };
    // `max_by_key` returns the last of equals; reversed, that is the first in the list.
    let best = files.iter().rev().max_by_key(likely)?;
    (likely(&best) != (false, false)).then_some(best)
}

/// Returns the proof, or the first file if none looks like a proof.
pub(super) fn proof_or_first(files: &[Attachment]) -> Option<&Attachment> {
    proof(files).or_else(|| files.first())
}

fn is_named_so(name: &str) -> bool {
    let mut words = name.split(|c: char| !c.is_alphabetic());
    PROOF_WORDS.iter().any(|said| name.contains(said)) || words.any(|word| word == "pod")
}

fn is_pdf(name: &str) -> bool {
    name.rsplit_once('.')
        .is_some_and(|(_, ending)| ending == "pdf")
}

#[cfg(test)]
mod tests {
    use super::proof;
    use shipping::{Attachment, AttachmentId};

    fn of(names: &[&str]) -> Option<String> {
        let files: Vec<Attachment> = (1..)
            .zip(names)
            .map(|(id, name)| Attachment {
                id: AttachmentId::new(id),
                file_name: (*name).to_owned(),
                date_added: None,
            })
            .collect();
        proof(&files).map(|file| file.file_name.clone())
    }

    #[test]
    fn a_proof_is_what_is_named_so_then_a_pdf_and_else_nothing() {
        for (names, found) in [
            (&["damage.jpg", "MS7-POD.pdf"][..], Some("MS7-POD.pdf")),
            (&["invoice.pdf", "pod_7.jpg"], Some("pod_7.jpg")),
            (&["POD7.jpg", "MS7POD.PDF"], Some("MS7POD.PDF")),
            (&["pod.jpg", "pod.pdf", "pod.pdf"], Some("pod.pdf")),
            (
                &["ProofOfDelivery.png", "a.pdf"],
                Some("ProofOfDelivery.png"),
            ),
            (&["a.jpg", "b.pdf", "c.pdf"], Some("b.pdf")),
            (&["podium.jpg", "tripod.png", ""], None),
            (&[], None),
        ] {
            assert_eq!(of(names).as_deref(), found, "{names:?}");
        }
    }
}
