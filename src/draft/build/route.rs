//! Builds the choice of carrier. A request needs either automatic routing (cheapest or fastest) or at least a
//! carrier.

use super::RequestBuilder;
use crate::Routing;
use crate::field::Field;
use shipping::{
    Carrier, CarrierAccount, CarrierAccountId, CarrierId, CarrierServiceId,
    CompanyCarrierAccountId, ConsignmentRequest, RouteSelection,
};

/// The carrier, service and account that the clerk picked.
struct SelectedRoute<'a> {
    carrier: CarrierId,
    name: &'a str,
    service: Option<CarrierServiceId>,
    account: Option<CarrierAccountId>,
    link: Option<CompanyCarrierAccountId>,
}

impl RequestBuilder<'_> {
    pub(super) fn route(&mut self, request: &mut ConsignmentRequest) {
        let picked = match &self.draft.routing {
            Routing::Unchosen => {
                self.missing(Field::Route, "Choose a route");
                return;
            }
            Routing::Cheapest => {
                request.default_route_selection = Some(RouteSelection::Cheapest);
                return;
            }
            Routing::Fastest => {
                request.default_route_selection = Some(RouteSelection::Fastest);
                return;
            }
            Routing::Carrier(chosen) => SelectedRoute {
                carrier: chosen.carrier_id,
                name: &chosen.carrier,
                service: chosen.service_id,
                account: chosen.account_id,
                link: chosen.company_account_id,
            },
            Routing::Chosen(chosen) => SelectedRoute {
                carrier: chosen.carrier_id,
                name: &chosen.carrier,
                service: Some(chosen.service_id),
                account: chosen.account_id,
                link: chosen.company_account_id,
            },
        };
        request.carrier_id = Some(picked.carrier);
        request.carrier_service_id = picked.service;
        request.carrier_account_id = picked.account;
        request.company_carrier_account_id = picked.link;
        if let Some(words) = self.route_problem(&picked) {
            self.error(Field::Route, words);
        }
    }

    /// Checks the route against the company's carriers, if they are known.
    fn route_problem(&self, picked: &SelectedRoute<'_>) -> Option<String> {
        let carriers = &self.context.carriers;
        let known = |carrier: &Carrier| self.accounts(carrier).next().is_some();
        if !carriers.iter().any(known) {
            return None;
        }
        let name = picked.name;
        let carrier = carriers.iter().find(|carrier| carrier.id == picked.carrier);
        let Some(carrier) = carrier.filter(|carrier| known(carrier)) else {
            return Some(format!("{name} is not available to this company"));
        };
        let fits = |account: &&CarrierAccount| {
            let same = picked.account.is_none_or(|id| id == account.id);
            let link = account.company_carrier_account_id;
            same && picked
                .link
                .is_none_or(|id| link.is_none_or(|link| link == id))
        };
        let fitting: Vec<_> = self.accounts(carrier).filter(fits).collect();
        let offers = |account: &&CarrierAccount| {
            let mut services = account.carrier_services.iter();
            account.carrier_services.is_empty()
                || picked
                    .service
                    .is_none_or(|id| services.any(|service| service.id == id))
        };
        match fitting.as_slice() {
            [] => Some(format!(
                "That {name} account is no longer linked. Choose another account"
            )),
            [_, _, ..] => Some(format!("Several {name} accounts are linked. Choose one")),
            [only] if !offers(only) => Some(format!(
                "{name} no longer offers that service. Choose another service"
            )),
            [_] => None,
        }
    }

    /// Returns the accounts of a carrier that the draft's company may use.
    fn accounts<'c>(&self, carrier: &'c Carrier) -> impl Iterator<Item = &'c CarrierAccount> {
        carrier.accounts_of(self.owner())
    }
}
