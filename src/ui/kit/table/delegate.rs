//! Drawing a table: header, rows and cells, for `egui_table`.

use egui::{
    Align2, Color32, Id, Pos2, Rect, RichText, Role, Sense, Stroke, Ui, Vec2, WidgetInfo, pos2,
    vec2,
};
use egui_table::{CellInfo, HeaderCellInfo, TableDelegate};

use super::super::badge::{self, Badge};
use super::super::checkbox::{self, Tick};
use super::super::tokens::{palette, size};
use super::super::{icons, text};
use super::{Column, Rows, Sort, State};

pub(super) struct Delegate<'a> {
    pub(super) id: Id,
    pub(super) columns: &'a [Column],
    pub(super) ticks: bool,
    pub(super) state: &'a mut State,
    pub(super) rows: &'a mut dyn Rows,
    pub(super) focused: bool,
    /// Where the table begins, from which the columns that stay in view tell themselves from those that scroll.
    pub(super) left: f32,
    pub(super) opened: Option<usize>,
}

impl Delegate<'_> {
    fn all(&self) -> Tick {
        let (chosen, count) = (self.state.selection.len(), self.rows.count());
        match chosen {
            0 => Tick::Off,
            _ if chosen >= count => Tick::On,
            _ => Tick::Some,
        }
    }

    fn pressed(&mut self, ui: &Ui, index: usize) {
        let key = self.rows.key(index);
        let held = ui.input(|input| input.modifiers);
        let can_be_ticked = self.rows.held(index).is_none();
        if held.shift {
            self.state.selection.extend_to(self.rows, index);
        } else if !can_be_ticked {
            if !held.command {
                self.state.selection.clear();
            }
        } else if held.command {
            self.state.selection.toggle(key);
        } else {
            self.state.selection.choose(key);
        }
        self.state.selection.move_to(self.rows, index);
        ui.memory_mut(|memory| memory.request_focus(self.id));
    }

    fn header_tick(&mut self, ui: &mut Ui) {
        let rect = ui.max_rect();
        let response = ui.interact(rect, self.id.with("all"), Sense::CLICK);
        response.widget_info(|| {
            WidgetInfo::selected(Role::CheckBox, true, self.all() == Tick::On, "All rows")
        });
        if response.clicked() {
            self.state.selection.toggle_all(self.rows);
        }
        checkbox::paint(
            ui,
            ui.painter(),
            rect.center(),
            self.all(),
            response.hovered(),
        );
    }
}

