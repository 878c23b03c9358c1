//! When carriers close: as last booked or as set, counted down on every screen while consignments are not booked.

use std::time::Duration;

use app::config::Settings;
use app::state::{DispatchCommand, OperationState, Screen};
use egui_kittest::kittest::Queryable as _;
use engine::{CarrierClosing, SetClosing};
use jiff::SignedDuration;

use super::bench::{booking_of, by, groups, send_by};
use crate::journeys::kit::picture_showing;
use crate::support::desk::{Desk, Home, open_bench};
use crate::support::front::Front;

/// Reads the closing times until these carriers are there, and returns them.
fn closings(desk: &mut Desk, carriers: &[&str]) -> Vec<CarrierClosing> {
    desk.pass(Duration::from_secs(61));
    desk.until(&format!("{carriers:?} close"), |core| {
        let closings = core.shared.dispatch.closings.value()?;
        let names: Vec<_> = closings
            .iter()
            .map(|closing| closing.carrier.as_str())
            .collect();
        (names == carriers).then(|| closings.to_vec())
    })
}

#[test]
fn a_closing_time_is_a_carrier_perhaps_a_place_and_a_time() {
    let set = |line: &str| line.parse::<SetClosing>();
    let one = set(" Tasman Freight , Sydney DC 16:30 ").expect("a closing time");
    assert_eq!(
        (&*one.carrier, &*one.place),
        ("Tasman Freight", "Sydney DC")
    );
    assert_eq!(one.time.to_string(), "16:30:00");
    assert_eq!(set("Bluegum 9:05").expect("a closing time").place, "");
    for wrong in [
        "",
        "16:30",
        " 16:30",
        "Tasman",
        "Tasman 25:00",
        "Tasman half past four",
        ", Sydney DC 16:30",
    ] {
        assert!(set(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn a_carrier_closes_as_last_booked_at_the_same_place() {
    let (_home, _practice, mut desk) = open_bench();
    let first = send_by(&mut desk, "SO-1", by(11, "Southern Cross"));
    desk.ask(DispatchCommand::GroupAll);
    let sent = groups(&mut desk);
    let closing = sent[0]
        .pickup_closing_time
        .expect("the service says when it closes");
    desk.ask(DispatchCommand::Book(sent));
    desk.until("it is booked", |core| {
        (booking_of(core, &[first])?.state == OperationState::Done).then_some(())
    });
    assert_eq!(closings(&mut desk, &[]), [], "nothing waits");
    let [_, held] =
        ["SO-2", "SO-3"].map(|reference| send_by(&mut desk, reference, by(11, "Southern Cross")));
    // No manifest with this carrier was booked.
    send_by(&mut desk, "SO-4", by(12, "Bluegum"));
    let found = closings(&mut desk, &["Southern Cross"]);
    assert_eq!(
        (found[0].waiting, &*found[0].place),
        (2, "Harbour Supplies, Sydney DC")
    );
    let at = found[0].at.in_tz("Australia/Sydney").expect("a zone");
    assert_eq!(at.time(), closing.0.time());
    // What is on hold is not to be booked.
    desk.ask(DispatchCommand::SetOnHold(vec![held], true));
    desk.pass(Duration::from_secs(61));
    desk.until("one is left", |core| {
        let closings = core.shared.dispatch.closings.value()?;
        (closings.first()?.waiting == 1).then_some(())
    });
}

#[test]
fn a_time_that_is_set_counts_for_a_place_before_it_counts_for_all() {
    let mut home = Home::new();
    home.settings.bench.closing_times = [
        "southern cross 16:00",
        "Bluegum, Harbour Supplies, Sydney DC 14:45",
        "Bluegum 15:00",
        "Wattle Parcel 10:00",
    ]
    .map(str::to_owned)
    .to_vec();
    let (_practice, mut desk) = home.open_practice();
    send_by(&mut desk, "SO-1", by(11, "Southern Cross"));
    send_by(&mut desk, "SO-2", by(12, "Bluegum"));
    // It is 14:05, so this one has closed.
    send_by(&mut desk, "SO-3", by(15, "Wattle Parcel"));
    let found = closings(&mut desk, &["Bluegum", "Southern Cross"]);
    let left: Vec<_> = { found.iter() }
        .map(|closing| closing.at.duration_since(desk.core.shared.now))
        .collect();
    assert_eq!(
        left,
        [
            SignedDuration::from_mins(40),
            SignedDuration::from_mins(115)
        ]
    );
}

#[test]
fn closing_times_are_typed_in_settings_and_counted_down_on_every_screen() {
    let home = Home::new();
    let practice = home.practise();
    let mut front = Front::at_practice(&home, &practice);
    front.keys("<Ctrl+Comma>");
    front.widgets().get_by_label("Bench & appearance").click();
    front.rest();
    front.focus("Closing times of carriers");
    front.text("Southern Cross half past two");
    front.rest();
    let words =
        "“Southern Cross half past two” needs a carrier and a time, such as Tasman Freight 16:30";
    assert!(
        front
            .widgets()
            .query_all_by_label_contains(words)
            .next()
            .is_some()
    );
    front.keys("<Ctrl+A>");
    front.text("Southern Cross 14:40");
    front.keys("<Ctrl+S>");
    front.until("it is kept", |_shared| {
        let settings = Settings::read(&home.places).expect("settings");
        (settings.bench.closing_times == ["Southern Cross 14:40"]).then_some(())
    });
    front.rest();
    picture_showing(
        front.widgets(),
        "closing-times",
        &["Closing times of carriers"],
    );
    front.keys("<F2>");
    front.type_consignment("SO-1");
    front.keys("<Ctrl+Enter>");
    let carrier = front.until("it is made", |shared| shared.consign.last_created.clone());
    assert_eq!(carrier.carrier_name(), "Southern Cross");
    let line = "Southern Cross closes in 35 min: 1 consignment not booked";
    front.until("the line", |shared| {
        (shared.dispatch.closings.value()?.len() == 1).then_some(())
    });
    for keys in ["<F2>", "<F4>", "<F5>", "<F6>", "<F3>"] {
        front.keys(keys);
        front.rest();
        assert!(front.shows(line), "after {keys}");
    }
    front.keys("<F2>");
    front.rest();
    picture_showing(front.widgets(), "closing-line", &[line]);
    front.widgets().get_by_label("Book").click();
    front.rest();
    assert_eq!(front.shared().screen, Screen::Dispatch);
}
