//! The label as it will be burnt, dot for dot.

use egui::{
    Align, ColorImage, CornerRadius, Frame, Layout, Rect, ScrollArea, Sense, Stroke, TextureHandle,
    TextureOptions, Ui, vec2,
};

use super::super::Context;
use super::super::actions::Action;
use super::super::frame::notices;
use super::super::kit::badge::Badge;
use super::super::kit::button::Button;
use super::super::kit::empty::empty;
use super::super::kit::tokens::{INK, PAPER, Tone, UNTINTED, palette, size};
use super::super::kit::{icons, text};
use crate::shipping::LabelSize;
use crate::state::{LabelsCommand, Notice, Preview};

/// What is kept of the preview: the page as the graphics card has it, and the zoom.
#[derive(Default)]
pub(super) struct State {
    texture: Option<(Preview, TextureHandle)>,
    zoom: Zoom,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Zoom {
    /// As large as there is room.
    #[default]
    Fit,
    /// One dot of the label is one of the screen.
    Dots,
    /// Twice that.
    Double,
}

impl Zoom {
    const fn next(self) -> Self {
        match self {
            Self::Fit => Self::Dots,
            Self::Dots => Self::Double,
            Self::Double => Self::Fit,
        }
    }

    const fn word(self) -> &'static str {
        match self {
            Self::Fit => "Fit",
            Self::Dots => "100 %",
            Self::Double => "200 %",
        }
    }
}

/// Ctrl+Page Down and Ctrl+Page Up.
pub(super) fn page_by_key(context: &mut Context<'_>) {
    let Some(preview) = context.shared.preview.value() else {
        return;
    };
    if context.asked(Action::NextPage) && preview.page + 1 < preview.pages {
        context.ask(LabelsCommand::Page(preview.page + 1));
    }
    if context.asked(Action::PreviousPage) && preview.page > 0 {
        context.ask(LabelsCommand::Page(preview.page - 1));
    }
}

pub(super) fn card(ui: &mut Ui, context: &mut Context<'_>, state: &mut State) {
    let p = palette(ui);
    Frame::new()
        .fill(p.head)
        .stroke(Stroke::new(1.0, p.border))
        .corner_radius(CornerRadius::same(size::CARD_RADIUS))
        .show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.set_min_height(ui.available_height());
            ui.spacing_mut().item_spacing.y = 0.0;
            let radius = CornerRadius {
                nw: size::CARD_RADIUS,
                ne: size::CARD_RADIUS,
                sw: 0,
                se: 0,
            };
            Frame::new()
                .fill(p.surface)
                .corner_radius(radius)
                .inner_margin(egui::Margin::symmetric(12, 8))
                .show(ui, |ui| {
                    ui.set_width(ui.available_width());
                    head(ui, context, state);
                });
            super::super::kit::card::rule(ui);
            Frame::new()
                .inner_margin(12)
                .show(ui, |ui| body(ui, context, state));
        });
}

fn head(ui: &mut Ui, context: &mut Context<'_>, state: &mut State) {
    let p = palette(ui);
    let preview = context.shared.preview.value();
    ui.horizontal(|ui| {
        ui.set_height(size::BUTTON);
        ui.spacing_mut().item_spacing.x = 6.0;
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if ui
                .add(Button::new(state.zoom.word()).min_width(62.0))
                .on_hover_text("Another zoom")
                .clicked()
            {
                state.zoom = state.zoom.next();
            }
            paper(ui, context);
            pages(ui, context, preview);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let Some(preview) = preview else { return };
                let room = ui.available_width();
                let number = text::line(ui, text::mono_strong(&preview.number), room, p.text);
                let width = number.size().x;
                let words = format!("piece {} of {}", preview.page + 1, preview.pages);
                ui.add(egui::Label::new(text::mono_strong(&preview.number)).truncate());
                if room - width > 60.0 {
                    ui.add(egui::Label::new(text::body(words).color(p.muted)).truncate());
                }
            });
        });
    });
}

fn paper(ui: &mut Ui, context: &mut Context<'_>) {
    for (word, paper) in [("A4", LabelSize::A4), ("A6", LabelSize::A6)] {
        let chosen = context.shared.label_size == paper;
        if ui
            .add(Button::quiet(word).selected(chosen))
            .on_hover_text("The paper")
            .clicked()
            && !chosen
        {
            context.ask(LabelsCommand::Size(paper));
        }
    }
}

fn pages(ui: &mut Ui, context: &mut Context<'_>, preview: Option<&Preview>) {
    let (page, pages) = preview.map_or((0, 0), |preview| (preview.page, preview.pages));
    for (action, to) in [
        (Action::NextPage, page + 1),
        (Action::PreviousPage, page.wrapping_sub(1)),
    ] {
        let entry = action.entry();
        let name = format!("{} ({})", entry.name, action.key());
        if ui
            .add_enabled(to < pages, Button::icon_only(entry.icon, &name))
            .clicked()
        {
            context.ask(LabelsCommand::Page(to));
        }
    }
}

