//! The preview of a label, dot for dot as it will be printed, with zoom, pages, and notices about the label. Also the
//! dialog that shows a printer's test label, prints it and asks the clerk to scan it.
//!
//! Invariant: at a zoom of one pixel per dot or more, exactly the dots that are printed are shown. For a page of any
//! size, at most two textures are kept, each of a bounded size.

use egui::{
    Align, ColorImage, CornerRadius, Frame, Label, Layout, Pos2, Rect, Role, Sense, Stroke,
    StrokeKind, TextureFilter, TextureHandle, TextureOptions, Ui, Vec2, WidgetInfo, pos2, vec2,
};

use super::reason_dialog::ReasonDialogState;
use crate::state::{
    ConsignmentRow, JobSubject, LabelState, LabelsCommand, Notice, Preview, TestLabelView,
    WindowCommand,
};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::frame::notices;
use engine::ConsignmentDocument;
use shipping::{ConsignmentId, LabelSize};
use widgets::badge::Badge;
use widgets::button::Button;
use widgets::empty_state::empty_state;
use widgets::field::Field;
use widgets::modal::Modal;
use widgets::notice::NoticeBar;
use widgets::tokens::{INK, PAPER, Tone, UNTINTED, palette, size};
use widgets::zoom::{Zoom, ZoomStep};
use widgets::{icons, text};

/// Maximum width and height of the texture for the part in view, in dots.
const LONGEST_PART: f32 = 2_048.0;

/// Textures of the page that is shown.
#[derive(Default)]
pub(crate) struct PageTextures {
    of: Option<Preview>,
    whole: Option<TextureHandle>,
    /// Rectangle of a part of the page in dots, and the texture of that part.
    part: Option<(Rect, TextureHandle)>,
}

impl PageTextures {
    /// Draws the page on `paper`. `seen` is the visible rectangle. `zoom` is in pixels per dot.
    fn paint(&mut self, ui: &Ui, preview: &Preview, paper: Rect, seen: Rect, zoom: f32) {
        if !self.is_of(preview) {
            *self = Self {
                of: Some(preview.clone()),
                ..Self::default()
            };
        }
        let painter = ui.painter().with_clip_rect(seen);
        painter.rect_filled(paper, 0.0, PAPER);
        let everything = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
        let is_coarse = { preview.overview.as_ref() }
            .is_some_and(|overview| zoom * overview.factor as f32 > 1.5);
        let page = page(preview);
        let (seen, dot) = (seen.intersect(paper), paper.width() / page.width());
        let to_dots = |at: Pos2| (at - paper.min) / dot;
        // The visible part, enlarged to whole dots.
        let first = to_dots(seen.min).floor().to_pos2();
        let last = to_dots(seen.max).ceil().to_pos2();
        let dots = Rect::from_min_max(first, last).intersect(page);
        if is_coarse && dots.is_positive() && dots.size().max_elem() <= LONGEST_PART {
            let (part, texture) = self.part(ui, preview, dots);
            let at = paper.min + part.min.to_vec2() * dot;
            let place = Rect::from_min_size(at, part.size() * dot);
            painter.image(texture.id(), place, everything, UNTINTED);
        } else {
            let texture = self.whole(ui, preview);
            painter.image(texture.id(), paper, everything, UNTINTED);
        }
    }

    const fn is_drawn(&self) -> bool {
        self.of.is_some()
    }

    fn is_of(&self, preview: &Preview) -> bool {
        self.of.as_ref().is_some_and(|of| {
            (of.subject, of.page, of.size) == (preview.subject, preview.page, preview.size)
                && std::ptr::eq(of.bitmap.packed(), preview.bitmap.packed())
        })
    }

    /// Returns the texture of the whole page or of its overview; creates it on the first call for a page.
    fn whole(&mut self, ui: &Ui, preview: &Preview) -> TextureHandle {
        let make = || {
            // A shrunk page is smoothed; in an enlarged page the dots stay sharp.
            let options = TextureOptions {
                minification: TextureFilter::Linear,
                ..TextureOptions::NEAREST
            }
            .with_mipmap_mode(Some(TextureFilter::Linear));
            ui.ctx().load_texture("label", image(preview), options)
        };
        self.whole.get_or_insert_with(make).clone()
    }

    /// Returns a texture that covers the visible part. Creates a new texture if the current texture does not cover
    /// the part. The texture has a margin, so that a small move needs no new texture.
    fn part(&mut self, ui: &Ui, preview: &Preview, seen: Rect) -> (Rect, TextureHandle) {
        if let Some((part, texture)) = &self.part
            && part.contains_rect(seen)
        {
            return (*part, texture.clone());
        }
        let room = Vec2::splat(LONGEST_PART) - seen.size();
        let margin = (seen.size() / 4.0).min(room / 2.0).floor();
        let part = seen.expand2(margin).intersect(page(preview));
        let options = TextureOptions::NEAREST;
        let texture = { ui.ctx() }.load_texture("label part", dots(preview, part), options);
        self.part = Some((part, texture.clone()));
        (part, texture)
    }
}

