//! System fonts for text that the program's own fonts can't draw: Chinese, Arabic, Thai, Hindi, emoji.
//!
//! Finding a font reads the disk, so it runs on its own thread; until then the text shows boxes. Font files
//! are mapped into memory, not copied, and only if some text needs them.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use egui::epaint::text::{FallbackRequest, FontData, FontInsert, FontProvider};
use egui::{Context, FontFamily};
use egui_system_font_provider::SystemFontProvider;
use poll_promise::Promise;
use rustybuzz::Face;

/// Maximum number of added fonts, so that a text that mixes all scripts does not use up memory.
const MOST: usize = 16;

/// Finds system fonts for characters that the program's own fonts can't draw.
#[derive(Default)]
pub(super) struct SystemFonts {
    missing: Arc<MissingCharacters>,
    search: Option<Promise<Vec<FontInsert>>>,
    /// The system's fonts, created when a text first needs one.
    provider: Option<Arc<SystemFontProvider>>,
    added: Vec<FontData>,
}

/// Characters that no font could draw so far.
#[derive(Default)]
struct MissingCharacters(Mutex<CharacterRequests>);

#[derive(Default)]
struct CharacterRequests {
    seen: HashSet<char>,
    wanted: Vec<char>,
}

impl MissingCharacters {
    fn take(&self) -> Vec<char> {
        let mut asked = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut asked.wanted)
    }
}

impl FontProvider for MissingCharacters {
    /// Only records the character, because egui calls this while it draws a frame.
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
    /// Registers the provider with egui. Call this before the first frame.
    pub(super) fn install(&self, ctx: &Context) {
        ctx.add_font_provider(Arc::clone(&self.missing) as Arc<dyn FontProvider>);
    }

    /// Returns whether the last frame lacked a font, so that the next turn has to search for one.
    pub(super) fn is_wanted(&self) -> bool {
        let asked = self.missing.0.lock();
        !asked
            .unwrap_or_else(PoisonError::into_inner)
            .wanted
            .is_empty()
            && self.search.is_none()
    }

    /// Adds fonts that were found, and searches for fonts that the last frame lacked.
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

    /// Adds all fonts at once, because egui draws every letter again after each change of its fonts.
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

/// Finds fonts for the letters that no font in `added` has, each letter in one font only. Waits until the
/// system's fonts are listed, so it must not run on the main thread.
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

    /// A provider with one font for all letters, which counts how often it is asked.
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
