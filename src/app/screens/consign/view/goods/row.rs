//! One row of the goods: the cells, badges and menu of a line.

use std::sync::LazyLock;

use egui::{Align, Id, Label, Layout, Rect, Response, Sense, Stroke, Ui, UiBuilder, vec2};

use super::super::field_table::FieldRow;
use super::super::form::{FieldOptions, Form};
use super::columns::{ColumnLayout, ROW, RowBadges};
use super::line_actions::{KEYS, LineAction};
use super::sub_form::{SubForm, SubFormKind};
use crate::ui::actions::Action;
use draft::{Draft, Field, GoodsField, GoodsLine, ItemSource, SAVED_FIELDS, SavedItem};
use shipping::ItemType;
use widgets::badge::Badge;
use widgets::button::Button;
use widgets::picker::PickerItem;
use widgets::tokens::{Tone, palette, size};
use widgets::{icons, menu, text};

/// Maximum number of saved items that are suggested.
const MOST: usize = 8;
/// Below this width the cell of a saved item has no icon, which would leave no room for the SKU.
const ROOM_FOR_ICON: f32 = 80.0;
/// Width of the menu of a line, in points.
const MENU_WIDTH: f32 = 270.0;
/// Height of the row with the choice whose SKU it is, in points.
const CHOICE_HEIGHT: f32 = 36.0;

/// Item types for a line with a saved item. The first entry keeps the type of the saved item.
static KINDS_OF_SAVED: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let own = std::iter::once("As saved");
    own.chain(ItemType::NAMES.iter().copied()).collect()
});

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
    /// Draws a row.
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
            in_row: true,
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
        let goods = &form.draft.goods[line];
        if overrides {
            // A bar at the cell's left edge.
            let corner = response.rect.min + vec2(1.0, 6.0);
            let bar = Rect::from_min_size(corner, vec2(3.0, response.rect.height() - 12.0));
            ui.painter().rect_filled(bar, 1.5, palette(ui).accent);
        }
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
    let (name, icon) = if is_dangerous {
        (
            format!("Dangerous goods in line {}", at + 1),
            icons::ICON_STAT_0,
        )
    } else {
        (format!("Customs for line {}", at + 1), icons::ICON_PUBLIC)
    };
    let in_saved_item = is_dangerous && line.saved_item_has_dangerous_goods();
    let count = kind.row_count(line) + usize::from(in_saved_item);
    let shown = if count == 0 {
        ui.add(Button::icon_only(icon, &name).small())
    } else {
        let word = match (narrow, is_dangerous, count) {
            (true, ..) => String::new(),
            (false, true, 1) => "DG".to_owned(),
            (false, true, count) => format!("DG {count}"),
            (false, false, count) => count.to_string(),
        };
        let badge = if is_dangerous {
            Badge::dangerous(&word)
        } else {
            Badge::new(Tone::Accent, &word).icon(icon)
        };
        badge.name(&name).show_button(ui)
    };
    shown.on_hover_text(&name)
}

fn kind(ui: &mut Ui, form: &mut Form<'_>, line: usize, options: FieldOptions<'_>) -> Response {
    let goods = &form.draft.goods[line];
    let own = usize::from(goods.is_saved());
    let kinds: &[&str] = if goods.is_saved() {
        &KINDS_OF_SAVED
    } else {
        ItemType::NAMES
    };
    let mut names = ItemType::NAMES.iter();
    let current = names.position(|kind| *kind == goods.item_type);
    let at = Field::Goods(line, GoodsField::Type);
    let shown = form.select(ui, at, options, current.map(|at| at + own), kinds);
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
        // A type that the list does not have, as the service returned it.
        GoodsField::Type => Some(goods.item_type.clone()).filter(|kind| !kind.is_empty()),
        GoodsField::Quantity => saved(),
        _ => saved().or_else(|| goods.is_saved().then(|| "saved".to_owned())),
    }
}

/// Returns the label of a cell with a saved item or an overridden value.
fn own_label(goods: &GoodsLine, field: GoodsField) -> Option<String> {
    let label = FieldRow::of(Field::Goods(0, field)).label;
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

/// Returns the number of saved values that the line overrides.
pub(super) fn override_count(line: &GoodsLine) -> usize {
    let overridden = SAVED_FIELDS.iter().filter(|field| line.overrides(**field));
    overridden.count()
}

/// Formats the saved value that is overridden: `12 kg`.
fn overridden_value(goods: &GoodsLine, field: GoodsField) -> Option<String> {
    let unit = match field {
        GoodsField::Weight => " kg",
        GoodsField::Length | GoodsField::Width | GoodsField::Height => " cm",
        _ => "",
    };
    let saved = goods.saved_value(field)?;
    Some(format!("{saved}{unit}"))
}

/// Returns the tooltip of an overridden value: what it overrides, and how to go back.
fn override_tooltip(goods: &GoodsLine, field: GoodsField) -> String {
    let back = match field {
        GoodsField::Type => "pick As saved to restore it",
        _ => "clear the field to restore it",
    };
    let saved = overridden_value(goods, field);
    let saved = saved.as_deref().unwrap_or("the saved value");
    format!("Overrides {saved}: {back}")
}

/// Returns the saved items that match the typed text. `None` stands for the text as the SKU of an item that is not
/// known on this bench.
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

/// Shows the menu of a line under its button. Returns the action that was picked.
fn show_menu(button: &Response, draft: &Draft, at: usize) -> Option<LineAction> {
    let line = &draft.goods[at];
    let saved_key = Action::SavedItem.key();
    let by_sku = line.source == ItemSource::Sku;
    let is_shown = |deed: LineAction| match deed {
        LineAction::Add | LineAction::BySku => false,
        LineAction::Up => at > 0,
        LineAction::Down => at + 1 < draft.goods.len(),
        LineAction::SubForm(SubFormKind::Customs) => {
            draft.is_international() || !line.contents.is_empty()
        }
        _ => true,
    };
    menu::under_with(button, MENU_WIDTH, |ui| {
        let mut picked = None;
        let mut entry = |deed, icon, words: &str, key: &str| {
            let item = Button::quiet(words).icon(icon).key(key).left();
            if ui.add(item.fill_width(ui)).clicked() {
                picked = Some(deed);
            }
        };
        let icon = icons::ICON_BOOKMARK;
        if !by_sku {
            entry(LineAction::BySku, icon, "Saved item by SKU", &saved_key);
        }
        if line.source != ItemSource::Id {
            entry(LineAction::ById, icon, "Saved item by its id", "");
        }
        if line.is_saved() {
            let key = if by_sku { saved_key.as_str() } else { "" };
            let words = "Not a saved item: enter all details";
            entry(LineAction::NotSaved, icons::ICON_EDIT_SQUARE, words, key);
        }
        if override_count(line) > 0 {
            let words = "Restore the saved values";
            entry(LineAction::BackToSaved, icons::ICON_UNDO, words, "");
        }
        for (action, deed) in KEYS {
            if is_shown(deed) {
                let known = action.entry();
                entry(deed, known.icon, known.name, &action.key());
            }
        }
        picked
    })
}

/// Returns true while it is undecided whether the SKU names a saved item at the service or belongs to this
/// line only.
pub(super) fn is_sku_ambiguous(goods: &GoodsLine) -> bool {
    goods.source == ItemSource::Direct
        && !goods.sku.trim().is_empty()
        && goods.name.trim().is_empty()
        && goods.weight.trim().is_empty()
}

/// Draws the choice below the line. Returns the action that was picked.
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
