//! What the routes card shows: offers with their parts and times, live prices, and what changed under a choice.

use rust_decimal::Decimal;

use crate::draft::{ChosenCarrier, ChosenRoute, Routing};
use crate::shipping::{CarrierServiceId, Dollars, LocalTime, Question};

/// A row of the routes card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RouteView {
    /// A way to send it.
    Offer {
        /// What is put into the draft when it is picked.
        route: ChosenRoute,
        /// Without tax.
        before_tax: Option<Dollars>,
        /// Leaves, on the sender's clocks.
        despatch: Option<LocalTime>,
        /// The lowest price.
        cheapest: bool,
        /// The earliest arrival.
        fastest: bool,
        /// What unfolds when it is picked.
        details: RouteDetails,
    },
    /// A carrier that cannot, with its reason.
    Refusal {
        /// Its name.
        carrier: String,
        /// "takes no dangerous goods".
        reason: String,
    },
}

impl RouteView {
    /// The offer that Send takes: the one that the clerk chose, or the one that the service picks.
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

    /// What is put into the draft when the offer is picked.
    pub const fn route(&self) -> Option<&ChosenRoute> {
        match self {
            Self::Offer { route, .. } => Some(route),
            Self::Refusal { .. } => None,
        }
    }

    /// The question before Send where the offer that it takes costs more than this many percent above the cheapest. Nothing
    /// where it does not, or where prices are not known.
    pub fn question_of_price(
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
                "{} {} costs ${price:.2}, the cheapest ${lowest:.2}",
                taken.carrier, taken.service
            )
        })
    }
}

/// What there is to know of an offer besides its price.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RouteDetails {
    /// What the price is made of, tax among it.
    pub parts: Vec<PricePart>,
    /// When it can leave, the soonest first.
    pub despatches: Vec<DespatchView>,
}

/// A part of a price.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PricePart {
    /// "Fuel levy, 16.4 %".
    pub name: String,
    /// How much.
    pub amount: Dollars,
}

/// When an offer can leave and arrive.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DespatchView {
    /// Leaves, on the sender's clocks.
    pub leaves: Option<LocalTime>,
    /// Arrives, on the receiver's clocks.
    pub eta: Option<LocalTime>,
    /// The arrival in the carrier's own words; empty where it has none.
    pub eta_words: String,
    /// Business days on the way.
    pub business_days: Option<i64>,
    /// A public holiday delays it.
    pub holiday: bool,
    /// It is a window of time rather than a moment.
    pub window: bool,
    /// The carrier takes a date, and no time of the day.
    pub dates_only: bool,
}

/// The chosen route is not what it was when it was chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RouteChange {
    /// As it was chosen, or last acknowledged.
    pub was: ChosenRoute,
    /// It is no longer offered.
    pub gone: bool,
    /// "Southern Cross Road: $18.40 → $19.10, arrives a day later".
    pub words: String,
}

/// A price of the middleware.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiveRate {
    /// "Southern Cross Road".
    pub name: String,
    /// "There on Tuesday 24 November"; may be empty.
    pub description: String,
    /// With tax.
    pub price: Option<Dollars>,
    /// Without tax.
    pub before_tax: Option<Dollars>,
    /// `AUD` …
    pub currency: String,
    /// Arrives, on the receiver's clocks where their zone is known, else on the bench's.
    pub eta: Option<LocalTime>,
    /// Flags that the price counts on.
    pub questions: Vec<Question>,
    /// The carrier's id, as the middleware wrote it.
    pub carrier_id: String,
    /// The service's id, as the middleware wrote it.
    pub service_id: String,
    /// Whom it means, where the company has them.
    pub carrier: Option<ChosenCarrier>,
}

impl LiveRate {
    /// True for the service that it means.
    pub fn means(&self, service: CarrierServiceId) -> bool {
        self.carrier
            .as_ref()
            .is_some_and(|carrier| carrier.service_id == Some(service))
    }
}
