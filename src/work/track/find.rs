//! Whatever is typed or scanned, found: in the store at once, and at the service by every number that it can be asked for.
//!
//! What always holds: what the service has is followed from then on; a question that failed is told, and takes nothing away
//! from the others.

use std::sync::Arc;

use crate::client::Failure;
use crate::journal::Tracked;
use crate::shipping::{Consignment, ConsignmentId, PendingConsignmentId};
use crate::work::bench::Bench;
use crate::work::remote::Fetch;
use crate::work::{Reads, WorkError};

/// More than so many that hold some words are not shown one by one.
const MOST_ALIKE: usize = 50;
/// No number and no reference is longer, in characters.
const LONGEST: usize = 100;

/// What is looked for, with all that it may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// As it was typed or scanned; of a tracking page's address its token.
    pub text: String,
    /// Its end is a tracking page's token: no service can be asked for that.
    pub is_token: bool,
}

/// What is followed and goes by a text.
#[derive(Debug, Clone, Default)]
pub struct Here {
    /// Goes by it, whole.
    pub called: Vec<Arc<Tracked>>,
    /// Holds each of its words; looked for only where nothing goes by it. The newest of them.
    pub alike: Vec<Arc<Tracked>>,
}

/// What the service knows by a text.
#[derive(Debug, Default)]
pub struct AtService {
    /// All that it has, as it is followed now.
    pub found: Vec<Arc<Tracked>>,
    /// What it could not be asked by, and why.
    pub failed: Vec<(&'static str, WorkError)>,
}

impl Wanted {
    /// The id that it may be: of `MS200431`, or of the digits alone.
    pub fn id(&self) -> Option<ConsignmentId> {
        let id = after(&self.text, "MS").unwrap_or(&self.text);
        positive(id).map(ConsignmentId::new)
    }

    /// It can be nothing but one of our own numbers.
    fn is_own(&self) -> bool {
        after(&self.text, "MS").is_some_and(|id| positive(id).is_some())
    }

    /// The pending consignment that it may be: of `PC5121`.
    pub fn pending(&self) -> Option<PendingConsignmentId> {
        after(&self.text, "PC")
            .and_then(positive)
            .map(PendingConsignmentId::new)
    }

    /// Can the service be asked for it?
    pub fn can_be_asked(&self) -> bool {
        !self.is_token && self.text.chars().count() <= LONGEST && !self.text.contains("://")
    }
}

/// What follows a prefix, in letters of any size.
fn after<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let (head, rest) = text.split_at_checked(prefix.len())?;
    head.eq_ignore_ascii_case(prefix).then_some(rest)
}

fn positive(digits: &str) -> Option<i64> {
    let are_digits = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let id = digits.parse().ok().filter(|_| are_digits)?;
    (id > 0).then_some(id)
}

impl Reads {
    /// What is followed and goes by it, or holds its words.
    pub fn followed_as(&self, wanted: Wanted) -> Fetch<Here> {
        self.local(move |bench| async move {
            bench
                .track
                .read(move |reader| {
                    let mut ids = reader.called(&wanted.text)?;
                    if let Some(id) = wanted.id().filter(|id| !ids.contains(id)) {
                        ids.push(id);
                    }
                    let called = reader.rows(&ids)?;
                    let alike = if called.is_empty() && !wanted.is_token {
                        reader.rows(&reader.search(&wanted.text, MOST_ALIKE)?)?
                    } else {
                        Vec::new()
                    };
                    let rows = |rows: Vec<Tracked>| rows.into_iter().map(Arc::new).collect();
                    Ok(Here {
                        called: rows(called),
                        alike: rows(alike),
                    })
                })
                .await
        })
    }

    /// What the service knows by it: by its id or its pending number first, else by the carrier's number and both references.
    pub fn ask_service(&self, wanted: Wanted) -> Fetch<AtService> {
        self.job(move |bench| async move { bench.ask_for(&wanted).await })
    }
}

impl Bench {
    async fn ask_for(&self, wanted: &Wanted) -> Result<AtService, WorkError> {
        let mut asked = Asked::default();
        if !wanted.can_be_asked() {
            return Ok(AtService::default());
        }
        if let Some(id) = wanted.id() {
            let answer = self.client.consignment(id).await;
            asked.take("Its number", one_or_none(answer));
        }
        if let Some(id) = wanted.pending() {
            let answer = self.client.consignment_of_pending(id).await;
            asked.take("The pending number", one_or_none(answer));
        }
        // What can be nothing else is not looked for any further; digits alone may be anybody's number.
        let settled = wanted.is_own() || wanted.pending().is_some();
        if !settled || asked.found.is_empty() {
            let text = std::slice::from_ref(&wanted.text);
            let (carrier, first, second) = tokio::join!(
                self.client.consignments_by_carrier_number(text),
                self.client.consignments_by_reference1(text),
                self.client.consignments_by_reference2(text),
            );
            asked.take("The carrier's number", carrier);
            asked.take("The reference", first);
            asked.take("The second reference", second);
        }
        let mut ids: Vec<_> = asked.found.iter().map(|one| one.id).collect();
        ids.sort_unstable();
        ids.dedup();
        ids.reverse();
        if !ids.is_empty() {
            self.follow(&asked.found).await?;
        }
        let rows = self.track.read(move |reader| reader.rows(&ids)).await?;
        Ok(AtService {
            found: rows.into_iter().map(Arc::new).collect(),
            failed: asked.failed,
        })
    }
}

/// Answers as they come.
#[derive(Default)]
struct Asked {
    found: Vec<Consignment>,
    failed: Vec<(&'static str, WorkError)>,
}

impl Asked {
    fn take(&mut self, what: &'static str, answer: Result<Vec<Consignment>, Failure>) {
        match answer {
            Ok(found) => {
                for one in found {
                    if self.found.iter().all(|known| known.id != one.id) {
                        self.found.push(one);
                    }
                }
            }
            Err(failure) => self.failed.push((what, failure.into())),
        }
    }
}

/// One that is not there is refused by some services, and answered with nothing by others.
fn one_or_none(answer: Result<Consignment, Failure>) -> Result<Vec<Consignment>, Failure> {
    match answer {
        Ok(one) => Ok(vec![one]),
        Err(Failure::Refused(_) | Failure::Status(404) | Failure::Empty) => Ok(Vec::new()),
        Err(failure) => Err(failure),
    }
}

#[cfg(test)]
mod tests {
    use super::{ConsignmentId, PendingConsignmentId, Wanted};

    #[test]
    fn a_number_is_known_by_its_letters() {
        let id = |text: &str| {
            let wanted = Wanted {
                text: text.to_owned(),
                is_token: false,
            };
            (
                wanted.id().map(ConsignmentId::get),
                wanted.pending().map(PendingConsignmentId::get),
            )
        };
        assert_eq!(id("MS200431"), (Some(200_431), None));
        assert_eq!(id("ms200431"), (Some(200_431), None));
        assert_eq!(id("200431"), (Some(200_431), None));
        assert_eq!(id("PC5121"), (None, Some(5_121)));
        for text in [
            "MS",
            "MS-1",
            "MS0",
            "PCX",
            "SO-1",
            "99999999999999999999",
            "é",
        ] {
            assert_eq!(id(text), (None, None), "{text}");
        }
    }
}
