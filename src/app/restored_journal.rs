//! Notices about a journal that was damaged and restored, and lists kept from before the program's start.

use jiff::Timestamp;

use super::core::Core;
use crate::state::{Notice, PossiblySentDraft, Tone};
use draft::{Draft, DraftId};
use engine::LastSeenList;
use shipping::LocalTime;
use storage::Rescue;

/// Returns the notice about a restored journal: where the damaged file is, which backup was restored, and
/// what to check.
pub(super) fn restoration_notice(rescue: &Rescue, zone: &str) -> Notice {
    let headline = match (&rescue.set_aside, rescue.restored_from) {
        (Some(_), Some(from)) => format!(
            "The journal was damaged and has been restored as of {}",
            at(from, zone)
        ),
        (None, Some(from)) => format!(
            "The journal was missing and has been restored as of {}",
            at(from, zone)
        ),
        (Some(_), None) => "The journal was damaged, and a new one was started".to_owned(),
        (None, None) => "The journal was missing, and a new one was started".to_owned(),
    };
    let kept = rescue.set_aside.as_ref().map_or_else(
        || {
            "Its file was missing. To start a new journal, also move its .commits file and its backups folder away"
                .to_owned()
        },
        |path| format!("The damaged file was kept: {}", path.display()),
    );
    let worked = rescue.last_commit.map(|last| {
        let last = at(last, zone);
        format!("Last recorded work on this bench: {last}. ")
    });
    let kept = worked.unwrap_or_default() + &kept;
    Notice {
        detail: kept,
        ..Notice::new(
            Tone::Warning,
            headline,
            "Packbench is checking with the service what was sent since then. Before you send a draft, check it, and check \
             Dispatch for what is there already",
        )
    }
}

fn at(moment: Timestamp, zone: &str) -> String {
    let moment = LocalTime::at(moment, zone).0;
    moment.strftime("%a %-d %b %H:%M").to_string()
}

/// Headline of the notice about an open draft that may have been sent.
const DOUBTED: &str = "This draft may have been sent already";

impl Core {
    /// Shows a list that the journal kept, until the service answers.
    pub(super) fn last_seen(&mut self, seen: LastSeenList) {
        match seen {
            LastSeenList::Companies(companies) => {
                if self.shared.catalogue.companies.remember(companies) {
                    self.settle_company();
                }
            }
            LastSeenList::Locations { company, list } => self.remember_locations(company, list),
            LastSeenList::Unmanifested {
                company,
                list,
                as_of,
            } => self.show_kept_list(company, list, as_of),
        }
    }

    /// Replaces the list of drafts that may have been sent already.
    pub(super) fn set_doubts(&mut self, doubts: Vec<PossiblySentDraft>) {
        let doubts = doubts.into_iter().map(|doubt| (doubt.draft, doubt.message));
        self.shared.consign.possibly_sent = doubts.collect();
    }

    /// Takes over the drafts after the service was asked what happened since the restored backup.
    pub(super) fn journal_rebuilt(&mut self, doubts: Vec<PossiblySentDraft>, drafts: Vec<Draft>) {
        self.set_doubts(doubts);
        let held: Vec<_> = self
            .shared
            .operations
            .open()
            .filter_map(|operation| operation.draft.clone())
            .chain([self.editing.draft.id.clone()])
            .collect();
        let mut before = std::mem::replace(&mut self.shared.consign.drafts, drafts);
        let read = &self.shared.consign.drafts;
        before.retain(|draft| {
            self.consign.unsaved.contains(&draft.id) && read.iter().all(|read| read.id != draft.id)
        });
        self.shared.consign.drafts.append(&mut before);
        let sent = std::mem::take(&mut self.shared.consign.sent);
        let is_sent = |draft: &Draft| sent.iter().any(|one| one.id == draft.id);
        self.shared
            .consign
            .drafts
            .retain(|draft| !held.contains(&draft.id) && !is_sent(draft));
        self.shared.consign.sent = sent;
        let open = self.editing.draft.id.clone();
        self.warn_of_doubt(&open);
        if !self.shared.consign.possibly_sent.is_empty() {
            let mut words: Vec<_> = self
                .shared
                .consign
                .possibly_sent
                .values()
                .cloned()
                .collect();
            words.sort();
            let count = words.len();
            let headline = if count == 1 {
                "A draft may have been sent already".to_owned()
            } else {
                format!("{count} drafts may have been sent already")
            };
            let advice = format!("{}. Check each one before you send it", words.join("; "));
            self.notify(Notice::new(Tone::Warning, headline, advice));
        }
    }

    /// Tells the clerk that the service could not be asked for everything that was sent since the backup.
    pub(super) fn notify_unchecked(&mut self, too_old: bool, unasked: &[String]) {
        let mut words = Vec::new();
        if !unasked.is_empty() {
            words.push(format!(
                "The service didn't answer for {}",
                unasked.join(", ")
            ));
        }
        if too_old {
            words.push(
                "The service lists only the last ten days, and the backup is older".to_owned(),
            );
        }
        let advice = format!(
            "{}. Check at the service yourself before you send a draft",
            words.join(". ")
        );
        let headline = "Not everything that was sent since the backup could be checked";
        self.notify(Notice::new(Tone::Warning, headline, advice));
    }

    /// Warns the clerk if the draft being opened may have been sent already.
    pub(super) fn warn_of_doubt(&mut self, draft: &DraftId) {
        self.clear_notice(DOUBTED);
        if let Some(words) = self.shared.consign.possibly_sent.get(draft) {
            let advice = format!("{words}. Send it only if it is a different consignment");
            self.notify(Notice::new(Tone::Warning, DOUBTED, advice));
        }
    }

    /// Returns true and shows a notice for a restored draft that was not yet compared with the service's
    /// consignments. Such a draft must not be sent.
    pub(super) fn waits_for_comparison(&mut self, draft: &DraftId) -> bool {
        let words = self.shared.consign.possibly_sent.get(draft);
        let waits = words.is_some_and(|words| PossiblySentDraft::is_unchecked(words));
        if waits {
            let advice = "Packbench is still checking whether it was sent before the journal was restored. Send it once \
                          the service has answered";
            self.notify(Notice::new(
                Tone::Warning,
                "This draft was not sent",
                advice,
            ));
        }
        waits
    }

    /// Tells the clerk that the journal is damaged. Nothing is sent any more; typed text stays in the form.
    pub(super) fn journal_damaged(&mut self) {
        let advice = "Restart Packbench to restore the journal. Your typed text stays here until \
                      you do, and nothing is sent";
        self.notify(Notice::new(Tone::Bad, "The journal is damaged", advice));
    }
}
