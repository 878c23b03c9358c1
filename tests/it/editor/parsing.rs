//! Texts as clerks type and paste them: numbers, phone numbers, references, places, countries, addresses and connections;
//! and the names that the service uses for fields.

use draft::ConnectionField::{Address, Kind, Name, Token};
use draft::number::{MOST, NumberError, read_count, read_id, read_positive, read_whole};
use draft::text::{is_email, phone_problem, text_problem};
use draft::{
    AddressMode, ConnectionContext, ConnectionDraft, ContentsField, ContentsLine, DgField, DgLine,
    Draft, Field, GoodsLine, ItemSource, Party, SavedItem, Secret, ServiceKind, container_rule,
    countries, parse_place, problems_from_errors, reference_list, split_address,
};
use rust_decimal::Decimal;
use secrecy::ExposeSecret as _;
use shipping::{ContainerType, ServiceError};

#[test]
fn a_point_and_a_comma_begin_a_fraction_and_three_digits_after_a_comma_are_asked_about() {
    for (text, value) in [
        ("1.5", Ok(Decimal::new(15, 1))),
        (" 1,5 ", Ok(Decimal::new(15, 1))),
        ("0,125", Ok(Decimal::new(125, 3))),
        ("1.000", Ok(Decimal::ONE)),
        (".5", Ok(Decimal::new(5, 1))),
        ("5.", Ok(Decimal::from(5))),
        ("+5", Ok(Decimal::from(5))),
        ("1,000", Err(NumberError::AmbiguousComma)),
        ("1.2,3", Err(NumberError::Unreadable)),
        ("1_000", Err(NumberError::Unreadable)),
        ("１", Err(NumberError::Unreadable)),
        ("1e3", Err(NumberError::Unreadable)),
        ("0.0000001", Err(NumberError::TooManyDecimals)),
        ("-", Err(NumberError::Unreadable)),
        ("0", Err(NumberError::Zero)),
        ("-1", Err(NumberError::Negative)),
        ("1000000", Ok(Decimal::from(MOST))),
        ("1000001", Err(NumberError::TooLarge(MOST))),
        (
            "999999999999999999999999999999",
            Err(NumberError::TooLarge(MOST)),
        ),
        ("", Err(NumberError::Empty)),
    ] {
        assert_eq!(read_positive(text), value, "{text:?}");
    }
}

#[test]
fn a_count_is_whole_and_has_its_own_most() {
    assert_eq!(read_count("12", 1000), Ok(12));
    assert_eq!(read_count("12.0", 1000), Ok(12));
    assert_eq!(read_count("1.5", 1000), Err(NumberError::Fraction));
    assert_eq!(read_count("0", 1000), Err(NumberError::Zero));
    assert_eq!(read_count("1001", 1000), Err(NumberError::TooLarge(1000)));
    assert_eq!(read_whole("0", 5), Ok(0));
    assert_eq!(NumberError::TooLarge(1000).message(), "At most 1,000");
    assert_eq!(read_id("9001"), Ok(9001));
    assert_eq!(read_id("-1"), Err(NumberError::Unreadable));
}

#[test]
fn a_text_on_one_line_with_nothing_hidden_can_be_sent() {
    for text in ["Ballarat Farm & Garden", " Zürich 🚚 ", "مخزن", "👨‍👩‍👧"] {
        assert_eq!(text_problem(text, 40), None, "{text:?}");
    }
}

#[test]
fn line_breaks_hidden_characters_and_pages_are_told_of() {
    for (text, piece) in [
        ("a\nb", "line break"),
        ("a\u{2028}b", "line break"),
        ("a\tb", "tab"),
        ("a\u{7}b", "can't be printed"),
        ("é\u{9f}b", "can't be printed"),
        ("a\u{202e}b", "reverse text"),
        ("a\u{200b}b", "hidden"),
        (
            "12345678901234567890123456789012345678901",
            "At most 40 characters: this text has 41",
        ),
    ] {
        let words = text_problem(text, 40).unwrap_or_default();
        assert!(words.contains(piece), "{text:?}: {words}");
    }
    let trimmed = text_problem("trailing line break\n", 40);
    assert_eq!(trimmed, None);
}

