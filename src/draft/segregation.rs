//! Warns about dangerous goods that must not travel together or with food. These are warnings and never
//! prevent sending.
//!
//! Each pair is reported once, at the later DG item, with both classes. The pairs follow the segregation
//! rules of 49 CFR 177.848, but are coarser: a reminder only. The shipper and the carrier must know the exact
//! rules.

use std::collections::{BTreeMap, HashSet};

use super::check::Problem;
use super::dg_line::DgLine;
use super::field::{DgField, Field};
use super::{CheckContext, Draft, GoodsLine};
use shipping::DgClass;

/// Words in descriptions that mean food or drink, in the singular.
const FOOD: &str = "food foodstuff grocery groceries flour sugar rice pasta cereal bread biscuit milk \
    cheese butter egg meat beef pork chicken fish seafood fruit apple vegetable potato \
    honey chocolate confectionery lolly snack spice coffee tea juice wine beer drink \
    beverage grain wheat oats feed stockfeed";

/// Returns the kind of danger that matters for segregation, as one bit; 0 for none.
fn kind(class: DgClass) -> u16 {
    use DgClass as C;
    match class {
        C::FlammableGas => FLAMMABLE_GAS,
        C::ToxicGas => TOXIC_GAS,
        C::FlammableLiquid => FLAMMABLE_LIQUID,
        C::FlammableSolid => FLAMMABLE_SOLID,
        C::SpontaneouslyCombustible => COMBUSTIBLE,
        C::DangerousWhenWet => WET,
        C::Oxidizing => OXIDIZING,
        C::OrganicPeroxide => PEROXIDE,
        C::Toxic => TOXIC,
        C::Infectious => INFECTIOUS,
        C::Radioactive => RADIOACTIVE,
        C::Corrosive => CORROSIVE,
        C::NonFlammableGas => GAS,
        // Small arms cartridges and similar goods travel with most others.
        C::Miscellaneous | C::E14S => 0,
        _ => EXPLOSIVE,
    }
}

const FLAMMABLE_GAS: u16 = 1;
const TOXIC_GAS: u16 = 1 << 1;
const FLAMMABLE_LIQUID: u16 = 1 << 2;
const FLAMMABLE_SOLID: u16 = 1 << 3;
const COMBUSTIBLE: u16 = 1 << 4;
const WET: u16 = 1 << 5;
const OXIDIZING: u16 = 1 << 6;
const PEROXIDE: u16 = 1 << 7;
const TOXIC: u16 = 1 << 8;
const INFECTIOUS: u16 = 1 << 9;
const RADIOACTIVE: u16 = 1 << 10;
const CORROSIVE: u16 = 1 << 11;
const EXPLOSIVE: u16 = 1 << 12;
const GAS: u16 = 1 << 13;

const BURNS: u16 = FLAMMABLE_LIQUID | FLAMMABLE_SOLID | COMBUSTIBLE | WET;
/// The kinds that must not travel with food.
const HARMS_FOOD: u16 = TOXIC_GAS | TOXIC | INFECTIOUS | CORROSIVE;

/// Returns the kinds that must not travel with this kind.
fn incompatible_kinds(kind: u16) -> u16 {
    match kind {
        FLAMMABLE_GAS => TOXIC_GAS | OXIDIZING | PEROXIDE | RADIOACTIVE | EXPLOSIVE,
        TOXIC_GAS => FLAMMABLE_GAS | BURNS | OXIDIZING | PEROXIDE | CORROSIVE | EXPLOSIVE,
        FLAMMABLE_LIQUID | FLAMMABLE_SOLID => TOXIC_GAS | OXIDIZING | PEROXIDE | EXPLOSIVE,
        COMBUSTIBLE | WET => TOXIC_GAS | OXIDIZING | PEROXIDE | CORROSIVE | EXPLOSIVE,
        OXIDIZING => FLAMMABLE_GAS | TOXIC_GAS | BURNS | PEROXIDE | CORROSIVE | EXPLOSIVE,
        PEROXIDE => FLAMMABLE_GAS | TOXIC_GAS | BURNS | OXIDIZING | CORROSIVE | EXPLOSIVE,
        CORROSIVE => TOXIC_GAS | COMBUSTIBLE | WET | OXIDIZING | PEROXIDE | EXPLOSIVE,
        RADIOACTIVE => FLAMMABLE_GAS | EXPLOSIVE,
        TOXIC | INFECTIOUS | GAS => EXPLOSIVE,
        EXPLOSIVE => !EXPLOSIVE,
        _ => 0,
    }
}

/// A class of a DG item, with the item's position.
#[derive(Clone, Copy)]
struct ClassOfGood {
    line: usize,
    good: usize,
    class: DgClass,
    kind: u16,
}

/// Adds warnings for goods that must not travel together.
pub(super) fn warn(draft: &Draft, context: &CheckContext, problems: &mut Vec<Problem>) {
    if draft.goods.iter().all(|line| line.dangerous.is_empty()) {
        return;
    }
    let mut first: BTreeMap<u16, ClassOfGood> = BTreeMap::new();
    let mut told = HashSet::new();
    for (line, goods) in draft.goods.iter().enumerate() {
        let mut pack: BTreeMap<u16, ClassOfGood> = BTreeMap::new();
        let mut told_here = HashSet::new();
        for place in places(line, goods, context) {
            let together = "must not be packed together";
            pairs(place, pack.values(), &mut told_here, together, problems);
            let elsewhere = first.values().filter(|other| other.line != line);
            let apart = "must travel separately";
            pairs(place, elsewhere, &mut told, apart, problems);
            pack.entry(place.kind).or_insert(place);
            first.entry(place.kind).or_insert(place);
        }
    }
    food(draft, context, problems);
}

