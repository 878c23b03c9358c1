//! The routes card: offers with their price parts and times, live prices, and changes of the chosen route.

use rust_decimal::Decimal;

use draft::{ChosenCarrier, ChosenRoute, Routing};
use shipping::{CarrierServiceId, Dollars, LocalTime, Question};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RouteView {
    /// An offer of a carrier.
    Offer {
        /// The route to put into the draft if the offer is picked.
        route: ChosenRoute,
        /// Price without tax.
        before_tax: Option<Dollars>,
        /// Despatch time in the sender's time zone.
        despatch: Option<LocalTime>,
        /// True for the lowest price.
        cheapest: bool,
        /// True for the earliest arrival.
        fastest: bool,
        /// Details shown while the offer is picked.
        details: RouteDetails,
    },
    /// A carrier without an offer.
    Refusal {
        /// The carrier's name.
        carrier: String,
        /// The carrier's reason, such as "takes no dangerous goods".
        reason: String,
    },
}

impl RouteView {
    /// Returns the offer that Send will use: the chosen one, the cheapest or the fastest.
    pub fn taken<'r>(routing: &Routing, routes: &'r [Self]) -> Option<&'r Self> {
        let is_taken = |view: &&Self| match (view, routing) {
            (Self::Offer { cheapest, .. }, Routing::Cheapest) => *cheapest,
            (Self::Offer { fastest, .. }, Routing::Fastest) => *fastest,
            _ => false,
        };
        let Routing::Chosen(chosen) = routing else {
            return routes.iter().find(is_taken);
        };
        let chosen = chosen.among(routes.iter().filter_map(Self::route))?;
        let is_chosen = |view: &&Self| view.route().is_some_and(|one| std::ptr::eq(one, chosen));
        routes.iter().find(is_chosen)
    }

    /// Returns the route of an offer; `None` for a refusal.
    pub const fn route(&self) -> Option<&ChosenRoute> {
        match self {
            Self::Offer { route, .. } => Some(route),
            Self::Refusal { .. } => None,
        }
    }

    /// Returns the question to ask before Send, if the offer costs more than `dear_percent` above the
    /// cheapest. Returns `None` if it does not, or if prices are not known.
    pub fn price_question(
        routing: &Routing,
        routes: &[Self],
        dear_percent: Option<u32>,
    ) -> Option<String> {
        let most = Decimal::from(dear_percent?) + Decimal::ONE_HUNDRED;
        let taken = Self::taken(routing, routes)?.route()?;
        let cheapest = Self::taken(&Routing::Cheapest, routes)?.route()?;
        let (price, lowest) = (taken.price?.0, cheapest.price?.0);
        let is_dear = price.checked_mul(Decimal::ONE_HUNDRED)? > lowest.checked_mul(most)?;
        is_dear.then(|| {
            format!(
                "{} {} costs ${price:.2}; the cheapest is ${lowest:.2}",
                taken.carrier, taken.service
            )
        })
    }
}

/// Details of an offer.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RouteDetails {
    /// The parts of the price, including tax.
    pub parts: Vec<PricePart>,
    /// Possible despatch times, the earliest first.
    pub despatches: Vec<DespatchView>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PricePart {
    /// Name of the part, such as "Fuel levy, 16.4 %".
    pub name: String,
    pub amount: Dollars,
    /// GST, which is listed after the subtotal.
    pub is_tax: bool,
}

/// A despatch time of an offer, with its arrival.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DespatchView {
    /// Despatch time in the sender's time zone.
    pub leaves: Option<LocalTime>,
    /// ETA in the receiver's time zone.
    pub eta: Option<LocalTime>,
    /// The arrival in the carrier's own words; empty if there are none.
    pub eta_words: String,
    /// Business days in transit.
    pub business_days: Option<i64>,
    /// True if a public holiday causes a delay.
    pub holiday: bool,
    /// True if the arrival is a time window rather than a moment.
    pub window: bool,
    /// True if the carrier accepts a date but no time of day.
    pub dates_only: bool,
}

/// A difference between the chosen route and its present offer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RouteChange {
    /// The route as it was chosen or last acknowledged.
    pub was: ChosenRoute,
    /// True if the route is no longer offered.
    pub gone: bool,
    /// The message, such as "Southern Cross Road: $18.40 → $19.10, arrives a day later".
    pub message: String,
}

/// A price from the middleware.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiveRate {
    /// Name of the rate, such as "Southern Cross Road".
    pub name: String,
    /// Description, such as "There on Tuesday 24 November"; may be empty.
    pub description: String,
    /// Price with tax.
    pub price: Option<Dollars>,
    /// Price without tax.
    pub before_tax: Option<Dollars>,
    /// Currency code, such as `AUD`.
    pub currency: String,
    /// ETA in the receiver's time zone if that is known, otherwise in the bench's.
    pub eta: Option<LocalTime>,
    /// Options that the price depends on.
    pub questions: Vec<Question>,
    pub carrier_id: String,
    pub service_id: String,
    /// The company's carrier and service with these ids, if it has them.
    pub carrier: Option<ChosenCarrier>,
}

impl LiveRate {
    /// Returns true if the price is for this service.
    pub fn is_for(&self, service: CarrierServiceId) -> bool {
        self.carrier
            .as_ref()
            .is_some_and(|carrier| carrier.service_id == Some(service))
    }
}
