//! From typed text to the request: one walk over the draft that builds what it can and notes every problem.

use super::field::{AddressField, Field, GoodsField};
use super::number;
use super::place::parse_place;
use super::problem::Problem;
use super::side::{AddressMode, Side};
use super::{Draft, GoodsLine, Routing};
use crate::shipping::{
    Centimetres, CompanyLocationId, ConsignmentRequest, ItemReference, ItemRequest, ItemType,
    Kilograms, LocationRequest, RouteSelection,
};

/// The text without blanks around it, or nothing where nothing is left.
pub(super) fn given(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// One side as it goes into a request.
#[derive(Default)]
struct BuiltSide {
    saved: Option<CompanyLocationId>,
    name: Option<String>,
    contact: Option<String>,
    phone: Option<String>,
    email: Option<String>,
    line1: Option<String>,
    line2: Option<String>,
    location: Option<LocationRequest>,
}

/// Builds the request as far as the draft can be read. With no [`Problem`] of severity error it is complete.
pub(super) fn request(draft: &Draft, problems: &mut Vec<Problem>) -> ConsignmentRequest {
    let mut request = ConsignmentRequest::default();
    sides(draft, &mut request, problems);
    request.company_id = draft.company;
    request.special_instructions = given(&draft.instructions);
    request.customer_reference = given(&draft.reference1);
    request.customer_reference2 = given(&draft.reference2);
    request.question_ids = draft.questions.iter().copied().collect();
    request.printer_token = given(&draft.printer_token);
    request.sending_tracking_email = draft.tracking_email.then_some(true);
    request.receiver_account_code = given(&draft.receiver_account);
    request.dgs_declaration = Some(draft.holds_dangerous_goods());
    request.carrier_consignment_id = given(&draft.carrier_number);
    request.items = goods(draft, problems);
    route(&draft.routing, &mut request, problems);
    if request.is_complex() {
        request.items = request.items.into_iter().map(ItemRequest::nested).collect();
    }
    request
}

fn sides(draft: &Draft, request: &mut ConsignmentRequest, problems: &mut Vec<Problem>) {
    let from = side(&draft.from, Field::From, problems);
    request.from_name = from.name;
    request.from_contact = from.contact;
    request.from_phone = from.phone;
    request.from_email = from.email;
    request.from_address_line1 = from.line1;
    request.from_address_line2 = from.line2;
    request.from_location = from.location;
    request.from_company_location_id = from.saved;
    let to = side(&draft.to, Field::To, problems);
    request.to_name = to.name;
    request.to_contact = to.contact;
    request.to_phone = to.phone;
    request.to_email = to.email;
    request.to_address_line1 = to.line1;
    request.to_address_line2 = to.line2;
    request.to_location = to.location;
    request.to_company_location_id = to.saved;
}

fn side(side: &Side, at: fn(AddressField) -> Field, problems: &mut Vec<Problem>) -> BuiltSide {
    if side.mode == AddressMode::Saved {
        if side.saved.is_none() {
            problems.push(Problem::error(
                at(AddressField::Saved),
                "Pick a saved location, or type an address",
            ));
        }
        return BuiltSide {
            saved: side.saved.as_ref().map(|saved| saved.id),
            ..BuiltSide::default()
        };
    }
    let mut required = |text: &str, field, words: &str| {
        if text.trim().is_empty() {
            problems.push(Problem::error(at(field), words));
        }
        given(text)
    };
    let name = required(&side.name, AddressField::Name, "Type the name");
    let contact = required(&side.contact, AddressField::Contact, "Type who to ask for");
    let phone = required(&side.phone, AddressField::Phone, "Type a phone number");
    let line1 = required(&side.line1, AddressField::Line1, "Type the street");
    let email = required(&side.email, AddressField::Email, "Type an e-mail address");
    if email
        .as_deref()
        .is_some_and(|email| !looks_like_email(email))
    {
        problems.push(Problem::error(
            at(AddressField::Email),
            "This is not an e-mail address",
        ));
    }
    if phone
        .as_deref()
        .is_some_and(|phone| phone.bytes().filter(u8::is_ascii_digit).count() < 6)
    {
        problems.push(Problem::error(
            at(AddressField::Phone),
            "A phone number has at least six digits",
        ));
    }
    let location = parse_place(&side.place);
    if location.is_none() {
        problems.push(Problem::error(
            at(AddressField::Place),
            "Type suburb and postcode, like Ballarat VIC 3350",
        ));
    }
    BuiltSide {
        saved: None,
        name,
        contact,
        phone,
        email,
        line1,
        line2: given(&side.line2),
        location,
    }
}

fn looks_like_email(text: &str) -> bool {
    let Some((name, host)) = text.split_once('@') else {
        return false;
    };
    let plain =
        |part: &str| !part.is_empty() && !part.contains(|c: char| c.is_whitespace() || c == '@');
    plain(name)
        && plain(host)
        && host.contains('.')
        && !host.starts_with('.')
        && !host.ends_with('.')
}

fn goods(draft: &Draft, problems: &mut Vec<Problem>) -> Vec<ItemRequest> {
    if draft.goods.is_empty() {
        problems.push(Problem::error(
            Field::AllGoods,
            "Add at least one line of goods",
        ));
    }
    draft
        .goods
        .iter()
        .enumerate()
        .map(|(index, line)| item(index, line, problems))
        .collect()
}

fn item(index: usize, line: &GoodsLine, problems: &mut Vec<Problem>) -> ItemRequest {
    let mut problem =
        |field, words: &str| problems.push(Problem::error(Field::Goods(index, field), words));
    if !ItemType::NAMES.contains(&line.item_type.as_str()) {
        problem(GoodsField::Type, "Pick a packaging kind");
    }
    if line.name.trim().is_empty() {
        problem(GoodsField::Name, "Say what it is");
    }
    let quantity = number::count(&line.quantity);
    if quantity.is_none() {
        problem(GoodsField::Quantity, "Type how many, from 1");
    }
    let mut measure = |text: &str, field, words: &str| {
        let value = number::positive(text);
        if value.is_none() {
            problem(field, words);
        }
        value
    };
    let weight = measure(
        &line.weight,
        GoodsField::Weight,
        "Type the kilograms of one",
    );
    let length = measure(&line.length, GoodsField::Length, "Type the length in cm");
    let width = measure(&line.width, GoodsField::Width, "Type the width in cm");
    let height = measure(&line.height, GoodsField::Height, "Type the height in cm");
    let pallet_spaces = number::count(&line.spaces);
    if pallet_spaces.is_none() && !line.spaces.trim().is_empty() {
        problem(
            GoodsField::Spaces,
            "Type whole pallet spaces, or leave it empty",
        );
    }
    let references: Vec<_> = line
        .references()
        .map(|text| ItemReference {
            carrier_item_reference: text.to_owned(),
        })
        .collect();
    if !references.is_empty()
        && quantity.is_some_and(|quantity| usize::try_from(quantity) != Ok(references.len()))
    {
        problem(GoodsField::References, "Give one reference for each piece");
    }
    let dangerous = line.dangerous.iter().enumerate();
    let dangerous = dangerous
        .filter_map(|(at, good)| good.build(index, at, problems))
        .collect();
    ItemRequest {
        company_item_id: None,
        item_type: Some(line.item_type.clone()),
        name: given(&line.name),
        sku: given(&line.sku),
        quantity,
        weight: weight.map(Kilograms),
        length: length.map(Centimetres),
        width: width.map(Centimetres),
        height: height.map(Centimetres),
        standard_item: None,
        pallet_spaces,
        consignment_item_dg_items: dangerous,
        consignment_item_contents: Vec::new(),
        consignment_item_references: references,
    }
}

fn route(routing: &Routing, request: &mut ConsignmentRequest, problems: &mut Vec<Problem>) {
    match routing {
        Routing::Unchosen => problems.push(Problem::error(Field::Route, "Choose a route")),
        Routing::Cheapest => request.default_route_selection = Some(RouteSelection::Cheapest),
        Routing::Fastest => request.default_route_selection = Some(RouteSelection::Fastest),
        Routing::Carrier(chosen) => {
            request.carrier_id = Some(chosen.carrier_id);
            request.carrier_service_id = chosen.service_id;
            request.carrier_account_id = chosen.account_id;
            request.company_carrier_account_id = chosen.company_account_id;
        }
        Routing::Chosen(chosen) => {
            request.carrier_id = Some(chosen.carrier_id);
            request.carrier_service_id = Some(chosen.service_id);
            request.carrier_account_id = chosen.account_id;
            request.company_carrier_account_id = chosen.company_account_id;
        }
    }
}
