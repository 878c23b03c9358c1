//! The routes card: offers with their price parts and times, and changes of the chosen route.

use rust_decimal::Decimal;

use draft::{ChosenCarrier, ChosenRoute, Routing};
use shipping::{
    Carrier, CarrierId, CarrierServiceId, CompanyId, DespatchOption, Dollars, LocalTime, Rate,
};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RouteView {
    Offer {
        /// The route to put into the draft if the offer is picked.
        route: ChosenRoute,
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
    pub despatches: Vec<DespatchOption>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PricePart {
    /// Name of the part, such as "Fuel levy, 16.4 %".
    pub name: String,
    pub amount: Dollars,
    /// GST, which is listed after the subtotal.
    pub is_tax: bool,
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

/// Finds the carrier and the service of a middleware's price, whose ids are texts; `None` if they are not the
/// company's. The account is set only if exactly one account of the company has this service.
pub fn carrier_of_rate(
    rate: &Rate,
    carriers: &[Carrier],
    company: Option<CompanyId>,
) -> Option<ChosenCarrier> {
    let carrier_id = CarrierId::new(rate.carrier_id.trim().parse().ok()?);
    let service_id = CarrierServiceId::new(rate.service_id.trim().parse().ok()?);
    let carrier = carriers.iter().find(|carrier| carrier.id == carrier_id)?;
    let mut with_it = carrier.accounts_of(company).filter_map(|account| {
        let mut services = account.carrier_services.iter();
        Some((account, services.find(|service| service.id == service_id)?))
    });
    let (account, service) = with_it.next()?;
    let only = with_it.next().is_none();
    Some(ChosenCarrier {
        carrier_id,
        carrier: carrier.label().to_owned(),
        account_id: only.then_some(account.id),
        company_account_id: account.company_carrier_account_id.filter(|_| only),
        account: String::new(),
        service_id: Some(service_id),
        service: service.label().to_owned(),
    })
}
