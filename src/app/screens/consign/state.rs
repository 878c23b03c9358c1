//! The state of Consign: the open draft, drafts that were sent, problems, prices and imports.

pub(crate) mod command;
pub(crate) mod draft_state;
pub(crate) mod editing;
pub(crate) mod orders;
pub(crate) mod problem_list;
pub(crate) mod routes;
pub(crate) mod sent;

use std::collections::HashMap;

use jiff::Timestamp;

use crate::state::{ImportView, LiveRate, Remote, RouteChange, RouteView, SendAllView, SentDraft};
use draft::{Draft, DraftId, Problem};
use shipping::{Consignment, ConsignmentId};

/// Everything that Consign shows, except the open draft ([`Editing`]).
#[derive(Default)]
pub struct ConsignView {
    /// The import of orders, if one is open.
    pub import: ImportView,
    /// The drafts that can be sent together, and the progress of sending them.
    pub send_all: SendAllView,
    /// The service's problems with refused drafts, until each is opened.
    pub refusals: HashMap<DraftId, Vec<Problem>>,
    /// Prices for the draft on the Consign screen; idle until the draft has all that a price depends on.
    pub routes: Remote<Vec<RouteView>>,
    /// True if the draft was changed since the prices were requested.
    pub routes_stale: bool,
    /// Changes of the chosen route, until they are acknowledged or another route is chosen.
    pub route_change: Option<RouteChange>,
    /// The middleware's prices, fetched together with the routes; idle if the middleware cannot represent
    /// the whole draft.
    pub live_prices: Remote<Vec<LiveRate>>,
    /// Saved drafts except the open one, newest first.
    pub drafts: Vec<Draft>,
    /// When each draft was last saved.
    pub draft_times: HashMap<DraftId, Timestamp>,
    /// Deleted drafts, the most recently deleted last. Each can be restored.
    pub discarded: Vec<Draft>,
    /// The consignment whose form is being fetched, to be changed or cloned.
    pub opening: Option<ConsignmentId>,
    /// Drafts that may have been sent already, with the message for each. The clerk has to check
    /// them before sending.
    pub possibly_sent: HashMap<DraftId, String>,
    /// Drafts that were sent and have no result yet, oldest first.
    pub sent: Vec<SentDraft>,
    /// The consignment created last, until the next draft is sent.
    pub last_created: Option<Consignment>,
    /// The last scanned text that could not be counted, with its line (from 0); shown until dismissed.
    pub not_counted: Option<(String, usize)>,
}
