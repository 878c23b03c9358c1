//! An order is packed by scan, at the real window: what is ordered is listed, each scan counts, a wrong piece stops, and
//! what is packed is sent.

mod journey;
mod keyboard;
mod rules;
mod sending;

use app::state::{BenchSettings, ConsignCommand, PackingStop, SettingsCommand};
use draft::{Draft, GoodsLine, Packing};
use egui_kittest::kittest::Queryable as _;
use practice::RunningService;
use shipping::Consignment;

use crate::support::desk::Home;
use crate::support::front::Front;
use crate::support::lanes::{QUICK, client};

/// A GTIN, as the order and as a GS1 barcode has it.
const KIT: &str = "9312345678907";
const KIT_IN_BARCODE: &str = "]C10109312345678907";

/// A bench at its practice service, with a clerk.
struct Bench {
    home: Home,
    practice: RunningService,
    front: Front,
}

/// Makes a draft an order of three reels and four irrigation kits.
fn make_order(draft: &mut Draft) {
    draft.is_order = true;
    let reels = GoodsLine {
        sku: "REEL-20".to_owned(),
        quantity: "3".to_owned(),
        ..draft.goods[0].clone()
    };
    let kits = GoodsLine {
        name: "Irrigation kit".to_owned(),
        sku: KIT.to_owned(),
        quantity: "4".to_owned(),
        weight: "2".to_owned(),
        ..reels.clone()
    };
    draft.goods = vec![reels, kits];
}

impl Bench {
    /// A bench whose drafts hold the order SO-77.
    fn with_order() -> Self {
        let home = Home::new();
        let practice = home.practise();
        let front = Front::at_practice(&home, &practice);
        let mut bench = Self {
            home,
            practice,
            front,
        };
        bench.add_order("SO-77");
        bench
    }

    /// Adds an order to the drafts.
    fn add_order(&mut self, reference: &str) {
        self.front.type_consignment(reference);
        make_order(self.draft());
        self.front.rest();
        self.front.keys("<Ctrl+N>");
        self.front.until("it is a draft", |shared| {
            let mut drafts = shared.consign.drafts.iter();
            drafts
                .any(|draft| draft.reference1 == reference)
                .then_some(())
        });
        self.home.heard();
    }

    fn draft(&mut self) -> &mut Draft {
        let window = self.front.widgets().state_mut();
        &mut window.editing_mut().expect("a form").draft
    }

    fn packing(&mut self) -> Option<Packing> {
        self.draft().packing.clone()
    }

    /// The packed pieces of each line.
    #[track_caller]
    fn packed(&mut self) -> Vec<u32> {
        let packing = self.packing().expect("an order that is packed");
        packing.lines.iter().map(|line| line.packed).collect()
    }

    /// Scans into the search box, after the prefix key of the scanner.
    fn scan(&mut self, text: &str) {
        self.front.keys("<F9>");
        self.front.text(text);
        self.front.keys("<Enter>");
    }

    fn scan_all(&mut self, texts: &[&str]) {
        for text in texts {
            self.scan(text);
        }
    }

    fn stop(&self) -> Option<PackingStop> {
        self.front.shared().consign.packing.stop.clone()
    }

    /// Whether any widget says this.
    fn says(&mut self, words: &str) -> bool {
        let mut found = self.front.widgets().query_all_by_label_contains(words);
        found.next().is_some()
    }

    fn send_when_packed(&mut self) {
        let bench = BenchSettings {
            send_when_packed: true,
            ..self.front.shared().bench.clone()
        };
        self.front.ask(SettingsCommand::SetBench(bench));
    }

    /// Opens the order as a click in the list of drafts does.
    fn open_by_hand(&mut self, reference: &str) {
        let mut drafts = self.front.shared().consign.drafts.iter();
        let draft = drafts.find(|draft| draft.reference1 == reference);
        let id = draft.expect("the order").id.clone();
        self.front.ask(ConsignCommand::OpenDraft(id));
        self.front.rest();
        assert_eq!(self.draft().reference1, reference);
    }

    /// Waits until the order is sent, and returns what the practice service recorded.
    #[track_caller]
    fn recorded(&mut self, reference: &str) -> Consignment {
        let made = self.front.until("it is sent", |shared| {
            let made = shared.consign.last_created.clone()?;
            (made.customer_reference.as_deref() == Some(reference)).then_some(made)
        });
        self.front.rest();
        let caller = client(&self.practice.base_url(), self.practice.token(), QUICK);
        let found = self.home.runtime.block_on(caller.consignment(made.id));
        found.expect("the consignment")
    }
}

/// The SKUs of a consignment with their quantities.
fn quantities(of: &Consignment) -> Vec<(String, u32)> {
    { of.items().iter() }
        .map(|item| {
            (
                item.sku.clone().unwrap_or_default(),
                item.quantity.unwrap_or_default(),
            )
        })
        .collect()
}
