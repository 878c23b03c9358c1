//! The dangerous goods lookup: describes UN numbers, with one entry for each packing group.

use serde_json::{Value, json};

use super::{Call, PracticeService};
use crate::catalogue::{UnNumber, class_label, class_title};
use crate::wire::{Answer, Failure, Refusal, Refusals};

const FIELD: &str = "unNumbers";
/// How many UN numbers one call may look up.
const MAX_UN_NUMBERS: usize = 100;

/// Handles `api/DangerousGoods/GetUnNumberInformation`. An unknown UN number has no entries in the answer.
pub(crate) fn un_numbers(desk: &PracticeService, call: &Call) -> Result<Answer, Failure> {
    let asked: Vec<&str> = call.query_texts(FIELD).collect();
    if asked.is_empty() {
        return Err(Refusal::new(FIELD, "unNumbers is required").into());
    }
    if asked.len() > MAX_UN_NUMBERS {
        let wording = format!("At most {MAX_UN_NUMBERS} UN numbers can be looked up at once");
        return Err(Refusal::new(FIELD, wording).into());
    }
    let mut refusals = Refusals::default();
    let mut numbers: Vec<i64> = Vec::with_capacity(asked.len());
    for text in asked {
        match refusals.keep(four_digits(text)) {
            Some(number) if !numbers.contains(&number) => numbers.push(number),
            _ => {}
        }
    }
    if !refusals.is_empty() {
        return Err(refusals.into_failure());
    }
    let found = numbers
        .iter()
        .filter_map(|number| desk.catalogue.goods.un_number(*number));
    let entries = found.flat_map(|entry| {
        let groups = entry.packing_groups.iter();
        groups.map(move |group| record(entry, *group))
    });
    Ok(Answer::Object(entries.collect()))
}

fn four_digits(text: &str) -> Result<i64, Refusal> {
    let digits = text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.parse().ok().filter(|_| digits);
    number.ok_or_else(|| {
        let wording = format!("UN number {text} must be written with four digits, such as 0012");
        Refusal::new(FIELD, wording)
    })
}

fn record(entry: &UnNumber, group: i64) -> Value {
    let primary = class_record(entry.dg_class, false);
    let subsidiary: Vec<Value> = entry
        .sub_classes
        .iter()
        .map(|class| class_record(*class, true))
        .collect();
    let classes: Vec<&Value> = std::iter::once(&primary).chain(&subsidiary).collect();
    let labels: Vec<&str> = entry
        .sub_classes
        .iter()
        .filter_map(|class| class_label(*class))
        .collect();
    json!({
        "unNumber": entry.un_number, "name": entry.name,
        "packingGroupName": packing_group_name(group), "packingGroup": group,
        "classes": classes, "class": primary, "subClasses": subsidiary,
        "requiresTechnicalName": entry.requires_technical_name,
        "classesForDisplay": class_label(entry.dg_class),
        "subClassesForDisplay": Some(labels.join(", ")).filter(|text| !text.is_empty()),
    })
}

/// Returns the record of a class. `class` includes the division, as in 2.1; `division` is the part after the
/// dot, if any.
fn class_record(class_type: i64, subsidiary: bool) -> Value {
    let label = class_label(class_type).unwrap_or_default();
    json!({
        "class": label, "classType": class_type, "division": label.split_once('.').map(|(_, division)| division),
        "label": class_title(class_type), "subRisk": subsidiary,
    })
}

fn packing_group_name(group: i64) -> String {
    match group {
        1..=3 => format!("Pack Group {group}"),
        _ => "Pack Group N/A".to_owned(),
    }
}
