//! Facts about this computer: display, graphics, print service, file dialogs, keyring, time zone.

use std::path::{Path, PathBuf};

use jiff::tz::TimeZone;

use super::token::Keyring;

/// The graphics backend that draws the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Graphics {
    /// wgpu, or glow if wgpu finds only a CPU to draw with.
    Gpu,
    /// glow: without a GPU it needs a fifth of wgpu's time (15 against 77 ms a frame).
    Software,
}

/// Facts about this computer, from the environment variables and the system.
#[derive(Debug, Clone)]
pub struct Surroundings {
    /// True if a window can be opened.
    pub display: bool,
    pub graphics: Graphics,
    /// Address of the print service, from `CUPS_SERVER`.
    pub print_server: Option<String>,
    /// True if file dialogs work.
    pub file_dialog: bool,
    /// Where tokens are stored. With `PACKBENCH_KEYRING=none`, Packbench asks for them at each start.
    pub keyring: Keyring,
    /// IANA time zone: `PACKBENCH_ZONE`, else the system's.
    pub zone: String,
    /// Path of our own executable, which also runs as a child process that renders labels.
    pub program: PathBuf,
    /// File to which the number of drawn frames is written, for measurements; `None` by default.
    pub frame_log: Option<PathBuf>,
    /// Log filter from `RUST_LOG`.
    pub log_filter: Option<String>,
}

impl Surroundings {
    /// Detects all of these facts. Call once, at the start.
    pub fn look() -> Self {
        Self {
            display: !cfg!(target_os = "linux")
                || given("DISPLAY").is_some()
                || given("WAYLAND_DISPLAY").is_some(),
            graphics: graphics(),
            print_server: given("CUPS_SERVER"),
            file_dialog: file_dialog(),
            keyring: match given("PACKBENCH_KEYRING").as_deref() {
                Some("none") => Keyring::Unused,
                _ => Keyring::System,
            },
            zone: given("PACKBENCH_ZONE").unwrap_or_else(system_zone),
            program: std::env::current_exe().unwrap_or_else(|_unknown| PathBuf::from("packbench")),
            frame_log: given("PACKBENCH_FRAME_LOG").map(PathBuf::from),
            log_filter: given("RUST_LOG"),
        }
    }

    /// Returns the city of the time zone: "Sydney" for `Australia/Sydney`. Empty for UTC.
    pub fn place(&self) -> String {
        if self.zone.ends_with("UTC") {
            return String::new();
        }
        self.zone
            .rsplit('/')
            .next()
            .unwrap_or_default()
            .replace('_', " ")
    }
}

fn given(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

fn system_zone() -> String {
    TimeZone::system().iana_name().unwrap_or("UTC").to_owned()
}

/// Chooses the backend: `PACKBENCH_RENDERER` if set, else glow on Linux without a render node (which means
/// that there is no GPU), else wgpu.
fn graphics() -> Graphics {
    match given("PACKBENCH_RENDERER").as_deref() {
        Some("glow") => Graphics::Software,
        Some("wgpu") => Graphics::Gpu,
        _ if cfg!(target_os = "linux") && !Path::new("/dev/dri/renderD128").exists() => {
            Graphics::Software
        }
        _ => Graphics::Gpu,
    }
}

/// Returns whether file dialogs work. On Linux they need the desktop's portal or zenity; without both, a
/// dialog returns at once as if it was cancelled.
fn file_dialog() -> bool {
    if !cfg!(target_os = "linux") {
        return true;
    }
    let portal =
        Path::new("/usr/share/dbus-1/services/org.freedesktop.portal.Desktop.service").exists();
    let bus = given("DBUS_SESSION_BUS_ADDRESS").is_some();
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let zenity = std::env::split_paths(&folders).any(|folder| folder.join("zenity").is_file());
    (portal && bus) || zenity
}
