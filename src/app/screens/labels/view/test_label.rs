//! The dialog that shows a printer's test label, prints it and asks the clerk to scan it.

use egui::{Rect, Sense, Stroke, StrokeKind, Ui, vec2};

use super::page_textures::PageTextures;
use crate::state::{LabelsCommand, Notice, Preview, TestLabelView, WindowCommand};
use crate::ui::Context;
use crate::ui::frame::notices;
use widgets::button::Button;
use widgets::field::Field;
use widgets::icons;
use widgets::modal::Modal;
use widgets::text;
use widgets::tokens::palette;

#[derive(Default)]
pub(super) struct TestLabelState {
    open: bool,
    /// Name of the printer whose test label was requested.
    printer: String,
    scanned: String,
    page: PageTextures,
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
        self.page = PageTextures::default();
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
        if self.page.is_drawn() && view.is_none() && !label.is_loading() {
            self.open = false;
        }
        let title = format!("Test label of {}", self.printer);
        Modal::new("test label", &title)
            .width(460.0)
            .show(ui, &mut self.open, |ui, open| {
                ui.spacing_mut().item_spacing.y = 10.0;
                if let Some(problem) = label.problem() {
                    let notice = Notice::failed("Couldn't prepare the test label", problem);
                    notices::bar(&notice).show(ui);
                }
                let Some(view) = view else {
                    text::note(ui, "Preparing the test label");
                    return close(ui, open);
                };
                picture(ui, &mut self.page, view);
                about(ui, &view.preview);
                scan(ui, context, view, &mut self.scanned);
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
fn picture(ui: &mut Ui, page: &mut PageTextures, view: &TestLabelView) {
    let preview = &view.preview;
    let dots = vec2(preview.width as f32, preview.height as f32);
    let height = (ui.ctx().content_rect().height() - 330.0).clamp(180.0, 560.0);
    let scale = (height / dots.y).min(ui.available_width() / dots.x);
    let area = vec2(ui.available_width(), dots.y * scale);
    let (rect, response) = ui.allocate_exact_size(area, Sense::hover());
    response.widget_info(|| {
        let words = format!("Test label of {}", view.printer);
        egui::WidgetInfo::labeled(egui::Role::Image, true, words)
    });
    let paper = Rect::from_center_size(rect.center(), dots * scale);
    let zoom = scale * ui.ctx().pixels_per_point();
    page.paint(ui, preview, paper, rect, zoom);
    let edge = Stroke::new(1.0, palette(ui).strong_border);
    ui.painter()
        .rect_stroke(paper, 0.0, edge, StrokeKind::Outside);
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
