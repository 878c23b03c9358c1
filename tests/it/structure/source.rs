//! Parsed source files: the repository's own, and made-up ones that break a rule on purpose.

use std::fs;
use std::path::{Path, PathBuf};

/// One Rust file of the repository.
pub(crate) struct SourceFile {
    /// From the top of the repository, with `/`.
    pub(crate) path: String,
    pub(super) text: String,
    pub(crate) syntax: syn::File,
}

impl SourceFile {
    /// A file that exists only in a test.
    pub(crate) fn made_up(path: &str, text: &str) -> Self {
        let syntax = syn::parse_file(text).unwrap_or_else(|error| {
            panic!(
                "{path}:{}: not Rust that we can read: {error}",
                error.span().start().line
            )
        });
        Self {
            path: path.to_owned(),
            text: text.to_owned(),
            syntax,
        }
    }

    /// The path of the module inside its crate: `src/app/ui/frame.rs` is `ui`, `frame`, and a crate's `lib.rs` is empty.
    pub(super) fn module(&self) -> Vec<String> {
        let inside = self.path.strip_prefix("src/").unwrap_or(&self.path);
        let parts = inside.trim_end_matches(".rs").split('/').skip(1);
        parts
            .filter(|part| *part != "lib")
            .map(str::to_owned)
            .collect()
    }

    /// True for the file of this module, such as `app/ui`, and for the files in its folder.
    pub(crate) fn is_below(&self, module: &str) -> bool {
        self.path == format!("src/{module}.rs") || self.path.starts_with(&format!("src/{module}/"))
    }
}

/// The top of the repository.
pub(super) fn top() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every file of the program.
pub(super) fn program() -> Vec<SourceFile> {
    read_below(&["src"])
}

/// Every file of the program, its tests and its benches.
pub(crate) fn everything() -> Vec<SourceFile> {
    read_below(&["src", "tests"])
}

fn read_below(folders: &[&str]) -> Vec<SourceFile> {
    let mut paths = Vec::new();
    for folder in folders {
        collect(&top().join(folder), &mut paths);
    }
    paths.sort();
    assert!(
        paths.len() > 10,
        "the source is not where this test looks for it"
    );
    paths.iter().map(|path| read(path)).collect()
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of ours") {
        let path = entry.expect("an entry of ours").path();
        if path.is_dir() {
            collect(&path, paths);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            paths.push(path);
        }
    }
}

fn read(path: &Path) -> SourceFile {
    let text = fs::read_to_string(path).expect("a file of ours");
    let inside: Vec<&str> = path
        .strip_prefix(top())
        .expect("found below the top")
        .iter()
        .map(|part| part.to_str().expect("our names are ASCII"))
        .collect();
    SourceFile::made_up(&inside.join("/"), &text)
}
