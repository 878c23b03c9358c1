//! The goods of a consignment: lines with sizes, dangerous goods and customs details, and the totals.

use egui::{Label, Ui};

use super::ShownConsignment;
use super::page_widgets::{facts, heading, line};
use crate::ui::format::{kilograms, price};
use shipping::{
    Consignment, ConsignmentDgItem, ConsignmentItem, ConsignmentItemContents, Kilograms,
};
use widgets::badge::Badge;
use widgets::text;
use widgets::tokens::{palette, size};

/// Number of goods lines that are shown.
const MOST: usize = 40;

pub(super) fn show(ui: &mut Ui, one: &ShownConsignment<'_>) {
    ui.spacing_mut().item_spacing.y = 2.0;
    if let Some(whole) = one.full_record
        && !whole.items().is_empty()
    {
        heading(ui, "Goods");
        for item in whole.items().iter().take(MOST) {
            goods(ui, item);
        }
        let rest = whole.items().len().saturating_sub(MOST);
        if rest > 0 {
            line(ui, &format!("and {rest} more lines"));
        }
    }
    heading(ui, "Totals");
    totals(ui, one);
}

fn goods(ui: &mut Ui, item: &ConsignmentItem) {
    let count = item.quantity.unwrap_or(1);
    let kind = item.item_type.as_str();
    let name = match item.name.as_str() {
        "" => kind,
        name => name,
    };
    ui.add_space(2.0);
    let words = text::body(format!("{count} × {name}")).size(size::CELL);
    ui.add(Label::new(words).wrap().selectable(true));
    let of_one = item.size();
    let mut parts = Vec::new();
    if !kind.is_empty() && kind != name {
        parts.push(kind.to_owned());
    }
    let weight = of_one.weight.map(kilograms);
    parts.extend(weight.map(|weight| format!("{weight} kg each")));
    let sides = [of_one.length, of_one.width, of_one.height];
    if let [Some(length), Some(width), Some(height)] = sides {
        let [length, width, height] = [length, width, height].map(|side| side.0.normalize());
        parts.push(format!("{length} × {width} × {height} cm"));
    }
    parts.extend(item.sku.clone());
    line(ui, &parts.join(" · "));
    for good in &item.consignment_item_dg_items {
        dangerous(ui, good);
    }
    for contents in &item.consignment_item_contents {
        customs(ui, contents);
    }
}

fn dangerous(ui: &mut Ui, good: &ConsignmentDgItem) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = egui::vec2(6.0, 2.0);
        let number = good.un_number.map(|number| format!("UN {number:04}"));
        Badge::dangerous(number.as_deref().unwrap_or("DG")).show(ui);
        let mut parts = Vec::new();
        parts.extend(good.dg_class_type.map(|class| class.label().to_owned()));
        let subsidiary = good.sub_dg_class_types.iter().map(|class| class.label());
        let subsidiary = subsidiary.collect::<Vec<_>>().join(", ");
        if !subsidiary.is_empty() {
            parts.push(format!("also {subsidiary}"));
        }
        parts.extend(good.packing_group.map(|group| group.label().to_owned()));
        let unit = if good.is_aggregate_quantity_weight {
            "kg"
        } else {
            "L"
        };
        let amount = good.aggregate_quantity;
        parts.extend(amount.map(|amount| format!("{} {unit}", amount.0.normalize())));
        let words = text::small(parts.join(" · ")).color(palette(ui).text);
        ui.add(Label::new(words).wrap().selectable(true));
    });
    let technical = good.technical_or_chemical_group_names.join(", ");
    let names = [good.proper_shipping_name.as_str(), technical.as_str()];
    let names: Vec<_> = names.into_iter().filter(|name| !name.is_empty()).collect();
    line(ui, &names.join(": "));
}

fn customs(ui: &mut Ui, contents: &ConsignmentItemContents) {
    let count = contents.quantity.map(|count| format!("{count} × "));
    let (count, description) = (count.unwrap_or_default(), &contents.description);
    let mut parts = vec![format!("Customs: {count}{description}")];
    parts.extend(contents.harmonized_code.clone());
    parts.extend(contents.purpose.clone());
    let made = contents.country_of_manufacture_code.as_deref();
    parts.extend(made.map(|country| format!("made in {country}")));
    let value = contents.dollar_value;
    parts.extend(value.map(|value| format!("AUD {:.2}", value.0)));
    line(ui, &parts.join(" · "));
}

/// Draws the totals. The stored row has fewer of them than the service's full record.
fn totals(ui: &mut Ui, one: &ShownConsignment<'_>) {
    let row = one.row();
    let in_kilograms = |weight: Option<Kilograms>| weight.map(|kg| format!("{} kg", kilograms(kg)));
    let pieces = ("Pieces", Some(row.pieces.to_string()));
    let weight = ("Dead weight", in_kilograms(row.weight));
    let volume = one
        .full_record
        .map_or(row.volume, |whole| whole.total_volume);
    let volume = volume.map(|volume| format!("{} m³", volume.0.normalize()));
    let volume = ("Volume", volume);
    let Some(whole) = one.full_record else {
        return optional(
            ui,
            [pieces, weight, volume, ("Price", row.price.map(price))],
        );
    };
    let total = &whole.consignment_total;
    let heaviest = ("Heaviest", in_kilograms(whole.heaviest_weight));
    optional(
        ui,
        [pieces, weight, ("Cubic", cubic(whole)), heaviest, volume],
    );
    optional(
        ui,
        [
            ("Ex GST", total.total_sell_before_tax.map(price)),
            ("Fuel levy", total.sell_fuel_levy_price.map(price)),
            ("GST", total.total_tax_sell_price.map(price)),
            ("Price", total.total_sell_price.map(price)),
        ],
    );
    if total.total_sell_price.is_some() && !total.sell_prices_cleared {
        line(ui, "Prices may change until they are cleared");
    }
}

/// Draws the values that are known.
fn optional<const N: usize>(ui: &mut Ui, values: [(&str, Option<String>); N]) {
    facts(
        ui,
        &values.map(|(name, value)| (name, value.unwrap_or_default())),
    );
}

fn cubic(whole: &Consignment) -> Option<String> {
    // Services differ: with a volume, `total_cubic` is the cubic weight; without one, it may be either.
    let cubic = whole.total_cubic?.0.normalize();
    match whole.total_volume {
        Some(volume) if cubic == volume.0.normalize() => None,
        Some(_) => Some(format!("{cubic} kg")),
        None => Some(format!("{cubic} (no unit given)")),
    }
}
