//! Printers: configured and detected printers with their rows and forms, and which printer prints which kind of
//! document. Also lists the service's own printers and prints on them: the service can't say whether a label was
//! printed.

use std::collections::HashMap;
use std::num::NonZeroU8;

use crate::config::NoPrinter;
use crate::core::Core;
use crate::state::{
    DocumentKind, DocumentRoute, JobState, JobSubject, Notice, PrinterField, PrinterForm,
    PrinterHint, PrinterProblem, PrinterState, PrinterView, Remote, Tone,
};
use engine::{
    ConsignmentDocument, DocumentOrder, DocumentSource, PrinterStates, Request, SharedValues,
};
use printing::page::Scale;
use printing::profile::{
    Destination, Language, Offset, PrinterProfile, USUAL_EXPIRY, USUAL_LEAST_PERCENT,
    accepted_alternative, contradicting_suggestion, suggest,
};
use printing::queue::QueueInfo;
use shipping::{ConsignmentId, LabelType, LocalTime, PrintLabelsRequest};
use storage::SharedKind;

/// Prefix of a queue's name in the destination field.
const QUEUE: &str = "queue ";

/// Narrowest print head that makes sense, in dots: 12 mm at 203 dpi.
const NARROWEST_HEAD: u32 = 100;

/// Largest offset in millimetres. A larger offset is a typing mistake.
const FARTHEST_MM: f64 = 100.0;

/// Longest expiry in minutes, a long working day: a job that waited longer is from yesterday.
const LONGEST_EXPIRY: u16 = 720;

impl Core {
    /// Checks the printers again. Configured printers are shown at once, and the states of their queues once
    /// they are known.
    pub(crate) fn refresh_printers(&mut self) {
        let configured = self.configured_printers();
        if self.shared.labels.printers.value().is_none() {
            self.shared.labels.printers = Remote::ready(configured.rows(None));
        }
        self.show_documents();
        let profiles = configured.profiles.clone();
        let reads = self.work.reads();
        let fetch = reads.printers(profiles, move |seen| configured.rows(Some(&seen)));
        self.shared.labels.printers.refresh(fetch);
    }

    fn configured_printers(&self) -> ConfiguredPrinters {
        let settings = &self.setup.settings;
        ConfiguredPrinters {
            profiles: settings.printers.clone(),
            changed_by: self.shared.changed_by.clone(),
            chosen: settings.label_printer.clone(),
            zone: self.shared.session.zone.clone(),
        }
    }

    pub(super) fn remove_printer(&mut self, name: &str) {
        let settings = &mut self.setup.settings;
        settings.printers.retain(|printer| printer.name != name);
        settings.label_printer.take_if(|chosen| chosen == name);
        self.printers_changed();
    }

    pub(super) fn save_printer(&mut self, form: &PrinterForm) {
        let settings = &mut self.setup.settings;
        let replaced = form.was.as_ref().unwrap_or(&form.name).trim();
        let mut known = settings.printers.iter();
        let place = known.position(|known| known.name == replaced);
        let before = place.map(|place| &settings.printers[place]);
        let profile = match profile_of(form, before) {
            Err(problem) => return self.shared.labels.printer_problem = Some(problem),
            Ok(profile) => profile,
        };
        self.shared.labels.printer_problem = None;
        let name = profile.name.clone();
        let is_other = |known: &PrinterProfile| known.name != replaced && known.name != name;
        settings.printers.retain(is_other);
        let place = place.unwrap_or(usize::MAX).min(settings.printers.len());
        settings.printers.insert(place, profile);
        settings.label_printer.take_if(|chosen| chosen == replaced);
        let mut kinds = form.documents.clone();
        // The first printer of a bench prints labels, unless the form assigns documents to it.
        if settings.label_printer.is_none() && settings.printers.len() == 1 && kinds.is_empty() {
            kinds.push(DocumentKind::ItemLabels);
        }
        for kind in &kinds {
            settings.assign_printer(*kind, Some(&name));
        }
        self.share_printers(|printer| printer.name == name, &kinds, false);
        self.printers_changed();
    }

