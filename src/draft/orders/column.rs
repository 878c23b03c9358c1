//! The columns of an order file: their names in the template, and other names that are recognised.
//!
//! The mapping from a file's columns to order columns is guessed from the headers, changed by the clerk, and
//! remembered for files with the same headers.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::Sheet;
use crate::{AddressField, ConsignmentFlag, ContentsField, Field, GoodsField};
use shipping::Question;

/// The part of a draft that a column fills.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ColumnTarget {
    /// A text; of goods and contents, in the first line.
    Text(Field),
    Question(Question),
    Flag(ConsignmentFlag),
    Routing,
}

/// Defines the columns: variant, name in the template, what the column fills, and other names (lower-case letters and
/// digits only).
macro_rules! columns {
    ($($column:ident $name:literal => $kind:ident $(($value:expr))?, [$($other:literal)*];)+) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        pub enum Column {
            $(#[doc = $name] $column,)+
        }

        impl Column {
            /// All columns, in the template's order.
            pub const ALL: &'static [Self] = &[$(Self::$column),+];

            pub const fn name(self) -> &'static str {
                match self { $(Self::$column => $name),+ }
            }

            pub(super) fn target(self) -> ColumnTarget {
                match self { $(Self::$column => ColumnTarget::$kind $(($value))?),+ }
            }

            const fn other_names(self) -> &'static [&'static str] {
                match self { $(Self::$column => &[$($other),*]),+ }
            }
        }
    };
}

