//! Facts about this program and this computer: version, display, graphics, print service, file dialogs, keyring, time
//! zone.

use std::path::{Path, PathBuf};

use directories::BaseDirs;
use eframe::NativeOptions;
use jiff::tz::TimeZone;

use super::keyring::Keyring;

#[derive(Debug, Clone)]
pub struct SystemInfo {
    /// Version of this program, with commit and date.
    pub version: &'static str,
    /// The user's home folder, which support bundles do not name.
    pub home: Option<PathBuf>,
    /// True if a window can be opened.
    pub display: bool,
    pub graphics: Graphics,
    /// Address of the print service, from `CUPS_SERVER`.
    pub print_server: Option<String>,
    pub file_dialog: bool,
    /// Where tokens are stored. With `PACKBENCH_KEYRING=none`, Packbench asks for them at each start.
    pub keyring: Keyring,
    /// IANA time zone: `PACKBENCH_ZONE`, else the system's.
    pub zone: String,
    /// Path of our own executable, which also runs as a child process that renders labels.
    pub program: PathBuf,
    /// File to which the number of drawn frames is written, for measurements; `None` by default.
    pub frame_log: Option<PathBuf>,
    pub log_filter: Option<String>,
}

impl SystemInfo {
    /// Detects these facts. Call this function once, at the start.
    pub fn detect(version: &'static str) -> Self {
        Self {
            version,
            home: BaseDirs::new().map(|folders| folders.home_dir().to_owned()),
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
        if self.zone.ends_with("UTC") || self.zone.starts_with("Etc/") {
            return String::new();
        }
        let city = self.zone.rsplit('/').next().unwrap_or_default();
        city.replace('_', " ")
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

/// The libraries that may draw the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Graphics {
    /// OpenGL only. This is enough on Linux: Mesa draws OpenGL on the CPU where there is no GPU.
    Glow,
    /// Vulkan or Metal first. Windows has no usable OpenGL in a remote desktop session.
    #[cfg(not(target_os = "linux"))]
    Wgpu,
}

impl Graphics {
    /// Chooses the graphics libraries. `wanted` is the value of `PACKBENCH_RENDERER`, which Linux ignores.
    #[cfg(not(target_os = "linux"))]
    fn choose(wanted: Option<&str>) -> Self {
        match wanted {
            Some("glow") => Self::Glow,
            _ => Self::Wgpu,
        }
    }

    #[cfg(target_os = "linux")]
    const fn choose(_wanted: Option<&str>) -> Self {
        Self::Glow
    }

    /// Describes the choice for `--doctor`.
    pub(crate) const fn label(self) -> &'static str {
        match self {
            Self::Glow => "OpenGL",
            #[cfg(not(target_os = "linux"))]
            Self::Wgpu => "Vulkan or Metal on a graphics processor, else OpenGL, else Direct3D",
        }
    }

    /// Returns the ways to draw the window, in the order in which they are tried.
    pub(crate) fn ways_to_draw(self) -> Vec<NativeOptions> {
        let glow = NativeOptions {
            renderer: eframe::Renderer::Glow,
            ..NativeOptions::default()
        };
        match self {
            Self::Glow => vec![glow],
            // OpenGL on the CPU needs a fifth of the time of wgpu on the CPU (15 against 77 ms a frame), so
            // wgpu on the CPU comes last.
            #[cfg(not(target_os = "linux"))]
            Self::Wgpu => vec![with_wgpu(true), glow, with_wgpu(false)],
        }
    }
}

#[cfg(not(target_os = "linux"))]
fn with_wgpu(only_on_gpu: bool) -> NativeOptions {
    use eframe::egui_wgpu::wgpu::{Backends, DeviceType};
    use eframe::egui_wgpu::{WgpuConfiguration, WgpuSetup};

    let mut wgpu_options = WgpuConfiguration::default();
    if let WgpuSetup::CreateNew(setup) = &mut wgpu_options.wgpu_setup
        && only_on_gpu
    {
        // wgpu lists Vulkan's graphics processors first anyway. Under Wine, Direct3D needs 300 ms to find that there is
        // none.
        setup.instance_descriptor.backends = Backends::VULKAN | Backends::METAL;
        setup.native_adapter_selector = Some(std::sync::Arc::new(|adapters, _surface| {
            let gpu = adapters
                .iter()
                .find(|adapter| adapter.get_info().device_type != DeviceType::Cpu);
            gpu.cloned()
                .ok_or_else(|| "there is no graphics processor".to_owned())
        }));
    }
    NativeOptions {
        renderer: eframe::Renderer::Wgpu,
        wgpu_options,
        ..NativeOptions::default()
    }
}
