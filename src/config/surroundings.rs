//! What the bench stands in: display, graphics, print service, file dialogs, time zone.

use std::path::{Path, PathBuf};

use jiff::tz::TimeZone;

use super::token::Keyring;

/// Which graphics to draw with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Graphics {
    /// wgpu, and glow where it only finds a processor.
    Gpu,
    /// glow: without a graphics processor it costs a fifth.
    Software,
}

/// What the environment says.
#[derive(Debug, Clone)]
pub struct Surroundings {
    /// True where a window can be opened.
    pub display: bool,
    /// What to draw with.
    pub graphics: Graphics,
    /// `CUPS_SERVER`, where it is set: the print service is there.
    pub print_server: Option<String>,
    /// True where a file dialog can be had.
    pub file_dialog: bool,
    /// Where tokens are kept; `PACKBENCH_KEYRING=none` has them asked for at each start.
    pub keyring: Keyring,
    /// IANA zone of this machine.
    pub zone: String,
    /// Our own executable, which also runs as a child that draws labels.
    pub program: PathBuf,
    /// A file to write the number of frames drawn to, for measurements; none by default.
    pub frame_log: Option<PathBuf>,
    /// What is logged, as `RUST_LOG` says it.
    pub log_filter: Option<String>,
}

impl Surroundings {
    /// Looks around once.
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

    /// "Sydney" for `Australia/Sydney`; nothing where the zone's own letters say it all.
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

/// `PACKBENCH_RENDERER` decides where it is set; else a Linux machine without a render node has no graphics processor.
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

/// Linux asks the desktop's portal, then zenity; with neither a dialog answers like a cancel.
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