fn body(ui: &mut Ui, context: &Context<'_>, state: &mut State) {
    let shared = context.shared;
    if let Some(problem) = shared.preview.problem() {
        let notice = Notice::failed("The label cannot be shown", problem);
        notices::bar(&notice).show(ui);
    }
    let Some(preview) = shared.preview.value() else {
        if shared.preview.problem().is_none() {
            let (headline, words) = if shared.selected_label.is_some() {
                (
                    "Drawing the label",
                    "The dots are worked out as the printer will burn them",
                )
            } else {
                (
                    "No label chosen",
                    "Pick a consignment in the queue, or scan it",
                )
            };
            empty(ui, icons::ICON_LABEL, headline, words, None);
        }
        return;
    };
    let footer = 30.0 + 22.0 * preview.notes.len() as f32;
    let room = vec2(
        ui.available_width(),
        (ui.available_height() - footer).max(60.0),
    );
    let texture = texture(ui, state, preview);
    let dots = vec2(preview.width as f32, preview.height as f32);
    let shown = match state.zoom {
        Zoom::Fit => dots * (room.x / dots.x).min(room.y / dots.y),
        Zoom::Dots => dots / ui.ctx().pixels_per_point(),
        Zoom::Double => 2.0 * dots / ui.ctx().pixels_per_point(),
    };
    ScrollArea::both()
        .max_height(room.y)
        .auto_shrink([false, true])
        .show(ui, |ui| {
            let area = vec2(shown.x.max(room.x), shown.y);
            let (rect, response) = ui.allocate_exact_size(area, Sense::hover());
            response.widget_info(|| {
                let words = format!(
                    "Label of {}, page {} of {}",
                    preview.number,
                    preview.page + 1,
                    preview.pages
                );
                egui::WidgetInfo::labeled(egui::Role::Image, true, words)
            });
            let paper = Rect::from_center_size(rect.center(), shown);
            ui.painter().rect_filled(paper, 0.0, PAPER);
            let whole = Rect::from_min_max(egui::pos2(0.0, 0.0), egui::pos2(1.0, 1.0));
            ui.painter().image(texture.id(), paper, whole, UNTINTED);
            ui.painter().rect_stroke(
                paper,
                0.0,
                Stroke::new(1.0, palette(ui).strong_border),
                egui::StrokeKind::Outside,
            );
        });
    ui.add_space(8.0);
    ui.vertical_centered(|ui| about(ui, preview));
}

fn about(ui: &mut Ui, preview: &Preview) {
    let p = palette(ui);
    let codes = format!("codes read back: {}", preview.codes_read);
    let badge = if preview.checked {
        Badge::new(Tone::Ok, &codes).icon(icons::ICON_CHECK)
    } else {
        Badge::new(Tone::Warning, &codes).icon(icons::ICON_WARNING)
    };
    let words = format!("{} × {} dots, as printed", preview.width, preview.height);
    let galley = text::line(ui, text::body(&words), ui.available_width(), p.muted);
    let both = badge.size(ui).x + size::GRID + galley.size().x;
    ui.horizontal(|ui| {
        ui.add_space(((ui.available_width() - both) / 2.0).max(0.0));
        badge.show(ui);
        ui.add(egui::Label::new(text::body(&words).color(p.muted)).truncate());
    });
    for note in &preview.notes {
        ui.add(egui::Label::new(text::small(note).color(p.warning)).wrap());
    }
}

/// The page as a texture, made when it is another page.
fn texture(ui: &Ui, state: &mut State, preview: &Preview) -> TextureHandle {
    if let Some((of, texture)) = &state.texture
        && (of.consignment, of.page, of.size) == (preview.consignment, preview.page, preview.size)
        && std::sync::Arc::ptr_eq(&of.dots, &preview.dots)
    {
        return texture.clone();
    }
    // Shrunk it is smoothed, enlarged the dots stay dots.
    let options = TextureOptions {
        minification: egui::TextureFilter::Linear,
        ..TextureOptions::NEAREST
    }
    .with_mipmap_mode(Some(egui::TextureFilter::Linear));
    let texture = ui.ctx().load_texture("label", image(preview), options);
    state.texture = Some((preview.clone(), texture.clone()));
    texture
}

pub(super) fn image(preview: &Preview) -> ColorImage {
    let (width, height) = (preview.width as usize, preview.height as usize);
    let stride = width.div_ceil(8);
    let dot = |x: usize, y: usize| {
        let byte = preview
            .dots
            .get(y * stride + x / 8)
            .copied()
            .unwrap_or_default();
        if byte >> (7 - x % 8) & 1 == 1 {
            INK
        } else {
            PAPER
        }
    };
    let pixels = (0..height)
        .flat_map(|y| (0..width).map(move |x| (x, y)))
        .map(|(x, y)| dot(x, y))
        .collect();
    ColorImage::new([width, height], pixels)
}
