//! The dialog for a consignment's public tracking page: opens it, copies its address, or shows a QR code.

use egui::{Label, Rect, Sense, Ui, pos2, vec2};

use super::page_widgets::CopyConfirmation;
use crate::state::{CodeSquares, Command, PageCommand, Screen, TrackingView};
use crate::ui::Context;
use crate::ui::actions::Action;
use shipping::TrackingDesign;
use widgets::button::Button;
use widgets::modal::Modal;
use widgets::notice::NoticeBar;
use widgets::tokens::{INK, PAPER, Tone, size};
use widgets::{icons, text};

/// Largest width of the QR code, in points.
const WIDEST: f32 = 264.0;

pub(super) fn show(ui: &Ui, context: &mut Context<'_>, copied: &mut CopyConfirmation) {
    let shown = context.shared.track.page.tracking.as_ref();
    let was_open = shown.is_some();
    let mut open = was_open;
    Modal::new("tracking page", "Tracking page").show(ui, &mut open, |ui, open| {
        if let Some(shown) = shown {
            body(ui, context, shown, copied, open);
        }
    });
    if was_open && !open {
        context.push(PageCommand::CloseTracking);
    }
}

fn body(
    ui: &mut Ui,
    context: &mut Context<'_>,
    shown: &TrackingView,
    copied: &mut CopyConfirmation,
    open: &mut bool,
) {
    ui.spacing_mut().item_spacing.y = size::GRID;
    match &shown.address {
        Ok(address) => {
            ui.horizontal(|ui| {
                let entry = Action::TrackingPage.entry();
                let browse = Button::primary("Open in the browser").icon(entry.icon);
                if ui.add(browse).clicked() {
                    context.push(PageCommand::OpenTracking(shown.design));
                    *open = false;
                }
                let copy = Button::new("Copy address").icon(icons::ICON_CONTENT_COPY);
                if ui.add(copy).clicked() {
                    copied.copy(ui, address);
                }
            });
            designs(ui, context, shown);
            let said = copied.words(ui).is_some();
            let words = Label::new(text::mono(address.as_str()));
            ui.add(words.wrap().selectable(true));
            if let Some(code) = &shown.code {
                ui.vertical_centered(|ui| qr_code(ui, code, address));
            }
            let words = if said {
                "Address copied"
            } else {
                "Anyone with the address can see the page. Scan the code to open it on a phone"
            };
            text::small_note(ui, words);
        }
        Err(why) => {
            let words = why.to_string();
            NoticeBar::new(Tone::Warning, &words)
                .what_to_do("Set the tracking page address under Connection on Settings")
                .show(ui);
            designs(ui, context, shown);
            if ui.add(Button::primary("Settings")).clicked() {
                context.push(PageCommand::CloseTracking);
                context.push(Command::Show(Screen::Settings));
            }
        }
    }
}

/// Draws the choice of the page's design, if the connection has addresses for both.
fn designs(ui: &mut Ui, context: &mut Context<'_>, shown: &TrackingView) {
    let bases = &context.shared.session.tracking;
    let has_page = |design| bases.has_page(design);
    if !TrackingDesign::ALL.into_iter().all(has_page) {
        return;
    }
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for design in TrackingDesign::ALL {
            let button = Button::quiet(design.label()).small();
            if ui.add(button.selected(design == shown.design)).clicked() {
                context.push(PageCommand::ShowTracking(design));
            }
        }
    });
}

/// Draws the QR code: each square a whole number of pixels wide, dark on light in every theme.
fn qr_code(ui: &mut Ui, code: &CodeSquares, address: &str) {
    let pixel = 1.0 / ui.pixels_per_point();
    let side = code.side.max(1) as f32;
    let square = ((WIDEST / side) / pixel).floor().max(1.0) * pixel;
    let (rect, response) = ui.allocate_exact_size(vec2(side, side) * square, Sense::hover());
    let name = format!("QR code of {address}");
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, &name));
    let corner = (rect.min.to_vec2() / pixel).round() * pixel;
    let corner = pos2(corner.x, corner.y);
    let painter = ui.painter();
    let paper = Rect::from_min_size(corner, vec2(side, side) * square);
    painter.rect_filled(paper, 0.0, PAPER);
    // Adjacent dark squares of a row are drawn as one rectangle, so that no seam shows between them.
    for (y, row) in code.dark.chunks(code.side.max(1)).enumerate() {
        let mut x = 0;
        while x < row.len() {
            let run = row[x..].iter().take_while(|dark| **dark).count();
            if run > 0 {
                let at = corner + vec2(x as f32, y as f32) * square;
                let run = Rect::from_min_size(at, vec2(run as f32, 1.0) * square);
                painter.rect_filled(run, 0.0, INK);
            }
            x += run.max(1);
        }
    }
}
