//! One row of the goods: the cells, badges and menu of a line, and the titles of the columns.

use egui::{
    Align, Align2, Id, Label, Layout, Rect, Response, Sense, Stroke, Ui, UiBuilder, pos2, vec2,
};

use super::super::form::{FieldOptions, Form};
use super::line_actions::{LineAction, override_count, show_menu};
use super::sub_form::{SubForm, SubFormKind};
use super::weighing;
use crate::ui::actions::Action;
use draft::{Draft, Field, GoodsField, GoodsLine, ItemSource, SavedItem};
use shipping::ItemType;
use widgets::badge::Badge;
use widgets::button::Button;
use widgets::picker::PickerItem;
use widgets::tokens::{Tone, palette, size};
use widgets::{icons, paint, text};

/// Maximum number of saved items that are suggested.
const MOST: usize = 8;
/// Below this width the cell of a saved item has no icon, which would leave no room for the SKU.
const ROOM_FOR_ICON: f32 = 80.0;
/// Height in points of the row that asks whether the SKU belongs to a saved item or only to this line.
const CHOICE_HEIGHT: f32 = 36.0;

const COLUMNS: [Column; 9] = [
    column(GoodsField::Type, "Type", 104.0, 84.0),
    column(GoodsField::Name, "Name", 0.0, 0.0),
    column(GoodsField::Sku, "SKU", 124.0, 84.0),
    column(GoodsField::Quantity, "Qty", 48.0, 38.0),
    column(GoodsField::Weight, "kg", 64.0, 54.0),
    column(GoodsField::Length, "L cm", 50.0, 42.0),
    column(GoodsField::Width, "W cm", 50.0, 42.0),
    column(GoodsField::Height, "H cm", 50.0, 42.0),
    column(GoodsField::Spaces, "Sp.", 60.0, 36.0),
];
/// Below this width the narrow layout is used.
const NARROW_POINTS: f32 = 740.0;
const GAP: f32 = 4.0;
const EDGE: f32 = 10.0;
/// Height of a row, in points. All rows are equally high, so that rows out of sight need not be drawn.
pub(super) const ROW: f32 = 36.0;

#[derive(Debug, Clone, Copy)]
struct Column {
    field: GoodsField,
    /// Title in the narrow layout.
    short: &'static str,
    /// Width in points in the wide and in the narrow layout. The name's width of 0 means the remaining space.
    wide: f32,
    narrow: f32,
}

const fn column(field: GoodsField, short: &'static str, wide: f32, narrow: f32) -> Column {
    Column {
        field,
        short,
        wide,
        narrow,
    }
}

/// The badges that at least one row has at its end. All rows reserve room for these badges.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct RowBadges {
    /// True if the rows have the customs badge.
    pub(super) customs: bool,
    /// True if a row has the badge that counts overridden values.
    pub(super) overrides: bool,
}

/// Positions in a row of a given width.
#[derive(Debug)]
pub(super) struct ColumnLayout {
    cells: [(f32, f32); COLUMNS.len()],
    end: f32,
    right: f32,
    pub(super) narrow: bool,
}

impl ColumnLayout {
    /// Computes the positions for rows that are `width` points wide.
    pub(super) fn of(width: f32, marks: RowBadges) -> Self {
        let narrow = width < NARROW_POINTS;
        let mark = if narrow { 34.0 } else { 46.0 };
        let end = 34.0
            + mark * (1.0 + f32::from(u8::from(marks.customs)))
            + if marks.overrides { 30.0 } else { 0.0 };
        let own = |column: &Column| if narrow { column.narrow } else { column.wide };
        let fixed: f32 = COLUMNS.iter().map(|column| own(column) + GAP).sum();
        let rest = (width - 2.0 * EDGE - fixed - end).max(70.0);
        let mut x = EDGE;
        let cells = std::array::from_fn(|at| {
            let width = match own(&COLUMNS[at]) {
                own if own > 0.0 => own,
                _ => rest,
            };
            let left = x;
            x += width + GAP;
            (left, width)
        });
        Self {
            cells,
            end: x,
            right: width - EDGE,
            narrow,
        }
    }

