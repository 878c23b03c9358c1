//! The smallest possible eframe program: an empty window.

use eframe::NativeOptions;
use egui::{CentralPanel, Ui, ViewportBuilder};

/// The first argument that makes this executable the rival; width and height in points follow.
pub(crate) const ARGUMENT: &str = "empty-window";

/// Its window's title.
pub(crate) const TITLE: &str = "Nothing at all";

struct Nothing;

impl eframe::App for Nothing {
    fn ui(&mut self, ui: &mut Ui, _: &mut eframe::Frame) {
        CentralPanel::default().show(ui, |_| {});
    }
}

/// The size, if the arguments ask for the rival.
pub(crate) fn wanted(arguments: &[String]) -> Option<[f32; 2]> {
    match arguments {
        [first, width, height, ..] if first == ARGUMENT => {
            Some([width.parse().ok()?, height.parse().ok()?])
        }
        _ => None,
    }
}

/// Shows the window until it is killed.
pub(crate) fn open(size: [f32; 2]) -> eframe::Result {
    let options = NativeOptions {
        viewport: ViewportBuilder::default().with_inner_size(size),
        renderer: eframe::Renderer::Glow,
        ..NativeOptions::default()
    };
    eframe::run_native(TITLE, options, Box::new(|_| Ok(Box::new(Nothing))))
}
