//! Printer profiles: stored and suggested.

use std::num::NonZeroU8;

use printing::page::Scale;
use printing::profile::{
    Destination, Language, Media, PrinterProfile, contradicting_suggestion, suggest,
};
use printing::queue::{QueueInfo, QueueState};
use printing::service::ServerAddress;

/// A label printer with a head of so many dots.
pub(super) fn zebra(head_width_dots: u32) -> PrinterProfile {
    PrinterProfile {
        name: "Bench 1".into(),
        destination: Destination::Queue("Zebra".into()),
        language: Language::Zpl,
        dots_per_mm: Scale::DOTS_8,
        head_width_dots: Some(head_width_dots),
        media: Media::A6,
        copies: NonZeroU8::MIN,
        ..PrinterProfile::default()
    }
}

fn queue() -> QueueInfo {
    QueueInfo {
        name: "P1".into(),
        state: QueueState::Ready,
        ..QueueInfo::default()
    }
}

/// A queue that tells its device id.
fn with_id(device_id: &str) -> QueueInfo {
    QueueInfo {
        device_id: device_id.into(),
        ..queue()
    }
}

/// A queue that tells make and model only.
fn with_make(make_and_model: &str) -> QueueInfo {
    QueueInfo {
        make_and_model: make_and_model.into(),
        ..queue()
    }
}

#[test]
fn a_profile_survives_being_stored() {
    let mut profile = zebra(832);
    for destination in [
        Destination::Queue("Zebra".into()),
        Destination::Socket {
            host: "10.1.2.3".into(),
            port: 9100,
        },
        Destination::File("/tmp/labels".into()),
    ] {
        profile.destination = destination;
        let json = serde_json::to_string(&profile).unwrap();
        assert_eq!(
            serde_json::from_str::<PrinterProfile>(&json).unwrap(),
            profile,
            "{json}"
        );
    }
}

#[test]
fn what_a_stored_profile_leaves_out_has_its_usual_value() {
    let json = r#"{ "name": "P", "destination": { "socket": { "host": "10.1.2.3" } }, "language": "zpl",
                    "dots_per_mm": 8.0, "media": "a6" }"#;
    let profile: PrinterProfile = serde_json::from_str(json).unwrap();
    assert_eq!(
        profile.destination,
        Destination::Socket {
            host: "10.1.2.3".into(),
            port: 9100
        }
    );
    assert_eq!((profile.copies.get(), profile.head_width_dots), (1, None));
}

#[test]
fn a_profile_with_an_impossible_head_is_refused() {
    let json = serde_json::to_string(&zebra(832)).unwrap();
    for dots in ["0.0", "-8.0", "1e9"] {
        let bad = json.replace("\"dots_per_mm\":8.0", &format!("\"dots_per_mm\":{dots}"));
        assert_ne!(bad, json);
        assert!(
            serde_json::from_str::<PrinterProfile>(&bad).is_err(),
            "{dots}"
        );
    }
}

#[test]
fn addresses_are_read_as_people_type_them() {
    for (typed, host, port) in [
        (" 10.1.2.3 ", "10.1.2.3", 9100),
        ("zebra.local:6101", "zebra.local", 6101),
        ("[fe80::1]:9100", "fe80::1", 9100),
    ] {
        let host = host.into();
        let socket = Destination::Socket { host, port };
        assert_eq!(Destination::socket(typed), Some(socket), "{typed}");
    }
    for bad in [
        "",
        ":9100",
        "host:",
        "host:0",
        "host:70000",
        "two words",
        "socket://host",
    ] {
        assert_eq!(Destination::socket(bad), None, "{bad}");
    }
}

#[test]
fn an_ipv6_host_may_stand_without_brackets_and_is_shown_with_them() {
    for (text, port) in [
        ("fe80::1", 631),
        ("[fe80::1]", 631),
        ("[fe80::1]:8631", 8631),
    ] {
        let host = "fe80::1".to_owned();
        let address = ServerAddress::Network { host, port };
        assert_eq!(address.for_cups(), format!("[fe80::1]:{port}"));
        assert_eq!(ServerAddress::parse(text), Some(address), "{text}");
    }
    let printer = Destination::socket("fe80::1").unwrap();
    assert_eq!(printer.label(), "[fe80::1]:9100");
    assert_eq!(Destination::socket(&printer.label()), Some(printer));
}

#[test]
fn a_printer_that_says_zpl_is_given_zpl() {
    let told = with_id("MFG:Zebra;CMD:ZPL,EPL;MDL:ZD421;");
    assert_eq!(suggest(&told).profile.language, Language::Zpl);
    let laser = with_id("MFG:HP;COMMAND SET:PCL,PDF;");
    assert_eq!(suggest(&laser).profile.language, Language::Pdf);
}

