//! The card of an order that is packed by scan: what is ordered and packed, in letters that can be read at arm's length.
//! Also the dialogs that stop at a wrong piece, and that ask why pieces are missing.

use egui::{
    Align, Align2, Event, EventFilter, Id, Key, Layout, Modifiers, Rect, Response, Role, Sense,
    Stroke, Ui, UiBuilder, WidgetInfo, pos2, vec2,
};

use crate::state::{Command, ConsignCommand, PackingCommand, PackingStop, Shared};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::format::counted;
use crate::ui::parts::{is_reason, reason_field};
use draft::{Draft, Packing, PackingLine, PackingState};
use widgets::badge::Badge;
use widgets::button::Button;
use widgets::card::Card;
use widgets::modal::{Modal, confirm_or_cancel};
use widgets::notice::NoticeBar;
use widgets::tokens::{Tone, palette};
use widgets::{Icon, icons, paint, text};

/// Height of a line, in points.
const ROW: f32 = 54.0;
/// Sizes of letters that can be read from a metre away, in points.
const SKU: f32 = 20.0;
const NAME: f32 = 16.0;
const COUNT: f32 = 26.0;
/// Widths of the columns at the right, in points.
const COUNT_WIDTH: f32 = 130.0;
const STATE_WIDTH: f32 = 150.0;
const BUTTONS_WIDTH: f32 = 76.0;

/// The pause in typing after which a key counts as pressed by a person: scanners type faster.
const PAUSE_SECONDS: f64 = 0.3;

/// Reasons that are often given for missing pieces.
const REASONS: [&str; 4] = [
    "Out of stock",
    "Follows in another consignment",
    "Damaged",
    "Cancelled by the customer",
];

/// State of packing that is kept between frames.
#[derive(Debug, Default)]
pub(super) struct PackingList {
    /// True if the draft was packed by scan in the last frame.
    is_active: bool,
    /// The line that gets the focus in this frame.
    next_line: Option<usize>,
    /// The line that had the focus last.
    line: usize,
    /// The number of counts that the list has scrolled to.
    seen_counts: u64,
    /// True while the dialog asks whether to stop packing by scan.
    stopping: bool,
    reason: String,
    was_asking: bool,
    /// When a character was typed last.
    last_typed: f64,
}

fn line_id(at: usize) -> Id {
    Id::unique(("packing line", at))
}

/// Returns how a state is shown: tone, icon and text.
fn style(line: &PackingLine) -> (Tone, Icon, String) {
    match line.state() {
        PackingState::NotStarted => (
            Tone::Neutral,
            icons::ICON_RADIO_BUTTON_UNCHECKED,
            "to pack".to_owned(),
        ),
        PackingState::Partly => (
            Tone::Accent,
            icons::ICON_CONTRAST,
            format!("{} to go", line.missing()),
        ),
        PackingState::Complete => (Tone::Ok, icons::ICON_CHECK_CIRCLE, "complete".to_owned()),
        PackingState::TooMany => (Tone::Warning, icons::ICON_WARNING, "too many".to_owned()),
    }
}

impl PackingList {
    pub(super) fn is_open(&self, shared: &Shared) -> bool {
        let packing = &shared.consign.packing;
        self.stopping || packing.stop.is_some() || packing.asks_reason
    }

    /// Handles the keys of packing. Returns true in the first frame in which the draft is packed by scan, so that the
    /// focus goes to where scans are typed.
    pub(super) fn actions(&mut self, ui: &Ui, context: &mut Context<'_>, draft: &Draft) -> bool {
        if ui.input(|input| {
            input
                .events
                .iter()
                .any(|event| matches!(event, Event::Text(_)))
        }) {
            self.last_typed = ui.input(|input| input.time);
        }
        let is_packed = draft.packing.is_some();
        let is_new = is_packed && !std::mem::replace(&mut self.is_active, is_packed);
        self.is_active = is_packed;
        if context.is_triggered(Action::PackByScan) {
            if is_packed {
                self.next_line = Some(self.line);
            } else {
                context.push(ConsignCommand::Packing(PackingCommand::Begin));
            }
        }
        if context.is_triggered(Action::StopPacking) {
            self.ask_to_stop(context, draft);
        }
        is_new
    }

    /// Returns whether a line of the list has the focus.
    pub(super) fn has_focus(&self, ui: &Ui) -> bool {
        self.is_active && ui.memory(|memory| memory.has_focus(line_id(self.line)))
    }