    /// Saves the printers and shows them.
    pub(crate) fn printers_changed(&mut self) {
        self.setup.write();
        // Configured printers are shown at once. Detected printers are updated when the print service
        // answers.
        let mut rows = self.configured_printers().rows(None);
        if let Some(shown) = self.shared.labels.printers.value_mut() {
            for found in shown.drain(..).filter(|view| !view.set_up) {
                if rows.iter().all(|row| row.name != found.name) {
                    rows.push(found);
                }
            }
            *shown = rows;
        }
        self.refresh_printers();
        self.refresh_preview();
    }

    /// Shares printers of the network with the other benches, and which printer gets documents of these kinds. A printer
    /// is shared without what belongs to this bench: the documents that it gets here, and its test label. With
    /// `only_new`, shares only those that no bench has shared before.
    pub(super) fn share_printers(
        &mut self,
        is_wanted: impl Fn(&PrinterProfile) -> bool,
        kinds: &[DocumentKind],
        only_new: bool,
    ) {
        if self.shared.workgroup.is_none() {
            return;
        }
        let settings = &self.setup.settings;
        let printer = |profile: &PrinterProfile| {
            let body = serde_json::to_string(&shared_part(profile)).ok()?;
            Some((SharedKind::Printer, profile.name.clone(), body))
        };
        let route = |kind: &DocumentKind| {
            let printer = settings.printer_for(*kind).ok();
            let name = &printer.filter(|printer| is_of_network(printer))?.name;
            let body = serde_json::to_string(name).ok()?;
            Some((SharedKind::Route, kind.name().to_owned(), body))
        };
        let printers = settings.printers.iter();
        let printers = printers.filter(|printer| is_of_network(printer) && is_wanted(printer));
        let routes = kinds.iter().filter_map(route);
        let printers = printers.filter_map(printer).chain(routes).collect();
        let request = Request::SharePrinters { printers, only_new };
        self.work.submit(request);
    }

    /// Takes the printers and routes of other benches. A profile replaces that of the same name, and is added where there
    /// is none. A print queue or file of this computer stays as it is, whatever its name. A route counts only for
    /// documents that have no printer here, so that no bench prints on another bench's printer unasked.
    pub(crate) fn printers_came(&mut self, values: &SharedValues) {
        let mut is_changed = false;
        // The program may have ended before a profile was in the settings.
        let before = values.changed_by_others.iter().map(|value| (value, false));
        let new = values.printers.iter().map(|change| (change, true));
        for (change, may_add) in before.chain(new) {
            let body = change.body.as_deref().unwrap_or_default();
            is_changed |= match change.kind {
                SharedKind::Printer => self.take_printer(serde_json::from_str(body).ok(), may_add),
                SharedKind::Route if !may_add => false,
                SharedKind::Route => self.take_route(&change.name, serde_json::from_str(body).ok()),
                SharedKind::Preset | SharedKind::View | SharedKind::OnHold => false,
            };
        }
        if is_changed {
            self.printers_changed();
        }
        if values.joined {
            self.share_printers(|_| true, &DocumentKind::OFFERED, true);
        }
    }

    /// Returns true if this changed the settings.
    fn take_printer(&mut self, profile: Option<PrinterProfile>, may_add: bool) -> bool {
        let is_usable =
            |profile: &PrinterProfile| !profile.name.is_empty() && is_of_network(profile);
        let Some(profile) = profile.filter(is_usable) else {
            return false;
        };
        let printers = &mut self.setup.settings.printers;
        let Some(known) = printers.iter_mut().find(|known| known.name == profile.name) else {
            printers.extend(Some(profile).filter(|_| may_add));
            return may_add;
        };
        if !is_of_network(known) || shared_part(known) == profile {
            return false;
        }
        let (documents, test) = (known.documents.clone(), known.test.take());
        let test = test.filter(|_| known.prints_like(&profile));
        *known = PrinterProfile {
            documents,
            test,
            ..profile
        };
        true
    }

    /// Returns true if this changed the settings.
    fn take_route(&mut self, kind: &str, printer: Option<String>) -> bool {
        let settings = &mut self.setup.settings;
        let mut kinds = DocumentKind::OFFERED.into_iter();
        let kind = kinds.find(|known| known.name() == kind);
        let (Some(kind), Some(printer)) = (kind, printer) else {
            return false;
        };
        let is_here = settings.printers.iter().any(|known| known.name == printer);
        let is_free = matches!(settings.printer_for(kind), Err(NoPrinter::NotChosen(_)));
        if is_here && is_free {
            settings.assign_printer(kind, Some(&printer));
        }
        is_here && is_free
    }

