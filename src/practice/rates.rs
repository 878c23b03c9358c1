//! Quotes: price and transit time of a job with every carrier service that the company has a rate card for.
//!
//! Transit times are counted in business days of the receiver's country, or in hours. The rates are explained in
//! `assets/practice/carriers.json`. Results are deterministic: they depend only on the job and the time of the
//! request.

use jiff::civil::{Date, DateTime, Time, time};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan, Zoned};
use rust_decimal::Decimal;

use super::catalogue::{Account, Carrier, Company, Place, Service, catalogue, time_zone};
use super::consignment::{Job, Price, Surcharge, cents};

/// The number of despatch options in a quote.
const OPTIONS: usize = 3;

/// One carrier service that can carry a job, with its price.
#[derive(Debug)]
pub(crate) struct Quote {
    pub(crate) carrier: &'static Carrier,
    pub(crate) service: &'static Service,
    pub(crate) account: &'static Account,
    pub(crate) price: Price,
    /// The despatch options, soonest first and never empty.
    pub(crate) despatch_options: Vec<DespatchOption>,
}

/// The reason why a carrier, or one of its services, does not carry a job.
#[derive(Debug)]
pub(crate) struct Decline {
    pub(crate) carrier: &'static Carrier,
    /// None if all services of the carrier decline for the same reason.
    pub(crate) service: Option<&'static Service>,
    pub(crate) reason: String,
}

impl Decline {
    /// Returns true if the carrier declines because of the dangerous goods in the job.
    pub(crate) fn is_about_dangerous_goods(&self) -> bool {
        self.reason.ends_with("dangerous goods")
    }
}

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
            && (self.company_carrier_account)
                .is_none_or(|id| id == account.company_carrier_account_id)
    }
}