    /// Stops packing by scan. Asks first if that loses counts.
    fn ask_to_stop(&mut self, context: &mut Context<'_>, draft: &Draft) {
        let packed = draft.packing.as_ref().map(|packing| packing.pieces().0);
        match packed {
            None => {}
            Some(0) => context.push(ConsignCommand::Packing(PackingCommand::Stop)),
            Some(_) => self.stopping = true,
        }
    }

    /// Draws the card while the draft is packed by scan. Before that, an order has a button to begin.
    pub(super) fn card(&mut self, ui: &mut Ui, context: &mut Context<'_>, draft: &Draft) {
        let Some(packing) = &draft.packing else {
            return offer(ui, context, draft);
        };
        let (packed, ordered) = packing.pieces();
        let mut stops = false;
        let tone = if packing.is_complete() {
            Tone::Ok
        } else {
            Tone::Accent
        };
        let words = format!("{packed} of {ordered} packed");
        let title = format!("Packing {}", draft.title());
        Card::new(&title)
            .icon(icons::ICON_BARCODE_SCANNER)
            .flush()
            .show(
                ui,
                |ui| {
                    let (entry, key) = (Action::StopPacking.entry(), Action::StopPacking.key());
                    let stop = Button::new(entry.name).key(&key).small();
                    stops = ui.add(stop).on_hover_text(entry.tooltip).clicked();
                    Badge::new(tone, &words).show(ui);
                },
                |ui| {
                    ui.spacing_mut().item_spacing.y = 0.0;
                    for (at, line) in packing.lines.iter().enumerate() {
                        self.line(ui, context, at, line);
                    }
                    if !packing.reason.is_empty() {
                        let words = format!("Sent short: {}", packing.reason);
                        ui.add_space(6.0);
                        text::note(ui, words);
                    }
                },
            );
        self.next_line = None;
        if stops {
            self.ask_to_stop(context, draft);
        }
    }

