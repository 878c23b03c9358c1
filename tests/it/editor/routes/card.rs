//! The routes card in the window: keys, details, and messages about a choice.

use app::state::{BenchSettings, SettingsCommand, ThemeChoice};
use draft::{Draft, Routing};
use egui_kittest::kittest::Queryable as _;
use practice::RunningService;
use shipping::CarrierId;

use super::live::rates;
use super::{TASMAN, named, priced, settled};
use crate::journeys::kit::picture;
use crate::support::clerk::Clerk;
use crate::support::desk::{Home, fill};

impl Clerk {
    /// The window at a new bench, with a consignment and its routes.
    fn begin_with_routes() -> (Home, RunningService, Self) {
        let (home, practice, mut clerk) = Self::begin();
        clerk.type_with_routes();
        (home, practice, clerk)
    }

    /// The window at a new bench with live prices, with a consignment and its routes.
    fn begin_with_prices() -> (Home, RunningService, Self) {
        let (home, practice) = Home::with_practice();
        let (service, ..) = priced(&practice);
        let mut clerk = Self::at(&home, &service);
        clerk.type_with_routes();
        (home, practice, clerk)
    }

    fn draft(&mut self) -> &mut Draft {
        let editing = self.window.state_mut().editing_mut();
        &mut editing.expect("the window is open").draft
    }

    /// Types a consignment and waits for its routes.
    fn type_with_routes(&mut self) {
        let sender = self.until("the saved locations", |core| {
            let locations = core.shared.catalogue.locations.value()?;
            core.shared.session.company?;
            locations.first().cloned()
        });
        let draft = self.draft();
        draft.from.set_location(&sender);
        fill(draft, "SO-48213");
        draft.routing = Routing::Unchosen;
        self.until("routes", settled);
        self.until("carriers", |core| {
            (!core.shared.catalogue.carriers.is_empty()).then_some(())
        });
        self.rest();
    }

    /// A window so high that nothing scrolls.
    fn tall(&mut self) {
        self.window.set_size(egui::vec2(1440.0, 1500.0));
        self.rest();
    }

    /// A picture in each theme.
    fn pictures(&mut self, name: &str) {
        for (theme, word) in [(ThemeChoice::Dark, "dark"), (ThemeChoice::Light, "light")] {
            let bench = BenchSettings {
                theme,
                ..self.core().shared.bench.clone()
            };
            let pick = SettingsCommand::SetBench(bench);
            self.window.state_mut().push(pick.into());
            self.rest();
            picture(&mut self.window, &format!("{name}-{word}"));
        }
    }
}

#[test]
fn a_route_is_chosen_by_its_number_and_unfolds_its_parts_and_times() {
    let (_home, _practice, mut screen) = Clerk::begin_with_prices();
    screen.until("live prices", rates);
    screen.keys("<Ctrl+1>");
    assert!(matches!(screen.draft().routing, Routing::Chosen(_)));
    screen.pictures("editor-routes");
    screen.tall();
    screen.pictures("editor-routes-all");
    for words in [
        "Freight",
        "Fuel levy, 18.5 %",
        "GST, 10 %",
        "Subtotal (ex GST)",
    ] {
        assert!(
            screen.window.query_all_by_label(words).next().is_some(),
            "{words}"
        );
    }
}

#[test]
fn a_despatch_option_that_is_picked_becomes_the_despatch_time() {
    let (_home, _practice, mut screen) = Clerk::begin_with_routes();
    screen.keys("<Ctrl+1>");
    let offers = super::offers(screen.core());
    let option = offers[0].1.despatches[1].clone();
    let leaves = option.despatch_date_local.expect("a time");
    let words = leaves.0.strftime("%a %-d %b %H:%M →").to_string();
    screen.window.get_by_label_contains(&words).click();
    screen.rest();
    let typed = leaves.0.strftime("%Y-%m-%d %H:%M").to_string();
    assert_eq!(screen.draft().despatch, typed);
    screen.until("prices for that time", |core| {
        let offers = settled(core)?;
        (offers[0].1.despatches[0].despatch_date_local == Some(leaves)).then_some(())
    });
    let chosen = match &screen.draft().routing {
        Routing::Chosen(route) => route.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(
        chosen.eta, option.eta_local,
        "what was picked is what is chosen"
    );
    assert_eq!(
        screen.core().editing.route_change,
        None,
        "no news to the clerk"
    );
    screen.pictures("editor-routes-despatch");
}

#[test]
fn what_changed_stays_in_sight_until_it_is_acknowledged_by_key() {
    let (_home, _practice, mut screen) = Clerk::begin_with_routes();
    let road = named(&super::offers(screen.core()), "Southern Cross Road").0;
    screen.draft().routing = Routing::Chosen(road);
    screen.rest();
    "18".clone_into(&mut screen.draft().goods[0].weight);
    let words = screen.until("what changed", |core| {
        settled(core)?;
        Some(core.editing.route_change.as_ref()?.message.clone())
    });
    screen.rest();
    assert!(
        screen.window.query_all_by_label(&words).next().is_some(),
        "{words}"
    );
    screen.pictures("editor-routes-changed");
    let button = screen.window.get_by_label("OK");
    button.focus();
    screen.rest();
    screen.keys("<Enter>");
    screen.until("acknowledged", |core| {
        core.editing.route_change.is_none().then_some(())
    });
}

#[test]
fn a_carrier_alone_is_picked_with_its_account_and_service_by_keys() {
    let (_home, _practice, mut screen) = Clerk::begin_with_routes();
    screen.keys("<Alt+C>");
    assert_eq!(screen.draft().routing, Routing::Cheapest);
    screen.keys("<Alt+F>");
    assert_eq!(screen.draft().routing, Routing::Fastest);
    screen.keys("<Alt+W>tas<Tab>harbour supplies c<Tab>gen");
    screen.pictures("editor-routes-carrier");
    let chosen = match &screen.draft().routing {
        Routing::Carrier(chosen) => chosen.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(chosen.carrier_id, CarrierId::new(TASMAN));
    assert_eq!(
        (&*chosen.account, &*chosen.service),
        ("Harbour Supplies contract", "General")
    );
}

#[test]
fn a_live_price_that_is_picked_chooses_the_route_of_its_service() {
    let (_home, _practice, mut screen) = Clerk::begin_with_prices();
    let rates = screen.until("live prices", rates);
    screen.rest();
    let rate = &rates[0];
    let name = format!("Live price {}", rate.service_name);
    let row = screen
        .window
        .get_all_by_label_contains(&name)
        .next()
        .expect("its row");
    row.focus();
    screen.rest();
    screen.keys("<Space>");
    match &screen.draft().routing {
        Routing::Chosen(route) => assert_eq!(
            Some(&rate.service_id),
            route.service_id.map(|id| id.to_string()).as_ref()
        ),
        other => panic!("{other:?}"),
    }
}
