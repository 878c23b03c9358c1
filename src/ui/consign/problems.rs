//! Before you send: everything that is wrong or worth a look, each a way to its field, and the declaration.

use egui::{Role, Sense, Ui, WidgetInfo, pos2, vec2};

use super::super::kit::badge::Badge;
use super::super::kit::card::Card;
use super::super::kit::checkbox::checkbox;
use super::super::kit::tokens::{Tone, palette};
use super::super::kit::{Icon, icons, text};
use super::id;
use crate::draft::{AddressField, ContentsField, DgField, Field, GoodsField, Problem, Severity};
use crate::state::{Editing, ProblemList};

/// How many problems are listed; the others come up as these are mended.
const MOST: usize = 12;

/// Answers the field that the clerk wants to go to.
pub(super) fn card(ui: &mut Ui, editing: &mut Editing, list: &ProblemList) -> Option<Field> {
    let (problems, errors) = (list.all(), list.errors());
    let words = match errors {
        0 => "ready".to_owned(),
        errors => format!("{errors} to fix"),
    };
    // Until something is typed, nothing is wrong: it is only not there yet.
    let tone = match errors {
        0 => Tone::Ok,
        _ if editing.show_all => Tone::Bad,
        _ => Tone::Neutral,
    };
    Card::new("Before you send")
        .icon(icons::ICON_CHECKLIST)
        .show(
            ui,
            |ui| {
                let shown = Badge::new(tone, &words).show(ui);
                // How many there are is read out whenever it changes, once the clerk's own words are done.
                ui.ctx().accesskit_node_builder(shown.id, |node| {
                    node.set_live(egui::accesskit::Live::Polite);
                });
            },
            |ui| {
                ui.spacing_mut().item_spacing.y = 4.0;
                let mut go_to = None;
                if problems.is_empty() {
                    ui.label(text::body("Nothing is missing").color(palette(ui).muted));
                }
                for problem in problems.iter().take(MOST) {
                    if entry(ui, problem, editing.show_all) {
                        go_to = Some(problem.field);
                    }
                }
                if problems.len() > MOST {
                    let more = format!("and {} more", problems.len() - MOST);
                    ui.label(text::small(more).color(palette(ui).muted));
                }
                if editing.draft.holds_dangerous_goods() {
                    declaration(ui, editing);
                }
                go_to
            },
        )
        .inner
}

fn declaration(ui: &mut Ui, editing: &mut Editing) {
    let words = "I declare the dangerous goods in this consignment";
    let was = editing.draft.is_declared();
    let mut declared = was;
    let response = checkbox(ui, &mut declared, words);
    if declared != was {
        editing.draft.declare(declared);
    }
    // A problem leads here by the field's id, which a checkbox does not have.
    if ui.memory(|memory| memory.has_focus(id(Field::Declaration))) {
        response.request_focus();
    }
}

fn entry(ui: &mut Ui, problem: &Problem, shown: bool) -> bool {
    let p = palette(ui);
    let (icon, tone): (Icon, Tone) = match problem.severity {
        Severity::Error if shown => (icons::ICON_ERROR, Tone::Bad),
        Severity::Error => (icons::ICON_CIRCLE, Tone::Neutral),
        Severity::Warning => (icons::ICON_WARNING, Tone::Warning),
    };
    let ink = tone.ink(p);
    let place = place(problem.field);
    let words = if place.is_empty() {
        problem.words.clone()
    } else {
        format!("{place}: {}", problem.words)
    };
    let room = ui.available_width() - 26.0;
    let galley = egui::WidgetText::from(text::body(&words).color(ink)).into_galley(
        ui,
        Some(egui::TextWrapMode::Wrap),
        room,
        text::body_font(),
    );
    let height = galley.size().y.max(22.0) + 2.0;
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Link, true, &words));
    if response.hovered() || response.has_focus() {
        let fill = if response.has_focus() {
            p.accent_weak
        } else {
            p.raised
        };
        ui.painter()
            .rect_filled(rect.expand2(vec2(4.0, 0.0)), 4.0, fill);
    }
    let mark = text::plain(ui, icon.codepoint, text::icon_font(16.0), ink);
    ui.painter()
        .galley(pos2(rect.left(), rect.top() + 3.0), mark, ink);
    ui.painter()
        .galley(pos2(rect.left() + 26.0, rect.top() + 1.0), galley, ink);
    response.clicked()
}