    fn line(&mut self, ui: &mut Ui, context: &mut Context<'_>, at: usize, line: &PackingLine) {
        let id = line_id(at);
        if ui.memory(|memory| memory.has_focus(id)) {
            self.line = at;
            self.keys(ui, context, at);
        }
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::hover());
        let response = ui.interact(rect, id, Sense::click());
        if self.next_line == Some(at) || response.clicked() {
            response.request_focus();
        }
        if response.has_focus() {
            let filter = EventFilter {
                vertical_arrows: true,
                ..EventFilter::default()
            };
            ui.memory_mut(|memory| memory.set_focus_lock_filter(id, filter));
        }
        self.scroll_to_counted(ui, context, at, rect);
        draw(ui, &response, rect, line);
        let buttons = Rect::from_min_max(
            pos2(rect.right() - BUTTONS_WIDTH - 10.0, rect.top()),
            rect.max,
        );
        let mut row = ui.new_child(
            UiBuilder::new()
                .max_rect(buttons)
                .scope_id(id.with("buttons"))
                .layout(Layout::left_to_right(Align::Center)),
        );
        row.spacing_mut().item_spacing.x = 6.0;
        for (icon, name, command) in [
            (
                icons::ICON_REMOVE,
                "Take back one",
                PackingCommand::TakeBack(at),
            ),
            (icons::ICON_ADD, "Count one", PackingCommand::Count(at)),
        ] {
            let name = format!("{name} {}", line.sku);
            let button = Button::icon_only(icon, &name).skip_in_tab_order();
            if row.add(button).on_hover_text(&name).clicked() {
                context.push(ConsignCommand::Packing(command));
            }
        }
    }

    /// Handles the keys of the line that has the focus: arrows choose another line, Space or + counts one piece, and −
    /// takes one back. Characters that a scanner types do not count.
    fn keys(&mut self, ui: &Ui, context: &mut Context<'_>, at: usize) {
        let pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
        if pressed(Key::ArrowDown) {
            self.next_line = Some(at + 1);
            ui.ctx().request_repaint();
        } else if pressed(Key::ArrowUp) {
            self.next_line = at.checked_sub(1);
            if let Some(above) = self.next_line {
                ui.memory_mut(|memory| memory.request_focus(line_id(above)));
            }
        }
        let is_scan = is_scanned_text(ui);
        for (key, command) in [
            (Key::Space, PackingCommand::Count(at)),
            (Key::Plus, PackingCommand::Count(at)),
            (Key::Minus, PackingCommand::TakeBack(at)),
        ] {
            if pressed(key) && !is_scan {
                context.push(ConsignCommand::Packing(command));
            }
        }
    }

    /// Scrolls to the line that was counted last.
    fn scroll_to_counted(&mut self, ui: &Ui, context: &Context<'_>, at: usize, rect: Rect) {
        if let Some((count, line)) = context.shared.consign.packing.counted
            && line == at
            && count != self.seen_counts
        {
            self.seen_counts = count;
            ui.scroll_to_rect(rect, None);
        }
    }

    /// Draws the dialogs of packing.
    pub(super) fn dialogs(&mut self, ui: &Ui, context: &mut Context<'_>, draft: &Draft) {
        self.stop_dialog(ui, context);
        self.reason_dialog(ui, context, draft);
        let mut stopping = self.stopping;
        let title = "Stop packing by scan?";
        Modal::new("stop packing", title).show(ui, &mut stopping, |ui, open| {
            let words = "The pieces counted so far are forgotten. The order itself stays as it is";
            text::note(ui, words);
            if confirm_or_cancel(ui, open, Button::new("Stop packing"), true) {
                context.push(ConsignCommand::Packing(PackingCommand::Stop));
                *open = false;
            }
        });
        self.stopping = stopping;
    }

    /// Draws the dialog about a wrong piece. A scanner that types must not close it with the Enter of the next scan.
    fn stop_dialog(&mut self, ui: &Ui, context: &mut Context<'_>) {
        let shared = context.shared;
        let stop = shared.consign.packing.stop.as_ref();
        let mut open = stop.is_some();
        if open && ui.input(|input| input.time) - self.last_typed < PAUSE_SECONDS {
            ui.input_mut(|input| {
                input.consume_key(Modifiers::NONE, Key::Enter);
                input.consume_key(Modifiers::NONE, Key::Space);
            });
        }
        let (headline, advice) = stop.map(stop_text).unwrap_or_default();
        Modal::new("packing stopped", &headline)
            .width(560.0)
            .show(ui, &mut open, |ui, open| {
                ui.spacing_mut().item_spacing.y = 12.0;
                NoticeBar::new(Tone::Bad, &advice).show(ui);
                let go_on = Button::primary("Continue").key("Enter").fill_width(ui);
                if ui.add(go_on).clicked() {
                    *open = false;
                }
            });
        if stop.is_some() && !open {
            context.push(ConsignCommand::Packing(PackingCommand::Acknowledge));
        }
    }

    /// Draws the dialog that asks why pieces are missing.
    fn reason_dialog(&mut self, ui: &Ui, context: &mut Context<'_>, draft: &Draft) {
        let is_asking = context.shared.consign.packing.asks_reason;
        if is_asking && !std::mem::replace(&mut self.was_asking, is_asking) {
            self.reason.clear();
        }
        self.was_asking = is_asking;
        let mut open = is_asking;
        let reason = &mut self.reason;
        Modal::new("pieces are missing", "Pieces are missing")
            .width(520.0)
            .show(ui, &mut open, |ui, open| {
                ui.spacing_mut().item_spacing.y = 8.0;
                if let Some(packing) = &draft.packing {
                    text::note(ui, missing_text(packing));
                }
                let id = Id::unique("why pieces are missing");
                // A scanner may type an SKU or a number and Enter into the field.
                let packing = draft.packing.as_ref();
                let is_sku = |reason: &str| packing.is_some_and(|one| one.find(reason).is_some());
                let is_wrong = |reason: &str| !is_reason(reason) || is_sku(reason);
                let (field, picked) = reason_field(ui, id, reason, &REASONS, |reason| {
                    let is_shown = !reason.trim().is_empty() && is_wrong(reason);
                    is_shown.then_some("Enter a reason in words, not a number or an SKU")
                });
                let can = !is_wrong(reason);
                let pressed =
                    confirm_or_cancel(ui, open, Button::primary("Send what is packed"), can);
                if can && (pressed || picked || field.entered) {
                    let command = PackingCommand::SendShort(reason.trim().to_owned());
                    context.push(ConsignCommand::Packing(command));
                    *open = false;
                }
            });
        let is_sent = || context.commands.iter().any(is_send_short);
        if is_asking && !open && !is_sent() {
            context.push(ConsignCommand::Packing(PackingCommand::CancelSend));
        }
    }
}

/// Draws the button that begins to pack an order by scan.
fn offer(ui: &mut Ui, context: &mut Context<'_>, draft: &Draft) {
    if !(draft.is_order && draft.can_be_packed()) {
        return;
    }
    let (entry, key) = (Action::PackByScan.entry(), Action::PackByScan.key());
    let begin = Button::new(entry.name).icon(entry.icon).key(&key);
    if ui.add(begin).on_hover_text(entry.tooltip).clicked() {
        context.push(ConsignCommand::Packing(PackingCommand::Begin));
    }
}

