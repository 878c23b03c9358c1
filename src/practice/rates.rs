//! What a job costs and how long it takes, by every carrier service that the company has a rate card for.
//!
//! The rate is stated in `assets/practice/carriers.json`; the same job at the same moment always gets the same answer.

mod price;
mod transit;

use jiff::Timestamp;
use rust_decimal::Decimal;

use super::catalogue::{Account, Carrier, Catalogue, Company, Service};
use super::consignment::{Job, Price};
use super::rules::Hours;

pub(crate) use transit::{Trip, arrival, next_morning};

/// How many despatch options a route offers.
const OPTIONS: usize = 3;

/// One way to carry a job.
#[derive(Debug)]
pub(crate) struct Quote<'a> {
    pub(crate) carrier: &'a Carrier,
    pub(crate) service: &'a Service,
    pub(crate) account: &'a Account,
    pub(crate) price: Price,
    /// Soonest first, never empty.
    pub(crate) trips: Vec<Trip>,
}

/// Why a carrier, or one service of it, does not carry a job.
#[derive(Debug)]
pub(crate) struct Decline<'a> {
    pub(crate) carrier: &'a Carrier,
    /// None when all of its services decline for the same reason.
    pub(crate) service: Option<&'a Service>,
    pub(crate) reason: String,
}

impl Decline<'_> {
    /// Whether it is dangerous goods that the carrier does not take, all or these.
    pub(crate) fn is_about_dangerous_goods(&self) -> bool {
        self.reason.ends_with("dangerous goods")
    }
}

/// What narrows the choice.
#[derive(Debug, Default, Clone)]
pub(crate) struct Wanted {
    /// Any when empty.
    pub(crate) carriers: Vec<i64>,
    pub(crate) service: Option<i64>,
    pub(crate) account: Option<i64>,
    pub(crate) company_carrier_account: Option<i64>,
}

impl Wanted {
    fn takes(&self, account: &Account) -> bool {
        (self.carriers.is_empty() || self.carriers.contains(&account.carrier_id))
            && self.account.is_none_or(|id| id == account.id)
            && self
                .company_carrier_account
                .is_none_or(|id| id == account.company_carrier_account_id)
    }
}

/// Every way, cheapest first, and who declines why.
pub(crate) fn quotes<'a>(
    catalogue: &'a Catalogue,
    company: &'a Company,
    job: &Job,
    wanted: &Wanted,
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
    let hours = Hours::new(catalogue, carrier, &job.from.place);
    let mut trips: Vec<Trip> = Vec::with_capacity(OPTIONS);
    let mut from = job.not_before.to_zoned(hours.zone().clone());
    for _ in 0..OPTIONS {
        let despatch = hours.first(&from, hours.opens());
        trips.push(transit::trip(
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
        trips,
    })
}

impl Quote<'_> {
    /// Orders the cheapest first; among equals the soonest, then the lowest service id.
    pub(crate) fn by_price(&self) -> (Decimal, Timestamp, i64, i64) {
        (
            self.price.total(),
            self.eta(),
            self.service.id,
            self.account.id,
        )
    }

    /// Orders the soonest first; among equals the cheapest.
    pub(crate) fn by_speed(&self) -> (Timestamp, Decimal, i64, i64) {
        (
            self.eta(),
            self.price.total(),
            self.service.id,
            self.account.id,
        )
    }

    fn eta(&self) -> Timestamp {
        self.trips
            .first()
            .map_or(Timestamp::MAX, |trip| trip.eta.timestamp())
    }
}
