//! Finds Aztec codes anywhere on a page. The reader of `rxing` looks only in the middle of an image, so each
//! candidate is cut out with its target pattern in the middle.

use rxing::aztec::AztecReader;
use rxing::{BinaryBitmap, Luma8LuminanceSource, RXingResult, Reader as _};

use super::super::page::Bitmap;
use super::BilevelBinarizer;

/// The runs of colour through the target pattern, from the outer white ring to the outer white ring on the
/// other side. Each run is one module wide, and the fourth is the black centre.
const RUNS: usize = 7;

/// Half the size of the largest code with some white around it, in modules.
const HALF: u32 = 80;

/// The maximum number of candidates tried on a page. No label has that many codes, but a page of small print has many
/// false candidates.
const MOST: usize = 40;

/// The centre of a possible code and the size of its modules, in dots.
#[derive(Debug, Clone, Copy)]
struct Target {
    x: u32,
    y: u32,
    module: u32,
}

pub(super) fn read(bitmap: &Bitmap) -> Vec<RXingResult> {
    let read = |target| decode(bitmap, target);
    targets(bitmap).into_iter().filter_map(read).collect()
}

fn decode(bitmap: &Bitmap, Target { x, y, module }: Target) -> Option<RXingResult> {
    let room = [x, y, bitmap.width() - 1 - x, bitmap.height() - 1 - y];
    let half = room.into_iter().min()?.min(HALF * module);
    let side = 2 * half + 1;
    let part = bitmap.part((x - half, y - half), (side, side))?;
    let luma = Luma8LuminanceSource::new(part.to_luma(), side, side).ok()?;
    let mut image = BinaryBitmap::new(BilevelBinarizer::new(luma));
    AztecReader.decode(&mut image).ok()
}

fn targets(bitmap: &Bitmap) -> Vec<Target> {
    let mut found: Vec<Target> = Vec::new();
    for y in (0..bitmap.height()).step_by(2) {
        let mut runs = Runs::default();
        for x in 0..=bitmap.width() {
            let Some(module) = runs.add(bitmap.get(x, y)) else {
                continue;
            };
            // The pattern ended just before this dot; its centre is three and a half modules back.
            let middle = x.saturating_sub(runs.length() / 2 + 1);
            let target = Target {
                x: middle,
                y,
                module,
            };
            let is_known = found.iter().any(|known| {
                known.x.abs_diff(middle) <= 3 * module && known.y.abs_diff(y) <= 3 * module
            });
            if !is_known && is_target_upright(bitmap, target) {
                found.push(target);
                if found.len() == MOST {
                    return found;
                }
            }
        }
    }
    found
}

/// Returns whether the same pattern also runs from top to bottom.
fn is_target_upright(bitmap: &Bitmap, Target { x, y, module }: Target) -> bool {
    let reach = module * 5;
    let mut runs = Runs::default();
    (y.saturating_sub(reach)..=(y + reach).min(bitmap.height())).any(|at| {
        let ended = runs.add(bitmap.get(x, at));
        ended.is_some_and(|down| {
            let middle = at.saturating_sub(runs.length() / 2 + 1);
            down.abs_diff(module) <= module.div_ceil(3) && middle.abs_diff(y) <= module
        })
    })
}

/// The last runs of colour along a line.
#[derive(Default)]
struct Runs {
    /// The oldest run comes first; the last run is still growing.
    lengths: [u32; RUNS + 1],
    is_black: bool,
}

impl Runs {
    /// Adds a dot. Returns the module size if the last white run of the pattern ended just before this dot.
    fn add(&mut self, is_black: bool) -> Option<u32> {
        if is_black == self.is_black {
            self.lengths[RUNS] += 1;
            return None;
        }
        self.lengths.rotate_left(1);
        self.lengths[RUNS] = 1;
        self.is_black = is_black;
        let pattern = &self.lengths[..RUNS];
        let total: u32 = pattern.iter().sum();
        let seven = u32::try_from(RUNS).unwrap_or(u32::MAX);
        // Each run may deviate by half a module, and by at least one dot because of rounding.
        let alike = |run: &u32| {
            let (run, slack) = (run * seven, (total / 2).max(seven));
            run.abs_diff(total) <= slack
        };
        let is_pattern = is_black && total >= seven && pattern.iter().all(alike);
        is_pattern.then(|| (total + seven / 2) / seven)
    }

    /// Returns the length of the pattern that ended last, in dots.
    fn length(&self) -> u32 {
        self.lengths[..RUNS].iter().sum()
    }
}
