//! Quotes: price and transit time of a job with every carrier service that the company has a rate card for.
//!
//! The rates are explained in `assets/practice/carriers.json`. Results are deterministic: they depend only on
//! the job and the time of the request.

mod transit;

use jiff::Timestamp;
use rust_decimal::Decimal;

use super::catalogue::{Account, Carrier, Catalogue, Company, Service, class_label};
use super::consignment::{Job, Line, Price, Surcharge, cents};
use super::rules::question_name;

pub(crate) use transit::{DespatchOption, PickupHours, despatch_option, next_morning};

/// The number of despatch options in a quote.
const OPTIONS: usize = 3;

/// One carrier service that can carry a job, with its price.
#[derive(Debug)]
pub(crate) struct Quote<'a> {
    pub(crate) carrier: &'a Carrier,
    pub(crate) service: &'a Service,
    pub(crate) account: &'a Account,
    pub(crate) price: Price,
    /// The despatch options, soonest first and never empty.
    pub(crate) despatch_options: Vec<DespatchOption>,
}

/// The reason why a carrier, or one of its services, does not carry a job.
#[derive(Debug)]
pub(crate) struct Decline<'a> {
    pub(crate) carrier: &'a Carrier,
    /// None if all services of the carrier decline for one reason.
    pub(crate) service: Option<&'a Service>,
    pub(crate) reason: String,
}

impl Decline<'_> {
    /// Returns true if the carrier declines because of the dangerous goods in the job.
    pub(crate) fn is_about_dangerous_goods(&self) -> bool {
        self.reason.ends_with("dangerous goods")
    }
}

/// A filter for the quotes.
#[derive(Debug, Default, Clone)]
pub(crate) struct QuoteFilter {
    /// An empty list means any carrier.
    pub(crate) carriers: Vec<i64>,
    pub(crate) service: Option<i64>,
    pub(crate) account: Option<i64>,
    pub(crate) company_carrier_account: Option<i64>,
}

impl QuoteFilter {
    pub(crate) fn takes(&self, account: &Account) -> bool {
        (self.carriers.is_empty() || self.carriers.contains(&account.carrier_id))
            && self.account.is_none_or(|id| id == account.id)
            && self
                .company_carrier_account
                .is_none_or(|id| id == account.company_carrier_account_id)
    }
}

/// Returns all quotes, cheapest first, and the carriers that decline with their reasons.
pub(crate) fn quotes<'a>(
    catalogue: &'a Catalogue,
    company: &'a Company,
    job: &Job,
    wanted: &QuoteFilter,
) -> (Vec<Quote<'a>>, Vec<Decline<'a>>) {
    let mut quotes = Vec::new();
    let mut declines: Vec<Decline<'a>> = Vec::new();
    let accounts = company.accounts.iter();
    for account in accounts.filter(|account| wanted.takes(account)) {
        let Some(carrier) = catalogue.carrier(account.carrier_id) else {
            continue;
        };
        let services = carrier.services.iter();
        let mut reasons = Vec::new();
        for service in services.filter(|own| wanted.service.is_none_or(|id| id == own.id)) {
            match quote(catalogue, carrier, service, account, job) {
                Ok(quote) => quotes.push(quote),
                Err(reason) => reasons.push((service, reason)),
            }
        }
        if declines
            .iter()
            .all(|decline| decline.carrier.id != carrier.id)
        {
            let whole = reasons.len() == carrier.services.len()
                && reasons.windows(2).all(|pair| pair[0].1 == pair[1].1);
            let kept = if whole { 1 } else { reasons.len() };
            let reasons = reasons.into_iter().take(kept);
            declines.extend(reasons.map(|(service, reason)| Decline {
                carrier,
                service: Some(service).filter(|_| !whole),
                reason,
            }));
        }
    }
    quotes.sort_by_key(Quote::by_price);
    (quotes, declines)
}

fn quote<'a>(
    catalogue: &'a Catalogue,
    carrier: &'a Carrier,
    service: &'a Service,
    account: &'a Account,
    job: &Job,
) -> Result<Quote<'a>, String> {
    let price = price(catalogue, carrier, service, account, job)?;
    let hours = PickupHours::new(catalogue, carrier, &job.from.place);
    let mut trips: Vec<DespatchOption> = Vec::with_capacity(OPTIONS);
    let mut from = job.not_before.to_zoned(hours.zone.clone());
    for _ in 0..OPTIONS {
        let despatch = hours.first(&from, hours.opens);
        let (from_place, to_place) = (&job.from.place, &job.to.place);
        let trip = despatch_option(catalogue, service, from_place, to_place, &despatch);
        trips.push(trip);
        from = next_morning(&despatch);
    }
    Ok(Quote {
        carrier,
        service,
        account,
        price,
        despatch_options: trips,
    })
}

impl Quote<'_> {
    /// Returns a sort key: the cheapest first, then the soonest, then the lowest service id.
    pub(crate) fn by_price(&self) -> (Decimal, Timestamp, i64, i64) {
        let (eta, price) = (self.eta(), self.price.total());
        (price, eta, self.service.id, self.account.id)
    }

    /// Returns a sort key: the soonest first, then the cheapest.
    pub(crate) fn by_speed(&self) -> (Timestamp, Decimal, i64, i64) {
        let (price, eta, service, account) = self.by_price();
        (eta, price, service, account)
    }

    fn eta(&self) -> Timestamp {
        let soonest = self.despatch_options.first();
        soonest.map_or(Timestamp::MAX, |trip| trip.eta.timestamp())
    }
}

/// Returns the price, or the reason why the carrier does not carry the job with this service.
fn price(
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
    let multiplier = service.bands.get(band).ok_or("does not serve this lane")?;
    let zone = catalogue.geography.zone(&job.to.place.zone);
    let factor = zone.map_or(Decimal::ONE, |zone| zone.factor);
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
            let class = class_label(good.class).unwrap_or_default();
            return Err(format!("takes no class {class} dangerous goods"));
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
            let amount = carrier.electives.get(id);
            let amount = amount.ok_or_else(|| format!("offers no {name}"))?;
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
    let oversize = &carrier.oversize;
    let long = job
        .lines
        .iter()
        .filter(|line| longest(line) > oversize.over_cm);
    let pieces: i64 = long.map(|line| line.quantity).sum();
    if pieces > 0 {
        surcharges.push(surcharge("oversize", oversize.fee * Decimal::from(pieces)));
    }
    surcharges
}

fn longest(line: &Line) -> Decimal {
    line.length.max(line.width).max(line.height)
}