columns! {
    Reference "Reference" => Text(Field::Reference1),
        ["ref" "reference1" "ordernumber" "orderno" "order" "orderid" "orderref" "orderreference" "ordernr"
        "customerreference" "salesorder" "salesordernumber" "name" "invoicenumber"];
    Reference2 "Reference 2" => Text(Field::Reference2),
        ["ref2" "secondreference" "customerreference2" "ponumber" "purchaseorder" "po"];
    From "From" => Text(Field::From(AddressField::Saved)),
        ["fromabbreviation" "sender" "senderabbreviation" "pickup" "warehouse" "fromlocation" "despatchfrom"];
    To "To" => Text(Field::To(AddressField::Saved)),
        ["toabbreviation" "receiverabbreviation" "tolocation" "receivercode" "customercode" "locationcode"];
    ToName "To name" => Text(Field::To(AddressField::Name)),
        ["receiver" "receivername" "toname" "company" "companyname" "tocompany" "customer" "customername"
        "deliveryname" "shippingcompany" "shiptoname" "recipient" "recipientname" "shippingname" "consignee"];
    ToContact "To contact" => Text(Field::To(AddressField::Contact)),
        ["contact" "contactname" "receivercontact" "attention" "attn" "deliverycontact" "shiptocontact"];
    ToPhone "To phone" => Text(Field::To(AddressField::Phone)),
        ["phone" "telephone" "mobile" "receiverphone" "contactphone" "deliveryphone" "shippingphone"
        "shiptophone" "phonenumber" "tel"];
    ToEmail "To e-mail" => Text(Field::To(AddressField::Email)),
        ["email" "receiveremail" "contactemail" "emailaddress" "deliveryemail" "shiptoemail"];
    ToLine1 "To address 1" => Text(Field::To(AddressField::Line1)),
        ["address" "address1" "addressline1" "toaddress" "toaddressline1" "street" "street1"
        "receiveraddress" "receiveraddress1" "deliveryaddress" "deliveryaddress1" "shippingaddress1" "shippingstreet"
        "shiptoaddress1" "shippingaddress"];
    ToLine2 "To address 2" => Text(Field::To(AddressField::Line2)),
        ["address2" "addressline2" "toaddressline2" "street2" "receiveraddress2" "deliveryaddress2"
        "shippingaddress2" "shiptoaddress2"];
    ToSuburb "To suburb" => Text(Field::To(AddressField::Place)),
        ["suburb" "city" "town" "tocity" "receiversuburb" "deliverysuburb" "shippingcity" "deliverycity"
        "shiptocity" "locality"];
    ToState "To state" => Text(Field::To(AddressField::Province)),
        ["state" "province" "toprovince" "receiverstate" "deliverystate" "shippingprovince" "shippingstate"
        "region" "shiptostate"];
    ToPostcode "To postcode" => Text(Field::To(AddressField::Postcode)),
        ["postcode" "zip" "zipcode" "postalcode" "pcode" "receiverpostcode" "deliverypostcode"
        "shippingzip" "shippingpostcode" "shiptopostcode"];
    ToCountry "To country" => Text(Field::To(AddressField::Country)),
        ["country" "countrycode" "tocountrycode" "receivercountry" "deliverycountry" "shippingcountry"
        "shiptocountry"];
    Instructions "Instructions" => Text(Field::Instructions),
        ["instruction" "specialinstructions" "deliveryinstructions" "notes" "comments" "comment"];
    Service "Service" => Routing,
        ["route" "routing" "servicechoice" "defaultrouteselection" "speed" "shippingmethod"];
    AuthorityToLeave "Authority to leave" => Question(Question::AuthorityToLeave),
        ["atl" "authoritytoleave" "authorisedtoleave" "authorizedtoleave" "leavesafe"];
    Tailgate "Tailgate" => Question(Question::Tailgate),
        ["taillift" "tailgaterequired" "hydraulictailgate"];
    Residential "Residential" => Question(Question::Residential),
        ["residentialdelivery" "isresidential" "home"];
    HandUnload "Hand unload" => Question(Question::HandUnload),
        ["handunloadrequired"];
    TrackingEmail "Tracking e-mail" => Flag(ConsignmentFlag::TrackingEmail),
        ["sendtrackingemail" "sendingtrackingemail" "asn"];
    ReceiverAccount "Receiver account" => Text(Field::ReceiverAccount),
        ["receiveraccountcode" "receiverpays" "receiverpaysaccount" "accountcode"];
    ItemType "Item type" => Text(Field::Goods(0, GoodsField::Type)),
        ["type" "packaging" "packagetype" "unit" "packagingtype" "packtype"];
    ItemName "Item name" => Text(Field::Goods(0, GoodsField::Name)),
        ["item" "description" "itemdescription" "goods" "product" "productname" "lineitemname" "contents"];
    Sku "SKU" => Text(Field::Goods(0, GoodsField::Sku)),
        ["itemsku" "productcode" "stockcode" "lineitemsku" "itemcode" "partnumber"];
    Quantity "Quantity" => Text(Field::Goods(0, GoodsField::Quantity)),
        ["qty" "count" "pieces" "itemquantity" "lineitemquantity" "cartons" "noofitems"];
    Weight "Weight kg" => Text(Field::Goods(0, GoodsField::Weight)),
        ["weight" "kg" "kgs" "weightkg" "weighteach" "itemweight" "eachkg" "unitweight" "kilograms"];
    Length "Length cm" => Text(Field::Goods(0, GoodsField::Length)), ["length" "l" "lcm" "lengthcm" "itemlength"];
    Width "Width cm" => Text(Field::Goods(0, GoodsField::Width)), ["width" "w" "wcm" "widthcm" "itemwidth"];
    Height "Height cm" => Text(Field::Goods(0, GoodsField::Height)), ["height" "h" "hcm" "heightcm" "itemheight"];
    Contents "Customs contents" => Text(Field::Contents(0, 0, ContentsField::Description)),
        ["customsdescription" "contentsdescription" "commercialdescription"];
    ContentsUnits "Customs units" => Text(Field::Contents(0, 0, ContentsField::Quantity)),
        ["customsquantity" "contentsquantity" "unitsinside"];
    ContentsValue "Customs value" => Text(Field::Contents(0, 0, ContentsField::Value)),
        ["customsvalueaud" "declaredvalue" "dollarvalue" "unitvalue" "valueaud"];
    ContentsPurpose "Customs purpose" => Text(Field::Contents(0, 0, ContentsField::Purpose)),
        ["purpose" "reasonforexport" "reasonforsending"];
    MadeIn "Made in" => Text(Field::Contents(0, 0, ContentsField::Country)),
        ["countryoforigin" "origin" "countryofmanufacture" "madeincountry"];
    HarmonisedCode "Harmonised code" => Text(Field::Contents(0, 0, ContentsField::HarmonisedCode)),
        ["harmonizedcode" "hscode" "hstariffnumber" "tariffcode"];
}