impl TableDelegate for Delegate<'_> {
    fn header_cell_ui(&mut self, ui: &mut Ui, cell: &HeaderCellInfo) {
        let p = palette(ui);
        let rect = ui.max_rect();
        ui.painter().rect_filled(rect, 0.0, p.head);
        ui.painter().hline(
            rect.x_range(),
            rect.bottom() - 0.5,
            Stroke::new(1.0, p.border),
        );
        let Some(at) = cell.col_range.start.checked_sub(usize::from(self.ticks)) else {
            return self.header_tick(ui);
        };
        let column = self.columns[at];
        let sorted = self.state.sort.filter(|sort| sort.column == at);
        let marked = self.focused && self.state.marked_column == Some(at);
        if column.sortable {
            let response = ui.interact(rect, self.id.with(("header", at)), Sense::CLICK);
            response.widget_info(|| WidgetInfo::labeled(Role::ColumnHeader, true, column.title));
            if response.clicked() {
                let descending = sorted.is_some_and(|sort| !sort.descending);
                self.state.sort = Some(Sort {
                    column: at,
                    descending,
                });
            }
            if response.hovered() || marked {
                let line = Stroke::new(2.0, if marked { p.accent } else { p.strong_border });
                ui.painter()
                    .hline(rect.x_range(), rect.bottom() - 1.5, line);
            }
        }
        let arrow = sorted.map(|sort| {
            if sort.descending {
                icons::ICON_ARROW_DOWNWARD
            } else {
                icons::ICON_ARROW_UPWARD
            }
        });
        let arrow_width = if arrow.is_some() { 16.0 } else { 0.0 };
        let inner = rect.shrink2(vec2(8.0, 0.0));
        let title = RichText::new(column.title).font(text::small_strong_font());
        let galley = text::line(ui, title, inner.width() - arrow_width, p.muted);
        let width = galley.size().x;
        let x = if column.right {
            inner.right() - width - arrow_width
        } else {
            inner.left()
        };
        ui.painter().galley(
            pos2(x, rect.center().y - galley.size().y / 2.0),
            galley,
            p.muted,
        );
        if let Some(arrow) = arrow {
            let galley = text::plain(ui, arrow.codepoint, text::icon_font(14.0), p.accent);
            ui.painter().galley(
                pos2(x + width + 3.0, rect.center().y - galley.size().y / 2.0),
                galley,
                p.accent,
            );
        }
    }

    fn row_ui(&mut self, ui: &mut Ui, row_nr: u64) {
        let Ok(index) = usize::try_from(row_nr) else {
            return;
        };
        let p = palette(ui);
        let rect = ui.max_rect();
        let key = self.rows.key(index);
        let chosen = self.state.selection.contains(key);
        let under_cursor = self.state.selection.cursor() == Some(key);
        let seen = rect.intersect(ui.clip_rect());
        if seen.width() < 1.0 {
            return;
        }
        let response = ui.interact(seen, ui.scope_id().with("row"), Sense::CLICK);
        let held = self.rows.held(index);
        // A row is drawn in two parts where columns stay in view, and is one row all the same.
        if seen.left() < self.left + 1.0 {
            response.widget_info(|| {
                WidgetInfo::selected(Role::Row, true, chosen, self.rows.name(index))
            });
            if let Some(why) = &held {
                ui.ctx()
                    .accesskit_node_builder(response.id, |node| node.set_description(why.as_str()));
            }
        }
        if response.clicked() {
            self.pressed(ui, index);
        }
        if response.double_clicked() {
            self.opened = Some(index);
        }
        let hovered = response.hovered();
        if let Some(why) = held {
            response.on_hover_text(why);
        }
        let fill = if chosen {
            p.accent_weak
        } else if hovered || under_cursor {
            p.raised
        } else {
            p.surface
        };
        let painter = ui.painter();
        painter.rect_filled(rect, 0.0, fill);
        painter.hline(
            rect.x_range(),
            rect.bottom() - 0.5,
            Stroke::new(1.0, p.border),
        );
        if under_cursor {
            let bar = Rect::from_min_size(rect.min, vec2(3.0, rect.height()));
            painter.rect_filled(
                bar,
                0.0,
                if self.focused || chosen {
                    p.accent
                } else {
                    p.strong_border
                },
            );
        }
    }

    fn cell_ui(&mut self, ui: &mut Ui, cell: &CellInfo) {
        let Ok(index) = usize::try_from(cell.row_nr) else {
            return;
        };
        let rect = ui.max_rect();
        let Some(at) = cell.col_nr.checked_sub(usize::from(self.ticks)) else {
            let key = self.rows.key(index);
            if self.rows.held(index).is_some() {
                let ink = palette(ui).unknown;
                let icon = icons::ICON_LOCK.codepoint;
                let icon = text::plain(ui, icon, text::icon_font(size::ICON), ink);
                let at = rect.center() - icon.size() / 2.0;
                ui.painter().galley(at, icon, ink);
                return;
            }
            let response = ui.interact(rect, ui.scope_id().with("tick"), Sense::CLICK);
            if response.clicked() {
                self.state.selection.toggle(key);
                self.state.selection.move_to(self.rows, index);
                ui.memory_mut(|memory| memory.request_focus(self.id));
            }
            let tick = self.state.selection.contains(key).into();
            checkbox::paint(ui, ui.painter(), rect.center(), tick, response.hovered());
            return;
        };
        let right = self.columns[at].right;
        let mut cell = Cell {
            inner: rect.shrink2(vec2(8.0, 0.0)),
            ui,
            right,
            pen: 0.0,
            widest: 20.0,
        };
        self.rows.cell(&mut cell, index, at);
        let widest = cell.widest;
        // Painted text takes no room by itself; a column fitted to its contents has to know.
        if ui.is_sizing_pass() {
            ui.allocate_space(Vec2::new(widest, 1.0));
        }
    }

    fn default_row_height(&self) -> f32 {
        size::ROW
    }
}

