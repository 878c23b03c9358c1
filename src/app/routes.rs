//! Prices as the screen shows them: asked for when what they depend on has been left alone, and held against the choice.
//!
//! What always holds: a chosen route is never exchanged for another; what changed of it is said until it is acknowledged.

mod change;
mod live;
mod view;

use super::core::Core;
use crate::draft::{Routing, refused};
use crate::work::{Failure, WorkError};
use change::follow;
pub(super) use view::views;

impl Core {
    /// Asks for prices where the draft has what a price depends on; `again` also where nothing changed.
    pub(super) fn find_routes(&mut self, again: bool) {
        let context = self.shared.check_context();
        let wanted = self.editing.refresh_check(&context, again).route_request();
        match wanted {
            None => {
                self.shared.routes.clear();
                self.shared.live_prices.clear();
                self.routes_for = None;
            }
            Some(request) => {
                if self.routes_for.as_ref() == Some(&request) && !again {
                    self.shared.routes_stale = false;
                    return;
                }
                self.routes_for = Some(request.clone());
                let routes = self.work.reads().routes(request, views);
                self.shared.routes.start(routes);
                self.find_live_prices();
            }
        }
    }

    /// New prices: the chosen route takes its new price, or is no longer chosen where it is no longer offered; either way
    /// the clerk is told. A failure changes nothing.
    pub(super) fn routes_came(&mut self) {
        let routes = &self.shared.routes;
        if routes.is_loading() {
            return;
        }
        self.editing.price_refusals = match routes.problem() {
            Some(WorkError::Service(Failure::Refused(errors))) => {
                refused(errors, &self.editing.draft)
            }
            _ => Vec::new(),
        };
        if routes.problem().is_some() {
            return;
        }
        self.shared.routes_stale = false;
        let Some(offers) = routes.value() else {
            return;
        };
        let before = self.shared.route_change.as_ref();
        let draft = &self.editing.draft;
        let (routing, change) = follow(&draft.routing, before, (offers, draft.edits.is_some()));
        self.editing.draft.routing = routing;
        self.shared.route_change = change;
    }

    /// What was said of a choice is over once another one is made.
    pub(super) fn watch_choice(&mut self) {
        let Some(change) = &self.shared.route_change else {
            return;
        };
        let stands = match &self.editing.draft.routing {
            Routing::Chosen(chosen) => !change.gone && chosen.is_same(&change.was),
            Routing::Unchosen => change.gone,
            _ => false,
        };
        if !stands {
            self.shared.route_change = None;
        }
    }
}