#[test]
fn a_phone_number_is_digits_with_what_people_put_between_them() {
    for text in "03 5550 0199|+61 (2) 5550-0114|02 5550 0114 ext 12|555019".split('|') {
        assert_eq!(phone_problem(text, false), None, "{text}");
    }
    for text in "12345|ask Joe|03 5550 0199 😀|1234567890123456789012".split('|') {
        assert!(phone_problem(text, false).is_some(), "{text}");
    }
    assert_eq!(phone_problem("555 0199", true), None);
    assert!(phone_problem("555 019", true).is_some(), "six are too few");
}

#[test]
fn an_e_mail_address_has_a_name_and_a_host_with_a_dot() {
    for text in ["stores@bfg.example", "o'neil+dock@a-b.co.example"] {
        assert!(is_email(text), "{text}");
    }
    for text in "stores|@b.c|a@b|a@b..c|a@.c|a b@c.d|a@b.c, d@e.f|j😀@b.c|a@b@c.d".split('|') {
        assert!(!is_email(text), "{text}");
    }
}

#[test]
fn references_are_set_apart_by_blanks_lines_commas_and_semicolons() {
    let pasted = " SCX0001\r\nSCX0002,SCX0003;\tSCX0004\n\n";
    let list = ["SCX0001", "SCX0002", "SCX0003", "SCX0004"];
    assert!(reference_list(pasted).eq(list));
    assert_eq!(reference_list(" ,; \n").count(), 0);
    assert!(reference_list("A1 A1").eq(["A1", "A1"]));
}

fn place(text: &str) -> Option<(String, String)> {
    parse_place(text).map(|place| (place.suburb, place.postcode))
}

#[test]
fn a_place_is_read_with_and_without_its_state() {
    let ballarat = Some(("Ballarat Central".to_owned(), "3350".to_owned()));
    assert_eq!(place("Ballarat Central VIC 3350"), ballarat);
    assert_eq!(place(" Ballarat Central, vic, 3350 "), ballarat);
    assert_eq!(place("Ballarat Central 3350"), ballarat);
}

#[test]
fn what_has_no_suburb_or_no_postcode_is_not_a_place() {
    for text in "|3350|VIC|Ballarat|Ballarat 335|Ballarat 33500|Ballarat 335O".split('|') {
        assert_eq!(place(text), None, "{text:?}");
    }
}

fn code(typed: &str) -> Option<String> {
    countries::from_name_or_code(typed).map(|country| country.code.to_string())
}

#[test]
fn a_country_is_found_by_its_name_and_by_its_codes() {
    for (typed, expected) in [
        ("Australia", "AUS"),
        (" new zealand ", "NZL"),
        ("NZ", "NZL"),
        ("fji", "FJI"),
        ("The Netherlands", "NLD"),
        ("UK", "GBR"),
        ("U.S.A.", "USA"),
        ("Korea (Republic of)", "KOR"),
        ("Korea", "KOR"),
        ("Cote d’Ivoire", "CIV"),
        ("Türkiye", "TUR"),
        ("turkey", "TUR"),
        ("CÔTE D'IVOIRE", "CIV"),
        ("TÜRKİYE", "TUR"),
        ("Co\u{302}te d'Ivoire", "CIV"),
    ] {
        assert_eq!(code(typed).as_deref(), Some(expected), "{typed}");
    }
    for typed in ["", "Atlantis", "XX", "1", "中国"] {
        assert_eq!(code(typed), None, "{typed}");
    }
}

#[test]
fn a_beginning_finds_the_likeliest_first() {
    let names = |typed: &str| -> Vec<_> {
        countries::search(typed)
            .iter()
            .map(|one| one.name)
            .collect()
    };
    assert_eq!(names("ger"), ["Germany"]);
    assert_eq!(names("nz").first(), Some(&"New Zealand"));
    assert_eq!(
        names("united")[..2],
        ["United Arab Emirates", "United Kingdom"]
    );
    assert!(names("zeal").contains(&"New Zealand"));
    assert_eq!(countries::search("").len(), 249);
    assert!(countries::search("😀").is_empty());
}

