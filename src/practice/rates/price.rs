//! The price of a job by a carrier's rates, and the checks whether the carrier takes the goods.

use rust_decimal::Decimal;

use crate::catalogue::{Account, Carrier, Catalogue, Service, class_label};
use crate::consignment::{Job, Line, Price, Surcharge, cents};
use crate::rules::question_name;

/// Returns the price, or the reason why the carrier does not carry the job with this service.
pub(super) fn price(
    catalogue: &Catalogue,
    carrier: &Carrier,
    service: &Service,
    account: &Account,
    job: &Job,
) -> Result<Price, String> {
    takes_lane(carrier, job)?;
    takes_goods(carrier, job)?;
    let elective = electives(carrier, job)?;
    let band = catalogue.geography.band(&job.from.place, &job.to.place);
    let multiplier = service
        .bands
        .get(band)
        .ok_or_else(|| "does not serve this lane".to_owned())?;
    let factor = catalogue
        .geography
        .zone(&job.to.place.zone)
        .map_or(Decimal::ONE, |zone| zone.factor);
    let chargeable = job.weight().max(job.cubic() * carrier.cubic_kg_per_m3);
    let full =
        ((service.base + service.per_kg * chargeable) * multiplier * factor).max(service.minimum);
    let freight =
        cents(full * (Decimal::ONE_HUNDRED - account.discount_percent) / Decimal::ONE_HUNDRED);
    let tax_percent = match catalogue.geography.country(&job.from.place.country) {
        Some(country) if !job.international => country.tax_percent,
        _ => Decimal::ZERO,
    };
    let mut price = Price {
        freight,
        fuel_levy: cents(freight * carrier.fuel_levy_percent / Decimal::ONE_HUNDRED),
        automatic: automatic(carrier, job),
        elective,
        tax: Decimal::ZERO,
        tax_percent,
        fuel_levy_percent: carrier.fuel_levy_percent,
        margin_percent: catalogue.margin_percent,
    };
    price.tax = cents(price.before_tax() * tax_percent / Decimal::ONE_HUNDRED);
    Ok(price)
}

fn takes_lane(carrier: &Carrier, job: &Job) -> Result<(), String> {
    let (from, to) = (&job.from.place.country, &job.to.place.country);
    let takes = if from == to {
        carrier.countries.contains(from)
    } else {
        carrier.overseas.contains(from) && carrier.overseas.contains(to)
    };
    if takes {
        Ok(())
    } else if from == to {
        Err(format!("does not carry within {from}"))
    } else {
        Err(format!("does not carry from {from} to {to}"))
    }
}

fn takes_goods(carrier: &Carrier, job: &Job) -> Result<(), String> {
    for good in job.lines.iter().flat_map(|line| &line.goods) {
        if carrier.dangerous_goods_classes.is_empty() {
            return Err("takes no dangerous goods".to_owned());
        }
        if !carrier.dangerous_goods_classes.contains(&good.class) {
            return Err(format!(
                "takes no class {} dangerous goods",
                class_label(good.class).unwrap_or_default()
            ));
        }
    }
    for line in &job.lines {
        if !carrier.item_types.is_empty() && !carrier.item_types.contains(&line.item_type) {
            return Err(format!("does not take the item type {}", line.item_type));
        }
        if line.weight > carrier.max_piece_kg {
            return Err(format!("takes at most {} kg a piece", carrier.max_piece_kg));
        }
        if longest(line) > carrier.max_piece_cm {
            return Err(format!("takes at most {} cm a piece", carrier.max_piece_cm));
        }
    }
    Ok(())
}

fn electives(carrier: &Carrier, job: &Job) -> Result<Vec<Surcharge>, String> {
    let asked = job.question_ids.iter();
    asked
        .map(|id| {
            let name = question_name(*id).unwrap_or("such option");
            let amount = carrier
                .electives
                .get(id)
                .ok_or_else(|| format!("offers no {name}"))?;
            Ok(Surcharge {
                question_id: Some(*id),
                name: name.to_owned(),
                amount: *amount,
            })
        })
        .collect()
}

fn automatic(carrier: &Carrier, job: &Job) -> Vec<Surcharge> {
    let surcharge = |name: &str, amount| Surcharge {
        question_id: None,
        name: name.to_owned(),
        amount,
    };
    let mut surcharges = Vec::new();
    if job.holds_dangerous_goods() {
        surcharges.push(surcharge("dangerous goods", carrier.dangerous_goods_fee));
    }
    let long = job
        .lines
        .iter()
        .filter(|line| longest(line) > carrier.oversize.over_cm);
    let pieces: i64 = long.map(|line| line.quantity).sum();
    if pieces > 0 {
        surcharges.push(surcharge(
            "oversize",
            carrier.oversize.fee * Decimal::from(pieces),
        ));
    }
    surcharges
}

fn longest(line: &Line) -> Decimal {
    line.length.max(line.width).max(line.height)
}
