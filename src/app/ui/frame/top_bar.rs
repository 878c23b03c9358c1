//! The top bar: search box, unfinished operations, company, bench, practice drill and service.

use egui::{Align, Id, Layout, Ui, vec2};

use super::super::Context;
use super::super::actions::Action;
use super::super::{environment, startup};
use super::{FrameState, practice_drill};
use crate::state::{Command, Environment, PracticeCommand, Screen, SettingsCommand, WindowCommand};
use draft::ServiceKind;
use shipping::Company;
use widgets::badge::Badge;
use widgets::button::Button;
use widgets::field::{Field, OnEnter};
use widgets::menu::{self, MenuEntry};
use widgets::tokens::{Tone, palette};
use widgets::{icons, text};

/// Returns the widget id of the scan and search box, which F9 focuses.
fn search_id() -> Id {
    Id::unique("scan or search")
}

pub(crate) fn show(ui: &mut Ui, context: &mut Context<'_>, state: &mut FrameState, narrow: bool) {
    ui.spacing_mut().item_spacing.x = 12.0;
    if !narrow {
        startup::name(ui, &text::strong_font());
        ui.add_space(60.0);
    }
    search(ui, context, state, narrow);
    let right = ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        services(ui, context);
        if practice_drill::is_offered(context.shared) {
            let pressed = practice_drill::button(ui, context).clicked();
            if pressed || context.is_triggered(Action::PracticeDrill) {
                state.trouble_open = true;
                context.push(PracticeCommand::Refresh);
            }
        }
        let session = &context.shared.session;
        let mut who = vec![session.bench.as_str(), session.staff.as_str()];
        who.retain(|part| !part.is_empty());
        if !who.is_empty() {
            ui.label(text::body(who.join(" · ")).color(palette(ui).muted));
        }
        company(ui, context);
        action_item_badges(ui, context, narrow);
        ui.min_rect().width()
    });
    #[expect(clippy::float_cmp, reason = "the same widgets are as wide as before")]
    if state.top_right != right.inner {
        state.top_right = right.inner;
        ui.ctx().request_repaint();
    }
}

/// Draws the number of action items in progress and the number of items that need a
/// person. Both lead to Operations.
fn action_item_badges(ui: &mut Ui, context: &mut Context<'_>, narrow: bool) {
    let matters = &context.shared.operations.action_items;
    let waiting = matters.waiting().len();
    let checked = matters.open().len() - waiting;
    let pills = [
        (checked, "in progress", Tone::Unknown, icons::ICON_HELP),
        (waiting, "to be decided", Tone::Warning, icons::ICON_WARNING),
    ];
    for (count, what, tone, icon) in pills.into_iter().filter(|(count, ..)| *count > 0) {
        let words = format!("{count} {what}");
        // In a narrow window there is no room for the texts of both badges.
        let short = narrow && checked > 0 && waiting > 0;
        let count = count.to_string();
        let shown = if short { &count } else { &words };
        let tip = format!("{words}: {}", Action::ShowOperations.tip());
        let pill = Badge::new(tone, shown)
            .name(&words)
            .icon(icon)
            .show_button(ui);
        if pill.on_hover_text(tip).clicked() {
            context.push(Command::Show(Screen::Operations));
        }
    }
}

fn search(ui: &mut Ui, context: &mut Context<'_>, state: &mut FrameState, narrow: bool) {
    if context.is_triggered(Action::Search) {
        ui.memory_mut(|memory| memory.request_focus(search_id()));
    }
    let most: f32 = if narrow { 320.0 } else { 420.0 };
    let room = ui.available_width() - state.top_right - ui.spacing().item_spacing.x;
    let width = most.min(room).max(160.0);
    ui.allocate_ui(vec2(width, 32.0), |ui| {
        let entry = Action::Search.entry();
        // The search box is empty while the service is asked, and the clerk looks there.
        let asking = context.shared.search.searching_for.as_ref();
        let hint = asking.map(|text| format!("Searching the service for {text}…"));
        let hint = hint.as_deref();
        let hint = hint.unwrap_or("Scan, or search any number or name");
        let field = Field::new(entry.name, &mut state.query)
            .id(search_id())
            .icon(entry.icon)
            .hint(hint)
            .key("F9")
            .on_enter(OnEnter::Stay)
            .hide_label()
            .show(ui);
        if field.entered && !state.query.trim().is_empty() {
            let query = std::mem::take(&mut state.query);
            context.push(WindowCommand::Find(query.trim().to_owned()));
        }
    });
}

/// Draws the badge of the open service, with the menu of services.
fn services(ui: &mut Ui, context: &mut Context<'_>) {
    let shared = context.shared;
    let session = &shared.session;
    let name = format!("{}: switch service", session.environment.label());
    let badge = environment::badge(session.environment).name(&name);
    let practising = session.environment == Environment::Practice;
    let meaning = session.environment.meaning(session.kind_evidence);
    let about = if practising {
        format!("Practice service on this computer. {meaning}")
    } else {
        format!("{}. {meaning}\n{}", session.connection, session.service)
    };
    let button = badge.show_button(ui).on_hover_text(about);
    let icon = |environment| environment::style(environment).1;
    let connections = &shared.setup.connections;
    let titles: Vec<_> = { connections.iter() }
        .map(|saved| {
            let kind = saved.draft.kind.unwrap_or(ServiceKind::Live);
            let title = format!("{} · {}", saved.draft.name, kind.label());
            (title, icon(Environment::of_kind(kind)))
        })
        .collect();
    let saved = connections.iter().zip(&titles).map(|(saved, title)| {
        let chosen = saved.draft.name == shared.session.connection;
        MenuEntry::new(&title.0, chosen).icon(title.1)
    });
    let practice = MenuEntry::new("Practice", practising).icon(icon(Environment::Practice));
    let settings = MenuEntry::new("Settings…", false).icon(icons::ICON_SETTINGS);
    let mut lines = vec![practice];
    lines.extend(saved);
    lines.push(settings);
    match menu::under(&button, 280.0, &lines) {
        None => {}
        Some(0) => context.push(SettingsCommand::Practise),
        Some(at) => match connections.get(at - 1) {
            Some(saved) => context.push(SettingsCommand::Use(saved.draft.name.clone())),
            None => context.push(Command::Show(Screen::Settings)),
        },
    }
}

/// Returns the widget id of the company button. Notices about the wrong company lead there.
pub(crate) fn company_id() -> Id {
    Id::unique("company of the bench")
}

fn company(ui: &mut Ui, context: &mut Context<'_>) {
    let shared = context.shared;
    let Some(companies) = shared.catalogue.companies.value() else {
        return;
    };
    let name = |company: &Company| match company.label() {
        name if Some(company.id) == shared.session.own_company => {
            format!("{name} (your token's company)")
        }
        name => name.to_owned(),
    };
    let names: Vec<String> = companies.iter().map(name).collect();
    let mut known = companies.iter();
    let current = known.find(|company| Some(company.id) == shared.session.company);
    let label = current.map_or("Pick a company", Company::label);
    let button = ui.add(Button::quiet(label).icon(icons::ICON_APARTMENT).opens());
    if ui.memory(|memory| memory.has_focus(company_id())) {
        button.request_focus();
        menu::toggle(&button);
    }
    let lines: Vec<_> = { companies.iter().zip(&names) }
        .map(|(company, name)| MenuEntry::new(name, Some(company.id) == shared.session.company))
        .collect();
    if let Some(picked) = menu::under(&button, 300.0, &lines) {
        context.push(WindowCommand::PickCompany(companies[picked].id));
    }
}
