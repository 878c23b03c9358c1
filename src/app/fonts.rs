//! Fonts of the system, for text that the program's own fonts can't draw: Chinese, Arabic, Thai, Hindi, emoji.
//!
//! Finding a font reads the disk, so it happens on a thread of its own: the text shows boxes for the moment that it takes.
//! Font files are mapped into memory, not copied, and only those that some text needed.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use egui::epaint::text::{FallbackRequest, FontData, FontInsert, FontProvider};
use egui::{Context, FontFamily};
use egui_system_font_provider::SystemFontProvider;
use poll_promise::Promise;
use rustybuzz::Face;

/// No more fonts than this are added: a text that mixes all scripts must not take all memory.
const MOST: usize = 16;

/// Finds fonts for what the program's own can't draw.
#[derive(Default)]
pub(super) struct SystemFonts {
    missing: Arc<Missing>,
    search: Option<Promise<Vec<FontInsert>>>,
    /// The system's fonts, once some text needed one.
    provider: Option<Arc<SystemFontProvider>>,
    added: Vec<FontData>,
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
        let added = self.added.clone();
        let search = Promise::spawn_thread("system fonts", move || {
            let found = find(provider.as_ref(), &wanted, &added);
            ctx.request_repaint();
            found
        });
        self.search = Some(search);
    }

    /// Adds all of them in one go: egui draws every letter anew after each change of its fonts.
    fn add(&mut self, ctx: &Context, found: Vec<FontInsert>) {
        if found.is_empty() {
            return;
        }
        let mut definitions = ctx.fonts(|fonts| fonts.definitions().clone());
        for FontInsert { name, data, .. } in found {
            if self.added.len() >= MOST || definitions.font_data.contains_key(&name) {
                continue;
            }
            tracing::info!(font = name, "a font of the system is used");
            for names in definitions.families.values_mut() {
                names.push(name.clone());
            }
            self.added.push(data.clone());
            definitions.font_data.insert(name, Arc::new(data));
        }
        ctx.set_fonts(definitions);
        ctx.request_repaint();
    }
}

/// Fonts for those letters that neither the fonts that were added before nor each other have. Waits until the fonts of the
/// system are listed: never on the main thread.
fn find(provider: &dyn FontProvider, wanted: &[char], added: &[FontData]) -> Vec<FontInsert> {
    let mut found: Vec<FontInsert> = Vec::new();
    for letter in wanted {
        let has = |data: &FontData| has_letter(data, *letter);
        if added.iter().any(has) || found.iter().any(|font| has(&font.data)) {
            continue;
        }
        let cluster = letter.to_string();
        found.extend(provider.font_for(&FallbackRequest {
            cluster: &cluster,
            family: &FontFamily::Proportional,
        }));
    }
    found
}

fn has_letter(data: &FontData, letter: char) -> bool {
    let face = Face::from_slice(data.bytes(), data.index);
    face.is_some_and(|face| face.glyph_index(letter).is_some())
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use egui::epaint::text::{FallbackRequest, FontData, FontInsert, FontProvider};

    use super::find;

    /// Has one font for all letters, and counts how often it is asked.
    #[derive(Default)]
    struct OneFont(AtomicUsize);

    impl FontProvider for OneFont {
        fn font_for(&self, _: &FallbackRequest<'_>) -> Option<FontInsert> {
            self.0.fetch_add(1, Ordering::Relaxed);
            Some(FontInsert {
                name: "the one font".to_owned(),
                data: font(),
                families: Vec::new(),
            })
        }
    }

    fn font() -> FontData {
        FontData::from_static(include_bytes!("../../assets/fonts/Inter-Regular.otf"))
    }

    #[test]
    fn n25_a_font_is_looked_for_once_however_many_letters_need_it() {
        let provider = OneFont::default();
        let found = find(&provider, &['a', 'b', 'é'], &[]);
        assert_eq!((found.len(), provider.0.load(Ordering::Relaxed)), (1, 1));
        let found = find(&provider, &['c', 'd'], &[font()]);
        assert_eq!((found.len(), provider.0.load(Ordering::Relaxed)), (0, 1));
    }
}
