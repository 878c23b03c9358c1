//! Saves and removes connections: first in the keyring, then in the settings.

use super::super::connections::{settings_of, tokens_of};
use super::{ActiveConnection, ServiceRequest, Setup};
use crate::config::{ConnectionSettings, TokenError, Tokens};
use crate::service::KEYRING_LIMIT;
use crate::state::{Notice, SetupView, TokenPlace, Tone};
use draft::ConnectionDraft;
use engine::within;
use storage::Journal;

/// Result of saving a connection.
pub(super) struct SavedConnection {
    settings: ConnectionSettings,
    given: Tokens,
    /// Whether the keyring accepted the secrets; `None` if it was not asked.
    stored: Option<Result<(), TokenError>>,
    /// Number of unfinished operations in the connection's journal. If there are any, its address must
    /// not change.
    unfinished: usize,
    then_use: bool,
    is_open: bool,
}

/// Result of removing a connection, or only its token.
pub(super) struct RemovedConnection {
    name: String,
    whole: bool,
    cleared: Result<(), TokenError>,
    unfinished: usize,
}

impl Setup {
    /// Saves a connection: its secrets in the keyring, the rest in the settings.
    pub(super) fn save_connection(
        &mut self,
        draft: ConnectionDraft,
        then_use: bool,
        busy: &ActiveConnection,
        view: &mut SetupView,
    ) {
        if !view.check(&draft).is_empty() {
            return;
        }
        let (settings, given) = (settings_of(&draft), tokens_of(&draft));
        let is_open = busy.name.as_ref() == Some(&settings.name);
        // Operations that were sent to one address must never be reconciled at another.
        let moved = self
            .settings
            .named(&settings.name)
            .is_some_and(|saved| saved.address != settings.address);
        let known = is_open.then_some(busy.unfinished);
        let (journal, keyring) = (self.places.journal(&settings.name), self.keyring);
        self.keeping.start(self.errands.run(move || async move {
            let unfinished = match (moved, known) {
                (false, _) => 0,
                (true, Some(known)) => known,
                (true, None) => count_unfinished(journal).await,
            };
            let typed = draft.has_secrets();
            let stored = if unfinished == 0 && typed {
                let (name, given) = (settings.name.clone(), given.clone());
                let stored = within(KEYRING_LIMIT, move || keyring.write(&name, &given)).await;
                Some(stored.unwrap_or(Err(TokenError::NoKeyring)))
            } else {
                None
            };
            Ok(SavedConnection {
                settings,
                given,
                stored,
                unfinished,
                then_use,
                is_open,
            })
        }));
    }

    pub(super) fn connection_saved(
        &mut self,
        view: &mut SetupView,
        notices: &mut Vec<Notice>,
    ) -> Option<ServiceRequest> {
        let Some(kept) = self.keeping.value() else {
            let problem = self.keeping.problem()?;
            notices.push(Notice::failed("Couldn't save the connection", problem));
            return None;
        };
        let (settings, given) = (kept.settings.clone(), kept.given.clone());
        let (stored, then_use, is_open) = (kept.stored, kept.then_use, kept.is_open);
        let unfinished = kept.unfinished;
        self.keeping.clear();
        let name = settings.name.clone();
        if unfinished > 0 {
            notices.push(unfinished_notice(
                &format!("The address of {name} was not changed"),
                unfinished,
            ));
            return None;
        }
        let changed = self.put(settings);
        if let Some(stored) = stored {
            self.record_secrets(&name, given, stored, notices);
        }
        self.write();
        // The secrets are stored now, so the screens don't need them any more.
        if let Some(tried) = view.connection_test.value_mut() {
            tried.draft = tried.draft.without_secrets();
        }
        view.saved = (view.saved.0 + 1, name.clone());
        if then_use {
            Some(ServiceRequest::Open(
                crate::config::ChosenService::Connection(name),
            ))
        } else {
            (is_open && (changed || stored.is_some())).then_some(ServiceRequest::Reopen)
        }
    }