    /// Returns the cells of a row, each with its field.
    pub(super) fn cells(&self, row: Rect) -> impl Iterator<Item = (Rect, GoodsField)> {
        self.cells.iter().zip(COLUMNS).map(move |(cell, column)| {
            let (left, width) = *cell;
            let corner = pos2(row.left() + left, row.top());
            let rect = Rect::from_min_size(corner, vec2(width, row.height()));
            (rect, column.field)
        })
    }

    /// Returns the rest of a row, for its badges and menu.
    pub(super) fn end(&self, row: Rect) -> Rect {
        Rect::from_min_max(
            pos2(row.left() + self.end, row.top()),
            pos2(row.left() + self.right, row.bottom()),
        )
    }
}

pub(super) fn header(ui: &mut Ui, places: &ColumnLayout) {
    let p = palette(ui);
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), size::ROW), Sense::hover());
    ui.painter().rect_filled(rect, 0.0, p.head);
    ui.painter().hline(
        rect.x_range(),
        rect.bottom() - 0.5,
        Stroke::new(1.0, p.border),
    );
    for ((cell, field), column) in places.cells(rect).zip(COLUMNS) {
        let row = Field::Goods(0, field).row();
        let title = if places.narrow {
            column.short
        } else {
            row.label
        };
        let galley = text::plain(ui, title, text::small_strong_font(), p.muted);
        let cell = cell.shrink2(vec2(9.0, 0.0));
        let anchor = if row.is_number {
            Align2::RIGHT_CENTER
        } else {
            Align2::LEFT_CENTER
        };
        paint::text_at(ui.painter(), anchor, anchor.pos_in_rect(&cell), galley);
    }
}

/// Values that all rows share.
pub(super) struct Rows<'a> {
    pub(super) places: &'a ColumnLayout,
    pub(super) marks: RowBadges,
    pub(super) sub_form: Option<SubForm>,
    /// Saved items that are known on this bench.
    pub(super) items: &'a [SavedItem],
    /// The line that a scan or an undo changed last.
    pub(super) highlighted: Option<usize>,
}

/// The focus in a row, and the action that was requested there, in this frame.
#[derive(Debug, Default)]
pub(super) struct RowResponse {
    pub(super) focused: Option<GoodsField>,
    /// True if any part of the row has the focus.
    pub(super) within: bool,
    /// True if a part of the row has just received the focus.
    pub(super) gained_focus: bool,
    pub(super) action: Option<LineAction>,
}

impl RowResponse {
    fn add(&mut self, response: &Response) {
        self.within |= response.has_focus();
        self.gained_focus |= response.has_focus() && response.gained_focus();
    }
}

