//! Live prices of the middleware: requested together with the routes, and matched with the
//! company's carriers.

use std::sync::Arc;

use crate::core::Core;
use crate::state::LiveRate;
use draft::ChosenCarrier;
use shipping::{
    Carrier, CarrierId, CarrierServiceId, CompanyId, LivePricingRequest, LivePricingResponse,
    LocalTime, Question, Rate,
};

impl Core {
    /// Asks the middleware for prices, if there is one and the draft has everything that it needs. Called
    /// with each request for routes, and not more often.
    pub(super) fn find_live_prices(&mut self) {
        let context = self.shared.check_context();
        let locations = self.shared.catalogue.known_locations();
        let draft = &self.editing.draft;
        let quote = draft.live_quote(&context, locations);
        let (true, Some(quote)) = (self.shared.session.live_pricing, quote) else {
            self.shared.consign.live_prices.clear();
            return;
        };
        let zone = draft
            .to
            .time_zone()
            .unwrap_or(&self.shared.session.zone)
            .to_owned();
        let carriers = Arc::clone(&self.shared.catalogue.carriers);
        let company = draft.company.or(self.shared.session.own_company);
        self.shared
            .consign
            .live_prices
            .start(self.work.reads().fetch(move |client| async move {
                let prices = client.live_prices(&LivePricingRequest { quote }).await?;
                Ok(rates(prices, &zone, (&carriers, company)))
            }));
    }

    /// Matches the rates with the carriers again, after the carriers changed.
    pub(crate) fn match_live_prices(&mut self) {
        let company = self
            .editing
            .draft
            .company
            .or(self.shared.session.own_company);
        let known = (&**self.shared.catalogue.carriers, company);
        if let Some(rates) = self.shared.consign.live_prices.value_mut() {
            for rate in rates {
                rate.carrier = match_carrier(&rate.carrier_id, &rate.service_id, known);
            }
        }
    }
}

fn rates(prices: LivePricingResponse, zone: &str, known: CarrierContext<'_>) -> Vec<LiveRate> {
    let view = |rate: Rate| LiveRate {
        carrier: match_carrier(&rate.carrier_id, &rate.service_id, known),
        name: rate.service_name,
        description: rate.description,
        price: rate.total_price,
        before_tax: rate.total_price_exc_tax,
        currency: rate.currency,
        eta: rate.eta.map(|eta| LocalTime::at(eta.0, zone)),
        questions: rate
            .question_ids
            .iter()
            .filter_map(|id| question(id))
            .collect(),
        carrier_id: rate.carrier_id,
        service_id: rate.service_id,
    };
    prices.rates.into_iter().map(view).collect()
}

fn question(id: &str) -> Option<Question> {
    serde_json::from_value(serde_json::Value::from(id)).ok()
}

/// Carriers, and the company that sends with them.
type CarrierContext<'a> = (&'a [Carrier], Option<CompanyId>);

/// Finds the carrier and the service for the middleware's ids, which are texts. The account is set only if
/// exactly one account of the company has this service.
fn match_carrier(
    carrier: &str,
    service: &str,
    (carriers, company): CarrierContext<'_>,
) -> Option<ChosenCarrier> {
    let carrier_id = CarrierId::new(carrier.trim().parse().ok()?);
    let service_id = CarrierServiceId::new(service.trim().parse().ok()?);
    let carrier = carriers.iter().find(|carrier| carrier.id == carrier_id)?;
    let mut with_it = carrier.accounts_of(company).filter_map(|account| {
        let service = account
            .carrier_services
            .iter()
            .find(|service| service.id == service_id)?;
        Some((account, service))
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
