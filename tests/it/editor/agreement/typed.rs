//! A naive request: all fields as typed, numbers wherever a text looks like one, nothing checked. Written
//! separately from the program's own conversion.

use draft::{
    AddressMode, ContentsLine, DgLine, Draft, GoodsLine, ItemSource, Party, ReceiverAccountKind,
    Routing,
};
use serde_json::{Map, Value, json};

type Fields = Map<String, Value>;

pub(super) fn request(draft: &Draft) -> Value {
    let mut fields = Fields::new();
    let international = country(&draft.from) != country(&draft.to);
    side(&mut fields, "from", "From", &draft.from, international);
    side(&mut fields, "to", "To", &draft.to, international);
    if international {
        fields.insert("isInternational".to_owned(), json!(true));
    }
    if let Some(company) = draft.company {
        fields.insert("companyId".to_owned(), json!(company.get()));
    }
    text(&mut fields, "customerReference", &draft.reference1);
    text(&mut fields, "specialInstructions", &draft.instructions);
    text(&mut fields, "staffMemberName", &draft.staff);
    text(&mut fields, "printerToken", &draft.printer_token);
    text(&mut fields, "carrierConsignmentId", &draft.carrier_number);
    let account = match draft.receiver_account_by {
        ReceiverAccountKind::Code => "receiverAccountCode",
        ReceiverAccountKind::Id => "receiverAccountId",
    };
    text(&mut fields, account, &draft.receiver_account);
    despatch(&mut fields, draft.despatch.trim());
    let custom = draft.custom_values.iter();
    let custom = custom.map(|line| json!({"propertyName": line.name, "value": value(&line.value)}));
    let mut custom: Vec<Value> = custom.collect();
    if draft.duties_by_recipient && international {
        custom.push(json!({"propertyName": "AreDutiesPaidByRecipient", "value": true}));
    }
    fields.insert("customValues".to_owned(), json!(custom));
    let holds =
        |line: &GoodsLine| !line.dangerous.is_empty() || line.saved_item_has_dangerous_goods();
    fields.insert(
        "dgsDeclaration".to_owned(),
        json!(draft.goods.iter().any(holds)),
    );
    let items: Vec<Value> = draft
        .goods
        .iter()
        .map(|line| item(line, international))
        .collect();
    fields.insert("items".to_owned(), json!(items));
    match &draft.routing {
        Routing::Cheapest => text(&mut fields, "defaultRouteSelection", "cheapest"),
        Routing::Fastest => text(&mut fields, "defaultRouteSelection", "fastest"),
        Routing::Carrier(chosen) => {
            fields.insert("carrierId".to_owned(), json!(chosen.carrier_id.get()));
            if let Some(account) = chosen.account_id {
                fields.insert("carrierAccountId".to_owned(), json!(account.get()));
            }
        }
        Routing::Unchosen | Routing::Chosen(_) => {}
    }
    Value::Object(fields)
}

fn text(fields: &mut Fields, name: &str, typed: &str) {
    if !typed.is_empty() {
        fields.insert(name.to_owned(), json!(typed));
    }
}

/// As a number where it looks like one.
fn number(fields: &mut Fields, name: &str, typed: &str) {
    let plain = typed.trim().replace(',', ".");
    match serde_json::from_str::<serde_json::Number>(&plain) {
        Ok(number) => {
            fields.insert(name.to_owned(), Value::Number(number));
        }
        Err(_) => text(fields, name, typed),
    }
}

fn value(typed: &str) -> Value {
    typed
        .parse::<bool>()
        .map_or_else(|_| json!(typed), Value::Bool)
}

fn country(side: &Party) -> String {
    let typed = match (&side.saved, side.mode) {
        (Some(saved), AddressMode::Saved) => saved.country.trim(),
        (None, AddressMode::Saved) => "",
        _ => side.country.trim(),
    };
    match typed {
        "" | "Australia" => "AUS".to_owned(),
        "NZ" => "NZL".to_owned(),
        "Fiji" => "FJI".to_owned(),
        "Germany" => "DEU".to_owned(),
        "Bhutan" => "BTN".to_owned(),
        other => other.to_owned(),
    }
}

