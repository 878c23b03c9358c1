//! Live pricing: turns the cart of a shop platform into a routes request, and the routes into rates.
//!
//! The mapping is specific to the practice service: an item becomes a Carton, or a Skid if its `product_meta`
//! has `oversize`. Missing measures are taken from the saved item with the same SKU.

use serde_json::{Value, json};

use super::PracticeService;
use super::routes::no_route;
use crate::catalogue::Country;
use crate::consignment::{Job, Line};
use crate::rates::{Quote, QuoteFilter, quotes};
use crate::rules::{self, AUSTRALIA, OperationVariant, Purpose};
use crate::store::User;
use crate::wire::{
    ConsignmentRequest, Failure, LivePricingRequest, PricingItem, PricingPlace, QuoteRequest,
    Refusal, number, utc_text,
};

const RESIDENTIAL: i64 = 13;
const AUTHORITY_TO_LEAVE: i64 = 14;

impl PracticeService {
    /// Returns the middleware's answer to a request for prices. The HTTP layer turns failures into
    /// the member `error`.
    pub(crate) fn live_prices(&self, user: &User, body: &[u8]) -> Result<Value, Failure> {
        let unreadable =
            |error| Failure::Unreadable(format!("The request could not be read: {error}"));
        let asked: LivePricingRequest = serde_json::from_slice(body).map_err(unreadable)?;
        let company = rules::company(&self.catalogue, user, None)?;
        let order = self.routes_order(&asked.quote)?;
        let context = self.rule_context(company, OperationVariant::Complex, Purpose::Routes);
        let job = rules::check_order(&context, &order)?;
        let (quotes, declines) = quotes(&self.catalogue, company, &job, &QuoteFilter::default());
        if quotes.is_empty() {
            let reasons = no_route(&declines, &QuoteFilter::default());
            let reasons: Vec<&str> = reasons.iter().map(Refusal::message).collect();
            return Ok(json!({
                "is_error": true, "error_message": reasons.join("; "), "rates": [], "quoted_items": [],
            }));
        }
        Ok(json!({
            "rates": quotes.iter().map(|quote| rate(&job, quote)).collect::<Vec<_>>(),
            "quoted_items": job.lines.iter().map(quoted_item).collect::<Vec<_>>(),
        }))
    }

    /// Converts the cart into a routes request.
    fn routes_order(&self, quote: &QuoteRequest) -> Result<ConsignmentRequest, Failure> {
        let from = self.country("from", &quote.warehouse)?;
        let to = self.country("to", &quote.shipping_address)?;
        let international = from.code != to.code;
        let options = &quote.shipping_options;
        let wanted = [
            (RESIDENTIAL, options.residential),
            (AUTHORITY_TO_LEAVE, options.authority_to_leave),
        ];
        let questions = wanted.into_iter().filter(|(_, asked)| *asked == Some(true));
        let items = quote.items.iter().flatten();
        let items = items.map(|item| routes_item(item, &from.code, international));
        let mut order = json!({
            "isInternational": international, "despatchDateTimeUtc": options.despatch_datetime_utc,
            "questionIds": questions.map(|(id, _)| id).collect::<Vec<_>>(), "items": items.collect::<Vec<_>>(),
        });
        for (prefix, title, side, country) in [
            ("from", "From", &quote.warehouse, from),
            ("to", "To", &quote.shipping_address, to),
        ] {
            let abroad = international && country.code != AUSTRALIA;
            if abroad {
                order[format!("{prefix}CountryCode")] = json!(country.code);
                order[format!("international{title}City")] = json!(side.city);
                order[format!("international{title}Postcode")] = json!(side.postal_code);
                order[format!("international{title}Province")] = json!(side.province);
            } else {
                let city = side.city.as_deref().unwrap_or_default();
                order[format!("{prefix}Location")] =
                    json!({ "suburb": city, "postcode": side.postal_code });
            }
        }
        serde_json::from_value(order).map_err(Failure::broken)
    }

    fn country(&self, prefix: &str, side: &PricingPlace) -> Result<&Country, Refusal> {
        let written = side.country.as_deref().unwrap_or(AUSTRALIA);
        let found = self.catalogue.geography.country_by_code_or_name(written);
        let message = || format!("Invalid {prefix} location: {written} is not served");
        found.ok_or_else(|| Refusal::general(message()))
    }
}

fn routes_item(item: &PricingItem, made_in: &str, international: bool) -> Value {
    let meta = item.product_meta.as_ref();
    let is_oversize = meta
        .and_then(|meta| meta.get("oversize"))
        .is_some_and(is_true);
    let item_type = if is_oversize { "Skid" } else { "Carton" };
    let contents = json!([{
        "description": item.name, "reference1": item.sku, "quantity": item.quantity, "purpose": "Sale",
        "countryOfManufactureCode": made_in, "dollarValue": item.price.map(number),
    }]);
    json!({
        "itemType": item_type, "name": item.name, "sku": item.sku, "quantity": item.quantity,
        "standardItem": {
            "weight": item.weight.map(number), "length": item.length.map(number), "width": item.width.map(number),
            "height": item.height.map(number),
        },
        "consignmentItemContents": international.then_some(contents),
    })
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

fn rate(job: &Job, quote: &Quote<'_>) -> Value {
    let eta = quote.despatch_options.first().map(|trip| &trip.eta);
    let (carrier, service) = (quote.carrier, quote.service);
    let questions = job.question_ids.iter().map(i64::to_string);
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
