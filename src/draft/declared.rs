//! The declaration of dangerous goods: of these goods, and no others.
//!
//! What always holds: where a dangerous good is added, changed or taken away after the clerk declared, nothing is declared;
//! where the goods are again what they were, they are. How many pieces a line has and in which order lines stand changes
//! nothing.

use sha2::{Digest as _, Sha256};

use super::dangerous::DgLine;
use super::{Draft, GoodsLine};

impl Draft {
    /// The clerk declares the dangerous goods as they are now, or takes it back.
    pub fn declare(&mut self, declared: bool) {
        self.dangerous_goods_declared = declared;
        self.declared_goods = if declared { self.goods_digest() } else { 0 };
    }

    /// True where the clerk declared the dangerous goods that are in it now.
    pub fn is_declared(&self) -> bool {
        self.dangerous_goods_declared && self.declared_goods == self.goods_digest()
    }

    /// The same for the same dangerous goods, in whichever lines.
    fn goods_digest(&self) -> u64 {
        let dangerous = self
            .goods
            .iter()
            .filter(|line| line.holds_dangerous_goods());
        dangerous.map(digest).fold(0, u64::wrapping_add)
    }
}

fn digest(line: &GoodsLine) -> u64 {
    let mut hash = Sha256::new();
    if line.brings_dangerous_goods() {
        put(&mut hash, &line.sku.to_ascii_lowercase());
        put(&mut hash, &line.item_id);
    }
    for good in &line.dangerous {
        put_good(&mut hash, good);
    }
    let mut first = [0; 8];
    first.copy_from_slice(&hash.finalize()[..8]);
    u64::from_be_bytes(first)
}

/// What the clerk declares of a good; what the lookup adds to it by itself is no news.
fn put_good(hash: &mut Sha256, good: &DgLine) {
    for text in [
        &good.stored,
        good.digits(),
        &good.containers,
        &good.amount,
        &good.flash_point,
        &good.hazchem,
        &good.technical_name,
    ] {
        put(hash, text);
    }
    let group = good.packing_group.map_or("", |group| group.label());
    put(hash, group);
    put(hash, good.class.map_or("", |class| class.label()));
    put(hash, good.container.map_or("", |kind| kind.label()));
    hash.update(
        [
            good.litres,
            good.marine_pollutant,
            good.temperature_controlled,
            good.empty_uncleaned,
        ]
        .map(u8::from),
    );
}

/// With an end of its own, so that two texts are not taken for one.
fn put(hash: &mut Sha256, text: &str) {
    hash.update(text.trim());
    hash.update([0x1f]);
}