#[test]
fn address_and_make_speak_where_the_printer_does_not() {
    let by_address = QueueInfo {
        device_uri: "usb://Zebra%20Technologies/ZTC%20GK420d".into(),
        ..queue()
    };
    assert_eq!(suggest(&by_address).profile.language, Language::Zpl);
    let by_make = with_make("Zebra ZPL Label Printer 300dpi");
    let by_make = suggest(&by_make).profile;
    assert_eq!(
        (by_make.language, by_make.dots_per_mm),
        (Language::Zpl, Scale::DOTS_12)
    );
    let office = with_make("HP LaserJet 4000 PS");
    let office = suggest(&office);
    assert_eq!(
        (office.profile.language, office.profile.media),
        (Language::Pdf, Media::A4)
    );
    assert!(!office.because.is_empty());
}

/// What the queue tells, and what is to be suggested: the language, whether it is a label printer, and a word of the why.
#[test]
fn what_a_printer_tells_of_itself_decides_what_is_suggested() {
    for (device_id, uri, make, language, label, why) in TOLD.iter().copied() {
        let told = QueueInfo {
            device_id: device_id.into(),
            device_uri: uri.into(),
            make_and_model: make.into(),
            ..queue()
        };
        let suggestion = suggest(&told);
        let what = format!("{device_id}{uri}{make}");
        assert_eq!(suggestion.profile.language, language, "{what}");
        assert_eq!(suggestion.is_label_printer, label, "{what}");
        assert!(
            suggestion.because.contains(why),
            "{what}: {}",
            suggestion.because
        );
    }
}

/// A language without these is offered, but suggested to nobody.
#[test]
fn every_language_of_label_printers_is_suggested_by_its_name_and_by_a_make() {
    for language in Language::ALL.into_iter().filter(|one| one.is_raw()) {
        let named = with_id(&format!("CMD:{};", language.name()));
        assert_eq!(suggest(&named).profile.language, language);
        let by_make = |(device_id, _, _, suggested, ..): &&Told| {
            device_id.is_empty() && *suggested == language
        };
        assert!(
            TOLD.iter().any(|told| by_make(&told)),
            "no make of {language:?}"
        );
    }
}

#[test]
fn only_the_printers_own_word_is_held_against_a_profile() {
    let told = with_id("MFG:TSC;CMD:TSPL2;");
    let zpl = zebra(832);
    let other = contradicting_suggestion(&zpl, &told).expect("it says otherwise");
    assert_eq!(other.profile.language, Language::Tspl);
    let tspl = PrinterProfile {
        language: Language::Tspl,
        ..zebra(832)
    };
    assert_eq!(contradicting_suggestion(&tspl, &told), None);
    let both = with_id("CMD:ZPL,TSPL;");
    assert_eq!(
        contradicting_suggestion(&tspl, &both),
        None,
        "one of several is right"
    );
    let looks_like = with_make("Xprinter XP-420B");
    assert_eq!(
        contradicting_suggestion(&zpl, &looks_like),
        None,
        "a name is a guess"
    );
}

/// Device id, address and make; then the language, whether labels are for it, and a word of the why.
type Told = (
    &'static str,
    &'static str,
    &'static str,
    Language,
    bool,
    &'static str,
);

const TOLD: &[Told] = &[
    (
        "MFG:Zebra;CMD:ZPL,EPL;",
        "",
        "",
        Language::Zpl,
        true,
        "understands ZPL, EPL",
    ),
    ("MFG:TSC;CMD:TSPL2;", "", "", Language::Tspl, true, "TSPL2"),
    ("MFG:Eltron;CMD:EPL2;", "", "", Language::Epl, true, "EPL2"),
    (
        "MFG:HP;CMD:PCL,POSTSCRIPT;",
        "",
        "",
        Language::Pdf,
        false,
        "driver prints PDF",
    ),
    (
        "",
        "usb://Zebra%20Technologies/ZTC%20GK420d",
        "",
        Language::Zpl,
        true,
        "Zebra",
    ),
    ("", "usb://TSC/TTP-244", "", Language::Tspl, true, "TSC"),
    (
        "",
        "",
        "Zebra EPL2 Label Printer",
        Language::Epl,
        true,
        "EPL",
    ),
    ("", "", "Xprinter XP-420B", Language::Tspl, true, "TSPL"),
    (
        "",
        "",
        "DYMO LabelWriter 4XL",
        Language::PageImage,
        true,
        "Dymo",
    ),
    (
        "",
        "usb://Brother/QL-1110NWB",
        "Brother QL-1110NWB",
        Language::PageImage,
        true,
        "Brother",
    ),
    (
        "",
        "",
        "SATO CL4NX Plus",
        Language::PageImage,
        true,
        "does not speak",
    ),
    (
        "",
        "",
        "Godex G500",
        Language::PageImage,
        true,
        "emulate ZPL",
    ),
    (
        "",
        "ipp://10.0.0.9/ipp/print",
        "HP LaserJet 4000",
        Language::Pdf,
        false,
        "draws PDF",
    ),
];
