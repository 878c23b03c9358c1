//! Printers: what is set up, what was found, and from a typed form to a profile.

use std::num::NonZeroU8;

use super::core::Core;
use crate::printing::page::Scale;
use crate::printing::profile::{
    Destination, DocumentKind, Language, Media, PrinterProfile, suggest,
};
use crate::printing::queue::{QueueInfo, QueueState};
use crate::state::{PrinterForm, PrinterState, PrinterView, Remote};

const QUEUE: &str = "queue ";

/// What labels are drawn for while no printer is chosen: ZPL at 8 dots/mm, whatever its head.
pub(super) fn default_profile() -> PrinterProfile {
    PrinterProfile {
        name: String::new(),
        destination: Destination::Queue(String::new()),
        language: Language::Zpl,
        dots_per_mm: Scale::DOTS_8,
        head_width_dots: None,
        media: Media::A6,
        copies: NonZeroU8::MIN,
        documents: Vec::new(),
    }
}

impl Core {
    /// Looks at the printers again; those that are set up show at once, their queues' state when it is known.
    pub(super) fn refresh_printers(&mut self) {
        let (profiles, chosen) = (
            self.setup.settings.printers.clone(),
            self.setup.settings.label_printer.clone(),
        );
        if self.shared.printers.value().is_none() {
            self.shared.printers = Remote::ready(views(&profiles, chosen.as_deref(), None));
        }
        let fetch = self
            .work
            .reads()
            .queues(move |queues| views(&profiles, chosen.as_deref(), Some(&queues)));
        self.shared.printers.start(fetch);
    }

    pub(super) fn choose_printer(&mut self, name: String) {
        self.setup.settings.label_printer = Some(name);
        self.printers_changed();
    }

    pub(super) fn remove_printer(&mut self, name: &str) {
        self.setup
            .settings
            .printers
            .retain(|printer| printer.name != name);
        if self.setup.settings.label_printer.as_deref() == Some(name) {
            self.setup.settings.label_printer = None;
        }
        self.printers_changed();
    }

    pub(super) fn save_printer(&mut self, form: &PrinterForm) {
        match profile(form) {
            Err(words) => self.shared.printer_problem = Some(words.to_owned()),
            Ok(profile) => {
                self.shared.printer_problem = None;
                let replaced = form.was.as_ref().unwrap_or(&profile.name).clone();
                self.setup
                    .settings
                    .printers
                    .retain(|known| known.name != replaced && known.name != profile.name);
                let chosen = self.setup.settings.label_printer.as_ref();
                if chosen.is_none() || chosen == Some(&replaced) {
                    self.setup.settings.label_printer = Some(profile.name.clone());
                }
                self.setup.settings.printers.push(profile);
                self.printers_changed();
            }
        }
    }

    fn printers_changed(&mut self) {
        self.setup.write();
        // What is set up shows at once; what was found comes with the print service's answer.
        let set_up = views(
            &self.setup.settings.printers,
            self.setup.settings.label_printer.as_deref(),
            None,
        );
        if let Some(shown) = self.shared.printers.value_mut() {
            let found = shown.drain(..).filter(|view| !view.set_up);
            let found: Vec<_> = found
                .filter(|view| set_up.iter().all(|known| known.name != view.name))
                .collect();
            *shown = set_up.into_iter().chain(found).collect();
        }
        self.refresh_printers();
        self.refresh_preview();
    }
}

/// The rows of the printers card. `queues` is what the print service said; nothing before it answered.
fn views(
    profiles: &[PrinterProfile],
    chosen: Option<&str>,
    queues: Option<&[QueueInfo]>,
) -> Vec<PrinterView> {
    let mut rows: Vec<_> = profiles
        .iter()
        .map(|profile| set_up(profile, chosen, queues))
        .collect();
    let known = |queue: &QueueInfo| {
        profiles.iter().any(|profile| matches!(&profile.destination, Destination::Queue(name) if *name == queue.name))
    };
    let found = queues
        .unwrap_or_default()
        .iter()
        .filter(|queue| !known(queue));
    rows.extend(found.map(|queue| {
        let suggestion = suggest(queue);
        PrinterView {
            name: queue.name.clone(),
            words: suggestion.because,
            state: state(queue.state),
            message: message(queue),
            chosen: false,
            set_up: false,
            form: form(&suggestion.profile, None),
        }
    }));
    rows
}

