//! The documents of consignments: the rules that print them, each as a sentence, and what the customer adds to them.

use egui::{Label, Role, ScrollArea, Ui, WidgetInfo};

use crate::state::{DocumentKind, LabelsCommand, PrinterView, SettingsCommand, Shared};
use crate::ui::Context;
use crate::ui::actions::Action;
use crate::ui::parts::{action_button, choice, lockable, paper_note, unsaved_badge};
use engine::{DocumentRule, DocumentTexts};
use widgets::button::Button;
use widgets::card::Card;
use widgets::checkbox::checkbox;
use widgets::field::Field;
use widgets::modal::{Modal, confirm_or_cancel};
use widgets::select::Select;
use widgets::tokens::{palette, size};
use widgets::{icons, layout, text};

/// The rule that the dialog shows.
struct EditedRule {
    rule: DocumentRule,
    /// The number of copies as typed.
    copies: String,
    /// The rule that is changed, by its place in the list; `None` for a new rule.
    place: Option<usize>,
}

/// State of the page of Settings about documents.
#[derive(Default)]
pub(super) struct DocumentsForm {
    edited: Option<EditedRule>,
    /// Unsaved input; `None` while everything is as saved.
    typed: Option<DocumentTexts>,
}

impl DocumentsForm {
    pub(super) const fn is_open(&self) -> bool {
        self.edited.is_some()
    }

    /// Returns whether there is unsaved input.
    pub(super) fn is_unsaved(&self, shared: &Shared) -> bool {
        let typed = self.typed.as_ref();
        typed.is_some_and(|typed| *typed != shared.settings.document_texts)
    }

    /// Uses the logo that was picked in a dialog.
    pub(super) fn set_logo(&mut self, shared: &Shared, path: &str) {
        let saved = &shared.settings.document_texts;
        let texts = self.typed.get_or_insert_with(|| saved.clone());
        texts.logo = Some(path.into());
    }

