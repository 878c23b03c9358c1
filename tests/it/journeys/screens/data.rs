//! An invented shipper, with everything that a screen can show.

use std::sync::Arc;

use jiff::Timestamp;
use packbench::draft::{AddressMode, ChosenRoute, DgLine, Draft, GoodsLine, Routing};
use packbench::shipping::{
    CarrierId, CarrierServiceId, CompanyId, CompanyLocation, Consignment, ConsignmentId,
    ContainerType, DgClass, Dollars, LabelSize, LocalTime, ManifestGroup, PackingGroup, Question,
};
use packbench::state::{
    Booking, Editing, Environment, JobId, JobState, Kind, LabelEntry, LabelState, Notice, NoticeId,
    Operation, OperationId, OperationState, Preview, PrintJob, PrinterForm, PrinterState,
    PrinterView, Remote, RouteView, Saved, Shared, Tone,
};
use serde_json::json;

pub(super) fn now() -> Timestamp {
    "2026-11-20T03:05:02Z".parse().expect("a time")
}

fn local(text: &str) -> Option<LocalTime> {
    Some(LocalTime::read(text).expect("a local time"))
}

const PLACES: [(&str, &str, &str, &str, &str); 6] = [
    (
        "Harbour Supplies, Sydney DC",
        "HSYD",
        "14 Wharf Road",
        "Alexandria",
        "NSW 2015",
    ),
    (
        "Ballarat Farm & Garden",
        "BFG",
        "8 Creswick Road",
        "Ballarat Central",
        "VIC 3350",
    ),
    (
        "Tweed Marine",
        "TWM",
        "2 Wharf Street",
        "Tweed Heads",
        "NSW 2485",
    ),
    (
        "Aroha Outdoor",
        "ARO",
        "71 Te Rapa Road",
        "Hamilton",
        "NZ 3200",
    ),
    (
        "Gawler Hardware and Rural Supplies of the Barossa",
        "GAW",
        "19 Murray Street",
        "Gawler",
        "SA 5118",
    ),
    (
        "Kings Park Nursery",
        "KPN",
        "5 Fraser Avenue",
        "West Perth",
        "WA 6005",
    ),
];

fn locations() -> Vec<CompanyLocation> {
    let place = |(id, (name, short, street, suburb, rest)): (
        i64,
        (&str, &str, &str, &str, &str),
    )| {
        let (state, postcode) = rest.split_once(' ').expect("state and postcode");
        let value = json!({
            "id": id, "name": name, "abbreviation": short, "contact": "Dock office", "phone": "02 5550 0114",
            "addressLine1": street,
            "location": {"suburb": suburb, "state": state, "postcode": postcode, "timeZone": "Australia/Sydney"},
        });
        serde_json::from_value(value).expect("a location")
    };
    (1..).zip(PLACES).map(place).collect()
}

pub(super) fn consignments(count: i64) -> Vec<Consignment> {
    const CARRIERS: [(&str, &str); 4] = [
        ("Southern Cross", "Road"),
        ("Bluegum", "Road"),
        ("Tasman Freight", "Air"),
        ("Kookaburra Air", "Express"),
    ];
    let one = |at: i64| {
        let index = usize::try_from(at).expect("small");
        let (name, _, _, suburb, rest) = PLACES[1 + index % 5];
        let (state, postcode) = rest.split_once(' ').expect("state and postcode");
        let (carrier, service) = CARRIERS[index % 4];
        let value = json!({
            "id": 200_431 - at, "consignmentNumber": format!("MS{}", 200_431 - at),
            "status": {"id": 2, "name": "Unmanifested"},
            "carrier": {"id": 1, "displayName": carrier}, "carrierService": {"id": 1, "displayName": service},
            "customerReference": format!("SO-{}", 48_213 - 3 * at), "toName": name,
            "toLocation": {"suburb": suburb, "state": state, "postcode": postcode},
            "totalItemCount": at % 12 + 1, "totalWeight": format!("{}.{}", at * 37 % 400 + 2, at % 10),
            "despatchDateLocal": if at % 5 == 0 { "2026-11-23T15:30:00" } else { "2026-11-20T15:30:00" },
            "dgsDeclaration": at % 5 == 0,
        });
        serde_json::from_value(value).expect("a consignment")
    };
    (0..count).map(one).collect()
}

