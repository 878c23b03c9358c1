//! Files that are dropped on the window.

use std::path::PathBuf;

use crate::core::Core;
use crate::state::{ConsignCommand, Notice, OrdersCommand, Screen, Tone};

impl Core {
    /// Uses a file that was dropped on the window: imports orders, or shows a label.
    pub(crate) fn use_files(&mut self, mut paths: Vec<PathBuf>) {
        let Some(path) = paths.pop().filter(|_| paths.is_empty()) else {
            let headline = "Drop one file at a time";
            return self.notify(Notice::new(
                Tone::Warning,
                headline,
                "None of them was used",
            ));
        };
        let ending = path.extension().unwrap_or_default().to_ascii_lowercase();
        match ending.to_str() {
            Some("csv" | "tsv" | "txt") => {
                self.show(Screen::Consign);
                let typed = path.to_string_lossy().into_owned();
                self.run_consign(ConsignCommand::Orders(OrdersCommand::Import(Some(typed))));
            }
            Some("pdf") => {
                self.show(Screen::Labels);
                self.open_label_file(path, None);
            }
            _ => {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                let headline = format!("Packbench can't use {name}");
                let advice = "Drop a CSV file with orders, or a PDF file with a label";
                self.notify(Notice::new(Tone::Warning, headline, advice));
            }
        }
    }
}
