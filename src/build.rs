//! Build script of the program: the commit for `--version`, and what Windows reads from an executable.

use std::process::Command;

/// Size of the main thread's stack on Windows, in bytes: as on Linux, where the tests run. One megabyte is usual there.
const STACK_BYTES: usize = 8 * 1024 * 1024;

fn main() {
    println!("cargo:rerun-if-changed=assets/icon/packbench.ico");
    let mut version = std::env::var("CARGO_PKG_VERSION").unwrap_or_default();
    // A source archive has no repository.
    if let Some(commit) = git(&["log", "-1", "--format=%h, %cs", "--abbrev=8"]) {
        version = format!("{version} ({commit})");
    }
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]) {
        println!("cargo:rerun-if-changed={log}");
    }
    println!("cargo:rustc-env=PACKBENCH_VERSION={version}");
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("windows") {
        windows();
    }
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

/// Adds icon, version and manifest, and sets the size of the main thread's stack.
fn windows() {
    let gnu = std::env::var("CARGO_CFG_TARGET_ENV").as_deref() == Ok("gnu");
    let stack = if gnu {
        format!("-Wl,--stack,{STACK_BYTES}")
    } else {
        format!("/STACK:{STACK_BYTES}")
    };
    println!("cargo:rustc-link-arg-bins={stack}");
    let mut resource = winresource::WindowsResource::new();
    resource
        .set_icon("assets/icon/packbench.ico")
        .set("ProductName", "Packbench")
        .set("FileDescription", "Packbench")
        .set("LegalCopyright", "MIT or Apache-2.0")
        .set_manifest(MANIFEST);
    resource
        .compile()
        .expect("windres, of the mingw packages, adds the icon");
}

/// Texts are UTF-8, paths may be long, and the window is drawn sharply on every screen.
const MANIFEST: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<assembly xmlns="urn:schemas-microsoft-com:asm.v1" manifestVersion="1.0">
  <application xmlns="urn:schemas-microsoft-com:asm.v3">
    <windowsSettings>
      <activeCodePage xmlns="http://schemas.microsoft.com/SMI/2019/WindowsSettings">UTF-8</activeCodePage>
      <longPathAware xmlns="http://schemas.microsoft.com/SMI/2016/WindowsSettings">true</longPathAware>
      <dpiAwareness xmlns="http://schemas.microsoft.com/SMI/2016/WindowsSettings">PerMonitorV2</dpiAwareness>
    </windowsSettings>
  </application>
</assembly>
"#;
