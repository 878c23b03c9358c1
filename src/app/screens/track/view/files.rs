//! The files of the consignment whose page is open: listed, shown and saved. File names from the service are
//! only displayed; the type of a file is found out from its content when the file is opened.

use egui::{Align, Label, Layout, ScrollArea, Ui};

use super::page_viewer::FileViewer;
use crate::state::{FilesCommand, FilesView, PageCommand, PageView};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::format::{counted, day_and_time};
use crate::ui::frame::notices;
use shipping::{Attachment, ConsignmentId};
use widgets::button::Button;
use widgets::field::Field;
use widgets::modal::{self, Modal};
use widgets::tokens::{Tone, palette, size};
use widgets::{Icon, icons, progress, text};

/// A file name that contains any of these is a proof of delivery.
const PROOF_WORDS: [&str; 3] = ["proof", "signature", "signed"];

#[derive(Default)]
pub(crate) struct FilesState {
    viewer: FileViewer,
    saving: SaveFilesDialog,
    /// The consignment whose proof of delivery opens as soon as its list of files has arrived.
    wants_proof: Option<ConsignmentId>,
}

impl FilesState {
    /// True while the viewer or a dialog is in front.
    pub(crate) const fn is_open(&self) -> bool {
        self.viewer.is_open() || self.saving.open
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

/// Returns the most likely proof: a file named like one (a PDF before a picture), else a PDF. Returns `None`
/// if no name fits.
fn proof(files: &[Attachment]) -> Option<&Attachment> {
    let likely = |file: &&Attachment| {
        let name = file.file_name.to_lowercase();
        let mut words = name.split(|c: char| !c.is_alphabetic());
        let is_named_so = PROOF_WORDS.iter().any(|word| name.contains(word));
        let is_proof = is_named_so || words.any(|word| word == "pod");
        let ending = name.rsplit_once('.').map(|(_, ending)| ending);
        (is_proof, ending == Some("pdf"))
    };
    // `max_by_key` returns the last of equals; reversed, that is the first in the list.
    let best = files.iter().rev().max_by_key(likely)?;
    (likely(&best) != (false, false)).then_some(best)
}

/// Returns the proof, or the first file if none looks like a proof.
fn proof_or_first(files: &[Attachment]) -> Option<&Attachment> {
    proof(files).or_else(|| files.first())
}

/// The dialog that saves files: asks for a folder if this desktop has no file dialog, shows the progress, and
/// lists the files that were skipped.
#[derive(Debug, Default)]
struct SaveFilesDialog {
    open: bool,
    /// The typed folder.
    folder: String,
    /// True after the clerk closed the dialog while saving continues.
    hidden: bool,
}

/// The content of the dialog.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SaveStage {
    Folder,
    Underway,
    LeftOut,
}

impl SaveStage {
    fn of(view: &FilesView) -> Option<Self> {
        match (view.progress, &view.saved) {
            (Some(_), _) if view.of.len() > 1 => Some(Self::Underway),
            (None, _) if view.needs_folder => Some(Self::Folder),
            (_, Some(saved)) if !saved.left_out.is_empty() => Some(Self::LeftOut),
            _ => None,
        }
    }
}

impl SaveFilesDialog {
    fn show(&mut self, ui: &Ui, context: &mut Context<'_>) {
        let stage = SaveStage::of(&context.shared.track.files);
        self.hidden &= stage == Some(SaveStage::Underway);
        self.open = stage.is_some() && !self.hidden;
        let title = match stage {
            Some(SaveStage::LeftOut) => "Some files weren't saved",
            Some(SaveStage::Underway) => "Saving files",
            Some(SaveStage::Folder) | None => "Save the files",
        };
        let mut open = self.open;
        Modal::new("save files", title).show(ui, &mut open, |ui, open| match stage {
            None => {}
            Some(SaveStage::Folder) => folder(ui, context, &mut self.folder, open),
            Some(SaveStage::Underway) => underway(ui, context, open),
            Some(SaveStage::LeftOut) => left_out(ui, context, open),
        });
        if self.open && !open {
            self.open = false;
            self.hidden = stage == Some(SaveStage::Underway);
            if !self.hidden {
                context.push(FilesCommand::ForgetSaved);
            }
        }
    }
}

fn folder(ui: &mut Ui, context: &mut Context<'_>, folder: &mut String, open: &mut bool) {
    let view = &context.shared.track.files;
    let words = "This desktop has no file dialog. Files are named after the consignment; existing files are not replaced";
    text::note(ui, words);
    let field = Field::new("Folder", folder)
        .mono()
        .hint("/home/bench/proofs")
        .error(view.problem.as_deref())
        .show(ui);
    let typed = folder.trim().to_owned();
    let can = !typed.is_empty();
    let save = modal::confirm_or_cancel(ui, open, Button::primary("Save"), can);
    if save || (field.entered && can) {
        context.push(FilesCommand::SaveFilesIn(view.of.clone(), typed));
    }
}

fn underway(ui: &mut Ui, context: &mut Context<'_>, open: &mut bool) {
    let (done, of) = context.shared.track.files.progress.unwrap_or_default();
    progress::bar(ui, done, of, "consignments", Tone::Accent);
    ui.add_space(6.0);
    ui.horizontal(|ui| {
        if ui.add(Button::new("Stop")).clicked() {
            context.push(FilesCommand::StopSaving);
        }
        let hide = Button::quiet("Continue in the background").key("Esc");
        if ui.add(hide).clicked() {
            *open = false;
        }
    });
}

fn left_out(ui: &mut Ui, context: &mut Context<'_>, open: &mut bool) {
    let Some(saved) = &context.shared.track.files.saved else {
        return;
    };
    let files = counted(saved.saved, "file", "files");
    let of = counted(saved.consignments, "consignment", "consignments");
    text::note(ui, format!("{files} of {of} saved in {}", saved.folder));
    ui.add_space(4.0);
    let row = ui.text_style_height(&egui::TextStyle::Body) + 4.0;
    let list = ScrollArea::vertical()
        .max_height(260.0)
        .auto_shrink([false, true]);
    list.show_rows(ui, row, saved.left_out.len(), |ui, range| {
        for why in &saved.left_out[range] {
            let why = Label::new(text::body(why.as_str()));
            ui.add(why.truncate().selectable(true));
        }
    });
    ui.add_space(6.0);
    if ui.add(Button::primary("Close")).clicked() {
        *open = false;
    }
}

#[cfg(test)]
mod tests {
    use super::proof;
    use shipping::{Attachment, AttachmentId};

    fn of(names: &[&str]) -> Option<String> {
        let files: Vec<Attachment> = (1..)
            .zip(names)
            .map(|(id, name)| Attachment {
                id: AttachmentId::new(id),
                file_name: (*name).to_owned(),
                date_added: None,
            })
            .collect();
        proof(&files).map(|file| file.file_name.clone())
    }

    #[test]
    fn a_proof_is_what_is_named_so_then_a_pdf_and_else_nothing() {
        for (names, found) in [
            (&["damage.jpg", "MS7-POD.pdf"][..], Some("MS7-POD.pdf")),
            (&["invoice.pdf", "pod_7.jpg"], Some("pod_7.jpg")),
            (&["POD7.jpg", "MS7POD.PDF"], Some("MS7POD.PDF")),
            (&["pod.jpg", "pod.pdf", "pod.pdf"], Some("pod.pdf")),
            (
                &["ProofOfDelivery.png", "a.pdf"],
                Some("ProofOfDelivery.png"),
            ),
            (&["a.jpg", "b.pdf", "c.pdf"], Some("b.pdf")),
            (&["podium.jpg", "tripod.png", ""], None),
            (&[], None),
        ] {
            assert_eq!(of(names).as_deref(), found, "{names:?}");
        }
    }
}
