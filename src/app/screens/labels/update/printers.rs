//! Printers: configured and detected printers with their rows and forms, and which printer prints which kind of
//! document. Also lists the service's own printers and prints on them: the service can't say whether a label was
//! printed.

use std::collections::HashMap;
use std::ops::RangeInclusive;

use super::printer_form::{form_of, profile_of};
use crate::config::{NoPrinter, with_copies};
use crate::core::Core;
use crate::state::{
    DocumentKind, JobState, JobSubject, Notice, PrinterForm, PrinterHint, PrinterState,
    PrinterView, Remote, Tone,
};
use engine::{
    ConsignmentDocument, ConsignmentDocumentOrder, ConsignmentFacts, DocumentOrder, DocumentRule,
    DocumentSet, DocumentSource, PrintMoment, PrinterStates, Request, SharedValues,
};
use printing::profile::{
    Destination, PrinterProfile, accepted_alternative, contradicting_suggestion, suggest,
};
use printing::queue::QueueInfo;
use shipping::{ConsignmentId, LabelType, LocalTime, PrintLabelsRequest};
use storage::SharedKind;

impl Core {
    /// Checks the printers again. Configured printers are shown at once, and the states of their queues once
    /// they are known.
    pub(crate) fn refresh_printers(&mut self) {
        let configured = self.configured_printers();
        if self.shared.labels.printers.value().is_none() {
            self.shared.labels.printers = Remote::ready(configured.rows(None));
        }
        self.shared.labels.documents = self.setup.settings.documents.clone();
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
            rules: settings.documents.clone(),
            zone: self.shared.session.zone.clone(),
        }
    }

    pub(super) fn remove_printer(&mut self, name: &str) {
        let settings = &mut self.setup.settings;
        settings.printers.retain(|printer| printer.name != name);
        settings.documents.retain(|rule| rule.printer != name);
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
        let before_rules = settings.documents.clone();
        let is_other = |known: &PrinterProfile| known.name != replaced && known.name != name;
        settings.printers.retain(is_other);
        let place = place.unwrap_or(usize::MAX).min(settings.printers.len());
        settings.printers.insert(place, profile);
        for rule in { settings.documents.iter_mut() }.filter(|rule| rule.printer == replaced) {
            rule.printer.clone_from(&name);
        }
        let mut kinds = form.documents.clone();
        let is_removed = |rule: &DocumentRule| {
            rule.printer == name && rule.is_for_all() && !kinds.contains(&rule.document)
        };
        settings.documents.retain(|rule| !is_removed(rule));
        // The first printer of a bench prints labels, unless the form assigns documents to it.
        if settings.documents.is_empty() && settings.printers.len() == 1 && kinds.is_empty() {
            kinds.push(DocumentKind::ItemLabels);
        }
        // Only newly ticked documents move here: the others may have rules of their own.
        let has_rule = |kind: &DocumentKind| {
            settings
                .documents
                .iter()
                .any(|rule| rule.document == *kind && rule.printer == name && rule.is_for_all())
        };
        kinds.retain(|kind| !has_rule(kind));
        for kind in &kinds {
            settings.assign_printer(*kind, &name);
        }
        self.rules_changed(&before_rules, |printer| printer.name == name);
    }

    /// Saves and shows changed rules, and shares them and the printers that `is_changed` tells. `before` are the rules before
    /// the change.
    fn rules_changed(
        &mut self,
        before: &[DocumentRule],
        is_changed: impl Fn(&PrinterProfile) -> bool,
    ) {
        self.setup.settings.restore_locked();
        let printers = &self.setup.settings.printers;
        let now = &self.setup.settings.documents;
        let changed: Vec<_> = DocumentKind::ALL
            .into_iter()
            .filter(|kind| {
                let before = shared_rules(before, printers, *kind);
                before.ne(shared_rules(now, printers, *kind))
            })
            .collect();
        self.share_printers(is_changed, &changed, false);
        self.printers_changed();
    }

    pub(super) fn choose_label_printer(&mut self, name: &str) {
        let settings = &mut self.setup.settings;
        let before = settings.documents.clone();
        settings.assign_printer(DocumentKind::ItemLabels, name);
        self.rules_changed(&before, |_| false);
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

    /// Shares printers of the network with the other benches, and the rules for documents of these kinds. A printer is
    /// shared without its test label, which belongs to this bench. With `only_new`, shares only those that no bench has
    /// shared before.
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
            let rules = shared_rules(&settings.documents, &settings.printers, *kind);
            let rules: Vec<_> = rules.collect();
            let body = serde_json::to_string(&rules).ok()?;
            let is_news = !only_new || !rules.is_empty();
            is_news.then(|| (SharedKind::Route, kind.name().to_owned(), body))
        };
        let printers = settings.printers.iter();
        let printers = printers.filter(|printer| is_of_network(printer) && is_wanted(printer));
        let routes = kinds.iter().filter_map(route);
        let printers = printers.filter_map(printer).chain(routes).collect();
        let request = Request::SharePrinters { printers, only_new };
        self.work.submit(request);
    }

    /// Takes the printers and document rules of other benches. A profile replaces that of the same name, and is added where
    /// there is none. A print queue or file of this computer stays as it is, whatever its name. Rules count only for
    /// documents that have no rule here, so that no bench prints on another bench's printer unasked.
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
                SharedKind::Route => {
                    self.take_rules(serde_json::from_str(body).unwrap_or_default())
                }
                SharedKind::Preset | SharedKind::View | SharedKind::OnHold => false,
            };
        }
        if is_changed {
            self.printers_changed();
        }
        if values.joined {
            self.share_printers(|_| true, &DocumentKind::ALL, true);
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
        let test = known.test.take();
        let test = test.filter(|_| known.prints_like(&profile));
        *known = PrinterProfile { test, ..profile };
        true
    }

    /// Returns true if this changed the settings.
    fn take_rules(&mut self, mut rules: Vec<DocumentRule>) -> bool {
        let settings = &mut self.setup.settings;
        rules.retain(|rule| {
            let is_new = { settings.documents.iter() }.all(|known| known.document != rule.document);
            is_new
                && settings
                    .printers
                    .iter()
                    .any(|known| known.name == rule.printer)
        });
        for rule in &mut rules {
            // Another bench's printer prints nothing unasked.
            if rule.document.of_consignment().is_some() {
                rule.when = PrintMoment::ByHand;
            }
        }
        let is_changed = !rules.is_empty();
        settings.documents.append(&mut rules);
        is_changed
    }

    /// Returns the printer of the rule for a document of a consignment, with the rule's number of copies. If there is no
    /// printer, shows a notice and returns `None`; the caller must not print.
    pub(crate) fn printer_for(
        &mut self,
        document: DocumentKind,
        facts: Option<&ConsignmentFacts<'_>>,
    ) -> Option<PrinterProfile> {
        let found = self.setup.settings.rule_for(document, facts);
        let printer = found.map(|(rule, printer)| with_copies(printer, rule));
        self.or_tell_no_printer(printer)
    }

    /// Returns the found printers; otherwise shows a notice.
    pub(super) fn or_tell_no_printer<T>(&mut self, found: Result<T, NoPrinter>) -> Option<T> {
        match found {
            Ok(found) => Some(found),
            Err(error) => {
                let notice = Notice::new(Tone::Warning, error.to_string(), error.advice());
                self.notify(notice);
                None
            }
        }
    }

    /// Replaces the rules that say which documents are printed.
    pub(super) fn set_document_rules(&mut self, rules: Vec<DocumentRule>) {
        let before = std::mem::replace(&mut self.setup.settings.documents, rules);
        self.rules_changed(&before, |_| false);
    }

    /// Prints a document of a consignment on the printer of its rule.
    pub(super) fn print_consignment_document(
        &mut self,
        kind: ConsignmentDocument,
        id: ConsignmentId,
    ) {
        let row = self.shared.row(id).cloned();
        let facts = row.as_ref().map(ConsignmentFacts::from);
        let Some(printer) = self.printer_for(kind.into(), facts.as_ref()) else {
            return;
        };
        let name = self.document_name(kind, id);
        let order = DocumentOrder {
            paper: DocumentSource::OfConsignment(self.document_order(kind, id)),
            reason: self.reason_for_copy(&name).to_owned(),
            name,
            printer,
        };
        self.work.submit(Request::PrintDocument(Box::new(order)));
    }

    /// Returns the order for a document of a consignment, with the customer's texts.
    pub(crate) fn document_order(
        &self,
        document: ConsignmentDocument,
        consignment: ConsignmentId,
    ) -> ConsignmentDocumentOrder {
        ConsignmentDocumentOrder {
            document,
            consignment,
            texts: self.setup.settings.document_texts.clone(),
        }
    }

    /// Prints the documents that the rules give to these consignments at this moment.
    pub(crate) fn print_documents_at(&mut self, moment: PrintMoment, ids: &[ConsignmentId]) {
        if ids.is_empty() {
            return;
        }
        let gone = self.setup.settings.rules_without_printer(moment);
        for error in gone {
            let notice = Notice::new(Tone::Warning, error.to_string(), error.advice());
            self.notify(notice);
        }
        let mut rules = self.setup.settings.rules_at(moment);
        rules.retain(|(rule, _)| rule.document.of_consignment().is_some());
        if rules.is_empty() {
            return;
        }
        let consignments = ids.iter().map(|id| (*id, self.number_of(*id))).collect();
        let texts = self.setup.settings.document_texts.clone();
        let set = DocumentSet {
            consignments,
            rows: Vec::new(),
            rules,
            texts,
        };
        self.work.submit(Request::PrintDocuments(Box::new(set)));
    }

    /// Returns a name such as `Packing slip MS123`.
    pub(crate) fn document_name(&self, kind: ConsignmentDocument, id: ConsignmentId) -> String {
        kind.name_of(&self.number_of(id))
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

/// Returns the rules of a document that the other benches share: those of printers of the network.
fn shared_rules<'a>(
    rules: &'a [DocumentRule],
    printers: &'a [PrinterProfile],
    kind: DocumentKind,
) -> impl Iterator<Item = &'a DocumentRule> {
    let is_shared = |name: &str| {
        let mut printers = printers.iter();
        printers.any(|printer| printer.name == name && is_of_network(printer))
    };
    rules
        .iter()
        .filter(move |rule| rule.document == kind && is_shared(&rule.printer))
}

