//! Reference data: companies, their saved locations, the carriers that they have rate cards for, and UN numbers.

use serde_json::{Value, json};

use super::{Call, PracticeService};
use crate::catalogue::{Account, Carrier, SavedLocation, UnNumber, class_label, class_title};
use crate::rules;
use crate::wire::{
    Answer, Failure, Refusal, Refusals, carrier_record, place_record, service_record,
};

/// The query parameter of the dangerous goods lookup.
const UN_NUMBERS: &str = "unNumbers";
/// How many UN numbers one call may look up.
const MAX_UN_NUMBERS: usize = 100;

/// Handles `authenticate/ping`.
#[expect(clippy::unnecessary_wraps, reason = "an operation like any other")]
pub(crate) fn ping(_: &PracticeService, _: &Call) -> Result<Answer, Failure> {
    Ok(Answer::Object(Value::Bool(true)))
}

/// Handles `companies/getAll`: returns the user's company and the companies below it, or the company in
/// `atOrBelowCompanyId` and the companies below that.
pub(crate) fn companies(desk: &PracticeService, call: &Call) -> Result<Answer, Failure> {
    let top = desk.company(call, "atOrBelowCompanyId")?;
    let below = rules::company_and_descendants(&desk.catalogue, top.id);
    let companies = desk.catalogue.companies.iter();
    let companies = companies.filter(|company| below.contains(&company.id));
    let rows = companies.map(|company| {
        json!({
            "id": company.id, "name": company.name, "accountCode": company.account_code,
            "displayName": company.display_name, "parentCompanyId": company.parent_company_id,
        })
    });
    Ok(Answer::Object(rows.collect()))
}

/// Handles `companyLocations`.
pub(crate) fn company_locations(desk: &PracticeService, call: &Call) -> Result<Answer, Failure> {
    let company = desk.company(call, "companyId")?;
    let locations = desk.catalogue.locations.iter();
    let own = locations.filter(|location| location.company_id == company.id);
    Ok(Answer::Object(
        own.map(|location| location_record(desk, location))
            .collect(),
    ))
}

fn location_record(desk: &PracticeService, location: &SavedLocation) -> Value {
    let place = desk.catalogue.place(&location.suburb, &location.postcode);
    json!({
        "id": location.id, "locationType": location.location_type, "name": location.name,
        "abbreviation": location.abbreviation, "contact": location.contact, "phone": location.phone,
        "email": location.email, "addressLine1": location.address_line1, "addressLine2": location.address_line2,
        "companyId": location.company_id,
        "location": place.map(place_record),
        "specialInstructions": location.special_instructions,
        "defaultPickupTime": location.default_pickup_time.strftime("%H:%M:%S").to_string(),
        "defaultClosingTime": location.default_closing_time.strftime("%H:%M:%S").to_string(),
        "defaultPickupInstructions": location.default_pickup_instructions, "isInternational": false,
    })
}

/// Handles `companies/getAvailableCarriersAccountsAndServices`.
pub(crate) fn rate_cards(desk: &PracticeService, call: &Call) -> Result<Answer, Failure> {
    let company = desk.company(call, "companyId")?;
    let carriers = desk.catalogue.carriers.iter().filter_map(|carrier| {
        let linked = company.accounts.iter();
        let linked = linked.filter(|account| account.carrier_id == carrier.id);
        let accounts = linked.map(|account| account_record(company.id, carrier, account));
        let accounts: Vec<Value> = accounts.collect();
        (!accounts.is_empty()).then(|| {
            let mut record = carrier_record(carrier);
            record["carrierAccounts"] = Value::Array(accounts);
            record
        })
    });
    Ok(Answer::Object(carriers.collect()))
}

fn account_record(company_id: i64, carrier: &Carrier, account: &Account) -> Value {
    let services = carrier.services.iter().map(service_record);
    json!({
        "id": account.id, "name": account.name, "accountCode": account.account_code, "carrierId": carrier.id,
        "displayName": account.name, "companyCarrierAccountId": account.company_carrier_account_id,
        "companyCarrierAccountCompanyId": company_id, "companyCarrierAccountDisabled": false,
        "carrierServices": services.collect::<Vec<_>>(),
    })
}

/// Handles `api/DangerousGoods/GetUnNumberInformation`. An unknown UN number has no entries in the answer.
pub(crate) fn un_numbers(desk: &PracticeService, call: &Call) -> Result<Answer, Failure> {
    let asked: Vec<&str> = call.query_texts(UN_NUMBERS).collect();
    if asked.is_empty() {
        return Err(Refusal::new(UN_NUMBERS, "unNumbers is required").into());
    }
    if asked.len() > MAX_UN_NUMBERS {
        let wording = format!("At most {MAX_UN_NUMBERS} UN numbers can be looked up at once");
        return Err(Refusal::new(UN_NUMBERS, wording).into());
    }
    let mut refusals = Refusals::default();
    let mut numbers: Vec<i64> = Vec::with_capacity(asked.len());
    for text in asked {
        match refusals.keep(four_digits(text)) {
            Some(number) if !numbers.contains(&number) => numbers.push(number),
            _ => {}
        }
    }
    let numbers = refusals.into_result(numbers)?;
    let found = numbers
        .iter()
        .filter_map(|number| desk.catalogue.goods.un_number(*number));
    let entries = found.flat_map(|entry| {
        let groups = entry.packing_groups.iter();
        groups.map(move |group| un_number_record(entry, *group))
    });
    Ok(Answer::Object(entries.collect()))
}

fn four_digits(text: &str) -> Result<i64, Refusal> {
    let digits = text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.parse().ok().filter(|_| digits);
    number.ok_or_else(|| {
        let wording = format!("UN number {text} must be written with four digits, such as 0012");
        Refusal::new(UN_NUMBERS, wording)
    })
}

fn un_number_record(entry: &UnNumber, group: i64) -> Value {
    let primary = class_record(entry.dg_class, false);
    let subsidiary = entry.sub_classes.iter();
    let labels: Vec<&str> = subsidiary
        .clone()
        .filter_map(|class| class_label(*class))
        .collect();
    let subsidiary: Vec<Value> = subsidiary.map(|class| class_record(*class, true)).collect();
    let classes: Vec<&Value> = std::iter::once(&primary).chain(&subsidiary).collect();
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
