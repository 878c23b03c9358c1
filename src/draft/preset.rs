//! Presets: goods, options and a carrier that a clerk fills in with one key.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::field::{ConsignmentFlag, ConsignmentFlags, PresetTexts, preset_texts};
use super::goods::{GoodsLine, SavedItem};
use super::text::counted;
use super::{CustomValueLine, Draft, GoodsTotals, Routing};
use shipping::Question;

/// The values that a preset fills in. Values that the preset has replace typed values; everything else stays,
/// including addresses and references.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Preset {
    /// The name; unique among presets.
    pub name: String,
    /// The digit of the shortcut Ctrl+Shift+1 to 9; 0 means no shortcut.
    pub digit: u8,
    /// Lines of goods; empty leaves the draft's lines.
    pub goods: Vec<GoodsLine>,
    pub questions: BTreeSet<Question>,
    #[serde(flatten)]
    pub flags: ConsignmentFlags,
    #[serde(flatten)]
    pub texts: PresetTexts,
    pub custom_values: Vec<CustomValueLine>,
    pub routing: Routing,
}

/// The options for which an order says yes or no.
#[derive(Debug, Default)]
pub(crate) struct StatedOptions {
    pub(crate) questions: BTreeSet<Question>,
    pub(crate) flags: Vec<ConsignmentFlag>,
}

impl Preset {
    /// Creates a preset from a draft. Leaves out untouched lines and everything that belongs to one
    /// consignment: delegated references, price and arrival.
    pub fn from_draft(draft: &Draft, name: &str, digit: u8) -> Self {
        let blank = GoodsLine::default();
        let typed = draft.goods.iter().filter(|line| **line != blank);
        let goods = typed.map(|line| GoodsLine {
            references: String::new(),
            weighed: None,
            of_item: None,
            ..line.clone()
        });
        let mut routing = draft.routing.clone();
        if let Routing::Chosen(route) = &mut routing {
            (route.price, route.eta) = (None, None);
        }
        let mut preset = Self {
            name: name.trim().to_owned(),
            digit,
            goods: goods.collect(),
            questions: draft.questions.clone(),
            flags: draft.flags,
            custom_values: draft.custom_values.clone(),
            routing,
            ..Self::default()
        };
        for (option, _) in preset_texts() {
            (option.kept_mut)(&mut preset.texts).clone_from((option.value)(draft));
        }
        preset
    }

    /// Describes the contents: `2 lines, 3 pieces, 24 kg · Tailgate · Cheapest`.
    pub fn describe(&self) -> String {
        let mut held = Vec::new();
        if !self.goods.is_empty() {
            let GoodsTotals { pieces, weight, .. } = GoodsTotals::of(&self.goods);
            let lines = counted(self.goods.len(), "line");
            let pieces = counted(pieces as usize, "piece");
            held.push(format!("{lines}, {pieces}, {} kg", weight.0.normalize()));
        }
        held.extend(self.questions.iter().map(|one| one.label().to_owned()));
        held.extend(self.flags.iter().map(|flag| flag.row().label.to_owned()));
        let texts =
            preset_texts().filter(|(option, _)| !(option.kept)(&self.texts).trim().is_empty());
        held.extend(texts.map(|(_, label)| label.to_owned()));
        if !self.custom_values.is_empty() {
            held.push("Carrier's options".to_owned());
        }
        held.extend(Some(self.routing.label()).filter(|label| !label.is_empty()));
        if held.is_empty() {
            held.push("Empty preset".to_owned());
        }
        held.join(" · ")
    }

    /// Fills the preset's options and carrier choice into an order, where the order does not say otherwise.
    pub(crate) fn complete(&self, draft: &mut Draft, stated: &StatedOptions) {
        for (option, _) in preset_texts() {
            let text = (option.kept)(&self.texts);
            if (option.value)(draft).trim().is_empty() {
                (option.value_mut)(draft).clone_from(text);
            }
        }
        for flag in self.flags.iter() {
            if !stated.flags.contains(&flag) {
                *draft.flags.value_mut(flag) = true;
            }
        }
        let is_open = |question: &&Question| !stated.questions.contains(question);
        draft
            .questions
            .extend(self.questions.iter().filter(is_open));
        if draft.custom_values.is_empty() {
            draft.custom_values.clone_from(&self.custom_values);
        }
        if draft.routing == Routing::Unchosen {
            draft.routing.clone_from(&self.routing);
        }
    }

    /// Fills the preset's values into a draft; `items` are the saved items that the bench knows. Resets the
    /// declaration of dangerous goods, which each consignment needs anew.
    pub fn apply_to(&self, draft: &mut Draft, items: &[SavedItem]) {
        let preset = self.clone();
        for (option, _) in preset_texts() {
            let text = (option.kept)(&preset.texts);
            if !text.trim().is_empty() {
                (option.value_mut)(draft).clone_from(text);
            }
        }
        for flag in preset.flags.iter() {
            *draft.flags.value_mut(flag) = true;
        }
        if !preset.goods.is_empty() {
            draft.goods = preset.goods;
        }
        if !preset.questions.is_empty() {
            draft.questions = preset.questions;
        }
        if !preset.custom_values.is_empty() {
            draft.custom_values = preset.custom_values;
        }
        if preset.routing != Routing::Unchosen {
            draft.routing = preset.routing;
        }
        draft.declare(false);
        draft.recall(items);
    }
}
