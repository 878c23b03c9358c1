//! The items of a consignment as the service returns them, with their dangerous goods and customs contents.

use super::dangerous_goods::{ContainerType, DgClass, PackingGroup};
use super::goods::StandardItem;
use super::ids::{CompanyDgItemId, CompanyItemId};
use super::lenient::{self, lenient_record, published_too};
use super::values::{Celsius, Centimetres, Dollars, Kilograms, Quantity};

lenient_record! {
    /// An item of a consignment, as the service returns it. Dimensions may be on the item or nested;
    /// [`Self::size`] hides the difference.
    #[serde(remote = "Self")]
    pub struct ConsignmentItem {
        /// The saved item that this item was made from.
        pub company_item_id: Option<CompanyItemId>,
        /// The packaging kind: a name, or a number that the bench does not know.
        pub item_type: String,
        pub name: String,
        pub sku: Option<String>,
        #[serde(default, deserialize_with = "lenient::count_or_nothing")]
        pub quantity: Option<i64>,
        weight: Option<Kilograms>,
        length: Option<Centimetres>,
        width: Option<Centimetres>,
        height: Option<Centimetres>,
        standard_item: Option<StandardItem>,
        pub pallet_spaces: Option<Quantity>,
        /// Barcodes, one for each unit of the quantity.
        #[serde(default, deserialize_with = "lenient::references_or_default")]
        pub references: Vec<String>,
        #[serde(default, deserialize_with = "lenient::references_or_default", skip_serializing)]
        item_references: Vec<String>,
        #[serde(default, deserialize_with = "lenient::or_default")]
        pub consignment_item_dg_items: Vec<ConsignmentDgItem>,
        /// Customs contents.
        #[serde(default, deserialize_with = "lenient::or_default")]
        pub consignment_item_contents: Vec<ConsignmentItemContents>,
    }
}

published_too!(ConsignmentItem, ConsignmentDgItem, ConsignmentItemContents);

impl ConsignmentItem {
    fn merge_alternate_fields(&mut self) {
        let published = std::mem::take(&mut self.item_references);
        if self.references.is_empty() {
            self.references = published;
        }
    }

    /// Returns the weight and dimensions of one unit, from either shape.
    pub fn size(&self) -> StandardItem {
        let own = StandardItem {
            weight: self.weight,
            length: self.length,
            width: self.width,
            height: self.height,
        };
        own.or(self.standard_item)
    }
}

lenient_record! {
    /// A dangerous good in an item, as the service returns it.
    #[serde(remote = "Self")]
    pub struct ConsignmentDgItem {
        #[serde(default, deserialize_with = "lenient::integer_or_nothing")]
        pub un_number: Option<i64>,
        pub proper_shipping_name: String,
        #[serde(default, deserialize_with = "lenient::numbered")]
        pub packing_group: Option<PackingGroup>,
        /// The primary class; `None` if the number is outside the service's list.
        #[serde(default, deserialize_with = "lenient::numbered")]
        pub dg_class_type: Option<DgClass>,
        #[serde(default, deserialize_with = "lenient::all_numbered")]
        pub sub_dg_class_types: Vec<DgClass>,
        /// The kind of inner receptacle.
        #[serde(default, deserialize_with = "lenient::numbered")]
        pub container_type: Option<ContainerType>,
        /// The number of inner receptacles in each package.
        #[serde(default, deserialize_with = "lenient::count_or_nothing")]
        pub number_of_containers: Option<i64>,
        /// The amount, in kilograms or litres.
        pub aggregate_quantity: Option<Quantity>,
        /// True for kilograms, false for litres.
        pub is_aggregate_quantity_weight: bool,
        /// Technical or chemical group names. The service sends one as text, several as a list.
        #[serde(rename = "TechnicalOrChemicalGroupNames", default, deserialize_with = "lenient::one_or_more_texts")]
        pub technical_or_chemical_group_names: Vec<String>,
        #[serde(rename = "technicalOrChemicalGroupNames", default, deserialize_with = "lenient::one_or_more_texts", skip_serializing)]
        technical_names: Vec<String>,
        pub is_marine_pollutant: bool,
        pub is_temperature_controlled: bool,
        /// Whether the container is empty but not cleaned.
        pub is_empty_dg_container: bool,
        /// The saved DG item that this DG item was made from.
        pub company_dg_item_id: Option<CompanyDgItemId>,
        /// The service's id of the Hazchem code.
        #[serde(default, deserialize_with = "lenient::integer_or_nothing")]
        pub dg_hazchem_id: Option<i64>,
        pub hazchem: Option<String>,
        /// The Hazchem code as a record: its id and the code.
        #[serde(default, deserialize_with = "lenient::hazchem_or_nothing", skip_serializing)]
        dg_hazchem: Option<(Option<i64>, String)>,
        /// In °C.
        pub flashpoint: Option<Celsius>,
    }
}

impl ConsignmentDgItem {
    fn merge_alternate_fields(&mut self) {
        let names = std::mem::take(&mut self.technical_names);
        if self.technical_or_chemical_group_names.is_empty() {
            self.technical_or_chemical_group_names = names;
        }
        if let Some((id, code)) = self.dg_hazchem.take() {
            self.dg_hazchem_id = self.dg_hazchem_id.or(id);
            let code = Some(code).filter(|code| !code.is_empty());
            self.hazchem = self.hazchem.take().or(code);
        }
    }
}

lenient_record! {
    /// The customs contents of an item, as the service returns them.
    #[serde(remote = "Self")]
    pub struct ConsignmentItemContents {
        pub description: String,
        /// Identifies the goods, or their invoice or order.
        pub reference1: Option<String>,
        pub reference2: Option<String>,
        pub reference3: Option<String>,
        /// Marks and numbers on the packages.
        pub ci_marks_and_numbers: Option<String>,
        pub part_number: Option<String>,
        /// Physical units inside the item.
        #[serde(default, deserialize_with = "lenient::count_or_nothing")]
        pub quantity: Option<i64>,
        /// The customs tariff code.
        pub harmonized_code: Option<String>,
        /// The reason for sending.
        pub purpose: Option<String>,
        /// Two or three letters.
        pub country_of_manufacture_code: Option<String>,
        #[serde_with(skip_apply)]
        #[serde(default, deserialize_with = "lenient::country_or_nothing", skip_serializing)]
        country_of_manufacture: Option<String>,
        /// The commercial value in Australian dollars.
        pub dollar_value: Option<Dollars>,
    }
}

impl ConsignmentItemContents {
    fn merge_alternate_fields(&mut self) {
        let published = self.country_of_manufacture.take();
        self.country_of_manufacture_code = self.country_of_manufacture_code.take().or(published);
    }
}
