//! The preview of a label, dot for dot as it will be printed, with zoom, pages, and notices about the label.

use egui::{Align, CornerRadius, Frame, Layout, Sense, Stroke, StrokeKind, Ui, Vec2, vec2};

use super::page_textures::PageTextures;
use super::reason_dialog::ReasonDialogState;
use crate::state::{LabelState, LabelsCommand, Preview};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::frame::notices;
use shipping::{ConsignmentId, LabelSize};
use widgets::badge::Badge;
use widgets::button::Button;
use widgets::empty_state::empty_state;
use widgets::notice::NoticeBar;
use widgets::tokens::{Tone, palette, size};
use widgets::zoom::{Zoom, ZoomStep};
use widgets::{icons, text};

#[derive(Default)]
pub(super) struct PreviewState {
    page: PageTextures,
    zoom: Zoom,
}

impl PreviewState {
    /// Handles the zoom keys + − 0, unless a text field has the focus or a dialog is open, and zoom actions picked
    /// in the action palette.
    fn handle_zoom(&mut self, ui: &Ui, context: &Context<'_>) {
        if !ui.ctx().text_edit_focused() && ui.memory(egui::Memory::top_modal_layer).is_none() {
            self.zoom.keys(ui);
        }
        for (action, step) in [
            (Action::ZoomIn, ZoomStep::In),
            (Action::ZoomOut, ZoomStep::Out),
            (Action::ZoomFit, ZoomStep::Fit),
        ] {
            if context.is_triggered(action) {
                self.zoom.take(step);
            }
        }
    }
}

pub(super) fn card(
    ui: &mut Ui,
    context: &mut Context<'_>,
    state: &mut PreviewState,
    reasons: &mut ReasonDialogState,
) {
    state.handle_zoom(ui, context);
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
            widgets::card::rule(ui);
            Frame::new().inner_margin(12).show(ui, |ui| {
                ui.spacing_mut().item_spacing.y = size::GRID;
                bars(ui, context, reasons);
                body(ui, context, state);
            });
        });
}

fn head(ui: &mut Ui, context: &mut Context<'_>, state: &mut PreviewState) {
    let p = palette(ui);
    let preview = context.shared.labels.preview.value();
    ui.horizontal(|ui| {
        ui.set_height(size::BUTTON);
        ui.spacing_mut().item_spacing.x = 4.0;
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            state.zoom.button(ui, "Whole label");
            paper(ui, context);
            pages(ui, context, preview);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let Some(preview) = preview else { return };
                let room = ui.available_width();
                let number = text::line(ui, text::mono_strong(&preview.number), room, p.text);
                let width = number.size().x;
                ui.add(egui::Label::new(text::mono_strong(&preview.number)).truncate());
                let words = format!("piece {} of {}", preview.page + 1, preview.pages);
                if room - width > 60.0 {
                    ui.add(egui::Label::new(text::body(words).color(p.muted)).truncate());
                }
            });
        });
    });
}

fn paper(ui: &mut Ui, context: &mut Context<'_>) {
    for (word, paper) in [("A4", LabelSize::A4), ("A6", LabelSize::A6)] {
        let chosen = context.shared.labels.size == paper;
        let button = ui.add(Button::quiet(word).selected(chosen));
        if button.on_hover_text("Paper size").clicked() && !chosen {
            context.push(LabelsCommand::Size(paper));
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
        let button = ui.add_enabled(to < pages, Button::icon_only(entry.icon, &name));
        if to < pages && (button.clicked() || context.is_triggered(action)) {
            context.push(LabelsCommand::Page(to));
        }
    }
}

/// Draws the notices for the selected label. A problem found by the preview replaces all other notices.
fn bars(ui: &mut Ui, context: &mut Context<'_>, reasons: &mut ReasonDialogState) {
    let shared = context.shared;
    let Some(id) = shared.labels.selected else {
        return;
    };
    let state = shared.labels.state(id);
    if let Some(preview) = shared.labels.preview.value()
        && let Some(problem) = &preview.problem
    {
        let bar = NoticeBar::new(Tone::Warning, &problem.headline).what_to_do(&problem.advice);
        if let Some(at) = problem.page.filter(|at| *at != preview.page) {
            let words = format!("Show page {}", at + 1);
            if bar.action(&words).show(ui).acted {
                context.push(LabelsCommand::Page(at));
            }
        } else {
            bar.show(ui);
        }
        remedies(ui, context, id, reasons);
        return;
    }
    let mut notice = |tone, headline: &str, advice: &str| {
        NoticeBar::new(tone, headline).what_to_do(advice).show(ui);
    };
    match state {
        LabelState::FailedVerification(why) => {
            notice(Tone::Warning, "Label verification failed", why);
        }
        LabelState::Failed(why) => notice(Tone::Bad, "Not sent to the printer", why),
        LabelState::Uncertain(why) => notice(Tone::Unknown, "The label may be on paper", why),
        LabelState::Stale => notice(
            Tone::Warning,
            "The consignment was changed since its label was printed",
            "This is the new label. Throw the old one away",
        ),
        _ => {}
    }
    let is_unverified = matches!(state, LabelState::FailedVerification(_));
    if (is_unverified || matches!(state, LabelState::Failed(_))) && shared.labels.may_be_out(id) {
        notice(
            Tone::Neutral,
            "An earlier copy of this label may already be printed",
            "Check the printer before you print another",
        );
    }
    if let Some(token) = shared.labels.printed_by_token.get(&id) {
        notice(
            Tone::Neutral,
            &format!("Sent with the printer token {token}"),
            "The service may have printed it automatically: check that printer first",
        );
    } else if let LabelState::AtService(words) = state {
        notice(
            Tone::Neutral,
            &format!("Sent to the service's printer {words}"),
            "Packbench can't see whether it printed: check that printer first",
        );
    }
    if is_unverified {
        remedies(ui, context, id, reasons);
    }
}

/// Draws the buttons for a label that fails label verification.
fn remedies(
    ui: &mut Ui,
    context: &mut Context<'_>,
    id: ConsignmentId,
    reasons: &mut ReasonDialogState,
) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = size::GRID;
        for action in [Action::FetchLabel, Action::PrintAnyway] {
            let (entry, key) = (action.entry(), action.key());
            let button = Button::new(entry.name).icon(entry.icon).key(&key);
            if ui.add(button).on_hover_text(entry.tooltip).clicked() {
                if action == Action::FetchLabel {
                    context.push(LabelsCommand::FetchAgain(id));
                } else {
                    reasons.ask_override(id);
                }
            }
        }
    });
}

