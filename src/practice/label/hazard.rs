//! The dangerous goods mark: a diamond for each class, then UN number, proper shipping name, packing group
//! and quantity.

use printing::canvas::{Canvas, Point, Style};

use crate::catalogue::class_label;
use crate::consignment::DangerousGood;

/// The maximum numbers of diamonds and of text rows below them. Goods without room are counted in a note.
const MOST_DIAMONDS: usize = 4;
const MOST_ROWS: usize = 5;
const ROW_SIZE: f32 = 22.0;
/// Half the height of a diamond in dots. A full-size mark of 10 cm does not fit the label.
const LARGE: f32 = 88.0;
const SMALL: f32 = 52.0;

/// Draws within `room` dots from `left`, and down to at most 230 dots below `top`.
pub(super) fn mark(
    pen: &mut Canvas<'_, '_>,
    goods: &[DangerousGood],
    left: f32,
    top: f32,
    room: f32,
) {
    let mut classes: Vec<i64> = Vec::new();
    let all = goods.iter();
    for class in all.flat_map(|good| std::iter::once(&good.class).chain(&good.sub_classes)) {
        if !classes.contains(class) {
            classes.push(*class);
        }
    }
    if let ([good], [class]) = (goods, classes.as_slice()) {
        diamond(pen, (left + LARGE, top + LARGE + 12.0), LARGE, *class);
        let beside = 2.0 * LARGE + 24.0;
        described(pen, good, (left + beside, top + 48.0), room - beside);
        return;
    }
    for (class, index) in classes.iter().take(MOST_DIAMONDS).zip(0_u8..) {
        let centre = left + SMALL + f32::from(index) * (2.0 * SMALL + 6.0);
        diamond(pen, (centre, top + SMALL), SMALL, *class);
    }
    let (mut baseline, mut free, mut shown) = (top + 2.0 * SMALL + 28.0, MOST_ROWS, 0);
    for good in goods {
        let text = format!("{}, {}", name(good), particulars(good));
        let rows = pen.fonts.wrapped(&text, Style::Bold, ROW_SIZE, room, 2);
        if rows.len() > free {
            break;
        }
        (free, shown) = (free - rows.len(), shown + 1);
        for row in rows {
            pen.text(left, baseline, &row, Style::Bold, ROW_SIZE);
            baseline += ROW_SIZE + 4.0;
        }
    }
    if shown < goods.len() {
        let more = format!("+ {} more", goods.len() - shown);
        pen.text_right(left + room, top + SMALL + 8.0, &more, Style::Bold, ROW_SIZE);
    }
}

fn diamond(pen: &mut Canvas<'_, '_>, centre: (f32, f32), half: f32, class: i64) {
    pen.diamond(centre, half - 4.0, 6.0);
    let label = class_label(class).unwrap_or_default();
    let (label, size) = pen
        .fonts
        .fitted(label, Style::Bold, half * 0.62, 12.0, half);
    // Digits of the Inter font are 0.73 of the font size high; half of that centres them.
    pen.text_centred(centre.0, centre.1 + size * 0.364, &label, Style::Bold, size);
}

fn described(
    pen: &mut Canvas<'_, '_>,
    good: &DangerousGood,
    (left, mut baseline): Point,
    room: f32,
) {
    for row in pen.fonts.wrapped(&name(good), Style::Bold, 30.0, room, 3) {
        pen.text(left, baseline, &row, Style::Bold, 30.0);
        baseline += 36.0;
    }
    for row in pen
        .fonts
        .wrapped(&particulars(good), Style::Regular, 28.0, room, 2)
    {
        pen.text(left, baseline, &row, Style::Regular, 28.0);
        baseline += 34.0;
    }
}

/// Formats `UN 1170 ETHANOL SOLUTIONS`, with the technical names if there are any.
fn name(good: &DangerousGood) -> String {
    let technical = bracketed(&good.technical_names);
    let empty = if good.empty_container {
        "EMPTY, UNCLEANED, "
    } else {
        ""
    };
    let (number, name) = (good.un_number, &good.proper_shipping_name);
    format!("UN {number:04} {empty}{name}{technical}")
}

/// Formats ` (6.1, 8)`, or nothing if there are no names.
fn bracketed(names: &[impl AsRef<str>]) -> String {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    if names.is_empty() {
        String::new()
    } else {
        format!(" ({})", names.join(", "))
    }
}

/// Formats class, subsidiary classes, packing group and quantity: `3 (6.1), PG II · 12 L in 4 containers`.
fn particulars(good: &DangerousGood) -> String {
    let subsidiary = good.sub_classes.iter();
    let subsidiary: Vec<&str> = subsidiary.filter_map(|class| class_label(*class)).collect();
    let subsidiary = bracketed(&subsidiary);
    let group = match good.packing_group {
        1 => ", PG I",
        2 => ", PG II",
        3 => ", PG III",
        _ => "",
    };
    let class = class_label(good.class).unwrap_or_default();
    let unit = if good.by_weight { "kg" } else { "L" };
    let (count, amount) = (
        good.number_of_containers,
        good.aggregate_quantity.normalize(),
    );
    let ending = if count == 1 { "" } else { "s" };
    format!("{class}{subsidiary}{group} · {amount} {unit} in {count} container{ending}")
}
