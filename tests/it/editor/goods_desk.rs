//! The Consign screen with goods: keys in, the draft out.

use std::collections::HashMap;
use std::sync::Arc;

use app::state::{Editing, Environment, Shared, ThemeChoice};
use draft::{Draft, GoodsLine, SavedItem};
use egui_kittest::Harness;
use serde_json::json;
use shipping::{Centimetres, CompanyItemId, Kilograms, UnLookupEntry, UnNumber};

use crate::journeys::kit::{focused, picture_showing};
use crate::journeys::screens::{Desk, desk};
use crate::support::desk::NOW;
use crate::support::keyboard::{click, type_at_once, type_keys};

/// A clerk at the goods.
pub(super) struct Clerk {
    pub(super) window: Harness<'static, Desk>,
}

impl Clerk {
    /// In front of a draft, in the usual window.
    pub(super) fn at(draft: Draft) -> Self {
        Self::in_window(draft, [1440.0, 900.0], ThemeChoice::Light)
    }

    pub(super) fn in_window(draft: Draft, size: [f32; 2], theme: ThemeChoice) -> Self {
        let mut shared = Shared::new(NOW.parse().expect("a moment"), Environment::Practice);
        shared.catalogue.items = Arc::new(items());
        shared.catalogue.un_numbers = Arc::new(un_numbers());
        let inside = Desk::new(shared, Editing::of(draft));
        Self {
            window: desk(size, 1.0, theme, inside),
        }
    }

    /// Goes to the first line's name.
    pub(super) fn go_to_goods(&mut self) -> &mut Self {
        self.keys("<Alt+3>")
    }

    pub(super) fn keys(&mut self, script: &str) -> &mut Self {
        type_keys(&mut self.window, script);
        self
    }

    /// As a scanner: text and Enter in one go.
    pub(super) fn scans(&mut self, text: &str) -> &mut Self {
        type_at_once(&mut self.window, &format!("{text}<Enter>"));
        self
    }

    /// Types a text into each field in turn, and goes on to the next.
    pub(super) fn fills(&mut self, texts: &[&str]) -> &mut Self {
        for text in texts {
            self.keys(&format!("{text}<Tab>"));
        }
        self
    }

    pub(super) fn draft(&self) -> &Draft {
        &self.window.state().editing.draft
    }

    pub(super) fn line(&self, at: usize) -> &GoodsLine {
        &self.draft().goods[at]
    }

    /// Is there something on the screen with this name?
    pub(super) fn sees(&self, name: &str) -> bool {
        use egui_kittest::kittest::Queryable as _;
        self.window.query_by_label(name).is_some()
    }

    /// Presses what has this name.
    pub(super) fn clicks(&mut self, name: &str) -> &mut Self {
        click(&mut self.window, name);
        self
    }

    /// What has the focus, by its name.
    pub(super) fn focus(&self) -> Option<String> {
        focused(&self.window)
    }

    /// Saves a picture on which each of these texts stands.
    #[track_caller]
    pub(super) fn looks(&mut self, name: &str, texts: &[&str]) -> &mut Self {
        picture_showing(&mut self.window, name, texts);
        self
    }
}

/// Lines as they are typed: name, quantity, kg and three times cm.
pub(super) fn line(name: &str, sku: &str, quantity: &str, weight: &str) -> GoodsLine {
    GoodsLine {
        name: name.to_owned(),
        sku: sku.to_owned(),
        quantity: quantity.to_owned(),
        weight: weight.to_owned(),
        length: "40".to_owned(),
        width: "40".to_owned(),
        height: "30".to_owned(),
        ..GoodsLine::default()
    }
}

pub(super) fn with(goods: Vec<GoodsLine>) -> Draft {
    Draft {
        goods,
        ..Draft::default()
    }
}

pub(super) fn items() -> Vec<SavedItem> {
    let centimetres = |length: i64| Some(Centimetres(length.into()));
    let item = |id: i64, sku: &str, name: &str, kind: &str, weight: i64| SavedItem {
        id: Some(CompanyItemId::new(id)),
        company: None,
        sku: sku.to_owned(),
        name: name.to_owned(),
        item_type: kind.to_owned(),
        quantity: Some(1),
        weight: Some(Kilograms(weight.into())),
        length: centimetres(60),
        width: centimetres(40),
        height: centimetres(30),
        dangerous: None,
    };
    vec![
        item(501, "HR-20", "Hose reels, 20 m", "Carton", 12),
        item(502, "PM-40", "Potting mix, 40 bags", "Pallet", 420),
        item(503, "HR-50", "Hose reels, 50 m", "Carton", 19),
    ]
}

fn entry(
    number: u16,
    name: &str,
    group: u8,
    class: &str,
    kind: u8,
    technical: bool,
) -> UnLookupEntry {
    serde_json::from_value(json!({
        "unNumber": number, "name": name, "packingGroup": group, "packingGroupName": "",
        "class": {"class": class, "classType": kind, "label": "", "subRisk": false},
        "classes": [], "subClasses": [{"class": "6.1", "classType": 11, "label": "", "subRisk": true}],
        "requiresTechnicalName": technical, "classesForDisplay": class,
    }))
    .expect("an entry")
}

pub(super) fn un_numbers() -> HashMap<UnNumber, Vec<UnLookupEntry>> {
    let number = |number| UnNumber::new(number).expect("a number in use");
    [
        (
            number(1230),
            vec![entry(1230, "Methanol", 2, "3", 5, false)],
        ),
        (
            number(1170),
            vec![
                entry(1170, "Ethanol", 2, "3", 5, false),
                entry(1170, "Ethanol solution", 3, "3", 5, false),
            ],
        ),
        (
            number(1993),
            vec![entry(1993, "Flammable liquid, N.O.S.", 1, "3", 5, true)],
        ),
        (number(3500), Vec::new()),
    ]
    .into()
}
