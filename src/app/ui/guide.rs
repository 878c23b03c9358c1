//! The guide in the Help dialog: the book's chapters for clerks and for administrators.

use egui::{Id, Margin, ScrollArea, Ui};
use egui_commonmark::{CommonMarkCache, CommonMarkViewer};

use widgets::button::Button;
use widgets::layout::panes;
use widgets::tokens::{palette, size};
use widgets::{paint, text};

/// Width of the list of chapters.
const LIST: f32 = 224.0;

/// Defines the chapters of each part, by their titles and files.
macro_rules! chapters {
    ($($part:literal { $($title:literal $file:literal)+ })+) => {
        /// The parts of the guide with their chapters, as in the table of contents of the book.
        pub const PARTS: &[(&str, &[Chapter])] = &[$(($part, &[$(Chapter {
            title: $title,
            file: concat!($file, ".md"),
            text: include_str!(concat!("../../../assets/guide/src/", $file, ".md")),
        }),+])),+];
    };
}

chapters! {
    "For clerks" {
        "Getting started" "start"
        "Consign" "consign"
        "Dispatch" "dispatch"
        "Labels" "labels"
        "Track" "track"
        "Operations" "operations"
        "Orders" "orders"
        "Settings and companies" "settings"
        "Keys" "keys"
        "When Packbench can't start" "cannot-start"
    }
    "For administrators" {
        "Install, upgrade and remove" "install"
        "Commands without a window" "commands"
        "Settings for many benches" "roll-out"
        "Many benches on one database" "workgroup"
        "Where data is kept" "data"
        "Environment variables" "environment"
        "The practice service" "practice"
    }
}

#[derive(Debug)]
pub struct Chapter {
    pub title: &'static str,
    pub file: &'static str,
    /// The chapter's text, as `CommonMark`.
    pub text: &'static str,
}

/// State of the guide: the chapter that is shown.
pub(super) struct Guide {
    chapter: &'static Chapter,
    /// The chapter's text, with examples as HTML blocks.
    text: String,
    cache: CommonMarkCache,
}

impl Default for Guide {
    fn default() -> Self {
        let mut cache = CommonMarkCache::default();
        for chapter in chapters() {
            cache.add_link_hook(chapter.file);
        }
        let chapter = &PARTS[0].1[0];
        Self {
            chapter,
            text: with_examples_as_html(chapter.text),
            cache,
        }
    }
}

fn chapters() -> impl Iterator<Item = &'static Chapter> {
    PARTS.iter().flat_map(|(_, chapters)| *chapters)
}

impl Guide {
    pub(super) fn show(&mut self, ui: &mut Ui) {
        let page = ui.available_width() - LIST - size::GUTTER;
        panes(ui, &[LIST, page], |pane, ui| match pane {
            0 => self.list(ui),
            _ => self.page(ui),
        });
    }

    fn open(&mut self, chapter: &'static Chapter) {
        self.chapter = chapter;
        self.text = with_examples_as_html(chapter.text);
    }

    fn list(&mut self, ui: &mut Ui) {
        let list = ScrollArea::vertical().id_salt("chapters");
        list.auto_shrink(false).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 2.0;
            for (part, chapters) in PARTS {
                ui.label(text::strong(*part));
                for chapter in *chapters {
                    let is_shown = chapter.file == self.chapter.file;
                    let button = Button::quiet(chapter.title).left().selected(is_shown);
                    if ui.add(button.fill_width(ui)).clicked() {
                        self.open(chapter);
                    }
                }
                ui.add_space(size::GRID);
            }
        });
    }

    fn page(&mut self, ui: &mut Ui) {
        let id = Id::unique(("chapter", self.chapter.file));
        self.cache.handle_keyboard_scrolling(&id, ui);
        let page = ScrollArea::vertical().id_salt(self.chapter.file);
        page.auto_shrink(false).show(ui, |ui| {
            ui.style_mut().interaction.selectable_labels = true;
            CommonMarkViewer::new()
                .render_html_fn(Some(&draw_example))
                .show_with_id(id, ui, &mut self.cache, &self.text);
            self.cache.apply_pending_scroll_delta(&id, ui);
        });
        let followed = chapters().find(|one| self.cache.get_link_hook(one.file) == Some(true));
        if let Some(chapter) = followed {
            self.open(chapter);
            ui.ctx().request_repaint();
        }
    }
}

const PRE: &str = "<pre>";
const PRE_END: &str = "</pre>";

/// Turns examples into HTML blocks, which [`draw_example`] draws. The viewer's own way to draw examples needs characters
/// that our fonts don't have.
fn with_examples_as_html(text: &str) -> String {
    let mut is_inside = false;
    let lines = text.lines().map(|line| match line {
        _ if !line.starts_with("```") => line,
        _ => {
            is_inside = !is_inside;
            if is_inside { PRE } else { PRE_END }
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn draw_example(ui: &mut Ui, html: &str) {
    let code = html
        .trim()
        .trim_start_matches(PRE)
        .trim_end_matches(PRE_END);
    let p = palette(ui);
    let frame = paint::frame(p.head, p.border, size::BUTTON_RADIUS).inner_margin(Margin::same(10));
    frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.label(text::mono(code.trim()));
    });
    ui.add_space(size::GRID);
}
