//! The files of the consignment whose page is open: listed, shown and saved. File names from the service are
//! only displayed; the type of a file is found out from its content when the file is opened.

mod proof;
mod saving;
pub(super) mod viewer;

use egui::{Align, Label, Layout, Ui};

use crate::state::{FilesCommand, PageCommand, PageView};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::format::day_and_time;
use crate::ui::frame::notices;
use proof::{proof, proof_or_first};
use shipping::{Attachment, ConsignmentId};
use widgets::button::Button;
use widgets::tokens::{palette, size};
use widgets::{Icon, icons, text};

#[derive(Default)]
pub(crate) struct FilesState {
    viewer: viewer::FileViewer,
    saving: saving::SaveFilesDialog,
    /// The consignment whose proof of delivery opens as soon as its list of files has arrived.
    wants_proof: Option<ConsignmentId>,
}

impl FilesState {
    /// True while the viewer or a dialog is in front.
    pub(crate) const fn is_open(&self) -> bool {
        self.viewer.is_open() || self.saving.is_open()
    }

    /// Draws the viewer and the dialog. The screen calls this even when no page is open.
    pub(crate) fn show_in_front(&mut self, ui: &Ui, context: &mut Context<'_>) {
        self.actions(context);
        self.viewer.show(ui, context);
        self.saving.show(ui, context);
    }

    /// Runs the actions on files. Alt+O may be pressed before the list of files has arrived; the request is
    /// dropped when another page is opened.
    fn actions(&mut self, context: &mut Context<'_>) {
        let page = &context.shared.track.page;
        if context.is_triggered(Action::ProofOfDelivery) {
            self.wants_proof = page.open;
        }
        self.wants_proof = self.wants_proof.filter(|of| page.open == Some(*of));
        let first = proof_or_first(listed(page));
        if let Some(first) = first.filter(|_| self.wants_proof.is_some()) {
            self.wants_proof = None;
            context.push(FilesCommand::ShowFile(first.id));
        }
        self.wants_proof = self.wants_proof.filter(|_| page.files.is_loading());
        if let Some(open) = page.open.filter(|_| first.is_some())
            && context.is_triggered(Action::SaveFiles)
        {
            context.push(FilesCommand::SaveFiles(vec![open]));
        }
    }
}

fn listed(page: &PageView) -> &[Attachment] {
    page.files.value().map_or(&[], Vec::as_slice)
}

/// Draws the section of the page: a heading, then a line for each file.
pub(crate) fn section(ui: &mut Ui, context: &mut Context<'_>, state: &FilesState) {
    let page = &context.shared.track.page;
    let files = listed(page);
    head(ui, context, files);
    if let Some(problem) = page.files.problem()
        && notices::failed(ui, "Couldn't load the list of files", problem, "Try again")
    {
        context.push(PageCommand::Refresh);
    }
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = 2.0;
        for file in files {
            if row(ui, file).clicked() {
                context.push(FilesCommand::ShowFile(file.id));
            }
        }
    });
    if files.is_empty() && page.files.problem().is_none() {
        text::small_note(ui, none_yet(page, state.wants_proof.is_some()));
    }
}

/// Returns the text that stands in for an empty list of files.
fn none_yet(page: &PageView, wanted: bool) -> &'static str {
    let followed = page.history.value().and_then(Option::as_ref);
    let is_over = followed.is_some_and(|one| one.row.status.id.is_final());
    match (page.files.is_loading(), page.files.value()) {
        (true, _) if wanted => "The proof opens once the files are listed",
        (true, None) => "Loading files",
        _ if is_over => "No files",
        _ => "None yet. Proof of delivery appears after delivery",
    }
}

fn head(ui: &mut Ui, context: &mut Context<'_>, files: &[Attachment]) {
    let open = context.shared.track.page.open;
    ui.horizontal(|ui| {
        ui.set_height(size::BUTTON);
        ui.label(text::strong("Files"));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let Some(first) = proof_or_first(files) else {
                return;
            };
            let key = Action::SaveFiles.key();
            let save = Button::quiet("Save…")
                .key(&key)
                .accessible_name("Save all files…");
            if let Some(open) = open.filter(|_| ui.add(save).clicked()) {
                context.push(FilesCommand::SaveFiles(vec![open]));
            }
            let words = match proof(files) {
                Some(_) => "Proof".to_owned(),
                None => format!("Files ({})", files.len()),
            };
            let key = Action::ProofOfDelivery.key();
            let show = Button::new(&words).icon(icons::ICON_ATTACH_FILE).key(&key);
            if ui.add(show).clicked() {
                context.push(FilesCommand::ShowFile(first.id));
            }
        });
    });
}

fn row(ui: &mut Ui, file: &Attachment) -> egui::Response {
    let p = palette(ui);
    let (icon, kind) = icon_and_type(&file.file_name);
    let name = shown_name(file);
    ui.horizontal(|ui| {
        ui.set_height(size::ROW);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let added = file.date_added.map(day_and_time).unwrap_or_default();
            ui.add(Label::new(text::small(added.as_str()).color(p.muted)));
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let spoken = format!("{name}, {kind} {added}");
                let room = ui.available_width();
                let button = Button::quiet(&name)
                    .icon(icon)
                    .left()
                    .accessible_name(&spoken);
                ui.add(button.min_width(room).small())
            })
            .inner
        })
        .inner
    })
    .inner
}

/// Returns the icon and type for a file name. Only for display: the name may be wrong.
fn icon_and_type(name: &str) -> (Icon, &'static str) {
    let ending = name.rsplit('.').next().unwrap_or_default();
    match ending.to_ascii_lowercase().as_str() {
        "pdf" => (icons::ICON_PICTURE_AS_PDF, "PDF"),
        "jpg" | "jpeg" | "png" | "gif" | "tif" | "tiff" | "webp" => (icons::ICON_IMAGE, "picture"),
        _ => (icons::ICON_DRAFT, "file"),
    }
}

/// Returns the file name in one line of at most 80 characters, without control and direction characters that
/// could reverse it or hide its extension.
pub(super) fn shown_name(file: &Attachment) -> String {
    let plain = |c: &char| {
        !c.is_control()
            && !matches!(c, '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
    };
    let name: String = file.file_name.chars().filter(plain).take(80).collect();
    if name.trim().is_empty() {
        format!("File {}", file.id)
    } else {
        name
    }
}
