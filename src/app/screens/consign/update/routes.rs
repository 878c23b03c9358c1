//! Prices on Consign: requested after the draft has rested, and compared with the chosen route.
//!
//! A chosen route is never replaced by another route. A change of it is shown until the clerk acknowledges
//! it.

mod live_prices;
mod route_change;
mod route_rows;

use crate::core::Core;
use draft::{Routing, problems_from_errors};
use engine::{EngineError, Failure};
use route_change::apply_new_offers;
pub(crate) use route_rows::route_rows;

impl Core {
    /// Requests prices if the draft has everything that a price depends on; with `again`, even if
    /// nothing changed.
    pub(crate) fn find_routes(&mut self, again: bool) {
        let context = self.shared.check_context();
        let wanted = self.editing.refresh_check(&context, again).route_request();
        match wanted {
            None => {
                self.shared.consign.routes.clear();
                self.shared.consign.live_prices.clear();
                self.consign.routes_for = None;
            }
            Some(request) => {
                if self.consign.routes_for.as_ref() == Some(&request) && !again {
                    self.shared.consign.routes_stale = false;
                    return;
                }
                self.consign.routes_for = Some(request.clone());
                let routes = self.work.reads().routes(request, route_rows);
                self.shared.consign.routes.start(routes);
                self.find_live_prices();
            }
        }
    }

    /// Handles new prices. The chosen route takes its new price; if it is no longer offered, it is no longer
    /// chosen. Either way the clerk is told. A failure leaves the choice as it is.
    pub(crate) fn routes_came(&mut self) {
        let routes = &self.shared.consign.routes;
        if routes.is_loading() {
            return;
        }
        self.editing.price_refusals = match routes.problem() {
            Some(EngineError::Service(Failure::Refused(errors))) => {
                problems_from_errors(errors, &self.editing.draft)
            }
            _ => Vec::new(),
        };
        if routes.problem().is_some() {
            return;
        }
        self.shared.consign.routes_stale = false;
        let Some(offers) = routes.value() else {
            return;
        };
        let before = self.shared.consign.route_change.as_ref();
        let draft = &self.editing.draft;
        let (routing, change) =
            apply_new_offers(&draft.routing, before, (offers, draft.edits.is_some()));
        self.editing.draft.routing = routing;
        self.shared.consign.route_change = change;
    }

    /// Removes the notice about the chosen route once another route is chosen.
    pub(crate) fn watch_choice(&mut self) {
        let Some(change) = &self.shared.consign.route_change else {
            return;
        };
        let stands = match &self.editing.draft.routing {
            Routing::Chosen(chosen) => !change.gone && chosen.is_same(&change.was),
            Routing::Unchosen => change.gone,
            _ => false,
        };
        if !stands {
            self.shared.consign.route_change = None;
        }
    }
}
