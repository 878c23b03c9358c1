//! The dangerous goods document, compared with the entries of the dangerous goods list of the ADG Code (edition 7.9, part
//! 3, chapter 3.2) for 50 UN numbers of all classes. The table here was written from the Code: for each number its proper
//! shipping name, class or division with the compatibility group, subsidiary hazards, packing group, and whether special
//! provision 274 asks for a technical name.

use engine::{ConsignmentDocument, DocumentTexts, consignment_document_pdf};
use printing::document::DocumentPaper;
use serde_json::json;
use shipping::Consignment;

use crate::support::readers::{PrintedWord, pdf_words};

/// UN number, proper shipping name, class, subsidiary hazards, packing group, and whether the Code asks for a technical
/// name.
type Entry = (
    u16,
    &'static str,
    &'static str,
    &'static [&'static str],
    &'static str,
    bool,
);

#[rustfmt::skip]
const CODE: [Entry; 50] = [
    (12, "CARTRIDGES FOR WEAPONS, INERT PROJECTILE", "1.4S", &[], "", false),
    (27, "BLACK POWDER, granular or as a meal", "1.1D", &[], "", false),
    (336, "FIREWORKS", "1.4G", &[], "", false),
    (404, "FLARES, AERIAL", "1.4S", &[], "", false),
    (1001, "ACETYLENE, DISSOLVED", "2.1", &[], "", false),
    (1005, "AMMONIA, ANHYDROUS", "2.3", &["8"], "", false),
    (1017, "CHLORINE", "2.3", &["5.1", "8"], "", false),
    (1049, "HYDROGEN, COMPRESSED", "2.1", &[], "", false),
    (1066, "NITROGEN, COMPRESSED", "2.2", &[], "", false),
    (1072, "OXYGEN, COMPRESSED", "2.2", &["5.1"], "", false),
    (1075, "PETROLEUM GASES, LIQUEFIED", "2.1", &[], "", false),
    (1950, "AEROSOLS", "2.1", &[], "", false),
    (1956, "COMPRESSED GAS, N.O.S.", "2.2", &[], "", true),
    (1090, "ACETONE", "3", &[], "II", false),
    (1133, "ADHESIVES containing flammable liquid", "3", &[], "III", false),
    (1170, "ETHANOL SOLUTION", "3", &[], "II", false),
    (1202, "DIESEL FUEL", "3", &[], "III", false),
    (1203, "PETROL", "3", &[], "II", false),
    (1219, "ISOPROPANOL", "3", &[], "II", false),
    (1230, "METHANOL", "3", &["6.1"], "II", false),
    (1263, "PAINT", "3", &[], "II", false),
    (1993, "FLAMMABLE LIQUID, N.O.S.", "3", &[], "II", true),
    (1992, "FLAMMABLE LIQUID, TOXIC, N.O.S.", "3", &["6.1"], "III", true),
    (1325, "FLAMMABLE SOLID, ORGANIC, N.O.S.", "4.1", &[], "II", true),
    (1944, "MATCHES, SAFETY", "4.1", &[], "III", false),
    (1361, "CARBON", "4.2", &[], "II", false),
    (1369, "p-NITROSODIMETHYLANILINE", "4.2", &[], "II", false),
    (1402, "CALCIUM CARBIDE", "4.3", &[], "I", false),
    (1428, "SODIUM", "4.3", &[], "I", false),
    (1495, "SODIUM CHLORATE", "5.1", &[], "II", false),
    (2014, "HYDROGEN PEROXIDE, AQUEOUS SOLUTION", "5.1", &["8"], "II", false),
    (1942, "AMMONIUM NITRATE", "5.1", &[], "III", false),
    (3105, "ORGANIC PEROXIDE TYPE D, LIQUID", "5.2", &[], "", true),
    (3109, "ORGANIC PEROXIDE TYPE F, LIQUID", "5.2", &[], "", true),
    (1547, "ANILINE", "6.1", &[], "II", false),
    (1593, "DICHLOROMETHANE", "6.1", &[], "III", false),
    (1689, "SODIUM CYANIDE, SOLID", "6.1", &[], "I", false),
    (2810, "TOXIC LIQUID, ORGANIC, N.O.S.", "6.1", &[], "III", true),
    (2814, "INFECTIOUS SUBSTANCE, AFFECTING HUMANS", "6.2", &[], "", true),
    (3373, "BIOLOGICAL SUBSTANCE, CATEGORY B", "6.2", &[], "", false),
    (2915, "RADIOACTIVE MATERIAL, TYPE A PACKAGE", "7", &[], "", false),
    (1789, "HYDROCHLORIC ACID", "8", &[], "II", false),
    (1824, "SODIUM HYDROXIDE SOLUTION", "8", &[], "III", false),
    (1830, "SULPHURIC ACID with more than 51% acid", "8", &[], "II", false),
    (2031, "NITRIC ACID, other than red fuming, with more than 70% nitric acid", "8", &["5.1"], "I", false),
    (2794, "BATTERIES, WET, FILLED WITH ACID, electric storage", "8", &[], "", false),
    (2922, "CORROSIVE LIQUID, TOXIC, N.O.S.", "8", &["6.1"], "II", true),
    (3077, "ENVIRONMENTALLY HAZARDOUS SUBSTANCE, SOLID, N.O.S.", "9", &[], "III", true),
    (3082, "ENVIRONMENTALLY HAZARDOUS SUBSTANCE, LIQUID, N.O.S.", "9", &[], "III", true),
    (3480, "LITHIUM ION BATTERIES", "9", &[], "", false),
];

