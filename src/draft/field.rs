//! Every place on the Consign screen that a problem can be at, and the service's names for them.

/// A field of the draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Field {
    /// Whose it is.
    Company,
    /// The pickup side.
    From(AddressField),
    /// The delivery side.
    To(AddressField),
    /// Reference.
    Reference1,
    /// Second reference.
    Reference2,
    /// Despatch time.
    Despatch,
    /// Instructions to the carrier.
    Instructions,
    /// Options (`questionIds`).
    Questions,
    /// Receiver's account.
    ReceiverAccount,
    /// The carrier's number, given by the shipper.
    CarrierNumber,
    /// The list of goods as a whole.
    AllGoods,
    /// A field of a goods line (from 0).
    Goods(usize, GoodsField),
    /// A field of a dangerous good in a line (both from 0).
    Dg(usize, usize, DgField),
    /// What customs are told of a line (from 0), as a whole.
    Customs(usize),
    /// A field of something inside a line, for customs (both from 0).
    Contents(usize, usize, ContentsField),
    /// Who pays duties and taxes.
    Duties,
    /// A carrier's own option (from 0).
    Custom(usize, CustomField),
    /// The printer token.
    PrinterToken,
    /// Who packs.
    Staff,
    /// The route.
    Route,
    /// The declaration of dangerous goods.
    Declaration,
    /// Nowhere in particular: the consignment as a whole.
    Whole,
}

/// A field of an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AddressField {
    /// The saved location.
    Saved,
    /// Name.
    Name,
    /// Contact.
    Contact,
    /// Phone.
    Phone,
    /// E-mail.
    Email,
    /// Street.
    Line1,
    /// Second line.
    Line2,
    /// Suburb and postcode.
    Place,
    /// Country.
    Country,
    /// City abroad.
    City,
    /// Province abroad.
    Province,
    /// Postcode abroad.
    Postcode,
}

/// A field of a goods line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GoodsField {
    /// Packaging kind.
    Type,
    /// Description.
    Name,
    /// Stock keeping unit.
    Sku,
    /// The saved item's id.
    SavedId,
    /// How many.
    Quantity,
    /// Kilograms each.
    Weight,
    /// Centimetres.
    Length,
    /// Centimetres.
    Width,
    /// Centimetres.
    Height,
    /// Pallet spaces.
    Spaces,
    /// Delegated references, one a unit.
    References,
}

/// A field of a dangerous good.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DgField {
    /// The stored good's id.
    Stored,
    /// UN number.
    UnNumber,
    /// Packing group.
    PackingGroup,
    /// Class.
    Class,
    /// Container type.
    Container,
    /// Containers in each package.
    Containers,
    /// Aggregate quantity.
    Amount,
    /// Flash point.
    FlashPoint,
    /// Hazchem code.
    Hazchem,
    /// Technical name.
    TechnicalName,
}

/// A field of something inside a line of goods, for customs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ContentsField {
    /// What it is.
    Description,
    /// First reference.
    Reference1,
    /// Second reference.
    Reference2,
    /// Third reference.
    Reference3,
    /// Marks and numbers.
    Marks,
    /// Part number.
    PartNumber,
    /// Units in one item.
    Quantity,
    /// Harmonised code.
    HarmonisedCode,
    /// Purpose.
    Purpose,
    /// Made in.
    Country,
    /// Value in Australian dollars.
    Value,
}

/// A field of a carrier's own option.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CustomField {
    /// Its name.
    Name,
    /// Its value.
    Value,
}

