//! Quotes: price and transit time of a job with every carrier service that the company has a rate card for.
//!
//! The rates are explained in `assets/practice/carriers.json`. Results are deterministic: they depend only on
//! the job and the time of the request.

mod price;
mod transit;

use jiff::Timestamp;
use rust_decimal::Decimal;

use super::catalogue::{Account, Carrier, Catalogue, Company, Service};
use super::consignment::{Job, Price};
use super::rules::PickupHours;

pub(crate) use transit::{DespatchOption, arrival, next_morning};

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
    fn takes(&self, account: &Account) -> bool {
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
    for account in company
        .accounts
        .iter()
        .filter(|account| wanted.takes(account))
    {
        let Some(carrier) = catalogue.carrier(account.carrier_id) else {
            continue;
        };
        let services = carrier
            .services
            .iter()
            .filter(|service| wanted.service.is_none_or(|id| id == service.id));
        let mut reasons = Vec::new();
        for service in services {
            match quote(catalogue, carrier, service, account, job) {
                Ok(quote) => quotes.push(quote),
                Err(reason) => reasons.push((service, reason)),
            }
        }
        if !declines
            .iter()
            .any(|decline| decline.carrier.id == carrier.id)
        {
            let whole = reasons.len() == carrier.services.len()
                && reasons.windows(2).all(|pair| pair[0].1 == pair[1].1);
            let kept = if whole { 1 } else { reasons.len() };
            declines.extend(
                reasons
                    .into_iter()
                    .take(kept)
                    .map(|(service, reason)| Decline {
                        carrier,
                        service: Some(service).filter(|_| !whole),
                        reason,
                    }),
            );
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
    let price = price::price(catalogue, carrier, service, account, job)?;
    let hours = PickupHours::new(catalogue, carrier, &job.from.place);
    let mut trips: Vec<DespatchOption> = Vec::with_capacity(OPTIONS);
    let mut from = job.not_before.to_zoned(hours.zone().clone());
    for _ in 0..OPTIONS {
        let despatch = hours.first(&from, hours.opens());
        trips.push(transit::despatch_option(
            catalogue,
            service,
            &job.from.place,
            &job.to.place,
            &despatch,
        ));
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
        (
            self.price.total(),
            self.eta(),
            self.service.id,
            self.account.id,
        )
    }

    /// Returns a sort key: the soonest first, then the cheapest.
    pub(crate) fn by_speed(&self) -> (Timestamp, Decimal, i64, i64) {
        (
            self.eta(),
            self.price.total(),
            self.service.id,
            self.account.id,
        )
    }

    fn eta(&self) -> Timestamp {
        self.despatch_options
            .first()
            .map_or(Timestamp::MAX, |trip| trip.eta.timestamp())
    }
}
