//! The details of a consignment: a summary, sender and receiver, carrier, references, times, goods and totals.

use std::time::Duration;

use egui::{Align, Align2, Id, Label, Layout, Role, Sense, Ui, WidgetInfo, WidgetText, vec2};

use super::ShownConsignment;
use super::history::place_time;
use crate::launcher::capitalised;
use crate::screens::track::view::status_style::{eta_status, exception_text, exception_tone};
use crate::ui::format::{counted, kilograms, price};
use shipping::{Consignment, ConsignmentItem, DgItem, ItemContents, Kilograms, Location};
use widgets::badge::{self, Badge};
use widgets::notice::NoticeBar;
use widgets::tokens::{Tone, palette, size};
use widgets::{card, icons, paint, text};

/// Number of goods lines that are shown.
const MOST: usize = 40;

/// Width of a label, in points.
const NAME: f32 = 76.0;

/// Size of the copy icon, in points.
const COPY: f32 = 15.0;

/// How long the confirmation of a copy is shown, in seconds.
const CONFIRMATION_SECONDS: f64 = 3.0;

/// Returns the key under which egui keeps the text that was copied last, and the time of the copy.
fn copied_id() -> Id {
    Id::unique("copied on a consignment's page")
}

/// Copies the text and starts the confirmation.
pub(in crate::screens::track::view) fn copy(ui: &Ui, text: &str) {
    ui.copy_text(text.to_owned());
    let now = ui.input(|input| input.time);
    ui.data_mut(|data| data.insert_temp(copied_id(), (text.to_owned(), now)));
    let until = Duration::from_secs_f64(CONFIRMATION_SECONDS);
    ui.ctx().request_repaint_after(until);
}

/// Returns the confirmation of the last copy while it is shown.
pub(in crate::screens::track::view) fn copy_confirmation(ui: &Ui) -> Option<String> {
    let (text, at): (String, f64) = ui.data(|data| data.get_temp(copied_id()))?;
    let is_fresh = ui.input(|input| input.time) - at < CONFIRMATION_SECONDS;
    is_fresh.then(|| format!("Copied {text}"))
}

/// Draws the receiver, the amount of goods, and the exception if there is one.
pub(super) fn summary(ui: &mut Ui, one: &ShownConsignment<'_>) {
    let row = one.row();
    ui.spacing_mut().item_spacing.y = 2.0;
    wrapped(ui, text::strong(&row.to));
    let place = place_text(&row.to_place, &row.to_place.country);
    let carrier = format!("{} {}", row.carrier, row.service);
    let mut parts = vec![place.as_str(), carrier.trim()];
    parts.retain(|part| !part.is_empty());
    text::note(ui, parts.join(" · "));
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        // 0 pieces means that the count is unknown.
        let pieces = usize::try_from(row.pieces).ok().filter(|count| *count > 0);
        let pieces = pieces.map(|count| counted(count, "piece", "pieces"));
        let known: Vec<_> = pieces.into_iter().chain(in_kilograms(row.weight)).collect();
        if !known.is_empty() {
            ui.label(text::body(known.join(" · ")).color(palette(ui).muted));
        }
        dangerous_mark(ui, one);
        if row.important {
            Badge::new(Tone::Warning, "important").show(ui);
        }
        if row.international {
            Badge::new(Tone::Neutral, "international").show(ui);
        }
    });
    ui.spacing_mut().item_spacing.y = size::GRID;
    let (now, thresholds) = (one.shared.now, one.shared.track.thresholds);
    if let Some(exception) = one.exception() {
        let words = exception_text(exception, row, now);
        NoticeBar::new(exception_tone(exception), &words).show(ui);
    } else if let Some((Tone::Warning, words)) = eta_status(row, thresholds, now) {
        NoticeBar::new(Tone::Warning, &capitalised(&words)).show(ui);
    }
}

