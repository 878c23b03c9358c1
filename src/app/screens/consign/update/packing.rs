//! Packs the open order by scan: counts scanned pieces, stops at a wrong one, and sends what is packed.

use crate::core::Core;
use crate::search::{is_called, scanned_gtin, searched_number};
use crate::sounds::ScanSound;
use crate::state::{Notice, PackingCommand, PackingStop, Screen, Tone};
use devices::gs1::Element;
use draft::{Check, Draft, PackOutcome};

/// Headline of the notice that the packed order was not sent.
const NOT_SENT: &str = "The order was not sent";

impl Core {
    pub(super) fn run_packing(&mut self, command: PackingCommand) {
        match command {
            PackingCommand::Begin => {
                self.editing.draft.begin_packing();
                if self.editing.draft.packing.is_none() {
                    let headline = "This order can't be packed by scan";
                    let advice =
                        "It needs goods with an SKU and a quantity, and must not be sent yet";
                    self.notify(Notice::new(Tone::Warning, headline, advice));
                }
            }
            PackingCommand::Stop => self.editing.draft.packing = None,
            PackingCommand::Count(line) => {
                let packing = self.editing.draft.packing.as_ref();
                let sku = packing.and_then(|packing| packing.lines.get(line));
                if let Some(sku) = sku.map(|line| line.sku.clone()) {
                    self.count_packed(&[&sku], 1, &sku);
                }
            }
            PackingCommand::TakeBack(line) => {
                if let Some(packing) = &mut self.editing.draft.packing {
                    packing.take_back(line);
                }
            }
            PackingCommand::Acknowledge => self.shared.consign.packing.stop = None,
            PackingCommand::CancelSend => self.shared.consign.packing.asks_reason = false,
            PackingCommand::SendShort(reason) => {
                self.shared.consign.packing.asks_reason = false;
                if let Some(packing) = &mut self.editing.draft.packing {
                    reason.trim().clone_into(&mut packing.reason);
                    self.settle_change();
                    self.send();
                }
            }
        }
    }

    /// Begins packing the open order if its reference was scanned.
    pub(crate) fn begin_packing_of(&mut self, wanted: &str) {
        let draft = &mut self.editing.draft;
        let references = [&draft.reference1, &draft.reference2];
        let is_reference = |reference: &&String| reference.trim().to_lowercase() == wanted;
        if draft.is_order && references.iter().any(is_reference) {
            draft.begin_packing();
        }
    }

    /// Returns whether scans of goods count packed pieces.
    pub(crate) const fn is_packing(&self) -> bool {
        matches!(self.shared.screen, Screen::Consign) && self.editing.draft.packing.is_some()
    }

    /// Counts what was scanned, or stops because it is not in the order. Returns false if the scan is none of goods: it
    /// names a draft.
    pub(crate) fn pack_scan(&mut self, text: &str, elements: &[Element]) -> bool {
        let names = [Some(text), searched_number(elements)];
        let is_named = |draft: &Draft| {
            let mut names = names.iter().flatten();
            names.any(|name| is_called(draft, &name.to_lowercase()))
        };
        let consign = &self.shared.consign;
        let is_expected = { self.editing.draft.packing.as_ref() }
            .is_some_and(|packing| packing.find(text).is_some());
        if !is_expected && (is_named(&self.editing.draft) || consign.drafts.iter().any(is_named)) {
            return false;
        }
        let Some(gtin) = scanned_gtin(elements) else {
            self.count_packed(&[text], 1, text);
            return true;
        };
        if let Some(pieces) = self.scanned_pieces(elements) {
            let skus = [text, gtin, gtin.trim_start_matches('0')];
            self.count_packed(&skus, pieces, gtin);
        }
        true
    }

    /// Counts pieces of the first of these SKUs that is in the order. `shown` is the SKU for the message.
    fn count_packed(&mut self, skus: &[&str], pieces: u32, shown: &str) {
        let Some(packing) = &mut self.editing.draft.packing else {
            return;
        };
        let expected = skus.iter().find(|sku| packing.find(sku).is_some());
        let stop = match packing.count(expected.unwrap_or(&shown), pieces) {
            PackOutcome::Counted(line) => {
                let is_complete = packing.is_complete();
                let view = &mut self.shared.consign.packing;
                let count = view.counted.map_or(0, |(count, _)| count);
                view.counted = Some((count + 1, line));
                self.scan_found();
                if is_complete && self.shared.bench.send_when_packed {
                    self.send_complete();
                }
                return;
            }
            PackOutcome::NotOrdered => PackingStop::NotOrdered(shown.to_owned()),
            PackOutcome::Surplus(line) => PackingStop::Surplus {
                line: packing.lines[line].clone(),
                pieces,
            },
        };
        self.shared.search.not_found = None;
        self.shared.consign.packing.stop = Some(stop);
        self.sound(ScanSound::NotFound);
    }

    /// Sends the order after its last piece was packed, unless it has a problem.
    fn send_complete(&mut self) {
        self.settle_change();
        let context = self.shared.check_context();
        if self.editing.refresh_check(&context, true).passes() {
            return self.send();
        }
        self.editing.show_all = true;
        let advice = "All pieces are packed. Fix the problems that are listed, then send it";
        self.notify(Notice::new(Tone::Warning, NOT_SENT, advice));
    }

    /// Shows why the packed pieces can't be sent, although the whole order could.
    pub(super) fn notify_unsendable(&mut self, check: &Check) {
        let first = check.errors().next();
        let advice = first.map_or_else(String::new, |problem| problem.message.clone());
        self.notify(Notice::new(Tone::Warning, NOT_SENT, advice));
    }

    /// Returns whether the open order may be sent as it is packed. If not, shows why, or asks why pieces are missing.
    pub(super) fn may_send_packed(&mut self) -> bool {
        let draft = &self.editing.draft;
        let Some(packing) = &draft.packing else {
            return true;
        };
        if let Some(problem) = draft.packing_problem() {
            self.notify(Notice::new(Tone::Warning, NOT_SENT, problem));
            return false;
        }
        let asks = packing.is_short() && packing.reason.is_empty();
        self.shared.consign.packing.asks_reason = asks;
        !asks
    }
}