    fn show_documents(&mut self) {
        let settings = &self.setup.settings;
        let route = |kind| DocumentRoute {
            kind,
            printer: { settings.printer_for(kind).ok() }.map(|profile| profile.name.clone()),
        };
        self.shared.labels.documents = DocumentKind::OFFERED.map(route).to_vec();
    }

    /// Returns the printer for documents of this kind. If there is no printer, shows a notice and returns `None`; the
    /// caller must not print.
    pub(crate) fn printer_for(&mut self, kind: DocumentKind) -> Option<PrinterProfile> {
        match self.setup.settings.printer_for(kind) {
            Ok(profile) => Some(profile.clone()),
            Err(error) => {
                let notice = Notice::new(Tone::Warning, error.to_string(), error.advice());
                self.notify(notice);
                None
            }
        }
    }

    /// Prints a document of a consignment on the printer for papers.
    pub(super) fn print_consignment_document(
        &mut self,
        kind: ConsignmentDocument,
        id: ConsignmentId,
    ) {
        let Some(printer) = self.printer_for(DocumentKind::Papers) else {
            return;
        };
        let name = self.document_name(kind, id);
        let order = DocumentOrder {
            paper: DocumentSource::OfConsignment(kind, id),
            reason: self.reason_for_copy(&name).to_owned(),
            name,
            printer,
        };
        self.work.submit(Request::PrintDocument(Box::new(order)));
    }

    /// Returns a name such as `Packing slip MS123`.
    pub(crate) fn document_name(&self, kind: ConsignmentDocument, id: ConsignmentId) -> String {
        format!("{} {}", kind.name(), self.number_of(id))
    }

    /// Returns the reason for printing a document of this name, which is empty the first time.
    pub(crate) fn reason_for_copy(&self, name: &str) -> &'static str {
        let before = self.shared.labels.jobs.iter().any(|job| {
            job.subject == JobSubject::Document
                && job.number == name
                && job.state != JobState::Failed
        });
        if before { "another copy" } else { "" }
    }

    pub(super) fn ask_service_printers(&mut self, ids: Vec<ConsignmentId>) {
        if ids.is_empty() || !self.shared.session.lists_printers {
            return;
        }
        let reads = self.work.reads();
        let fetch = reads.fetch(move |client| async move { client.printers(&ids).await });
        self.shared.labels.service_printers.start(fetch);
    }

    /// Prints labels on a printer of the service. If a label may already be printed by this bench or by the service,
    /// a reason is required.
    pub(super) fn print_at_service(&mut self, order: PrintLabelsRequest, reason: &str) {
        let (ids, reason) = (order.consignment_ids(), reason.trim());
        let is_out = order.label_type() == Some(LabelType::Item)
            && ids.iter().any(|id| self.shared.labels.may_be_out(*id));
        if is_out && reason.is_empty() {
            let headline = "Not printed: some of these labels may have been printed already";
            let advice = "Enter a reason for printing them again";
            self.notify(Notice::new(Tone::Warning, headline, advice));
        } else if !ids.is_empty() {
            let printer = Some(order.printer());
            let labels = &mut self.shared.labels;
            // A typed printer number is suggested the next time.
            if labels.service_printers.value().is_none() && labels.service_printer != printer {
                labels.service_printer = printer;
                self.setup.settings.set_service_printer(printer);
                self.setup.write();
            }
            let request = Request::PrintAtService(order, reason.to_owned());
            self.work.submit(request);
        }
    }
}

/// Returns true for a printer that every bench reaches in the same way.
const fn is_of_network(profile: &PrinterProfile) -> bool {
    matches!(
        profile.destination,
        Destination::Socket { .. } | Destination::Ipp(_)
    )
}

/// Returns the part of a profile that is the same on all benches.
fn shared_part(profile: &PrinterProfile) -> PrinterProfile {
    PrinterProfile {
        documents: Vec::new(),
        test: None,
        ..profile.clone()
    }
}

/// The printers that are set up on this bench, with the other data that their rows show before the print
/// service has answered.
struct ConfiguredPrinters {
    profiles: Vec<PrinterProfile>,
    /// The name of the bench that has changed a shared value last, if that is another bench.
    changed_by: HashMap<(SharedKind, String), String>,
    /// Name of the printer for item labels.
    chosen: Option<String>,
    zone: String,
}

