//! Presets: goods, options and carrier that a clerk fills in at one key.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::goods::GoodsLine;
use super::{CustomLine, Draft, Routing};
use crate::shipping::Question;

/// What a preset fills in; addresses and references stay as they are.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Preset {
    /// Its name; no two have the same.
    pub name: String,
    /// Its key: Ctrl, Shift and this digit (1 to 9); none where 0.
    pub digit: u8,
    /// The goods; none leave those of the draft.
    pub goods: Vec<GoodsLine>,
    /// Surcharge groups and flags.
    pub questions: BTreeSet<Question>,
    /// Send the receiver a tracking e-mail.
    pub tracking_email: bool,
    /// Steers printing rules at the service.
    pub printer_token: String,
    /// Instruction to the carrier.
    pub instructions: String,
    /// Carrier's own options.
    pub custom_values: Vec<CustomLine>,
    /// The carrier.
    pub routing: Routing,
}

impl Preset {
    /// What a draft holds of it, under a name and a key.
    pub fn of(draft: &Draft, name: &str, digit: u8) -> Self {
        Self {
            name: name.trim().to_owned(),
            digit,
            goods: draft.goods.clone(),
            questions: draft.questions.clone(),
            tracking_email: draft.tracking_email,
            printer_token: draft.printer_token.clone(),
            instructions: draft.instructions.clone(),
            custom_values: draft.custom_values.clone(),
            routing: draft.routing.clone(),
        }
    }

    /// Fills a draft in. A declaration of dangerous goods is made anew for each consignment.
    pub fn fill(&self, draft: &mut Draft) {
        let preset = self.clone();
        if !preset.goods.is_empty() {
            draft.goods = preset.goods;
        }
        draft.questions = preset.questions;
        draft.tracking_email = preset.tracking_email;
        draft.printer_token = preset.printer_token;
        draft.instructions = preset.instructions;
        draft.custom_values = preset.custom_values;
        draft.routing = preset.routing;
        draft.dangerous_goods_declared = false;
    }
}
