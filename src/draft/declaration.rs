//! The clerk's declaration of dangerous goods, which covers exactly the goods at the time of declaring.
//!
//! Invariant: adding, changing or removing a dangerous good voids the declaration; restoring the same goods
//! restores it. The quantity and the order of lines do not matter.

use sha2::{Digest as _, Sha256};

use super::dg_line::DgLine;
use super::{Draft, GoodsLine};

impl Draft {
    /// Declares the current dangerous goods, or withdraws the declaration.
    pub fn declare(&mut self, declared: bool) {
        self.dangerous_goods_declared = declared;
        self.declared_goods = if declared { self.goods_digest() } else { 0 };
    }

    /// Returns whether the clerk declared the current dangerous goods.
    pub fn is_declared(&self) -> bool {
        self.dangerous_goods_declared && self.declared_goods == self.goods_digest()
    }

    /// Returns a digest of the dangerous goods that does not depend on the order of lines.
    fn goods_digest(&self) -> u64 {
        let dangerous = self.goods.iter().filter(|line| line.has_dangerous_goods());
        dangerous.map(digest).fold(0, u64::wrapping_add)
    }
}

fn digest(line: &GoodsLine) -> u64 {
    let mut hash = Sha256::new();
    if line.saved_item_has_dangerous_goods() {
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

/// Hashes the fields that the clerk declares; values that the lookup fills in are left out.
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

/// Hashes a text with a terminator, so that two texts never hash like their concatenation.
fn put(hash: &mut Sha256, text: &str) {
    hash.update(text.trim());
    hash.update([0x1f]);
}
