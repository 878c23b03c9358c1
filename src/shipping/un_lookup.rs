//! UN number lookup: the service returns an entry for each packing group of a number.

use serde::{Deserialize, Deserializer, Serialize};

use super::dangerous_goods::{DgClass, DgItem, PackingGroup, UnNumber};
use super::lenient;

/// A lookup entry. UN number, packing group and class belong together and are never typed separately.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UnLookupEntry {
    #[serde(deserialize_with = "un_number")]
    pub un_number: UnNumber,
    /// The proper shipping name.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub name: String,
    /// The service's name of the packing group.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub packing_group_name: String,
    #[serde(default, deserialize_with = "lenient::numbered")]
    pub packing_group: Option<PackingGroup>,
    /// All classes, including the primary class.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub classes: Vec<UnClass>,
    #[serde(default)]
    pub class: Option<UnClass>,
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub sub_classes: Vec<UnClass>,
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub requires_technical_name: bool,
    /// The classes as one text.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub classes_for_display: String,
    /// The subsidiary risks as one text.
    #[serde(default, deserialize_with = "lenient::text_or_nothing")]
    pub sub_classes_for_display: Option<String>,
}

/// A class in a lookup entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UnClass {
    /// Like `3` or `5.1`.
    #[serde(default, deserialize_with = "lenient::text_or_default")]
    pub class: String,
    /// The interface's number of the class; `None` if it is outside the interface's list.
    #[serde(default, deserialize_with = "lenient::numbered")]
    pub class_type: Option<DgClass>,
    /// Like `1` in 5.1, if there is one.
    #[serde(default, deserialize_with = "lenient::text_or_nothing")]
    pub division: Option<String>,
    /// The text on the placard.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub label: String,
    /// Whether the class is a subsidiary risk.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub sub_risk: bool,
}

impl UnLookupEntry {
    /// Copies number, packing group and classes into a dangerous goods item, as enum numbers.
    pub fn fill_dg_item(&self, item: &mut DgItem) {
        item.un_number = Some(self.un_number);
        item.packing_group = self.packing_group;
        item.dg_class_type = self.class.as_ref().and_then(|class| class.class_type);
        item.sub_dg_class_types = self
            .sub_classes
            .iter()
            .filter_map(|class| class.class_type)
            .collect();
    }
}

fn un_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<UnNumber, D::Error> {
    let number = lenient::integer(deserializer)?;
    u16::try_from(number)
        .ok()
        .and_then(UnNumber::new)
        .ok_or_else(|| serde::de::Error::custom("no UN number"))
}