impl ConfiguredPrinters {
    /// Returns the rows of the printers card. `seen` contains the answers of the print service and the printers; it
    /// is `None` until the answers have arrived.
    fn rows(&self, seen: Option<&PrinterStates>) -> Vec<PrinterView> {
        let mut rows: Vec<_> = { self.profiles.iter() }
            .map(|profile| self.row(profile, seen))
            .collect();
        let is_new = |queue: &&QueueInfo| {
            let mut targets = self
                .profiles
                .iter()
                .map(|one| one.destination.query_target());
            targets.all(|target| target != Some(&queue.name))
        };
        let queues = seen.and_then(|seen| seen.queues.as_ref().ok());
        let found = queues.into_iter().flatten().filter(is_new);
        rows.extend(found.map(|queue| {
            let suggestion = suggest(queue);
            PrinterView {
                name: queue.name.clone(),
                description: suggestion.because,
                state: Some(queue.state),
                message: message(queue),
                chosen: false,
                set_up: false,
                form: form_of(&suggestion.profile, None),
                hint: None,
                proved: String::new(),
            }
        }));
        rows
    }

    fn row(&self, profile: &PrinterProfile, seen: Option<&PrinterStates>) -> PrinterView {
        let (state, message, hint) = match seen {
            None => (Some(PrinterState::Unknown), String::new(), None),
            Some(seen) => answer(profile, seen),
        };
        let by = {
            self.changed_by
                .get(&(SharedKind::Printer, profile.name.clone()))
        }
        .map_or_else(String::new, |bench| format!(" · changed by {bench}"));
        let description = profile_summary(profile) + &by;
        let proved = profile.test.as_ref().and_then(|test| test.proved);
        let proved = proved.map(|at| {
            let day = LocalTime::at(at, &self.zone).0;
            format!("test label scanned on {}", day.strftime("%-d %b"))
        });
        PrinterView {
            name: profile.name.clone(),
            description,
            state,
            message,
            chosen: self.chosen.as_ref() == Some(&profile.name),
            set_up: true,
            form: form_of(profile, Some(profile.name.clone())),
            hint,
            proved: proved.unwrap_or_default(),
        }
    }
}

/// Returns the state of a configured printer, its message, and a hint if the printer reports other settings. The
/// state is `None` if the printer's queue no longer exists.
fn answer(
    profile: &PrinterProfile,
    seen: &PrinterStates,
) -> (Option<PrinterState>, String, Option<PrinterHint>) {
    let told = |printer: &QueueInfo| {
        let hint = hint(profile, printer);
        (Some(printer.state), message(printer), hint)
    };
    let without_hint = |state, message: &str| (state, message.to_owned(), None);
    match &profile.destination {
        Destination::Queue(name) => match &seen.queues {
            Ok(queues) => match queues.iter().find(|queue| queue.name == *name) {
                Some(queue) => told(queue),
                None => without_hint(None, "the queue doesn't exist on this computer"),
            },
            Err(error) => without_hint(Some(PrinterState::Unknown), &error.to_string()),
        },
        Destination::Ipp(address) => {
            if let Some(Ok(printer)) = seen.direct.get(address) {
                return told(printer);
            }
            let words = "the printer doesn't answer at its address";
            without_hint(Some(PrinterState::OutOfReach), words)
        }
        Destination::Socket { .. } | Destination::File(_) => {
            without_hint(Some(PrinterState::Unknown), "")
        }
    }
}

/// Suggests the language that the printer reports, if it differs from the profile's. The profile is never
/// changed automatically.
fn hint(profile: &PrinterProfile, printer: &QueueInfo) -> Option<PrinterHint> {
    let (language, because) = if matches!(profile.destination, Destination::Ipp(_)) {
        // An IPP printer lists exactly the formats that it accepts.
        let language = accepted_alternative(profile.language, &printer.formats)?;
        (
            language,
            format!("This printer accepts {}", language.name()),
        )
    } else {
        let found = contradicting_suggestion(profile, printer)?;
        (found.profile.language, found.because)
    };
    let changed = PrinterProfile {
        language,
        ..profile.clone()
    };
    Some(PrinterHint {
        message: format!("{because}, but it is set to {}", profile.language.name()),
        form: form_of(&changed, Some(profile.name.clone())),
    })
}

