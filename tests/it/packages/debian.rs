//! The Debian package in a fresh Debian. Needs root and debootstrap.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

use super::package;
use crate::support::display::Display;
use crate::support::program::Program;

/// A fresh Debian 12 in a folder.
struct Debian {
    folder: TempDir,
}

impl Debian {
    fn new() -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        let made = Command::new("debootstrap")
            .args(["--variant=minbase", "bookworm"])
            .arg(folder.path())
            .output()
            .expect("debootstrap is missing");
        assert!(made.status.success(), "{made:?}");
        Self { folder }
    }

    fn path(&self, inside: &str) -> PathBuf {
        self.folder.path().join(inside.trim_start_matches('/'))
    }

    fn command(&self, line: &[&str]) -> Command {
        let mut command = Command::new("chroot");
        command
            .arg(self.folder.path())
            .args(line)
            .env_clear()
            .env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin")
            .env("HOME", "/root")
            .env("LANG", "C.UTF-8")
            .env("LIBGL_ALWAYS_SOFTWARE", "1")
            .env("DEBIAN_FRONTEND", "noninteractive");
        command
    }

    #[track_caller]
    fn run(&self, line: &[&str]) -> Output {
        let output = self.command(line).output().expect("it runs");
        assert!(output.status.success(), "{line:?}: {output:?}");
        output
    }

    /// Every path that has the program's name.
    fn traces(&self) -> Vec<PathBuf> {
        let output = self.run(&["find", "/", "-xdev", "-iname", "*packbench*"]);
        let text = String::from_utf8(output.stdout).expect("paths");
        text.lines().map(PathBuf::from).collect()
    }
}

#[test]
#[ignore = "needs the package, root and minutes"]
fn the_package_is_installed_does_the_main_job_and_leaves_only_the_data_when_it_is_removed() {
    let debian = Debian::new();
    let package = package("debian", ".deb");
    fs::copy(&package, debian.path("packbench.deb")).expect("a copy");
    debian.run(&["apt-get", "-q", "update"]);
    debian.run(&[
        "apt-get",
        "-q",
        "install",
        "-y",
        "--no-install-recommends",
        "/packbench.deb",
    ]);
    fs::remove_file(debian.path("packbench.deb")).expect("the copy");
    for file in [
        "usr/share/applications/packbench.desktop",
        "usr/share/icons/hicolor/scalable/apps/packbench.svg",
        "usr/share/metainfo/org.packbench.Packbench.metainfo.xml",
        "usr/share/bash-completion/completions/packbench",
    ] {
        assert!(debian.path(file).exists(), "{file}");
    }

    debian.run(&["packbench", "doctor", "--practice", "--out", "/papers"]);
    let label = fs::read(debian.path("papers/printer.zpl")).expect("the printer's bytes");
    assert!(label.starts_with(b"^XA"));

    fs::write(
        debian.path("root/.local/share/packbench/settings.json"),
        r#"{"chosen": "practice"}"#,
    )
    .expect("a settings file");
    let display = Display::start();
    let mut command = debian.command(&["packbench"]);
    command.env("DISPLAY", display.name());
    let mut program = Program::spawn(command, &debian.path("tmp"));
    display.window("PRACTICE - Packbench");
    display.settle();
    display.save_picture("debian_package");
    program.must_run();
    drop(program);

    debian.run(&["apt-get", "-q", "purge", "-y", "packbench"]);
    let data = Path::new("/root/.local/share/packbench");
    let left: Vec<_> = debian
        .traces()
        .into_iter()
        .filter(|path| !path.starts_with(data))
        .collect();
    assert_eq!(left, Vec::<PathBuf>::new());
    assert!(
        debian.path("root/.local/share/packbench").exists(),
        "the data stays"
    );
}