/// Draws the dangerous goods mark, with the UN numbers if they are known.
fn dangerous_mark(ui: &mut Ui, one: &ShownConsignment<'_>) {
    if one.row().dangerous != Some(true) {
        return;
    }
    let items = one.full_record.into_iter().flat_map(Consignment::items);
    let goods = items.flat_map(|item| &item.consignment_item_dg_items);
    let mut numbers: Vec<_> = goods.filter_map(|good| good.un_number).collect();
    numbers.sort_unstable();
    numbers.dedup();
    if numbers.is_empty() {
        badge::dangerous_mark(ui);
    }
    for number in numbers.iter().take(4) {
        Badge::dangerous(&format!("UN {number}")).show(ui);
    }
}

pub(super) fn show(ui: &mut Ui, one: &ShownConsignment<'_>) {
    ui.spacing_mut().item_spacing.y = 2.0;
    let (row, whole) = (one.row(), one.full_record);
    let details = whole.map(|one| {
        [
            &one.to_address_line1,
            &one.to_address_line2,
            &one.to_country_code,
            &one.to_contact,
            &one.to_phone,
            &one.to_email,
        ]
    });
    party(ui, "To", &row.to, &row.to_place, details);
    let details = whole.map(|one| {
        [
            &one.from_address_line1,
            &one.from_address_line2,
            &one.from_country_code,
            &one.from_contact,
            &one.from_phone,
            &one.from_email,
        ]
    });
    party(ui, "From", &row.from, &row.from_place, details);
    carriage(ui, one);
    if let Some(whole) = whole.filter(|whole| !whole.items().is_empty()) {
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

/// Draws the sender or the receiver. `details` are both lines of the street, the country, the contact, the phone number
/// and the e-mail address, which only the service's full record has.
fn party(
    ui: &mut Ui,
    title: &str,
    name: &str,
    place: &Location,
    details: Option<[&Option<String>; 6]>,
) {
    let details = details.map(|texts| texts.map(|text| text.as_deref().unwrap_or_default()));
    let [line1, line2, country, contact, phone, email] = details.unwrap_or_default();
    let country = match country {
        "" => &place.country,
        country => country,
    };
    heading(ui, title);
    wrapped(ui, text::body(name));
    ui.spacing_mut().item_spacing.y = 0.0;
    for words in [line1, line2, &place_text(place, country)] {
        line(ui, words);
    }
    ui.spacing_mut().item_spacing.y = 2.0;
    for (name, value) in [("Contact", contact), ("Phone", phone), ("E-mail", email)] {
        fact(ui, name, value, Tone::Neutral);
    }
}

/// Formats a place: `West Perth WA 6005`, with the country if it is not Australia.
fn place_text(place: &Location, country: &str) -> String {
    let country = match country.trim().to_ascii_uppercase().as_str() {
        "" | "AU" | "AUS" | "AUSTRALIA" => "",
        _ => country,
    };
    let mut parts = vec![&*place.suburb, &*place.state, &*place.postcode, country];
    parts.retain(|part| !part.trim().is_empty());
    parts.join(" ")
}

fn carriage(ui: &mut Ui, one: &ShownConsignment<'_>) {
    let (row, shared) = (one.row(), one.shared);
    heading(ui, "Carriage");
    for (name, value) in [("Carrier", &row.carrier), ("Service", &row.service)] {
        fact(ui, name, value, Tone::Neutral);
    }
    for (name, value) in [
        ("Con. no.", &row.carrier_number),
        ("Reference", &row.reference),
        ("Second ref.", &row.reference2),
    ] {
        number(ui, name, value);
    }
    let bench = &shared.session.zone;
    let despatch = place_time(row.despatch, row.despatch_at, one.sender_zone(), bench);
    facts(ui, [("Manifest", one.manifest()), ("Despatch", despatch)]);
    let eta = place_time(row.eta, row.eta_at, one.to_zone(), bench);
    let status = eta_status(row, shared.track.thresholds, shared.now);
    let (tone, eta) = match (eta, status) {
        (None, _) => (Tone::Neutral, "None given".to_owned()),
        (Some(eta), Some((tone, words))) => (tone, format!("{eta}, {words}")),
        (Some(eta), None) => (Tone::Neutral, eta),
    };
    fact(ui, "ETA", &eta, tone);
    let ended = place_time(None, row.ended, one.to_zone(), bench);
    facts(ui, [("Ended", ended)]);
    if let Some(whole) = one.full_record {
        let instructions = whole.special_instructions.clone();
        facts(ui, [("Driver instructions", instructions)]);
        if whole.is_test == Some(true) {
            fact(ui, "Test", "No carrier will collect", Tone::Warning);
        }
    }
}

fn goods(ui: &mut Ui, item: &ConsignmentItem) {
    let count = item.quantity.unwrap_or(1);
    let kind = item.item_type.as_deref().unwrap_or_default();
    let name = item.name.as_deref().unwrap_or(kind);
    ui.add_space(2.0);
    wrapped(ui, text::body(format!("{count} × {name}")).size(size::CELL));
    let of_one = item.size();
    let mut parts = Vec::new();
    if !kind.is_empty() && kind != name {
        parts.push(kind.to_owned());
    }
    parts.extend(in_kilograms(of_one.weight).map(|weight| format!("{weight} each")));
    if let [Some(length), Some(width), Some(height)] = [of_one.length, of_one.width, of_one.height]
    {
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

fn dangerous(ui: &mut Ui, good: &DgItem) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(6.0, 2.0);
        let number = good.un_number.map(|number| format!("UN {number}"));
        Badge::dangerous(number.as_deref().unwrap_or("DG")).show(ui);
        let mut parts = Vec::new();
        parts.extend(good.dg_class_type.map(|class| class.label().to_owned()));
        let subsidiary: Vec<_> = { good.sub_dg_class_types.iter() }
            .map(|class| class.label())
            .collect();
        if !subsidiary.is_empty() {
            parts.push(format!("also {}", subsidiary.join(", ")));
        }
        parts.extend(good.packing_group.map(|group| group.label().to_owned()));
        let unit = if good.is_aggregate_quantity_weight == Some(true) {
            "kg"
        } else {
            "L"
        };
        let amount = good.aggregate_quantity;
        parts.extend(amount.map(|amount| format!("{} {unit}", amount.0.normalize())));
        wrapped(ui, text::small(parts.join(" · ")).color(palette(ui).text));
    });
    let technical = good.technical_or_chemical_group_names.join(", ");
    let name = good.proper_shipping_name.as_deref().unwrap_or_default();
    let mut names = vec![name, technical.as_str()];
    names.retain(|name| !name.is_empty());
    line(ui, &names.join(": "));
}

fn customs(ui: &mut Ui, contents: &ItemContents) {
    let count = contents.quantity.map(|count| format!("{count} × "));
    let (count, description) = (
        count.unwrap_or_default(),
        contents.description.as_deref().unwrap_or_default(),
    );
    let mut parts = vec![format!("Customs: {count}{description}")];
    parts.extend(contents.harmonized_code.clone());
    parts.extend(contents.purpose.clone());
    let made = contents.country_of_manufacture_code.as_deref();
    parts.extend(made.map(|country| format!("made in {country}")));
    let value = contents.dollar_value;
    parts.extend(value.map(|value| format!("AUD {:.2}", value.0)));
    line(ui, &parts.join(" · "));
}

/// Draws the totals. The service's full record has more totals than the stored row.
fn totals(ui: &mut Ui, one: &ShownConsignment<'_>) {
    let row = one.row();
    let pieces = ("Pieces", Some(row.pieces.to_string()));
    let weight = ("Dead weight", in_kilograms(row.weight));
    let volume = { one.full_record }.map_or(row.volume, |whole| whole.total_volume);
    let volume = volume.map(|volume| format!("{} m³", volume.0.normalize()));
    let volume = ("Volume", volume);
    let Some(whole) = one.full_record else {
        let price = ("Price", row.price.map(price));
        return facts(ui, [pieces, weight, volume, price]);
    };
    let total = &whole.consignment_total;
    facts(
        ui,
        [
            pieces,
            weight,
            ("Cubic", cubic(whole)),
            ("Heaviest", in_kilograms(whole.heaviest_weight)),
            volume,
            ("Ex GST", total.total_sell_before_tax.map(price)),
            ("Fuel levy", total.sell_fuel_levy_price.map(price)),
            ("GST", total.total_tax_sell_price.map(price)),
            ("Price", total.total_sell_price.map(price)),
        ],
    );
    if total.total_sell_price.is_some() && !total.sell_prices_cleared {
        line(ui, "Prices are not final and may still change");
    }
}

fn in_kilograms(weight: Option<Kilograms>) -> Option<String> {
    weight.map(|weight| format!("{} kg", kilograms(weight)))
}

fn cubic(whole: &Consignment) -> Option<String> {
    // Services differ. If they give a volume, `total_cubic` is the cubic weight; otherwise it may be either value.
    let cubic = whole.total_cubic?.0.normalize();
    match whole.total_volume {
        Some(volume) if cubic == volume.0.normalize() => None,
        Some(_) => Some(format!("{cubic} kg")),
        None => Some(format!("{cubic} (no unit given)")),
    }
}

fn heading(ui: &mut Ui, words: &str) {
    rule(ui);
    ui.label(text::strong(words));
}

/// Draws a horizontal rule with space around it.
pub(super) fn rule(ui: &mut Ui) {
    ui.add_space(6.0);
    card::rule(ui);
    ui.add_space(3.0);
}

/// Draws the known values with their names, one below the other.
fn facts<const N: usize>(ui: &mut Ui, facts: [(&str, Option<String>); N]) {
    for (name, value) in facts {
        fact(ui, name, &value.unwrap_or_default(), Tone::Neutral);
    }
}

/// Draws a value with its name, in the colour of `tone`; nothing if the value is empty.
fn fact(ui: &mut Ui, name: &str, value: &str, tone: Tone) {
    if value.is_empty() {
        return;
    }
    let p = palette(ui);
    let ink = match tone {
        Tone::Neutral => p.text,
        tone => tone.ink(p),
    };
    named(ui, name, |ui| {
        wrapped(ui, text::body(value).size(size::CELL).color(ink));
    });
}

/// Draws a number with its name and a copy button; nothing if the number is empty.
fn number(ui: &mut Ui, name: &str, value: &str) {
    if value.is_empty() {
        return;
    }
    named(ui, name, |ui| {
        let name = format!("Copy {}", name.to_lowercase());
        ui.with_layout(Layout::right_to_left(Align::Min), |ui| {
            ui.set_height(size::LINE);
            copy_button(ui, &name, value);
            ui.with_layout(Layout::left_to_right(Align::Min), |ui| {
                let words = text::mono(value).line_height(Some(size::LINE));
                ui.add(Label::new(words).truncate().selectable(true));
            });
        });
    });
}

pub(super) fn copy_button(ui: &mut Ui, name: &str, value: &str) {
    let p = palette(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(size::LINE, size::LINE), Sense::CLICK);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, ui.is_enabled(), name));
    let ink = if response.hovered() { p.text } else { p.muted };
    let icon = paint::icon(ui, icons::ICON_CONTENT_COPY, COPY, ink);
    paint::text_at(ui.painter(), Align2::CENTER_CENTER, rect.center(), icon);
    if response.on_hover_text(name).clicked() {
        copy(ui, value);
    }
}

fn named(ui: &mut Ui, name: &str, value: impl FnOnce(&mut Ui)) {
    ui.horizontal_top(|ui| {
        ui.spacing_mut().item_spacing.x = size::GRID;
        ui.allocate_ui(vec2(NAME, size::LINE), |ui| {
            ui.set_width(NAME);
            // The label is as high as a line of the value, so that their baselines match.
            let words = text::small(name).line_height(Some(size::LINE));
            ui.add(Label::new(words.color(palette(ui).muted)).truncate());
        });
        value(ui);
    });
}

/// Draws a line of muted text.
pub(super) fn line(ui: &mut Ui, words: &str) {
    if !words.is_empty() {
        let ink = palette(ui).muted;
        wrapped(ui, text::body(words).size(size::CELL).color(ink));
    }
}

/// Draws a text, wrapped into several lines if necessary. The text can be selected.
pub(super) fn wrapped(ui: &mut Ui, words: impl Into<WidgetText>) {
    ui.add(Label::new(words).wrap().selectable(true));
}
