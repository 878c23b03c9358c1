//! The tour: what each screen is for, in a panel that leaves the screens usable. It begins by itself at the first start
//! of an installation.

use egui::{Align, Align2, Area, Id, Layout, Margin, Order, Ui, vec2};

use super::super::Context;
use super::super::actions::Action;
use super::{STATUS, side_width};
use crate::state::Command;
use widgets::button::Button;
use widgets::tokens::{palette, size};
use widgets::{icons, key_cap, paint, text};

const WIDTH: f32 = 340.0;

/// A step: the action that it is about, and what to know about it.
type Step = (Action, &'static str);

const STEPS: [Step; 8] = [
    (
        Action::ShowConsign,
        "Enter the receiver and the goods: type, paste an address or scan. Compare the prices beside the form, choose a \
         carrier and send. The number and the label come at once.",
    ),
    (
        Action::ShowDispatch,
        "Unmanifested consignments. Group them by carrier, check the pickup time, and hold down the button that books.",
    ),
    (
        Action::ShowLabels,
        "Labels waiting to be printed. Set up a printer here first: a printer of this computer, a label printer's address, \
         or a file.",
    ),
    (
        Action::ShowTrack,
        "Everything that was sent: what is late, what needs attention, and proofs of delivery",
    ),
    (
        Action::ShowOperations,
        "Everything that was sent to the service. If an answer is lost, Packbench finds out what happened and sends nothing \
         twice.",
    ),
    (
        Action::ShowOrderFolder,
        "Orders that another program puts into a folder. Choose the folder in Settings.",
    ),
    (
        Action::Search,
        "Scan a label, or type any number, reference or name, on every screen",
    ),
    (
        Action::Help,
        "The shortcuts of the screen, the guide, and this tour. Practise as much as you like: the practice service is on this \
         computer, and nothing there is real.",
    ),
];

#[derive(Default)]
pub(super) struct Tour {
    /// The step that is shown; `None` if the tour is not shown.
    step: Option<usize>,
    /// True once the tour has begun by itself.
    has_begun: bool,
}

impl Tour {
    /// Begins the tour when it is asked for, and at the first start.
    pub(super) fn begin_when_asked(&mut self, context: &mut Context<'_>) {
        let begins_itself = context.shared.help.is_first_start && !self.has_begun;
        if begins_itself || context.is_triggered(Action::Tour) {
            self.has_begun = true;
            self.go_to(Some(0), context);
        }
    }

    /// Shows a step together with its screen, or ends the tour.
    fn go_to(&mut self, step: Option<usize>, context: &mut Context<'_>) {
        self.step = step;
        let screen = step.and_then(|step| STEPS[step].0.target_screen());
        if let Some(screen) = screen
            && screen != context.shared.screen
        {
            context.push(Command::Show(screen));
        }
    }

    pub(super) fn show(&mut self, ui: &Ui, context: &mut Context<'_>) {
        let Some(step) = self.step else { return };
        let (action, words) = STEPS[step];
        let p = palette(ui);
        let room = ui.ctx().content_rect();
        let corner = room.left_bottom() + vec2(side_width(room) + 16.0, -STATUS - 16.0);
        let area = Area::new(Id::unique("tour"))
            .order(Order::Middle)
            .pivot(Align2::LEFT_BOTTOM)
            .fixed_pos(corner);
        let frame = paint::frame(p.surface, p.accent, size::CARD_RADIUS);
        let mut next = self.step;
        area.show(ui.ctx(), |ui| {
            frame.inner_margin(Margin::same(16)).show(ui, |ui| {
                ui.set_width(WIDTH);
                let entry = action.entry();
                ui.horizontal(|ui| {
                    text::decorative_icon(ui, entry.icon, size::ICON, p.accent);
                    ui.label(text::strong(entry.name));
                    key_cap::cap(ui, &action.key());
                    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                        let place = format!("{} of {}", step + 1, STEPS.len());
                        ui.label(text::small(place).color(p.muted));
                    });
                });
                ui.label(text::body(words));
                ui.add_space(size::GRID);
                ui.horizontal(|ui| {
                    let is_last = step + 1 == STEPS.len();
                    let forward = Button::primary(if is_last { "Finish" } else { "Next" });
                    if ui.add(forward).clicked() {
                        next = (!is_last).then_some(step + 1);
                    }
                    let back = Button::new("Back").icon(icons::ICON_CHEVRON_LEFT);
                    if step > 0 && ui.add(back).clicked() {
                        next = Some(step - 1);
                    }
                    if !is_last && ui.add(Button::quiet("End tour")).clicked() {
                        next = None;
                    }
                });
            });
        });
        if next != self.step {
            self.go_to(next, context);
        }
    }
}
