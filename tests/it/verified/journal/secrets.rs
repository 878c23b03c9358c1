//! G. Which data may leave the program's memory, who may read its files, and what the renderer may do.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use printing::page::Scale;
use printing::renderer::Renderer;

use crate::support::display::Display;
use crate::support::program::Home;
use crate::support::wait::{SOON, until};

/// A line of `/proc/<id>/limits` or `/proc/<id>/status` after its name.
fn line(process: u32, file: &str, name: &str) -> Vec<String> {
    let text = fs::read_to_string(format!("/proc/{process}/{file}")).unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    let words = line.unwrap_or_default().split_whitespace();
    words.map(str::to_owned).collect()
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

/// The practice service alone: the same `main` as the window's.
fn practice(home: &Home) -> Child {
    let mut child = home
        .command(&["practice", "--port", "0"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(child.stdout.take().unwrap());
    let mut address = String::new();
    said.read_line(&mut address).unwrap();
    assert!(address.starts_with("http://"), "{address}");
    child
}

fn end(mut child: Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn g_the_program_leaves_no_core_dump() {
    let home = Home::new();
    let child = practice(&home);
    assert_eq!(
        line(child.id(), "limits", "Max core file size")[..2],
        ["0", "0"]
    );
    end(child);
}

#[test]
fn g_nobody_attaches_to_the_program_or_dumps_it_from_outside() {
    // A process that is not dumpable has files below /proc that belong to the superuser, whoever it runs as.
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).unwrap();
    let program = folder.path().join("packbench");
    fs::copy(env!("CARGO_BIN_EXE_packbench"), &program).unwrap();
    let is_root = line(std::process::id(), "status", "Uid:")[0] == "0";
    if !is_root {
        // Only the superuser may start a program as somebody else; CI does.
        return;
    }
    let mut child = Command::new("setpriv")
        .args(["--reuid=65534", "--regid=65534", "--clear-groups"])
        .arg(&program)
        .args(["practice", "--port", "0", "--data"])
        .arg(folder.path().join("data"))
        .env_clear()
        .stdout(Stdio::piped())
        .spawn()
        .expect("setpriv is part of every Debian");
    let mut said = BufReader::new(child.stdout.take().unwrap());
    let mut address = String::new();
    said.read_line(&mut address).unwrap();
    assert!(address.starts_with("http://"), "{address}");
    let owner = fs::metadata(format!("/proc/{}/environ", child.id())).unwrap();
    assert_eq!(line(child.id(), "status", "Uid:")[0], "65534");
    assert_eq!(owner.uid(), 0);
    end(child);
}

#[test]
fn g_lock_and_practice_files_are_for_their_user_alone() {
    let display = Display::start();
    let home = Home::new();
    let mut program = home.start(&display);
    display.window("Packbench");
    let practice = home.data().join("practice");
    until("the practice service's files", SOON, || {
        practice.join("practice.sqlite-wal").exists().then_some(())
    });
    program.must_run();
    // Who reads the port can connect as a second start.
    assert_eq!(mode(&home.data().join("lock.port")), 0o600);
    for entry in fs::read_dir(&practice).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            assert_eq!(mode(&path), 0o600, "{}", path.display());
        }
    }
    // One that an older version made is closed to others at the next start.
    drop(program);
    let database = practice.join("practice.sqlite");
    fs::set_permissions(&database, fs::Permissions::from_mode(0o644)).unwrap();
    let _program = home.start(&display);
    until("closed to others", SOON, || {
        (mode(&database) == 0o600).then_some(())
    });
}

#[test]
fn g_the_renderer_has_no_environment_no_new_rights_and_limits() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let renderer = Renderer::new(env!("CARGO_BIN_EXE_packbench").into());
        // A document that is refused starts the child, too.
        let refused = renderer.render(b"no label"[..].into(), 0, Scale::DOTS_8);
        refused.await.unwrap_err();
        let child = renderer.child_ids().pop().unwrap();
        until("it has closed itself in", SOON, || {
            (line(child, "status", "NoNewPrivs:") == ["1"]).then_some(())
        });
        until("system calls are filtered", SOON, || {
            (line(child, "status", "Seccomp:") == ["2"]).then_some(())
        });
        let environment = fs::read(format!("/proc/{child}/environ")).unwrap();
        assert_eq!(String::from_utf8_lossy(&environment), "");
        let limit = |name| line(child, "limits", name)[0].clone();
        assert_ne!(limit("Max cpu time"), "unlimited");
        assert_eq!(limit("Max file size"), "0");
        assert_eq!(limit("Max core file size"), "0");
        renderer.close().await;
    });
}

#[test]
fn g_a_second_start_is_answered_while_a_hundred_silent_callers_hold_the_port() {
    const KNOCK: &[u8] = b"packbench\n";
    let display = Display::start();
    let home = Home::new();
    let mut program = home.start(&display);
    display.window("Packbench");
    let port = until("the port", SOON, || {
        let port = fs::read_to_string(home.data().join("lock.port")).ok()?;
        port.trim().parse::<u16>().ok()
    });
    let silent: Vec<_> = (0..100)
        .map(|_| TcpStream::connect(("127.0.0.1", port)).unwrap())
        .collect();
    let started = Instant::now();
    let mut second = TcpStream::connect(("127.0.0.1", port)).unwrap();
    second
        .set_read_timeout(Some(Duration::from_secs(20)))
        .unwrap();
    second.write_all(KNOCK).unwrap();
    let mut answer = [0; KNOCK.len()];
    second.read_exact(&mut answer).unwrap();
    assert_eq!(answer, *KNOCK);
    let took = started.elapsed();
    assert!(took < Duration::from_secs(10), "{took:?}");
    drop(silent);
    program.must_run();
}
