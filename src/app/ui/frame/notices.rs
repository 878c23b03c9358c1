//! The notices above the current screen, and the dialog with all messages.

use egui::{Label, ScrollArea, Ui};

use super::super::Context;
use super::super::format::clock_seconds;
use super::company_id;
use crate::state::{
    Command, ConsignCommand, DispatchCommand, Notice, NoticeId, NoticeTarget, OperationsCommand,
    Screen, Shared, Tone, WindowCommand,
};
use engine::EngineError;
use widgets::button::Button;
use widgets::modal::Modal;
use widgets::notice::NoticeBar;
use widgets::text;
use widgets::tokens::{palette, size};

/// Maximum number of notices shown at once, newest first; the button "2 more" opens the dialog with all.
const MOST: usize = 3;
/// Replaces [`MOST`] in a low window.
const MOST_LOW: usize = 2;
/// Height below which a window is low, in points.
const LOW: f32 = 760.0;

/// Draws the notices and returns their height. Sets `all_open` if the clerk asks for all of them.
pub(crate) fn show(ui: &mut Ui, context: &mut Context<'_>, all_open: &mut bool) -> f32 {
    let shared = context.shared;
    let top = ui.cursor().top();
    if let Some(text) = &shared.search.not_found {
        let failures = &shared.search.failures;
        let (rest, advice) = if failures.is_empty() {
            let advice = "The consignment on the screen is not the one you scanned".to_owned();
            ("", advice)
        } else {
            let rest = " on this bench, and the service couldn't be searched";
            (rest, failures.join(". "))
        };
        let headline = format!("No match for “{text}”{rest}");
        to_acknowledge(ui, context, &headline, &advice);
    }
    if let Some((sku, line)) = &shared.consign.not_counted {
        let line = line + 1;
        let advice = format!("The quantity of line {line} is not a number. Enter the quantity");
        to_acknowledge(ui, context, &format!("{sku} was not added"), &advice);
    }
    let is_low = ui.ctx().content_rect().height() < LOW;
    let most = if is_low { MOST_LOW } else { MOST };
    let notices = in_order(&shared.notices.shown);
    for (id, notice) in notices.iter().take(most) {
        one(ui, context, *id, notice);
    }
    let more = notices.len().saturating_sub(most);
    if more > 0 {
        let more = format!("{more} more");
        *all_open |= ui.add(Button::quiet(&more).small()).clicked();
    }
    let used = ui.cursor().top() - top;
    if used > 0.0 {
        used + size::GRID / 2.0
    } else {
        0.0
    }
}

/// Draws the notice about a failed scan, which the clerk must acknowledge.
fn to_acknowledge(ui: &mut Ui, context: &mut Context<'_>, headline: &str, advice: &str) {
    let bar = NoticeBar::new(Tone::Bad, headline).what_to_do(advice);
    if bar.action("Seen").show(ui).acted {
        context.push(WindowCommand::AcknowledgeFind);
    }
}

/// Returns the newest notice first, then errors, then the other notices.
fn in_order(notices: &[(NoticeId, Notice)]) -> Vec<&(NoticeId, Notice)> {
    let mut notices: Vec<_> = notices.iter().rev().collect();
    if let Some((_newest, others)) = notices.split_first_mut() {
        others.sort_by_key(|(_, notice)| notice.tone != Tone::Bad);
    }
    notices
}

fn one(ui: &mut Ui, context: &mut Context<'_>, id: NoticeId, notice: &Notice) {
    let bar = bar(notice).dismissable();
    let bar = match notice.target {
        Some(NoticeTarget::Folder(_)) => bar.action("Open folder"),
        Some(_) => bar.action("Show"),
        None => bar,
    };
    let pressed = bar.show(ui);
    if let Some(place) = notice.target.as_ref().filter(|_| pressed.acted) {
        lead(ui, context, place);
    }
    if pressed.dismissed || pressed.acted {
        context.push(WindowCommand::Dismiss(id));
    }
}

/// Draws the dialog with current and earlier notices.
pub(crate) fn dialog(ui: &Ui, open: &mut bool, context: &mut Context<'_>) {
    Modal::new("messages", "Messages")
        .width(620.0)
        .show(ui, open, |ui, _| {
            let shared = context.shared;
            if shared.notices.shown.is_empty() && shared.notices.past.is_empty() {
                ui.label("No messages since Packbench was started");
            }
            let room = ui.ctx().content_rect().height() - 200.0;
            ScrollArea::vertical().max_height(room).show(ui, |ui| {
                for (id, notice) in in_order(&shared.notices.shown) {
                    one(ui, context, *id, notice);
                }
                if !shared.notices.past.is_empty() {
                    ui.label(text::strong("Earlier"));
                }
                for (_, notice) in shared.notices.past.iter().rev() {
                    past(ui, shared, notice);
                }
            });
        });
}

fn past(ui: &mut Ui, shared: &Shared, notice: &Notice) {
    let at = notice.at.map(|at| clock_seconds(at, &shared.session.zone));
    let words = format!("{} {}", at.unwrap_or_default(), notice.headline);
    let ink = notice.tone.ink(palette(ui));
    ui.add(Label::new(text::body(words.trim()).color(ink)).wrap());
    if !notice.advice.is_empty() {
        text::small_note(ui, &notice.advice);
    }
}

fn lead(ui: &Ui, context: &mut Context<'_>, place: &NoticeTarget) {
    let command: Command = match place {
        NoticeTarget::Operations => Command::Show(Screen::Operations),
        NoticeTarget::OrderFolder => Command::Show(Screen::OrderFolder),
        NoticeTarget::ActionItem(item) => OperationsCommand::Show(*item).into(),
        NoticeTarget::Consignment(id) => DispatchCommand::Reveal(*id).into(),
        NoticeTarget::Label(id) => DispatchCommand::ShowLabel(*id).into(),
        NoticeTarget::Draft(id) => {
            context.push(Command::Show(Screen::Consign));
            ConsignCommand::OpenDraft(id.clone()).into()
        }
        NoticeTarget::Folder(folder) => WindowCommand::OpenFolder(folder.clone()).into(),
        NoticeTarget::Company => {
            ui.memory_mut(|memory| memory.request_focus(company_id()));
            return ui.ctx().request_repaint();
        }
    };
    context.push(command);
}

/// Draws a notice about a failure, with a button to try again. Returns whether the button was pressed.
pub(crate) fn failed(ui: &mut Ui, headline: &str, problem: &EngineError, retry: &str) -> bool {
    let notice = Notice::failed(headline, problem);
    bar(&notice).action(retry).show(ui).acted
}

pub(crate) fn bar(notice: &Notice) -> NoticeBar<'_> {
    NoticeBar::new(notice.tone, &notice.headline)
        .what_to_do(&notice.advice)
        .detail(&notice.detail)
}
