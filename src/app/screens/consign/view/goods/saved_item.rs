//! The cell that names a saved item, and the marks of values that override a saved one.

use egui::{Rect, Response, Ui, vec2};

use super::super::form::Form;
use super::super::id;
use super::line_actions::LineAction;
use super::row;
use crate::ui::actions::Action;
use draft::{Field, GoodsField, GoodsLine, ItemSource, SavedItem};
use widgets::button::Button;
use widgets::field;
use widgets::icons;
use widgets::picker::PickerItem;
use widgets::tokens::palette;
use widgets::type_ahead::TypeAhead;

/// Maximum number of suggestions.
const MOST: usize = 8;
/// Below this width the cell has no icon, which would leave no room for the SKU.
const ROOM_FOR_ICON: f32 = 80.0;

/// Returns the accessible name of a cell.
pub(super) fn label(goods: &GoodsLine, line: usize, field: GoodsField, name: &str) -> String {
    let line = line + 1;
    match field {
        GoodsField::SavedId => format!("Line {line}: Saved item id"),
        GoodsField::Sku if goods.is_saved() => format!("Line {line}: {name} of a saved item"),
        field if goods.overrides(field) => {
            format!("Line {line}: {name}, {}", overrides(goods, field))
        }
        _ => format!("Line {line}: {name}"),
    }
}

fn overrides(goods: &GoodsLine, field: GoodsField) -> String {
    let unit = match field {
        GoodsField::Weight => " kg",
        GoodsField::Length | GoodsField::Width | GoodsField::Height => " cm",
        _ => "",
    };
    match goods.saved_value(field) {
        Some(saved) => format!("overrides {saved}{unit}"),
        None => "overrides the saved value".to_owned(),
    }
}

/// Returns the tooltip of an overridden value: what it overrides, and how to go back.
pub(super) fn tip(goods: &GoodsLine, field: GoodsField) -> String {
    let back = match field {
        GoodsField::Type => "pick As saved to restore it",
        _ => "clear the field to restore it",
    };
    let words = overrides(goods, field);
    format!("Overrides{}: {back}", words.trim_start_matches("overrides"))
}

/// Marks an overridden value with a bar in the accent colour at the cell's left edge.
pub(super) fn mark(ui: &Ui, cell: Rect) {
    let bar = Rect::from_min_size(cell.min + vec2(1.0, 6.0), vec2(3.0, cell.height() - 12.0));
    ui.painter().rect_filled(bar, 1.5, palette(ui).accent);
}

/// Draws the cell for the SKU or for the id of a saved item.
pub(super) fn cell(
    ui: &mut Ui,
    form: &mut Form<'_>,
    line: usize,
    field: GoodsField,
    label: &str,
    items: &[SavedItem],
) -> Response {
    let at = Field::Goods(line, field);
    let wrong = form.error(at).is_some();
    let saved = form.draft.goods[line].is_saved();
    let text = row::string(&mut form.draft.goods[line], field);
    let focused = ui.memory(|memory| memory.has_focus(id(at)));
    // A key press refers to the suggestions that the clerk sees, which are those of the last frame.
    let before = focused.then(|| ItemSuggestions::of(text, field, items));
    let mut cell = field::Field::new(label, text)
        .id(id(at))
        .hide_label()
        .borderless()
        .mono()
        .invalid(wrong);
    if saved && ui.available_width() > ROOM_FOR_ICON {
        cell = cell.icon(icons::ICON_BOOKMARK);
    }
    if field == GoodsField::SavedId {
        cell = cell.hint("item id");
    }
    let shown = TypeAhead::new(cell).free_text().show(ui, |typed| {
        ItemSuggestions::of(typed, field, items).items(typed)
    });
    let goods = &mut form.draft.goods[line];
    let picked = shown.picked.zip(before);
    if let Some((picked, before)) = picked {
        match before.known.get(picked) {
            Some(item) => goods.use_saved_item(item),
            None => goods.set_source(ItemSource::Sku, items),
        }
    } else if shown.field.changed() && goods.is_saved() {
        goods.attach_remembered_item(items);
    }
    let response = shown.field.response;
    if response.lost_focus() && goods.source == ItemSource::Sku && goods.sku.trim().is_empty() {
        goods.convert_to_direct();
    }
    form.track_focus(at, &response);
    response
}

