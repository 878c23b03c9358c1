//! Track's table over a list of any length, without background work.

use std::sync::Arc;

use app::state::{
    Command, ConsignmentHistory, ConsignmentRow, DispatchCommand, ListCommand, Remote, Screen,
    Shared, ThemeChoice, TrackCommand, TrackList, TrackPane, WindowStage,
};
use egui_kittest::Harness;
use shipping::{Consignment, ConsignmentId};

use crate::journeys::screens::{Desk, data as screens, open_in};
use crate::support::keyboard::type_keys;

pub(crate) type Window = Harness<'static, Desk>;

/// The first number of the list.
pub(crate) const FIRST: i64 = 200_000;

/// What a row of this id says: everything follows from the id.
pub(crate) fn row(id: i64) -> ConsignmentRow {
    let carriers = [
        "Southern Cross",
        "Bluegum",
        "Tasman Freight",
        "Kookaburra Air",
    ];
    let towns = [
        ("Tweed Heads", "NSW", "2485"),
        ("West Perth", "WA", "6005"),
        ("Ballarat Central", "VIC", "3350"),
        ("Mount Isa", "QLD", "4825"),
        ("Gawler", "SA", "5118"),
    ];
    let names = [
        "Tweed Marine",
        "Kings Park Nursery",
        "Ballarat Farm & Garden",
        "Mount Isa Rural",
    ];
    let statuses = [
        (5, "In Transit"),
        (7, "Complete"),
        (3, "Manifested"),
        (9, "Damaged"),
        (6, "Delayed"),
        (2, "Unmanifested"),
        (13, "On For Delivery"),
        (10, "Cancelled"),
    ];
    let at = |list: usize| usize::try_from(id).expect("an id") % list;
    let (status, name) = statuses[at(statuses.len())];
    let (suburb, state, postcode) = towns[at(towns.len())];
    let eta = 18 + id % 5;
    let one = serde_json::json!({
        "id": id,
        "consignmentNumber": format!("MS{id}"),
        "carrierConsignmentId": format!("BG{:06}", id * 7 % 1_000_000),
        "companyId": 1 + id % 2,
        "status": {"id": status, "name": name},
        "fromName": "Harbour Supplies",
        "fromLocation": {"suburb": "Botany", "state": "NSW", "postcode": "2019"},
        "toName": names[at(names.len())],
        "toLocation": {"suburb": suburb, "state": state, "postcode": postcode},
        "carrier": {"id": 1 + at(carriers.len()), "name": carriers[at(carriers.len())],
            "displayName": carriers[at(carriers.len())]},
        "carrierService": {"id": 9, "name": "Road", "displayName": "Road"},
        "customerReference": format!("SO-{}", id % 90_000),
        "despatchDateLocal": "2026-11-17T16:00:00", "despatchDateUtc": "2026-11-17T05:00:00",
        "etaLocal": format!("2026-11-{eta}T17:00:00"), "etaUtc": format!("2026-11-{eta}T06:00:00"),
        "completedDateUtc": (status == 7).then_some("2026-11-20T02:10:00"),
        "attachmentCount": if status == 7 { 2 } else { 0 },
        "totalItemCount": 1 + id % 4,
        "totalWeight": 21,
        "statusHistory": [{
            "consignmentTrackingStatus": {"id": status, "name": name},
            "statusDateUtc": "2026-11-19T22:12:00", "carrierStatus": "X", "consignmentId": id,
        }],
    });
    let one: Consignment = serde_json::from_str(&one.to_string()).expect("a consignment");
    ConsignmentHistory::of(&one, None).row
}

/// What the screens see of `rows` that are followed, the newest first; none of them is read yet.
pub(crate) fn shared(rows: i64) -> Shared {
    let mut shared = screens::blank();
    shared.stage = WindowStage::Working;
    shared.screen = Screen::Track;
    shared.track.pane = TrackPane::Table;
    shared.track.list = Remote::ready(list((FIRST..FIRST + rows).rev()));
    shared
}

pub(crate) fn list(ids: impl Iterator<Item = i64>) -> TrackList {
    TrackList {
        ids: ids.map(ConsignmentId::new).collect(),
        ..TrackList::default()
    }
}

pub(crate) fn open(shared: Shared) -> Window {
    sized(shared, [1440.0, 900.0], ThemeChoice::Light)
}

pub(crate) fn sized(shared: Shared, size: [f32; 2], theme: ThemeChoice) -> Window {
    open_in(shared, size, theme)
}

/// What was asked of Track, but for how the table is shown and which rows are in sight.
pub(crate) fn asked(window: &mut Window) -> Vec<TrackCommand> {
    let asked = std::mem::take(&mut window.state_mut().asked);
    let track = asked.into_iter().filter_map(|command| match command {
        Command::Track(command) => Some(command),
        Command::List(_) | Command::Dispatch(DispatchCommand::SaveView(_)) => None,
        other => panic!("asked for {other:?}"),
    });
    track.collect()
}

/// The rows that were asked for last.
pub(crate) fn needed(window: &mut Window) -> Vec<i64> {
    let asked = std::mem::take(&mut window.state_mut().asked);
    let ids = { asked.into_iter().rev() }.find_map(|command| match command {
        Command::List(ListCommand::NeedRows(ids)) => Some(ids),
        _ => None,
    });
    ids.unwrap_or_default().iter().map(|id| id.get()).collect()
}

/// Does what the program would: reads what was asked for, and answers how many rows that were.
pub(crate) fn serve(window: &mut Window) -> usize {
    let ids = needed(window);
    let rows = ids
        .iter()
        .map(|id| (ConsignmentId::new(*id), Arc::new(row(*id))));
    Arc::make_mut(&mut window.state_mut().shared.rows).extend(rows);
    window.run();
    ids.len()
}

/// Puts the keys on the table, its first row under the cursor.
pub(crate) fn to_the_table(window: &mut Window) {
    type_keys(window, "<Ctrl+F><Enter>");
}

/// A table of so many rows, with the keyboard in it.
pub(crate) fn at_the_table(rows: i64) -> Window {
    let mut window = open(shared(rows));
    to_the_table(&mut window);
    window
}
