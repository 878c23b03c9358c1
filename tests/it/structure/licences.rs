//! `assets/licences/licences.txt` lists the packages that the program is made of, with the versions of `Cargo.lock`.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use super::source::top;

const STALE: &str =
    "assets/licences/licences.txt is out of date: run sh assets/packages/licences.sh";

fn read(path: &str) -> String {
    fs::read_to_string(top().join(path)).expect("a file of ours")
}

/// Name and version of each package in the list, which ends where the texts begin.
fn listed(licences: &str) -> BTreeSet<(&str, &str)> {
    let lines = licences.lines().take_while(|line| !line.starts_with("==="));
    let packages = lines.filter_map(|line| line.split_once(": ")?.0.split_once(' '));
    packages
        .filter(|(_, version)| version.starts_with(|first: char| first.is_ascii_digit()))
        .collect()
}

#[test]
fn every_listed_licence_is_of_a_locked_package() {
    let (licences, lock) = (read("assets/licences/licences.txt"), read("Cargo.lock"));
    let is_locked = |(name, version): &(&str, &str)| {
        lock.contains(&format!("name = \"{name}\"\nversion = \"{version}\"\n"))
    };
    let packages = listed(&licences);
    let others: Vec<_> = packages.iter().filter(|it| !is_locked(it)).collect();
    assert!(
        packages.len() > 100 && others.is_empty(),
        "{STALE}\n{others:?}"
    );
}

/// Asks about this system only: packages for another one need not be on this machine.
#[test]
fn every_package_of_the_program_is_listed_with_its_licence() {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--locked", "--offline", "--package", "packbench"])
        .args(["--edges", "normal", "--prefix", "none", "--format", "{p}"])
        .current_dir(top())
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{output:?}");
    let tree = String::from_utf8(output.stdout).expect("names");
    let licences = read("assets/licences/licences.txt");
    let packages = listed(&licences);
    // Packages of this repository are shown with their folders.
    let missing: BTreeSet<_> = tree
        .lines()
        .filter(|line| !line.contains("(/"))
        .filter_map(|line| line.split(" (").next()?.split_once(" v"))
        .filter(|package| !packages.contains(package))
        .collect();
    assert!(missing.is_empty(), "{STALE}\n{missing:?}");
}
