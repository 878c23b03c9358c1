//! Fonts of the system, for text that the program's own fonts can't draw: Chinese, Arabic, Thai, Hindi, emoji.
//!
//! Finding a font reads the disk, so it happens on a thread of its own: the text shows boxes for the moment that it takes.
//! Font files are mapped into memory, not copied, and only those that some text needed.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use egui::epaint::text::{
    FallbackRequest, FontInsert, FontPriority, FontProvider, InsertFontFamily,
};
use egui::{Context, FontFamily};
use egui_system_font_provider::SystemFontProvider;
use poll_promise::Promise;

/// No more fonts than this are added: a text that mixes all scripts must not take all memory.
const MOST: usize = 16;

/// Finds fonts for what the program's own can't draw.
#[derive(Default)]
pub(super) struct SystemFonts {
    missing: Arc<Missing>,
    search: Option<Promise<Vec<FontInsert>>>,
    /// The system's fonts, once some text needed one.
    provider: Option<Arc<SystemFontProvider>>,
    added: HashSet<String>,
}

/// Characters that no font could draw so far.
#[derive(Default)]
struct Missing(Mutex<Asked>);

#[derive(Default)]
struct Asked {
    seen: HashSet<char>,
    wanted: Vec<char>,
}

impl Missing {
    fn take(&self) -> Vec<char> {
        let mut asked = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut asked.wanted)
    }
}

impl FontProvider for Missing {
    /// Only takes note of the character: this is called while a frame is drawn.
    fn font_for(&self, request: &FallbackRequest<'_>) -> Option<FontInsert> {
        let first = request.cluster.chars().next()?;
        let mut asked = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if asked.seen.insert(first) {
            asked.wanted.push(first);
        }
        None
    }
}

impl SystemFonts {
    /// Before the first frame.
    pub(super) fn install(&self, ctx: &Context) {
        ctx.add_font_provider(Arc::clone(&self.missing) as Arc<dyn FontProvider>);
    }

    /// Did the last frame lack a font, so that the next turn has to look for one?
    pub(super) fn is_wanted(&self) -> bool {
        let asked = self.missing.0.lock();
        !asked
            .unwrap_or_else(PoisonError::into_inner)
            .wanted
            .is_empty()
            && self.search.is_none()
    }

    /// Adds fonts that were found, and looks for those that the last frame lacked.
    pub(super) fn turn(&mut self, ctx: &Context) {
        if let Some(search) = self.search.take() {
            match search.try_take() {
                Ok(found) => self.add(ctx, found),
                Err(search) => {
                    self.search = Some(search);
                    return;
                }
            }
        }
        let wanted = self.missing.take();
        if wanted.is_empty() || self.added.len() >= MOST {
            return;
        }
        let provider = self
            .provider
            .get_or_insert_with(|| Arc::new(SystemFontProvider::new()));
        let (provider, ctx) = (Arc::clone(provider), ctx.clone());
        let search = Promise::spawn_thread("system fonts", move || {
            let found = wanted
                .into_iter()
                .filter_map(|letter| find(&provider, letter));
            let found = found.collect();
            ctx.request_repaint();
            found
        });
        self.search = Some(search);
    }

    fn add(&mut self, ctx: &Context, found: Vec<FontInsert>) {
        let families: Vec<FontFamily> =
            ctx.fonts(|fonts| fonts.definitions().families.keys().cloned().collect());
        for mut font in found {
            if self.added.len() >= MOST || !self.added.insert(font.name.clone()) {
                continue;
            }
            tracing::info!(font = font.name, "a font of the system is used");
            font.families = { families.iter() }
                .map(|family| InsertFontFamily {
                    family: family.clone(),
                    priority: FontPriority::Lowest,
                })
                .collect();
            ctx.add_font(font);
        }
        ctx.request_repaint();
    }
}

/// Waits until the fonts of the system are listed: never on the main thread.
fn find(provider: &SystemFontProvider, letter: char) -> Option<FontInsert> {
    let cluster = letter.to_string();
    provider.font_for(&FallbackRequest {
        cluster: &cluster,
        family: &FontFamily::Proportional,
    })
}
