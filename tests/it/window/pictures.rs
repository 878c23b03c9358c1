//! The pictures of the README, taken of the real window: each screen of a bench in the middle of its day, in light and
//! dark.

use std::fs;
use std::path::Path;

use app::config::{Settings, ThemeChoice};
use image::RgbImage;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use jiff::SignedDuration;
use printing::profile::Destination;
use serde_json::{Value, json};
use shipping::Clock;

use super::job::{A_WHILE, print_labels_to, type_a_consignment};
use super::journal::Journal;
use crate::support::cupsd::Cupsd;
use crate::support::display::{Display, Window};
use crate::support::practice::{CREATE, client, order};
use crate::support::program::Home;
use crate::support::recorder::Recorder;
use crate::support::runtime::runtime;
use crate::support::wait::until;

/// Receivers with suburb and postcode.
const RECEIVERS: [(&str, &str, &str); 8] = [
    ("Ballarat Farm & Garden", "Ballarat Central", "3350"),
    ("Tweed Marine", "Tweed Heads", "2485"),
    ("Gawler Hardware", "Gawler", "5118"),
    ("Mount Isa Rural", "Mount Isa", "4825"),
    ("Coastline Irrigation", "Wollongong", "2500"),
    ("Yarra Nursery", "Richmond", "3121"),
    ("Derwent Tools", "Hobart", "7000"),
    ("Capital Gardens", "Canberra", "2600"),
];

const GOODS: [&str; 4] = [
    "Hose reels, 20 m",
    "Drip irrigation kit",
    "Sprinkler heads",
    "Pump, 750 W",
];

/// Carriers, each with its service.
const CARRIERS: [(i64, i64); 4] = [(11, 1101), (12, 1201), (14, 1401), (15, 1501)];

const CONSIGNMENTS: usize = 38;
const BOOKED: usize = 30;

#[test]
#[ignore = "makes the pictures of the README: cargo test --test it window::pictures -- --ignored"]
fn the_readme_shows_each_screen_in_light_and_dark() {
    let (display, home) = (Display::start(), Home::new());
    let (cups, printer) = (Cupsd::start(), Recorder::start());
    cups.raw_queue("Zebra", printer.port());
    let places = print_labels_to(home.data(), Destination::Queue("Zebra".to_owned()));
    fill_the_practice_service(&home);
    let journal = Journal::of(&home);
    for (theme, name) in [(ThemeChoice::Light, "light"), (ThemeChoice::Dark, "dark")] {
        let mut settings = Settings::read(&places).expect("settings");
        settings.bench.theme = theme;
        settings.bench.name = "Bench 4".to_owned();
        // An installation that was started before shows no tour.
        settings.installation = "BNCH04".to_owned();
        settings.write(&places).expect("settings");
        let mut command = home.command(&[]);
        command
            .env("CUPS_SERVER", cups.socket())
            .env("PACKBENCH_ZONE", "Australia/Sydney");
        let mut program = home.launch(command, &display);
        let window = display.focused_window();
        take_pictures(&display, &window, &journal, name);
        program.must_run();
        program.kill();
    }
}

fn take_pictures(display: &Display, window: &Window<'_>, journal: &Journal, theme: &str) {
    for _ in 0..2 {
        let before = journal.operations().len();
        type_a_consignment(window, journal);
        display.settle();
        save(&display.picture(), &format!("consign-{theme}"));
        window.press(&["ctrl+Return"]);
        until("it is sent", A_WHILE, || {
            let all = journal.operations();
            (all.len() > before && all.iter().all(|one| one.state == "Done")).then_some(())
        });
        display.settle();
    }
    for (keys, screen) in [
        (["F3", "ctrl+g"], "dispatch"),
        (["F4", "F4"], "labels"),
        (["F5", "F5"], "track"),
        (["F6", "alt+o"], "operations"),
    ] {
        for key in keys {
            window.press(&[key]);
            display.settle();
        }
        save(&display.picture(), &format!("{screen}-{theme}"));
    }
}

fn save(picture: &RgbImage, name: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/pictures");
    fs::create_dir_all(&folder).expect("a folder");
    let file = fs::File::create(folder.join(format!("{name}.png"))).expect("a file");
    let png = PngEncoder::new_with_quality(file, CompressionType::Best, FilterType::Adaptive);
    picture.write_with_encoder(png).expect("a picture");
}

/// Makes consignments of the last eight days. Most are booked, delivered or in transit, and some are late.
fn fill_the_practice_service(home: &Home) {
    let now = Clock::system().now();
    let clock = Clock::fixed(now - SignedDuration::from_hours(8 * 24));
    let settings = practice::Settings {
        clock: clock.clone(),
        speed: 1,
        ..practice::Settings::at(home.data().join("practice"))
    };
    runtime(1).block_on(async {
        let service = practice::start(settings).await.expect("a practice service");
        let post = async |path: &str, body: &Value| -> Value {
            let address = format!("{}{path}", service.base_url());
            let request = client().post(address).header("token", service.token());
            let answer = request
                .body(body.to_string())
                .send()
                .await
                .expect("an answer");
            let answer = answer.bytes().await.expect("an answer");
            let mut answer: Value = serde_json::from_slice(&answer).expect("JSON");
            assert_eq!(answer["errors"], Value::Null, "{answer}");
            answer["object"].take()
        };
        for at in 0..CONSIGNMENTS {
            let hours = 8 * 24 - i64::try_from(at).expect("a count") * 5;
            clock.set(now - SignedDuration::from_hours(hours));
            let made = post(CREATE, &one(at)).await;
            if at < BOOKED {
                let groups = post(
                    "/apiv2/manifests/groupConsignmentsForManifest",
                    &json!([made["id"]]),
                )
                .await;
                post("/apiv2/manifests/manifest", &groups).await;
            }
        }
        clock.set(now);
        service.stop().await;
    });
}

/// The request for a consignment, different for each position.
fn one(at: usize) -> Value {
    let (name, suburb, postcode) = RECEIVERS[at % RECEIVERS.len()];
    let (carrier, service) = CARRIERS[(at * 3 + at / 4) % CARRIERS.len()];
    let mut one = order();
    one["toName"] = json!(name);
    one["toLocation"] = json!({ "suburb": suburb, "postcode": postcode });
    one["carrierId"] = json!(carrier);
    one["carrierServiceId"] = json!(service);
    one["customerReference"] = json!(format!("SO-{}", 48_213 + at));
    one["items"][0]["name"] = json!(GOODS[at % GOODS.len()]);
    one["items"][0]["quantity"] = json!(1 + at % 3);
    one
}
