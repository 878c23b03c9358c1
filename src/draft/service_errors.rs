//! Assigns the service's errors to fields of the screen: by their `memberNames` or, because these are often
//! empty, by their text.

use super::check::{Problem, Severity};
use super::field::{AddressField as At, CustomField, DgField, Field, GoodsField};
use super::pickup::PickupField;
use super::{AddressMode, ContentsLine, CustomValueLine, DgLine, Draft, ItemSource};
use shipping::ServiceError;

/// The maximum number of errors that are shown for one refusal.
const MOST: usize = 60;

/// Converts every error to a problem of the draft, in the service's own words. Information and warnings do
/// not prevent sending.
pub fn problems_from_errors(errors: &[ServiceError], draft: &Draft) -> Vec<Problem> {
    let problems = errors.iter().take(MOST).flat_map(|error| {
        let severity = match error.validation_type.to_ascii_lowercase().as_str() {
            "2" | "information" | "3" | "warning" => Severity::Warning,
            _ => Severity::Error,
        };
        fields(error, draft).into_iter().map(move |field| Problem {
            field,
            severity,
            message: ServiceError::joined_messages(std::slice::from_ref(error)),
        })
    });
    let mut problems: Vec<_> = problems.collect();
    if errors.is_empty() {
        let words = "The service refused without giving a reason";
        problems.push(Problem::error(Field::Whole, words));
    }
    problems
}

/// Returns the field of a manifest group that the service's error text is about; `None` if it is about the
/// whole group.
pub fn pickup_field_from_error(words: &str) -> Option<PickupField> {
    let words = words.to_ascii_lowercase();
    if words.contains("closing time") {
        Some(PickupField::Closing)
    } else if words.contains("pickup time") {
        Some(PickupField::Pickup)
    } else if words.contains("pallet spaces") {
        Some(PickupField::Spaces)
    } else if words.contains("goods must be declared") {
        Some(PickupField::Declaration)
    } else {
        None
    }
}

fn fields(error: &ServiceError, draft: &Draft) -> Vec<Field> {
    let mut named: Vec<Field> = Vec::new();
    for name in &error.member_names {
        let field = field_in_draft(Field::from_member_name(name), draft);
        if field != Field::Whole && !named.contains(&field) {
            named.push(field);
        }
    }
    if named.is_empty() {
        named.push(field_from_message(
            &error.error_message.to_ascii_lowercase(),
            draft,
        ));
    }
    named
}

/// Adjusts the indexes of a field to the draft, because entries that are not filled in were not sent. Dangerous goods
/// that the line lacks come from its saved item, so the field of the item's SKU or id is returned. A custom value
/// beyond the typed values is the duties option.
fn field_in_draft(field: Field, draft: &Draft) -> Field {
    let Some(index) = field.line() else {
        return match field {
            Field::Custom(at, part) => nth(&draft.custom_values, CustomValueLine::is_blank, at)
                .map_or(Field::Duties, |at| Field::Custom(at, part)),
            other => other,
        };
    };
    let Some(line) = draft.goods.get(index) else {
        return Field::AllGoods;
    };
    match field {
        Field::Dg(_, at, part) => match nth(&line.dangerous, DgLine::is_untouched, at) {
            Some(at) => Field::Dg(index, at, part),
            None if at < line.dangerous.len()
                && line.dangerous.iter().all(DgLine::is_untouched) =>
            {
                field
            }
            None if line.source == ItemSource::Id => Field::Goods(index, GoodsField::SavedId),
            None => Field::Goods(index, GoodsField::Sku),
        },
        Field::Contents(_, at, part) => nth(&line.contents, ContentsLine::is_untouched, at)
            .map_or(Field::Customs(index), |at| Field::Contents(index, at, part)),
        other => other,
    }
}

/// Returns the index of the nth entry, counted from 0 and skipping entries that are left out.
fn nth<T>(entries: &[T], is_left_out: fn(&T) -> bool, nth: usize) -> Option<usize> {
    let sent = entries
        .iter()
        .enumerate()
        .filter(|(_, entry)| !is_left_out(entry));
    sent.map(|(at, _)| at).nth(nth)
}

