//! The list of the dialogs with drafts and with presets: filtered by typing, with a row that is marked by keyboard, and a
//! question before a row is removed.

use egui::{
    Align, Align2, Id, Key, Layout, Modifiers, Rect, Role, ScrollArea, Sense, Ui, UiBuilder,
    WidgetInfo, pos2, vec2,
};

use widgets::badge::Badge;
use widgets::button::Button;
use widgets::field::{Field, FieldResponse, OnEnter};
use widgets::tokens::{Tone, palette, size};
use widgets::{Icon, icons, paint, text};

/// Number of rows that Page Up and Page Down move.
const PAGE: usize = 8;
/// Height of a row, and maximum height of the list, in points.
const ROW: f32 = 44.0;
const LIST_HEIGHT: f32 = 8.0 * ROW;
/// Width in points of a button at the end of a row.
const BUTTON: f32 = 36.0;
/// Width in points that is reserved in a row for its badge and note.
const BADGE: f32 = 150.0;

/// The state of a list between frames.
#[derive(Default)]
pub(super) struct ListDialog {
    pub(super) open: bool,
    pub(super) filter: String,
    pub(super) marked: usize,
    /// True after the marked row changed: the list scrolls to it.
    follow: bool,
    /// The name or id of the row whose removal the clerk has to confirm.
    pub(super) removing: Option<String>,
}

/// A row: two lines at the left, a badge and a note at the right, and buttons at its end.
pub(super) struct ListRow<'a> {
    pub(super) id: Id,
    /// The accessible name.
    pub(super) spoken: &'a str,
    pub(super) title: &'a str,
    pub(super) detail: &'a str,
    /// The tone of the detail, if it stands out.
    pub(super) detail_tone: Option<Tone>,
    pub(super) badge: Option<(&'a str, Tone)>,
    pub(super) note: &'a str,
    /// The buttons from the right end, each with its accessible name.
    pub(super) buttons: &'a [(Icon, &'a str)],
}

/// The part of a row that the clerk pressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RowEvent {
    Picked,
    /// The button at this index.
    Button(usize),
}

impl ListDialog {
    pub(super) fn open() -> Self {
        Self {
            open: true,
            ..Self::default()
        }
    }

    /// Asks whether to remove a row. The button that confirms gets the focus when the question is drawn.
    pub(super) fn ask_to_remove(&mut self, ui: &Ui, row: String, answer_id: Id) {
        self.removing = Some(row);
        ui.memory_mut(|memory| memory.request_focus(answer_id));
        ui.ctx().request_repaint();
    }

    /// Marks another of `count` rows by keyboard, and draws the field with the filter. If the mark or the filter
    /// changes, the question about removing a row disappears.
    pub(super) fn show_filter(
        &mut self,
        ui: &mut Ui,
        id: Id,
        (label, hint): (&str, &str),
        count: usize,
    ) -> FieldResponse {
        let before = self.marked;
        for (down, up, rows) in [
            (Key::ArrowDown, Key::ArrowUp, 1),
            (Key::PageDown, Key::PageUp, PAGE),
        ] {
            let pressed = |key| ui.input_mut(|input| input.consume_key(Modifiers::NONE, key));
            if pressed(down) {
                self.marked += rows;
            }
            if pressed(up) {
                self.marked = self.marked.saturating_sub(rows);
            }
        }
        self.marked = self.marked.min(count.saturating_sub(1));
        let is_moved = self.marked != before;
        let field = Field::new(label, &mut self.filter)
            .icon(icons::ICON_SEARCH)
            .hint(hint)
            .on_enter(OnEnter::Stay)
            .id(id)
            .hide_label()
            .show(ui);
        if field.changed() {
            self.marked = 0;
        }
        if is_moved || field.changed() {
            self.follow = true;
            self.removing = None;
        }
        field
    }