    /// Adds a connection to the settings, or replaces the connection of the same name. Returns true if the
    /// settings changed.
    fn put(&mut self, mut settings: ConnectionSettings) -> bool {
        let saved = &mut self.settings.connections;
        let saved_one = saved.iter_mut().find(|saved| saved.name == settings.name);
        if let Some(saved) = &saved_one {
            // The service's printer and the senders are chosen on other screens, not in this form.
            settings.service_printer = saved.service_printer;
            settings.senders.clone_from(&saved.senders);
        }
        match saved_one {
            Some(saved) if *saved == settings => false,
            Some(saved) => {
                *saved = settings;
                true
            }
            None => {
                saved.push(settings);
                true
            }
        }
    }

    /// Records the secrets of a connection. If the keyring did not accept them, they stay in memory, and a
    /// notice says so.
    fn record_secrets(
        &mut self,
        name: &str,
        given: Tokens,
        stored: Result<(), TokenError>,
        notices: &mut Vec<Notice>,
    ) {
        let all = given.or(self.tokens(name));
        let place = if stored.is_ok() {
            TokenPlace::Keyring
        } else {
            notices.push(memory_only_notice(name));
            TokenPlace::Memory
        };
        self.record_tokens(name, all, place);
    }

    /// Removes a connection's token from the keyring; with `whole`, also the connection.
    pub(super) fn remove(&mut self, name: String, whole: bool) {
        let (journal, keyring) = (self.places.journal(&name), self.keyring);
        self.removing.start(self.errands.run(move || async move {
            let unfinished = if whole {
                count_unfinished(journal).await
            } else {
                0
            };
            let cleared = if unfinished == 0 {
                let name = name.clone();
                let cleared = within(KEYRING_LIMIT, move || keyring.delete(&name)).await;
                cleared.unwrap_or(Err(TokenError::NoKeyring))
            } else {
                Ok(())
            };
            Ok(RemovedConnection {
                name,
                whole,
                cleared,
                unfinished,
            })
        }));
    }

    pub(super) fn removed(&mut self, notices: &mut Vec<Notice>) {
        let Some(RemovedConnection {
            name,
            whole,
            cleared,
            unfinished,
        }) = self.removing.value()
        else {
            if let Some(problem) = self.removing.problem() {
                notices.push(Notice::failed("Nothing was removed", problem));
            }
            return;
        };
        let (name, whole, cleared, unfinished) = (name.clone(), *whole, *cleared, *unfinished);
        self.removing.clear();
        if unfinished > 0 {
            return notices.push(unfinished_notice(
                &format!("{name} was not removed"),
                unfinished,
            ));
        }
        let was_in_keyring = self
            .token_places
            .get(&name)
            .is_none_or(|(place, _)| *place == TokenPlace::Keyring);
        if cleared.is_err() && was_in_keyring {
            let advice = "Unlock the keyring and try again, or delete Packbench's entry in your keyring program";
            notices.push(Notice::new(
                Tone::Warning,
                format!("The token of {name} may still be in the keyring"),
                advice,
            ));
        }
        self.tokens.remove(&name);
        let place = if cleared.is_ok() {
            TokenPlace::Missing
        } else {
            TokenPlace::NoKeyring
        };
        self.token_places.insert(name.clone(), (place, [false; 2]));
        if whole {
            self.token_places.remove(&name);
            self.settings
                .connections
                .retain(|connection| connection.name != name);
            self.write();
        }
    }
}

/// Counts the unfinished operations of a journal that is not in use. A journal that can't be read counts as
/// one, because it may contain some.
async fn count_unfinished(journal: std::path::PathBuf) -> usize {
    let counted = tokio::task::spawn_blocking(move || Journal::count_open(&journal)).await;
    counted.ok().and_then(Result::ok).unwrap_or(1)
}

/// Returns a notice that unfinished operations prevent a change.
pub(crate) fn unfinished_notice(headline: &str, unfinished: usize) -> Notice {
    let count = if unfinished == 1 {
        "1 operation is unresolved".to_owned()
    } else {
        format!("{unfinished} operations are unresolved")
    };
    let advice = format!("{count} at that service. Open Operations there to resolve this");
    Notice::new(Tone::Warning, headline, advice)
}

/// Returns a notice that no keyring accepted the token.
pub(crate) fn memory_only_notice(name: &str) -> Notice {
    Notice::new(
        Tone::Warning,
        format!("The token of {name} is kept in memory only"),
        "This computer has no usable keyring. You are asked for the token at each start; it is never written to a file",
    )
}
