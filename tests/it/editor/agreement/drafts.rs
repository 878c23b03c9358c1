//! Drafts of every mode, valid or with an error. A draft is made from a list of choices, so that a failure
//! shrinks to a few of them.

use draft::{
    AddressMode, CustomValueLine, DgLine, Draft, GoodsLine, ItemSource, Party, PickedLocation,
    ReceiverAccountKind, Routing,
};
use proptest::prelude::*;
use shipping::{CompanyLocationId, DgClass, PackingGroup, Question};

use crate::editor::rules::{chosen_carrier, good, reels, saved_item, set, spirits};

/// The choices.
#[derive(Debug, Clone)]
pub(super) struct Plan {
    sides: (usize, usize),
    lines: Vec<(usize, usize, usize)>,
    routing: usize,
    options: Vec<usize>,
    odd: Vec<(usize, usize)>,
    /// The bench asked for lookups and carriers.
    pub(super) told: bool,
}

pub(super) fn plans() -> impl Strategy<Value = Plan> {
    let side = || prop_oneof![8 => 0_usize..4, 3 => 4_usize..6, 2 => 6_usize..12];
    let line = (
        prop_oneof![8 => 0_usize..2, 3 => 2_usize..9],
        prop_oneof![9 => Just(0_usize), 4 => 1_usize..16],
        prop_oneof![9 => Just(0_usize), 2 => 1_usize..4],
    );
    let odd = prop_oneof![
        7 => Just(Vec::new()),
        4 => prop::collection::vec((0..FIELDS, 0..TEXTS.len()), 1..2),
        1 => prop::collection::vec((0..FIELDS, 0..TEXTS.len()), 2..4),
    ];
    (
        (side(), side()),
        prop::collection::vec(line, 1..3),
        prop_oneof![14 => Just(0_usize), 4 => 1_usize..7],
        prop_oneof![3 => Just(Vec::new()), 2 => prop::collection::vec(0_usize..10, 1..3)],
        odd,
        prop::bool::weighted(0.8),
    )
        .prop_map(|(sides, lines, routing, options, odd, told)| Plan {
            sides,
            lines,
            routing,
            options,
            odd,
            told,
        })
}

impl Plan {
    pub(super) fn draft(&self) -> Draft {
        let mut draft = good();
        let address = draft.to.clone();
        draft.from = side(&address, self.sides.0, 7001, "HSYD");
        draft.to = side(&address, self.sides.1, 7002, "BALFG");
        draft.goods = self
            .lines
            .iter()
            .enumerate()
            .map(|(at, line)| goods_line(&draft.goods[0], at, *line))
            .collect();
        if draft.is_international() {
            for line in &mut draft.goods {
                line.contents.push(reels());
            }
        }
        draft.routing = routing(self.routing);
        for option in &self.options {
            choose(&mut draft, *option);
        }
        for (field, text) in &self.odd {
            if let Some(field) = odd_field(&mut draft, *field) {
                set(field, TEXTS[*text]);
            }
        }
        draft.declare(true);
        draft
    }
}

fn side(address: &Party, kind: usize, id: i64, abbreviation: &str) -> Party {
    let abroad = |country: &str, place: &str, city: &str| Party {
        country: country.to_owned(),
        place: place.to_owned(),
        city: city.to_owned(),
        ..address.clone()
    };
    let saved = |id: i64| Party {
        mode: AddressMode::Saved,
        saved: Some(PickedLocation {
            id: CompanyLocationId::new(id),
            name: String::new(),
            abbreviation: String::new(),
            street: String::new(),
            place: String::new(),
            contact: String::new(),
            time_zone: "Australia/Sydney".to_owned(),
            country: "Australia".to_owned(),
            company: None,
        }),
        ..Party::default()
    };
    let abbreviated = |text: &str| Party {
        mode: AddressMode::Saved,
        abbreviation: text.to_owned(),
        ..Party::default()
    };
    match kind {
        0 | 1 => address.clone(),
        2 => saved(id),
        3 => abbreviated(abbreviation),
        4 => abroad("NZ", "Hamilton Central 3204", "Hamilton"),
        5 => abroad("Fiji", "", "Suva"),
        6 => abroad("Germany", "Berlin 1011", "Berlin"),
        7 => abroad("Bhutan", "", "Thimphu"),
        8 => abroad("", "Nowhere 9999", ""),
        9 => saved(9999),
        10 => abbreviated("NOWHERE"),
        _ => abbreviated(""),
    }
}

fn goods_line(direct: &GoodsLine, at: usize, plan: (usize, usize, usize)) -> GoodsLine {
    let (kind, dangerous, references) = plan;
    let text = str::to_owned;
    let mut line = match kind {
        0 => direct.clone(),
        1 => GoodsLine {
            item_type: text("Pallet"),
            spaces: text("3"),
            quantity: text("1"),
            ..direct.clone()
        },
        2 => saved_item("HR-20"),
        3 => saved_item("NO-SUCH"),
        4 => GoodsLine {
            source: ItemSource::Id,
            item_id: text("8004"),
            weight: text("12,5"),
            ..saved_item("")
        },
        5 => GoodsLine {
            source: ItemSource::Id,
            item_id: text("1"),
            ..saved_item("")
        },
        6 => GoodsLine {
            saved_dangerous: Some(true),
            ..saved_item("MS-12")
        },
        7 => saved_item("MS-12"),
        _ => GoodsLine {
            sku: text("HR-20"),
            ..direct.clone()
        },
    };
    line.dangerous.extend(dangerous_good(dangerous));
    line.references = match references {
        1 => format!("SCX{at}0001 SCX{at}0002"),
        2 => text("SCX90001 SCX90001"),
        3 => text("scx-1 SCX90002"),
        _ => String::new(),
    };
    line
}

