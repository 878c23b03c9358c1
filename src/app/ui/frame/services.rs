//! The menu of services at the right end of the top bar. Its button shows the open service.

use egui::Ui;

use super::super::Context;
use super::super::environment;
use crate::state::{Command, Environment, Screen, ServiceChoice, SettingsCommand};
use draft::ServiceKind;
use widgets::icons;
use widgets::menu::{self, MenuLine};

pub(crate) fn show(ui: &mut Ui, context: &mut Context<'_>) {
    let shared = context.shared;
    let word = shared.environment.label();
    let meaning = shared.environment.meaning(shared.kind_evidence);
    let name = format!("{word}: switch service");
    let badge = environment::badge(shared.environment).name(&name);
    let about = match shared.environment {
        Environment::Practice => format!("{meaning}: a practice service on this machine"),
        _ => format!("{}. {meaning}\n{}", shared.connection, shared.service),
    };
    let button = badge.show_button(ui).on_hover_text(about);
    let mut titles = vec![("Practice".to_owned(), Environment::Practice)];
    for saved in &shared.setup.connections {
        let kind = saved.draft.kind.unwrap_or(ServiceKind::Live);
        let title = format!("{} · {}", saved.draft.name, kind.label());
        titles.push((title, environment::of_kind(kind)));
    }
    let practising = shared.environment == Environment::Practice;
    let mut lines: Vec<MenuLine<'_>> = titles
        .iter()
        .enumerate()
        .map(|(at, (title, environment))| MenuLine {
            icon: Some(environment::style(*environment).1),
            text: title,
            chosen: match at {
                0 => practising,
                _ => shared.setup.connections[at - 1].draft.name == shared.connection,
            },
        })
        .collect();
    lines.push(MenuLine {
        icon: Some(icons::ICON_SETTINGS),
        text: "Settings…",
        chosen: false,
    });
    let Some(picked) = menu::under(&button, 280.0, &lines) else {
        return;
    };
    let chosen = match picked {
        0 => ServiceChoice::Practice,
        at => match shared.setup.connections.get(at - 1) {
            Some(saved) => ServiceChoice::Connection(saved.draft.name.clone()),
            None => return context.push(Command::Show(Screen::Settings)),
        },
    };
    match chosen {
        ServiceChoice::Practice => context.push(SettingsCommand::Practise),
        ServiceChoice::Connection(name) => context.push(SettingsCommand::Use(name)),
    }
}
