//! Facts about this computer: display, graphics, print service, file dialogs, keyring, time zone.

use std::path::{Path, PathBuf};

use jiff::tz::TimeZone;

use super::graphics::Graphics;
use super::keyring::Keyring;

/// Facts about this computer, from the environment variables and the system.
#[derive(Debug, Clone)]
pub struct SystemInfo {
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

impl SystemInfo {
    /// Detects all of these facts. Call once, at the start.
    pub fn detect() -> Self {
        Self {
            display: !cfg!(target_os = "linux")
                || env_var("DISPLAY").is_some()
                || env_var("WAYLAND_DISPLAY").is_some(),
            graphics: Graphics::choose(env_var("PACKBENCH_RENDERER").as_deref()),
            print_server: env_var("CUPS_SERVER"),
            file_dialog: file_dialog(),
            keyring: match env_var("PACKBENCH_KEYRING").as_deref() {
                Some("none") => Keyring::Unused,
                _ => Keyring::System,
            },
            zone: env_var("PACKBENCH_ZONE").unwrap_or_else(system_zone),
            program: std::env::current_exe().unwrap_or_else(|_unknown| PathBuf::from("packbench")),
            frame_log: env_var("PACKBENCH_FRAME_LOG").map(PathBuf::from),
            log_filter: env_var("RUST_LOG"),
        }
    }

    /// Returns the city of the time zone: "Sydney" for `Australia/Sydney`. Empty for UTC.
    pub fn city(&self) -> String {
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

fn env_var(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

fn system_zone() -> String {
    TimeZone::system().iana_name().unwrap_or("UTC").to_owned()
}

/// Returns whether file dialogs work. On Linux they need the desktop's portal or zenity; without both, a
/// dialog returns at once as if it was cancelled.
fn file_dialog() -> bool {
    if !cfg!(target_os = "linux") {
        return true;
    }
    let portal =
        Path::new("/usr/share/dbus-1/services/org.freedesktop.portal.Desktop.service").exists();
    let bus = env_var("DBUS_SESSION_BUS_ADDRESS").is_some();
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let zenity = std::env::split_paths(&folders).any(|folder| folder.join("zenity").is_file());
    (portal && bus) || zenity
}