/// Returns the part of a profile that is the same on all benches.
fn shared_part(profile: &PrinterProfile) -> PrinterProfile {
    PrinterProfile {
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
    rules: Vec<DocumentRule>,
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
            let documents = if suggestion.is_label_printer {
                vec![DocumentKind::ItemLabels]
            } else {
                vec![DocumentKind::Manifest]
            };
            PrinterView {
                name: queue.name.clone(),
                description: suggestion.because,
                state: Some(queue.state),
                message: message(queue),
                chosen: false,
                set_up: false,
                form: form_of(&suggestion.profile, None, documents),
                hint: None,
                proved: String::new(),
            }
        }));
        rows
    }

    /// Returns the documents that rules of this kind print on a printer.
    fn documents_of(
        &self,
        printer: &str,
        is_wanted: impl Fn(&DocumentRule) -> bool,
    ) -> Vec<DocumentKind> {
        let is_printed = |kind: &DocumentKind| {
            let mut rules = self.rules.iter();
            rules.any(|rule| rule.document == *kind && rule.printer == printer && is_wanted(rule))
        };
        DocumentKind::ALL.into_iter().filter(is_printed).collect()
    }

    /// Returns whether this printer prints the labels of all consignments, except where another rule says otherwise.
    fn is_label_printer(&self, printer: &str) -> bool {
        self.rules.iter().any(|rule| {
            rule.document == DocumentKind::ItemLabels
                && rule.printer == printer
                && rule.is_for_all()
        })
    }

    fn row(&self, profile: &PrinterProfile, seen: Option<&PrinterStates>) -> PrinterView {
        let documents = self.documents_of(&profile.name, DocumentRule::is_for_all);
        let printed = self.documents_of(&profile.name, |_rule| true);
        let was = Some(profile.name.clone());
        let form = |profile: &PrinterProfile| form_of(profile, was.clone(), documents.clone());
        let (state, message, hint) = match seen {
            None => (Some(PrinterState::Unknown), String::new(), None),
            Some(seen) => answer(profile, seen, form),
        };
        let by = {
            self.changed_by
                .get(&(SharedKind::Printer, profile.name.clone()))
        }
        .map_or_else(String::new, |bench| format!(" · changed by {bench}"));
        let description = profile_summary(profile, &printed) + &by;
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
            chosen: self.is_label_printer(&profile.name),
            set_up: true,
            form: form(profile),
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
    form: impl Fn(&PrinterProfile) -> PrinterForm,
) -> (Option<PrinterState>, String, Option<PrinterHint>) {
    let told = |printer: &QueueInfo| {
        let hint = hint(profile, printer, &form);
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
fn hint(
    profile: &PrinterProfile,
    printer: &QueueInfo,
    form: impl Fn(&PrinterProfile) -> PrinterForm,
) -> Option<PrinterHint> {
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
    let is_step = |range: Option<RangeInclusive<u8>>| {
        move |step: &u8| range.as_ref().is_some_and(|range| range.contains(step))
    };
    let changed = PrinterProfile {
        language,
        // The steps of the other language may mean nothing in this one.
        darkness: profile.darkness.filter(is_step(language.darkness())),
        speed: profile.speed.filter(is_step(language.speed())),
        ..profile.clone()
    };
    Some(PrinterHint {
        message: format!("{because}, but it is set to {}", profile.language.name()),
        form: form(&changed),
    })
}

/// Describes a profile, for example "ZPL · 203 dpi · 832 dots · item labels · 10.1.1.9:9100".
fn profile_summary(profile: &PrinterProfile, documents: &[DocumentKind]) -> String {
    let dots_per_inch = profile.dots_per_mm.get() * 25.4;
    let kinds: Vec<_> = documents
        .iter()
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
