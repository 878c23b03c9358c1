//! A private session bus with its own home folder, for services that run on one.

use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

use super::program::{first_line, signal_group};

/// A running session; it ends with the test.
pub(crate) struct SessionBus {
    session: Child,
    address: String,
    _home: TempDir,
}

impl SessionBus {
    /// Starts a session in which `prepare` is run by the shell first; `None` where that fails.
    pub(crate) fn start(prepare: &str) -> Option<Self> {
        let home = TempDir::new().expect("a temporary folder");
        let folder = |name: &str| {
            let folder = home.path().join(name);
            std::fs::create_dir(&folder).expect("a folder in the temporary folder");
            folder
        };
        // It says where its bus is, and stays until its input ends.
        let script = format!("{prepare} || exit 1\necho \"$DBUS_SESSION_BUS_ADDRESS\"\nexec cat\n");
        let mut session = Command::new("dbus-run-session")
            .args(["--", "sh", "-c", &script])
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
        let address = first_line(&mut session);
        // Where it failed it is stopped, too.
        let bus = Self {
            session,
            address,
            _home: home,
        };
        bus.address.starts_with("unix:").then_some(bus)
    }

    /// As `DBUS_SESSION_BUS_ADDRESS` names it.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }
}

impl Drop for SessionBus {
    fn drop(&mut self) {
        signal_group(&self.session, "TERM");
        drop(self.session.wait());
    }
}
