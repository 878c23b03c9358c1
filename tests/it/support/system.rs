//! The system that a test's bench runs on. The benchmarks include this file, too.

use std::path::Path;

use app::config::{Graphics, Keyring, SystemInfo};

/// A system in Sydney with a display, and without a keyring, a file dialog or a print service; `folder` is the test's own.
pub(crate) fn system_info(folder: &Path) -> SystemInfo {
    let nowhere = folder.join("no-print-service");
    SystemInfo {
        version: env!("CARGO_PKG_VERSION"),
        home: None,
        display: true,
        graphics: Graphics::Glow,
        print_server: Some(nowhere.display().to_string()),
        file_dialog: false,
        keyring: Keyring::Unused,
        zone: "Australia/Sydney".to_owned(),
        program: env!("CARGO_BIN_EXE_packbench").into(),
        frame_log: None,
        log_filter: None,
    }
}
