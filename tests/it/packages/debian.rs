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

/// Makes `older.deb` of the package: the same files with an older version.
fn older_package(debian: &Debian) {
    debian.run(&["dpkg-deb", "-R", "/packbench.deb", "/older"]);
    let control = debian.path("older/DEBIAN/control");
    let text = fs::read_to_string(&control).expect("its control file");
    let lines = text
        .lines()
        .map(|line| match line.strip_prefix("Version: ") {
            Some(_) => "Version: 0.1.9\n".to_owned(),
            None => format!("{line}\n"),
        });
    fs::write(&control, lines.collect::<String>()).expect("written");
    debian.run(&["dpkg-deb", "-b", "/older", "/older.deb"]);
    fs::remove_dir_all(debian.path("older")).expect("ours");
}

#[test]
#[ignore = "needs the package, root and minutes"]
fn the_package_is_installed_does_the_main_job_and_leaves_only_the_data_when_it_is_removed() {
    let debian = Debian::new();
    let package = package("debian", ".deb");
    fs::copy(&package, debian.path("packbench.deb")).expect("a copy");
    older_package(&debian);
    debian.run(&["apt-get", "-q", "update"]);
    for (file, version) in [
        ("/older.deb", "0.1.9"),
        ("/packbench.deb", env!("CARGO_PKG_VERSION")),
    ] {
        let options = ["-q", "install", "-y", "--no-install-recommends"];
        debian.run(&[&["apt-get"], &options[..], &[file]].concat());
        let shown = debian.run(&[
            "dpkg-query",
            "--show",
            "--showformat",
            "${Version}",
            "packbench",
        ]);
        let shown = String::from_utf8(shown.stdout).expect("a version");
        assert!(shown.starts_with(version), "{shown}");
    }
    fs::remove_file(debian.path("older.deb")).expect("ours");
    fs::remove_file(debian.path("packbench.deb")).expect("the copy");
    for file in [
        "usr/share/applications/packbench.desktop",
        "usr/share/icons/hicolor/scalable/apps/packbench.svg",
        "usr/share/metainfo/org.packbench.Packbench.metainfo.xml",
        "usr/share/bash-completion/completions/packbench",
        "usr/lib/udev/rules.d/70-packbench-scales.rules",
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
