//! Presets: saved, filled in by key or by name, changed and removed; addresses and references stay unchanged.

use app::state::{Command, OrdersCommand, Screen};
use draft::{Draft, GoodsLine, Preset, Routing};
use egui_kittest::kittest::Queryable as _;
use shipping::Question;
use storage::Journal;

use crate::support::clerk::Clerk;
use crate::support::desk::{fill, open_reopenable_bench};

fn typed() -> Draft {
    let mut draft = Draft::default();
    fill(&mut draft, "SO-1");
    draft.goods[0].references = String::from("A1 A2");
    draft.goods[0].of_item = Some(0);
    draft.goods.push(GoodsLine::default());
    draft.questions.insert(Question::Tailgate);
    draft.declare(true);
    draft
}

#[test]
fn a_preset_fills_goods_options_and_carrier_and_touches_nothing_else() {
    let preset = Preset::from_draft(&typed(), " Hose reels ", 3);
    assert_eq!(preset.name, "Hose reels");
    assert_eq!(preset.goods[0].of_item, None, "an item of one consignment");
    assert_eq!(
        preset.describe(),
        "1 line, 2 pieces, 18 kg · Tailgate · Cheapest"
    );
    let mut draft = Draft::default();
    fill(&mut draft, "SO-2");
    draft.to.name = "Tweed Marine".to_owned();
    draft.goods[0].name = "Rope".to_owned();
    draft.declare(true);
    let before = draft.clone();
    preset.apply_to(&mut draft, &[]);
    assert_eq!((&draft.to, &draft.from), (&before.to, &before.from));
    assert_eq!(draft.reference1, "SO-2");
    assert_eq!(
        draft.goods.len(),
        1,
        "a line that nothing is typed into is not kept"
    );
    assert_eq!(
        (
            draft.goods[0].name.as_str(),
            draft.goods[0].references.as_str()
        ),
        ("Hose reels, 20 m", "")
    );
    assert!(!draft.is_declared(), "each consignment is declared anew");
    let only_options = Preset::from_draft(
        &Draft {
            routing: Routing::Fastest,
            ..Draft::default()
        },
        "Fast",
        0,
    );
    draft.instructions = "Ring the bell".to_owned();
    draft.printer_token = "DOCK-2".to_owned();
    draft.flags.tracking_email = true;
    only_options.apply_to(&mut draft, &[]);
    assert_eq!(
        (&*draft.instructions, &*draft.printer_token),
        ("Ring the bell", "DOCK-2"),
        "what it does not hold stays as typed"
    );
    assert!(draft.flags.tracking_email && draft.questions.contains(&Question::Tailgate));
    assert_eq!(
        draft.goods[0].name, "Hose reels, 20 m",
        "no goods in it leave those of the draft"
    );
    assert_eq!(draft.routing, Routing::Fastest);
}

#[test]
fn presets_are_there_at_the_next_start() {
    let (home, _practice, service, mut desk) = open_reopenable_bench();
    let save = |name: &str, was: Option<&str>| {
        Command::from(OrdersCommand::SavePreset {
            preset: Box::new(Preset::from_draft(&typed(), name, 2)),
            was: was.map(str::to_owned),
        })
    };
    desk.ask(save("Reels", None));
    desk.ask(save("Skids", None));
    desk.ask(save("Hose reels", Some("Reels")));
    desk.ask(Command::from(OrdersCommand::RemovePreset(
        "Skids".to_owned(),
    )));
    let names = |core: &app::Core| {
        let presets = core.shared.catalogue.presets.iter();
        presets
            .map(|preset| preset.name.clone())
            .collect::<Vec<_>>()
    };
    desk.until("renamed and removed", |core| {
        (names(core) == ["Hose reels"]).then_some(())
    });
    let mut desk = home.restart(desk, &service);
    desk.until("kept", |core| (names(core) == ["Hose reels"]).then_some(()));
}

#[test]
fn presets_are_saved_applied_and_found_by_keyboard_alone() {
    let (_home, _practice, mut clerk) = Clerk::begin();
    clerk.pick_sender();
    clerk.keys("<Alt+3>Hose reels");
    for name in ["Hose reels", "Hose reels and more"] {
        clerk.keys("<Ctrl+Shift+S>");
        clerk.text(name);
        clerk.picture("presets-save");
        clerk.keys("<Enter>");
        clerk.until("it is kept", |core| {
            core.shared
                .catalogue
                .presets
                .iter()
                .any(|preset| preset.name == name)
                .then_some(())
        });
    }
    let digits: Vec<_> = clerk
        .core()
        .shared
        .catalogue
        .presets
        .iter()
        .map(|preset| preset.digit)
        .collect();
    assert_eq!(digits, [1, 2], "each has the first key that is free");
    clerk.keys("<Ctrl+N>");
    assert_eq!(clerk.core().editing.draft.goods[0].name, "");
    clerk.keys("<Ctrl+Shift+2>");
    assert_eq!(clerk.core().editing.draft.goods[0].name, "Hose reels");

    clerk.keys("<Ctrl+N><Ctrl+Shift+P>more");
    clerk.picture("presets-list");
    clerk.keys("<Enter>");
    assert_eq!(clerk.core().editing.draft.goods[0].name, "Hose reels");
    assert!(
        clerk.window.query_by_label("Filter presets").is_none(),
        "the list is gone"
    );

    clerk.keys("<Ctrl+N><Ctrl+K>preset: hose<Enter>");
    clerk.rest();
    assert_eq!(clerk.core().editing.draft.goods[0].name, "Hose reels");

    clerk.keys("<Ctrl+Shift+P>");
    clerk.window.get_by_label("Remove Hose reels…").click();
    clerk.rest();
    clerk.picture("presets-remove");
    assert_eq!(
        clerk.core().shared.catalogue.presets.len(),
        2,
        "asked first"
    );
    clerk.window.get_by_label("Remove").click();
    clerk.until("it is gone", |core| {
        (core.shared.catalogue.presets.len() == 1).then_some(())
    });
    assert_eq!(clerk.core().shared.screen, Screen::Consign);
}

#[test]
fn a_key_that_is_taken_says_by_whom() {
    let (_home, _practice, mut clerk) = Clerk::begin();
    clerk.keys("<Ctrl+Shift+S>Reels<Enter>");
    clerk.until("it is kept", |core| {
        (core.shared.catalogue.presets.len() == 1).then_some(())
    });
    clerk.keys("<Ctrl+Shift+S>Skids<Tab><Up>");
    clerk.picture("presets-key-taken");
    assert!(
        clerk
            .window
            .query_by_label_contains("Reels already uses this key")
            .is_some()
    );
    clerk.keys("<Shift+Tab><Enter>");
    assert_eq!(
        clerk.core().shared.catalogue.presets.len(),
        1,
        "it is not taken away"
    );
}

#[test]
fn a_preset_is_kept_renamed_and_removed() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut journal = Journal::open(&folder.path().join("journal.db")).expect("a journal");
    let mut names_after = |name: &str, was: Option<&str>| {
        let preset = Preset::from_draft(&Draft::default(), name, 3);
        journal.save_preset(&preset, was).expect("saved");
        let presets = journal.presets().expect("presets");
        presets.into_iter().map(|one| one.name).collect::<Vec<_>>()
    };
    assert_eq!(names_after("Pallets", None), ["Pallets"]);
    assert_eq!(names_after("PALLETS", None), ["PALLETS"], "replaced");
    assert_eq!(names_after("Skids", Some("pallets")), ["Skids"], "renamed");
    journal.remove_preset("skids").expect("removed");
    assert!(journal.presets().expect("presets").is_empty());
}
