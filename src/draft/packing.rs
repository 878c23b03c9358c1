//! Packing an order by scan: the ordered and the packed pieces of each SKU.
//!
//! The goods lines keep the ordered quantities. [`Draft::as_packed`] makes the draft that is sent, with the packed ones.

use serde::{Deserialize, Serialize};

use super::field::{GoodsField, RecordField as _};
use super::goods::is_same_sku;
use super::text::counted;
use super::{Draft, GoodsLine};

/// The state of an order that is packed by scan.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Packing {
    /// A line for each SKU, in the order of the goods.
    pub lines: Vec<PackingLine>,
    /// Why fewer pieces are sent than ordered. Empty until the clerk gives a reason, and after each change of the counts.
    pub reason: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct PackingLine {
    pub sku: String,
    pub name: String,
    /// The ordered pieces.
    pub expected: u32,
    pub packed: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PackingState {
    /// No piece is packed yet.
    NotStarted,
    Partly,
    Complete,
    /// More pieces are packed than ordered, because the ordered quantity was changed.
    TooMany,
}

/// The result of scanning an item of an order that is being packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PackOutcome {
    /// The pieces were added to the line at this index.
    Counted(usize),
    /// The order has no such SKU. Nothing was counted.
    NotOrdered,
    /// The line at this index would have more pieces than ordered. Nothing was counted.
    Surplus(usize),
}

impl PackingLine {
    pub const fn missing(&self) -> u32 {
        self.expected.saturating_sub(self.packed)
    }

    pub fn state(&self) -> PackingState {
        match self.packed {
            packed if packed > self.expected => PackingState::TooMany,
            packed if packed == self.expected => PackingState::Complete,
            0 => PackingState::NotStarted,
            _ => PackingState::Partly,
        }
    }
}

impl Packing {
    /// Returns the pieces that are packed, and those that are ordered.
    pub fn pieces(&self) -> (u32, u32) {
        self.lines.iter().fold((0, 0), |(packed, expected), line| {
            (
                packed.saturating_add(line.packed),
                expected.saturating_add(line.expected),
            )
        })
    }

    pub fn is_complete(&self) -> bool {
        { self.lines.iter() }.all(|line| line.state() == PackingState::Complete)
    }

    /// Returns whether fewer pieces are packed than ordered.
    pub fn is_short(&self) -> bool {
        self.lines.iter().any(|line| line.missing() > 0)
    }

    /// Returns the index of the line with this SKU.
    pub fn find(&self, sku: &str) -> Option<usize> {
        let mut lines = self.lines.iter();
        lines.position(|line| is_same_sku(&line.sku, sku.trim()))
    }

    /// Counts pieces of an SKU, all of them or none.
    pub fn count(&mut self, sku: &str, pieces: u32) -> PackOutcome {
        let Some(at) = self.find(sku) else {
            return PackOutcome::NotOrdered;
        };
        let line = &mut self.lines[at];
        if pieces > line.missing() {
            return PackOutcome::Surplus(at);
        }
        line.packed += pieces;
        self.reason.clear();
        PackOutcome::Counted(at)
    }

    /// Takes one piece of the line at this index back. Does nothing if no piece is packed.
    pub fn take_back(&mut self, at: usize) {
        if let Some(line) = self.lines.get_mut(at)
            && line.packed > 0
        {
            line.packed -= 1;
            self.reason.clear();
        }
    }

    /// Makes the goods lines with SKUs the ordered ones. Packed pieces stay counted. A line whose quantity can't be read
    /// leaves its SKU as it was.
    fn follow(&mut self, goods: &[GoodsLine]) {
        let mut lines: Vec<PackingLine> = Vec::new();
        for line in goods {
            let sku = line.sku.trim();
            let before = self.find(sku).map(|at| &self.lines[at]);
            let count = line.count().or(before.map(|before| before.expected));
            let (false, Some(count)) = (sku.is_empty(), count) else {
                continue;
            };
            let known = lines.iter().position(|known| is_same_sku(&known.sku, sku));
            let Some(known) = known else {
                lines.push(PackingLine {
                    sku: sku.to_owned(),
                    name: name(line),
                    expected: count,
                    packed: before.map_or(0, |before| before.packed),
                });
                continue;
            };
            let known = &mut lines[known];
            known.expected = known.expected.saturating_add(count);
        }
        for line in &self.lines {
            let is_gone = !lines.iter().any(|known| is_same_sku(&known.sku, &line.sku));
            if is_gone && line.packed > 0 {
                lines.push(PackingLine {
                    expected: 0,
                    ..line.clone()
                });
            }
        }
        if self.lines != lines {
            self.lines = lines;
            self.reason.clear();
        }
    }
}