/// Parts of the service's texts, in lower case, and the field that a text with all parts is about. The
/// first match counts.
const MESSAGES: &[(&[&str], FieldOfDraft)] = &[
    (&["goods must be declared"], |_| Field::Declaration),
    (&["not dangerous goods route"], |_| Field::Route),
    (&["no prices were found"], |_| Field::Route),
    (&["carrier", "not available"], |_| Field::Route),
    (&["specify the contents"], without_contents),
    (&["customs information"], without_contents),
    (&["must be in australia"], |_| Field::To(At::Country)),
    (&["aredutiespaidbyrecipient"], custom),
    (&["custom value"], custom),
    (&["invalid company"], |_| Field::Company),
    (&["hazchem"], |draft| only_good(draft, DgField::Hazchem)),
    (&["un number"], |draft| only_good(draft, DgField::UnNumber)),
    (&["packing group"], |draft| {
        only_good(draft, DgField::PackingGroup)
    }),
    (&["receiveraccount"], |_| Field::ReceiverAccount),
    (&["receiver account"], |_| Field::ReceiverAccount),
    (&["item quantity"], only_quantity),
    (&["valid email"], only_email),
    (&["invalid", "from location"], |_| Field::From(At::Place)),
    (&["invalid", "to location"], |_| Field::To(At::Place)),
];

type FieldOfDraft = fn(&Draft) -> Field;

fn field_from_message(words: &str, draft: &Draft) -> Field {
    let says = |parts: &[&str]| parts.iter().all(|part| words.contains(part));
    if let Some((_, field)) = MESSAGES.iter().find(|(parts, _)| says(parts)) {
        field(draft)
    } else if let Some(side) = words.strip_prefix("from ") {
        Field::From(address(side))
    } else if let Some(side) = words.strip_prefix("to ") {
        Field::To(address(side))
    } else {
        Field::Whole
    }
}

/// Finds the address field in texts like `location suburb and postcode combination is invalid` or `contact
/// is required`.
fn address(words: &str) -> At {
    let names = [
        ("contact", At::Contact),
        ("phone", At::Phone),
        ("email", At::Email),
        ("name", At::Name),
        ("address", At::Line1),
    ];
    names
        .iter()
        .find(|(name, _)| words.starts_with(name))
        .map_or(At::Place, |(_, field)| *field)
}

/// Returns the only line without customs contents; if several lines have no contents, all goods.
fn without_contents(draft: &Draft) -> Field {
    let lines = draft.goods.iter().enumerate();
    let mut silent = lines.filter(|(_, line)| line.contents.is_empty());
    match (silent.next(), silent.next()) {
        (Some((line, _)), None) => Field::Customs(line),
        _ => Field::AllGoods,
    }
}

/// Returns the first typed custom value, or the duties option if no custom value is typed.
fn custom(draft: &Draft) -> Field {
    let typed = draft.custom_values.iter().position(|line| !line.is_blank());
    typed.map_or(Field::Duties, |at| Field::Custom(at, CustomField::Name))
}

/// Returns the quantity of the only line; if there are several, all goods, because the text does not name the line.
fn only_quantity(draft: &Draft) -> Field {
    match draft.goods.len() {
        1 => Field::Goods(0, GoodsField::Quantity),
        _ => Field::AllGoods,
    }
}

/// Returns the only dangerous good; if there are several, all goods, because the text does not name the DG item.
fn only_good(draft: &Draft, field: DgField) -> Field {
    let mut all = draft.goods.iter().enumerate().flat_map(|(line, goods)| {
        (0..goods.dangerous.len()).map(move |good| Field::Dg(line, good, field))
    });
    match (all.next(), all.next()) {
        (Some(one), None) => one,
        _ => Field::AllGoods,
    }
}

/// Returns the e-mail field of the only party with a typed address.
fn only_email(draft: &Draft) -> Field {
    let from = draft.from.mode == AddressMode::Full;
    let to = draft.to.mode == AddressMode::Full;
    match (from, to) {
        (true, false) => Field::From(At::Email),
        (false, true) => Field::To(At::Email),
        _ => Field::Whole,
    }
}
