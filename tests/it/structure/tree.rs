//! Rules of layout: the top of the repository, the names of module files, and that every dependency is used.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use super::mentions;
use super::source::{self, top};

/// Beside dotfiles.
const TOP_LEVEL: &[&str] = &[
    "Cargo.toml",
    "Cargo.lock",
    "README.md",
    "LICENSE",
    "src",
    "assets",
    "tests",
];

/// What the customer asked for by name.
const CHOSEN: &[&str] = &[
    "egui",
    "eframe",
    "reqwest",
    "tokio",
    "serde",
    "poll-promise",
    "rfd",
    "image",
    "printers",
];

/// Every file that git holds or would hold; what lies in the folder where there is no git, as in an unpacked archive.
fn files() -> Vec<String> {
    let listed = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .current_dir(top())
        .output()
        .ok()
        .filter(|output| output.status.success() && !output.stdout.is_empty());
    match listed {
        Some(output) => String::from_utf8(output.stdout)
            .expect("our names are ASCII")
            .lines()
            .map(str::to_owned)
            .collect(),
        None => fs::read_dir(top())
            .expect("our own folder")
            .filter_map(Result::ok)
            .filter_map(|entry| entry.file_name().into_string().ok())
            .filter(|name| name != "target")
            .collect(),
    }
}

fn strangers_at_the_top(files: &[String]) -> BTreeSet<&str> {
    let names = files
        .iter()
        .map(|path| path.split('/').next().unwrap_or(path));
    names
        .filter(|name| !name.starts_with('.') && !TOP_LEVEL.contains(name))
        .collect()
}

fn old_style_modules(files: &[String]) -> Vec<&String> {
    files
        .iter()
        .filter(|path| path.ends_with("/mod.rs"))
        .collect()
}

/// A crate of the workspace: its folder, its dependencies as code spells them, and the crates that its code names.
struct Member {
    folder: String,
    dependencies: Vec<String>,
    named: BTreeSet<String>,
}

fn members() -> Vec<Member> {
    let sources = source::program();
    let in_folder = |folder: &str| {
        let manifest =
            fs::read_to_string(top().join(folder).join("Cargo.toml")).expect("a manifest");
        let is_main = folder.is_empty();
        let files = sources.iter().filter(|file| {
            if is_main {
                file.path == "src/main.rs"
            } else {
                file.path.starts_with(&format!("{folder}/"))
            }
        });
        let named = files.flat_map(mentions::of);
        Member {
            folder: folder.to_owned(),
            dependencies: dependencies(&manifest),
            named: named
                .filter_map(|mention| mention.segments.into_iter().next())
                .collect(),
        }
    };
    let folders = fs::read_dir(top().join("src")).expect("our own folder");
    let folders = folders
        .filter_map(Result::ok)
        .filter(|entry| entry.path().is_dir());
    let folders = folders.filter_map(|entry| entry.file_name().into_string().ok());
    let mut members: Vec<Member> = folders
        .map(|name| in_folder(&format!("src/{name}")))
        .collect();
    members.push(in_folder(""));
    members
}

/// The names below `[dependencies]` and its like for one system, as code spells them.
fn dependencies(manifest: &str) -> Vec<String> {
    let mut within = false;
    let mut names = Vec::new();
    for line in manifest.lines() {
        if let Some(section) = line.strip_prefix('[') {
            within = section.ends_with("dependencies]")
                && !section.contains("workspace")
                && !section.contains("dev-")
                && !section.contains("build-");
        } else if let (true, Some((name, _))) = (within, line.split_once(['.', '=']))
            && !name.starts_with('#')
        {
            names.push(name.trim().replace('-', "_"));
        }
    }
    names
}

#[test]
fn the_top_of_the_repository_holds_only_what_is_agreed() {
    let files = files();
    let strangers = strangers_at_the_top(&files);
    assert!(
        strangers.is_empty(),
        "at the top only {TOP_LEVEL:?} and dotfiles, but there is {strangers:?}"
    );
}

#[test]
fn module_files_bear_their_modules_name() {
    let files = files();
    let old = old_style_modules(&files);
    assert!(
        old.is_empty(),
        "`foo.rs` beside `foo/`, never mod.rs: {old:?}"
    );
}

#[test]
fn every_dependency_that_the_customer_chose_is_used() {
    let members = members();
    for name in CHOSEN.iter().map(|name| name.replace('-', "_")) {
        assert!(
            members
                .iter()
                .any(|member| member.dependencies.contains(&name) && member.named.contains(&name)),
            "nothing in src uses `{name}`, which the customer chose"
        );
    }
}

#[test]
fn no_dependency_lies_unused() {
    for member in members() {
        let idle: Vec<_> = member
            .dependencies
            .iter()
            .filter(|name| !member.named.contains(*name))
            .collect();
        assert!(
            idle.is_empty(),
            "{}/Cargo.toml asks for these, and no code there names them: {idle:?}",
            member.folder
        );
    }
}

#[test]
fn practice_and_client_meet_on_the_wire_only() {
    for (folder, other) in [("src/practice", "client"), ("src/client", "practice")] {
        let members = members();
        let member = members.iter().find(|member| member.folder == folder);
        let dependencies = &member.expect("a crate of ours").dependencies;
        assert!(
            !dependencies.iter().any(|name| name == other),
            "{folder} uses `{other}`, so one could hide the other's mistakes"
        );
    }
}

#[test]
fn a_stranger_at_the_top_and_a_mod_rs_are_caught() {
    let files = [
        "Cargo.toml",
        ".ci/run",
        "docs/plan.md",
        "src/app/ui/mod.rs",
        "build.rs",
    ]
    .map(str::to_owned);
    assert_eq!(
        strangers_at_the_top(&files),
        BTreeSet::from(["build.rs", "docs"])
    );
    assert_eq!(old_style_modules(&files), ["src/app/ui/mod.rs"]);
}

#[test]
fn dependencies_are_read_from_every_section_but_the_tests() {
    let manifest = "[package]\nname = \"a\"\n[dependencies]\n# b = 1\npoll-promise.workspace = true\n\
                    [target.'cfg(unix)'.dependencies]\nc = { version = \"1\" }\n[dev-dependencies]\nd = \"1\"\n";
    assert_eq!(dependencies(manifest), ["poll_promise", "c"]);
}
