//! Saves label files, one for each label. Replaces an existing file only if a file dialog asked about that.

use std::path::PathBuf;

use crate::core::Core;
use crate::state::{Notice, Tone};
use engine::SaveTarget;
use shipping::{ConsignmentId, file_name};

impl Core {
    /// Saves a label file at the typed path, else where the clerk chooses in a file dialog.
    pub(super) fn save_label(&mut self, id: ConsignmentId, typed: Option<&str>) {
        let name = self.label_file_name(id);
        let to = typed.map_or_else(
            || SaveTarget::AskForFile,
            |path| SaveTarget::File(PathBuf::from(path.trim())),
        );
        self.begin_saving(vec![(id, name)], to, typed.is_some());
    }

    /// Saves one file for each label, named after the consignment's number.
    pub(super) fn save_labels(&mut self, ids: &[ConsignmentId], typed: Option<&str>) {
        let files = ids.iter().map(|id| (*id, self.label_file_name(*id)));
        let files = files.collect();
        let to = typed.map_or_else(
            || SaveTarget::AskForFolder,
            |path| SaveTarget::Folder(PathBuf::from(path.trim())),
        );
        self.begin_saving(files, to, typed.is_some());
    }

    fn begin_saving(
        &mut self,
        files: Vec<(ConsignmentId, String)>,
        to: SaveTarget,
        is_typed: bool,
    ) {
        self.shared.labels.save_problem = None;
        self.shared.labels.saved = None;
        if self.lacks_path(is_typed) {
            return;
        }
        self.labels.place_is_typed = is_typed;
        let fetch = self
            .work
            .reads()
            .save_labels(files, self.shared.labels.size, to);
        self.labels.saving.start(fetch);
    }

    fn label_file_name(&self, id: ConsignmentId) -> String {
        file_name(&[&self.number_of(id)], "pdf")
    }

    pub(crate) fn saved_labels(&mut self) {
        if self.labels.saving.is_loading() {
            return;
        }
        match self.labels.saving.take() {
            Some(Err(problem)) if self.labels.place_is_typed => {
                self.shared.labels.save_problem = Some(problem.advice());
            }
            Some(Err(problem)) => {
                let notice = Notice::failed("Couldn't save the label", &problem);
                self.notify(notice);
            }
            Some(Ok(Some(saved))) => {
                let place = saved.place.display();
                let words = match saved.files {
                    1 => format!("Label saved to {place}"),
                    files => format!("{files} labels saved in {place}"),
                };
                if let Some((name, why)) = saved.failed {
                    let advice = format!(
                        "{name} wasn't saved: {why}. Save again: files already saved are skipped"
                    );
                    self.shared.labels.save_problem = Some(format!("{words}. {advice}"));
                    return self.notify(Notice::new(Tone::Bad, words, advice));
                }
                let (tone, advice) = match saved.unfit {
                    0 => (Tone::Good, String::new()),
                    count => (
                        Tone::Warning,
                        format!(
                            "{count} of {} failed label verification: check them before you use them",
                            saved.files
                        ),
                    ),
                };
                self.shared.no_file_dialog = false;
                self.shared.labels.saved = Some(words.clone());
                self.notify(Notice::new(tone, words, advice));
            }
            Some(Ok(None)) | None => {}
        }
    }
}
