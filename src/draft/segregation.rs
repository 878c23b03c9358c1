//! Warns about dangerous goods that must not travel together or with food. These are warnings and never
//! prevent sending.
//!
//! Each pair is reported once, at the later DG item, with both classes. The pairs follow the segregation rules of 49
//! CFR 177.848, but less exactly, because they are only a reminder. The shipper and the carrier must know the exact
//! rules.

use std::collections::HashSet;

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

/// The numbers of the classes that must not travel together; each pair is listed once. A DG item of class 1 must not
/// travel with any other class.
const APART: &[(&str, &str)] = &[
    ("2.1", "2.3 5.1 5.2 7"),
    ("2.3", "3 4.1 4.2 4.3 5.1 5.2 8"),
    ("5.1", "3 4.1 4.2 4.3 5.2 8"),
    ("5.2", "3 4.1 4.2 4.3 8"),
    ("8", "4.2 4.3"),
];

/// The numbers of the classes that must not travel with food.
const HARMS_FOOD: &str = "2.3 6.1 6.2 8";

const EXPLOSIVE: &str = "1";

/// Returns whether the list, separated by blanks, contains the number.
fn has(list: &str, number: &str) -> bool {
    list.split(' ').any(|listed| listed == number)
}

/// Returns the number of the class that matters for segregation: all explosives count as class 1. `None` for class 9,
/// and for small arms cartridges and similar goods, which travel with most others.
fn kind(class: DgClass) -> Option<&'static str> {
    match (class, class_number(class)) {
        (DgClass::Miscellaneous | DgClass::E14S, _) => None,
        (_, number) if number.starts_with("1.") => Some(EXPLOSIVE),
        (_, number) => Some(number),
    }
}

fn must_be_apart(one: &str, other: &str) -> bool {
    let listed = |(first, others): &(&str, &str)| {
        (*first == one && has(others, other)) || (*first == other && has(others, one))
    };
    one != other && ([one, other].contains(&EXPLOSIVE) || APART.iter().any(listed))
}

/// A class of a DG item, with the item's position.
#[derive(Clone, Copy)]
struct ClassOfGood {
    line: usize,
    good: usize,
    class: DgClass,
    kind: &'static str,
}

/// Adds warnings for goods that must not travel together.
pub(super) fn warn(draft: &Draft, context: &CheckContext, problems: &mut Vec<Problem>) {
    // Each pair of kinds is reported once between lines, and once within each line. So it is enough to keep the first
    // DG item of each kind, separately for the current line.
    let mut seen: Vec<ClassOfGood> = Vec::new();
    let mut told = HashSet::new();
    let goods = draft.goods.iter().enumerate();
    for place in goods.flat_map(|(line, goods)| places(line, goods, context)) {
        if seen.last().is_some_and(|last| last.line != place.line) {
            let mut kinds = HashSet::new();
            seen.retain(|one| kinds.insert(one.kind));
        }
        for other in &seen {
            let in_line = other.line == place.line;
            let same_good = in_line && other.good == place.good;
            let mut kinds = [place.kind, other.kind];
            kinds.sort_unstable();
            let once = (kinds, in_line.then_some(place.line));
            if !same_good && must_be_apart(place.kind, other.kind) && told.insert(once) {
                problems.push(warning(place, *other));
            }
        }
        let is_same = |other: &ClassOfGood| (other.line, other.kind) == (place.line, place.kind);
        if !seen.iter().any(is_same) {
            seen.push(place);
        }
    }
    food(draft, context, problems);
}

fn warning(place: ClassOfGood, other: ClassOfGood) -> Problem {
    let (own, others) = (class_number(place.class), class_number(other.class));
    let words = if other.line == place.line {
        format!("Class {own} and class {others} must not be packed together")
    } else {
        let line = other.line + 1;
        format!("Class {own} and class {others} (line {line}) must travel separately")
    };
    Problem::warning(Field::Dg(place.line, place.good, DgField::Class), words)
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
        classes.filter_map(move |class| {
            let kind = kind(class)?;
            Some(ClassOfGood {
                line,
                good,
                class,
                kind,
            })
        })
    };
    goods.dangerous.iter().enumerate().flat_map(of_good)
}

/// Returns the number of a class: `5.1` of "5.1 Oxidizing substance".
pub(super) fn class_number(class: DgClass) -> &'static str {
    let label = class.label();
    label.split_once(' ').map_or(label, |(number, _)| number)
}

/// Warns, once for each class, about the first DG item that must not travel with food, if there is food.
fn food(draft: &Draft, context: &CheckContext, problems: &mut Vec<Problem>) {
    let harmful = |(line, goods)| places(line, goods, context).filter(|p| has(HARMS_FOOD, p.kind));
    let mut harmful = draft.goods.iter().enumerate().flat_map(harmful).peekable();
    if harmful.peek().is_none() {
        return;
    }
    let eaten = |(line, goods): (usize, &GoodsLine)| food_in(goods).map(|word| (line, word));
    let Some((line, word)) = draft.goods.iter().enumerate().find_map(eaten) else {
        return;
    };
    let mut told = HashSet::new();
    for place in harmful.filter(|place| told.insert(place.kind)) {
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
