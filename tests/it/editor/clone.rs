//! Cloning a sent consignment: everything that describes it is copied, and nothing that identifies it.

use app::state::ConsignCommand;
use shipping::ConsignmentId;

use crate::support::desk::{Desk, open_bench};
use crate::support::lanes::{QUICK, client};

fn sent(desk: &mut Desk, reference: &str) -> ConsignmentId {
    desk.type_consignment(reference);
    desk.core.editing.draft.instructions = String::from("Ring the bell");
    desk.core.editing.draft.despatch = String::from("2026-11-23 15:30");
    desk.send();
    desk.until_created(reference)
}

fn cloned(desk: &mut Desk, id: ConsignmentId) {
    desk.ask(ConsignCommand::Clone(id));
    desk.until("the clone is open", |core| {
        (core.editing.draft.to.name == "Ballarat Farm & Garden").then_some(())
    });
}

#[test]
fn a_clone_describes_the_same_goods_to_the_same_place_and_names_nothing() {
    let (_home, _practice, mut desk) = open_bench();
    let id = sent(&mut desk, "SO-1");
    cloned(&mut desk, id);
    let draft = desk.core.editing.draft.clone();
    assert_eq!(draft.goods[0].name, "Hose reels, 20 m");
    assert_eq!(draft.goods[0].weight, "9");
    assert_eq!(draft.instructions, "Ring the bell");
    assert!(draft.from.saved.is_some());
    assert!(draft.edits.is_none() && draft.pending.is_none());
    for left in [
        &draft.reference1,
        &draft.reference2,
        &draft.despatch,
        &draft.carrier_number,
        &draft.goods[0].references,
    ] {
        assert_eq!(left, "");
    }
    desk.send();
    let second = desk.until("the clone is created", |core| {
        let last = core.shared.consign.last_created.as_ref()?;
        (last.id != id).then_some(last.id)
    });
    assert!(second > id);
}

#[test]
fn a_booked_consignment_can_be_cloned_too() {
    let (home, practice, mut desk) = open_bench();
    let id = sent(&mut desk, "SO-2");
    let caller = client(&practice.base_url(), practice.token(), QUICK);
    home.runtime.block_on(async {
        let mut groups = caller.group(&[id]).await.expect("grouped");
        groups[0].dgs_declaration = Some(false);
        caller.manifest(&groups).await.expect("booked");
    });
    cloned(&mut desk, id);
    let draft = &desk.core.editing.draft;
    assert_eq!(draft.goods[0].quantity, "2");
    assert_eq!(draft.from.name, "Harbour Supplies, Sydney DC");
    assert!(draft.edits.is_none());
}