/// Returns all quotes, cheapest first, and the carriers that decline with their reasons.
pub(crate) fn quotes(
    company: &'static Company,
    job: &Job,
    wanted: &QuoteFilter,
) -> (Vec<Quote>, Vec<Decline>) {
    let mut quotes = Vec::new();
    let mut declines: Vec<Decline> = Vec::new();
    let accounts = company.accounts.iter();
    for account in accounts.filter(|account| wanted.takes(account)) {
        let Some(carrier) = catalogue().carrier(account.carrier_id) else {
            continue;
        };
        let services = carrier.services.iter();
        let mut reasons = Vec::new();
        for service in services.filter(|own| wanted.service.is_none_or(|id| id == own.id)) {
            match quote(carrier, service, account, job) {
                Ok(quote) => quotes.push(quote),
                Err(reason) => reasons.push((service, reason)),
            }
        }
        let mut others = declines.iter();
        if others.all(|decline| decline.carrier.id != carrier.id) {
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

fn quote(
    carrier: &'static Carrier,
    service: &'static Service,
    account: &'static Account,
    job: &Job,
) -> Result<Quote, String> {
    let price = price(carrier, service, account, job)?;
    let hours = PickupHours::new(carrier, &job.from.place);
    let mut despatch_options = Vec::with_capacity(OPTIONS);
    let mut from = job.not_before.to_zoned(hours.zone.clone());
    for _ in 0..OPTIONS {
        let despatch = hours.first(&from, hours.opens);
        from = next_morning(&despatch);
        despatch_options.push(despatch_option(
            service,
            &job.from.place,
            &job.to.place,
            &despatch,
        ));
    }
    Ok(Quote {
        carrier,
        service,
        account,
        price,
        despatch_options,
    })
}

impl Quote {
    /// Returns a sort key that puts the cheapest quote first, then the soonest, then the lowest service id.
    pub(crate) fn by_price(&self) -> (Decimal, Timestamp, i64, i64) {
        let (eta, price) = (self.eta(), self.price.total());
        (price, eta, self.service.id, self.account.id)
    }

    /// Returns a sort key that puts the soonest quote first, then the cheapest.
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
    carrier: &Carrier,
    service: &Service,
    account: &Account,
    job: &Job,
) -> Result<Price, String> {
    takes_lane(carrier, job)?;
    takes_goods(carrier, job)?;
    let elective = electives(carrier, job)?;
    let band = catalogue().band(&job.from.place, &job.to.place);
    let multiplier = service.bands.get(band).ok_or("does not serve this lane")?;
    let zone = catalogue().zone(&job.to.place.zone);
    let factor = zone.map_or(Decimal::ONE, |zone| zone.factor);
    let chargeable = job.weight().max(job.cubic() * carrier.cubic_kg_per_m3);
    let full =
        ((service.base + service.per_kg * chargeable) * multiplier * factor).max(service.minimum);
    let freight =
        cents(full * (Decimal::ONE_HUNDRED - account.discount_percent) / Decimal::ONE_HUNDRED);
    let tax_percent = match catalogue().country(&job.from.place.country) {
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
        margin_percent: catalogue().margin_percent,
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
            let class = catalogue().values.class_label(good.class);
            let class = class.unwrap_or_default();
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
        if line.longest_side() > carrier.max_piece_cm {
            return Err(format!("takes at most {} cm a piece", carrier.max_piece_cm));
        }
    }
    Ok(())
}

fn electives(carrier: &Carrier, job: &Job) -> Result<Vec<Surcharge>, String> {
    let asked = job.options.question_ids.iter();
    asked
        .map(|id| {
            let name = catalogue().values.questions.get(id);
            let name = name.map_or("such option", String::as_str);
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
    let lines = job.lines.iter();
    let long = lines.filter(|line| line.longest_side() > oversize.over_cm);
    let pieces: i64 = long.map(|line| line.quantity).sum();
    if pieces > 0 {
        surcharges.push(surcharge("oversize", oversize.fee * Decimal::from(pieces)));
    }
    surcharges
}

/// Nothing is delivered before this time.
const EARLIEST: Time = time(7, 0, 0, 0);
/// Delivery time of goods that arrive overnight.
const MORNING: Time = time(9, 0, 0, 0);
/// The maximum number of days to search for a business day.
const DAYS_AHEAD: u32 = 90;

/// A despatch option: despatch and arrival, each in the time zone of its place.
#[derive(Debug, Clone)]
pub(crate) struct DespatchOption {
    pub(crate) despatch: Zoned,
    pub(crate) eta: Zoned,
    pub(crate) business_days: u32,
    /// Whether a day in transit is a public holiday.
    pub(crate) holiday_on_the_way: bool,
    pub(crate) by_the_hour: bool,
}

impl DespatchOption {
    pub(crate) fn minutes(&self) -> i64 {
        self.eta.duration_since(&self.despatch).as_mins()
    }
}

/// Returns the despatch option of a service for goods that leave at `despatch`.
pub(crate) fn despatch_option(
    service: &Service,
    from: &Place,
    to: &Place,
    despatch: &Zoned,
) -> DespatchOption {
    let band = catalogue().band(from, to);
    let arrival_zone = time_zone(&to.time_zone);
    let leaves = despatch.with_time_zone(arrival_zone.clone());
    let (date, at, by_the_hour) = if let Some(hours) = service.hours.get(band) {
        let arrives = leaves.saturating_add(SignedDuration::from_hours(i64::from(*hours)));
        let (date, at) = delivered(service, to, arrives.date(), arrives.time());
        (date, at, true)
    } else {
        let zone = catalogue().zone(&to.zone);
        let extra = zone.map_or(0, |zone| zone.extra_days);
        let days = service.days.get(band).copied().unwrap_or(1) + extra;
        let date = after_business_days(to, leaves.date(), days);
        (date, service.deliver_by, false)
    };
    let eta = date.to_datetime(at).to_zoned(arrival_zone);
    let on_the_way = leaves.date().series(1.day()).skip(1);
    let mut on_the_way = on_the_way.take_while(|day| *day <= date);
    let business_days = on_the_way.clone();
    let business_days = business_days.filter(|day| catalogue().is_business_day(&to.country, *day));
    DespatchOption {
        despatch: despatch.clone(),
        business_days: u32::try_from(business_days.count()).unwrap_or(u32::MAX),
        holiday_on_the_way: on_the_way.any(|day| catalogue().is_holiday(&to.country, day)),
        eta: eta.unwrap_or(leaves),
        by_the_hour,
    }
}

/// Returns the following midnight, from which the next business day is searched.
pub(crate) fn next_morning(despatch: &Zoned) -> Zoned {
    let midnight = despatch.tomorrow().and_then(|day| day.start_of_day());
    midnight.unwrap_or_else(|_| despatch.clone())
}

/// Returns the delivery time. Goods that arrive too early or too late in the day are delivered in the morning
/// of a business day.
fn delivered(service: &Service, to: &Place, date: Date, at: Time) -> (Date, Time) {
    let business = catalogue().is_business_day(&to.country, date);
    if business && (EARLIEST..=service.deliver_by).contains(&at) {
        (date, at)
    } else if business && at < EARLIEST {
        (date, MORNING)
    } else {
        (after_business_days(to, date, 1), MORNING)
    }
}

fn after_business_days(to: &Place, from: Date, days: u32) -> Date {
    let later = (1..=i64::from(DAYS_AHEAD)).map(|ahead| from.saturating_add(ahead.days()));
    let mut business = later.filter(|day| catalogue().is_business_day(&to.country, *day));
    let index = usize::try_from(days.saturating_sub(1)).unwrap_or(0);
    business.nth(index).unwrap_or(from)
}

/// How many days ahead a pickup is searched for.
const PICKUP_DAYS_AHEAD: usize = 30;

/// A carrier's pickup hours at one place.
#[derive(Debug)]
pub(crate) struct PickupHours<'a> {
    country: &'a str,
    pub(crate) zone: TimeZone,
    /// A pickup without a requested time is at the opening time.
    pub(crate) opens: Time,
    pub(crate) closes: Time,
}

impl<'a> PickupHours<'a> {
    pub(crate) fn new(carrier: &Carrier, place: &'a Place) -> Self {
        Self {
            country: &place.country,
            zone: time_zone(&place.time_zone),
            opens: carrier.opens,
            closes: carrier.closes,
        }
    }

    /// Returns whether the carrier collects at this local time.
    pub(crate) fn contains(&self, local: DateTime) -> bool {
        self.is_open_on(local.date()) && (self.opens..=self.closes).contains(&local.time())
    }

    fn is_open_on(&self, date: Date) -> bool {
        catalogue().is_business_day(self.country, date)
    }

    /// Returns the first time at or after `from` when the carrier collects. If the carrier does not collect at `from`
    /// itself, the time of day is `preferred`, limited to the carrier's hours.
    pub(crate) fn first(&self, from: &Zoned, preferred: Time) -> Zoned {
        let local = from.datetime();
        if self.contains(local) {
            return from.clone();
        }
        let is_early = local.time() < self.opens;
        let tomorrow = local.date().saturating_add(1.day());
        let mut date = if is_early { local.date() } else { tomorrow };
        for _ in 0..PICKUP_DAYS_AHEAD {
            let time = preferred.clamp(self.opens, self.closes);
            if self.is_open_on(date)
                && let Ok(found) = date.to_datetime(time).to_zoned(self.zone.clone())
            {
                return found;
            }
            date = date.saturating_add(1.day());
        }
        from.clone()
    }
}
