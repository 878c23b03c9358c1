//! The text styles (body, small, strong, title, figure, mono) as egui's rich text and as fonts for painting.

use std::sync::Arc;

use egui::text::{LayoutJob, TextWrapping};
use egui::{
    Align2, Color32, FontFamily, FontId, Galley, Response, RichText, Sense, TextWrapMode, Ui,
    WidgetText,
};

use super::tokens::{palette, size};
use super::{Icon, paint};

/// Names of the font families, in addition to egui's own two, which are Inter Regular and `JetBrains Mono` Regular.
pub mod family {
    /// Font for field labels and navigation.
    pub const MEDIUM: &str = "inter-medium";
    /// Font for buttons, card titles and names.
    pub const SEMIBOLD: &str = "inter-semibold";
    /// Font for screen titles.
    pub const BOLD: &str = "inter-bold";
    /// Font for an id that is a heading.
    pub const MONO_MEDIUM: &str = "mono-medium";
}

fn named(points: f32, name: &'static str) -> FontId {
    FontId::new(points, FontFamily::Name(name.into()))
}

/// Returns Inter Regular in 14 points.
pub fn body_font() -> FontId {
    FontId::proportional(size::TEXT)
}

/// Returns Inter Medium in 14 points.
pub fn medium_font() -> FontId {
    named(size::TEXT, family::MEDIUM)
}

/// Returns Inter `SemiBold` in 14 points.
pub fn strong_font() -> FontId {
    named(size::TEXT, family::SEMIBOLD)
}

/// Returns Inter Regular in 13 points, for the rows of a table.
pub fn cell_font() -> FontId {
    FontId::proportional(size::CELL)
}

/// Returns Inter Regular in 12 points.
pub fn small_font() -> FontId {
    FontId::proportional(size::SMALL)
}

/// Returns Inter Medium in 12 points, for field labels.
pub fn label_font() -> FontId {
    named(size::SMALL, family::MEDIUM)
}

/// Returns Inter `SemiBold` in 12 points, for badges and table headers.
pub fn small_strong_font() -> FontId {
    named(size::SMALL, family::SEMIBOLD)
}

/// Returns `JetBrains Mono` in 13 points.
pub fn mono_font() -> FontId {
    FontId::monospace(size::MONO)
}

/// Returns the icon font at a size in points.
pub fn icon_font(points: f32) -> FontId {
    FontId::new(
        points,
        FontFamily::Name(egui_material_icons::FONT_FAMILY.into()),
    )
}

/// Returns ordinary text.
pub fn body(text: impl Into<String>) -> RichText {
    RichText::new(text)
        .font(body_font())
        .line_height(Some(size::LINE))
}

/// Returns emphasised text.
pub fn strong(text: impl Into<String>) -> RichText {
    RichText::new(text)
        .font(strong_font())
        .line_height(Some(size::LINE))
}

pub fn small(text: impl Into<String>) -> RichText {
    RichText::new(text)
        .font(small_font())
        .line_height(Some(size::SMALL_LINE))
}

/// Draws a small wrapped text in the warning colour.
pub fn warning(ui: &mut Ui, words: &str) {
    wrapped(ui, small(words), palette(ui).warning);
}

/// Draws a wrapped text in the colour of secondary information.
pub fn note(ui: &mut Ui, words: impl Into<String>) {
    wrapped(ui, body(words), palette(ui).muted);
}

/// Draws a small wrapped text in the colour of secondary information.
pub fn small_note(ui: &mut Ui, words: impl Into<String>) {
    wrapped(ui, small(words), palette(ui).muted);
}

fn wrapped(ui: &mut Ui, text: RichText, ink: Color32) {
    ui.add(egui::Label::new(text.color(ink)).wrap());
}

/// Returns the title of a screen or a dialog.
pub fn title(text: impl Into<String>) -> RichText {
    RichText::new(text).font(named(size::TITLE, family::BOLD))
}

/// Returns a large figure that can be read from a distance.
pub fn figure(text: impl Into<String>) -> RichText {
    RichText::new(text).font(figure_font())
}

/// Returns Inter `SemiBold` in 26 points.
pub fn figure_font() -> FontId {
    named(size::FIGURE, family::SEMIBOLD)
}

/// Returns monospace text, for an id or a reference.
pub fn mono(text: impl Into<String>) -> RichText {
    RichText::new(text).font(mono_font())
}

/// Returns monospace text for an id that is a heading.
pub fn mono_strong(text: impl Into<String>) -> RichText {
    RichText::new(text).font(named(size::MONO, family::MONO_MEDIUM))
}

pub fn icon(icon: Icon, points: f32) -> RichText {
    RichText::new(icon.codepoint).font(icon_font(points))
}

/// Draws a decorative icon, which screen readers skip because the text beside it says the same.
pub fn decorative_icon(ui: &mut Ui, icon: Icon, points: f32, ink: Color32) -> Response {
    let galley = paint::icon(ui, icon, points, ink);
    let (rect, response) = ui.allocate_exact_size(galley.size(), Sense::hover());
    paint::text_at(ui.painter(), Align2::LEFT_TOP, rect.min, galley);
    response
}

/// Lays out rich text in lines of at most `width`.
pub(super) fn paragraph(ui: &Ui, text: RichText, width: f32) -> Arc<Galley> {
    WidgetText::from(text).into_galley(ui, Some(TextWrapMode::Wrap), width, body_font())
}

/// Lays out one line of rich text, truncated with an ellipsis if it is wider than `width`.
pub fn line(ui: &Ui, text: RichText, width: f32, fallback: Color32) -> Arc<Galley> {
    WidgetText::from(text.color(fallback)).into_galley(
        ui,
        Some(TextWrapMode::Truncate),
        width,
        body_font(),
    )
}

/// Like [`line()`], but for plain text. Tables use it because it avoids the cost of rich text.
pub fn cut(ui: &Ui, text: &str, font: FontId, width: f32, color: Color32) -> Arc<Galley> {
    let mut job = LayoutJob::simple_singleline(text.to_owned(), font, color);
    job.wrap = TextWrapping::truncate_at_width(width);
    ui.fonts_mut(|fonts| fonts.layout_job(job))
}

/// Lays out one line of plain text at its full width.
pub fn plain(ui: &Ui, text: &str, font: FontId, color: Color32) -> Arc<Galley> {
    ui.painter().layout_no_wrap(text.to_owned(), font, color)
}
