//! Maps the service's field names (`memberNames`) to fields of the screen, in any case, with or without an
//! index.

use super::field::{AddressField, ContentsField, CustomField, DgField, Field, GoodsField};

impl Field {
    /// Returns the field for one of the service's `memberNames`; [`Field::Whole`] if the name is unknown.
    pub fn from_member_name(name: &str) -> Self {
        let lower = name.trim().to_ascii_lowercase();
        if let Some((line, field)) = indexed(&lower, "items") {
            return item_field(line, field);
        }
        if let Some((line, field)) = indexed(&lower, "customvalues") {
            let field = match field {
                "value" => CustomField::Value,
                _ => CustomField::Name,
            };
            return Self::Custom(line, field);
        }
        if let Some(rest) = lower.strip_prefix("international") {
            let side = rest.strip_prefix("from").and_then(place_abroad);
            if let Some(field) = side {
                return Self::From(field);
            }
            if let Some(field) = rest.strip_prefix("to").and_then(place_abroad) {
                return Self::To(field);
            }
        }
        if let Some(field) = lower.strip_prefix("from").and_then(address_field) {
            return Self::From(field);
        }
        if let Some(field) = lower.strip_prefix("to").and_then(address_field) {
            return Self::To(field);
        }
        whole_field(&lower)
    }
}

/// Splits `items[2].quantity` into 2 and `quantity`. An index that is not a number counts as 0.
fn indexed<'a>(name: &'a str, list: &str) -> Option<(usize, &'a str)> {
    let (index, field) = name
        .strip_prefix(list)?
        .strip_prefix('[')?
        .split_once(']')?;
    Some((index.parse().unwrap_or(0), field.trim_start_matches('.')))
}

fn whole_field(name: &str) -> Field {
    match name {
        "customerreference" => Field::Reference1,
        "customerreference2" => Field::Reference2,
        "dispatchdatetimeutc"
        | "dispatchdatetimelocal"
        | "despatchdatetimeutc"
        | "despatchdatetimelocal" => Field::Despatch,
        "specialinstructions" => Field::Instructions,
        "questionids" | "sendingtrackingemail" | "sendtrackingemail" => Field::Questions,
        "receiveraccountcode" | "receiveraccountid" => Field::ReceiverAccount,
        "carrierconsignmentid" => Field::CarrierNumber,
        "printertoken" => Field::PrinterToken,
        "staffmembername" => Field::Staff,
        "customvalues" => Field::Custom(0, CustomField::Name),
        // The receiver's country is more often the reason than the sender's.
        "isinternational" => Field::To(AddressField::Country),
        "carrierid"
        | "carrierserviceid"
        | "carrieraccountid"
        | "companycarrieraccountid"
        | "defaultrouteselection"
        | "carrierids" => Field::Route,
        "dgsdeclaration" => Field::Declaration,
        "items" => Field::AllGoods,
        "companyid" => Field::Company,
        _ => Field::Whole,
    }
}

fn place_abroad(name: &str) -> Option<AddressField> {
    match name {
        "city" => Some(AddressField::City),
        "postcode" => Some(AddressField::Postcode),
        "province" => Some(AddressField::Province),
        _ => None,
    }
}

fn address_field(name: &str) -> Option<AddressField> {
    Some(match name {
        "name" => AddressField::Name,
        "contact" => AddressField::Contact,
        "phone" => AddressField::Phone,
        "email" => AddressField::Email,
        "addressline1" => AddressField::Line1,
        "addressline2" => AddressField::Line2,
        "location" | "location.suburb" | "location.postcode" => AddressField::Place,
        "countrycode" => AddressField::Country,
        "companylocationid" | "abbreviation" => AddressField::Saved,
        _ => return None,
    })
}

fn item_field(line: usize, field: &str) -> Field {
    let own = field.strip_prefix("pending").unwrap_or(field);
    if let Some((good, field)) = indexed(own, "consignmentitemdgitems") {
        return Field::Dg(line, good, dg_field(field));
    }
    if let Some((inside, field)) = indexed(own, "consignmentitemcontents") {
        return contents_field(field).map_or(Field::Customs(line), |field| {
            Field::Contents(line, inside, field)
        });
    }
    match own {
        "consignmentitemdgitems" => Field::Declaration,
        "consignmentitemcontents" => Field::Customs(line),
        _ => Field::Goods(line, goods_field(own)),
    }
}

