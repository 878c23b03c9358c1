//! Routes: lists every carrier service that can take the goods, with its price and arrival time.

use serde_json::{Value, json};

use super::{Call, PracticeService};
use crate::catalogue::Company;
use crate::consignment::{Job, Surcharge};
use crate::rates::{Decline, DespatchOption, Quote, QuoteFilter, quotes};
use crate::rules::{self, OperationVariant, Purpose};
use crate::wire::{
    Answer, ConsignmentRequest, Failure, Refusal, carrier_record, local_text, money, number,
    service_record, utc_text,
};

/// Handles `routes/returnRoutes` and `routes/returnrouteswithcomplexitems`.
pub(crate) fn routes(
    desk: &PracticeService,
    call: &Call,
    form: OperationVariant,
) -> Result<Answer, Failure> {
    let order: ConsignmentRequest = call.record()?;
    let company = rules::company(&desk.catalogue, &call.user, order.company_id)?;
    let context = desk.rule_context(company, form, Purpose::Routes);
    let job = rules::check_order(&context, &order)?;
    let wanted = QuoteFilter {
        carriers: (order.carrier_ids.iter().copied())
            .chain(order.carrier_id)
            .collect(),
        service: order.carrier_service_id,
        account: order.carrier_account_id,
        company_carrier_account: order.company_carrier_account_id,
    };
    let (quotes, declines) = quotes(&desk.catalogue, company, &job, &wanted);
    if quotes.is_empty() {
        return Err(Failure::Refused(no_route(&declines, &wanted)));
    }
    // Answers are not stored, so the id is made from the current time.
    let new_id = || format!("practice-{}", context.now.as_microsecond());
    let id = order.request_id.clone().unwrap_or_else(new_id);
    let routes = quotes.iter().map(|quote| route(company, &job, quote, &id));
    let routes: Vec<Value> = routes.collect();
    let results: Vec<Value> = declines.iter().map(decline).collect();
    Ok(Answer::Object(
        json!({ "id": id, "routes": routes, "results": results }),
    ))
}

const NO_DANGEROUS_GOODS: &str =
    "Route is not Dangerous Goods route yet Dangerous Goods have been declared";

/// Returns the API's error for "no route", followed by why each carrier declined. If the requested carrier,
/// or every carrier, declines because of the dangerous goods, returns the API's own message for that instead.
pub(super) fn no_route(declines: &[Decline<'_>], wanted: &QuoteFilter) -> Vec<Refusal> {
    let named = !wanted.carriers.is_empty();
    let first = declines
        .first()
        .is_some_and(Decline::is_about_dangerous_goods);
    let all = declines.iter().all(Decline::is_about_dangerous_goods);
    if first && (named || all) {
        return vec![Refusal::general(NO_DANGEROUS_GOODS)];
    }
    let reasons = declines.iter().map(|decline| {
        let service = decline.service.map(|service| format!(" {}", service.name));
        let (carrier, service) = (&decline.carrier.name, service.unwrap_or_default());
        let message = format!("{carrier}{service}: {}", decline.reason);
        Refusal::information("carrierId", message)
    });
    let no_prices = Refusal::general("No prices were found");
    std::iter::once(no_prices).chain(reasons).collect()
}

fn route(company: &Company, job: &Job, quote: &Quote<'_>, request_id: &str) -> Value {
    let (carrier, service, account) = (quote.carrier, quote.service, quote.account);
    let surcharges =
        |surcharges: &[Surcharge]| surcharges.iter().map(surcharge).collect::<Vec<_>>();
    json!({
        "requestId": request_id, "companyId": company.id,
        "carrier": carrier_record(carrier), "carrierService": service_record(service),
        "carrierAccount": {
            "id": account.id, "name": account.name, "accountCode": account.account_code, "carrierId": carrier.id,
            "displayName": account.name,
        },
        "companyCarrierAccountId": account.company_carrier_account_id,
        "consignmentTotal": money(&quote.price),
        "despatchOptions": quote.despatch_options.iter().map(option).collect::<Vec<_>>(),
        "fuelLevyPercentage": number(quote.price.fuel_levy_percent), "taxPercentage": number(quote.price.tax_percent),
        "electiveSurcharges": surcharges(&quote.price.elective),
        "automaticSurcharges": surcharges(&quote.price.automatic),
        "totalWeight": number(job.weight()), "totalCubic": number(job.cubic()), "totalVolume": number(job.cubic()),
        "carrierLogoFileName": null, "priceDisplay": format!("${:.2}", quote.price.total()),
        "isHourly": quote.despatch_options.iter().any(|trip| trip.by_the_hour),
    })
}

fn surcharge(surcharge: &Surcharge) -> Value {
    json!({ "questionId": surcharge.question_id, "name": surcharge.name, "sellPrice": number(surcharge.amount) })
}

fn option(trip: &DespatchOption) -> Value {
    let minutes = trip.minutes();
    json!({
        "despatchDateLocal": local_text(&trip.despatch), "despatchDateUtc": utc_text(trip.despatch.timestamp()),
        "etaLocal": local_text(&trip.eta), "etaUtc": utc_text(trip.eta.timestamp()),
        "durationInMinutes": minutes, "isTimeWindow": false, "totalDays": minutes / (24 * 60), "totalHours": minutes / 60,
        "totalBusinessDays": trip.business_days, "etaAffectedByPublicHolidays": trip.holiday_on_the_way,
        "despatchDateAffectedByPublicHolidays": false, "businessDaysOnly": !trip.by_the_hour,
        "customEtaString": null, "carrierAcceptsDespatchTimes": true,
    })
}

fn decline(decline: &Decline<'_>) -> Value {
    json!({
        "carrier": carrier_record(decline.carrier), "carrierService": decline.service.map(service_record),
        "errorMessage": decline.reason,
    })
}
