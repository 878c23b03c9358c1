//! The Python baseline, with `pydantic` in a virtual environment below the target folder.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::ROWS;
use super::reader::Reading;

/// The newest when this was written.
const PYDANTIC: &str = "pydantic==2.14.3";

/// Reads in a process of its own.
pub(crate) fn measured(path: &Path) -> io::Result<Reading> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bench/read/rival.py");
    let output = Command::new(python()?)
        .arg(script)
        .arg(path)
        .arg(ROWS.to_string())
        .output()?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(io::Error::other(said));
    }
    Reading::parse(&String::from_utf8_lossy(&output.stdout))
}

/// The environment's Python; made at the first run.
fn python() -> io::Result<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/bench-venv");
    let python = folder.join("bin/python");
    let ready = Command::new(&python)
        .args(["-c", "import pydantic"])
        .output()
        .is_ok_and(|output| output.status.success());
    if !ready {
        run(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
        run(Command::new(&python).args(["-m", "pip", "install", "--quiet", PYDANTIC]))?;
    }
    Ok(python)
}

fn run(command: &mut Command) -> io::Result<()> {
    let output = command.output()?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    Err(io::Error::other(said))
}
