//! The Consign screen with everything unfolded, in several views that together contain every text input.

use std::collections::HashMap;

use draft::{
    AddressField, AddressMode, ContentsField, ContentsLine, CustomField, CustomValueLine, DgField,
    DgLine, Draft, Field, GoodsField, ItemSource, Routing,
};
use egui::accesskit::{NodeId, Role};
use egui::{Id, MissingGlyphPolicy, vec2};
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use super::super::rules::{dangerous, good, reels, saved_item, set};
use crate::support::clerk::Clerk;

/// Roles of what text is typed into.
const TEXT: [Role; 9] = [
    Role::TextInput,
    Role::MultilineTextInput,
    Role::SearchInput,
    Role::DateInput,
    Role::DateTimeInput,
    Role::TimeInput,
    Role::EmailInput,
    Role::NumberInput,
    Role::PhoneNumberInput,
];

/// What is on the screen, and the key that opens the sub-form of the first line.
pub(super) struct View {
    pub(super) name: &'static str,
    pub(super) draft: Draft,
    opens: &'static str,
}

/// Views that have every text input between them.
pub(super) fn all(clerk: &Clerk) -> [View; 3] {
    let locations = clerk
        .core()
        .shared
        .catalogue
        .locations
        .value()
        .expect("fetched");
    let of = |short: &str| {
        let mut all = locations.iter();
        let found = all.find(|place| place.abbreviation == short);
        found.expect("a saved location").clone()
    };
    let home = home();
    let mut abroad = home.clone();
    abroad.goods.truncate(1);
    abroad.goods[0].dangerous.clear();
    abroad.from.set_location(&of("HSYD"));
    export(&mut abroad);
    let mut known = home.clone();
    known.to.set_location(&of("BALFG"));
    known.goods[0].dangerous = vec![stored_good()];
    let view = |name, draft, opens| View { name, draft, opens };
    [
        view("home", home, "<Ctrl+D>"),
        view("abroad", abroad, "<Ctrl+I>"),
        view("known", known, "<Ctrl+D>"),
    ]
}

/// A good draft with a text in every field of the consignment itself.
pub(super) fn filled() -> Draft {
    let mut draft = good();
    for side in [&mut draft.from, &mut draft.to] {
        set(&mut side.line2, "Gate 2");
        set(&mut side.country, "Australia");
    }
    set(&mut draft.reference2, "PO-7");
    set(&mut draft.despatch, "2026-11-23 15:30");
    set(&mut draft.instructions, "Ring the bell");
    set(&mut draft.receiver_account, "ACME-7");
    set(&mut draft.staff, "Ana");
    set(&mut draft.printer_token, "bench 4");
    set(&mut draft.carrier_number, "SCX0099001");
    draft.custom_values.push(CustomValueLine {
        name: "palletSpaces".to_owned(),
        value: "2".to_owned(),
    });
    draft.routing = Routing::Cheapest;
    draft
}

/// A stored dangerous good and its amount.
pub(super) fn stored_good() -> DgLine {
    DgLine {
        stored: "9001".to_owned(),
        amount: "2".to_owned(),
        ..DgLine::default()
    }
}

/// Contents with a text in every field.
pub(super) fn full_contents() -> ContentsLine {
    let mut inside = reels();
    for (field, text) in [
        (&mut inside.reference1, "INV-1"),
        (&mut inside.reference2, "INV-2"),
        (&mut inside.reference3, "INV-3"),
        (&mut inside.marks, "1/2"),
        (&mut inside.part_number, "HR20"),
    ] {
        set(field, text);
    }
    inside
}

/// All that a consignment inside the country can hold, and nothing is wrong with.
fn home() -> Draft {
    let mut draft = filled();
    dangerous(&mut draft, |good| set(&mut good.technical_name, "ethanol"));
    let line = &mut draft.goods[0];
    set(&mut line.sku, "HR-20");
    set(&mut line.spaces, "1");
    set(&mut line.references, "SCX0000001 SCX0000002 ");
    let mut by_sku = saved_item("PM-40");
    set(&mut by_sku.quantity, "1");
    set(&mut by_sku.weight, "400");
    let mut by_id = saved_item("");
    by_id.source = ItemSource::Id;
    set(&mut by_id.item_id, "8006");
    set(&mut by_id.quantity, "1");
    draft.goods.extend([by_sku, by_id]);
    draft
}

fn export(draft: &mut Draft) {
    let to = &mut draft.to;
    to.mode = AddressMode::Full;
    set(&mut to.country, "Fiji");
    set(&mut to.city, "Suva");
    set(&mut to.province, "Rewa");
    set(&mut to.postcode, "1000");
    draft.goods[0].contents.push(full_contents());
}

