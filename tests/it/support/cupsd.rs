//! A private print service: CUPS in a temporary folder, reached by a socket there, stopped when dropped.

#![expect(clippy::unwrap_used, reason = "a test may end by panicking")]

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use printing::service::ServerAddress;
use tempfile::TempDir;

/// A running cupsd without queues.
pub(crate) struct Cupsd {
    folder: TempDir,
    child: Child,
}

impl Cupsd {
    pub(crate) fn start() -> Self {
        let folder = tempfile::Builder::new().prefix("cups").tempdir().unwrap();
        let root = folder.path();
        // As root, its filters and backends run as another user, who has to get in.
        fs::set_permissions(root, fs::Permissions::from_mode(0o755)).unwrap();
        for part in ["root", "spool", "spool/tmp", "cache", "state", "logs"] {
            fs::create_dir(root.join(part)).unwrap();
        }
        fs::set_permissions(root.join("spool"), fs::Permissions::from_mode(0o755)).unwrap();
        fs::set_permissions(root.join("spool/tmp"), fs::Permissions::from_mode(0o1777)).unwrap();
        let am_root = fs::metadata(root).unwrap().uid() == 0;
        fs::write(root.join("cupsd.conf"), daemon_conf(root)).unwrap();
        fs::write(root.join("cups-files.conf"), files_conf(root, am_root)).unwrap();
        let mut started = Self {
            child: daemon_in(root),
            folder,
        };
        started.wait_until_it_listens();
        started
    }

    /// Ends it where it stands: what it has not written down by then is lost.
    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Starts it again, on what it wrote down.
    pub(crate) fn restart(&mut self) {
        self.child = daemon_in(self.folder.path());
        self.wait_until_it_listens();
    }

    fn wait_until_it_listens(&mut self) {
        let until = Instant::now() + Duration::from_secs(20);
        while UnixStream::connect(self.socket()).is_err() {
            assert!(
                self.child.try_wait().unwrap().is_none(),
                "cupsd ended: {}",
                self.log()
            );
            assert!(
                Instant::now() < until,
                "cupsd does not listen: {}",
                self.log()
            );
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    pub(crate) fn socket(&self) -> PathBuf {
        self.folder.path().join("cups.sock")
    }

    pub(crate) fn server(&self) -> ServerAddress {
        ServerAddress::Local(self.socket())
    }

    /// What it wrote into its log, for messages of tests that fail.
    pub(crate) fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("logs/error_log")).unwrap_or_default()
    }

    /// Adds a raw queue that prints to a port on the loopback.
    pub(crate) fn raw_queue(&self, name: &str, port: u16) {
        self.add(name, &format!("socket://127.0.0.1:{port}"), &["-m", "raw"]);
    }

    /// Adds a queue and lets it run.
    pub(crate) fn add(&self, name: &str, uri: &str, more: &[&str]) {
        self.tool("lpadmin", &[&["-p", name, "-E", "-v", uri], more].concat());
    }

    /// Runs one of CUPS's own tools against it.
    pub(crate) fn tool(&self, name: &str, arguments: &[&str]) {
        let program = ["/usr/sbin", "/usr/bin"]
            .iter()
            .map(|folder| Path::new(folder).join(name));
        let program = program
            .into_iter()
            .find(|path| path.exists())
            .unwrap_or_else(|| panic!("{name} is missing: {SETUP}"));
        let done = Command::new(program)
            .args(arguments)
            .env("CUPS_SERVER", self.socket())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&done.stderr);
        assert!(
            done.status.success(),
            "{name} {arguments:?}: {said}{}",
            self.log()
        );
    }
}

impl Drop for Cupsd {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn daemon_in(root: &Path) -> Child {
    let mut command = Command::new(daemon());
    command
        .arg("-f")
        .arg("-c")
        .arg(root.join("cupsd.conf"))
        .arg("-s")
        .arg(root.join("cups-files.conf"));
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.spawn().unwrap()
}

const SETUP: &str = "sh assets/setup-debian.sh --tests installs it";

fn daemon() -> PathBuf {
    let path = PathBuf::from("/usr/sbin/cupsd");
    assert!(path.exists(), "{} is missing: {SETUP}", path.display());
    path
}

fn daemon_conf(root: &Path) -> String {
    let root = root.display();
    format!(
        "LogLevel info\n\
         Listen {root}/cups.sock\n\
         Browsing No\n\
         DirtyCleanInterval 0\n\
         WebInterface No\n\
         DefaultAuthType None\n\
         ErrorPolicy abort-job\n\
         <Location />\n  Order allow,deny\n  Allow all\n</Location>\n\
         <Location /admin>\n  Order allow,deny\n  Allow all\n</Location>\n\
         <Policy default>\n\
           JobPrivateAccess default\n\
           JobPrivateValues default\n\
           <Limit All>\n    Order deny,allow\n  </Limit>\n\
         </Policy>\n"
    )
}

fn files_conf(root: &Path, am_root: bool) -> String {
    let root = root.display();
    let mut conf = format!(
        "ServerRoot {root}/root\n\
         RequestRoot {root}/spool\n\
         TempDir {root}/spool/tmp\n\
         CacheDir {root}/cache\n\
         StateDir {root}/state\n\
         ErrorLog {root}/logs/error_log\n\
         AccessLog {root}/logs/access_log\n\
         PageLog {root}/logs/page_log\n\
         FileDevice Yes\n\
         Sandboxing relaxed\n"
    );
    if am_root {
        conf.push_str("User lp\nGroup lp\nSystemGroup root\n");
    }
    conf
}
