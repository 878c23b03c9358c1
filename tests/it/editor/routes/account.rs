//! Choices without an account, and the accounts that a company may use.

use app::state::ConsignCommand;
use draft::Routing;
use serde_json::json;
use shipping::{Carrier, CarrierId, CompanyId};

use super::{TASMAN, named, settled, typed};
use crate::recovery::errands::order;
use crate::support::desk::open_bench;
use crate::support::lanes::{QUICK, client};

#[test]
fn a_choice_without_an_account_is_kept_when_prices_come() {
    let (home, _practice, mut desk) = open_bench();
    let offers = typed(&mut desk);
    let mut road = named(&offers, "Southern Cross Road").0;
    let tasman = { offers.iter() }.find(|(route, _)| route.carrier_id == CarrierId::new(TASMAN));
    let mut tasman = tasman.expect("an offer").0.clone();
    for (weight, choice) in [("10", &mut road), ("11", &mut tasman)] {
        choice.account_id = None;
        choice.company_account_id = None;
        choice.price = None;
        let draft = &mut desk.core.editing.draft;
        draft.routing = Routing::Chosen(choice.clone());
        weight.clone_into(&mut draft.goods[0].weight);
        desk.ask(ConsignCommand::FindRoutes);
        desk.turn();
        desk.until("new prices", settled);
        let Routing::Chosen(now) = &desk.core.editing.draft.routing else {
            panic!("{} is chosen no more", choice.carrier);
        };
        assert!(now.is_same(choice));
        assert_eq!(desk.core.editing.route_change, None);
        // Of two accounts none is picked by itself.
        assert_eq!(
            now.price.is_none(),
            choice.carrier_id == CarrierId::new(TASMAN)
        );
    }
    desk.core.close(home.runtime.handle());
}

#[test]
fn prices_change_nothing_of_a_consignment_that_is_changed() {
    let (home, practice, mut desk) = open_bench();
    let road = named(&typed(&mut desk), "Southern Cross Road").0;
    let caller = client(&practice.base_url(), practice.token(), QUICK);
    let mut request = order("SO-1");
    request.default_route_selection = None;
    request.carrier_id = Some(road.carrier_id);
    request.carrier_service_id = road.service_id;
    let made = home.runtime.block_on(caller.create(&request));
    let made = made.expect("created");
    desk.ask(ConsignCommand::Edit(made.id));
    desk.until("its form is open", |core| {
        core.editing.draft.edits.as_ref().map(|_| ())
    });
    desk.until("its prices", |core| {
        let Routing::Chosen(chosen) = &core.editing.draft.routing else {
            panic!("its carrier is chosen no more");
        };
        settled(core)?;
        chosen.price
    });
    assert_eq!(desk.core.editing.route_change, None);
    let draft = &desk.core.editing.draft;
    let form = draft.into_form(&desk.core.shared.check_context());
    let seen = draft.edits.as_ref().map(|edited| edited.form.as_ref());
    assert_eq!(form.as_ref().ok(), seen);
    desk.core.close(home.runtime.handle());
}

#[test]
fn accounts_of_another_company_are_no_choice() {
    let carrier: Carrier = serde_json::from_value(json!({
        "id": 13,
        "carrierAccounts": [
            { "id": 1, "companyCarrierAccountCompanyId": 5 },
            { "id": 2, "companyCarrierAccountCompanyId": 6 },
            { "id": 3 },
            { "id": 4, "companyCarrierAccountDisabled": true }
        ]
    }))
    .expect("a carrier");
    let of = |company| {
        let accounts = carrier.accounts_of(company);
        accounts.map(|account| account.id.get()).collect::<Vec<_>>()
    };
    assert_eq!(of(Some(CompanyId::new(5))), [1, 3]);
    assert_eq!(of(None), [1, 2, 3]);
}