    /// Draws the visible rows. `row` draws the row at an index, marked or not. Returns the part of a row that was
    /// pressed, with the index of the row.
    pub(super) fn show_rows(
        &mut self,
        ui: &mut Ui,
        count: usize,
        row: impl Fn(&mut Ui, usize, bool) -> Option<RowEvent>,
    ) -> Option<(usize, RowEvent)> {
        let mut happened = None;
        ui.spacing_mut().item_spacing.y = 0.0;
        let mut area = ScrollArea::vertical()
            .id_salt("rows")
            .max_height(LIST_HEIGHT)
            .auto_shrink([false, true]);
        if std::mem::take(&mut self.follow) {
            // Centres the marked row, so that the rows before and after it are visible, too.
            let top = ROW * self.marked as f32 - (LIST_HEIGHT - ROW) / 2.0;
            area = area.vertical_scroll_offset(top.max(0.0));
        }
        area.show_rows(ui, ROW, count, |ui, shown| {
            for at in shown {
                if let Some(event) = row(ui, at, at == self.marked) {
                    happened = Some((at, event));
                }
            }
        });
        happened
    }
}

impl ListRow<'_> {
    pub(super) fn show(&self, ui: &mut Ui, marked: bool) -> Option<RowEvent> {
        let p = palette(ui);
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::hover());
        let end = rect.right() - BUTTON * self.buttons.len() as f32;
        let body = rect.with_max_x(end - 4.0);
        let response = ui.interact(body, self.id, Sense::CLICK);
        response
            .widget_info(|| WidgetInfo::selected(Role::ListBoxOption, true, marked, self.spoken));
        paint::row_background(ui, &response, marked, size::BUTTON_RADIUS);
        let inner = body.shrink2(vec2(10.0, 0.0));
        if let Some((word, tone)) = self.badge {
            let badge = Badge::new(tone, word);
            let corner = pos2(inner.right() - badge.size(ui).x, rect.center().y - 8.0);
            badge.paint(ui, ui.painter(), corner);
        }
        let note = text::line(ui, text::small(self.note), 120.0, p.muted);
        let corner = pos2(inner.right(), rect.center().y + 4.0);
        paint::text_at(ui.painter(), Align2::RIGHT_TOP, corner, note);
        let room = inner.width() - BADGE;
        for (top, words, ink) in [
            (4.0, text::strong(self.title), p.text),
            (
                24.0,
                text::small(self.detail),
                self.detail_tone.map_or(p.muted, |tone| tone.ink(p)),
            ),
        ] {
            let line = text::line(ui, words, room, ink);
            let corner = pos2(inner.left(), rect.top() + top);
            paint::text_at(ui.painter(), Align2::LEFT_TOP, corner, line);
        }
        let builder = UiBuilder::new()
            .max_rect(Rect::from_min_max(pos2(end, rect.top()), rect.max))
            .id_salt(self.id)
            .layout(Layout::right_to_left(Align::Center));
        let mut row_end = ui.new_child(builder);
        row_end.spacing_mut().item_spacing.x = 2.0;
        let mut event = response.clicked().then_some(RowEvent::Picked);
        for (at, (icon, name)) in self.buttons.iter().enumerate() {
            if row_end.add(Button::icon_only(*icon, name)).clicked() {
                event = Some(RowEvent::Button(at));
            }
        }
        event
    }
}

/// Asks for confirmation. Returns the answer, and gives the focus to the filter once the clerk has answered.
pub(super) fn question(
    ui: &mut Ui,
    words: &str,
    [yes, no]: [&str; 2],
    (answer_id, filter_id): (Id, Id),
) -> Option<bool> {
    ui.horizontal(|ui| {
        ui.set_height(32.0);
        ui.label(text::body(words).color(palette(ui).bad));
        let layout = Layout::right_to_left(Align::Center);
        ui.with_layout(layout, |ui| {
            let keep = ui.add(Button::quiet(no).small());
            let go = ui.add(Button::new(yes).small());
            if ui.memory(|memory| memory.has_focus(answer_id)) {
                go.request_focus();
            }
            let answer = (go.clicked() || keep.clicked()).then(|| go.clicked());
            if answer.is_some() {
                ui.memory_mut(|memory| memory.request_focus(filter_id));
            }
            answer
        })
        .inner
    })
    .inner
}
