//! The real window over a practice service behind a proxy, driven by keys and by the names of its widgets.

use app::Service;
use draft::{Field, Severity};
use egui::accesskit::Role;
use egui_kittest::kittest::Queryable as _;
use practice::RunningService;
use serde_json::Value;
use shipping::Consignment;

use crate::support::clerk::Clerk;
use crate::support::desk::Home;
use crate::support::practice::client;
use crate::support::wire::Wire;

/// A practice service, a wire before it, and a home for a bench.
pub(super) struct Place {
    pub(super) home: Home,
    pub(super) practice: RunningService,
    pub(super) wire: Wire,
}

/// The saved location that the draft is sent from.
pub(super) fn saved_sender(clerk: &Clerk) -> Option<i64> {
    let saved = clerk.core().editing.draft.from.saved.as_ref();
    saved.map(|saved| saved.id.get())
}

impl Place {
    pub(super) fn new() -> Self {
        let (home, practice, wire) = Home::with_wire();
        Self {
            home,
            practice,
            wire,
        }
    }

    /// The service behind the wire.
    pub(super) fn service(&self) -> Service {
        Home::service(self.wire.base_url(), self.practice.token())
    }

    /// A clerk at a bench that works with that service.
    pub(super) fn clerk(&self) -> Clerk {
        Clerk::at(&self.home, &self.service())
    }

    /// A new place and a clerk there, once the saved locations have come.
    pub(super) fn begin() -> (Self, Clerk) {
        let place = Self::new();
        let mut clerk = place.clerk();
        clerk.await_locations(1);
        (place, clerk)
    }

    /// The practice service's own record of a consignment.
    pub(super) fn record(&self, of: &Consignment) -> Value {
        let path = format!("/apiv2/consignments/getConsignment?id={}", of.id);
        let url = format!("{}{path}", self.practice.base_url());
        let token = self.practice.token();
        self.home.runtime.block_on(async {
            let request = client().get(url).header("token", token);
            let text = request.send().await.expect("a reply").text().await;
            let answer: Value = serde_json::from_str(&text.expect("its text")).expect("JSON");
            answer["object"].clone()
        })
    }
}

impl Clerk {
    /// Presses the button of this name.
    pub(super) fn push(&mut self, name: &str) {
        self.window
            .get_by_role_and_label(Role::Button, name)
            .click();
        self.rest();
    }

    /// True where a widget of this name, or one that holds these words, is drawn.
    pub(super) fn sees(&self, words: &str) -> bool {
        self.window
            .query_all_by_label_contains(words)
            .next()
            .is_some()
    }

    /// Picks a company at the top of the window, and waits for its saved locations.
    pub(super) fn pick_company(&mut self, now: &str, wanted: &str, id: i64) {
        self.push(now);
        self.push(wanted);
        self.await_locations(id);
    }

    /// Waits for the saved locations of a company.
    pub(super) fn await_locations(&mut self, id: i64) {
        self.until(&format!("the locations of company {id}"), |core| {
            let list = core.shared.catalogue.locations.value()?;
            let all = { list.iter() }.all(|one| one.company_id.is_some_and(|of| of.get() == id));
            (all && !list.is_empty() && !core.shared.catalogue.locations.is_loading()).then_some(())
        });
    }

    /// A saved location, by its abbreviation: `<Alt+1>` leads to the sender, `<Alt+2>` to the receiver.
    pub(super) fn pick_location(&mut self, at: &str, abbreviation: &str) {
        self.keys(&format!("{at}{abbreviation}<Enter>"));
    }

    /// One carton.
    pub(super) fn type_goods(&mut self) {
        self.keys("<Alt+3>Tent pegs<Tab*2>1<Tab>7.5<Tab>60<Tab>40<Tab>30<Tab>");
    }

    /// Types one carton from one saved location of company 1 to another, and takes the first price.
    pub(super) fn type_order(&mut self) {
        self.pick_location("<Alt+1>", "HSYD");
        self.pick_location("<Alt+2>", "BALFG");
        self.type_goods();
        self.take_first_price();
    }

    /// Waits for prices and takes the first.
    pub(super) fn take_first_price(&mut self) {
        self.await_routes();
        self.keys("<Ctrl+1>");
    }

    /// Sends what is typed, and waits for the consignment.
    pub(super) fn send(&mut self) -> Consignment {
        self.keys("<Ctrl+Enter>");
        self.until("created", |core| core.shared.consign.last_created.clone())
    }

    /// The words of what blocks sending at a field.
    pub(super) fn errors_at(&self, field: Field) -> Vec<String> {
        let problems = self.core().editing.problems();
        problems
            .filter(|one| one.field == field && one.severity == Severity::Error)
            .map(|one| one.message.clone())
            .collect()
    }
}
