//! How the window is drawn: with OpenGL (glow), or with the system's own graphics interface (wgpu).

use eframe::NativeOptions;

/// The libraries that may draw the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Graphics {
    /// OpenGL only. This is enough on Linux: Mesa draws OpenGL on the CPU where there is no GPU.
    Glow,
    /// Direct3D or Metal first. Windows has no usable OpenGL in a remote desktop session.
    #[cfg(not(target_os = "linux"))]
    Wgpu,
}

impl Graphics {
    /// Chooses the libraries. `wanted` is the value of `PACKBENCH_RENDERER`, which Linux ignores.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn choose(wanted: Option<&str>) -> Self {
        match wanted {
            Some("glow") => Self::Glow,
            _ => Self::Wgpu,
        }
    }

    #[cfg(target_os = "linux")]
    pub(super) const fn choose(_wanted: Option<&str>) -> Self {
        Self::Glow
    }

    /// Describes the choice for `--doctor`.
    pub(crate) const fn label(self) -> &'static str {
        match self {
            Self::Glow => "OpenGL",
            #[cfg(not(target_os = "linux"))]
            Self::Wgpu => "Direct3D or Metal, or OpenGL if there is no graphics processor",
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
    use eframe::egui_wgpu::{WgpuConfiguration, WgpuSetup, wgpu::DeviceType};

    let mut wgpu_options = WgpuConfiguration::default();
    if let WgpuSetup::CreateNew(setup) = &mut wgpu_options.wgpu_setup
        && only_on_gpu
    {
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
