//! The evidence that the weight of a goods line was read from a scale, for a dispute about that weight.

use std::fmt;

use jiff::Zoned;
use serde::{Deserialize, Serialize};

use super::{Draft, GoodsLine};

/// A weight that was read from a scale.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Weighing {
    /// When the weight was read. The zone is the bench's offset from UTC, which every version can read.
    pub at: Zoned,
    /// The name of the scale.
    pub scale: String,
    /// The weight with the scale's own unit and digits, such as `5.50 lb`.
    pub reading: String,
    /// The weight in kilograms, as it was written into the field.
    pub kilograms: String,
    /// The bytes that the scale sent. Bytes that can't be printed are escaped: `\x02`.
    pub telegram: String,
}

impl fmt::Display for Weighing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = self.at.strftime("%Y-%m-%d %H:%M:%S %:z");
        let Self {
            scale,
            reading,
            telegram,
            ..
        } = self;
        write!(f, "{reading} on {scale}, {at}, received “{telegram}”")
    }
}

impl GoodsLine {
    /// Sets the weight to one that was read from a scale.
    pub fn set_weighing(&mut self, weighing: Weighing) {
        self.weight.clone_from(&weighing.kilograms);
        self.weighed = Some(weighing);
    }

    /// Returns the evidence of the weight if it was read from a scale, and not changed since.
    pub fn weighing(&self) -> Option<&Weighing> {
        { self.weighed.as_ref() }.filter(|weighing| weighing.kilograms == self.weight.trim())
    }
}

impl Draft {
    /// Returns the evidence of all weights that were read from a scale, as a text for the journal. The text is empty
    /// if all weights were typed.
    pub fn weighings(&self) -> String {
        let lines = self.goods.iter().enumerate();
        let weighed = lines.filter_map(|(at, line)| {
            let weighing = line.weighing()?;
            Some(format!("Line {} weighed: {weighing}", at + 1))
        });
        weighed.collect::<Vec<_>>().join("\n")
    }
}