fn route(carrier: i64, name: &str, service: &str, price: &str, eta: &str) -> ChosenRoute {
    ChosenRoute {
        carrier_id: CarrierId::new(carrier),
        service_id: CarrierServiceId::new(carrier * 10),
        account_id: None,
        company_account_id: None,
        carrier: name.to_owned(),
        service: service.to_owned(),
        price: Some(Dollars(price.parse().expect("a price"))),
        eta: local(eta),
    }
}

fn routes() -> Vec<RouteView> {
    let offer = |route, cheapest, fastest| RouteView::Offer {
        route,
        before_tax: None,
        despatch: None,
        cheapest,
        fastest,
    };
    vec![
        offer(
            route(1, "Southern Cross", "Road", "38.40", "2026-11-23T17:00:00"),
            true,
            false,
        ),
        offer(
            route(2, "Bluegum", "Road", "41.05", "2026-11-23T17:00:00"),
            false,
            false,
        ),
        offer(
            route(
                3,
                "Tasman Freight",
                "General",
                "44.90",
                "2026-11-24T17:00:00",
            ),
            false,
            false,
        ),
        offer(
            route(
                4,
                "Southern Cross",
                "Express",
                "96.20",
                "2026-11-21T12:00:00",
            ),
            false,
            true,
        ),
        RouteView::Refusal {
            carrier: "Kookaburra Air".to_owned(),
            reason: "takes no dangerous goods".to_owned(),
        },
    ]
}

fn draft() -> Draft {
    let mut draft = Draft::default();
    let places = locations();
    draft.from.pick(&places[0]);
    draft.to.mode = AddressMode::Full;
    let to = &mut draft.to;
    for (slot, text) in [
        (&mut to.name, "Ballarat Farm & Garden"),
        (&mut to.contact, "J. Okafor"),
        (&mut to.phone, "03 5550 0199"),
        (&mut to.email, "stores@bfg.example"),
        (&mut to.line1, "8 Creswick Road"),
        (&mut to.place, "Ballarat Central VIC 3350"),
        (&mut draft.reference1, "SO-48213"),
        (&mut draft.despatch, "15:30"),
        (&mut draft.instructions, "Ring bell at gate 2"),
    ] {
        text.clone_into(slot);
    }
    draft.questions.insert(Question::Tailgate);
    draft.goods = [
        (
            "Carton",
            "Hose reels, 20 m",
            "HR-20",
            "2",
            "9.0",
            ["40", "40", "30"],
        ),
        (
            "Carton",
            "Methylated spirits, 12 × 1 L",
            "MS-12",
            "1",
            "11.5",
            ["36", "28", "32"],
        ),
        (
            "Pallet",
            "Potting mix, 40 bags",
            "PM-40",
            "1",
            "",
            ["117", "117", "20"],
        ),
    ]
    .into_iter()
    .map(line)
    .collect();
    draft.goods[1].dangerous.push(DgLine {
        un_number: "1170".to_owned(),
        packing_group: Some(PackingGroup::II),
        class: Some(DgClass::FlammableLiquid),
        container: Some(ContainerType::Bottle),
        containers: "12".to_owned(),
        amount: "12".to_owned(),
        litres: true,
        flash_point: "33".to_owned(),
        ..DgLine::default()
    });
    draft.routing = Routing::Chosen(route(
        1,
        "Southern Cross",
        "Road",
        "38.40",
        "2026-11-23T17:00:00",
    ));
    draft
}

fn line(
    (kind, name, sku, quantity, weight, [length, width, height]): (
        &str,
        &str,
        &str,
        &str,
        &str,
        [&str; 3],
    ),
) -> GoodsLine {
    GoodsLine {
        item_type: kind.to_owned(),
        name: name.to_owned(),
        sku: sku.to_owned(),
        quantity: quantity.to_owned(),
        weight: weight.to_owned(),
        length: length.to_owned(),
        width: width.to_owned(),
        height: height.to_owned(),
        ..GoodsLine::default()
    }
}