/// Folds a header to its lower-case letters and digits, so that `To e-mail` and `to_email` are equal.
pub(super) fn fold_header(header: &str) -> String {
    let letters = header.chars().filter(|letter| letter.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// Returns the column with this header, by the template's names or other common names.
pub(super) fn column_for_header(header: &str) -> Option<Column> {
    let header = fold_header(header);
    let all = || Column::ALL.iter().copied();
    all()
        .find(|column| fold_header(column.name()) == header)
        .or_else(|| all().find(|column| column.other_names().contains(&header.as_str())))
}

/// Returns the column that a field is filled from.
pub(super) fn column_for_field(field: Field) -> Option<Column> {
    let field = match field.in_line(0) {
        Field::From(_) => Field::From(AddressField::Saved),
        Field::To(AddressField::City) => Field::To(AddressField::Place),
        Field::Goods(_, GoodsField::SavedId) => Field::Goods(0, GoodsField::Sku),
        Field::Customs(_) => Field::Contents(0, 0, ContentsField::Description),
        Field::Contents(_, _, field) => Field::Contents(0, 0, field),
        other => other,
    };
    let mut all = Column::ALL.iter().copied();
    all.find(|column| column.target() == ColumnTarget::Text(field))
}

/// The order column of each column of the file; `None` for an unused one. Has one entry for each header.
pub type Mapping = Vec<Option<Column>>;

/// Guesses the mapping from the headers. Each order column is used once; the first matching header wins.
pub fn guess_mapping(sheet: &Sheet) -> Mapping {
    let mut taken = Vec::new();
    let guessed = sheet.headers.iter().map(|header| {
        let column = column_for_header(header).filter(|column| !taken.contains(column));
        taken.extend(column);
        column
    });
    guessed.collect()
}

impl Sheet {
    /// Returns a key for the set of headers, independent of their order.
    pub fn headers_key(&self) -> String {
        let mut names = self.names();
        names.retain(|name| !name.is_empty());
        names.sort();
        names.join("\n")
    }

    /// Returns the mapping by header, as it is saved.
    pub fn mapping_to_save(&self, mapping: &Mapping) -> Vec<(String, Option<Column>)> {
        self.names()
            .into_iter()
            .zip(mapping.iter().copied())
            .collect()
    }

    /// Restores the mapping that was saved for a file with the same headers.
    pub fn restore_mapping(&self, known: Vec<(String, Option<Column>)>) -> Mapping {
        let known: HashMap<_, _> = known.into_iter().collect();
        let names = self.names().into_iter();
        names
            .map(|name| known.get(&name).copied().flatten())
            .collect()
    }

    /// Returns a unique name for each header: repeated headers get a number.
    fn names(&self) -> Vec<String> {
        let mut seen: HashMap<String, usize> = HashMap::new();
        let names = self.headers.iter().map(|header| {
            let name = fold_header(header);
            let count = seen.entry(name.clone()).or_default();
            *count += 1;
            match (*count, name.is_empty()) {
                (1, _) | (_, true) => name,
                (count, false) => format!("{name} {count}"),
            }
        });
        names.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_flag_can_be_imported() {
        for flag in ConsignmentFlag::ALL {
            let target = ColumnTarget::Flag(*flag);
            let has_column = Column::ALL.iter().any(|column| column.target() == target);
            assert!(has_column, "{flag:?} has no column");
        }
    }
}
