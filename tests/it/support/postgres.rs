//! A private PostgreSQL: a cluster in a temporary folder, with a port of its own, stopped when dropped.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

const SETUP: &str = "sh assets/setup-debian.sh --tests installs it";

/// Password of the only user, who may do everything.
pub(crate) const PASSWORD: &str = "a password of the tests";

/// Debian's user and group without any rights: PostgreSQL refuses to run as root.
const NOBODY: u32 = 65534;

/// Twice as many as the 200 benches of the measurements, and some more.
const MOST_CONNECTIONS: u32 = 500;

/// Another program may take the port between its choice and its use.
const TRIES: u32 = 5;

/// How a server is stopped.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Stop {
    /// As if the computer had lost its power: connections are cut, and the next start recovers.
    Immediately,
    Orderly,
}

pub(crate) struct Postgres {
    folder: TempDir,
    port: u16,
    more: String,
}

impl Postgres {
    pub(crate) fn start() -> Self {
        Self::start_with("", |_| ())
    }

    /// Starts a server that needs no password.
    pub(crate) fn start_open() -> Self {
        Self::start_with("", |data| {
            let rules = "host all all 127.0.0.1/32 trust\n";
            fs::write(data.join("pg_hba.conf"), rules).expect("a file");
        })
    }

    /// Starts a server with more options, after `prepare` has put files into its data folder.
    pub(crate) fn start_with(more: &str, prepare: impl FnOnce(&Path)) -> Self {
        let folder = tempfile::Builder::new()
            .prefix("postgres")
            .tempdir()
            .expect("a temporary folder");
        let mut server = Self {
            folder,
            port: 0,
            more: more.to_owned(),
        };
        let root = server.folder.path().to_owned();
        fs::write(root.join("password"), PASSWORD).expect("a file");
        if server.is_root() {
            chown(&root, Some(NOBODY), Some(NOBODY)).expect("another owner");
        }
        server.tool("initdb", |command| {
            command
                .args([
                    "--username",
                    "bench",
                    "--auth",
                    "scram-sha-256",
                    "--no-sync",
                ])
                .args(["--encoding", "UTF8", "--no-locale", "--pwfile"])
                .arg(root.join("password"))
                .arg("--pgdata")
                .arg(root.join("data"))
        });
        prepare(&server.data());
        if server.is_root() {
            for entry in fs::read_dir(server.data()).expect("a folder") {
                let path = entry.expect("an entry").path();
                chown(path, Some(NOBODY), Some(NOBODY)).expect("another owner");
            }
        }
        server.start_at_free_port();
        server
    }

    fn start_at_free_port(&mut self) {
        for attempt in 1..=TRIES {
            let free = TcpListener::bind("127.0.0.1:0").and_then(|one| one.local_addr());
            self.port = free.expect("a port").port();
            if self.try_start() {
                return;
            }
            assert!(attempt < TRIES, "PostgreSQL does not start: {}", self.log());
        }
    }

    fn try_start(&self) -> bool {
        let options = format!(
            "-c listen_addresses=127.0.0.1 -c port={} -c unix_socket_directories={} -c max_connections={MOST_CONNECTIONS} {}",
            self.port,
            self.folder.path().display(),
            self.more
        );
        let mut command = self.command("pg_ctl");
        command
            .args([
                "start",
                "--wait",
                "--silent",
                "--options",
                &options,
                "--log",
            ])
            .arg(self.folder.path().join("log"))
            .arg("--pgdata")
            .arg(self.data());
        command.status().is_ok_and(|status| status.success())
    }

    /// Starts the server again, at the same port.
    pub(crate) fn start_again(&self) {
        assert!(
            self.try_start(),
            "PostgreSQL does not start: {}",
            self.log()
        );
    }

    pub(crate) fn stop(&self, how: Stop) {
        let mode = match how {
            Stop::Immediately => "immediate",
            Stop::Orderly => "fast",
        };
        self.tool("pg_ctl", |command| {
            command
                .args(["stop", "--wait", "--silent", "--mode", mode, "--pgdata"])
                .arg(self.data())
        });
    }

    pub(crate) fn address(&self) -> String {
        self.address_of("postgres")
    }

    /// The address of a database of this server.
    pub(crate) fn address_of(&self, database: &str) -> String {
        format!("postgresql://bench@127.0.0.1:{}/{database}", self.port)
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn is_root(&self) -> bool {
        // What this process has just made belongs to its user.
        let made = fs::metadata(self.folder.path().join("password"));
        made.expect("the file").uid() == 0
    }

    fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }

    fn command(&self, name: &str) -> Command {
        let mut command = Command::new(programs().join(name));
        command.current_dir(self.folder.path());
        if self.is_root() {
            command.uid(NOBODY).gid(NOBODY);
        }
        command
    }

    fn tool(&self, name: &str, with: impl FnOnce(&mut Command) -> &mut Command) {
        let mut command = self.command(name);
        let done = with(&mut command).output();
        let done = done.unwrap_or_else(|error| panic!("{name}: {error}: {SETUP}"));
        assert!(done.status.success(), "{name}: {done:?} {}", self.log());
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        let mut command = self.command("pg_ctl");
        let _stopped = command
            .args([
                "stop",
                "--wait",
                "--silent",
                "--mode",
                "immediate",
                "--pgdata",
            ])
            .arg(self.data())
            .output();
    }
}

/// The folder of the newest installed version's programs.
fn programs() -> PathBuf {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten();
    let version = |path: &Path| path.file_name()?.to_str()?.parse::<u32>().ok();
    let newest = versions
        .filter_map(|entry| Some(entry.ok()?.path()))
        .max_by_key(|path| version(path));
    let newest = newest.unwrap_or_else(|| panic!("PostgreSQL is missing: {SETUP}"));
    newest.join("bin")
}