/// A consignment that lacks a weight, a Hazchem code and the declaration.
pub(super) fn editing() -> Editing {
    let mut editing = Editing::of(draft());
    editing.show_all = true;
    editing.saved = Saved::At(now());
    editing
}

fn group(
    carrier: &str,
    ids: &[i64],
    pickup: &str,
    closing: &str,
    dangerous: bool,
) -> ManifestGroup {
    ManifestGroup {
        consignment_ids: ids.iter().copied().map(ConsignmentId::new).collect(),
        company_id: Some(CompanyId::new(1)),
        pickup_date_time: local(pickup),
        pickup_closing_time: local(closing),
        pallet_spaces: Some(2),
        pickup_special_instructions: None,
        pickup_already_booked: false,
        carrier_name: Some(carrier.to_owned()),
        dgs_declaration: dangerous.then_some(true),
    }
}

fn operation(
    id: i64,
    state: OperationState,
    title: &str,
    reference: &str,
    words: &str,
) -> Operation {
    Operation {
        id: OperationId(id),
        kind: Kind::Manifest,
        state,
        key: "PB4-0007".to_owned(),
        title: title.to_owned(),
        request: String::new(),
        draft: None,
        consignments: vec![ConsignmentId::new(200_428)],
        attempt: 1,
        checks: 2,
        words: words.to_owned(),
        reference: reference.to_owned(),
        made: now(),
        changed: now(),
    }
}

fn booking(id: i64, carrier: &str, count: usize) -> Booking {
    Booking {
        operation: OperationId(id),
        carrier: carrier.to_owned(),
        pickup: local("2026-11-20T15:45:00"),
        count,
    }
}

fn printer(
    name: &str,
    words: &str,
    state: PrinterState,
    message: &str,
    chosen: bool,
    set_up: bool,
) -> PrinterView {
    PrinterView {
        name: name.to_owned(),
        words: words.to_owned(),
        state,
        message: message.to_owned(),
        chosen,
        set_up,
        form: PrinterForm {
            name: name.to_owned(),
            zpl: true,
            dots_per_mm: "8".to_owned(),
            ..PrinterForm::default()
        },
    }
}

fn labels() -> Vec<LabelEntry> {
    let states = [
        LabelState::Waiting,
        LabelState::Waiting,
        LabelState::Waiting,
        LabelState::Failed("Out of labels".to_owned()),
        LabelState::Ask("Look at the printer".to_owned()),
        LabelState::Sent(now()),
        LabelState::Printed(now()),
        LabelState::Printing,
    ];
    let entry = |(one, state): (Consignment, LabelState)| LabelEntry {
        consignment: one.id,
        number: one.consignment_number.clone(),
        to: one.to_name.clone().unwrap_or_default(),
        state,
    };
    consignments(8).into_iter().zip(states).map(entry).collect()
}

/// Stripes, a frame and a block: something with single dots to look at.
fn preview() -> Preview {
    let (width, height) = (840usize, 1_184usize);
    let stride = width.div_ceil(8);
    let mut dots = vec![0u8; stride * height];
    let mut black = |x: usize, y: usize| dots[y * stride + x / 8] |= 0x80 >> (x % 8);
    for y in 20..height - 20 {
        for x in 20..width - 20 {
            let frame = x < 26 || y < 26 || x > width - 27 || y > height - 27;
            let code = (500..700).contains(&y) && (100..740).contains(&x) && (x / 3 * 7919) % 5 < 2;
            let rule = (200..206).contains(&y) || (420..426).contains(&y);
            let diamond = (x.abs_diff(150) + y.abs_diff(950)).abs_diff(90) < 5;
            if frame || code || rule || diamond {
                black(x, y);
            }
        }
    }
    Preview {
        consignment: ConsignmentId::new(200_431),
        number: "MS200431".to_owned(),
        page: 1,
        pages: 4,
        size: LabelSize::A6,
        width: 840,
        height: 1_184,
        dots: Arc::from(dots),
        codes_read: 2,
        notes: vec!["Fitted to the head: 104 of 105 mm".to_owned()],
        checked: true,
    }
}

fn job(id: i64, number: &str, printer: &str, state: JobState, words: &str) -> PrintJob {
    PrintJob {
        id: JobId(id),
        consignment: ConsignmentId::new(200_430),
        number: number.to_owned(),
        printer: printer.to_owned(),
        title: String::new(),
        state,
        words: words.to_owned(),
        reason: String::new(),
        made: now(),
        changed: now(),
    }
}