fn goods_field(name: &str) -> GoodsField {
    let name = name.strip_prefix("standarditem.").unwrap_or(name);
    match name {
        "quantity" => GoodsField::Quantity,
        "weight" => GoodsField::Weight,
        "length" => GoodsField::Length,
        "width" => GoodsField::Width,
        "height" => GoodsField::Height,
        "itemtype" => GoodsField::Type,
        "sku" => GoodsField::Sku,
        "companyitemid" => GoodsField::SavedId,
        "palletspaces" => GoodsField::Spaces,
        name if name.starts_with("consignmentitemreferences") => GoodsField::References,
        _ => GoodsField::Name,
    }
}

fn dg_field(name: &str) -> DgField {
    match name {
        "companydgitemid" => DgField::Stored,
        "packinggroup" => DgField::PackingGroup,
        "dgclasstype" | "subdgclasstypes" => DgField::Class,
        "containertype" => DgField::Container,
        "numberofcontainers" => DgField::Containers,
        "aggregatequantity" | "isaggregatequantityweight" => DgField::Amount,
        "flashpoint" => DgField::FlashPoint,
        "hazchem" | "dghazchemid" => DgField::Hazchem,
        "technicalorchemicalgroupnames" => DgField::TechnicalName,
        _ => DgField::UnNumber,
    }
}

fn contents_field(name: &str) -> Option<ContentsField> {
    Some(match name {
        "description" => ContentsField::Description,
        "reference1" => ContentsField::Reference1,
        "reference2" => ContentsField::Reference2,
        "reference3" => ContentsField::Reference3,
        "cimarksandnumbers" => ContentsField::Marks,
        "partnumber" => ContentsField::PartNumber,
        "quantity" => ContentsField::Quantity,
        "harmonizedcode" => ContentsField::HarmonisedCode,
        "purpose" => ContentsField::Purpose,
        "countryofmanufacturecode" => ContentsField::Country,
        "dollarvalue" => ContentsField::Value,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn must_lead(names: &[(&str, Field)]) {
        for (name, field) in names {
            assert_eq!(Field::from_member_name(name), *field, "{name}");
        }
    }

    #[test]
    fn the_services_names_lead_to_our_fields() {
        must_lead(&[
            ("fromLocation", Field::From(AddressField::Place)),
            ("toContact", Field::To(AddressField::Contact)),
            ("fromAbbreviation", Field::From(AddressField::Saved)),
            ("toCountryCode", Field::To(AddressField::Country)),
            ("internationalToCity", Field::To(AddressField::City)),
            (
                "internationalFromPostcode",
                Field::From(AddressField::Postcode),
            ),
            (
                "internationalFromProvince",
                Field::From(AddressField::Province),
            ),
            ("isInternational", Field::To(AddressField::Country)),
            ("carrierId", Field::Route),
            ("companyCarrierAccountId", Field::Route),
            ("receiverAccountId", Field::ReceiverAccount),
            ("staffMemberName", Field::Staff),
            ("printerToken", Field::PrinterToken),
            ("dgsDeclaration", Field::Declaration),
            ("companyId", Field::Company),
            ("somethingNew", Field::Whole),
            ("items[x", Field::Whole),
        ]);
    }

    #[test]
    fn names_within_a_line_lead_into_that_line() {
        let contents = |field| Field::Contents(0, 1, field);
        must_lead(&[
            ("items[2].quantity", Field::Goods(2, GoodsField::Quantity)),
            (
                "items[1].standardItem.weight",
                Field::Goods(1, GoodsField::Weight),
            ),
            (
                "items[1].companyItemId",
                Field::Goods(1, GoodsField::SavedId),
            ),
            ("items[1].sku", Field::Goods(1, GoodsField::Sku)),
            (
                "items[0].consignmentItemReferences[1].carrierItemReference",
                Field::Goods(0, GoodsField::References),
            ),
            (
                "items[0].consignmentItemDgItems[3].hazchem",
                Field::Dg(0, 3, DgField::Hazchem),
            ),
            (
                "items[0].consignmentItemDgItems[0].companyDgItemId",
                Field::Dg(0, 0, DgField::Stored),
            ),
            (
                "items[1].pendingConsignmentItemDgItems[0].unNumber",
                Field::Dg(1, 0, DgField::UnNumber),
            ),
            ("items[0].consignmentItemDgItems", Field::Declaration),
            (
                "items[0].consignmentItemContents[1].purpose",
                contents(ContentsField::Purpose),
            ),
            (
                "items[0].pendingConsignmentItemContents[1].dollarValue",
                contents(ContentsField::Value),
            ),
            ("items[0].consignmentItemContents", Field::Customs(0)),
            (
                "customValues[2].value",
                Field::Custom(2, CustomField::Value),
            ),
            (
                "customValues[0].propertyName",
                Field::Custom(0, CustomField::Name),
            ),
        ]);
    }
}