fn dangerous_good(kind: usize) -> Option<DgLine> {
    let mut good = spirits();
    let stored = |id: &str, amount: &str| DgLine {
        stored: id.to_owned(),
        amount: amount.to_owned(),
        ..DgLine::default()
    };
    match kind {
        0 => return None,
        1 | 2 => {}
        3 => {
            set(&mut good.un_number, "1090");
            good.hazchem.clear();
        }
        4 => good.hazchem.clear(),
        5 => set(&mut good.un_number, "1993"),
        6 => {
            set(&mut good.un_number, "1993");
            set(&mut good.technical_name, "heptane");
        }
        7 => {
            set(&mut good.un_number, "2031");
            good.class = None;
            good.sub_classes = vec![DgClass::Oxidizing];
        }
        8 => good.class = Some(DgClass::Corrosive),
        9 => good.packing_group = Some(PackingGroup::I),
        10 => good.container = None,
        11 => good.flash_point.clear(),
        12 => {
            set(&mut good.un_number, "3599");
            good.class = None;
        }
        13 => good = stored("9001", ""),
        14 => good = stored("9001", "2.5"),
        _ => good = stored("1", ""),
    }
    Some(good)
}

fn routing(kind: usize) -> Routing {
    match kind {
        0 => Routing::Cheapest,
        1 => Routing::Fastest,
        2 => Routing::Unchosen,
        3 => chosen_carrier(11, None),
        4 => chosen_carrier(13, None),
        5 => chosen_carrier(13, Some(3103)),
        _ => chosen_carrier(13, Some(3101)),
    }
}

fn choose(draft: &mut Draft, option: usize) {
    let mut custom = |name: &str, value: &str| {
        draft.custom_values.push(CustomValueLine {
            name: name.to_owned(),
            value: value.to_owned(),
        });
    };
    match option {
        0 => custom("palletSpaces", "2"),
        1 => custom("AreDutiesPaidByRecipient", "false"),
        2 => custom("AreDutiesPaidByRecipient", "perhaps"),
        3 => draft.duties_by_recipient = true,
        4 => set(&mut draft.despatch, "2026-11-23 10:00"),
        5 => set(&mut draft.receiver_account, "BFG-77"),
        6 => {
            draft.receiver_account_by = ReceiverAccountKind::Id;
            set(&mut draft.receiver_account, "77");
        }
        7 => set(&mut draft.carrier_number, "MYID-1"),
        8 => draft
            .goods
            .iter_mut()
            .for_each(|line| line.contents.clear()),
        _ => {
            draft.questions.insert(Question::Tailgate);
        }
    }
}

/// What may stand in any field.
const TEXTS: &[&str] = &[
    "",
    " ",
    "0",
    "1",
    "-1",
    "1.5",
    "1,5",
    "1,000",
    "1e3",
    "1000001",
    "99999999999999999999",
    "12:00",
    "2026-11-19 10:00",
    "2027-10-03 02:30",
    "2027-12-01 09:00",
    "true",
    "perhaps",
    "a\nb",
    "a\u{202e}b",
    "😀",
    "name@host.example",
    "a@b..c",
    "03 5550 0199",
    "12345",
    "Ballarat Central VIC 3350",
    "Fiji",
    "NZ",
    "ZZZ",
    "8424.90",
    "Gift",
    "2YE",
    "9Z",
    "HR-20",
    "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
];

const FIELDS: usize = 41;

fn odd_field(draft: &mut Draft, number: usize) -> Option<&mut String> {
    Some(match number {
        0 => &mut draft.from.name,
        1 => &mut draft.to.name,
        2 => &mut draft.to.contact,
        3 => &mut draft.to.phone,
        4 => &mut draft.from.phone,
        5 => &mut draft.to.email,
        6 => &mut draft.from.email,
        7 => &mut draft.to.line1,
        8 => &mut draft.to.line2,
        9 => &mut draft.to.place,
        10 => &mut draft.from.place,
        11 => &mut draft.to.city,
        12 => &mut draft.to.country,
        13 => &mut draft.from.abbreviation,
        14 => &mut draft.reference1,
        15 => &mut draft.instructions,
        16 => &mut draft.despatch,
        17 => &mut draft.receiver_account,
        18 => &mut draft.staff,
        19 => &mut draft.printer_token,
        20 => &mut draft.carrier_number,
        21..=28 => odd_in_line(&mut draft.goods[0], number),
        29..=35 => odd_in_good(draft.goods[0].dangerous.first_mut()?, number),
        36 => &mut draft.goods[0].contents.first_mut()?.description,
        37 => &mut draft.goods[0].contents.first_mut()?.quantity,
        38 => &mut draft.goods[0].contents.first_mut()?.purpose,
        39 => &mut draft.goods[0].contents.first_mut()?.value,
        _ => &mut draft.custom_values.first_mut()?.value,
    })
}

fn odd_in_line(line: &mut GoodsLine, number: usize) -> &mut String {
    match number {
        21 => &mut line.item_type,
        22 => &mut line.name,
        23 => &mut line.sku,
        24 => &mut line.quantity,
        25 => &mut line.weight,
        26 => &mut line.length,
        27 => &mut line.spaces,
        _ => &mut line.item_id,
    }
}

fn odd_in_good(good: &mut DgLine, number: usize) -> &mut String {
    match number {
        29 => &mut good.un_number,
        30 => &mut good.containers,
        31 => &mut good.amount,
        32 => &mut good.flash_point,
        33 => &mut good.hazchem,
        34 => &mut good.technical_name,
        _ => &mut good.stored,
    }
}
