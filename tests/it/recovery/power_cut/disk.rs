//! The possible contents of a disk after a cut: all synced data, and any part of the rest in any order, the
//! last write torn.
//!
//! The file system keeps its own order: a created file exists, and a removed one is gone.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::trace::Event;

/// Disks write this much in one go.
const SECTOR: usize = 512;

#[derive(Default)]
struct File {
    synced: Vec<u8>,
    since: Vec<Change>,
}

#[derive(Clone)]
enum Change {
    Write(usize, Vec<u8>),
    Truncate(usize),
}

impl Change {
    fn apply(&self, content: &mut Vec<u8>) {
        match self {
            Self::Write(at, bytes) => {
                let end = at + bytes.len();
                if content.len() < end {
                    content.resize(end, 0);
                }
                content[*at..end].copy_from_slice(bytes);
            }
            Self::Truncate(length) => content.resize(*length, 0),
        }
    }
}

/// The files as they are found when the power is back.
pub(super) struct Disk(BTreeMap<String, Vec<u8>>);

impl Disk {
    /// A disk that saw these events and no more.
    pub(super) fn after_cut(events: &[Event], random: &mut fastrand::Rng) -> Self {
        let mut files: BTreeMap<String, File> = BTreeMap::new();
        for event in events {
            match event {
                Event::Create(name) => drop(files.entry(name.clone()).or_default()),
                Event::Write { file, at, bytes } => {
                    let change = Change::Write(*at, bytes.clone());
                    files.entry(file.clone()).or_default().since.push(change);
                }
                Event::Truncate(name, length) => {
                    let change = Change::Truncate(*length);
                    files.entry(name.clone()).or_default().since.push(change);
                }
                Event::Sync(name) => {
                    let file = files.entry(name.clone()).or_default();
                    for change in file.since.drain(..) {
                        change.apply(&mut file.synced);
                    }
                }
                Event::Remove(name) => drop(files.remove(name)),
                Event::Confirmed(_) => {}
            }
        }
        let found = files
            .into_iter()
            .map(|(name, file)| (name, file.after_cut(random)));
        Self(found.collect())
    }

    pub(super) fn write(&self, home: &Path) {
        fs::create_dir(home).expect("a folder");
        for (name, content) in &self.0 {
            fs::write(home.join(name), content).expect("a file");
        }
    }
}

impl File {
    fn after_cut(self, random: &mut fastrand::Rng) -> Vec<u8> {
        let mut content = self.synced;
        let mut changes = self.since;
        match random.u8(..4) {
            // None of it.
            0 => changes.clear(),
            // All before some moment, the last of it torn.
            1 => {
                changes.truncate(random.usize(..=changes.len()));
                if let Some(Change::Write(_, bytes)) = changes.last_mut() {
                    let sectors = bytes.len().div_ceil(SECTOR);
                    bytes.truncate(SECTOR * random.usize(..=sectors));
                }
            }
            // Any of it, in any order.
            2 => {
                changes.retain(|_| random.bool());
                random.shuffle(&mut changes);
            }
            // All of it.
            _ => {}
        }
        for change in changes {
            change.apply(&mut content);
        }
        content
    }
}
