//! Assigns the service's errors to fields of the screen: by their `memberNames` or, because these are often
//! empty, by their text.

use super::field::{AddressField, CustomField, DgField, Field, GoodsField};
use super::pickup::PickupField;
use super::problem::{Problem, Severity};
use super::{AddressMode, Draft, ItemSource};
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

/// Adjusts a field to the draft. Dangerous goods that the draft's line lacks come from its saved item, so its
/// SKU or id is shown. Custom values are counted without blank lines; one beyond them is the duties option.
fn field_in_draft(field: Field, draft: &Draft) -> Field {
    let line = |index: usize| draft.goods.get(index);
    match field {
        Field::Goods(index, _) | Field::Customs(index) if line(index).is_none() => Field::AllGoods,
        Field::Dg(index, good, _) => match line(index) {
            None => Field::AllGoods,
            Some(line) if good < line.dangerous.len() => field,
            Some(line) if line.source == ItemSource::Id => Field::Goods(index, GoodsField::SavedId),
            Some(_) => Field::Goods(index, GoodsField::Sku),
        },
        Field::Contents(index, inside, _) => match line(index) {
            None => Field::AllGoods,
            Some(line) if inside < line.contents.len() => field,
            Some(_) => Field::Customs(index),
        },
        Field::Custom(at, part) => {
            let mut typed = draft.custom_values.iter().enumerate();
            let nth = typed.by_ref().filter(|(_, line)| !line.is_blank()).nth(at);
            nth.map_or(Field::Duties, |(at, _)| Field::Custom(at, part))
        }
        other => other,
    }
}

fn field_from_message(words: &str, draft: &Draft) -> Field {
    let says = |part: &str| words.contains(part);
    if says("goods must be declared") {
        Field::Declaration
    } else if says("not dangerous goods route")
        || says("no prices were found")
        || (says("carrier") && says("not available"))
    {
        Field::Route
    } else if says("specify the contents") || says("customs information") {
        without_contents(draft)
    } else if says("must be in australia") {
        Field::To(AddressField::Country)
    } else if says("aredutiespaidbyrecipient") || says("custom value") {
        custom(draft)
    } else if says("invalid company") {
        Field::Company
    } else if says("hazchem") {
        only_good(draft, DgField::Hazchem)
    } else if says("un number") {
        only_good(draft, DgField::UnNumber)
    } else if says("packing group") {
        only_good(draft, DgField::PackingGroup)
    } else if says("receiveraccount") || says("receiver account") {
        Field::ReceiverAccount
    } else if says("item quantity") {
        only_line(draft, Field::Goods(0, GoodsField::Quantity))
    } else if says("valid email") {
        only_email(draft)
    } else if says("invalid") && says("from location") {
        Field::From(AddressField::Place)
    } else if says("invalid") && says("to location") {
        Field::To(AddressField::Place)
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
fn address(words: &str) -> AddressField {
    let names = [
        ("contact", AddressField::Contact),
        ("phone", AddressField::Phone),
        ("email", AddressField::Email),
        ("name", AddressField::Name),
        ("address", AddressField::Line1),
    ];
    names
        .iter()
        .find(|(name, _)| words.starts_with(name))
        .map_or(AddressField::Place, |(_, field)| *field)
}

/// Returns the only line without customs contents; if several lack them, all goods.
fn without_contents(draft: &Draft) -> Field {
    let lines = draft.goods.iter().enumerate();
    let mut silent = lines.filter(|(_, line)| line.contents.is_empty());
    match (silent.next(), silent.next()) {
        (Some((line, _)), None) => Field::Customs(line),
        _ => Field::AllGoods,
    }
}

/// Returns the first typed custom value, or the duties option if none is typed.
fn custom(draft: &Draft) -> Field {
    let typed = draft.custom_values.iter().position(|line| !line.is_blank());
    typed.map_or(Field::Duties, |at| Field::Custom(at, CustomField::Name))
}

/// Returns `field` if there is only one line of goods; otherwise all goods, because the text does not tell
/// the line.
fn only_line(draft: &Draft, field: Field) -> Field {
    if draft.goods.len() == 1 {
        field
    } else {
        Field::AllGoods
    }
}

/// Returns the only dangerous good; if there are several, all goods, because the text does not tell which.
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
        (true, false) => Field::From(AddressField::Email),
        (false, true) => Field::To(AddressField::Email),
        _ => Field::Whole,
    }
}
