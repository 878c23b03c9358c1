//! The packages for Windows, under Wine.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::package;
use crate::support::display::Display;
use crate::support::wait::{SOON, until};
use crate::support::wine::Windows;

/// Installs, does the main job from the installed program, upgrades, and removes. `place` is the folder of the program.
fn is_installed_used_and_removed(
    windows: &Windows,
    install: &[&str],
    place: &Path,
    remove: &[&str],
) {
    let installed = || {
        let output = windows.run(install);
        assert!(output.status.success(), "{output:?}");
        assert!(place.join("packbench.exe").exists(), "{}", place.display());
    };
    installed();
    windows.add_missing_library(place);
    let program = place.join("packbench.exe");
    let output = windows
        .command_of_program(&program, &["doctor", "--practice", "--out", r"C:\papers"])
        .output()
        .expect("it runs");
    assert!(output.status.success(), "{output:?}");
    let label = fs::read(windows.drive().join("papers/printer.zpl")).expect("the printer's bytes");
    assert!(label.starts_with(b"^XA"));
    // A damaged program is repaired.
    fs::write(&program, "damaged").expect("written");
    installed();
    assert!(fs::metadata(&program).expect("there").len() > 1_000_000);
    fs::remove_file(place.join("bcryptprimitives.dll")).expect("ours");

    let output = windows.run(remove);
    assert!(output.status.success(), "{output:?}");
    until("the folder is gone", SOON, || {
        (!place.exists()).then_some(())
    });
    assert!(windows.usual_data().exists(), "the data stays");
}

fn shortcuts(windows: &Windows) -> Vec<PathBuf> {
    let menu = "AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Packbench.lnk";
    let all = [menu, "Desktop/Packbench.lnk"];
    let paths = all.map(|path| windows.user_folder().join(path));
    paths.into_iter().filter(|path| path.exists()).collect()
}

/// An installer of an older version, whose program is no program.
fn older_installer(folder: &Path) -> PathBuf {
    for name in [
        "packbench.exe",
        "licence.txt",
        "licence-fonts.txt",
        "licences.txt",
        "packbench.cdx.json",
    ] {
        fs::write(folder.join(name), "older").expect("a file");
    }
    let installer = folder.join("older.exe");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/packages/windows");
    let made = Command::new("makensis")
        .current_dir(script)
        .args(["-V2", "-DVERSION=0.1.9"])
        .arg(format!("-DFILES={}", folder.display()))
        .arg(format!("-DOUTPUT={}", installer.display()))
        .arg("packbench.nsi")
        .output()
        .expect("nsis is missing");
    assert!(made.status.success(), "{made:?}");
    installer
}

#[test]
#[ignore = "needs the packages"]
fn the_installer_works_for_one_user_without_questions_and_upgrades_an_older_version() {
    let windows = Windows::new();
    let folder = tempfile::tempdir().expect("a folder");
    let older = windows.bring(&older_installer(folder.path()));
    assert!(windows.run(&[&older, "/S"]).status.success());
    assert_eq!(shortcuts(&windows).len(), 2);
    let installer = windows.bring(&package("windows", ".exe"));
    let place = windows
        .user_folder()
        .join("AppData/Local/Programs/Packbench");
    assert!(windows.run(&[&installer, "/S"]).status.success());
    windows.add_missing_library(&place);
    let open = ["practice", "--port", "0", "--data", r"C:\practice"];
    let mut open = windows
        .command_of_program(&place.join("packbench.exe"), &open)
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut lines = BufReader::new(open.stdout.take().expect("it was asked for")).lines();
    assert!(lines.next().is_some(), "it runs");
    let refused = windows.run(&[&installer, "/S"]);
    assert_eq!(refused.status.code(), Some(5), "while it is open");
    assert!(
        fs::metadata(place.join("packbench.exe"))
            .expect("there")
            .len()
            > 1_000_000
    );
    open.kill().expect("a child of ours");
    open.wait().expect("a child of ours");

    let remove = r"C:\users\Łódź Ω\AppData\Local\Programs\Packbench\uninstall.exe";
    is_installed_used_and_removed(&windows, &[&installer, "/S"], &place, &[remove, "/S"]);
    assert_eq!(shortcuts(&windows), Vec::<PathBuf>::new());
}

#[test]
#[ignore = "needs the packages"]
fn the_msi_works_for_all_users_without_questions() {
    let windows = Windows::new();
    let msi = windows.bring(&package("windows", ".msi"));
    let place = windows.drive().join("Program Files/Packbench");
    let install = ["msiexec", "/i", &msi, "/qn", "REINSTALLMODE=amus"];
    is_installed_used_and_removed(&windows, &install, &place, &["msiexec", "/x", &msi, "/qn"]);
}

#[test]
#[ignore = "needs the packages"]
fn the_portable_program_keeps_its_data_beside_itself() {
    let (windows, display) = (Windows::new(), Display::start());
    let place = windows.drive().join("stick");
    let archive = fs::File::open(package("windows", ".zip")).expect("the package");
    let mut archive = zip::ZipArchive::new(archive).expect("a ZIP file");
    archive.extract(&place).expect("its files");
    windows.add_missing_library(&place);
    let command = windows.command_of_program(&place.join("packbench.exe"), &["--version"]);
    assert!({ command }.output().expect("it runs").status.success());
    let mut start = windows.command_line(&["cmd", "/c", r"C:\stick\portable.cmd"]);
    start.env("PACKBENCH_RENDERER", "glow");
    let program = windows.launch(start, &display);
    display.window("Packbench");
    until("its data", SOON, || {
        place.join("data/settings.json").exists().then_some(())
    });
    assert!(
        !windows.usual_data().exists(),
        "nothing in the user's folder"
    );
    drop(program);
}