/// Returns the rectangle of the whole page, in dots.
fn page(preview: &Preview) -> Rect {
    let (width, height) = (preview.bitmap.width(), preview.bitmap.height());
    Rect::from_min_size(Pos2::ZERO, vec2(width as f32, height as f32))
}

/// Returns an image of the page: its overview if it has one, else all of its dots.
fn image(preview: &Preview) -> ColorImage {
    let Some(overview) = &preview.overview else {
        return dots(preview, page(preview));
    };
    let shades: Vec<_> = (0..=255_u8)
        .map(|grey| INK.lerp_to_gamma(PAPER, f32::from(grey) / 255.0))
        .collect();
    let pixels = overview.greys.iter().map(|grey| shades[usize::from(*grey)]);
    let size = [overview.width as usize, overview.height as usize];
    ColorImage::new(size, pixels.collect())
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "whole dots within the page"
)]
fn dots(preview: &Preview, part: Rect) -> ColorImage {
    let [left, top, right, bottom] =
        [part.left(), part.top(), part.right(), part.bottom()].map(|dot| dot as u32);
    let dots = (top..bottom).flat_map(|y| (left..right).map(move |x| (x, y)));
    let ink = |(x, y)| if preview.bitmap.get(x, y) { INK } else { PAPER };
    let size = [right - left, bottom - top].map(|side| side as usize);
    ColorImage::new(size, dots.map(ink).collect())
}

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
    let frame = Frame::new()
        .fill(p.head)
        .stroke(Stroke::new(1.0, p.border))
        .corner_radius(size::CARD_RADIUS);
    frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.set_min_height(ui.available_height());
        ui.spacing_mut().item_spacing.y = 0.0;
        let radius = CornerRadius {
            nw: size::CARD_RADIUS,
            ne: size::CARD_RADIUS,
            ..CornerRadius::ZERO
        };
        let frame = Frame::new().fill(p.surface).corner_radius(radius);
        let frame = frame.inner_margin(egui::Margin::symmetric(12, 8));
        frame.show(ui, |ui| {
            ui.set_width(ui.available_width());
            head(ui, context, state);
            document_tabs(ui, context);
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
            state.zoom.button(ui, "Whole page");
            if context.shared.labels.document.is_none() {
                paper(ui, context);
            }
            pages(ui, context, preview);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let Some(preview) = preview else { return };
                let room = ui.available_width();
                let number = text::line(ui, text::mono_strong(&preview.number), room, p.text);
                let width = number.size().x;
                ui.add(Label::new(text::mono_strong(&preview.number)).truncate());
                let what = match context.shared.labels.document {
                    None => "piece",
                    Some(_) => "page",
                };
                let words = format!("{what} {} of {}", preview.page + 1, preview.pages);
                if room - width > 60.0 {
                    ui.add(Label::new(text::body(words).color(p.muted)).truncate());
                }
            });
        });
    });
}

/// Draws a tab for the label and for each document that the consignment can have.
fn document_tabs(ui: &mut Ui, context: &mut Context<'_>) {
    let shared = context.shared;
    let Some(id) = shared.labels.selected else {
        return;
    };
    let row = shared.row(id);
    let kinds = { ConsignmentDocument::ALL.into_iter() }.filter(|kind| can_have(row, *kind));
    let tabs: Vec<_> = [None].into_iter().chain(kinds.map(Some)).collect();
    let shown = tabs.iter().position(|tab| *tab == shared.labels.document);
    let shown = shown.unwrap_or_default();
    let mut picked = None;
    if context.is_triggered(Action::NextDocument) {
        picked = Some(tabs[(shown + 1) % tabs.len()]);
    }
    ui.add_space(4.0);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        for tab in tabs {
            let name = tab.map_or("Label", ConsignmentDocument::short_name);
            let button = Button::quiet(name)
                .small()
                .selected(tab == shared.labels.document);
            if ui.add(button).clicked() {
                picked = Some(tab);
            }
        }
    });
    if let Some(tab) = picked.filter(|tab| *tab != shared.labels.document) {
        context.push(LabelsCommand::ShowDocument(tab));
    }
}

