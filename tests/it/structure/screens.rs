//! Rules of the screens: every read in the background is polled, and every action does something.

use app::ui::actions::ACTIONS;

use super::source::{self, SourceFile};
use super::{Finding, hold};

fn of_app(files: Vec<SourceFile>) -> Vec<SourceFile> {
    let of_app = files.into_iter();
    of_app.filter(|file| file.is_below("app")).collect()
}

/// Members of the type `Remote` that nothing polls: their reads start and never arrive.
fn unpolled_reads(files: &[SourceFile]) -> Vec<Finding> {
    let is_polled = |name: &str| {
        let (call, row) = (format!("{name}.poll()"), format!("{name} => "));
        let is_in = |file: &SourceFile, end: &str| {
            let mut places = file.text.match_indices(end);
            places.any(|(at, _)| file.text[..at].ends_with([' ', '.']))
        };
        let mut files = files.iter();
        files.any(|file| is_in(file, &call) || is_in(file, &row))
    };
    let mut found = Vec::new();
    for file in files {
        for (index, line) in file.text.lines().enumerate() {
            let name = line.split_once(": Remote<").map(|(before, _)| before);
            let name = name.and_then(|before| before.split_whitespace().last());
            let is_member = line.starts_with("    ") && !line.contains("fn ");
            if let Some(name) = name.filter(|name| is_member && !is_polled(name)) {
                found.push(file.finding(index + 1, format!("nothing polls `{name}`")));
            }
        }
    }
    found
}

#[test]
fn every_read_is_polled() {
    hold(
        "Poll each read in `poll` of its screen (src/app/screens/*.rs)",
        unpolled_reads(&of_app(source::program())),
    );
}

#[test]
fn a_read_that_nothing_polls_is_caught() {
    let state = "pub struct View {\n    pub list: Remote<u8>,\n    pub found: Remote<u8>,\n    pub page: Remote<u8>,\n}";
    let poll = "fn poll(core: &mut Core) {\n    core.view.list.poll();\n    poll_reads! { core: view.page => page_came, }\n}";
    let files = [
        SourceFile::made_up("src/app/screens/a/state.rs", state),
        SourceFile::made_up("src/app/screens/a.rs", poll),
    ];
    let found = unpolled_reads(&files);
    let lines: Vec<_> = found.iter().map(|finding| finding.line).collect();
    assert_eq!(lines, [3]);
}

/// An action that has no command is handled by a view, which names it.
#[test]
fn every_action_does_something() {
    let files = of_app(source::program());
    let views = files.iter().filter(|file| !file.is_below("app/ui/actions"));
    let text: String = views.map(|file| file.text.as_str()).collect();
    let is_named = |name: &str| {
        let action = format!("Action::{name}");
        let mut after = text.split(&action).skip(1);
        after.any(|rest| !rest.starts_with(|c: char| c.is_alphanumeric()))
    };
    let idle: Vec<_> = { ACTIONS.iter() }
        .filter(|entry| entry.command.is_none() && !is_named(&format!("{:?}", entry.action)))
        .map(|entry| entry.name)
        .collect();
    assert!(idle.is_empty(), "no screen handles {idle:?}");
}
