//! The program for Windows under Wine: a Windows of its own, whose user has a name that is not ASCII.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tempfile::TempDir;

use super::display::Display;
use super::program::Program;

const WINE: &str = "/usr/lib/wine/wine64";
const WINE_SERVER: &str = "/usr/lib/wine/wineserver64";
const SETUP: &str = "sh assets/setup-debian.sh --tests installs it";
const USER: &str = "Łódź Ω";

/// Windows since 7 has `ProcessPrng`, which Rust's standard library needs; Wine 8 has not.
const RANDOM_BYTES: &str = "
#include <windows.h>
BOOLEAN WINAPI SystemFunction036(PVOID buffer, ULONG length);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T length) {
    return SystemFunction036(data, (ULONG)length);
}
";

static SHARED: Mutex<Weak<Windows>> = Mutex::new(Weak::new());

/// A fresh Windows with Packbench; it ends when no test uses it any more.
pub(crate) struct Windows {
    folder: TempDir,
}

impl Windows {
    /// The one that other tests use at the moment, or a new one, because making one takes seconds and 700 MB. For commands
    /// only: Wine has one display for all that runs in it, the first one.
    pub(crate) fn shared() -> Arc<Self> {
        let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(windows) = shared.upgrade() {
            return windows;
        }
        let windows = Arc::new(Self::new());
        *shared = Arc::downgrade(&windows);
        windows
    }

    pub(crate) fn new() -> Self {
        let built = "target/x86_64-pc-windows-gnu/debug/packbench.exe";
        Self::with_programs(&[Path::new(env!("CARGO_MANIFEST_DIR")).join(built)])
    }

    /// A fresh Windows with these programs.
    pub(crate) fn with_programs(programs: &[PathBuf]) -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        let windows = Self { folder };
        for name in ["home", "run", "program"] {
            fs::create_dir(windows.folder.path().join(name)).expect("a folder");
        }
        let program = windows.folder.path().join("program");
        for built in programs {
            let name = built.file_name().expect("a file");
            symlink(built, program.join(name)).expect("a link");
        }
        windows.add_missing_library(&program);
        let made = windows.command_of(WINE).args(["wineboot", "-i"]).output();
        let made = made.unwrap_or_else(|_| panic!("{WINE} is missing: {SETUP}"));
        assert!(made.status.success(), "{made:?}");
        windows
    }

    fn command_of(&self, program: &str) -> Command {
        let place = |name| self.folder.path().join(name);
        let mut command = Command::new(program);
        command
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("LANG", "C.UTF-8")
            .env("TZ", "Australia/Sydney")
            .env("USER", USER)
            .env("HOME", place("home"))
            .env("XDG_RUNTIME_DIR", place("run"))
            .env("WINEPREFIX", place("prefix"))
            .env("WINEARCH", "win64")
            .env("WINEDEBUG", "-all")
            .env("WINEDLLOVERRIDES", "mscoree,mshtml=")
            .env("CUPS_SERVER", place("nowhere"))
            .env("LIBGL_ALWAYS_SOFTWARE", "1")
            .stdin(Stdio::null());
        command
    }

    /// Adds the library that Wine lacks to a program's folder.
    pub(crate) fn add_missing_library(&self, folder: &Path) {
        let source = self.folder.path().join("random.c");
        fs::write(&source, RANDOM_BYTES).expect("a file");
        let compiled = Command::new("x86_64-w64-mingw32-gcc")
            .args(["-shared", "-o"])
            .arg(folder.join("bcryptprimitives.dll"))
            .arg(&source)
            .arg("-ladvapi32")
            .status();
        assert!(compiled.is_ok_and(|status| status.success()), "{SETUP}");
    }

    /// Copies a file to drive `C:`, and returns its path there.
    pub(crate) fn bring(&self, file: &Path) -> String {
        let name = file.file_name().expect("a file").to_string_lossy();
        fs::copy(file, self.drive().join(&*name)).expect("a copy");
        format!(r"C:\{name}")
    }

    /// Runs a program of this Windows, by its name or path there.
    pub(crate) fn run(&self, line: &[&str]) -> Output {
        self.command_line(line).output().expect("it runs")
    }

    /// Returns the command that [`Self::run`] runs.
    pub(crate) fn command_line(&self, line: &[&str]) -> Command {
        let mut command = self.command_of(WINE);
        command.args(line);
        command
    }

    /// The program at this path, with these arguments.
    pub(crate) fn command_of_program(&self, program: &Path, arguments: &[&str]) -> Command {
        assert!(
            program.exists(),
            "first build it: cargo build --target x86_64-pc-windows-gnu"
        );
        let mut command = self.command_of(WINE);
        command.arg(program).args(arguments);
        command
    }

    /// The drive `C:`.
    pub(crate) fn drive(&self) -> PathBuf {
        self.folder.path().join("prefix/drive_c")
    }

    /// Where the user's data is, unless the program is told another folder.
    pub(crate) fn usual_data(&self) -> PathBuf {
        self.user_folder().join("AppData/Local/packbench/data")
    }

    pub(crate) fn user_folder(&self) -> PathBuf {
        self.drive().join("users").join(USER)
    }

    /// Packbench with `arguments`, not yet started, and without a display.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        self.command_of_file("packbench.exe", arguments)
    }

    /// Returns the command for one of its programs, without a display.
    pub(crate) fn command_of_file(&self, name: &str, arguments: &[&str]) -> Command {
        let program = self.folder.path().join("program").join(name);
        self.command_of_program(&program, arguments)
    }

    /// Starts `command` on `display`.
    pub(crate) fn launch(&self, mut command: Command, display: &Display) -> Program {
        command.env("DISPLAY", display.name());
        Program::spawn(command, self.folder.path())
    }
}

impl Drop for Windows {
    fn drop(&mut self) {
        for end in ["-k", "-w"] {
            // Without a server nothing is left to end.
            let _ended = self.command_of(WINE_SERVER).arg(end).output();
        }
    }
}
