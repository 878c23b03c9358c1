//! What the service knows of a UN number ("Dangerous goods lookup entry"): one entry for each of its packing groups.

use serde::{Deserialize, Deserializer, Serialize};

use super::dangerous_goods::{DgClass, DgItem, PackingGroup, UnNumber};
use super::lenient;

/// One lookup entry: UN number, packing group and class belong together and are never typed apart.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UnEntry {
    /// The number.
    #[serde(deserialize_with = "un_number")]
    pub un_number: UnNumber,
    /// Proper shipping name.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub name: String,
    /// The group in the service's words.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub packing_group_name: String,
    /// The group.
    #[serde(default, deserialize_with = "lenient::numbered")]
    pub packing_group: Option<PackingGroup>,
    /// All classes, the primary one among them.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub classes: Vec<UnClass>,
    /// The primary class.
    #[serde(default)]
    pub class: Option<UnClass>,
    /// Subsidiary risks.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub sub_classes: Vec<UnClass>,
    /// True where a technical name is obligatory.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub requires_technical_name: bool,
    /// The classes in one text.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub classes_for_display: String,
    /// The subsidiary risks in one text.
    #[serde(default, deserialize_with = "lenient::text_or_nothing")]
    pub sub_classes_for_display: Option<String>,
}

/// A class of an entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UnClass {
    /// `3`, `5.1` …
    #[serde(default, deserialize_with = "lenient::text_or_default")]
    pub class: String,
    /// By the interface's number; nothing where it is outside its list.
    #[serde(default, deserialize_with = "lenient::numbered")]
    pub class_type: Option<DgClass>,
    /// `1` of 5.1, where there is one.
    #[serde(default, deserialize_with = "lenient::text_or_nothing")]
    pub division: Option<String>,
    /// What the placard says.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub label: String,
    /// True for a subsidiary risk.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub sub_risk: bool,
}

impl UnEntry {
    /// Takes number, packing group and classes over into a dangerous goods item ("Operation rules", 2): enum numbers, not
    /// labels.
    pub fn fill(&self, item: &mut DgItem) {
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