    pub(super) fn show(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = size::GUTTER;
            self.rules(ui, context);
            self.texts(ui, context);
        });
        self.dialog(ui, context);
    }

    fn rules(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        let shared = context.shared;
        let rules = &shared.labels.documents;
        let can_add =
            !shared.settings.machine.is_locked(&["documents"]) && !printers(shared).is_empty();
        let can_set_up = !shared.settings.machine.is_locked(&["printers", ""]);
        let mut changed = None;
        Card::new("Printed documents").icon(icons::ICON_PRINT).body(ui, |ui| {
            ui.spacing_mut().item_spacing.y = size::GRID;
            if printers(shared).is_empty() {
                text::note(ui, "Set up a printer first, then say here which documents it prints");
            } else if rules.is_empty() {
                text::note(ui, "No documents are printed yet");
            }
            lockable(ui, shared, &["documents"], |ui| {
                for (place, rule) in rules.iter().enumerate() {
                    let sentence = sentence(shared, rule);
                    let above = place.checked_sub(1);
                    ui.push_id(place, |ui| match rule_row(ui, &sentence, above.is_some()) {
                        Some(RowAction::Change) => self.edit(rule.clone(), Some(place)),
                        Some(RowAction::MoveUp) => {
                            let mut rules = rules.clone();
                            rules.swap(above.unwrap_or_default(), place);
                            changed = Some(rules);
                        }
                        Some(RowAction::Remove) => {
                            let mut rules = rules.clone();
                            rules.remove(place);
                            changed = Some(rules);
                        }
                        None => {}
                    });
                }
            });
            ui.horizontal(|ui| {
                if action_button(ui, context, Action::AddDocumentRule, can_add, Button::new) {
                    let printers = printers(shared);
                    let first = printers.first().map_or("", |printer| &printer.name);
                    self.edit(DocumentRule::of(DocumentKind::PackingSlip, first), None);
                }
                if action_button(
                    ui,
                    context,
                    Action::SetUpPrinter,
                    can_set_up,
                    Button::new,
                ) {
                    context.push(LabelsCommand::SetUpPrinter);
                }
            });
            let words = "When a consignment is sent or booked, every rule that fits prints. Labels, and documents printed \
                         by hand, use the first rule that fits. If none fits, they use the rule for all consignments";
            text::small_note(ui, words);
        });
        if let Some(rules) = changed {
            context.push(LabelsCommand::SetDocumentRules(rules));
        }
    }

    fn edit(&mut self, rule: DocumentRule, place: Option<usize>) {
        let copies = rule
            .copies
            .map_or_else(String::new, |copies| copies.to_string());
        self.edited = Some(EditedRule {
            rule,
            copies,
            place,
        });
    }

    fn dialog(&mut self, ui: &Ui, context: &mut Context<'_>) {
        let shared = context.shared;
        let mut open = self.edited.is_some();
        let is_new = self
            .edited
            .as_ref()
            .is_some_and(|edited| edited.place.is_none());
        let title = if is_new {
            "Add a rule"
        } else {
            "Change the rule"
        };
        let mut saved = None;
        Modal::new("document rule", title)
            .width(560.0)
            .show(ui, &mut open, |ui, open| {
                let Some(edited) = &mut self.edited else {
                    return;
                };
                let problem = edited.fields(ui, shared);
                if confirm_or_cancel(ui, open, Button::primary("Save rule"), problem.is_none()) {
                    let mut rules = shared.labels.documents.clone();
                    match edited.place.and_then(|place| rules.get_mut(place)) {
                        Some(rule) => *rule = edited.rule.clone(),
                        None => rules.push(edited.rule.clone()),
                    }
                    saved = Some(rules);
                    *open = false;
                }
            });
        if !open {
            self.edited = None;
        }
        if let Some(rules) = saved {
            context.push(LabelsCommand::SetDocumentRules(rules));
        }
    }

    fn texts(&mut self, ui: &mut Ui, context: &mut Context<'_>) {
        let shared = context.shared;
        let saved = &shared.settings.document_texts;
        let is_unsaved = self.is_unsaved(shared);
        let mut texts = self.typed.take().unwrap_or_else(|| saved.clone());
        let (mut wanted, mut browses) = (false, false);
        Card::new("On your documents")
            .icon(icons::ICON_DESCRIPTION)
            .show(
                ui,
                |ui| unsaved_badge(ui, is_unsaved),
                |ui| {
                    ui.spacing_mut().item_spacing.y = 10.0;
                    lockable(ui, shared, &["document_texts"], |ui| {
                        browses = text_fields(ui, shared, &mut texts);
                    });
                    ui.horizontal(|ui| {
                        wanted = action_button(
                            ui,
                            context,
                            Action::SaveSettings,
                            is_unsaved,
                            Button::primary,
                        );
                    });
                },
            );
        if browses {
            context.push(SettingsCommand::BrowseLogo);
        }
        if wanted {
            context.push(SettingsCommand::SaveDocumentTexts(Box::new(texts.clone())));
        }
        self.typed = Some(texts).filter(|texts| texts != saved);
    }
}

/// Draws the fields of the customer's texts. Returns true if the clerk wants to pick the logo in a dialog.
fn text_fields(ui: &mut Ui, shared: &Shared, texts: &mut DocumentTexts) -> bool {
    let mut browses = false;
    let dialog = shared.settings.file_dialog;
    let parts: &[f32] = if dialog { &[4.0, 1.0] } else { &[1.0] };
    layout::row(ui, parts, |column, ui| {
        if column == 0 {
            let path = texts.logo.as_ref().map(|path| path.display().to_string());
            let mut path = path.unwrap_or_default();
            let field = Field::new("Logo", &mut path).limit(400);
            if field
                .hint("optional: path of a PNG or SVG file")
                .show(ui)
                .changed()
            {
                texts.logo = Some(path.trim().into()).filter(|_| !path.trim().is_empty());
            }
        } else {
            ui.add_space(size::LINE);
            let browse = Button::new("Browse…").icon(icons::ICON_FOLDER_OPEN);
            browses = ui.add(browse.fill_width(ui)).clicked();
        }
    });
    Field::new("Your address on documents", &mut texts.letterhead)
        .lines(4)
        .limit(400)
        .hint("optional: name, address, ABN and telephone, one line each")
        .show(ui);
    layout::row(ui, &[1.0, 1.0], |column, ui| {
        if column == 0 {
            Field::new("Terms of sale", &mut texts.terms_of_sale)
                .limit(80)
                .hint("for example DAP; left blank to write")
                .show(ui);
        } else {
            Field::new("Emergency telephone", &mut texts.emergency_phone)
                .limit(80)
                .hint("for dangerous goods; left blank to write")
                .show(ui);
        }
    });
    Field::new("Declaration on commercial invoices", &mut texts.declaration)
        .lines(3)
        .limit(1_000)
        .hint("I declare that all information in this invoice is true and correct")
        .show(ui);
    browses
}

