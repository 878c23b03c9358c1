//! The sounds for scans: what the sound device gets, and which sound each scan has.

use std::fs::File;
use std::io::{BufReader, Read, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::sync_channel;
use std::thread::Builder;

use app::sounds::{ScanSound, device_player};
use app::state::{BenchSettings, SettingsCommand, WindowCommand};
use draft::SavedItem;

use super::scanner_journey::{bench_with, scan};
use crate::journeys::kit::picture_showing;
use crate::support::cable::Cable;
use crate::support::desk::open_bench;
use crate::support::front::Front;
use crate::support::keyboard::click;
use crate::support::wait::SOON;

/// Samples a second of the sound device.
const RATE: f64 = 44_100.0;
/// Louder than this is a tone, and not the beginning or the end of one.
const LOUD: i16 = 2_000;
/// The most quiet samples in a row within a tone: half a period of the lowest tone.
const MOST_QUIET: u32 = 60;

/// Starts the next test in a process of its own, whose sound device is this file.
fn play_into(pipe: &Path, folder: &Path) -> Child {
    let settings = folder.join("alsa.conf");
    let device = format!(
        "</usr/share/alsa/alsa.conf>
         pcm.!default {{ type plug slave {{ pcm pipe format S16_LE rate 44100 channels 2 }} }}
         pcm.pipe {{ type file slave {{ pcm {{ type null }} }} file {:?} format raw }}",
        pipe.display().to_string(),
    );
    std::fs::write(&settings, device).expect("a settings file");
    Command::new(std::env::current_exe().expect("this program"))
        .args([
            "--ignored",
            "--exact",
            "devices::sounds::the_other_process_plays_both_sounds",
        ])
        .env("ALSA_CONFIG_PATH", settings)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("this program again")
}

#[test]
#[ignore = "the next test runs it in a process of its own, with a sound device of its own"]
fn the_other_process_plays_both_sounds() {
    let play = device_player();
    let mut line = String::new();
    for sound in [ScanSound::Found, ScanSound::NotFound] {
        play(sound);
        // The other process says when it has heard the sound.
        std::io::stdin().read_line(&mut line).expect("a line");
    }
}

/// Returns the next sample of the left channel.
fn sample(device: &mut impl Read) -> i16 {
    let mut frame = [0; 4];
    device.read_exact(&mut frame).expect("the device is open");
    i16::from_le_bytes([frame[0], frame[1]])
}

/// Waits for a tone, and returns its frequency in hertz.
fn next_tone(device: &mut impl Read) -> f64 {
    let mut last = sample(device);
    while last.abs() < LOUD {
        last = sample(device);
    }
    let (mut samples, mut crossings, mut quiet) = (0_u32, 0_u32, 0_u32);
    // A tone falls to silence, and is quiet for a few samples at each crossing.
    while quiet < MOST_QUIET {
        let now = sample(device);
        if now.abs() < LOUD {
            quiet += 1;
        } else {
            samples += quiet + 1;
            crossings += u32::from((now < 0) != (last < 0));
            (last, quiet) = (now, 0);
        }
    }
    f64::from(crossings) / 2.0 / (f64::from(samples) / RATE)
}

#[test]
fn found_is_a_high_tone_and_not_found_a_low_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let pipe = folder.path().join("device");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo").success());
    let mut child = play_into(&pipe, folder.path());
    // Opened for writing too, so that opening does not wait for the other process.
    let device = File::options().read(true).write(true).open(&pipe);
    let mut device = BufReader::new(device.expect("the device"));
    let mut to_child = child.stdin.take().expect("its input");
    let (sender, tones) = sync_channel(2);
    let listening = Builder::new().spawn(move || {
        for _ in 0..2 {
            sender.send(next_tone(&mut device)).ok();
        }
    });
    listening.expect("a thread");
    let found = tones.recv_timeout(SOON).expect("a tone");
    writeln!(to_child, "heard").expect("the other process waits");
    let not_found = tones.recv_timeout(SOON).expect("a tone");
    child.kill().expect("the other process");
    child.wait().expect("its end");
    assert!((1_600.0..2_000.0).contains(&found), "found: {found} Hz");
    assert!(
        (380.0..520.0).contains(&not_found),
        "not found: {not_found} Hz"
    );
}