const fn is_send_short(command: &Command) -> bool {
    matches!(
        command,
        Command::Consign(ConsignCommand::Packing(PackingCommand::SendShort(_)))
    )
}

/// Returns whether the characters of this frame come from a scanner: other text than a single + or − or a space.
fn is_scanned_text(ui: &Ui) -> bool {
    let is_scan = ui.input(|input| {
        let mut texts = input.events.iter().filter_map(|event| match event {
            Event::Text(text) => Some(text.as_str()),
            _ => None,
        });
        texts.any(|text| !matches!(text, "+" | "-" | " "))
    });
    is_scan || widgets::pacer::in_a_burst(ui.ctx())
}

/// Returns what is wrong with a piece, and what to do with it.
fn stop_text(stop: &PackingStop) -> (String, String) {
    match stop {
        PackingStop::NotOrdered(sku) => (
            format!("{sku} is not in this order"),
            "Put it back. Nothing was counted".to_owned(),
        ),
        PackingStop::Surplus { line, pieces } if *pieces > 1 => (
            format!("Too many of {}", line.sku),
            format!(
                "The barcode counts {}, and {} of {} are packed. Nothing was counted",
                counted(*pieces as usize, "piece", "pieces"),
                line.packed,
                line.expected
            ),
        ),
        PackingStop::Surplus { line, .. } => (
            format!("Too many of {}", line.sku),
            format!(
                "{} of {} are packed. Put the last one back. It was not counted",
                line.packed, line.expected
            ),
        ),
    }
}

fn missing_text(packing: &Packing) -> String {
    let short = packing.lines.iter().filter(|line| line.missing() > 0);
    let short: Vec<_> = short
        .map(|line| format!("{} of {}", line.missing(), line.sku))
        .collect();
    let short = short.join(", ");
    format!(
        "Missing: {short}. Only the packed pieces are sent. Say why, for the history of this consignment"
    )
}

/// Draws a line: SKU and name at the left, count and state at the right.
fn draw(ui: &Ui, response: &Response, rect: Rect, line: &PackingLine) {
    let p = palette(ui);
    let (tone, icon, words) = style(line);
    let PackingLine {
        sku,
        name,
        expected,
        packed,
    } = line;
    let spoken = format!("{sku}, {name}: {packed} of {expected} packed, {words}");
    response.widget_info(|| WidgetInfo::labeled(Role::ListItem, true, &spoken));
    let painter = ui.painter();
    if tone != Tone::Neutral {
        painter.rect_filled(rect, 0.0, tone.weak(p));
        let bar = Rect::from_min_size(rect.min, vec2(5.0, rect.height()));
        painter.rect_filled(bar, 0.0, tone.ink(p));
    }
    painter.hline(
        rect.x_range(),
        rect.bottom() - 0.5,
        Stroke::new(1.0, p.border),
    );
    paint::focus_ring(ui, response, rect.shrink(2.0), 4);
    let middle = rect.center().y;
    let state_left = rect.right() - BUTTONS_WIDTH - 10.0 - STATE_WIDTH;
    let state = paint::icon(ui, icon, 24.0, tone.ink(p));
    paint::text_at(
        painter,
        Align2::LEFT_CENTER,
        pos2(state_left, middle),
        state,
    );
    let words = text::line(
        ui,
        text::strong(words).size(NAME),
        STATE_WIDTH - 34.0,
        tone.ink(p),
    );
    paint::text_at(
        painter,
        Align2::LEFT_CENTER,
        pos2(state_left + 32.0, middle),
        words,
    );
    let count = text::figure(format!("{packed} of {expected}")).size(COUNT);
    let count = text::line(ui, count, COUNT_WIDTH, p.text);
    let count_right = state_left - 20.0;
    paint::text_at(
        painter,
        Align2::RIGHT_CENTER,
        pos2(count_right, middle),
        count,
    );
    let left = rect.left() + 16.0;
    let room = (count_right - COUNT_WIDTH - left).max(60.0);
    let sku = text::line(ui, text::mono_strong(sku).size(SKU), room, p.text);
    let name = text::line(ui, text::body(name).size(NAME), room, p.muted);
    let top = middle - f32::midpoint(sku.size().y, name.size().y);
    let below = top + sku.size().y;
    painter.galley(pos2(left, top), sku, p.text);
    painter.galley(pos2(left, below), name, p.muted);
}
