//! The columns of an order file: their names in the template, and other names that are recognised.

use serde::{Deserialize, Serialize};

/// Defines the columns: variant, name in the template, and other names (lower-case letters and digits only).
macro_rules! columns {
    ($($column:ident $name:literal [$($other:literal)*];)+) => {
        /// A column of an order file.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
        pub enum Column {
            $(#[doc = $name] $column,)+
        }

        impl Column {
            /// All columns, in the template's order.
            pub const ALL: &'static [Self] = &[$(Self::$column),+];

            /// Returns the column's name in the template.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$column => $name),+ }
            }

            const fn other_names(self) -> &'static [&'static str] {
                match self { $(Self::$column => &[$($other),*]),+ }
            }
        }
    };
}

columns! {
    Reference "Reference" ["ref" "reference1" "ordernumber" "orderno" "order" "orderid" "orderref" "orderreference" "ordernr"
        "customerreference" "salesorder" "salesordernumber" "name" "invoicenumber"];
    Reference2 "Reference 2" ["ref2" "secondreference" "customerreference2" "ponumber" "purchaseorder" "po"];
    From "From" ["fromabbreviation" "sender" "senderabbreviation" "pickup" "warehouse" "fromlocation" "despatchfrom"];
    To "To" ["toabbreviation" "receiverabbreviation" "tolocation" "receivercode" "customercode" "locationcode"];
    ToName "To name" ["receiver" "receivername" "toname" "company" "companyname" "tocompany" "customer" "customername"
        "deliveryname" "shippingcompany" "shiptoname" "recipient" "recipientname" "shippingname" "consignee"];
    ToContact "To contact" ["contact" "contactname" "receivercontact" "attention" "attn" "deliverycontact" "shiptocontact"];
    ToPhone "To phone" ["phone" "telephone" "mobile" "receiverphone" "contactphone" "deliveryphone" "shippingphone"
        "shiptophone" "phonenumber" "tel"];
    ToEmail "To e-mail" ["email" "receiveremail" "contactemail" "emailaddress" "deliveryemail" "shiptoemail"];
    ToLine1 "To address 1" ["address" "address1" "addressline1" "toaddress" "toaddressline1" "street" "street1"
        "receiveraddress" "receiveraddress1" "deliveryaddress" "deliveryaddress1" "shippingaddress1" "shippingstreet"
        "shiptoaddress1" "shippingaddress"];
    ToLine2 "To address 2" ["address2" "addressline2" "toaddressline2" "street2" "receiveraddress2" "deliveryaddress2"
        "shippingaddress2" "shiptoaddress2"];
    ToSuburb "To suburb" ["suburb" "city" "town" "tocity" "receiversuburb" "deliverysuburb" "shippingcity" "deliverycity"
        "shiptocity" "locality"];
    ToState "To state" ["state" "province" "toprovince" "receiverstate" "deliverystate" "shippingprovince" "shippingstate"
        "region" "shiptostate"];
    ToPostcode "To postcode" ["postcode" "zip" "zipcode" "postalcode" "pcode" "receiverpostcode" "deliverypostcode"
        "shippingzip" "shippingpostcode" "shiptopostcode"];
    ToCountry "To country" ["country" "countrycode" "tocountrycode" "receivercountry" "deliverycountry" "shippingcountry"
        "shiptocountry"];
    Instructions "Instructions" ["instruction" "specialinstructions" "deliveryinstructions" "notes" "comments" "comment"];
    Service "Service" ["route" "routing" "servicechoice" "defaultrouteselection" "speed" "shippingmethod"];
    AuthorityToLeave "Authority to leave" ["atl" "authoritytoleave" "authorisedtoleave" "authorizedtoleave" "leavesafe"];
    Tailgate "Tailgate" ["taillift" "tailgaterequired" "hydraulictailgate"];
    Residential "Residential" ["residentialdelivery" "isresidential" "home"];
    HandUnload "Hand unload" ["handunloadrequired"];
    TrackingEmail "Tracking e-mail" ["sendtrackingemail" "sendingtrackingemail" "asn"];
    ReceiverAccount "Receiver account" ["receiveraccountcode" "receiverpays" "receiverpaysaccount" "accountcode"];
    ItemType "Item type" ["type" "packaging" "packagetype" "unit" "packagingtype" "packtype"];
    ItemName "Item name" ["item" "description" "itemdescription" "goods" "product" "productname" "lineitemname" "contents"];
    Sku "SKU" ["itemsku" "productcode" "stockcode" "lineitemsku" "itemcode" "partnumber"];
    Quantity "Quantity" ["qty" "count" "pieces" "itemquantity" "lineitemquantity" "cartons" "noofitems"];
    Weight "Weight kg" ["weight" "kg" "kgs" "weightkg" "weighteach" "itemweight" "eachkg" "unitweight" "kilograms"];
    Length "Length cm" ["length" "l" "lcm" "lengthcm" "itemlength"];
    Width "Width cm" ["width" "w" "wcm" "widthcm" "itemwidth"];
    Height "Height cm" ["height" "h" "hcm" "heightcm" "itemheight"];
    Contents "Customs contents" ["customsdescription" "contentsdescription" "commercialdescription"];
    ContentsUnits "Customs units" ["customsquantity" "contentsquantity" "unitsinside"];
    ContentsValue "Customs value" ["customsvalueaud" "declaredvalue" "dollarvalue" "unitvalue" "valueaud"];
    ContentsPurpose "Customs purpose" ["purpose" "reasonforexport" "reasonforsending"];
    MadeIn "Made in" ["countryoforigin" "origin" "countryofmanufacture" "madeincountry"];
    HarmonisedCode "Harmonised code" ["harmonizedcode" "hscode" "hstariffnumber" "tariffcode"];
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
