//! The program as a clerk starts it, but with its own home: its own data folder, no session bus, no print
//! service, and not this machine's keyring.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

use super::display::Display;
use super::wait::{SOON, until};

/// A place to live for one bench: what it keeps stays from one start to the next.
pub(crate) struct Home {
    folder: TempDir,
}

impl Home {
    /// Of a bench where the practice service was chosen on an earlier day.
    pub(crate) fn new() -> Self {
        let home = Self::fresh();
        fs::write(
            home.data().join("settings.json"),
            r#"{"chosen": "practice"}"#,
        )
        .expect("a settings file");
        home
    }

    /// Of a bench that was never started.
    pub(crate) fn fresh() -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        for name in ["home", "run", "data"] {
            fs::create_dir(folder.path().join(name)).expect("a folder in the temporary folder");
        }
        Self { folder }
    }

    /// Where the bench keeps what is its own.
    pub(crate) fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// Packbench with `arguments`, not yet started, and without a display.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.command_of(Path::new(env!("CARGO_BIN_EXE_packbench")));
        command.args(arguments);
        command
    }

    /// Any program, living in this home.
    pub(crate) fn command_of(&self, program: &Path) -> Command {
        let home = self.folder.path().join("home");
        let nowhere = self.folder.path().join("nowhere");
        let mut command = Command::new(program);
        command
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("LANG", "C.UTF-8")
            .env("HOME", &home)
            .env("XDG_DATA_HOME", home.join("data"))
            .env("XDG_CONFIG_HOME", home.join("config"))
            .env("XDG_STATE_HOME", home.join("state"))
            .env("XDG_CACHE_HOME", home.join("cache"))
            .env("XDG_RUNTIME_DIR", self.folder.path().join("run"))
            .env(
                "DBUS_SESSION_BUS_ADDRESS",
                format!("unix:path={}", nowhere.display()),
            )
            .env("CUPS_SERVER", &nowhere)
            .env("PACKBENCH_DATA", self.data())
            .env("PACKBENCH_RENDERER", "glow")
            .env("LIBGL_ALWAYS_SOFTWARE", "1")
            .stdin(Stdio::null());
        command
    }

    /// Starts Packbench on `display`.
    pub(crate) fn start(&self, display: &Display) -> Program {
        self.launch(self.command(&[]), display)
    }

    /// Starts `command` on `display`.
    pub(crate) fn launch(&self, mut command: Command, display: &Display) -> Program {
        command.env("DISPLAY", display.name());
        Program::spawn(command, self.folder.path())
    }
}

/// A running program and what it has started; all of it is killed on drop.
pub(crate) struct Program {
    child: Child,
    log: PathBuf,
}

impl Program {
    pub(crate) fn spawn(mut command: Command, folder: &Path) -> Self {
        let (file, log) = tempfile::NamedTempFile::new_in(folder)
            .expect("a log")
            .keep()
            .expect("a log that stays");
        let also: File = file.try_clone().expect("a second handle to the log");
        let child = command
            .process_group(0)
            .stdout(file)
            .stderr(also)
            .spawn()
            .expect("the program starts");
        Self { child, log }
    }

    /// The folders below `/proc` of it and everything that it has started, as far as they live.
    pub(crate) fn processes(&self) -> Vec<PathBuf> {
        let all = fs::read_dir("/proc")
            .expect("Linux has /proc")
            .filter_map(Result::ok);
        let ours = |folder: &PathBuf| {
            let stat = fs::read_to_string(folder.join("stat")).unwrap_or_default();
            // The name is in parentheses and may hold anything; state, parent and group follow.
            let mut after = stat
                .rsplit_once(')')
                .map_or("", |(_, after)| after)
                .split_whitespace();
            after.next().is_some_and(|state| state != "Z")
                && after.nth(1) == Some(&self.child.id().to_string())
        };
        all.map(|process| process.path()).filter(ours).collect()
    }

    /// What it has said so far.
    pub(crate) fn said(&self) -> String {
        fs::read_to_string(&self.log).unwrap_or_default()
    }

    /// Fails, with what it said, if it has ended.
    pub(crate) fn must_run(&mut self) {
        let ended = self.child.try_wait().expect("a child of ours");
        assert!(
            ended.is_none(),
            "the program ended with {ended:?} and said:\n{}",
            self.said()
        );
    }

    /// Stops it where it stands; what is sent to it waits.
    pub(crate) fn pause(&self) {
        self.signal("STOP");
    }

    pub(crate) fn go_on(&self) {
        self.signal("CONT");
    }

    /// Pulls the plug: it gets no time to say goodbye, and what it has started must notice by itself.
    pub(crate) fn kill(mut self) {
        self.child.kill().expect("a child of ours");
        drop(self.child.wait());
        until("nothing outlives the program", SOON, || {
            self.processes().is_empty().then_some(())
        });
    }

    fn signal(&self, name: &str) {
        signal_group(&self.child, name);
    }
}

/// Reads the first line that a child prints, without the blanks around it.
pub(crate) fn first_line(child: &mut Child) -> String {
    let output = child.stdout.take().expect("it was asked for");
    let mut line = String::new();
    BufReader::new(output)
        .read_line(&mut line)
        .expect("the child prints a line");
    line.trim().to_owned()
}

/// Sends a signal to all of a child's group; they may be gone already.
pub(crate) fn signal_group(child: &Child, name: &str) {
    let group = child.id();
    drop(
        Command::new("sh")
            .args(["-c", &format!("kill -{name} -{group}")])
            .stderr(Stdio::null())
            .status(),
    );
}

impl Drop for Program {
    fn drop(&mut self) {
        self.signal("KILL");
        drop(self.child.wait());
    }
}
