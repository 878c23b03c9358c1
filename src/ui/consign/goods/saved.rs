//! The cell that names a saved item, and how a line shows what is saved and what is typed over it.

use egui::{Rect, Response, Ui, vec2};

use super::super::super::actions::Action;
use super::super::super::kit::button::Button;
use super::super::super::kit::field;
use super::super::super::kit::icons;
use super::super::super::kit::picker::Item;
use super::super::super::kit::tokens::palette;
use super::super::super::kit::type_ahead::TypeAhead;
use super::super::form::Form;
use super::super::id;
use super::deeds::Deed;
use super::row;
use crate::draft::{Field, GoodsField, GoodsLine, ItemSource, SavedItem};

/// Saved items that are offered at once.
const MOST: usize = 8;
/// Where there is less, an icon leaves no room for the SKU.
const ROOM_FOR_ICON: f32 = 80.0;

/// What a screen reader calls a cell.
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

/// What is said of an override, and the way back.
pub(super) fn tip(goods: &GoodsLine, field: GoodsField) -> String {
    let back = match field {
        GoodsField::Type => "pick As saved to go back",
        _ => "empty it to go back",
    };
    let words = overrides(goods, field);
    format!("Overrides{}: {back}", words.trim_start_matches("overrides"))
}

/// The mark of an override: a bar in the accent at the cell's left edge.
pub(super) fn mark(ui: &Ui, cell: Rect) {
    let bar = Rect::from_min_size(cell.min + vec2(1.0, 6.0), vec2(3.0, cell.height() - 12.0));
    ui.painter().rect_filled(bar, 1.5, palette(ui).accent);
}

/// The SKU, or the id of a saved item.
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
    // As offered in the last frame: what the clerk sees when pressing a key.
    let before = focused.then(|| Offer::of(text, field, items));
    let mut cell = field::Field::new(label, text)
        .id(id(at))
        .bare()
        .calm()
        .mono()
        .wrong(wrong);
    if saved && ui.available_width() > ROOM_FOR_ICON {
        cell = cell.icon(icons::ICON_BOOKMARK);
    }
    if field == GoodsField::SavedId {
        cell = cell.hint("item id");
    }
    let shown = TypeAhead::new(cell)
        .free_text()
        .show(ui, |typed| Offer::of(typed, field, items).items(typed));
    let goods = &mut form.draft.goods[line];
    let picked = shown.picked.zip(before);
    if let Some((picked, before)) = picked {
        match before.known.get(picked) {
            Some(item) => goods.take_saved(item),
            None => goods.trust(ItemSource::Sku, items),
        }
    } else if shown.field.changed() && goods.is_saved() {
        goods.recall(items);
    }
    let response = shown.field.response;
    if response.lost_focus() && goods.source == ItemSource::Sku && goods.sku.trim().is_empty() {
        goods.type_out();
    }
    form.left(at, &response);
    response
}

/// What there is for what was typed.
struct Offer<'a> {
    known: Vec<&'a SavedItem>,
    /// A SKU that nobody here knows may be one of a saved item all the same.
    trusted: bool,
}

impl<'a> Offer<'a> {
    fn of(typed: &str, field: GoodsField, items: &'a [SavedItem]) -> Self {
        let typed = typed.trim().to_lowercase();
        if typed.is_empty() {
            return Self {
                known: items.iter().take(MOST).collect(),
                trusted: false,
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
        // The very one first.
        known.sort_by_key(|item| item.sku.to_lowercase() != typed);
        let exact = known
            .first()
            .is_some_and(|item| item.sku.to_lowercase() == typed);
        Self {
            known,
            trusted: !by_id && !exact,
        }
    }

    fn items(&self, typed: &str) -> Vec<Item> {
        let typed = typed.trim();
        let known = self.known.iter().map(|item| {
            let id = item.id.map(|id| id.to_string()).unwrap_or_default();
            let called = if item.sku.is_empty() { &id } else { &item.sku };
            Item {
                exact: called.eq_ignore_ascii_case(typed) || id == typed,
                ..Item::new(called.clone(), item.name.clone())
            }
        });
        let trusted = self.trusted.then(|| {
            Item::new(
                format!("Use {typed} as a saved item"),
                "not known here; the service checks it on Send",
            )
        });
        known.chain(trusted).collect()
    }
}

/// Is it open what the line's SKU is: one of the service's saved items, or one of the line itself?
pub(super) fn is_open(goods: &GoodsLine) -> bool {
    goods.source == ItemSource::Direct
        && !goods.sku.trim().is_empty()
        && goods.name.trim().is_empty()
        && goods.weight.trim().is_empty()
}

/// How high the choice is.
pub(super) const CHOICE: f32 = 36.0;

/// The choice, below the line.
pub(super) fn choice(ui: &mut Ui, goods: &GoodsLine) -> Option<Deed> {
    let p = palette(ui);
    let (rect, _) =
        ui.allocate_exact_size(vec2(ui.available_width(), CHOICE), egui::Sense::hover());
    ui.painter().rect_filled(rect, 0.0, p.raised);
    let mut row = ui.new_child(
        egui::UiBuilder::new()
            .max_rect(rect.shrink2(vec2(14.0, 0.0)))
            .scope_id(egui::Id::unique("consign goods choice"))
            .layout(egui::Layout::left_to_right(egui::Align::Center)),
    );
    let key = Action::SavedItem.key();
    let saved = Button::new("Saved item at the service").key(&key).small();
    let picked = row.add(saved).clicked().then_some(Deed::BySku);
    let words = format!(
        "{}: or type name, kg and cm, and it is a SKU of this line only",
        goods.sku.trim()
    );
    row.add(
        egui::Label::new(super::super::super::kit::text::small(words).color(p.muted)).truncate(),
    );
    picked
}