/// Returns the interface's number of a class: "Dangerous goods", "Class enum".
fn class_number(class: &str) -> usize {
    const CLASSES: [&str; 14] = [
        "2.1", "2.2", "2.3", "3", "4.1", "4.2", "4.3", "5.1", "5.2", "6.1", "6.2", "7", "8", "9",
    ];
    const EXPLOSIVES: [(&str, usize); 3] = [("1.1D", 19), ("1.4G", 46), ("1.4S", 47)];
    let place = CLASSES.iter().position(|known| *known == class);
    place.map_or_else(
        || {
            { EXPLOSIVES.iter().find(|(known, _)| *known == class) }
                .expect("a class")
                .1
        },
        |place| place + 2,
    )
}

fn consignment() -> Consignment {
    let goods = CODE.iter().map(|(number, name, class, subsidiary, group, technical)| {
        let group = match *group {
            "I" => json!(1),
            "II" => json!(2),
            "III" => json!(3),
            _ => json!(4),
        };
        let technical: &[&str] = if *technical { &["contains xylene"] } else { &[] };
        json!({
            "unNumber": number, "properShippingName": name, "packingGroup": group,
            "dgClassType": class_number(class),
            "subDgClassTypes": subsidiary.iter().map(|class| class_number(class)).collect::<Vec<_>>(),
            "TechnicalOrChemicalGroupNames": technical,
            "aggregateQuantity": 24, "isAggregateQuantityWeight": *class != "3",
            "isMarinePollutant": false, "isTemperatureControlled": false, "isEmptyDgContainer": false,
            "flashpoint": if *class == "3" { json!(13) } else { json!(null) },
        })
    });
    let record = json!({
        "id": 200_431, "consignmentNumber": "MS200431", "fromName": "Harbour Supplies",
        "fromPhone": "02 5550 0100", "toName": "Bay Works", "dgsDeclaration": true,
        "items": [{
            "itemType": "Carton", "quantity": 2, "name": "Samples",
            "consignmentItemDgItems": goods.collect::<Vec<_>>(),
        }],
    });
    serde_json::from_str(&record.to_string()).expect("a consignment")
}

/// Returns the text of a column in the rows between two heights.
fn cell(words: &[PrintedWord], (left, right): (f32, f32), (top, bottom): (f32, f32)) -> String {
    let inside = words.iter().filter(|word| {
        word.left >= left - 1.0
            && word.left < right - 1.0
            && word.top >= top - 1.0
            && word.top < bottom - 1.0
    });
    inside
        .map(|word| word.text.as_str())
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn fifty_un_numbers_are_declared_as_the_code_lists_them() {
    let texts = DocumentTexts {
        emergency_phone: "1800 555 000".to_owned(),
        ..DocumentTexts::default()
    };
    let kind = ConsignmentDocument::DangerousGoods;
    let drawn = consignment_document_pdf(kind, &consignment(), None, &texts, DocumentPaper::A4);
    let drawn = drawn.expect("a document");
    assert_eq!(drawn.message, None);
    let pages = pdf_words(&drawn.pdf);
    assert!(pages.len() > 1, "50 entries run over pages");
    let mut found = Vec::new();
    for words in &pages {
        let head = |text: &str| words.iter().find(|word| word.text == text);
        // The column headings are on every page with rows.
        let Some(un) = head("UN") else { continue };
        let edges = ["Proper", "Class", "PG", "Packages"].map(|text| head(text).expect(text).left);
        assert!(
            un.left < edges[0] && edges.is_sorted(),
            "in the order of the Code: {edges:?}"
        );
        let starts: Vec<_> = words
            .iter()
            .filter(|word| word.text.starts_with("UN") && word.text.len() == 6)
            .collect();
        let end = words
            .iter()
            .filter(|word| word.text == "Page" || word.text == "hereby");
        let end = end.map(|word| word.top).fold(f32::MAX, f32::min);
        for (at, start) in starts.iter().enumerate() {
            let bottom = starts.get(at + 1).map_or(end, |next| next.top);
            let rows = (start.top, bottom);
            found.push((
                start.text.clone(),
                cell(words, (edges[0], edges[1]), rows),
                cell(words, (edges[1], edges[2]), rows),
                cell(words, (edges[2], edges[3]), rows),
            ));
        }
    }
    let listed = CODE.map(|(number, name, class, subsidiary, group, technical)| {
        let name = if technical {
            format!("{name} (contains xylene)")
        } else {
            name.to_owned()
        };
        let class = if subsidiary.is_empty() {
            class.to_owned()
        } else {
            format!("{class} ({})", subsidiary.join(", "))
        };
        (format!("UN{number:04}"), name, class, group.to_owned())
    });
    assert_eq!(found.len(), CODE.len());
    for (found, listed) in found.iter().zip(&listed) {
        assert_eq!(found, listed);
    }
    let words = pages.iter().flatten().map(|word| word.text.as_str());
    let text = words.collect::<Vec<_>>().join(" ");
    for wanted in [
        "Harbour Supplies",
        "02 5550 0100",
        "Bay Works",
        "1800 555 000",
        "24 L",
        "24 kg",
        "13 °C",
    ] {
        assert!(text.contains(wanted), "{wanted}");
    }
}

#[test]
fn what_must_be_written_by_hand_is_told() {
    let mut of = consignment();
    let goods = &mut of.items_mut()[0].consignment_item_dg_items;
    goods.truncate(2);
    goods[0].proper_shipping_name = None;
    goods[1].is_aggregate_quantity_weight = None;
    goods[1].dg_class_type = None;
    let kind = ConsignmentDocument::DangerousGoods;
    let texts = DocumentTexts::default();
    let drawn = consignment_document_pdf(kind, &of, None, &texts, DocumentPaper::A4);
    assert_eq!(
        drawn.expect("a document").message.as_deref(),
        Some(
            "Write by hand what is missing: UN0012 without proper shipping name; UN0027 without class, unit of the quantity"
        )
    );
}