impl Rows<'_> {
    pub(super) fn show(
        &self,
        ui: &mut Ui,
        form: &mut Form<'_>,
        at: usize,
        rect: Rect,
    ) -> RowResponse {
        let p = palette(ui);
        let is_open = self.sub_form.is_some_and(|open| open.line == at);
        if is_open || self.highlighted == Some(at) {
            ui.painter().rect_filled(rect, 0.0, p.accent_weak);
            let bar = Rect::from_min_size(rect.min, vec2(3.0, rect.height()));
            ui.painter().rect_filled(bar, 0.0, p.accent);
        }
        let line = Stroke::new(1.0, p.border);
        ui.painter()
            .hline(rect.x_range(), rect.bottom() - 0.5, line);
        let mut happened = RowResponse::default();
        for (cell, field) in self.places.cells(rect) {
            let inner = cell.shrink2(vec2(0.0, (ROW - size::FIELD) / 2.0));
            let builder = UiBuilder::new().max_rect(inner).scope_id(Id::unique((
                "consign goods row",
                at,
                field,
            )));
            let response = self.cell(&mut ui.new_child(builder), form, at, field);
            if response.has_focus() {
                happened.focused = Some(field);
            }
            happened.add(&response);
        }
        let builder = UiBuilder::new()
            .max_rect(self.places.end(rect))
            .scope_id(Id::unique(("consign goods row", at, "end")))
            .layout(Layout::right_to_left(Align::Center));
        self.end(&mut ui.new_child(builder), form.draft, at, &mut happened);
        happened
    }

    fn cell(&self, ui: &mut Ui, form: &mut Form<'_>, line: usize, field: GoodsField) -> Response {
        let goods = &form.draft.goods[line];
        let field = match (field, goods.source) {
            (GoodsField::Sku, ItemSource::Id) => GoodsField::SavedId,
            (field, _) => field,
        };
        let at = Field::Goods(line, field);
        let overrides = goods.overrides(field);
        let label = own_label(goods, field);
        let hint = hint(goods, field);
        let mut options = FieldOptions {
            label: label.as_deref(),
            hint: hint.as_deref(),
            ..FieldOptions::default()
        };
        if goods.is_saved() && ui.available_width() > ROOM_FOR_ICON {
            options.icon = matches!(field, GoodsField::Sku | GoodsField::SavedId)
                .then_some(icons::ICON_BOOKMARK);
        }
        let error = form.error(at);
        let response = match field {
            GoodsField::Type => kind(ui, form, line, options),
            GoodsField::Sku | GoodsField::SavedId => self.item(ui, form, line, field, options),
            _ => form.text_with(ui, at, options).response,
        };
        if field == GoodsField::Weight && response.changed() {
            form.draft.goods[line].weighed = None;
        }
        let goods = &form.draft.goods[line];
        if overrides {
            // Draws a bar at the cell's left edge to mark an overridden value.
            let corner = response.rect.min + vec2(1.0, 6.0);
            let bar = Rect::from_min_size(corner, vec2(3.0, response.rect.height() - 12.0));
            ui.painter().rect_filled(bar, 1.5, palette(ui).accent);
        }
        let response = if field == GoodsField::Weight && error.is_none() {
            weighing::mark(ui, form.shared, goods, response)
        } else {
            response
        };
        match error {
            Some(error) => response.on_hover_text(error),
            None if overrides => response.on_hover_text(override_tooltip(goods, field)),
            None => response,
        }
    }

    /// Draws the cell for the SKU or for the id of a saved item.
    fn item(
        &self,
        ui: &mut Ui,
        form: &mut Form<'_>,
        line: usize,
        field: GoodsField,
        options: FieldOptions<'_>,
    ) -> Response {
        let at = Field::Goods(line, field);
        let offer = |typed: &str| suggest_items(typed, field, self.items);
        let (shown, picked) = form.type_ahead(ui, at, options, offer);
        let goods = &mut form.draft.goods[line];
        match picked {
            Some(Some(item)) => goods.use_saved_item(item),
            Some(None) => goods.set_source(ItemSource::Sku, self.items),
            None if shown.changed() && goods.is_saved() => goods.attach_remembered_item(self.items),
            None => {}
        }
        let left = shown.response.lost_focus();
        if left && goods.source == ItemSource::Sku && goods.sku.trim().is_empty() {
            goods.convert_to_direct();
        }
        shown.response
    }

    /// Draws the badges and the menu, from right to left.
    fn end(&self, ui: &mut Ui, draft: &Draft, at: usize, happened: &mut RowResponse) {
        ui.spacing_mut().item_spacing.x = 2.0;
        let name = format!("More for line {}", at + 1);
        let button = ui.add(Button::icon_only(icons::ICON_MORE_HORIZ, &name).small());
        happened.action = show_menu(&button, draft, at);
        happened.add(&button);
        let line = &draft.goods[at];
        let kinds = [
            (SubFormKind::Customs, self.marks.customs),
            (SubFormKind::Dangerous, true),
        ];
        for (kind, _) in kinds.into_iter().filter(|(_, is_shown)| *is_shown) {
            let shown = sub_form_badge(ui, kind, line, at, self.places.narrow);
            happened.add(&shown);
            if shown.clicked() {
                happened.action = Some(LineAction::SubForm(kind));
            }
        }
        let count = override_count(line);
        if count > 0 {
            let name = format!("Line {}: {count} saved values overridden", at + 1);
            let word = count.to_string();
            let badge = Badge::new(Tone::Accent, &word).name(&name);
            badge.show(ui).on_hover_text(&name);
        }
    }
}

