//! The dialog that shows a printer's test label, prints it and asks the clerk to scan it.

use egui::{ColorImage, Rect, Sense, Stroke, TextureHandle, TextureOptions, Ui, Vec2, pos2, vec2};

use super::page_textures::is_ink;
use crate::state::{LabelsCommand, Notice, Preview, TestLabelView, WindowCommand};
use crate::ui::Context;
use crate::ui::frame::notices;
use widgets::button::Button;
use widgets::field::Field;
use widgets::icons;
use widgets::modal::Modal;
use widgets::text;
use widgets::tokens::{INK, PAPER, UNTINTED, palette};

/// Texture of a test label, with the label's token and the size in pixels it was made for.
type Drawn = ((String, [usize; 2]), TextureHandle);

/// State of the dialog, with the code that is scanned into it.
#[derive(Default)]
pub(super) struct TestLabelState {
    open: bool,
    /// Name of the printer whose test label was requested.
    printer: String,
    scanned: String,
    texture: Option<Drawn>,
    /// Token of the label that was shown when the dialog was closed: the dialog must not open again
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
        self.texture = None;
        context.push(LabelsCommand::ShowTestLabel(printer.to_owned()));
    }

    pub(super) fn show(&mut self, ui: &Ui, context: &mut Context<'_>) {
        let label = &context.shared.labels.test_label;
        // A test label that was requested elsewhere, by "Print again", is shown here too.
        if let Some(view) = label.value().filter(|_| !self.open)
            && !view.printed
            && view.token != self.closed_token
        {
            view.printer.clone_into(&mut self.printer);
            self.open = true;
        }
        let view = label.value().filter(|view| view.printer == self.printer);
        // The label was scanned: a notice says so, and the dialog closes.
        if self.texture.is_some() && view.is_none() && !label.is_loading() {
            self.open = false;
        }
        let Self {
            open,
            printer: of,
            scanned,
            texture,
            ..
        } = self;
        let title = format!("Test label of {of}");
        Modal::new("test label", &title)
            .width(460.0)
            .show(ui, open, |ui, open| {
                ui.spacing_mut().item_spacing.y = 10.0;
                if let Some(problem) = label.problem() {
                    let notice = Notice::failed("Couldn't prepare the test label", problem);
                    notices::bar(&notice).show(ui);
                }
                let Some(view) = view else {
                    text::note(ui, "Preparing the test label");
                    return close(ui, open);
                };
                picture(ui, texture, view);
                about(ui, &view.preview);
                scan(ui, context, view, scanned);
                ui.horizontal(|ui| {
                    let print = if view.printed {
                        Button::new("Reprint label")
                    } else {
                        Button::primary("Print test label")
                    };
                    if ui.add(print.icon(icons::ICON_PRINT)).clicked() {
                        context.push(LabelsCommand::PrintTestLabel);
                    }
                    close(ui, open);
                });
            });
        if !self.open
            && let Some(view) = view
        {
            view.token.clone_into(&mut self.closed_token);
        }
    }
}

fn close(ui: &mut Ui, open: &mut bool) {
    if ui.add(Button::new("Close").min_width(80.0)).clicked() {
        *open = false;
    }
}

/// Draws the label as large as the window allows.
fn picture(ui: &mut Ui, texture: &mut Option<Drawn>, view: &TestLabelView) {
    let preview = &view.preview;
    let dots = vec2(preview.width as f32, preview.height as f32);
    let height = (ui.ctx().content_rect().height() - 330.0).clamp(180.0, 560.0);
    let shown = dots * (height / dots.y).min(ui.available_width() / dots.x);
    let pixels = pixels(shown * ui.ctx().pixels_per_point(), preview);
    let of = (view.token.clone(), pixels);
    let known = { texture.as_ref() }
        .filter(|(drawn, _)| *drawn == of)
        .map(|(_, texture)| texture.clone());
    let drawn = known.unwrap_or_else(|| {
        let image = greys(preview, pixels);
        let made = { ui.ctx() }.load_texture("test label", image, TextureOptions::LINEAR);
        *texture = Some((of, made.clone()));
        made
    });
    let area = vec2(ui.available_width(), shown.y);
    let (rect, response) = ui.allocate_exact_size(area, Sense::hover());
    response.widget_info(|| {
        let words = format!("Test label of {}", view.printer);
        egui::WidgetInfo::labeled(egui::Role::Image, true, words)
    });
    let paper = Rect::from_center_size(rect.center(), shown);
    let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
    ui.painter().image(drawn.id(), paper, whole, UNTINTED);
    ui.painter().rect_stroke(
        paper,
        0.0,
        Stroke::new(1.0, palette(ui).strong_border),
        egui::StrokeKind::Outside,
    );
}

/// Returns the size of the image in pixels: as large as on the screen, but at most as many as there are dots.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "within the window"
)]
fn pixels(shown: Vec2, preview: &Preview) -> [usize; 2] {
    let side =
        |points: f32, dots: u32| (points.round().max(1.0) as usize).min(dots.max(1) as usize);
    [side(shown.x, preview.width), side(shown.y, preview.height)]
}

/// Shrinks the label to shades of grey. Each pixel is as dark as the dots that it covers, so that a line one
/// dot wide stays visible.
fn greys(preview: &Preview, [width, height]: [usize; 2]) -> ColorImage {
    let (across, down) = (preview.width as usize, preview.height as usize);
    let part = |at: usize, of: usize, dots: usize| {
        let first = at * dots / of;
        first..((at + 1) * dots / of).max(first + 1)
    };
    let shade = |column: usize, row: usize| {
        let (xs, ys) = (part(column, width, across), part(row, height, down));
        let all = xs.len() * ys.len();
        let ink = ys
            .map(|y| xs.clone().filter(|x| is_ink(preview, *x, y)).count())
            .sum::<usize>();
        PAPER.lerp_to_gamma(INK, ink as f32 / all as f32)
    };
    let rows = (0..height).flat_map(|row| (0..width).map(move |column| (column, row)));
    let pixels = rows.map(|(column, row)| shade(column, row)).collect();
    ColorImage::new([width, height], pixels)
}

fn about(ui: &mut Ui, preview: &Preview) {
    let words = format!(
        "{} × {} dots, as printed. If a ruler does not start at the edge, it shows how far to move the label",
        preview.width, preview.height
    );
    text::small_note(ui, words);
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
