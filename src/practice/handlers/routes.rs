//! Prices: routes, which list every carrier service that can take the goods with its price and arrival time, and live
//! pricing, which turns the cart of a shop platform into a routes request and the routes into rates.

use serde_json::{Value, json};

use super::Call;
use crate::catalogue::{Company, Country, catalogue};
use crate::consignment::{Job, Line, Surcharge};
use crate::rates::{Decline, DespatchOption, Quote, QuoteFilter, quotes};
use crate::rules::{self, AUSTRALIA, OperationVariant, Purpose};
use crate::wire::{
    ConsignmentRequest, ContentsRequest, Failure, ItemRequest, LivePricingRequest, Options,
    PartyFields, PlaceAbroad, PricingItem, PricingPlace, Refusal, Reply, Suburb, carrier_record,
    joined_messages, local_text, money, number, service_record, utc_text,
};

const RESIDENTIAL: i64 = 13;
const AUTHORITY_TO_LEAVE: i64 = 14;

const NO_DANGEROUS_GOODS: &str =
    "Route is not Dangerous Goods route yet Dangerous Goods have been declared";

/// Handles `routes/returnRoutes` and `routes/returnrouteswithcomplexitems`.
pub(crate) fn routes(call: &Call<'_>, form: OperationVariant) -> Reply {
    let order: ConsignmentRequest = call.record()?;
    let company = rules::company(call.user, order.company_id)?;
    let context = call.rule_context(company, form, Purpose::Routes);
    let job = rules::check_order(&context, &order)?;
    let carriers = order.carrier_ids.iter().copied();
    let wanted = QuoteFilter {
        carriers: carriers.chain(order.carrier_id).collect(),
        service: order.carrier_service_id,
        account: order.carrier_account_id,
        company_carrier_account: order.company_carrier_account_id,
    };
    let (quotes, declines) = quotes(company, &job, &wanted);
    if quotes.is_empty() {
        return Err(Failure::Refused(no_route(&declines, &wanted)));
    }
    // Quotes are not stored, so no stored id exists. The current time makes the id different in each answer.
    let new_id = || format!("practice-{}", context.now.as_microsecond());
    let id = order.request_id.clone().unwrap_or_else(new_id);
    let routes = quotes.iter().map(|quote| route(company, &job, quote, &id));
    Ok(json!({
        "id": id, "routes": routes.collect::<Vec<_>>(), "results": declines.iter().map(decline).collect::<Vec<_>>(),
    })
    .into())
}

