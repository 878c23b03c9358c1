//! The card with the price, the Send button and the save state; above the card, consignments that were just sent.

use egui::{Label, Ui};

use crate::state::{
    Command, ConsignCommand, DocumentKind, Editing, LabelsCommand, RouteView, SaveState, Screen,
    SentProgress,
};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::environment;
use crate::ui::format::{clock_seconds, day_and_time, price, weekday};
use draft::Routing;
use widgets::button::Button;
use widgets::card::Card;
use widgets::notice::NoticeBar;
use widgets::text;
use widgets::tokens::Tone;

/// Maximum number of consignments being sent that have a separate line.
const MOST_UNDER_WAY: usize = 3;

pub(super) fn card(ui: &mut Ui, context: &mut Context<'_>, editing: &Editing) {
    created(ui, context);
    under_way(ui, context);
    Card::plain().body(ui, |ui| {
        total(ui, context, editing);
        if let Some(question) = &editing.price_question {
            NoticeBar::new(Tone::Warning, question)
                .what_to_do("Send again to accept this price, or choose another route")
                .show(ui);
        }
        environment::line(ui, context.shared);
        let entry = Action::Send.entry();
        let key = Action::Send.key();
        let changes = editing.draft.edits.is_some();
        let words = if changes { "Save changes" } else { entry.name };
        let send = Button::primary(words).key(&key).fill_width(ui);
        let about = if changes {
            "Update the consignment at the service with these details"
        } else {
            entry.tooltip
        };
        if ui.add(send).on_hover_text(about).clicked() {
            context.push(ConsignCommand::Send);
        }
        if !changes {
            save_pending(ui, context, editing);
        }
        text::small_note(ui, kept(context, editing));
    });
}

/// Draws the button that saves the draft as pending. A pending consignment cannot be changed at the service, so a
/// note says that sending or saving the draft again deletes it there.
fn save_pending(ui: &mut Ui, context: &mut Context<'_>, editing: &Editing) {
    let entry = Action::SavePending.entry();
    let key = Action::SavePending.key();
    let save = Button::new(entry.name)
        .icon(entry.icon)
        .key(&key)
        .fill_width(ui);
    let possible = !editing.draft.is_blank();
    let save = ui.add_enabled(possible, save);
    if save.on_hover_text(entry.tooltip).clicked() {
        context.push(ConsignCommand::SavePending);
    }
    if let Some(pending) = &editing.draft.pending {
        let words = format!(
            "{} stays at the service until you send this or save it again, and is then deleted there",
            pending.number
        );
        text::small_note(ui, words);
    }
}

/// Draws price, carrier and arrival of the chosen route, or of the route that the service would pick.
fn total(ui: &mut Ui, context: &Context<'_>, editing: &Editing) {
    let routing = &editing.draft.routing;
    let routes = &context.shared.consign.routes;
    let routes = routes.value().map_or(&[][..], Vec::as_slice);
    let taken = RouteView::taken(routing, routes);
    let mut amount = None;
    let words = match (routing, taken) {
        (Routing::Unchosen, _) => "No route chosen yet".to_owned(),
        (Routing::Carrier(chosen), _) => format!("{} {}", chosen.carrier, chosen.service),
        (Routing::Chosen(route), _) => {
            amount = route.price;
            let eta = route.eta.map(|eta| format!(", {}", weekday(eta)));
            let eta = eta.unwrap_or_default();
            format!("{} {}{eta}", route.carrier, route.service)
        }
        (
            _,
            Some(RouteView::Offer {
                route, despatch, ..
            }),
        ) => {
            amount = route.price;
            let leaves = despatch.map(|at| format!(", leaves {}", day_and_time(at)));
            let eta = route.eta.map(|eta| format!(", arrives {}", weekday(eta)));
            let times = [leaves, eta].into_iter().flatten().collect::<String>();
            format!("{} {}{times}", route.carrier, route.service)
        }
        (Routing::Cheapest, _) => "The service picks the lowest price".to_owned(),
        (Routing::Fastest, _) => "The service picks the earliest arrival".to_owned(),
    };
    ui.horizontal(|ui| {
        if let Some(amount) = amount {
            ui.label(text::figure(price(amount)));
        }
        text::note(ui, words.trim());
    });
}

fn kept(context: &Context<'_>, editing: &Editing) -> String {
    let kept = match editing.saved {
        SaveState::Blank => "Drafts save automatically".to_owned(),
        SaveState::Pending => "Saving the draft".to_owned(),
        SaveState::At(at) => format!(
            "Saved on this bench {}",
            clock_seconds(at, &context.shared.session.zone)
        ),
    };
    let printer = context
        .shared
        .labels
        .printers
        .value()
        .and_then(|printers| printers.iter().find(|printer| printer.chosen));
    match printer {
        Some(printer) if context.shared.bench.auto_print && editing.draft.edits.is_none() => {
            let mut rules = context.shared.labels.documents.iter();
            let has_others =
                rules.any(|rule| rule.document == DocumentKind::ItemLabels && !rule.is_for_all());
            let unless = if has_others {
                ", unless a rule names another printer"
            } else {
                ""
            };
            format!(
                "{kept}. After Send the label goes to {}{unless}",
                printer.name
            )
        }
        _ => kept,
    }
}

/// Draws the consignments that were sent from the form and have no answer yet. All waiting ones share one line.
fn under_way(ui: &mut Ui, context: &Context<'_>) {
    let shared = context.shared;
    if shared.consign.sent.is_empty() {
        return;
    }
    Card::plain().body(ui, |ui| {
        let mut waiting = Vec::new();
        let mut lines = Vec::new();
        for sent in &shared.consign.sent {
            let receiver = sent.to.title();
            let name = if receiver.is_empty() {
                sent.title()
            } else {
                receiver
            };
            match shared.sent_progress(&sent.id) {
                SentProgress::Waiting => waiting.push(name),
                SentProgress::Sending => lines.push(format!("Sending to {name}…")),
                SentProgress::Checking => lines.push(format!(
                    "Checking whether {name} went through. Please don't enter it again"
                )),
            }
        }
        let more = lines.len().saturating_sub(MOST_UNDER_WAY);
        lines.truncate(MOST_UNDER_WAY);
        if more > 0 {
            lines.push(format!("and {more} more being checked"));
        }
        if !waiting.is_empty() {
            let (count, names) = (waiting.len(), waiting.join(", "));
            lines.push(format!("Waiting to be sent: {count} ({names})"));
        }
        for line in lines {
            ui.add(Label::new(text::small(line)).truncate());
        }
    });
}

/// Draws the most recently created consignment, until the next draft is sent.
fn created(ui: &mut Ui, context: &mut Context<'_>) {
    let Some(last) = &context.shared.consign.last_created else {
        return;
    };
    let headline = format!("Consignment {} created", last.consignment_number);
    let to = last.to_name.as_deref().unwrap_or_default();
    let total = last.consignment_total.total_sell_price;
    let cost = total.map(|amount| format!(" · {}", price(amount)));
    let words = format!(
        "{to} · {} {}{}",
        last.carrier_name(),
        last.service_name(),
        cost.unwrap_or_default()
    );
    if NoticeBar::new(Tone::Ok, &headline)
        .what_to_do(words.trim_matches([' ', '·']))
        .action("Label")
        .show(ui)
        .acted
    {
        context.push(LabelsCommand::Select(last.id));
        context.push(Command::Show(Screen::Labels));
    }
}