/// Describes a profile, for example "ZPL · 203 dpi · 832 dots · item labels · 10.1.1.9:9100".
fn profile_summary(profile: &PrinterProfile) -> String {
    let dots_per_inch = profile.dots_per_mm.get() * 25.4;
    let kinds = profile.documents.iter();
    let kinds: Vec<_> = { kinds.filter(|kind| DocumentKind::OFFERED.contains(kind)) }
        .map(|kind| match kind {
            DocumentKind::ItemLabels => "item labels",
            other => other.name_in_sentence(),
        })
        .collect();
    let mut parts = vec![
        profile.language.name().to_owned(),
        format!("{dots_per_inch:.0} dpi"),
    ];
    parts.extend(profile.head_width_dots.map(|dots| format!("{dots} dots")));
    parts.extend((!kinds.is_empty()).then(|| kinds.join(", ")));
    parts.push(profile.destination.label());
    parts.join(" · ")
}

fn message(queue: &QueueInfo) -> String {
    if !queue.message.is_empty() {
        queue.message.clone()
    } else if queue.state == PrinterState::Ready {
        String::new()
    } else {
        queue.state.advice().to_owned()
    }
}

/// Returns the form of a profile. `was` is the profile's name in the settings, if it is saved there.
fn form_of(profile: &PrinterProfile, was: Option<String>) -> PrinterForm {
    let scale = profile.dots_per_mm.get();
    let mm = |dots: i32| match dots {
        0 => String::new(),
        dots => format_mm(f64::from(dots) / scale),
    };
    PrinterForm {
        was,
        name: profile.name.clone(),
        destination: match &profile.destination {
            Destination::Queue(name) => format!("{QUEUE}{name}"),
            other => other.label(),
        },
        language: profile.language,
        dots_per_mm: scale.to_string(),
        head_dots: { profile.head_width_dots }.map_or_else(String::new, |dots| dots.to_string()),
        media: profile.media,
        gap_mm: format_mm(profile.gap_mm),
        offset_x: mm(profile.offset.x_dots),
        offset_y: mm(profile.offset.y_dots),
        fitting: profile.fitting,
        min_scale_percent: profile.least_percent.to_string(),
        copies: profile.copies.to_string(),
        expiry_minutes: profile.expiry_minutes.to_string(),
        documents: profile.documents.clone(),
    }
}

/// Formats millimetres, rounded to thousandths, which is precise enough for any print head.
fn format_mm(mm: f64) -> String {
    ((mm * 1000.0).round() / 1000.0).to_string()
}

/// Returns the profile that the form describes. `before` is the profile that is replaced. Its test label stays valid
/// if the new profile prints the same way.
fn profile_of(
    form: &PrinterForm,
    before: Option<&PrinterProfile>,
) -> Result<PrinterProfile, PrinterProblem> {
    let name = form.name.trim();
    let at = |field| move |message| PrinterProblem { field, message };
    if name.is_empty() {
        return Err(at(PrinterField::Name)("Enter a name for the printer"));
    }
    let destination =
        destination(&form.destination, form.language).map_err(at(PrinterField::Destination))?;
    let dots_per_mm = number(&form.dots_per_mm)
        .and_then(Scale::dots_per_mm)
        .ok_or("Enter the dots per mm: 8 for 203 dpi, 12 for 300 dpi")
        .map_err(at(PrinterField::Resolution))?;
    let copies = parse_or_default(&form.copies, NonZeroU8::MIN)
        .ok_or("Enter the number of copies: 1 to 255")
        .map_err(at(PrinterField::Copies))?;
    let expiry_minutes = parse_or_default(&form.expiry_minutes, USUAL_EXPIRY)
        .filter(|minutes| minutes.get() <= LONGEST_EXPIRY)
        .ok_or("Enter after how many minutes a waiting job is cancelled: 1 to 720")
        .map_err(at(PrinterField::Expiry))?;
    let gap_mm = parse_or_default(&form.gap_mm, 3.0)
        .filter(|gap| (0.0..=50.0).contains(gap))
        .ok_or("Enter the gap between two labels in mm, for example 3")
        .map_err(at(PrinterField::Gap))?;
    let least_percent = parse_or_default(&form.min_scale_percent, USUAL_LEAST_PERCENT)
        .filter(|percent| (1..=100).contains(percent))
        .ok_or("Enter a percentage of the size: 1 to 100")
        .map_err(at(PrinterField::LeastPercent))?;
    let offset = |text: &str, field| {
        dots(text, dots_per_mm)
            .ok_or("Enter the offset in mm, for example -0.5, or in dots, for example 4 dots")
            .map_err(at(field))
    };
    let mut profile = PrinterProfile {
        name: name.to_owned(),
        destination,
        language: form.language,
        dots_per_mm,
        head_width_dots: head(&form.head_dots).map_err(at(PrinterField::Head))?,
        media: form.media,
        gap_mm,
        offset: Offset {
            x_dots: offset(&form.offset_x, PrinterField::OffsetX)?,
            y_dots: offset(&form.offset_y, PrinterField::OffsetY)?,
        },
        fitting: form.fitting,
        least_percent,
        copies,
        documents: form.documents.clone(),
        expiry_minutes,
        test: None,
    };
    profile.test = before
        .filter(|before| before.prints_like(&profile))
        .and_then(|before| before.test.clone());
    Ok(profile)
}

