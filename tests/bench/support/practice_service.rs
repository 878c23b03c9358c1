//! A practice service in its own process.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// A running practice service; dropping it ends its process.
pub(crate) struct PracticeService {
    child: Child,
    pub(crate) data: PathBuf,
    pub(crate) address: String,
    pub(crate) token: String,
}

impl PracticeService {
    pub(crate) fn start(data: &Path) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_packbench"))
            .args(["practice", "--port", "0", "--speed", "0", "--data"])
            .arg(data)
            .stdout(Stdio::piped())
            .spawn()
            .expect("our own program starts");
        let lines = child.stdout.take().expect("it is piped");
        let mut lines = BufReader::new(lines).lines();
        let mut line = || lines.next().expect("a line").expect("text");
        let (address, token) = (line(), line());
        Self {
            child,
            data: data.to_owned(),
            address,
            token,
        }
    }
}

impl Drop for PracticeService {
    fn drop(&mut self) {
        let _ended_already = self.child.kill();
        let _status = self.child.wait();
    }
}
