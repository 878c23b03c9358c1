//! Notices about a journal that was damaged and restored, and lists kept from before the program's start.

use crate::core::Core;
use crate::state::{Notice, PossiblySentDraft, Tone};
use crate::ui::format::day_and_time;
use draft::{Draft, DraftId};
use engine::LastSeenList;
use shipping::LocalTime;
use storage::Rescue;

/// Returns the notice about a restored journal: where the damaged file is, which backup was restored, and
/// what to check.
pub(super) fn restoration_notice(rescue: &Rescue, zone: &str) -> Notice {
    let at = |moment| day_and_time(LocalTime::at(moment, zone));
    let missing = "Its file was missing. To start a new journal, also move its .commits file and its backups folder away";
    let (fault, kept) = match &rescue.set_aside {
        Some(path) => (
            "damaged",
            format!("The damaged file was kept: {}", path.display()),
        ),
        None => ("missing", missing.to_owned()),
    };
    let headline = match rescue.restored_from.map(at) {
        Some(from) => format!("The journal was {fault} and has been restored as of {from}"),
        None => format!("The journal was {fault}, and a new one was started"),
    };
    let advice = "Packbench is checking with the service what was sent since then. Before you send a draft, check it, and check \
                  Dispatch for what is there already";
    let worked = rescue.last_commit.map(at);
    let worked = worked.map(|last| format!("Last recorded work on this bench: {last}. "));
    Notice {
        detail: worked.unwrap_or_default() + &kept,
        ..Notice::new(Tone::Warning, headline, advice)
    }
}

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
            LastSeenList::Locations { company, list } => {
                if self.catalogue.locations_of == Some(company)
                    && self.shared.catalogue.locations.remember(list)
                {
                    self.locations_came();
                }
            }
            LastSeenList::Unmanifested {
                company,
                ids,
                as_of,
            } => self.show_kept_list(company, &ids, as_of),
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
        let open = self.editing.draft.id.clone();
        let held = self.held_drafts();
        let consign = &mut self.shared.consign;
        let mut drafts = drafts;
        for draft in std::mem::take(&mut consign.drafts) {
            let is_unsaved = self.consign.unsaved.contains(&draft.id);
            if is_unsaved && drafts.iter().all(|read| read.id != draft.id) {
                drafts.push(draft);
            }
        }
        drafts.retain(|draft| {
            draft.id != open && !held.contains(&draft.id) && !consign.is_sent(&draft.id)
        });
        consign.drafts = drafts;
        let mut words: Vec<_> = consign.possibly_sent.values().cloned().collect();
        self.warn_of_doubt(&open);
        if words.is_empty() {
            return;
        }
        words.sort();
        let headline = match words.len() {
            1 => "A draft may have been sent already".to_owned(),
            count => format!("{count} drafts may have been sent already"),
        };
        let advice = format!("{}. Check each one before you send it", words.join("; "));
        self.notify(Notice::new(Tone::Warning, headline, advice));
    }

    /// Tells the clerk that the service could not be asked for everything that was sent since the backup.
    pub(super) fn notify_unchecked(&mut self, too_old: bool, unasked: &[String]) {
        let mut words = Vec::new();
        if !unasked.is_empty() {
            let unasked = unasked.join(", ");
            words.push(format!("The service didn't answer for {unasked}"));
        }
        if too_old {
            let limit = "The service lists only the last ten days, and the backup is older";
            words.push(limit.to_owned());
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
            let headline = "This draft was not sent";
            let advice = "Packbench is still checking whether it was sent before the journal was restored. Send it once \
                          the service has answered";
            self.notify(Notice::new(Tone::Warning, headline, advice));
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