fn destination(typed: &str, language: Language) -> Result<Destination, &'static str> {
    let place = typed.trim();
    let destination = if let Some(queue) = place.strip_prefix(QUEUE) {
        Destination::Queue(queue.trim().to_owned())
    } else if place.starts_with('/') || place.get(1..3) == Some(":\\") {
        Destination::file(place).map_err(|_unknown| {
            "Use {number} and {piece} only in the file name, and no other braces, such as /labels/{number}-{piece}.zpl"
        })?
    } else if place.starts_with("ipps:") {
        return Err(
            "This printer needs an encrypted connection. Add it to this computer's print service and enter its queue",
        );
    } else if place.starts_with("ipp:") {
        Destination::ipp(place)
            .ok_or("Enter the printer's address, for example ipp://HOST/ipp/print")?
    } else {
        Destination::socket(place).ok_or(
            "Enter HOST:9100, the word queue and a name, ipp://HOST/ipp/print, or the full path of a file",
        )?
    };
    if matches!(destination, Destination::Socket { .. }) && language == Language::PageImage {
        return Err(
            "Page image works only with a queue that has a driver, or with a printer at an ipp:// address",
        );
    }
    if matches!(destination, Destination::Queue(_)) && !language.is_printable_by_driver() {
        return Err("A Windows queue can't print this language. Choose page image");
    }
    Ok(destination)
}

fn head(typed: &str) -> Result<Option<u32>, &'static str> {
    let typed = typed.trim();
    if typed.is_empty() {
        return Ok(None);
    }
    let dots: u32 = typed.parse().map_err(
        |_not_a_number| "Enter the print head's width in dots, for example 832, or leave it empty",
    )?;
    Ok(Some(dots).filter(|dots| *dots >= NARROWEST_HEAD))
}

/// Parses a field. Returns `usual` if the field is empty, and `None` if it is invalid.
fn parse_or_default<T: std::str::FromStr>(text: &str, usual: T) -> Option<T> {
    match text.trim() {
        "" => Some(usual),
        text => text.replace(',', ".").parse().ok(),
    }
}

fn number(text: &str) -> Option<f64> {
    let number: f64 = text.trim().replace(',', ".").parse().ok()?;
    number.is_finite().then_some(number)
}

/// Parses an offset: `0.5` and `-1,2` are millimetres, `4 dots` are dots, and an empty field is 0.
#[expect(
    clippy::cast_possible_truncation,
    reason = "rounded, and compared with its limits"
)]
fn dots(text: &str, scale: Scale) -> Option<i32> {
    let text = text.trim();
    if text.is_empty() {
        return Some(0);
    }
    let typed_dots = text
        .strip_suffix("dots")
        .or_else(|| text.strip_suffix("dot"));
    let mm = match typed_dots {
        Some(dots) => number(dots)? / scale.get(),
        None => number(text.strip_suffix("mm").unwrap_or(text))?,
    };
    (mm.abs() <= FARTHEST_MM).then(|| (mm * scale.get()).round() as i32)
}
