//! Who may import whom. The table is the design's: a line here is a decision, not a convenience.

use super::mentions::{self, Mention};
use super::{Finding, SourceFile, hold, must_catch, source};

/// What a top-level module may use of another.
enum Right {
    All(&'static str),
    /// Only items whose name starts so.
    Only(&'static str, &'static [&'static str]),
}

use Right::{All, Only};

/// What `state` may know of the background work: what goes in, what comes out and what that is made of, never how.
const IN_AND_OUT: &[&str] = &[
    "Request",
    "PrintOrder",
    "TaskId",
    "Outcome",
    "Restored",
    "Doubt",
    "Remote",
    "Operation",
    "Kind",
    "Event",
    "Choice",
    "PrintJob",
    "JobId",
    "JobEvent",
    "ListProgress",
    "ListView",
    "ViewColumn",
    "ViewOf",
    "Waiting",
    "UnreadLists",
    "UnreadRecords",
    "WaitingList",
    "Spot",
    "JobState",
    "WorkError",
    "Failure",
    "pause_text",
    "Findings",
    "Ability",
    "Verdict",
    "TokenMode",
    "UnFound",
    "BookedManifest",
    "BookedLine",
    "BookedPlace",
    "BookingMember",
    "ManifestPage",
    "ManifestRow",
    "MemberState",
    // What an order to print is made of, and what becomes of it at its queue.
    "AtQueue",
    "QueueWord",
    "LabelStanding",
    "Shrunk",
    // Why a label fails the check.
    "Fault",
    "DocumentKind",
    "Fitting",
    "Language",
    "Media",
    // What is followed: what is asked of it, and what comes of that.
    "AgeBand",
    "Arrival",
    "Board",
    "CarrierTally",
    "DayShare",
    "Door",
    "Exception",
    "DaySheet",
    "FileError",
    "FileShown",
    "Followed",
    "ListOut",
    "OutCell",
    "OutForm",
    "OutRows",
    "OutTable",
    "Picture",
    "SavedFiles",
    "Share",
    "Sync",
    "Tally",
    "Thresholds",
    "Track",
];

/// Children of our own executable that `main` starts before anything else: they decode what we do not trust.
const CHILD_PROCESSES: &[&str] = &["serve_", "RENDER_PAGES", "PRINT_HELPER"];

const TABLE: &[(&str, &[Right])] = &[
    ("shipping", &[]),
    ("config", &[All("shipping"), Only("printing", &["profile"])]),
    ("client", &[All("shipping")]),
    ("draft", &[All("shipping")]),
    ("practice", &[All("shipping")]),
    ("journal", &[All("shipping"), All("draft")]),
    ("printing", &[All("shipping")]),
    (
        "work",
        &[
            All("client"),
            All("journal"),
            All("printing"),
            All("draft"),
            All("shipping"),
        ],
    ),
    (
        "state",
        &[Only("work", IN_AND_OUT), All("draft"), All("shipping")],
    ),
    ("ui", &[All("state"), All("draft"), All("shipping")]),
    (
        "app",
        &[
            All("config"),
            All("ui"),
            All("state"),
            All("work"),
            All("printing"),
            All("journal"),
            All("draft"),
            All("client"),
            All("shipping"),
        ],
    ),
    // It does the main job as a clerk does, so it speaks the screens' language: drafts and commands, nothing below them.
    (
        "doctor",
        &[
            All("config"),
            All("app"),
            All("practice"),
            All("state"),
            All("draft"),
            All("shipping"),
        ],
    ),
    (
        "main",
        &[
            All("config"),
            All("app"),
            All("practice"),
            All("doctor"),
            Only("printing", CHILD_PROCESSES),
        ],
    ),
    // The map: it declares every module and uses none.
    ("lib", &[]),
];

fn forbidden_imports(file: &SourceFile) -> Vec<Finding> {
    let own = file.top_module();
    let Some((_, rights)) = TABLE.iter().find(|(module, _)| *module == own) else {
        return vec![file.finding(
            1,
            format!("`{own}` is not in the table of who may import whom"),
        )];
    };
    mentions::of(file)
        .iter()
        .filter(|mention| {
            mention
                .ours()
                .is_some_and(|(module, _)| module != own && !allowed(rights, mention))
        })
        .map(|mention| {
            file.finding(
                mention.line,
                format!("`{own}` may not use `{}`", mention.segments.join("::")),
            )
        })
        .collect()
}

fn allowed(rights: &[Right], mention: &Mention) -> bool {
    let Some((used, inside)) = mention.ours() else {
        return true;
    };
    rights.iter().any(|right| match right {
        All(module) => *module == used,
        // The module alone is nothing yet: what is used of it is mentioned by itself.
        Only(module, names) => {
            let allowed = |segment: &String| names.iter().any(|name| segment.starts_with(name));
            *module == used && (inside.is_empty() || inside.iter().any(allowed))
        }
    })
}

#[test]
fn every_module_imports_only_what_the_design_lets_it() {
    hold(
        "Who may import whom is decided in one table: TABLE in tests/it/structure/imports.rs",
        source::program()
            .iter()
            .flat_map(forbidden_imports)
            .collect(),
    );
}

#[test]
fn an_import_against_the_table_is_caught() {
    must_catch(
        forbidden_imports,
        "src/shipping/money.rs",
        "use crate::draft::Goods;",
        &[1],
    );
    must_catch(
        forbidden_imports,
        "src/practice/rates.rs",
        "\nfn f() -> crate::client::Failure { g() }",
        &[2],
    );
    must_catch(
        forbidden_imports,
        "src/client.rs",
        "use super::practice::Server;",
        &[1],
    );
    must_catch(
        forbidden_imports,
        "src/ui/kit.rs",
        "use crate::{state::Command,\nwork::Request};",
        &[2],
    );
    must_catch(
        forbidden_imports,
        "src/state.rs",
        "use crate::work::{Request,\nsubmit};",
        &[2],
    );
    must_catch(
        forbidden_imports,
        "src/main.rs",
        "use packbench::printing::Queue;",
        &[1],
    );
    must_catch(
        forbidden_imports,
        "src/state.rs",
        "use crate::work;\nfn f() { work::submit() }",
        &[2],
    );
    must_catch(forbidden_imports, "src/app.rs", "use crate::*;", &[1]);
    must_catch(forbidden_imports, "src/helpers.rs", "fn f() {}", &[1]);
}

#[test]
fn an_import_within_the_table_passes() {
    must_catch(
        forbidden_imports,
        "src/ui/kit.rs",
        "use crate::state::Command; use super::consign; use std::fmt;",
        &[],
    );
    must_catch(
        forbidden_imports,
        "src/state.rs",
        "use crate::work::{Request, Outcome};",
        &[],
    );
    must_catch(
        forbidden_imports,
        "src/main.rs",
        "fn main() { packbench::printing::serve_rendering() }",
        &[],
    );
}

#[test]
fn practice_and_client_meet_on_the_wire_only() {
    for (module, other) in [("practice", "client"), ("client", "practice")] {
        let (_, rights) = TABLE.iter().find(|(own, _)| *own == module).unwrap();
        assert!(
            !rights
                .iter()
                .any(|right| matches!(right, All(used) | Only(used, _) if *used == other)),
            "the table lets `{module}` use `{other}`, so one could hide the other's mistakes"
        );
    }
}