fn set_up(
    profile: &PrinterProfile,
    chosen: Option<&str>,
    queues: Option<&[QueueInfo]>,
) -> PrinterView {
    let (state, message) = match (&profile.destination, queues) {
        (Destination::Queue(name), Some(queues)) => {
            match queues.iter().find(|queue| queue.name == *name) {
                Some(queue) => (state(queue.state), message(queue)),
                None => (
                    PrinterState::Missing,
                    "the print service has no such queue".to_owned(),
                ),
            }
        }
        _ => (PrinterState::Unseen, String::new()),
    };
    PrinterView {
        name: profile.name.clone(),
        words: words(profile),
        state,
        message,
        chosen: chosen == Some(profile.name.as_str()),
        set_up: true,
        form: form(profile, Some(profile.name.clone())),
    }
}

/// "ZPL · 203 dpi · 832 dots · 10.1.1.9:9100"
fn words(profile: &PrinterProfile) -> String {
    let dots_per_inch = profile.dots_per_mm.get() * 25.4;
    let head = profile
        .head_width_dots
        .map(|dots| format!(" · {dots} dots"))
        .unwrap_or_default();
    format!(
        "{} · {dots_per_inch:.0} dpi{head} · {}",
        profile.language.name(),
        profile.destination.words()
    )
}

fn message(queue: &QueueInfo) -> String {
    if !queue.message.is_empty() {
        queue.message.clone()
    } else if queue.state == QueueState::Ready {
        String::new()
    } else {
        queue.state.advice().to_owned()
    }
}

const fn state(state: QueueState) -> PrinterState {
    match state {
        QueueState::Ready => PrinterState::Ready,
        QueueState::Printing => PrinterState::Printing,
        QueueState::Rejecting => PrinterState::Rejecting,
        QueueState::Stopped | QueueState::OutOfReach | QueueState::NeedsAttention => {
            PrinterState::Stopped
        }
        QueueState::Unknown => PrinterState::Unseen,
    }
}

fn form(profile: &PrinterProfile, was: Option<String>) -> PrinterForm {
    PrinterForm {
        was,
        name: profile.name.clone(),
        destination: match &profile.destination {
            Destination::Queue(name) => format!("{QUEUE}{name}"),
            other => other.words(),
        },
        zpl: profile.language == Language::Zpl,
        dots_per_mm: profile.dots_per_mm.get().to_string(),
        head_dots: profile
            .head_width_dots
            .map(|dots| dots.to_string())
            .unwrap_or_default(),
    }
}

fn profile(form: &PrinterForm) -> Result<PrinterProfile, &'static str> {
    let name = form.name.trim();
    if name.is_empty() {
        return Err("Give the printer a name");
    }
    let place = form.destination.trim();
    let destination = if let Some(queue) = place.strip_prefix(QUEUE) {
        Destination::Queue(queue.trim().to_owned())
    } else if place.starts_with('/') || place.get(1..3) == Some(":\\") {
        Destination::File(place.into())
    } else {
        Destination::socket(place)
            .ok_or("Type a host and port, a queue as «queue NAME», or a file's whole path")?
    };
    let dots = form
        .dots_per_mm
        .trim()
        .parse()
        .ok()
        .and_then(Scale::dots_per_mm);
    let head = form.head_dots.trim();
    let head_width_dots = if head.is_empty() {
        None
    } else {
        let dots: u32 = head
            .parse()
            .map_err(|_not_a_number| "Type the head's dots, like 832, or leave it empty")?;
        Some(dots).filter(|dots| *dots >= 100)
    };
    let language = if form.zpl {
        Language::Zpl
    } else {
        Language::Pdf
    };
    Ok(PrinterProfile {
        name: name.to_owned(),
        destination,
        language,
        dots_per_mm: dots.ok_or("Type the dots per mm: 8 for 203 dpi, 12 for 300 dpi")?,
        head_width_dots,
        media: Media::A6,
        copies: NonZeroU8::MIN,
        documents: vec![DocumentKind::ItemLabels],
    })
}
