//! Companies, their saved locations, and the carriers that they have rate cards for.

use serde_json::{Value, json};

use super::{Call, PracticeService};
use crate::catalogue::{Account, Carrier, SavedLocation};
use crate::rules;
use crate::wire::{Answer, Failure, carrier_record, place_record, service_record};

/// Handles `authenticate/ping`.
#[expect(clippy::unnecessary_wraps, reason = "an operation like any other")]
pub(crate) fn ping(_: &PracticeService, _: &Call) -> Result<Answer, Failure> {
    Ok(Answer::Object(Value::Bool(true)))
}

/// Handles `companies/getAll`: returns the user's company and those below it, or the company in
/// `atOrBelowCompanyId` and those below that.
pub(crate) fn companies(desk: &PracticeService, call: &Call) -> Result<Answer, Failure> {
    let top = rules::company(
        &desk.catalogue,
        &call.user,
        call.whole_number("atOrBelowCompanyId")?,
    )?;
    let below = rules::company_and_descendants(&desk.catalogue, top.id);
    let companies = desk
        .catalogue
        .companies
        .iter()
        .filter(|company| below.contains(&company.id));
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
    let company = rules::company(&desk.catalogue, &call.user, call.whole_number("companyId")?)?;
    let locations = desk
        .catalogue
        .locations
        .iter()
        .filter(|location| location.company_id == company.id);
    Ok(Answer::Object(
        locations
            .map(|location| location_record(desk, location))
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
    let company = rules::company(&desk.catalogue, &call.user, call.whole_number("companyId")?)?;
    let carriers = desk.catalogue.carriers.iter().filter_map(|carrier| {
        let linked = company
            .accounts
            .iter()
            .filter(|account| account.carrier_id == carrier.id);
        let accounts: Vec<Value> = linked
            .map(|account| account_record(company.id, carrier, account))
            .collect();
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
