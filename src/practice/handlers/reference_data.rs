//! Reference data: companies, their saved locations, the carriers that they have rate cards for, and UN numbers.

use serde_json::{Value, json};

use super::Call;
use crate::catalogue::{Account, Carrier, SavedLocation, UnNumber, catalogue};
use crate::rules;
use crate::wire::{Refusal, Refusals, Reply, carrier_record, place_record, service_record};

/// The query parameter of the dangerous goods lookup.
const UN_NUMBERS: &str = "unNumbers";
/// How many UN numbers one call may look up.
const MAX_UN_NUMBERS: usize = 100;

/// Handles `companies/getAll`: returns the user's company and the companies below it, or the company in
/// `atOrBelowCompanyId` and the companies below that.
pub(crate) fn companies(call: &Call<'_>) -> Reply {
    let top = call.company("atOrBelowCompanyId")?;
    let below = rules::company_and_descendants(top.id);
    let companies = catalogue().companies.iter();
    let companies = companies.filter(|company| below.contains(&company.id));
    let rows = companies.map(|company| {
        json!({
            "id": company.id, "name": company.name, "accountCode": company.account_code,
            "displayName": company.display_name, "parentCompanyId": company.parent_company_id,
        })
    });
    Ok(rows.collect::<Value>().into())
}

pub(crate) fn company_locations(call: &Call<'_>) -> Reply {
    let company = call.company("companyId")?;
    let locations = catalogue().locations.iter();
    let own = locations.filter(|location| location.company_id == company.id);
    Ok(own.map(location_record).collect::<Value>().into())
}

fn location_record(location: &SavedLocation) -> Value {
    let place = catalogue().place(&location.suburb, &location.postcode);
    let mut record = json!(location);
    record["location"] = json!(place.map(place_record));
    record["isInternational"] = json!(false);
    record
}

pub(crate) fn rate_cards(call: &Call<'_>) -> Reply {
    let company = call.company("companyId")?;
    let carriers = catalogue().carriers.iter();
    let carriers = carriers.filter(|carrier| company.is_linked_to(carrier.id));
    let carriers = carriers.map(|carrier| {
        let accounts = company.accounts.iter();
        let linked = accounts.filter(|account| account.carrier_id == carrier.id);
        let mut record = carrier_record(carrier);
        record["carrierAccounts"] = linked
            .map(|account| account_record(company.id, carrier, account))
            .collect();
        record
    });
    Ok(carriers.collect::<Value>().into())
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
pub(crate) fn un_numbers(call: &Call<'_>) -> Reply {
    let asked: Vec<&str> = call.query_texts(UN_NUMBERS).collect();
    if asked.is_empty() {
        return Err(Refusal::new(UN_NUMBERS, "unNumbers is required").into());
    }
    if asked.len() > MAX_UN_NUMBERS {
        let message = format!("At most {MAX_UN_NUMBERS} UN numbers can be looked up at once");
        return Err(Refusal::new(UN_NUMBERS, message).into());
    }
    let mut refusals = Refusals::default();
    let mut numbers: Vec<i64> = Vec::with_capacity(asked.len());
    for text in asked {
        match refusals.keep(four_digits(text)) {
            Some(number) if !numbers.contains(&number) => numbers.push(number),
            _ => {}
        }
    }
    let numbers = refusals.into_result(numbers)?.into_iter();
    let found = numbers.filter_map(|number| catalogue().un_number(number));
    let records = found.flat_map(|entry| {
        let groups = entry.packing_groups.iter();
        groups.map(move |group| un_number_record(entry, *group))
    });
    Ok(records.collect::<Value>().into())
}

fn four_digits(text: &str) -> Result<i64, Refusal> {
    let digits = text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = text.parse().ok().filter(|_| digits);
    number.ok_or_else(|| {
        let message = format!("UN number {text} must be written with four digits, such as 0012");
        Refusal::new(UN_NUMBERS, message)
    })
}

fn un_number_record(entry: &UnNumber, group: i64) -> Value {
    let values = &catalogue().values;
    let primary = class_record(entry.dg_class, false);
    let subsidiary = entry.sub_classes.iter();
    let labels = subsidiary.clone();
    let labels: Vec<&str> = labels
        .filter_map(|class| values.class_label(*class))
        .collect();
    let subsidiary: Vec<Value> = subsidiary.map(|class| class_record(*class, true)).collect();
    let classes: Vec<&Value> = std::iter::once(&primary).chain(&subsidiary).collect();
    json!({
        "unNumber": entry.id, "name": entry.name,
        "packingGroupName": values.packing_groups.get(&group), "packingGroup": group,
        "classes": classes, "class": primary, "subClasses": subsidiary,
        "requiresTechnicalName": entry.requires_technical_name,
        "classesForDisplay": values.class_label(entry.dg_class),
        "subClassesForDisplay": Some(labels.join(", ")).filter(|text| !text.is_empty()),
    })
}

/// Returns the record of a class. `class` includes the division, as in 2.1; `division` is the part after the
/// dot, if any.
fn class_record(class_type: i64, subsidiary: bool) -> Value {
    let values = &catalogue().values;
    let label = values.class_label(class_type).unwrap_or_default();
    json!({
        "class": label, "classType": class_type, "division": label.split_once('.').map(|(_, division)| division),
        "label": values.class_title(class_type), "subRisk": subsidiary,
    })
}