/// Opens a view, unfolded, and answers its text inputs and its draft once that has come to rest.
pub(super) fn open(clerk: &mut Clerk, view: &View) -> (Vec<(Field, Id)>, Draft) {
    clerk.window.set_size(vec2(1440.0, 1000.0));
    draw_anything(clerk);
    *draft(clerk) = view.draft.clone();
    clerk.rest();
    clerk.keys(&format!("<Alt+3>{}<Alt+4>", view.opens));
    clerk.until("the numbers are known and the draft rests", |core| {
        let lines = core.editing.draft.goods.iter();
        let mut goods = lines.flat_map(|line| &line.dangerous);
        let settled = goods.all(|good| good.is_stored() || !good.shipping_name.is_empty());
        settled.then_some(())
    });
    // What the lookup added is declared as well.
    let open = draft(clerk);
    open.declare(open.dangerous_goods_declared);
    let rested = open.clone();
    let context = clerk.core().shared.check_context();
    let check = rested.check(&context);
    assert!(check.passes(), "{}: {:#?}", view.name, check.problems);
    (inputs(clerk), rested)
}

/// A box for what the fonts don't have, as outside of tests.
pub(super) fn draw_anything(clerk: &Clerk) {
    clerk
        .window
        .ctx
        .set_missing_glyph_policy(MissingGlyphPolicy::Tofu);
}

pub(super) fn draft(clerk: &mut Clerk) -> &mut Draft {
    let editing = clerk.window.state_mut().editing_mut();
    &mut editing.expect("the window is open").draft
}

/// Every text input on the screen, by the field that it is of; one that is of none is the box at the top.
fn inputs(clerk: &Clerk) -> Vec<(Field, Id)> {
    let known: HashMap<NodeId, (Field, Id)> = fields()
        .into_iter()
        .map(|field| (field, Id::unique(("consign", field))))
        .map(|(field, id)| (id.accesskit_id(), (field, id)))
        .collect();
    let texts = clerk
        .window
        .query_all_by(|node| TEXT.contains(&node.role()));
    let of = |name: &str, node: NodeId| match known.get(&node) {
        None if name.starts_with("Scan") => None,
        None => panic!("{name} is no field of the draft: problems can't lead there"),
        known => known.copied(),
    };
    let inputs = texts.filter_map(|text| {
        let node = text.accesskit_node();
        of(&node.label().unwrap_or_default(), node.locate().0)
    });
    inputs.collect()
}

/// Every field that there is, of so many lines and goods as the views have.
fn fields() -> Vec<Field> {
    use Field::{
        CarrierNumber, Contents, Custom, Despatch, Dg, From, Goods, Instructions, PrinterToken,
        ReceiverAccount, Reference1, Reference2, Staff, To,
    };
    let mut all = vec![
        Reference1,
        Reference2,
        Despatch,
        Instructions,
        ReceiverAccount,
        CarrierNumber,
        PrinterToken,
        Staff,
        Custom(0, CustomField::Name),
        Custom(0, CustomField::Value),
    ];
    for field in ADDRESS {
        all.extend([From(field), To(field)]);
    }
    all.extend((0..3).flat_map(|line| GOODS.map(|field| Goods(line, field))));
    all.extend(DANGEROUS.map(|field| Dg(0, 0, field)));
    all.extend(CONTENTS.map(|field| Contents(0, 0, field)));
    all
}

const ADDRESS: [AddressField; 12] = [
    AddressField::Saved,
    AddressField::Name,
    AddressField::Contact,
    AddressField::Phone,
    AddressField::Email,
    AddressField::Line1,
    AddressField::Line2,
    AddressField::Place,
    AddressField::Country,
    AddressField::City,
    AddressField::Province,
    AddressField::Postcode,
];

const GOODS: [GoodsField; 10] = [
    GoodsField::Name,
    GoodsField::Sku,
    GoodsField::SavedId,
    GoodsField::Quantity,
    GoodsField::Weight,
    GoodsField::Length,
    GoodsField::Width,
    GoodsField::Height,
    GoodsField::Spaces,
    GoodsField::References,
];

const DANGEROUS: [DgField; 7] = [
    DgField::Stored,
    DgField::UnNumber,
    DgField::Containers,
    DgField::Amount,
    DgField::FlashPoint,
    DgField::Hazchem,
    DgField::TechnicalName,
];

const CONTENTS: [ContentsField; 10] = [
    ContentsField::Description,
    ContentsField::Reference1,
    ContentsField::Reference2,
    ContentsField::Reference3,
    ContentsField::Marks,
    ContentsField::PartNumber,
    ContentsField::Quantity,
    ContentsField::HarmonisedCode,
    ContentsField::Country,
    ContentsField::Value,
];
