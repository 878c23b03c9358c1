//! System fonts for text that the program's own fonts can't draw: Chinese, Arabic, Thai, Hindi, emoji.
//!
//! Listing the system's fonts takes hundreds of milliseconds, so it starts when some text first needs one, and on
//! a thread of its own; until then the text shows boxes. Font files are mapped into memory, not copied.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use egui::epaint::text::{FallbackRequest, FontInsert, FontProvider as _};
use egui::{Context, FontFamily};
use egui_system_font_provider::SystemFontProvider;
use poll_promise::Promise;

/// Adds the system's fonts once a text needs one.
#[derive(Default)]
pub(super) struct SystemFonts {
    /// Set when a frame lacked a font.
    is_wanted: Arc<AtomicBool>,
    stage: FontStage,
}

#[derive(Default)]
enum FontStage {
    #[default]
    NotNeeded,
    Listing(Promise<Arc<SystemFontProvider>>),
    Added,
}

impl SystemFonts {
    /// Makes egui report text that no font can draw. Call this before the first frame.
    pub(super) fn install(&self, ctx: &Context) {
        let is_wanted = Arc::clone(&self.is_wanted);
        ctx.add_font_provider(Arc::new(
            move |_: &FallbackRequest<'_>| -> Option<FontInsert> {
                is_wanted.store(true, Ordering::Relaxed);
                None
            },
        ));
    }

    /// Returns whether the last frame lacked a font, so that the next turn has to list the system's fonts.
    pub(super) fn is_wanted(&self) -> bool {
        matches!(self.stage, FontStage::NotNeeded) && self.is_wanted.load(Ordering::Relaxed)
    }

    /// Lists the system's fonts if the last frame lacked one, and adds them once they are listed.
    pub(super) fn turn(&mut self, ctx: &Context) {
        let is_wanted = self.is_wanted.load(Ordering::Relaxed);
        self.stage = match std::mem::take(&mut self.stage) {
            FontStage::NotNeeded if is_wanted => FontStage::Listing(list_fonts(ctx.clone())),
            FontStage::Listing(listing) => match listing.try_take() {
                Ok(provider) => {
                    ctx.add_font_provider(provider);
                    FontStage::Added
                }
                Err(listing) => FontStage::Listing(listing),
            },
            other => other,
        };
    }
}

fn list_fonts(ctx: Context) -> Promise<Arc<SystemFontProvider>> {
    Promise::spawn_thread("system fonts", move || {
        let provider = Arc::new(SystemFontProvider::new());
        // A lookup waits until the fonts are listed.
        drop(provider.font_for(&FallbackRequest {
            cluster: "a",
            family: &FontFamily::Proportional,
        }));
        ctx.request_repaint();
        provider
    })
}
