//! Saves the files of one or more consignments in a folder, fetching ten consignments a call as the service
//! recommends. Only consignments with files are asked for, whatever their status. Saved files get names of
//! our own and replace nothing. A file is saved only if it certainly belongs to its consignment; all other
//! files are listed as not saved.

use crate::context::EngineContext;
use crate::error::is_unavailable;
use crate::remote::Fetch;
use crate::save::{SavePlace, SaveTarget};
use crate::{EngineError, JobControl, Reads};
use client::Failure;
use shipping::{Consignment, ConsignmentId, Document, ServiceError, StatusId};

/// Consignments in one fetch, as the service's documentation recommends.
const AT_ONCE: usize = 10;

/// Consignments in one lookup.
const LOOKED_UP: usize = 100;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SavedFiles {
    pub folder: String,
    pub saved: usize,
    pub consignments: usize,
    /// Everything that was not saved, each with the reason: `MS5: not complete yet`.
    pub left_out: Vec<String>,
}

impl SavedFiles {
    fn leave_out(&mut self, number: &str, why: &str) {
        self.left_out.push(format!("{number}: {why}"));
    }
}

impl Reads {
    /// Saves all files of the consignments. Returns `None` if the clerk cancelled the folder dialog.
    pub fn save_files(
        &self,
        ids: Vec<ConsignmentId>,
        to: SaveTarget,
        ticket: JobControl,
    ) -> Fetch<Option<SavedFiles>> {
        self.job(move |bench| async move {
            let Some(place) = SavePlace::of(to, "Save the files in").await else {
                return Ok(None);
            };
            place.is_usable().await?;
            let mut saved = SavedFiles {
                folder: place.path().display().to_string(),
                ..SavedFiles::default()
            };
            let mut left = ids.as_slice();
            while !left.is_empty() && !ticket.is_stopped() {
                let (these, rest) = left.split_at(left.len().min(LOOKED_UP));
                let done = bench.save_some(these, &place, &ticket, &mut saved).await;
                match done {
                    Err(error) if saved.saved == 0 => return Err(error),
                    Err(error) => {
                        saved.leave_out("The rest", &error.advice());
                        break;
                    }
                    Ok(()) => left = rest,
                }
            }
            if ticket.is_stopped() && !left.is_empty() {
                let words = format!("stopped before these {} were fetched", left.len());
                saved.leave_out("The rest", &words);
            }
            Ok(Some(saved))
        })
    }
}

impl EngineContext {
    /// Saves the files of up to a hundred consignments. An error ends the whole job.
    async fn save_some(
        &self,
        ids: &[ConsignmentId],
        place: &SavePlace,
        ticket: &JobControl,
        saved: &mut SavedFiles,
    ) -> Result<(), EngineError> {
        let found = self.client.consignments(ids).await?;
        let wanted = ids.to_vec();
        let rows = self.track.read(move |reader| reader.rows(&wanted)).await?;
        let mut asked = Vec::new();
        for id in ids {
            let one = found.iter().find(|one| one.id == *id);
            let row = rows.iter().find(|row| row.id == *id);
            let files = one.and_then(|one| one.attachment_count);
            let files = files.or_else(|| Some(row?.attachments)).unwrap_or_default();
            let why = |one| left_out(one, files);
            match one.map_or(Some("no longer at the service"), why) {
                None => asked.extend(one),
                Some(why) => {
                    let number = { one }
                        .map_or_else(|| format!("MS{id}"), |one| one.consignment_number.clone());
                    saved.leave_out(&number, why);
                    ticket.add(1);
                }
            }
        }
        for ten in asked.chunks(AT_ONCE) {
            if ticket.is_stopped() {
                for one in ten {
                    saved.leave_out(&one.consignment_number, "stopped before it was fetched");
                }
                continue;
            }
            self.save_ten(ten, place, saved).await?;
            ticket.add(ten.len());
            (self.repaint)();
        }
        Ok(())
    }

    async fn save_ten(
        &self,
        ten: &[&Consignment],
        place: &SavePlace,
        saved: &mut SavedFiles,
    ) -> Result<(), EngineError> {
        if let Some(sorted) = self.all_at_once(ten).await? {
            for (one, documents) in ten.iter().zip(sorted) {
                save_one(one, documents, place, saved).await?;
            }
            return Ok(());
        }
        // The call failed because of one consignment, or a document's name does not tell its consignment: fetch each
        // consignment's documents separately.
        for one in ten {
            match self.client.documents(&[one.id]).await {
                Ok(documents) => save_one(one, documents, place, saved).await?,
                Err(failure) if is_unavailable(&failure) => return Err(failure.into()),
                Err(failure) => saved.leave_out(&one.consignment_number, &why(&failure)),
            }
        }
        Ok(())
    }

    /// Fetches the documents of all consignments in one call. Returns `None` if each has to be fetched alone.
    async fn all_at_once(
        &self,
        ten: &[&Consignment],
    ) -> Result<Option<Vec<Vec<Document>>>, EngineError> {
        if ten.len() < 2 {
            return Ok(None);
        }
        let ids: Vec<_> = ten.iter().map(|one| one.id).collect();
        match self.client.documents(&ids).await {
            Ok(documents) => Ok(sorted(ten, documents)),
            Err(failure) if is_unavailable(&failure) => Err(failure.into()),
            Err(_) => Ok(None),
        }
    }
}

/// Returns why no files are fetched for a consignment: there are none. The status alone does not decide this,
/// because photos also come with damage and returns.
fn left_out(one: &Consignment, files: i64) -> Option<&'static str> {
    let status = one.status().map(|status| status.id);
    match (files, status) {
        (1.., _) => None,
        (_, Some(StatusId::COMPLETE)) => Some("no files"),
        _ => Some("not complete yet"),
    }
}

/// Assigns each document to the one consignment whose number is in its name. Returns `None` if that fails for
/// a document, or if a consignment gets no document.
fn sorted(ten: &[&Consignment], documents: Vec<Document>) -> Option<Vec<Vec<Document>>> {
    let mut each: Vec<Vec<Document>> = ten.iter().map(|_| Vec::new()).collect();
    for document in documents {
        let mut owners = { ten.iter().enumerate() }
            .filter(|(_, one)| document.name_contains(&one.consignment_number));
        let (Some((owner, _)), None) = (owners.next(), owners.next()) else {
            return None;
        };
        each[owner].push(document);
    }
    each.iter()
        .all(|documents| !documents.is_empty())
        .then_some(each)
}

async fn save_one(
    one: &Consignment,
    documents: Vec<Document>,
    place: &SavePlace,
    saved: &mut SavedFiles,
) -> Result<(), EngineError> {
    let number = &one.consignment_number;
    let listed = usize::try_from(one.attachment_count.unwrap_or_default()).unwrap_or_default();
    if documents.len() < listed {
        let came = documents.len();
        saved.leave_out(number, &format!("only {came} of {listed} files received"));
    }
    let before = saved.saved;
    for (at, document) in documents.into_iter().enumerate() {
        let Some(name) = document.save_name(number, at + 1) else {
            let kind = document.kind.with_article();
            saved.leave_out(number, &format!("not saved: {kind}"));
            continue;
        };
        place.write(&name, &document.bytes).await?;
        saved.saved += 1;
    }
    saved.consignments += usize::from(saved.saved > before);
    Ok(())
}

fn why(failure: &Failure) -> String {
    match failure {
        Failure::Refused(errors) => ServiceError::joined_messages(errors),
        Failure::Document(problem) => problem.to_string(),
        Failure::WebPage => "not saved: a web page".to_owned(),
        other => other.to_string(),
    }
}