/// Returns the API's error for "no route", followed by why each carrier declined. If the requested carrier,
/// or every carrier, declines because of the dangerous goods, returns the API's own message for that instead.
pub(super) fn no_route(declines: &[Decline], wanted: &QuoteFilter) -> Vec<Refusal> {
    let named = !wanted.carriers.is_empty();
    let mut reasons = declines.iter().map(Decline::is_about_dangerous_goods);
    let first = reasons.next() == Some(true);
    if first && (named || reasons.all(|is_about_them| is_about_them)) {
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

fn route(company: &Company, job: &Job, quote: &Quote, request_id: &str) -> Value {
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

fn decline(decline: &Decline) -> Value {
    json!({
        "carrier": carrier_record(decline.carrier), "carrierService": decline.service.map(service_record),
        "errorMessage": decline.reason,
    })
}

/// Handles `live-pricing` of the middleware.
///
/// The mapping is specific to the practice service: an item becomes a Carton, or a Skid if its `product_meta`
/// has `oversize`. Missing measures are taken from the saved item with the same SKU.
pub(crate) fn live_prices(call: &Call<'_>) -> Reply {
    let order = cart_to_order(call.record()?)?;
    let company = rules::company(call.user, None)?;
    let context = call.rule_context(company, OperationVariant::Complex, Purpose::Routes);
    let job = rules::check_order(&context, &order)?;
    let wanted = QuoteFilter::default();
    let (quotes, declines) = quotes(company, &job, &wanted);
    if quotes.is_empty() {
        return Ok(json!({
            "is_error": true, "error_message": joined_messages(&no_route(&declines, &wanted)), "rates": [], "quoted_items": [],
        })
        .into());
    }
    Ok(json!({
        "rates": quotes.iter().map(|quote| rate(&job, quote)).collect::<Vec<_>>(),
        "quoted_items": job.lines.iter().map(quoted_item).collect::<Vec<_>>(),
    })
    .into())
}

/// Converts the cart of a shop platform into a routes request.
fn cart_to_order(request: LivePricingRequest) -> Result<ConsignmentRequest, Refusal> {
    let quote = request.quote.unwrap_or_default();
    let warehouse = quote.warehouse.unwrap_or_default();
    let shipping_address = quote.shipping_address.unwrap_or_default();
    let options = quote.shipping_options.unwrap_or_default();
    let from_country = country("from", &warehouse)?;
    let to_country = country("to", &shipping_address)?;
    let international = from_country.code != to_country.code;
    let (from, from_abroad) = party(warehouse, from_country, international);
    let (to, to_abroad) = party(shipping_address, to_country, international);
    let questions = [
        (RESIDENTIAL, options.residential),
        (AUTHORITY_TO_LEAVE, options.authority_to_leave),
    ];
    let questions = questions.into_iter();
    let questions = questions.filter(|(_, asked)| *asked == Some(true));
    let items = quote.items.unwrap_or_default().into_iter();
    let items = items.map(|item| routes_item(item, from_country));
    Ok(ConsignmentRequest {
        from,
        from_abroad,
        to,
        to_abroad,
        is_international: Some(international),
        despatch_date_time_utc: options.despatch_datetime_utc,
        options: Options {
            question_ids: questions.map(|(id, _)| id).collect(),
            ..Options::default()
        },
        items: Some(items.collect()),
        ..ConsignmentRequest::default()
    })
}

fn country(prefix: &str, side: &PricingPlace) -> Result<&'static Country, Refusal> {
    let written = side.country.as_deref().unwrap_or(AUSTRALIA);
    let found = catalogue().country_by_code_or_name(written);
    let message = || format!("Invalid {prefix} location: {written} is not served");
    found.ok_or_else(|| Refusal::general(message()))
}

fn party(side: PricingPlace, country: &Country, international: bool) -> (PartyFields, PlaceAbroad) {
    let (mut party, mut abroad) = (PartyFields::default(), PlaceAbroad::default());
    if international && country.code != AUSTRALIA {
        party.country_code = Some(country.code.clone());
        abroad.city = side.city;
        abroad.postcode = side.postal_code;
        abroad.province = side.province;
    } else {
        party.location = Some(Suburb {
            suburb: side.city.unwrap_or_default(),
            postcode: side.postal_code,
        });
    }
    (party, abroad)
}

fn routes_item(item: PricingItem, made_in: &Country) -> ItemRequest {
    let meta = item.product_meta.as_ref();
    let oversize = meta.and_then(|meta| meta.get("oversize"));
    let item_type = if oversize.is_some_and(is_true) {
        "Skid"
    } else {
        "Carton"
    };
    // Contents of domestic items are ignored.
    let contents = ContentsRequest {
        description: item.name.clone(),
        reference1: item.sku.clone(),
        quantity: item.quantity,
        purpose: Some("Sale".to_owned()),
        country_of_manufacture_code: Some(made_in.code.clone()),
        dollar_value: item.price,
        ..ContentsRequest::default()
    };
    ItemRequest {
        item_type: Some(item_type.to_owned()),
        name: item.name,
        sku: item.sku,
        quantity: item.quantity,
        standard_item: Some(item.measures),
        consignment_item_contents: Some(vec![contents]),
        ..ItemRequest::default()
    }
}

/// Reads a flag, which platforms write as a boolean, as text or as 1.
fn is_true(flag: &Value) -> bool {
    match flag {
        Value::Bool(flag) => *flag,
        Value::Number(number) => number.as_i64() == Some(1),
        Value::String(text) => matches!(text.to_ascii_lowercase().as_str(), "true" | "yes" | "1"),
        _ => false,
    }
}

fn rate(job: &Job, quote: &Quote) -> Value {
    let eta = quote.despatch_options.first().map(|trip| &trip.eta);
    let (carrier, service) = (quote.carrier, quote.service);
    let questions = job.options.question_ids.iter().map(i64::to_string);
    json!({
        "service_name": format!("{} {}", carrier.display_name, service.display_name),
        "description": eta.map(|eta| format!("Arrives {}", eta.strftime("%A %-d %B"))),
        "carrier_id": carrier.id.to_string(), "service_id": service.id.to_string(),
        "questionIds": questions.collect::<Vec<_>>(),
        "total_price_exc_tax": number(quote.price.before_tax()), "total_price": number(quote.price.total()),
        "currency": if job.from.place.country == "NZL" { "NZD" } else { "AUD" },
        "eta": eta.map(|eta| format!("{}Z", utc_text(eta.timestamp()))),
    })
}

fn quoted_item(line: &Line) -> Value {
    json!({
        "name": line.name, "sku": line.sku, "quantity": line.quantity, "width": number(line.width),
        "length": number(line.length), "height": number(line.height), "itemType": line.item_type,
        "weight": number(line.weight),
        "consignmentItemContents": [{ "description": line.name, "reference1": line.sku, "quantity": line.quantity }],
    })
}