fn ballarat_farm() -> Party {
    Party {
        mode: AddressMode::Full,
        name: "Ballarat Farm & Garden".to_owned(),
        contact: "J. Okafor".to_owned(),
        phone: "03 5550 0199".to_owned(),
        email: "stores@bfg.example".to_owned(),
        line1: "8 Creswick Road".to_owned(),
        place: "Ballarat Central VIC 3350".to_owned(),
        ..Party::default()
    }
}

#[test]
fn a_block_is_split_into_its_lines() {
    let text = "Ballarat Farm & Garden\nJ. Okafor\n8 Creswick Road\nBallarat Central VIC 3350\n03 5550 0199\nstores@bfg.example\n";
    assert_eq!(split_address(text), ballarat_farm());
}

#[test]
fn labels_say_what_a_line_holds() {
    let text = "Ship to: Ballarat Farm & Garden\r\nAttn: J. Okafor\r\nPh: 03 5550 0199\r\nEmail: stores@bfg.example\r\n8 Creswick Road\r\nBallarat Central VIC 3350";
    assert_eq!(split_address(text), ballarat_farm());
}

#[test]
fn one_line_is_split_at_its_commas() {
    let text = "Ballarat Farm & Garden, 8 Creswick Road, Ballarat Central VIC 3350";
    let block = split_address(text);
    assert_eq!(block.name, "Ballarat Farm & Garden");
    assert_eq!(block.line1, "8 Creswick Road");
    assert_eq!(block.place, "Ballarat Central VIC 3350");
}

#[test]
fn suburb_state_and_postcode_may_stand_apart() {
    let text = "Ballarat Farm & Garden\tJ. Okafor\t8 Creswick Road\tBallarat Central\tVIC\t3350";
    let block = split_address(text);
    assert_eq!(block.place, "Ballarat Central VIC 3350");
    assert_eq!(block.line1, "8 Creswick Road");
    assert_eq!(block.contact, "J. Okafor");
}

#[test]
fn a_country_is_taken_from_the_end() {
    let text =
        "Aroha Outdoor\nT. Ngata\n61 Victoria Street\nUnit 4\nHamilton Central 3204\nNew Zealand";
    let block = split_address(text);
    assert_eq!(block.country, "New Zealand");
    assert_eq!(block.place, "Hamilton Central 3204");
    assert_eq!(block.line2, "Unit 4");
    let block = split_address("Acme\n1 Main St\nSydney NSW 2000, Australia");
    assert_eq!(block.place, "Sydney NSW 2000");
    assert_eq!(block.country, "Australia");
    let block = split_address("Acme GmbH\nHans Müller\nLange Straße 5\n10115 Berlin\nGermany");
    assert_eq!(block.place, "10115 Berlin");
    assert_eq!(block.country, "Germany");
    assert_eq!(block.line1, "Lange Straße 5");
}

#[test]
fn text_that_is_no_address_is_taken_without_a_panic_and_soon() {
    assert_eq!(split_address("").title(), "");
    assert_eq!(split_address("\n , ;\n\t"), split_address(""));
    let long = "a line of a very long paste, with a number 7\n".repeat(10_000);
    let block = split_address(&long);
    assert!(block.line2.len() < 20 * 200);
    let wide = "é@".repeat(100_000);
    assert!(split_address(&wide).name.chars().count() <= 200);
    let strange = "Attn:|ph 😀|مخزن\u{202e}|:|x@y.z x@y.z|ATTN-é";
    for text in strange.split('|') {
        let _split = split_address(text);
    }
}

