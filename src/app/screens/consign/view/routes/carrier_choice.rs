//! Choices that need no price: the service picks a route, or the clerk picks a carrier
//! with account and service.

use egui::{Frame, Id, Margin, Ui};

use super::super::form::take_focus;
use super::{error_notice, offers_of};
use crate::state::{ConsignCommand, Editing};
use crate::ui::Context;
use crate::ui::actions::Action;
use draft::{ChosenCarrier, Field, Routing};
use shipping::{Carrier, CarrierAccount};
use widgets::button::Button;
use widgets::card::rule;
use widgets::select::Select;
use widgets::text;

/// Returns the id of the drop-down of carriers.
fn carrier_id() -> Id {
    Id::unique("consign carrier alone")
}

/// Draws the choices cheapest, fastest and carrier.
pub(super) fn choices(ui: &mut Ui, context: &mut Context<'_>, editing: &mut Editing) {
    let open = carrier_id().with("open");
    let mut unfolded = matches!(editing.draft.routing, Routing::Carrier(_))
        || ui.data(|data| data.get_temp(open)).unwrap_or(false);
    let inset = Margin::symmetric(8, 5);
    Frame::new().inner_margin(inset).show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing.x = 2.0;
            for (action, routing) in [
                (Action::Cheapest, Routing::Cheapest),
                (Action::Fastest, Routing::Fastest),
            ] {
                let chosen = editing.draft.routing == routing;
                if pressed(ui, context, action, chosen) {
                    editing.draft.routing = if chosen { Routing::Unchosen } else { routing };
                    unfolded = false;
                }
            }
            if pressed(ui, context, Action::CarrierWithoutPrice, unfolded) {
                unfolded = !unfolded;
                // The drop-down is drawn only once the carriers are known.
                if unfolded && !context.shared.catalogue.carriers.is_empty() {
                    ui.memory_mut(|memory| memory.request_focus(carrier_id()));
                } else if !unfolded && matches!(editing.draft.routing, Routing::Carrier(_)) {
                    editing.draft.routing = Routing::Unchosen;
                }
            }
        });
    });
    ui.data_mut(|data| data.insert_temp(open, unfolded));
    rule(ui);
    if unfolded {
        Frame::new()
            .inner_margin(Margin::symmetric(14, 10))
            .show(ui, |ui| {
                ui.set_width(ui.available_width());
                ui.spacing_mut().item_spacing.y = 8.0;
                picker(ui, context, editing);
            });
        rule(ui);
    }
}

/// Draws a choice. Returns true if it was clicked or its key was pressed.
fn pressed(ui: &mut Ui, context: &Context<'_>, action: Action, chosen: bool) -> bool {
    let entry = action.entry();
    let tooltip = format!("{} ({})", entry.tooltip, action.key());
    let button = Button::quiet(entry.name).selected(chosen).small();
    let response = ui.add(button).on_hover_text(tooltip);
    // A problem with the route leads to the first offer, or to this button if there is no offer.
    if action == Action::Cheapest && offers_of(context).next().is_none() {
        take_focus(ui, Field::Route, &response);
    }
    response.clicked() || (ui.is_enabled() && context.is_triggered(action))
}

fn picker(ui: &mut Ui, context: &mut Context<'_>, editing: &mut Editing) {
    if context.shared.catalogue.carriers.is_empty() {
        return unknown(ui, context);
    }
    let company = editing.draft.company.or(context.shared.session.own_company);
    let routing = &mut editing.draft.routing;
    // Carriers that the company may use, or all carriers if the service lists none that it may use.
    let usable = |carrier: &&Carrier| carrier.accounts_of(company).next().is_some();
    let all = &context.shared.catalogue.carriers;
    let mut carriers: Vec<_> = all.iter().filter(usable).collect();
    if carriers.is_empty() {
        carriers = all.iter().collect();
    }
    let names: Vec<_> = carriers.iter().map(|carrier| carrier.label()).collect();
    let is_chosen = |carrier: &&Carrier| match &*routing {
        Routing::Carrier(chosen) => carrier.id == chosen.carrier_id,
        _ => false,
    };
    let current = carriers.iter().position(is_chosen);
    let shown = Select::new("Carrier", current, &names)
        .id(carrier_id())
        .show(ui);
    if let Some(carrier) = shown.picked.and_then(|at| carriers.get(at)) {
        *routing = Routing::Carrier(alone(carrier));
    }
    if let (Routing::Carrier(chosen), Some(carrier)) =
        (routing, current.and_then(|at| carriers.get(at)))
    {
        let accounts: Vec<_> = carrier.accounts_of(company).collect();
        account(ui, &accounts, chosen);
        service(ui, &accounts, chosen);
        text::small_note(ui, "You'll see the price after sending");
    }
}

/// Draws why there are no carriers to pick from.
fn unknown(ui: &mut Ui, context: &mut Context<'_>) {
    let list = &context.shared.catalogue.carrier_list;
    if list.problem().is_some() {
        if error_notice(ui, "Can't load the carriers", list.problem()) {
            context.push(ConsignCommand::LookUpAgain);
        }
    } else if list.is_loading() {
        text::note(ui, "Loading the company's carriers…");
    } else {
        text::note(ui, "The company has no carriers");
    }
}

/// Chooses a carrier without account or service: its only account, if it has one, and its cheapest service.
fn alone(carrier: &Carrier) -> ChosenCarrier {
    ChosenCarrier {
        carrier_id: carrier.id,
        carrier: carrier.label().to_owned(),
        account_id: None,
        company_account_id: None,
        account: String::new(),
        service_id: None,
        service: String::new(),
    }
}

/// Draws the choice of an account, if the company has several.
fn account(ui: &mut Ui, accounts: &[&CarrierAccount], chosen: &mut ChosenCarrier) {
    if accounts.len() < 2 {
        return;
    }
    let names: Vec<_> = accounts.iter().map(|account| account.label()).collect();
    let current = accounts
        .iter()
        .position(|account| Some(account.id) == chosen.account_id);
    let shown = Select::new("Account", current, &names).show(ui);
    if let Some(account) = shown.picked.and_then(|at| accounts.get(at)) {
        chosen.account_id = Some(account.id);
        chosen.company_account_id = account.company_carrier_account_id;
        account.label().clone_into(&mut chosen.account);
        let mut services = account.carrier_services.iter();
        if !services.any(|service| Some(service.id) == chosen.service_id) {
            chosen.service_id = None;
            chosen.service.clear();
        }
    }
}

/// Draws the choice of a service of the chosen account, or of all accounts if none is chosen. The first
/// choice is the cheapest service.
fn service(ui: &mut Ui, accounts: &[&CarrierAccount], chosen: &mut ChosenCarrier) {
    let mut services: Vec<_> = { accounts.iter() }
        .filter(|account| chosen.account_id.is_none_or(|id| id == account.id))
        .flat_map(|account| &account.carrier_services)
        .collect();
    services.sort_by_key(|service| service.id);
    services.dedup_by_key(|service| service.id);
    let names: Vec<_> = std::iter::once("Cheapest service")
        .chain(services.iter().map(|service| service.label()))
        .collect();
    let current = chosen.service_id.map_or(Some(0), |id| {
        let at = services.iter().position(|service| service.id == id);
        at.map(|at| at + 1)
    });
    let shown = Select::new("Service", current, &names).show(ui);
    if let Some(at) = shown.picked {
        let service = at.checked_sub(1).and_then(|at| services.get(at));
        chosen.service_id = service.map(|service| service.id);
        chosen.service = service
            .map(|service| service.label().to_owned())
            .unwrap_or_default();
    }
}