fn body(ui: &mut Ui, context: &mut Context<'_>, state: &mut PreviewState) {
    let shared = context.shared;
    if let Some(problem) = shared.labels.preview.problem() {
        let again = notices::failed(ui, "Can't show the label", problem, "Download again");
        if let Some(id) = shared.labels.selected.filter(|_| again) {
            context.push(LabelsCommand::FetchAgain(id));
        }
    }
    let Some(preview) = shared.labels.preview.value() else {
        if shared.labels.preview.problem().is_none() {
            let [headline, words] = match shared.labels.selected {
                Some(_) => [
                    "Preparing the label",
                    "The preview shows exactly what will be printed",
                ],
                None => [
                    "No label chosen",
                    "Pick a consignment in the queue, or scan it",
                ],
            };
            empty_state(ui, icons::ICON_LABEL, headline, words, None);
        }
        return;
    };
    let footer = 34.0 + 26.0 * preview.notes.len() as f32;
    let height = (ui.available_height() - footer).max(60.0);
    view(ui, state, preview, vec2(ui.available_width(), height));
    ui.vertical_centered(|ui| about(ui, preview));
}

/// Draws the page in its viewport, which can be zoomed and dragged.
fn view(ui: &mut Ui, state: &mut PreviewState, preview: &Preview, room: Vec2) {
    let (window, response) = ui.allocate_exact_size(room, Sense::click_and_drag());
    response.widget_info(|| {
        let words = format!(
            "Label of {}, page {} of {}",
            preview.number,
            preview.page + 1,
            preview.pages
        );
        egui::WidgetInfo::labeled(egui::Role::Image, true, words)
    });
    let dots = vec2(preview.width as f32, preview.height as f32);
    let (paper, zoom) = state.zoom.place(ui, &response, dots);
    state.page.paint(ui, preview, paper, window, zoom);
    let (edge, width) = if preview.problem.is_some() {
        (palette(ui).warning, 2.0)
    } else {
        (palette(ui).strong_border, 1.0)
    };
    let painter = ui.painter().with_clip_rect(window.expand(2.0));
    painter.rect_stroke(paper, 0.0, Stroke::new(width, edge), StrokeKind::Outside);
    if response.has_focus() {
        let ring = Stroke::new(2.0, palette(ui).accent);
        ui.painter()
            .rect_stroke(window, CornerRadius::same(4), ring, StrokeKind::Outside);
    }
}

fn about(ui: &mut Ui, preview: &Preview) {
    let p = palette(ui);
    let codes = format!("barcodes read: {}", preview.codes_read);
    let not_compared = format!("{codes}, not checked");
    let badge = if preview.checked {
        Badge::new(Tone::Ok, &codes).icon(icons::ICON_CHECK)
    } else if preview.problem.is_some() {
        Badge::new(Tone::Warning, &codes).icon(icons::ICON_WARNING)
    } else {
        Badge::new(Tone::Neutral, &not_compared)
    };
    let how = if preview.exact {
        "printed exactly as shown"
    } else {
        "the printer's driver may print it differently"
    };
    let words = format!("{} × {} dots, {how}", preview.width, preview.height);
    let galley = text::line(ui, text::body(&words), ui.available_width(), p.muted);
    let both = badge.size(ui).x + size::GRID + galley.size().x;
    ui.horizontal(|ui| {
        ui.add_space(((ui.available_width() - both) / 2.0).max(0.0));
        badge.show(ui);
        ui.add(egui::Label::new(text::body(&words).color(p.muted)).truncate());
    });
    for note in &preview.notes {
        text::warning(ui, note);
    }
}
