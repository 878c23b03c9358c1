//! The journal, its log and its backups (defects A to C, G and H).

#![expect(clippy::unwrap_used, reason = "a step that fails, fails its test")]

mod commits;
mod damage;
mod keys;
mod restored;
mod secrets;
mod token_field;
mod unsaved;
mod unusable;