/// Where a problem is, in words.
fn place(field: Field) -> String {
    match field {
        Field::Company => "Company".to_owned(),
        Field::From(field) => format!("From, {}", address(field)),
        Field::To(field) => format!("To, {}", address(field)),
        Field::Reference1 => "Reference".to_owned(),
        Field::Reference2 => "Second reference".to_owned(),
        Field::Despatch => "Despatch".to_owned(),
        Field::Instructions => "Instructions".to_owned(),
        Field::Questions => "Options".to_owned(),
        Field::ReceiverAccount => "Receiver pays".to_owned(),
        Field::CarrierNumber => "Carrier's number".to_owned(),
        Field::Goods(line, field) => format!("Line {}, {}", line + 1, goods(field)),
        Field::Dg(line, _, field) => {
            format!("Line {}, dangerous goods, {}", line + 1, dangerous(field))
        }
        Field::Customs(line) => format!("Line {}, customs", line + 1),
        Field::Contents(line, _, field) => {
            format!("Line {}, customs, {}", line + 1, contents(field))
        }
        Field::Duties => "Duties".to_owned(),
        Field::Custom(..) => "Carrier's options".to_owned(),
        Field::PrinterToken => "Printer token".to_owned(),
        Field::Staff => "Packed by".to_owned(),
        Field::AllGoods | Field::Route | Field::Declaration | Field::Whole => String::new(),
    }
}

const fn address(field: AddressField) -> &'static str {
    match field {
        AddressField::Saved => "location",
        AddressField::Name => "name",
        AddressField::Contact => "contact",
        AddressField::Phone => "phone",
        AddressField::Email => "e-mail",
        AddressField::Line1 | AddressField::Line2 => "address",
        AddressField::Place => "suburb",
        AddressField::Country => "country",
        AddressField::City => "city",
        AddressField::Province => "province",
        AddressField::Postcode => "postcode",
    }
}

const fn goods(field: GoodsField) -> &'static str {
    match field {
        GoodsField::Type => "type",
        GoodsField::Name => "name",
        GoodsField::Sku => "SKU",
        GoodsField::SavedId => "saved item",
        GoodsField::Quantity => "quantity",
        GoodsField::Weight => "kg",
        GoodsField::Length => "length",
        GoodsField::Width => "width",
        GoodsField::Height => "height",
        GoodsField::Spaces => "spaces",
        GoodsField::References => "references",
    }
}

const fn dangerous(field: DgField) -> &'static str {
    match field {
        DgField::Stored => "stored good",
        DgField::UnNumber => "UN number",
        DgField::PackingGroup => "packing group",
        DgField::Class => "class",
        DgField::Container => "container",
        DgField::Containers => "containers",
        DgField::Amount => "amount",
        DgField::FlashPoint => "flash point",
        DgField::Hazchem => "Hazchem",
        DgField::TechnicalName => "technical name",
    }
}

const fn contents(field: ContentsField) -> &'static str {
    match field {
        ContentsField::Description => "description",
        ContentsField::Reference1 | ContentsField::Reference2 | ContentsField::Reference3 => {
            "reference"
        }
        ContentsField::Marks => "marks",
        ContentsField::PartNumber => "part number",
        ContentsField::Quantity => "units",
        ContentsField::HarmonisedCode => "harmonised code",
        ContentsField::Purpose => "purpose",
        ContentsField::Country => "made in",
        ContentsField::Value => "value",
    }
}