/// Draws the button of a sub-form: a badge with the number of entries, or an icon if there are none.
fn sub_form_badge(
    ui: &mut Ui,
    kind: SubFormKind,
    line: &GoodsLine,
    at: usize,
    narrow: bool,
) -> Response {
    let is_dangerous = kind == SubFormKind::Dangerous;
    let (name, icon) = match kind {
        SubFormKind::Dangerous => ("Dangerous goods in line", icons::ICON_STAT_0),
        SubFormKind::Customs => ("Customs for line", icons::ICON_PUBLIC),
    };
    let name = format!("{name} {}", at + 1);
    let in_saved_item = is_dangerous && line.saved_item_has_dangerous_goods();
    let count = kind.row_count(line) + usize::from(in_saved_item);
    if count == 0 {
        let button = Button::icon_only(icon, &name).small();
        return ui.add(button).on_hover_text(&name);
    }
    let word = match kind {
        _ if narrow => String::new(),
        SubFormKind::Customs => count.to_string(),
        SubFormKind::Dangerous if count == 1 => "DG".to_owned(),
        SubFormKind::Dangerous => format!("DG {count}"),
    };
    let badge = match kind {
        SubFormKind::Dangerous => Badge::dangerous(&word),
        SubFormKind::Customs => Badge::new(Tone::Accent, &word).icon(icon),
    };
    badge.name(&name).show_button(ui).on_hover_text(&name)
}

fn kind(ui: &mut Ui, form: &mut Form<'_>, line: usize, options: FieldOptions<'_>) -> Response {
    let goods = &form.draft.goods[line];
    // For a saved item, the first choice keeps the type of the saved item.
    let own = goods.is_saved().then_some("As saved");
    let kinds: Vec<_> = own
        .into_iter()
        .chain(ItemType::NAMES.iter().copied())
        .collect();
    let own = usize::from(own.is_some());
    let current = kinds
        .iter()
        .skip(own)
        .position(|kind| *kind == goods.item_type);
    let at = Field::Goods(line, GoodsField::Type);
    let shown = form.select(ui, at, options, current.map(|at| at + own), &kinds);
    if let Some(picked) = shown.picked {
        let kind = &mut form.draft.goods[line].item_type;
        match picked.checked_sub(own) {
            Some(at) => ItemType::NAMES[at].clone_into(kind),
            None => kind.clear(),
        }
    }
    shown.response
}

/// Returns the hint of an empty cell: the saved value, or the number of spaces that the service would count.
fn hint(goods: &GoodsLine, field: GoodsField) -> Option<String> {
    let saved = || goods.saved_value(field);
    match field {
        GoodsField::Sku | GoodsField::SavedId => None,
        GoodsField::Spaces => {
            let takes_space = ItemType::takes_space(goods.kind());
            let count = goods.count().filter(|_| takes_space)?;
            Some(count.to_string())
        }
        GoodsField::Type if goods.is_saved() => saved().or_else(|| Some("as saved".to_owned())),
        // The service returned a type that the list of types does not contain.
        GoodsField::Type => Some(goods.item_type.clone()).filter(|kind| !kind.is_empty()),
        GoodsField::Quantity => saved(),
        _ => saved().or_else(|| goods.is_saved().then(|| "saved".to_owned())),
    }
}

/// Returns the accessible label of the SKU of a saved item, or of a value that overrides the saved item's value.
/// Returns `None` for other cells.
fn own_label(goods: &GoodsLine, field: GoodsField) -> Option<String> {
    let label = Field::Goods(0, field).row().label;
    match field {
        GoodsField::SavedId => None,
        GoodsField::Sku if goods.is_saved() => Some(format!("{label} of a saved item")),
        field if goods.overrides(field) => Some(match overridden_value(goods, field) {
            Some(saved) => format!("{label}, overrides {saved}"),
            None => format!("{label}, overrides the saved value"),
        }),
        _ => None,
    }
}