fn side(fields: &mut Fields, name: &str, title: &str, side: &Party, international: bool) {
    if side.mode == AddressMode::Saved {
        match &side.saved {
            Some(saved) => {
                fields.insert(format!("{name}CompanyLocationId"), json!(saved.id.get()));
            }
            None => text(fields, &format!("{name}Abbreviation"), &side.abbreviation),
        }
        return;
    }
    for (field, typed) in [
        ("Name", &side.name),
        ("Contact", &side.contact),
        ("Phone", &side.phone),
        ("Email", &side.email),
        ("AddressLine1", &side.line1),
        ("AddressLine2", &side.line2),
    ] {
        text(fields, &format!("{name}{field}"), typed);
    }
    let code = country(side);
    if international && code != "AUS" {
        text(fields, &format!("{name}CountryCode"), &code);
        text(fields, &format!("international{title}City"), &side.city);
        return;
    }
    let mut words: Vec<&str> = side.place.split_whitespace().collect();
    let postcode = words.pop().unwrap_or_default();
    words.retain(|word| *word != "VIC");
    let location = json!({"suburb": words.join(" "), "postcode": postcode});
    fields.insert(format!("{name}Location"), location);
}

fn despatch(fields: &mut Fields, typed: &str) {
    let local = match typed.len() {
        5 => format!("2026-11-20T{typed}:00"),
        _ => typed.replace(' ', "T"),
    };
    text(fields, "dispatchDateTimeLocal", &local);
}

fn item(line: &GoodsLine, international: bool) -> Value {
    let mut fields = Fields::new();
    if line.source == ItemSource::Id {
        text(&mut fields, "companyItemId", &line.item_id);
    }
    text(&mut fields, "sku", &line.sku);
    text(&mut fields, "itemType", &line.item_type);
    text(&mut fields, "name", &line.name);
    number(&mut fields, "quantity", &line.quantity);
    number(&mut fields, "palletSpaces", &line.spaces);
    let mut own = Fields::new();
    number(&mut own, "weight", &line.weight);
    number(&mut own, "length", &line.length);
    number(&mut own, "width", &line.width);
    number(&mut own, "height", &line.height);
    if !own.is_empty() {
        fields.insert("standardItem".to_owned(), Value::Object(own));
    }
    let references = line.references.split_whitespace();
    let references: Vec<Value> = references
        .map(|one| json!({"carrierItemReference": one}))
        .collect();
    if !references.is_empty() {
        fields.insert("consignmentItemReferences".to_owned(), json!(references));
    }
    if !line.dangerous.is_empty() {
        let goods: Vec<Value> = line.dangerous.iter().map(good).collect();
        fields.insert("consignmentItemDgItems".to_owned(), json!(goods));
    }
    if international {
        let contents: Vec<Value> = line.contents.iter().map(inside).collect();
        fields.insert("consignmentItemContents".to_owned(), json!(contents));
    }
    Value::Object(fields)
}

fn good(good: &DgLine) -> Value {
    let mut fields = Fields::new();
    number(&mut fields, "aggregateQuantity", &good.amount);
    if good.is_stored() {
        text(&mut fields, "companyDgItemId", &good.stored);
        return Value::Object(fields);
    }
    text(&mut fields, "unNumber", &good.un_number);
    number(&mut fields, "numberOfContainers", &good.containers);
    number(&mut fields, "flashpoint", &good.flash_point);
    text(&mut fields, "hazchem", &good.hazchem);
    text(
        &mut fields,
        "TechnicalOrChemicalGroupNames",
        &good.technical_name,
    );
    for (name, value) in [
        ("packingGroup", json!(good.packing_group)),
        ("dgClassType", json!(good.class)),
        ("subDgClassTypes", json!(good.sub_classes)),
        ("containerType", json!(good.container)),
        ("isAggregateQuantityWeight", json!(!good.litres)),
        ("isMarinePollutant", json!(good.marine_pollutant)),
        (
            "isTemperatureControlled",
            json!(good.temperature_controlled),
        ),
    ] {
        fields.insert(name.to_owned(), value);
    }
    Value::Object(fields)
}

fn inside(inside: &ContentsLine) -> Value {
    let mut fields = Fields::new();
    text(&mut fields, "description", &inside.description);
    number(&mut fields, "quantity", &inside.quantity);
    text(&mut fields, "harmonizedCode", &inside.harmonised_code);
    text(&mut fields, "purpose", &inside.purpose);
    let made_in = if inside.country == "Australia" {
        "AUS"
    } else {
        &inside.country
    };
    text(&mut fields, "countryOfManufactureCode", made_in);
    number(&mut fields, "dollarValue", &inside.value);
    Value::Object(fields)
}
