//! References, despatch, options, accounts, custom values, and the carrier.

use draft::{
    ChosenRoute, CustomField, CustomValueLine, Draft, Field, ReceiverAccountKind, Routing,
};
use shipping::{CarrierId, CarrierServiceId, CompanyLocation};

use super::{chosen_carrier, export, rules, set};

fn custom(draft: &mut Draft, name: &str, value: &str) {
    draft.custom_values.push(CustomValueLine {
        name: name.to_owned(),
        value: value.to_owned(),
    });
}

/// Picks a saved sender with a known time zone.
fn sender_in(draft: &mut Draft, zone: &str) {
    let sender = serde_json::json!({
        "id": 7001, "name": "Harbour Supplies", "abbreviation": "HSYD",
        "location": {"suburb": "Alexandria", "postcode": "2015", "timeZone": zone},
    });
    let sender: CompanyLocation = serde_json::from_str(&sender.to_string()).expect("a location");
    draft.from.set_location(&sender);
}

fn carrier(draft: &mut Draft, id: i64, account: Option<i64>) {
    draft.routing = chosen_carrier(id, account);
}

fn route(draft: &mut Draft, carrier: i64, service: i64) {
    draft.routing = Routing::Chosen(ChosenRoute {
        carrier_id: CarrierId::new(carrier),
        service_id: Some(CarrierServiceId::new(service)),
        account_id: None,
        company_account_id: None,
        carrier: "The carrier".to_owned(),
        service: "Road".to_owned(),
        price: None,
        account: String::new(),
        eta: None,
    });
}

const fn custom_at(line: usize, field: CustomField) -> Field {
    Field::Custom(line, field)
}

rules! {
    a_route_or_a_carrier_is_chosen: [
        (|d| d.routing = Routing::Unchosen, Field::Route, "Choose a route"),
    ],
    an_account_is_needed_where_several_are_linked: [
        (|d| carrier(d, 13, None), Field::Route, "accounts are linked. Choose one"),
        (|d| route(d, 13, 1301), Field::Route, "accounts are linked. Choose one"),
    ],
    a_carrier_account_and_service_are_the_companys: [
        (|d| carrier(d, 99, None), Field::Route, "not available"),
        (|d| carrier(d, 13, Some(3101)), Field::Route, "no longer linked"),
        (|d| carrier(d, 11, Some(3109)), Field::Route, "no longer linked"),
        (|d| route(d, 11, 1301), Field::Route, "no longer offers"),
    ],
    a_despatch_time_can_be_read: [
        (|d| set(&mut d.despatch, "half past"), Field::Despatch, "Enter a time"),
        (|d| set(&mut d.despatch, "25:00"), Field::Despatch, "Enter a time"),
        (|d| set(&mut d.despatch, "2026-02-30 10:00"), Field::Despatch, "Enter a time"),
        (|d| set(&mut d.despatch, "😀"), Field::Despatch, "Enter a time"),
    ],
    a_past_despatch_time_is_told_of: [
        (
            |d| { sender_in(d, "Australia/Sydney"); set(&mut d.despatch, "13:00"); },
            Field::Despatch,
            "13:00 on 20 Nov has already passed",
        ),
        (
            |d| { sender_in(d, "Australia/Perth"); set(&mut d.despatch, "11:00"); },
            Field::Despatch,
            "has already passed",
        ),
        (|d| set(&mut d.despatch, "2026-11-19 10:00"), Field::Despatch, "has already passed"),
    ],
    a_despatch_time_that_the_clocks_skip_or_repeat_is_told_of: [
        (|d| set(&mut d.despatch, "2027-10-03 02:30"), Field::Despatch, "the clocks go forward"),
        (|d| set(&mut d.despatch, "2027-04-04 02:30"), Field::Despatch, "occurs twice"),
        (
            |d| { sender_in(d, "Australia/Adelaide"); set(&mut d.despatch, "2027-10-03 02:15"); },
            Field::Despatch,
            "the clocks go forward",
        ),
    ],
    a_receiver_pays_by_code_or_by_id: [
        (
            |d| { d.receiver_account_by = ReceiverAccountKind::Id; set(&mut d.receiver_account, "BFG-1"); },
            Field::ReceiverAccount,
            "whole number",
        ),
        (
            |d| { d.receiver_account_by = ReceiverAccountKind::Id; set(&mut d.receiver_account, "-4"); },
            Field::ReceiverAccount,
            "whole number",
        ),
        (|d| set(&mut d.receiver_account, "a\u{0}b"), Field::ReceiverAccount, "can't be printed"),
    ],
    a_custom_value_has_a_name_and_a_value: [
        (|d| custom(d, "", "1"), custom_at(0, CustomField::Name), "Enter the option's name"),
        (|d| custom(d, "palletSpaces", " "), custom_at(0, CustomField::Value), "Enter the option's value"),
        (|d| custom(d, "a\nb", "1"), custom_at(0, CustomField::Name), "line break"),
    ],
    custom_values_have_names_of_their_own: [
        (
            |d| { custom(d, "a", "1"); custom(d, "", ""); custom(d, " a ", "2"); },
            custom_at(2, CustomField::Name),
            "already in line 1",
        ),
        (
            |d| { export(d); d.duties_by_recipient = true; custom(d, "AreDutiesPaidByRecipient", "true"); },
            custom_at(0, CustomField::Name),
            "Already selected",
        ),
    ],
    duties_by_recipient_are_true_or_false: [
        (
            |d| custom(d, "AreDutiesPaidByRecipient", "perhaps"),
            custom_at(0, CustomField::Value),
            "true or false",
        ),
        (
            |d| custom(d, "areDutiesPaidByRecipient", "1"),
            custom_at(0, CustomField::Value),
            "true or false",
        ),
    ],
    text_of_options_stands_on_one_line_with_nothing_hidden: [
        (|d| set(&mut d.reference1, "SO\n1"), Field::Reference1, "line break"),
        (|d| d.reference2 = "x".repeat(51), Field::Reference2, "At most 50"),
        (|d| set(&mut d.instructions, "a\u{2066}b"), Field::Instructions, "reverse text"),
        (|d| d.instructions = "a line\n".repeat(10_000), Field::Instructions, "line break"),
        (|d| set(&mut d.printer_token, "a\u{feff}b"), Field::PrinterToken, "hidden"),
        (|d| d.staff = "é".repeat(81), Field::Staff, "At most 80"),
        (|d| set(&mut d.carrier_number, "SCX\t1"), Field::CarrierNumber, "tab"),
        (|d| d.carrier_number = "1".repeat(41), Field::CarrierNumber, "At most 40"),
    ],
}