/// Returns the classes that matter for segregation among a line's goods. An outer package contains all goods
/// of its line.
fn places<'a>(
    line: usize,
    goods: &'a GoodsLine,
    context: &'a CheckContext,
) -> impl Iterator<Item = ClassOfGood> + 'a {
    let of_good = move |(good, dangerous): (usize, &'a DgLine)| {
        let main = dangerous.class.or_else(|| dangerous.known_class(context));
        let classes = { main.into_iter() }.chain(dangerous.sub_classes.iter().copied());
        classes.map(move |class| ClassOfGood {
            line,
            good,
            class,
            kind: kind(class),
        })
    };
    let all = goods.dangerous.iter().enumerate().flat_map(of_good);
    all.filter(|place| place.kind != 0)
}

/// Adds a warning for each dangerous good in `others` that must not be packed or carried with `place`. `told`
/// has the pairs of kinds that were already reported.
fn pairs<'a>(
    place: ClassOfGood,
    others: impl Iterator<Item = &'a ClassOfGood>,
    told: &mut HashSet<u16>,
    how: &str,
    problems: &mut Vec<Problem>,
) {
    let apart = incompatible_kinds(place.kind);
    for other in others {
        let same_good = (other.line, other.good) == (place.line, place.good);
        if same_good || apart & other.kind == 0 || !told.insert(place.kind | other.kind) {
            continue;
        }
        let whence = if other.line == place.line {
            String::new()
        } else {
            format!(" (line {})", other.line + 1)
        };
        let words = format!(
            "Class {} and class {}{whence} {how}",
            class_number(place.class),
            class_number(other.class)
        );
        let field = Field::Dg(place.line, place.good, DgField::Class);
        problems.push(Problem::warning(field, words));
    }
}

/// Returns the number of a class: `5.1` of "5.1 Oxidizing substance".
pub(super) fn class_number(class: DgClass) -> &'static str {
    let label = class.label();
    label.split_once(' ').map_or(label, |(number, _)| number)
}

/// Warns, once for each class, about the first DG item that must not travel with food, if there is food.
fn food(draft: &Draft, context: &CheckContext, problems: &mut Vec<Problem>) {
    let harmful = |(line, goods)| places(line, goods, context).filter(|p| p.kind & HARMS_FOOD != 0);
    let mut harmful = draft.goods.iter().enumerate().flat_map(harmful).peekable();
    if harmful.peek().is_none() {
        return;
    }
    let eaten = |(line, goods): (usize, &GoodsLine)| food_in(goods).map(|word| (line, word));
    let Some((line, word)) = draft.goods.iter().enumerate().find_map(eaten) else {
        return;
    };
    let mut told = 0;
    for place in harmful {
        if told & place.kind != 0 {
            continue;
        }
        told |= place.kind;
        let words = format!(
            "Class {} must not travel with food: {word} in line {}",
            class_number(place.class),
            line + 1
        );
        let field = Field::Dg(place.line, place.good, DgField::Class);
        problems.push(Problem::warning(field, words));
    }
}

/// Returns the first word for food in a line's name or contents.
fn food_in(goods: &GoodsLine) -> Option<&'static str> {
    let saved = goods.saved.as_ref().map(|saved| saved.name.as_str());
    let contents = goods.contents.iter().map(|inside| &*inside.description);
    let texts = std::iter::once(goods.name.as_str())
        .chain(saved.filter(|_| goods.name.is_empty()))
        .chain(contents);
    for text in texts {
        let words = text.split(|letter: char| !letter.is_alphabetic());
        for word in words.take(100).filter(|word| word.len() > 2) {
            let singular = word.strip_suffix(['s', 'S']).unwrap_or(word);
            let means = |food: &&str| {
                food.eq_ignore_ascii_case(word) || food.eq_ignore_ascii_case(singular)
            };
            if let Some(food) = FOOD.split(' ').find(means) {
                return Some(food);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const KINDS: usize = 14;

    #[test]
    fn what_is_apart_from_another_is_so_both_ways() {
        for a in 0..KINDS {
            for b in 0..KINDS {
                let (a, b) = (1_u16 << a, 1_u16 << b);
                let apart = |a: u16, b: u16| incompatible_kinds(a) & b != 0;
                assert_eq!(apart(a, b), apart(b, a), "{a:b} {b:b}");
                assert!(a != b || !apart(a, b), "a kind travels with itself");
            }
        }
    }

    #[test]
    fn food_is_found_by_whole_words() {
        let line = |name: &str| GoodsLine {
            name: name.to_owned(),
            ..GoodsLine::default()
        };
        for (name, found) in [
            ("Plain flour, 12 x 1 kg", Some("flour")),
            ("APPLES", Some("apple")),
            ("Hex nuts M8", None),
            ("Ricefield posters", None),
            ("Teak boards", None),
            ("Hose reels, 20 m", None),
        ] {
            assert_eq!(food_in(&line(name)), found, "{name}");
        }
    }
}
