//! Pictures of the board for a person to look at: both themes, every window size, and its texts before data
//! has arrived.

use app::state::{
    ArrivalCounts, Board, ConsignmentHistory, ConsignmentRow, Editing, Remote, Screen, Shared,
    SyncMark, ThemeChoice,
};
use egui_kittest::kittest::Queryable as _;
use engine::EngineError;

use crate::journeys::kit::picture_showing;
use crate::journeys::screens::{Desk, data, desk, open};
use crate::support::keyboard::{click, type_keys};

pub(super) fn busy() -> Shared {
    let mut shared = data::shared();
    shared.screen = Screen::Track;
    data::board::put_into(&mut shared);
    shared
}

fn take(
    name: &str,
    size: [f32; 2],
    scale: f32,
    theme: ThemeChoice,
    shared: Shared,
    texts: &[&str],
) {
    let mut window = desk(size, scale, theme, Desk::new(shared, Editing::default()));
    picture_showing(&mut window, &format!("board-{name}"), texts);
}

#[test]
fn the_board_is_drawn_in_both_themes_and_at_every_size() {
    let (light, dark) = (ThemeChoice::Light, ThemeChoice::Dark);
    for (name, size, scale, theme) in [
        ("light", [1440.0, 900.0], 1.0, light),
        ("dark", [1440.0, 900.0], 1.0, dark),
        ("small", [1024.0, 700.0], 1.0, light),
        ("small-dark", [1024.0, 700.0], 1.0, dark),
        ("large", [1920.0, 1080.0], 1.0, light),
        ("scaled", [1280.0, 720.0], 1.5, light),
    ] {
        take(
            name,
            size,
            scale,
            theme,
            busy(),
            &["In transit", "Past ETA"],
        );
    }
}

#[test]
fn a_consignment_is_drawn_beside_the_board() {
    let beside = || {
        let mut shared = busy();
        let row = ConsignmentRow::clone(&shared.rows[&data::board::FRESH[0]]);
        let track = &mut shared.track;
        track.page.open = Some(row.id);
        let history = Vec::new();
        track.page.history = Remote::ready(Some(ConsignmentHistory { row, history }));
        shared
    };
    let light = ThemeChoice::Light;
    take(
        "beside",
        [1440.0, 900.0],
        1.0,
        light,
        beside(),
        &["MS200102"],
    );
    take(
        "beside-small",
        [1024.0, 700.0],
        1.0,
        ThemeChoice::Dark,
        beside(),
        &["MS200102"],
    );
}

/// Nothing counted, nothing asked.
fn bare() -> Shared {
    let mut shared = data::shared();
    shared.screen = Screen::Track;
    shared
}

#[test]
fn the_board_is_drawn_while_it_knows_little() {
    let size = [1440.0, 900.0];
    take("nothing", size, 1.0, ThemeChoice::Light, bare(), &["–"]);
    let mut quiet = busy();
    let mut board = Board::clone(quiet.track.board.value().expect("a board"));
    board.exceptions.clear();
    board.by_exception.clear();
    (board.late, board.went_wrong, board.not_collected) = (0, 0, 0);
    quiet.track.new_exceptions.clear();
    quiet.track.board = Remote::ready(board.into());
    take(
        "quiet",
        size,
        1.0,
        ThemeChoice::Dark,
        quiet,
        &["Nothing needs attention"],
    );
    let mut empty = bare();
    let at = empty.now;
    empty.track.mark = Some(SyncMark {
        seen_to: at,
        at,
        whole_at: at,
    });
    empty.track.board = Remote::ready(Board::default().into());
    take(
        "empty",
        size,
        1.0,
        ThemeChoice::Light,
        empty,
        &["On time: –, nothing due"],
    );
    let mut failed = busy();
    failed.track.sync = Remote::failed(EngineError::Internal, None);
    failed.track.gap = true;
    take(
        "failed",
        size,
        1.0,
        ThemeChoice::Light,
        failed,
        &["Couldn't sync. Showing earlier data"],
    );
}

#[test]
fn a_share_is_never_rounded_up_to_all_and_a_difference_says_its_direction() {
    let counts = |on_time, late| ArrivalCounts {
        on_time,
        late,
        failed: 0,
    };
    let days = busy().track.scope.days;
    for (now, before, hours, on_time, transit) in [
        (
            counts(9_999, 1),
            counts(9_919, 81),
            7,
            "99.9 %, +0.8",
            "median 7 h",
        ),
        (
            counts(5, 0),
            counts(5, 0),
            43,
            "100 %, +0.0",
            "median 1.8 days",
        ),
        (
            counts(0, 5),
            counts(12, 988),
            43,
            "0.0 %, −1.2",
            "median 1.8 days",
        ),
    ] {
        let mut shared = busy();
        let mut board = Board::clone(shared.track.board.value().expect("a board"));
        (board.arrivals, board.arrivals_before) = (now, before);
        board.median_transit = Some(jiff::SignedDuration::from_hours(hours));
        board.scope.days = days;
        shared.track.board = Remote::ready(board.into());
        let window = open(shared);
        window.get_by_label(&format!("On time: {on_time} vs the previous {days} days"));
        window.get_by_label_contains(transit);
    }
}

#[test]
fn what_opens_over_the_board_is_drawn() {
    let mut window = open(busy());
    click(&mut window, "Day by day");
    picture_showing(&mut window, "board-days", &["Day by day"]);
    type_keys(&mut window, "<Alt+3>");
    picture_showing(&mut window, "board-period", &["Last 7 days"]);
    type_keys(&mut window, "<Esc><Alt+T>");
    window.get_by_label("Late after the ETA").type_text("1000");
    window.run();
    picture_showing(
        &mut window,
        "board-thresholds",
        &["A whole number of hours from 0 to 999"],
    );
}
