//! A real keyring of one's own: a session bus and GNOME's Secret Service, unlocked, in a home of its own.

use std::io::{BufRead as _, BufReader};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

/// Unlocks (and at the first start makes) the login keyring, says where its bus is, and stays until its input ends.
const SESSION: &str = r#"
printf test-password | gnome-keyring-daemon --unlock --components=secrets >/dev/null || exit 1
echo "$DBUS_SESSION_BUS_ADDRESS"
exec cat
"#;

/// A running keyring; it ends with the test.
pub(crate) struct Keyring {
    session: Child,
    address: String,
    _home: TempDir,
}

impl Keyring {
    pub(crate) fn start() -> Self {
        let home = TempDir::new().expect("a temporary folder");
        let folder = |name: &str| {
            let folder = home.path().join(name);
            std::fs::create_dir(&folder).expect("a folder in the temporary folder");
            folder
        };
        let mut session = Command::new("dbus-run-session")
            .args(["--", "sh", "-c", SESSION])
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("LANG", "C.UTF-8")
            .env("HOME", folder("home"))
            .env("XDG_DATA_HOME", folder("data"))
            .env("XDG_CONFIG_HOME", folder("config"))
            .env("XDG_CACHE_HOME", folder("cache"))
            .env("XDG_RUNTIME_DIR", folder("run"))
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("dbus-run-session is missing: sh assets/setup-debian.sh --tests");
        let said = session.stdout.take().expect("it was asked for");
        let mut address = String::new();
        BufReader::new(said)
            .read_line(&mut address)
            .expect("the session says where its bus is");
        let address = address.trim().to_owned();
        assert!(
            address.starts_with("unix:"),
            "no keyring could be started: sh assets/setup-debian.sh --tests"
        );
        Self {
            session,
            address,
            _home: home,
        }
    }

    /// The session bus, as `DBUS_SESSION_BUS_ADDRESS` names it.
    pub(crate) fn bus(&self) -> &str {
        &self.address
    }
}

impl Drop for Keyring {
    fn drop(&mut self) {
        // All of its group; it may have ended by itself.
        let group = self.session.id();
        drop(
            Command::new("sh")
                .args(["-c", &format!("kill -TERM -{group}")])
                .stderr(Stdio::null())
                .status(),
        );
        drop(self.session.wait());
    }
}