#[test]
fn the_rule_names_the_receptacle_and_warns_of_counting_all_packages() {
    let rule = container_rule(ContainerType::Bottle, Some(3), Some(12));
    assert!(rule.contains("bottles"), "{rule}");
    assert!(rule.contains("one of the 3 packages"), "{rule}");
    assert!(rule.ends_with("36 in all"), "{rule}");
    let rule = container_rule(ContainerType::Carton, Some(1), None);
    assert!(rule.contains("Enter 1"), "{rule}");
    assert!(!rule.contains("packages"), "{rule}");
    for container in ContainerType::ALL {
        assert!(!container_rule(*container, None, Some(u32::MAX)).is_empty());
    }
    assert!(!container_rule(ContainerType::Bag, Some(u32::MAX), Some(9)).contains("in all"));
}

#[test]
fn a_line_that_becomes_a_saved_item_stays_the_same_item_of_the_form() {
    let mut line = GoodsLine {
        of_item: Some(2),
        ..GoodsLine::default()
    };
    line.use_saved_item(&SavedItem {
        sku: "GROMMET".to_owned(),
        ..SavedItem::default()
    });
    assert_eq!((line.source, line.of_item), (ItemSource::Sku, Some(2)));
}

#[test]
fn the_services_names_lead_to_our_fields() {
    for (name, field) in [
        ("fromLocation", "From(Place)"),
        ("toContact", "To(Contact)"),
        ("fromAbbreviation", "From(Saved)"),
        ("toCountryCode", "To(Country)"),
        ("internationalToCity", "To(City)"),
        ("internationalFromPostcode", "From(Postcode)"),
        ("internationalFromProvince", "From(Province)"),
        ("isInternational", "To(Country)"),
        ("carrierId", "Route"),
        ("companyCarrierAccountId", "Route"),
        ("receiverAccountId", "ReceiverAccount"),
        ("staffMemberName", "Staff"),
        ("printerToken", "PrinterToken"),
        ("dgsDeclaration", "Declaration"),
        ("companyId", "Company"),
        ("somethingNew", "Whole"),
        ("items[x", "Whole"),
        ("items[2].quantity", "Goods(2, Quantity)"),
        ("items[1].standardItem.weight", "Goods(1, Weight)"),
        ("items[1].companyItemId", "Goods(1, SavedId)"),
        ("items[1].sku", "Goods(1, Sku)"),
        (
            "items[0].consignmentItemReferences[1].carrierItemReference",
            "Goods(0, References)",
        ),
        (
            "items[0].consignmentItemDgItems[3].hazchem",
            "Dg(0, 3, Hazchem)",
        ),
        (
            "items[0].consignmentItemDgItems[0].companyDgItemId",
            "Dg(0, 0, Stored)",
        ),
        (
            "items[1].pendingConsignmentItemDgItems[0].unNumber",
            "Dg(1, 0, UnNumber)",
        ),
        ("items[0].consignmentItemDgItems", "Declaration"),
        (
            "items[0].consignmentItemContents[1].purpose",
            "Contents(0, 1, Purpose)",
        ),
        (
            "items[0].pendingConsignmentItemContents[1].dollarValue",
            "Contents(0, 1, Value)",
        ),
        ("items[0].consignmentItemContents", "Customs(0)"),
        ("customValues[2].value", "Custom(2, Value)"),
        ("customValues[0].propertyName", "Custom(0, Name)"),
    ] {
        let found = format!("{:?}", Field::from_member_name(name));
        assert_eq!(found, field, "{name}");
    }
}