#[derive(Clone, Copy)]
enum RowAction {
    MoveUp,
    Change,
    Remove,
}

/// Draws a rule as a sentence, with its buttons.
fn rule_row(ui: &mut Ui, sentence: &str, can_move_up: bool) -> Option<RowAction> {
    let mut action = None;
    ui.horizontal(|ui| {
        let p = palette(ui);
        let buttons = 3.0 * (size::BUTTON + ui.spacing().item_spacing.x);
        let room = ui.available_width() - buttons;
        let label = Label::new(text::body(sentence).color(p.text)).wrap();
        let response = ui.allocate_ui(egui::vec2(room, size::BUTTON), |ui| {
            ui.set_width(room);
            ui.add(label)
        });
        response
            .inner
            .widget_info(|| WidgetInfo::labeled(Role::Label, true, sentence));
        for (icon, name, of) in [
            (icons::ICON_ARROW_UPWARD, "Move up", RowAction::MoveUp),
            (icons::ICON_EDIT, "Change", RowAction::Change),
            (icons::ICON_DELETE, "Remove", RowAction::Remove),
        ] {
            let spoken = format!("{name}: {sentence}");
            let can = can_move_up || !matches!(of, RowAction::MoveUp);
            if ui
                .add_enabled(can, Button::icon_only(icon, &spoken).small())
                .clicked()
            {
                action = Some(of);
            }
        }
    });
    action
}

/// Returns the printers that are set up.
fn printers(shared: &Shared) -> Vec<&PrinterView> {
    let printers = shared.labels.printers.value().into_iter().flatten();
    printers.filter(|printer| printer.set_up).collect()
}

fn sentence(shared: &Shared, rule: &DocumentRule) -> String {
    let companies = shared.catalogue.known_companies().iter();
    let company = rule.company.map(|id| {
        let known = companies.clone().find(|company| company.id == id);
        known.map_or_else(|| format!("company {id}"), |company| company.name.clone())
    });
    rule.sentence(company.as_deref())
}

/// Draws a drop-down of names with the choice `any` for an empty text. A name that is no longer known stays possible.
pub(super) fn name_choice<'a>(
    ui: &mut Ui,
    label: &str,
    any: &str,
    chosen: &mut String,
    names: impl Iterator<Item = &'a str>,
) {
    let before = chosen.clone();
    let mut options = vec![any];
    for name in names {
        options.push(name);
    }
    if !before.is_empty() && !options.contains(&before.as_str()) {
        options.push(&before);
    }
    let current = options.iter().skip(1).position(|name| *name == before);
    let current = current.map_or(0, |place| place + 1);
    if let Some(picked) = Select::new(label, Some(current), &options).show(ui).picked {
        *chosen = match picked {
            0 => String::new(),
            picked => options[picked].to_owned(),
        };
    }
}

