//! What the clerk should know, above whichever screen is up, until it is dismissed or mended.

use egui::Ui;

use super::super::Context;
use super::super::kit::notice::NoticeBar;
use super::super::kit::tokens::{self, size};
use super::top::company_id;
use crate::state::{
    Command, ConsignCommand, DispatchCommand, FrameCommand, LeadsTo, Notice, OperationsCommand,
    Screen, Tone,
};

/// How many notices show at once; the others follow as these are dismissed.
const MOST: usize = 3;

/// Answers how much height they take.
pub(in crate::ui) fn show(ui: &mut Ui, context: &mut Context<'_>) -> f32 {
    let shared = context.shared;
    let top = ui.cursor().top();
    if let Some(text) = &shared.not_found {
        let asked = shared.not_asked.is_empty();
        let headline = if asked {
            format!("Nothing is called {text}")
        } else {
            format!("Nothing on this bench is called {text}, and the service did not say")
        };
        let advice = if asked {
            "What was open is still open, and it is not what was scanned".to_owned()
        } else {
            shared.not_asked.join(". ")
        };
        let bar = NoticeBar::new(tokens::Tone::Bad, &headline)
            .what_to_do(&advice)
            .action("Seen");
        if bar.show(ui).acted {
            context.ask(FrameCommand::AcknowledgeFind);
        }
    }
    if let Some((sku, line)) = &shared.not_counted {
        let headline = format!("{sku} was not counted");
        let advice = format!(
            "Line {} has no quantity that can be counted up: type it",
            line + 1
        );
        let bar = NoticeBar::new(tokens::Tone::Bad, &headline)
            .what_to_do(&advice)
            .action("Seen");
        if bar.show(ui).acted {
            context.ask(FrameCommand::AcknowledgeFind);
        }
    }
    for (id, notice) in shared.notices.iter().take(MOST) {
        let bar = bar(notice).dismissable();
        let bar = match notice.leads_to {
            Some(_) => bar.action("Show"),
            None => bar,
        };
        let pressed = bar.show(ui);
        if let Some(place) = notice.leads_to.as_ref().filter(|_| pressed.acted) {
            lead(ui, context, place);
        }
        if pressed.dismissed || pressed.acted {
            context.ask(FrameCommand::Dismiss(*id));
        }
    }
    let more = shared.notices.len().saturating_sub(MOST);
    if more > 0 {
        super::super::kit::menu::note(ui, &format!("{more} more"));
    }
    let used = ui.cursor().top() - top;
    if used > 0.0 {
        used + size::GRID / 2.0
    } else {
        0.0
    }
}

fn lead(ui: &Ui, context: &mut Context<'_>, place: &LeadsTo) {
    let command: Command = match place {
        LeadsTo::Operations => Command::Show(Screen::Operations),
        LeadsTo::Matter(matter) => OperationsCommand::Show(*matter).into(),
        LeadsTo::Consignment(id) => DispatchCommand::Reveal(*id).into(),
        LeadsTo::Label(id) => DispatchCommand::ShowLabel(*id).into(),
        LeadsTo::Draft(id) => {
            context.ask(Command::Show(Screen::Consign));
            ConsignCommand::OpenDraft(id.clone()).into()
        }
        LeadsTo::Company => {
            ui.memory_mut(|memory| memory.request_focus(company_id()));
            return ui.ctx().request_repaint();
        }
    };
    context.ask(command);
}

/// A notice as a bar.
pub(in crate::ui) fn bar(notice: &Notice) -> NoticeBar<'_> {
    NoticeBar::new(tone(notice.tone), &notice.headline)
        .what_to_do(&notice.advice)
        .detail(&notice.detail)
}

fn tone(tone: Tone) -> tokens::Tone {
    match tone {
        Tone::Good => tokens::Tone::Ok,
        Tone::Warning => tokens::Tone::Warning,
        Tone::Bad => tokens::Tone::Bad,
        Tone::Unknown => tokens::Tone::Unknown,
    }
}