/// A pending consignment leaves out entries that were added but never filled in.
#[test]
fn entries_that_were_not_sent_are_not_counted() {
    let good = DgLine {
        un_number: "1170".to_owned(),
        ..DgLine::default()
    };
    let inside = ContentsLine {
        description: "Hoses".to_owned(),
        ..ContentsLine::default()
    };
    let draft = Draft {
        goods: vec![GoodsLine {
            dangerous: vec![DgLine::default(), good],
            contents: vec![ContentsLine::default(), inside],
            ..GoodsLine::default()
        }],
        ..Draft::default()
    };
    let shown_at = |name: &str| {
        let error = ServiceError {
            validation_type: "1".to_owned(),
            member_names: vec![name.to_owned()],
            error_message: "Not like this".to_owned(),
        };
        problems_from_errors(&[error], &draft)[0].field
    };
    let hazchem = shown_at("items[0].consignmentItemDgItems[0].hazchem");
    assert_eq!(hazchem, Field::Dg(0, 1, DgField::Hazchem));
    let value = shown_at("items[0].consignmentItemContents[0].dollarValue");
    assert_eq!(value, Field::Contents(0, 1, ContentsField::Value));
    let beyond = shown_at("items[0].consignmentItemContents[1].dollarValue");
    assert_eq!(beyond, Field::Customs(0));
}

fn typed() -> ConnectionDraft {
    let mut draft = ConnectionDraft {
        name: "Depot".to_owned(),
        kind: Some(ServiceKind::Test),
        address: "https://ship.example".to_owned(),
        ..ConnectionDraft::default()
    };
    draft.token.text_mut().push_str("7f3a");
    draft
}

#[test]
fn a_whole_connection_has_no_problems_and_an_empty_one_has_each_at_its_field() {
    assert_eq!(typed().check(ConnectionContext::default()), []);
    let empty = ConnectionDraft::default().check(ConnectionContext::default());
    let fields: Vec<_> = empty.iter().map(|problem| problem.field).collect();
    assert_eq!(fields, [Name, Kind, Address, Token]);
}

#[test]
fn an_address_is_https_or_on_this_machine() {
    let problems_of = |address: &str| -> Vec<_> {
        let mut draft = typed();
        address.clone_into(&mut draft.address);
        let problems = draft.check(ConnectionContext::default());
        problems.into_iter().map(|problem| problem.field).collect()
    };
    let good = "https://ship.example/base http://127.0.0.1:8080 http://localhost http://[::1]:1";
    for good in good.split(' ') {
        assert_eq!(problems_of(good), [], "{good}");
    }
    let bad = "ship.example http://ship.example http://10.0.0.1 ftp://ship.example https:// \
        https://user:secret@ship.example https://ship.example/?token=1";
    for bad in bad.split(' ') {
        assert_eq!(problems_of(bad), [Address], "{bad}");
    }
}

#[test]
fn names_that_would_share_a_journal_are_one_name() {
    let known = ConnectionContext {
        names: &["depot-1"],
        ..ConnectionContext::default()
    };
    for name in ["Depot 1", "Practice"] {
        let mut draft = typed();
        name.clone_into(&mut draft.name);
        assert_eq!(draft.check(known)[0].field, Name, "{name}");
    }
}

#[test]
fn a_stored_token_need_not_be_typed_again_and_a_middleware_needs_all_of_its_own() {
    let mut draft = typed();
    draft.token = Secret::default();
    let known = ConnectionContext {
        token: true,
        ..ConnectionContext::default()
    };
    assert_eq!(draft.check(known), []);
    draft.middleware_address = "https://prices.example".to_owned();
    assert_eq!(draft.check(known).len(), 3);
}

#[test]
fn a_secret_is_never_printed() {
    let mut secret = Secret::default();
    secret.text_mut().push_str(" 7f3a-token\n");
    assert_eq!(format!("{secret:?}"), "…");
    let given = secret.to_secret_string().expect("something is typed");
    assert_eq!(given.expose_secret(), "7f3a-token");
    assert!(secret.can_be_sent());
    secret.text_mut().push('é');
    assert!(!secret.can_be_sent());
}

#[test]
fn a_secret_that_is_typed_on_stays_in_its_place() {
    let mut typed = Secret::default();
    typed.text_mut().push_str("7f3a");
    // A clone has no spare capacity.
    let mut copy = typed.clone();
    for secret in [&mut typed, &mut copy] {
        let place = secret.text_mut().as_ptr();
        secret.text_mut().push_str(&"x".repeat(2_000));
        assert_eq!(secret.text_mut().as_ptr(), place);
    }
}