impl Field {
    /// The field that the service means by one of its `memberNames`, in any case, with or without an items index;
    /// [`Field::Whole`] where it names none of ours.
    pub fn from_member_name(name: &str) -> Self {
        let lower = name.to_ascii_lowercase();
        if let Some(rest) = lower.strip_prefix("items[")
            && let Some((index, field)) = rest.split_once(']')
        {
            let line = index.parse().unwrap_or(0);
            let field = field.trim_start_matches('.');
            if let Some((good, field)) = field
                .trim_start_matches("pending")
                .strip_prefix("consignmentitemdgitems[")
                .and_then(|rest| rest.split_once(']'))
            {
                return Self::Dg(
                    line,
                    good.parse().unwrap_or(0),
                    dg_field(field.trim_start_matches('.')),
                );
            }
            if field
                .trim_start_matches("pending")
                .starts_with("consignmentitemcontents")
            {
                return Self::Customs(line);
            }
            return Self::Goods(line, goods_field(field));
        }
        let side = lower.strip_prefix("international").unwrap_or(&lower);
        if let Some(field) = side.strip_prefix("from").and_then(address_field) {
            return Self::From(field);
        }
        if let Some(field) = side.strip_prefix("to").and_then(address_field) {
            return Self::To(field);
        }
        match lower.as_str() {
            "customerreference" => Self::Reference1,
            "customerreference2" => Self::Reference2,
            "dispatchdatetimeutc"
            | "dispatchdatetimelocal"
            | "despatchdatetimeutc"
            | "despatchdatetimelocal" => Self::Despatch,
            "specialinstructions" => Self::Instructions,
            "questionids" => Self::Questions,
            "receiveraccountcode" | "receiveraccountid" => Self::ReceiverAccount,
            "carrierconsignmentid" => Self::CarrierNumber,
            "carrierid"
            | "carrierserviceid"
            | "carrieraccountid"
            | "companycarrieraccountid"
            | "defaultrouteselection"
            | "carrierids" => Self::Route,
            "dgsdeclaration" => Self::Declaration,
            "items" => Self::AllGoods,
            "companyid" => Self::Company,
            _ => Self::Whole,
        }
    }

    /// True where a price depends on it: places, goods, time and flags.
    pub(super) fn matters_for_price(self) -> bool {
        match self {
            Self::From(field) | Self::To(field) => {
                matches!(field, AddressField::Saved | AddressField::Place)
            }
            Self::Despatch | Self::Questions | Self::AllGoods | Self::Dg(..) => true,
            Self::Goods(_, field) => !matches!(field, GoodsField::References),
            _ => false,
        }
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
        "location" | "location.suburb" | "location.postcode" | "city" | "postcode" | "province"
        | "countrycode" => AddressField::Place,
        "companylocationid" | "abbreviation" => AddressField::Saved,
        _ => return None,
    })
}

fn dg_field(name: &str) -> DgField {
    match name {
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

fn goods_field(name: &str) -> GoodsField {
    match name {
        "quantity" => GoodsField::Quantity,
        "weight" | "standarditem.weight" => GoodsField::Weight,
        "length" | "standarditem.length" => GoodsField::Length,
        "width" | "standarditem.width" => GoodsField::Width,
        "height" | "standarditem.height" => GoodsField::Height,
        "itemtype" => GoodsField::Type,
        "sku" | "companyitemid" => GoodsField::Sku,
        "palletspaces" => GoodsField::Spaces,
        name if name.starts_with("consignmentitemreferences") => GoodsField::References,
        _ => GoodsField::Name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_services_names_lead_to_our_fields() {
        for (name, field) in [
            ("fromLocation", Field::From(AddressField::Place)),
            ("toContact", Field::To(AddressField::Contact)),
            ("carrierId", Field::Route),
            ("items[2].quantity", Field::Goods(2, GoodsField::Quantity)),
            (
                "items[1].standardItem.weight",
                Field::Goods(1, GoodsField::Weight),
            ),
            (
                "items[0].consignmentItemDgItems[3].hazchem",
                Field::Dg(0, 3, DgField::Hazchem),
            ),
            ("dgsDeclaration", Field::Declaration),
            ("companyId", Field::Company),
            ("internationalToCity", Field::To(AddressField::Place)),
            (
                "items[1].pendingConsignmentItemDgItems[0].unNumber",
                Field::Dg(1, 0, DgField::UnNumber),
            ),
            (
                "items[0].consignmentItemContents[0].purpose",
                Field::Customs(0),
            ),
            ("somethingNew", Field::Whole),
        ] {
            assert_eq!(Field::from_member_name(name), field, "{name}");
        }
    }
}