/// One cell, to be painted into.
pub struct Cell<'a> {
    inner: Rect,
    ui: &'a mut Ui,
    right: bool,
    pen: f32,
    widest: f32,
}

impl Cell<'_> {
    /// For any widget that fits into a row.
    pub fn ui(&mut self) -> &mut Ui {
        self.ui
    }

    /// Text in the row's own colour.
    pub fn text(&mut self, words: &str) {
        let ink = palette(self.ui).text;
        self.rich(RichText::new(words).font(text::cell_font()), ink);
    }

    /// Text that is read second; after other text it follows on the same line.
    pub fn muted(&mut self, words: &str) {
        let ink = palette(self.ui).muted;
        self.rich(RichText::new(words).font(text::cell_font()), ink);
    }

    /// Text in the colour of what it is about.
    pub fn toned(&mut self, words: &str, tone: super::super::tokens::Tone) {
        let ink = tone.ink(palette(self.ui));
        self.rich(RichText::new(words).font(text::cell_font()), ink);
    }

    /// Text that stands out.
    pub fn strong(&mut self, words: &str) {
        let ink = palette(self.ui).text;
        self.rich(text::strong(words).size(size::CELL), ink);
    }

    /// An id or a reference.
    pub fn mono(&mut self, words: &str) {
        let ink = palette(self.ui).text;
        self.rich(text::mono(words), ink);
    }

    /// A pill.
    pub fn badge(&mut self, badge: &Badge<'_>) {
        let size = badge.size(self.ui);
        let at = pos2(self.inner.left() + self.pen - 4.0, self.inner.center().y);
        badge.paint(self.ui, &self.painter(), at);
        self.took(size.x);
    }

    /// An icon.
    pub fn icon(&mut self, icon: super::super::Icon, ink: Color32) {
        let galley = text::plain(self.ui, icon.codepoint, text::icon_font(size::ICON), ink);
        let at = Align2::LEFT_CENTER.anchor_size(self.at(), galley.size());
        self.painter().galley(at.min, galley, ink);
        self.took(size::ICON);
    }

    /// The diamond of dangerous goods.
    pub fn dangerous(&mut self) {
        let at = self.at() + vec2(7.0, 0.0);
        badge::diamond(&self.painter(), at, 6.0, palette(self.ui).bad);
        self.took(16.0);
    }

    fn rich(&mut self, words: RichText, ink: Color32) {
        let room = self.inner.width() - self.pen;
        if room <= 4.0 {
            return;
        }
        let galley = text::line(self.ui, words, room, ink);
        let width = galley.size().x;
        let y = self.inner.center().y - galley.size().y / 2.0;
        let x = if self.right {
            self.inner.right() - width
        } else {
            self.inner.left() + self.pen
        };
        self.painter().galley(pos2(x, y), galley, ink);
        self.took(width);
    }

    fn at(&self) -> Pos2 {
        pos2(self.inner.left() + self.pen, self.inner.center().y)
    }

    fn painter(&self) -> egui::Painter {
        self.ui.painter().with_clip_rect(
            self.inner
                .expand2(vec2(6.0, 0.0))
                .intersect(self.ui.clip_rect()),
        )
    }

    fn took(&mut self, width: f32) {
        self.pen += width + 5.0;
        self.widest = self.widest.max(self.pen + 20.0);
    }
}