#[test]
fn every_way_to_scan_has_its_sounds() {
    let mut cable = Cable::new();
    let (home, _practice, mut front) = bench_with(&cable);
    front.type_consignment("SO-77");
    front.keys("<Ctrl+N>");
    assert_eq!(home.heard(), []);
    scan(&mut front, &mut cable, "SO-77");
    assert_eq!(home.heard(), [ScanSound::Found]);
    for text in ["NOPE-1", "(01)09312345678900"] {
        scan(&mut front, &mut cable, text);
        front.until("the sound", |_| {
            (home.heard() == [ScanSound::NotFound]).then_some(())
        });
    }
    // The same in the search box.
    search(&mut front, "NOPE-2");
    front.until("the sound", |_| {
        (home.heard() == [ScanSound::NotFound]).then_some(())
    });
    search(&mut front, "SO-77");
    assert_eq!(home.heard(), [ScanSound::Found]);
    // While a dialog is open.
    front.keys("<Ctrl+K>");
    scan(&mut front, &mut cable, "SO-7");
    assert_eq!(home.heard(), [ScanSound::NotFound]);
    // Bytes that are no text.
    front.keys("<Esc>");
    cable.device.write_all(b"SO-\xFF\r").expect("an open cable");
    front.until("the sound", |_| {
        (home.heard() == [ScanSound::NotFound]).then_some(())
    });
}

fn search(front: &mut Front, text: &str) {
    front.keys("<F9>");
    front.text(text);
    front.keys("<Enter>");
}

#[test]
fn a_gs1_count_has_one_sound_and_an_uncountable_quantity_the_other() {
    let (home, _practice, mut desk) = open_bench();
    let item = SavedItem {
        sku: "9312345678907".to_owned(),
        ..SavedItem::default()
    };
    desk.core.shared.catalogue.items = std::sync::Arc::new(vec![item]);
    desk.ask(WindowCommand::Find("]C10109312345678907373".to_owned()));
    desk.turn();
    assert_eq!(desk.core.editing.draft.goods[0].quantity, "3");
    assert_eq!(home.heard(), [ScanSound::Found]);
    "many".clone_into(&mut desk.core.editing.draft.goods[0].quantity);
    desk.ask(WindowCommand::Find("9312345678907".to_owned()));
    desk.turn();
    assert!(desk.core.shared.consign.not_counted.is_some());
    assert_eq!(home.heard(), [ScanSound::NotFound]);
}

#[test]
fn sounds_are_switched_off_and_tried_out_in_settings() {
    let cable = Cable::new();
    let (home, _practice, mut front) = bench_with(&cable);
    front.keys("<Ctrl+,>");
    front.rest();
    front.focus("Scale and scanner");
    front.keys("<Enter>");
    front.until("the devices are listed", |shared| {
        shared.settings.devices.value().map(drop)
    });
    front.widgets().set_size(egui::vec2(1440.0, 1100.0));
    front.rest();
    front.focus("Sounds for scans");
    front.keys("<Space>");
    front.until("sounds are off", |shared| {
        (!shared.bench.scan_sounds).then_some(())
    });
    search(&mut front, "NOPE-1");
    front.until("it is not found", |shared| shared.search.not_found.clone());
    assert_eq!(home.heard(), []);
    for (button, sound) in [
        ("Play “found”", ScanSound::Found),
        ("Play “not found”", ScanSound::NotFound),
    ] {
        click(front.widgets(), button);
        front.rest();
        assert_eq!(home.heard(), [sound]);
    }
    picture_showing(
        front.widgets(),
        "sounds-settings",
        &["Sounds for scans", "Play “found”", "look at the screen"],
    );
    let on = BenchSettings::default();
    assert!(on.scan_sounds, "sounds are on at first");
    front.ask(SettingsCommand::SetBench(on));
    search(&mut front, "NOPE-1");
    front.until("the sound", |_| {
        (home.heard() == [ScanSound::NotFound]).then_some(())
    });
}