/// Returns the name of the goods, typed or saved.
fn name(line: &GoodsLine) -> String {
    match line.name.trim() {
        "" => line.saved_value(GoodsField::Name).unwrap_or_default(),
        name => name.to_owned(),
    }
}

impl Draft {
    /// Returns whether the order can be packed by scan: it is new, and has goods with SKUs.
    pub fn can_be_packed(&self) -> bool {
        let has_sku = |line: &GoodsLine| !line.sku.trim().is_empty() && line.count().is_some();
        self.edits.is_none() && self.goods.iter().any(has_sku)
    }

    /// Begins packing by scan, if that is possible and it has not begun yet.
    pub fn begin_packing(&mut self) {
        if self.packing.is_none() && self.can_be_packed() {
            self.packing = Some(Packing::default());
            self.follow_goods();
        }
    }

    /// Brings the ordered pieces of a packing up to date with the goods lines.
    pub fn follow_goods(&mut self) {
        if let Some(packing) = &mut self.packing {
            packing.follow(&self.goods);
        }
    }

    /// Returns the draft as it is sent: the goods lines have the packed pieces, and lines without any are left out.
    /// Without packing by scan, this is the draft as it is.
    #[must_use]
    pub fn as_packed(&self) -> Self {
        let mut sent = self.clone();
        let Some(packing) = &self.packing else {
            return sent;
        };
        let mut left: Vec<u32> = packing.lines.iter().map(|line| line.packed).collect();
        sent.goods.retain_mut(|line| {
            let (Some(at), Some(ordered)) = (packing.find(&line.sku), line.count()) else {
                return true;
            };
            let packed = ordered.min(left[at]);
            left[at] -= packed;
            if packed < ordered {
                GoodsField::Quantity.set_text(line, packed.to_string());
                // The first pieces keep their references.
                let kept: Vec<_> = line.references().take(packed as usize).collect();
                line.references = kept.join(" ");
            }
            packed > 0
        });
        if self.is_declared() {
            // The declaration holds for the goods that remain.
            sent.declare(true);
        }
        sent
    }

    /// Returns why the order can't be sent as it is packed; `None` if it can.
    pub fn packing_problem(&self) -> Option<String> {
        let packing = self.packing.as_ref()?;
        let mut lines = packing.lines.iter();
        if let Some(line) = lines.find(|line| line.state() == PackingState::TooMany) {
            let PackingLine { sku, .. } = line;
            return Some(format!(
                "More pieces of {sku} are packed than ordered. Take them back, or change the quantity"
            ));
        }
        let sent = self.as_packed();
        if sent.goods.is_empty() {
            return Some("No piece is packed yet".to_owned());
        }
        let changed = sent.goods.iter().find(|line| {
            let mut ordered = self.goods.iter();
            line.has_dangerous_goods() && !ordered.any(|ordered| ordered == *line)
        });
        let GoodsLine { sku, .. } = changed?;
        Some(format!(
            "{sku} contains dangerous goods. Change its quantity and its amounts to what is packed"
        ))
    }

    /// Returns the evidence of weights that were read from a scale and of packing by scan, as a text for the journal. The
    /// text is empty if there is none.
    pub fn evidence(&self) -> String {
        let mut texts = vec![self.weighings()];
        if let Some(packing) = &self.packing {
            let lines = packing.lines.iter();
            let lines: Vec<_> = lines
                .map(|line| format!("{} {} of {}", line.sku, line.packed, line.expected))
                .collect();
            texts.push(format!("Packed by scan: {}", lines.join(", ")));
            if !packing.reason.is_empty() {
                let missing: u32 = packing.lines.iter().map(PackingLine::missing).sum();
                let missing = counted(missing as usize, "piece");
                texts.push(format!("Sent without {missing}: {}", packing.reason));
            }
        }
        texts.retain(|text| !text.is_empty());
        texts.join("\n")
    }
}