/// The suggestions for typed text.
struct ItemSuggestions<'a> {
    known: Vec<&'a SavedItem>,
    /// True if the text may be the SKU of a saved item that is not known on this bench.
    allows_unknown: bool,
}

impl<'a> ItemSuggestions<'a> {
    fn of(typed: &str, field: GoodsField, items: &'a [SavedItem]) -> Self {
        let typed = typed.trim().to_lowercase();
        if typed.is_empty() {
            return Self {
                known: items.iter().take(MOST).collect(),
                allows_unknown: false,
            };
        }
        let by_id = field == GoodsField::SavedId;
        let fits = |item: &&SavedItem| {
            if by_id {
                return item.id.is_some_and(|id| id.to_string().starts_with(&typed));
            }
            item.sku.to_lowercase().starts_with(&typed) || item.name.to_lowercase().contains(&typed)
        };
        let mut known: Vec<_> = items.iter().filter(fits).take(MOST).collect();
        // An exact match comes first.
        known.sort_by_key(|item| item.sku.to_lowercase() != typed);
        let exact = known
            .first()
            .is_some_and(|item| item.sku.to_lowercase() == typed);
        Self {
            known,
            allows_unknown: !by_id && !exact,
        }
    }

    fn items(&self, typed: &str) -> Vec<PickerItem> {
        let typed = typed.trim();
        let known = self.known.iter().map(|item| {
            let id = item.id.map(|id| id.to_string()).unwrap_or_default();
            let called = if item.sku.is_empty() { &id } else { &item.sku };
            PickerItem {
                exact: called.eq_ignore_ascii_case(typed) || id == typed,
                ..PickerItem::new(called.clone(), item.name.clone())
            }
        });
        let trusted = self.allows_unknown.then(|| {
            PickerItem::new(
                format!("Use {typed} as a saved item"),
                "not known on this bench; the service checks it when you send",
            )
        });
        known.chain(trusted).collect()
    }
}

/// Returns true while it is undecided whether the SKU names a saved item at the service or belongs to this
/// line only.
pub(super) fn is_sku_ambiguous(goods: &GoodsLine) -> bool {
    goods.source == ItemSource::Direct
        && !goods.sku.trim().is_empty()
        && goods.name.trim().is_empty()
        && goods.weight.trim().is_empty()
}

/// Height of the row with that choice, in points.
pub(super) const CHOICE_HEIGHT: f32 = 36.0;

/// Draws the choice below the line. Returns the action that was picked.
pub(super) fn sku_choice(ui: &mut Ui, goods: &GoodsLine) -> Option<LineAction> {
    let p = palette(ui);
    let (rect, _) = ui.allocate_exact_size(
        vec2(ui.available_width(), CHOICE_HEIGHT),
        egui::Sense::hover(),
    );
    ui.painter().rect_filled(rect, 0.0, p.raised);
    let mut row = ui.new_child(
        egui::UiBuilder::new()
            .max_rect(rect.shrink2(vec2(14.0, 0.0)))
            .scope_id(egui::Id::unique("consign goods choice"))
            .layout(egui::Layout::left_to_right(egui::Align::Center)),
    );
    let key = Action::SavedItem.key();
    let saved = Button::new("Saved item at the service").key(&key).small();
    let picked = row.add(saved).clicked().then_some(LineAction::BySku);
    let words = format!(
        "{}: or enter name, weight and size to use this SKU on this line only",
        goods.sku.trim()
    );
    row.add(egui::Label::new(widgets::text::small(words).color(p.muted)).truncate());
    picked
}
