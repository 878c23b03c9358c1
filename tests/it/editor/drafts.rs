//! Many drafts on one bench: found, opened, discarded and restored.

use app::state::{ConsignCommand, Screen, WindowCommand};
use draft::Draft;

use crate::support::desk::{Desk, fill, open_bench, open_reopenable_bench};

fn keep(desk: &mut Desk, reference: &str, receiver: &str) {
    fill(&mut desk.core.editing.draft, reference);
    receiver.clone_into(&mut desk.core.editing.draft.to.name);
    desk.ask(ConsignCommand::NewDraft);
    desk.turn();
}

fn find(desk: &mut Desk, text: &str) -> Draft {
    desk.ask(ConsignCommand::NewDraft);
    desk.ask(WindowCommand::Find(text.to_owned()));
    desk.turn();
    desk.core.editing.draft.clone()
}

#[test]
fn three_hundred_drafts_are_kept_and_each_is_found_by_scan() {
    let (home, _practice, service, mut desk) = open_reopenable_bench();
    desk.until("the companies", |core| {
        core.shared.session.company.map(|_| ())
    });
    for at in 0..300 {
        keep(&mut desk, &format!("SO-{at}"), &format!("Shop {at}"));
    }
    assert_eq!(desk.core.shared.consign.drafts.len(), 300);
    assert_eq!(find(&mut desk, "so-17").reference1, "SO-17");
    assert_eq!(find(&mut desk, "Shop 251").reference1, "SO-251");
    assert_eq!(desk.core.shared.screen, Screen::Consign);
    desk.until("all are on disk", |core| {
        (core.shared.consign.draft_times.len() >= 300).then_some(())
    });
    let mut desk = home.restart(desk, &service);
    desk.until("all are there again", |core| {
        (core.shared.consign.drafts.len() == 299).then_some(())
    });
    assert_eq!(desk.core.shared.consign.draft_times.len(), 300);
}

#[test]
fn a_draft_that_was_thrown_away_comes_back_as_it_was() {
    let (home, _practice, service, mut desk) = open_reopenable_bench();
    desk.until("the companies", |core| {
        core.shared.session.company.map(|_| ())
    });
    keep(&mut desk, "SO-1", "First");
    keep(&mut desk, "SO-2", "Second");
    let before = desk.core.shared.consign.drafts[1].clone();
    desk.ask(ConsignCommand::DiscardDraft(before.id.clone()));
    desk.turn();
    assert_eq!(desk.core.shared.consign.drafts.len(), 1);
    desk.ask(ConsignCommand::RestoreDraft);
    desk.turn();
    assert_eq!(desk.core.editing.draft, before);
    let mut desk = home.restart(desk, &service);
    desk.until("it is on disk again", |core| {
        let listed = core.shared.consign.drafts.iter();
        let all = listed.chain([&core.editing.draft]);
        (all.filter(|draft| draft.reference1 == "SO-1").count() == 1).then_some(())
    });
}

#[test]
fn one_that_was_brought_back_at_once_and_put_away_stays_in_the_list() {
    let (_home, _practice, mut desk) = open_bench();
    desk.until("the companies", |core| {
        core.shared.session.company.map(|_| ())
    });
    keep(&mut desk, "SO-1", "First");
    let id = desk.core.shared.consign.drafts[0].id.clone();
    for command in [
        ConsignCommand::DiscardDraft(id.clone()),
        ConsignCommand::RestoreDraft,
        ConsignCommand::NewDraft,
    ] {
        desk.ask(command);
    }
    desk.turn();
    keep(&mut desk, "SO-2", "Second");
    let second = desk.core.shared.consign.drafts[0].id.clone();
    desk.until("what came after it is on disk", |core| {
        let saved = core.shared.consign.draft_times.get(&second);
        saved.and_then(|_| core.shared.consign.draft_times.get(&id).copied())
    });
    for _ in 0..20 {
        desk.turn();
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    assert!(
        desk.core
            .shared
            .consign
            .drafts
            .iter()
            .any(|draft| draft.id == id)
    );
}