/// Formats the saved value that a cell overrides: `12 kg`.
fn overridden_value(goods: &GoodsLine, field: GoodsField) -> Option<String> {
    let unit = match field {
        GoodsField::Weight => " kg",
        GoodsField::Length | GoodsField::Width | GoodsField::Height => " cm",
        _ => "",
    };
    let saved = goods.saved_value(field)?;
    Some(format!("{saved}{unit}"))
}

/// Returns the tooltip of an overridden value: the saved value, and how to restore it.
fn override_tooltip(goods: &GoodsLine, field: GoodsField) -> String {
    let back = match field {
        GoodsField::Type => "pick As saved to restore it",
        _ => "clear the field to restore it",
    };
    let saved = overridden_value(goods, field);
    let saved = saved.as_deref().unwrap_or("the saved value");
    format!("Overrides {saved}: {back}")
}

/// Returns the saved items that match the typed text. A suggestion with `None` uses the typed text as the SKU of an
/// item that is not known on this bench.
fn suggest_items<'a>(
    typed: &str,
    field: GoodsField,
    items: &'a [SavedItem],
) -> Vec<(PickerItem, Option<&'a SavedItem>)> {
    let typed = typed.trim();
    let lower = typed.to_lowercase();
    let by_id = field == GoodsField::SavedId;
    let id = |item: &SavedItem| item.id.map(|id| id.to_string()).unwrap_or_default();
    let fits = |item: &&SavedItem| match by_id {
        _ if typed.is_empty() => true,
        true => item.id.is_some() && id(item).starts_with(&lower),
        false => {
            item.sku.to_lowercase().starts_with(&lower) || item.name.to_lowercase().contains(&lower)
        }
    };
    let is_sku = |item: &SavedItem| !typed.is_empty() && item.sku.to_lowercase() == lower;
    let mut known: Vec<_> = items.iter().filter(fits).take(MOST).collect();
    // An exact match comes first.
    known.sort_by_key(|item| !is_sku(item));
    let is_unknown = !by_id && !typed.is_empty() && !known.first().is_some_and(|one| is_sku(one));
    let known = known.into_iter().map(|item| {
        let id = id(item);
        let called = if item.sku.is_empty() { &id } else { &item.sku };
        let suggestion = PickerItem {
            exact: !typed.is_empty() && (called.eq_ignore_ascii_case(typed) || id == typed),
            ..PickerItem::new(called.clone(), item.name.clone())
        };
        (suggestion, Some(item))
    });
    let unknown = is_unknown.then(|| {
        let item = PickerItem::new(
            format!("Use {typed} as a saved item"),
            "not known on this bench; the service checks it when you send",
        );
        (item, None)
    });
    known.chain(unknown).collect()
}

/// Returns true while it is undecided whether the SKU names a saved item at the service or belongs to this
/// line only.
pub(super) fn is_sku_ambiguous(goods: &GoodsLine) -> bool {
    goods.source == ItemSource::Direct
        && !goods.sku.trim().is_empty()
        && goods.name.trim().is_empty()
        && goods.weight.trim().is_empty()
}

/// Asks below the line whether the SKU belongs to a saved item. Returns the action that was picked.
pub(super) fn sku_choice(ui: &mut Ui, goods: &GoodsLine) -> Option<LineAction> {
    let p = palette(ui);
    let room = vec2(ui.available_width(), CHOICE_HEIGHT);
    let (rect, _) = ui.allocate_exact_size(room, Sense::hover());
    ui.painter().rect_filled(rect, 0.0, p.raised);
    let mut row = ui.new_child(
        UiBuilder::new()
            .max_rect(rect.shrink2(vec2(14.0, 0.0)))
            .scope_id(Id::unique("consign goods choice"))
            .layout(Layout::left_to_right(Align::Center)),
    );
    let key = Action::SavedItem.key();
    let saved = Button::new("Saved item at the service").key(&key).small();
    let picked = row.add(saved).clicked().then_some(LineAction::BySku);
    let words = format!(
        "{}: or enter name, weight and size to use this SKU on this line only",
        goods.sku.trim()
    );
    row.add(Label::new(text::small(words).color(p.muted)).truncate());
    picked
}
