//! The dialog for a consignment's public tracking page: opens it, copies its address, or shows a QR code.

use egui::{Mesh, OpenUrl, Rect, Sense, Ui, Vec2, vec2};

use super::ShownConsignment;
use super::details::{copy, copy_confirmation, wrapped};
use crate::state::{Command, PageCommand, Screen};
use crate::ui::Context;
use crate::ui::actions::Action;
use printing::qr::{QrCode, qr_code};
use shipping::TrackingDesign;
use widgets::button::Button;
use widgets::modal::Modal;
use widgets::notice::NoticeBar;
use widgets::tokens::{INK, PAPER, Tone, size};
use widgets::{icons, text};

/// Largest width of the QR code, in points.
const WIDEST: f32 = 264.0;

pub(super) fn show(ui: &Ui, context: &mut Context<'_>) {
    let shown = ShownConsignment::of(context.shared);
    let mut open = context.shared.track.page.tracking.is_some();
    let was_open = open;
    Modal::new("tracking page", "Tracking page").show(ui, &mut open, |ui, open| {
        if let Some(design) = context.shared.track.page.tracking {
            let token = shown.as_ref().map_or("", ShownConsignment::tracking_token);
            body(ui, context, design, token, open);
        }
    });
    if was_open && !open {
        context.push(PageCommand::CloseTracking);
    }
}

fn body(
    ui: &mut Ui,
    context: &mut Context<'_>,
    design: TrackingDesign,
    token: &str,
    open: &mut bool,
) {
    ui.spacing_mut().item_spacing.y = size::GRID;
    let address = match context.shared.session.tracking.browser_url(design, token) {
        Ok(address) => address,
        Err(why) => {
            NoticeBar::new(Tone::Warning, &why.to_string())
                .what_to_do("Set the tracking page address under Connection on Settings")
                .show(ui);
            designs(ui, context, design);
            if ui.add(Button::primary("Settings")).clicked() {
                context.push(PageCommand::CloseTracking);
                context.push(Command::Show(Screen::Settings));
            }
            return;
        }
    };
    ui.horizontal(|ui| {
        let icon = Action::TrackingPage.entry().icon;
        if ui
            .add(Button::primary("Open in the browser").icon(icon))
            .clicked()
        {
            ui.open_url(OpenUrl::new_tab(&address));
            *open = false;
        }
        let button = Button::new("Copy address").icon(icons::ICON_CONTENT_COPY);
        if ui.add(button).clicked() {
            copy(ui, &address);
        }
    });
    designs(ui, context, design);
    wrapped(ui, text::mono(address.as_str()));
    if let Some(code) = qr_code(&address) {
        ui.vertical_centered(|ui| draw_code(ui, &code, &address));
    }
    let words = match copy_confirmation(ui) {
        Some(_) => "Address copied",
        None => "Anyone with the address can see the page. Scan the code to open it on a phone",
    };
    text::small_note(ui, words);
}

/// Draws the choice of the page's design, if the connection has addresses for both.
fn designs(ui: &mut Ui, context: &mut Context<'_>, current: TrackingDesign) {
    let bases = &context.shared.session.tracking;
    let has_page = |design| bases.has_page(design);
    if !TrackingDesign::ALL.into_iter().all(has_page) {
        return;
    }
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for design in TrackingDesign::ALL {
            let button = Button::quiet(design.label()).small();
            if ui.add(button.selected(design == current)).clicked() {
                context.push(PageCommand::ShowTracking(design));
            }
        }
    });
}

/// Draws the QR code: each square a whole number of pixels wide, dark on light in every theme.
fn draw_code(ui: &mut Ui, code: &QrCode, address: &str) {
    let pixel = 1.0 / ui.pixels_per_point();
    let side = code.side.max(1) as f32;
    let square = ((WIDEST / side) / pixel).floor().max(1.0) * pixel;
    let (rect, response) = ui.allocate_exact_size(vec2(side, side) * square, Sense::hover());
    let name = format!("QR code of {address}");
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, &name));
    let corner = ((rect.min.to_vec2() / pixel).round() * pixel).to_pos2();
    // A mesh has no blurred edges, so that no seam shows between adjacent squares.
    let mut mesh = Mesh::default();
    mesh.add_colored_rect(Rect::from_min_size(corner, rect.size()), PAPER);
    for (at, _) in { code.dark.iter().enumerate() }.filter(|(_, dark)| **dark) {
        let at = vec2((at % code.side) as f32, (at / code.side) as f32);
        let dark = Rect::from_min_size(corner + at * square, Vec2::splat(square));
        mesh.add_colored_rect(dark, INK);
    }
    ui.painter().add(mesh);
}
