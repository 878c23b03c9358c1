//! The text styles: body, small, strong, title, figure and mono, as egui's rich text and as fonts for painting.

use std::sync::Arc;

use egui::text::{LayoutJob, TextWrapping};
use egui::{
    Color32, FontFamily, FontId, Galley, Response, RichText, Sense, TextWrapMode, Ui, WidgetText,
};

use super::Icon;
use super::tokens::{palette, size};

/// Names of the font families beyond egui's own two, which are Inter Regular and `JetBrains Mono` Regular.
pub mod family {
    /// Labels of fields, navigation.
    pub const MEDIUM: &str = "inter-medium";
    /// Buttons, card titles, names.
    pub const SEMIBOLD: &str = "inter-semibold";
    /// Screen titles and figures.
    pub const BOLD: &str = "inter-bold";
    /// An id that is the heading of what is shown.
    pub const MONO_MEDIUM: &str = "mono-medium";
}

fn named(points: f32, name: &'static str) -> FontId {
    FontId::new(points, FontFamily::Name(name.into()))
}

/// Inter Regular 14.
pub fn body_font() -> FontId {
    FontId::proportional(size::TEXT)
}

/// Inter Medium 14.
pub fn medium_font() -> FontId {
    named(size::TEXT, family::MEDIUM)
}

/// Inter `SemiBold` 14.
pub fn strong_font() -> FontId {
    named(size::TEXT, family::SEMIBOLD)
}

/// Inter Regular 13: the rows of a table.
pub fn cell_font() -> FontId {
    FontId::proportional(size::CELL)
}

/// Inter Regular 12.
pub fn small_font() -> FontId {
    FontId::proportional(size::SMALL)
}

/// Inter Medium 12: the label of a field.
pub fn label_font() -> FontId {
    named(size::SMALL, family::MEDIUM)
}

/// Inter `SemiBold` 12: pills and table headers.
pub fn small_strong_font() -> FontId {
    named(size::SMALL, family::SEMIBOLD)
}

/// `JetBrains Mono` 13.
pub fn mono_font() -> FontId {
    FontId::monospace(size::MONO)
}

/// The icon font at a size in points.
pub fn icon_font(points: f32) -> FontId {
    FontId::new(
        points,
        FontFamily::Name(egui_material_icons::FONT_FAMILY.into()),
    )
}

/// Text to be read.
pub fn body(text: impl Into<String>) -> RichText {
    RichText::new(text)
        .font(body_font())
        .line_height(Some(size::LINE))
}

/// Text that stands out.
pub fn strong(text: impl Into<String>) -> RichText {
    RichText::new(text)
        .font(strong_font())
        .line_height(Some(size::LINE))
}

/// Small text.
pub fn small(text: impl Into<String>) -> RichText {
    RichText::new(text)
        .font(small_font())
        .line_height(Some(size::SMALL_LINE))
}

/// A small sentence, over as many lines as it takes, on what the clerk should know before going on.
pub fn warning(ui: &mut Ui, words: &str) {
    let ink = palette(ui).warning;
    ui.add(egui::Label::new(small(words).color(ink)).wrap());
}

/// The title of a screen.
pub fn title(text: impl Into<String>) -> RichText {
    RichText::new(text).font(named(size::TITLE, family::BOLD))
}

/// A figure to be read from afar.
pub fn figure(text: impl Into<String>) -> RichText {
    RichText::new(text).font(figure_font())
}

/// Inter `SemiBold` 26.
pub fn figure_font() -> FontId {
    named(size::FIGURE, family::SEMIBOLD)
}

/// An id or a reference.
pub fn mono(text: impl Into<String>) -> RichText {
    RichText::new(text).font(mono_font())
}

/// An id as the heading of what is shown.
pub fn mono_strong(text: impl Into<String>) -> RichText {
    RichText::new(text).font(named(size::MONO, family::MONO_MEDIUM))
}

/// Text in the second colour.
pub fn muted(ui: &Ui, text: RichText) -> RichText {
    text.color(palette(ui).muted)
}

/// An icon, as text.
pub fn icon(icon: Icon, points: f32) -> RichText {
    RichText::new(icon.codepoint).font(icon_font(points))
}

/// An icon that adds nothing to the words beside it: it is seen, and not spoken.
pub fn mark(ui: &mut Ui, icon: Icon, points: f32, ink: Color32) -> Response {
    let galley = plain(ui, icon.codepoint, icon_font(points), ink);
    let (rect, response) = ui.allocate_exact_size(galley.size(), Sense::hover());
    ui.painter().galley(rect.min, galley, ink);
    response
}

/// Lays out one line, cut with an ellipsis where it is wider than `width`.
pub fn line(ui: &Ui, text: RichText, width: f32, fallback: Color32) -> Arc<Galley> {
    WidgetText::from(text.color(fallback)).into_galley(
        ui,
        Some(TextWrapMode::Truncate),
        width,
        body_font(),
    )
}

/// As [`line`], for plain text in a font: what tables are made of, without the detour by rich text.
pub fn cut(ui: &Ui, text: &str, font: FontId, width: f32, color: Color32) -> Arc<Galley> {
    let mut job = LayoutJob::simple_singleline(text.to_owned(), font, color);
    job.wrap = TextWrapping::truncate_at_width(width);
    ui.fonts_mut(|fonts| fonts.layout_job(job))
}

/// Lays out one line of plain text in a font and a colour, as wide as it is.
pub fn plain(ui: &Ui, text: &str, font: FontId, color: Color32) -> Arc<Galley> {
    ui.painter().layout_no_wrap(text.to_owned(), font, color)
}
