//! The packages: installed, used and removed. These tests need the packages and take minutes, so they only run when they
//! are asked for: `cargo test --test it packages:: -- --ignored`, after `assets/packages/*.sh`.

mod debian;
mod windows;

use std::path::{Path, PathBuf};

/// The file of this ending in a folder below `target`.
fn package(folder: &str, ending: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("target")
        .join(folder);
    let files = std::fs::read_dir(&folder).into_iter().flatten().flatten();
    let mut files = files.map(|entry| entry.path());
    let found = files.find(|path| path.to_string_lossy().ends_with(ending));
    found.unwrap_or_else(|| panic!("first build *{ending} in {}", folder.display()))
}