impl EditedRule {
    /// Draws the fields, and the rule as a sentence below them. Returns the problem of the rule.
    fn fields(&mut self, ui: &mut Ui, shared: &Shared) -> Option<&'static str> {
        ui.spacing_mut().item_spacing.y = 10.0;
        let set_up = printers(shared);
        let printers: Vec<_> = set_up.iter().map(|printer| printer.name.as_str()).collect();
        let rule = &mut self.rule;
        layout::row(ui, &[3.0, 3.0], |column, ui| {
            if column == 0 {
                let options = DocumentKind::ALL.map(|kind| (kind, kind.name()));
                if choice(ui, "Document", &mut rule.document, &options) {
                    rule.when = rule.document.moments()[0];
                    if rule.document == DocumentKind::Manifest {
                        // Of a manifest, only the carrier is known.
                        *rule = DocumentRule {
                            carrier: std::mem::take(&mut rule.carrier),
                            copies: rule.copies,
                            ..DocumentRule::of(rule.document, &rule.printer)
                        };
                    }
                }
            } else {
                let current = printers.iter().position(|name| *name == rule.printer);
                let select = Select::new("Printer", current, &printers).hint(&rule.printer);
                if let Some(picked) = select.show(ui).picked {
                    printers[picked].clone_into(&mut rule.printer);
                }
            }
        });
        let problem = copies_problem(&self.copies);
        layout::row(ui, &[3.0, 3.0], |column, ui| {
            if column == 0 {
                let options = rule.document.moments().iter();
                let options: Vec<_> = options.map(|moment| (*moment, moment.name())).collect();
                let is_label = rule.document == DocumentKind::ItemLabels;
                ui.add_enabled_ui(!is_label, |ui| choice(ui, "When", &mut rule.when, &options));
            } else {
                let field = Field::new("Copies", &mut self.copies).number();
                field.hint("as set for the printer").error(problem).show(ui);
            }
        });
        rule.copies = self.copies.trim().parse().ok();
        if rule.document == DocumentKind::Manifest {
            carrier(ui, shared, rule, &[1.0]);
        } else {
            conditions(ui, shared, rule);
        }
        text::note(ui, sentence(shared, rule));
        let printer = set_up.iter().find(|printer| printer.name == rule.printer);
        if let Some(printer) = printer.filter(|_| rule.document != DocumentKind::ItemLabels) {
            paper_note(ui, printer.form.media);
        }
        problem
    }
}

fn copies_problem(typed: &str) -> Option<&'static str> {
    let typed = typed.trim();
    let is_number = typed.parse::<std::num::NonZeroU8>().is_ok();
    (!typed.is_empty() && !is_number).then_some("Enter the number of copies: 1 to 255")
}

/// Draws the carrier and, beside it, the service if there is room for two columns.
fn carrier(ui: &mut Ui, shared: &Shared, rule: &mut DocumentRule, columns: &[f32]) {
    let carriers = &shared.catalogue.carriers;
    layout::row(ui, columns, |column, ui| {
        if column == 0 {
            let before = rule.carrier.clone();
            let names = carriers.iter().map(shipping::Carrier::label);
            name_choice(ui, "Carrier", "Any carrier", &mut rule.carrier, names);
            if rule.carrier != before {
                rule.service.clear();
            }
        } else {
            let of = carriers
                .iter()
                .filter(|carrier| carrier.label() == rule.carrier);
            let accounts = of.flat_map(|carrier| &carrier.carrier_accounts);
            let services = accounts.flat_map(|account| &account.carrier_services);
            let mut names: Vec<_> = services.map(shipping::CarrierService::label).collect();
            names.sort_unstable();
            names.dedup();
            let (service, names) = (&mut rule.service, names.into_iter());
            name_choice(ui, "Service", "Any service", service, names);
        }
    });
}

/// Draws the conditions of a rule for consignments.
fn conditions(ui: &mut Ui, shared: &Shared, rule: &mut DocumentRule) {
    ui.label(text::small("Only for consignments").color(palette(ui).muted));
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = size::GUTTER;
        checkbox(ui, &mut rule.dangerous_goods, "with dangerous goods");
        checkbox(ui, &mut rule.international, "from or to another country");
    });
    carrier(ui, shared, rule, &[3.0, 3.0]);
    layout::row(ui, &[3.0, 3.0], |column, ui| {
        if column == 0 {
            let companies = shared.catalogue.known_companies().iter();
            let mut options = vec![(None, "Any company")];
            options.extend(companies.map(|company| (Some(company.id), company.name.as_str())));
            choice(ui, "Company", &mut rule.company, &options);
        } else {
            let locations = shared.catalogue.locations.value().into_iter().flatten();
            let names = locations
                .filter(|one| one.is_pickup())
                .map(|one| one.name.as_str());
            name_choice(ui, "Pickup from", "Any place", &mut rule.pickup, names);
        }
    });
}