/// A busy afternoon.
pub(super) fn shared() -> Shared {
    let mut shared = Shared::new(now(), Environment::Practice);
    shared.zone = "Australia/Sydney".to_owned();
    shared.place = "Sydney".to_owned();
    shared.bench = "Bench 4".to_owned();
    shared.staff = "Kiri".to_owned();
    shared.health.latency_ms = Some(84);
    let company = |id: i64, name: &str| {
        serde_json::from_value(json!({"id": id, "name": name})).expect("a company")
    };
    shared.companies = Remote::ready(vec![
        company(1, "Harbour Supplies"),
        company(2, "Harbour Rural"),
    ]);
    shared.company = Some(CompanyId::new(1));
    shared.locations = Remote::ready(locations());
    shared.routes = Remote::ready(routes());
    shared.unmanifested = Remote::ready(consignments(1_208));
    shared.unmanifested_at = Some(now());
    shared.groups = Remote::ready(vec![
        group(
            "Southern Cross",
            &[200_431, 200_427, 200_423],
            "2026-11-20T16:00:00",
            "2026-11-20T17:00:00",
            true,
        ),
        group(
            "Bluegum",
            &[200_430],
            "2026-11-20T13:30:00",
            "2026-11-20T16:30:00",
            false,
        ),
    ]);
    shared.bookings = vec![
        booking(2, "Kookaburra Air", 2),
        booking(1, "Tasman Freight", 1),
    ];
    shared.operations = vec![
        operation(
            2,
            OperationState::Unknown,
            "Kookaburra Air, 2 consignments",
            "",
            "The reply was lost. Checking 2 of 5",
        ),
        operation(1, OperationState::Done, "Tasman Freight", "TF-883120", ""),
    ];
    shared.locked.insert(ConsignmentId::new(200_428));
    shared.labels = labels();
    shared.label_states = shared
        .labels
        .iter()
        .map(|label| (label.consignment, label.state.clone()))
        .collect();
    shared.selected_label = Some(ConsignmentId::new(200_431));
    shared.preview = Remote::ready(preview());
    shared.printers = Remote::ready(vec![
        printer(
            "Zebra bench 4",
            "ZPL · 203 dpi · 832 dots",
            PrinterState::Ready,
            "",
            true,
            true,
        ),
        printer(
            "TSC dock",
            "ZPL · 203 dpi",
            PrinterState::Stopped,
            "out of labels",
            false,
            true,
        ),
        printer(
            "Office laser",
            "PDF · A4",
            PrinterState::Ready,
            "",
            false,
            false,
        ),
    ]);
    shared.jobs = vec![
        job(4, "MS200430", "Zebra bench 4", JobState::Sent, ""),
        job(
            3,
            "MS200426",
            "TSC dock",
            JobState::Failed,
            "The printer has stopped: out of labels",
        ),
        job(
            2,
            "MS200419",
            "Zebra bench 4",
            JobState::Ask,
            "The connection broke while it was sent",
        ),
        job(1, "MS200411", "Zebra bench 4", JobState::Printed, ""),
    ];
    shared.drafts = vec![draft(), draft()];
    shared
}

/// With what can go wrong around the screens.
pub(super) fn troubled() -> Shared {
    let mut shared = shared();
    shared.environment = Environment::Live;
    shared.health.away_since = Some(now());
    shared.not_found = Some("SO-99999".to_owned());
    let mut notice = Notice::new(
        Tone::Warning,
        "The service cannot be reached",
        "Check the network; what you type is kept",
    );
    notice.detail = "connect: connection refused".to_owned();
    shared.notices = vec![(NoticeId(1), notice)];
    shared
}

/// A bench on its first morning.
pub(super) fn blank() -> Shared {
    let mut shared = Shared::new(now(), Environment::Test);
    shared.zone = "Australia/Sydney".to_owned();
    shared.place = "Sydney".to_owned();
    shared.unmanifested = Remote::ready(Vec::new());
    shared.printers = Remote::ready(Vec::new());
    shared
}