/// Returns whether a consignment can have such a document, as far as its row in the list says.
pub(super) fn can_have(row: Option<&ConsignmentRow>, kind: ConsignmentDocument) -> bool {
    match kind {
        ConsignmentDocument::PackingSlip | ConsignmentDocument::ConsignmentNote => true,
        ConsignmentDocument::CommercialInvoice => row.is_none_or(|row| row.international),
        ConsignmentDocument::DangerousGoods => row.is_none_or(|row| row.dangerous != Some(false)),
    }
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
    // These notices are about the label.
    let label = shared
        .labels
        .selected
        .filter(|_| shared.labels.document.is_none());
    let Some(id) = label else {
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
            "The service may already have printed this label: check its printer first",
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
        match (shared.labels.document, shared.labels.selected) {
            (Some(kind), _) => {
                let headline = format!("Can't show the {}", kind.name().to_lowercase());
                if notices::failed(ui, &headline, problem, "Try again") {
                    context.push(LabelsCommand::ShowDocument(Some(kind)));
                }
            }
            (None, Some(id)) => {
                if notices::failed(ui, "Can't show the label", problem, "Download again") {
                    context.push(LabelsCommand::FetchAgain(id));
                }
            }
            (None, None) => {}
        }
    }
    let Some(preview) = shared.labels.preview.value() else {
        if shared.labels.preview.problem().is_none() {
            let [headline, words] = match shared.labels.selected {
                Some(_) if shared.labels.document.is_some() => [
                    "Preparing the document",
                    "It is made from the service's newest record",
                ],
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
    // From the bottom, because the height of the notes depends on their line breaks.
    ui.with_layout(Layout::bottom_up(Align::Center), |ui| {
        for note in preview.notes.iter().rev() {
            text::warning(ui, note);
        }
        about(ui, preview);
        let room = vec2(ui.available_width(), ui.available_height().max(60.0));
        view(ui, state, preview, room);
    });
}

/// Returns the size of a page: `832 × 1184 dots`.
pub(super) fn size_text(preview: &Preview) -> String {
    let (width, height) = (preview.bitmap.width(), preview.bitmap.height());
    format!("{width} × {height} dots")
}

/// Draws the page in its viewport, which can be zoomed and dragged.
fn view(ui: &mut Ui, state: &mut PreviewState, preview: &Preview, room: Vec2) {
    let (number, number_of_page, pages) = (&preview.number, preview.page + 1, preview.pages);
    let what = match preview.subject {
        JobSubject::Label(_) => "Label",
        _ => "Document",
    };
    let name = format!("{what} of {number}, page {number_of_page} of {pages}");
    let PreviewState { page, zoom } = state;
    let dots = self::page(preview).size();
    zoom.window(ui, (room, &name), dots, |ui, window, paper, zoom| {
        page.paint(ui, preview, paper, window, zoom);
        let edge = match preview.problem {
            Some(_) => Stroke::new(2.0, palette(ui).warning),
            None => Stroke::new(1.0, palette(ui).strong_border),
        };
        let painter = ui.painter().with_clip_rect(window.expand(2.0));
        painter.rect_stroke(paper, 0.0, edge, StrokeKind::Outside);
    });
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
    let words = format!("{}, {how}", size_text(preview));
    let galley = text::line(ui, text::body(&words), ui.available_width(), p.muted);
    // Only labels have barcodes that are verified.
    let badge = Some(badge).filter(|_| matches!(preview.subject, JobSubject::Label(_)));
    let beside = badge
        .as_ref()
        .map_or(0.0, |badge| badge.size(ui).x + size::GRID);
    let both = beside + galley.size().x;
    ui.horizontal(|ui| {
        ui.add_space(((ui.available_width() - both) / 2.0).max(0.0));
        if let Some(badge) = badge {
            badge.show(ui);
        }
        ui.add(Label::new(text::body(&words).color(p.muted)).truncate());
    });
}

#[derive(Default)]
pub(super) struct TestLabelState {
    open: bool,
    /// Name of the printer whose test label was requested.
    printer: String,
    scanned: String,
    page: PageTextures,
    /// Token of the label that was shown when the dialog was closed. The dialog must not open for this label again
    /// automatically.
    closed_token: String,
}

impl TestLabelState {
    pub(super) const fn is_open(&self) -> bool {
        self.open
    }

    /// Opens the dialog and requests the test label of a printer.
    pub(super) fn begin(&mut self, printer: &str, context: &mut Context<'_>) {
        printer.clone_into(&mut self.printer);
        self.open = true;
        self.scanned.clear();
        self.page = PageTextures::default();
        context.push(LabelsCommand::ShowTestLabel(printer.to_owned()));
    }

    /// Returns the state for a printer whose test label was requested and is shown in another dialog.
    pub(super) fn of(printer: &str) -> Self {
        Self {
            printer: printer.trim().to_owned(),
            ..Self::default()
        }
    }

    /// Draws the dialog. While a test label is `shown_elsewhere`, the dialog stays closed.
    pub(super) fn show(&mut self, ui: &Ui, context: &mut Context<'_>, shown_elsewhere: bool) {
        let label = &context.shared.labels.test_label;
        // A test label that "Print again" requested is shown here too.
        if let Some(view) = label.value().filter(|_| !self.open)
            && !view.printed
            && view.token != self.closed_token
        {
            view.printer.clone_into(&mut self.printer);
            self.open = !shown_elsewhere;
        }
        let view = label.value().filter(|view| view.printer == self.printer);
        // The page was drawn and is gone: the label was scanned. A notice reports the scan, so the dialog closes.
        if self.page.is_drawn() && view.is_none() && !label.is_loading() {
            self.open = false;
        }
        let title = format!("Test label of {}", self.printer);
        let mut open = self.open;
        Modal::new("test label", &title)
            .width(460.0)
            .show(ui, &mut open, |ui, open| {
                ui.spacing_mut().item_spacing.y = 10.0;
                self.content(ui, context);
                close(ui, open);
            });
        self.open = open;
        if !self.open
            && let Some(view) = view
        {
            view.token.clone_into(&mut self.closed_token);
        }
    }

    /// Draws the test label, the button that prints it, and the field for its barcode.
    pub(super) fn content(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        let label = &context.shared.labels.test_label;
        if let Some(problem) = label.problem() {
            let notice = Notice::failed("Couldn't prepare the test label", problem);
            notices::bar(&notice).show(ui);
        }
        let view = label.value().filter(|view| view.printer == self.printer);
        let Some(view) = view else {
            if label.problem().is_none() {
                text::note(ui, "Preparing the test label");
            }
            return;
        };
        let name = format!("Test label of {}", view.printer);
        picture(ui, &mut self.page, &view.preview, &name);
        about_test_label(ui, &view.preview);
        scan(ui, context, view, &mut self.scanned);
        let print = if view.printed {
            Button::new("Reprint label")
        } else {
            Button::primary("Print test label")
        };
        if ui.add(print.icon(icons::ICON_PRINT)).clicked() {
            context.push(LabelsCommand::PrintTestLabel);
        }
    }
}

fn close(ui: &mut Ui, open: &mut bool) {
    if ui.add(Button::new("Close").min_width(80.0)).clicked() {
        *open = false;
    }
}

/// Draws a page in a dialog, as large as the window allows.
pub(super) fn picture(ui: &mut Ui, page: &mut PageTextures, preview: &Preview, name: &str) {
    let height = (ui.ctx().content_rect().height() - 430.0).clamp(180.0, 560.0);
    picture_within(ui, height, page, preview, name);
}

/// Draws a page as large as the width of the space and this height allow.
pub(crate) fn picture_within(
    ui: &mut Ui,
    height: f32,
    page: &mut PageTextures,
    preview: &Preview,
    name: &str,
) {
    let dots = self::page(preview).size();
    let scale = (height / dots.y).min(ui.available_width() / dots.x);
    let area = vec2(ui.available_width(), dots.y * scale);
    let (rect, response) = ui.allocate_exact_size(area, Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, name));
    let paper = Rect::from_center_size(rect.center(), dots * scale);
    let zoom = scale * ui.ctx().pixels_per_point();
    page.paint(ui, preview, paper, rect, zoom);
    let edge = Stroke::new(1.0, palette(ui).strong_border);
    ui.painter()
        .rect_stroke(paper, 0.0, edge, StrokeKind::Outside);
}

fn about_test_label(ui: &mut Ui, preview: &Preview) {
    let advice = "If a ruler does not start at the edge, it shows how far to move the label";
    text::small_note(ui, format!("{}, as printed. {advice}", size_text(preview)));
    for note in &preview.notes {
        text::warning(ui, note);
    }
}

/// Draws the field for scanning the code, once the label is printed. A successful scan proves that the print
/// head, the language and the paper are set up correctly.
fn scan(ui: &mut Ui, context: &mut Context<'_>, view: &TestLabelView, scanned: &mut String) {
    if !view.printed {
        return;
    }
    let wrong = !scanned.is_empty() && *scanned != view.token;
    let field = Field::new("Scan the barcode", scanned)
        .icon(icons::ICON_BARCODE_SCANNER)
        .mono()
        .hint("PBT…");
    let id = field.id_in(ui);
    let field = field.show(ui);
    if field.entered {
        context.push(WindowCommand::Find(scanned.trim().to_owned()));
        if wrong {
            scanned.clear();
        }
    } else if scanned.is_empty() && ui.memory(|memory| memory.focused().is_none()) {
        ui.memory_mut(|memory| memory.request_focus(id));
    }
}
