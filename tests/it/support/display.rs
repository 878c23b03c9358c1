//! A private X server without hardware, with its keyboard, mouse and screen picture.
//!
//! There is no window manager: a window has the size that it requests, and gets the keyboard focus only when
//! it is given. Displays take turns, because drawing without a GPU uses both cores of a small machine.

use std::fs::{self, File};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use image::{Rgb, RgbImage};
use tempfile::TempDir;

use super::program::first_line;
use super::wait::{SOON, until};

static TURN: Mutex<()> = Mutex::new(());

/// Wide enough for every screen at its intended size.
const SCREEN: &str = "1440x900x24";

/// How many glances in a row must see the same screen.
const STILL: usize = 20;

/// A running X server, stopped on drop.
pub(crate) struct Display {
    server: Child,
    number: String,
    /// Holds the server's log and the screen's memory.
    folder: TempDir,
    /// `None` for a display beside another, which has the turn.
    _turn: Option<MutexGuard<'static, ()>>,
}

impl Display {
    /// Starts a server on a number that is free.
    pub(crate) fn start() -> Self {
        Self::start_with(&[])
    }

    /// Starts a server with these options, too.
    pub(crate) fn start_with(options: &[&str]) -> Self {
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        Self::begin(options, Some(turn))
    }

    /// Starts two displays for one test.
    pub(crate) fn start_two() -> [Self; 2] {
        [Self::start(), Self::begin(&[], None)]
    }

    fn begin(options: &[&str], turn: Option<MutexGuard<'static, ()>>) -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        let log =
            File::create(folder.path().join("server.log")).expect("a log in the temporary folder");
        let mut server = Command::new("Xvfb")
            .args([
                "-displayfd",
                "1",
                "-screen",
                "0",
                SCREEN,
                "-noreset",
                "-nolisten",
                "tcp",
                "-fbdir",
            ])
            .arg(folder.path())
            .args(options)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .expect("Xvfb is missing: sh assets/setup-debian.sh --tests");
        let number = first_line(&mut server);
        assert!(
            !number.is_empty(),
            "Xvfb did not start: {}",
            read(&folder.path().join("server.log"))
        );
        Self {
            server,
            number,
            folder,
            _turn: turn,
        }
    }

    /// As `DISPLAY` names it.
    pub(crate) fn name(&self) -> String {
        format!(":{}", self.number)
    }

    /// The visible window whose title holds `title`, once it is there.
    pub(crate) fn window(&self, title: &str) -> Window<'_> {
        // Out of the way, so that nothing is hovered.
        self.xdotool(&["mousemove", "1439", "899"]);
        let id = until(&format!("a window called {title}"), SOON, || {
            let found = self.xdotool(&["search", "--onlyvisible", "--name", title])?;
            found.lines().last().map(str::to_owned)
        });
        Window { display: self, id }
    }

    /// The program's window, once it is there and has the keyboard.
    pub(crate) fn focused_window(&self) -> Window<'_> {
        let window = self.window("Packbench");
        window.focus();
        window
    }

    /// The titles of all visible windows.
    pub(crate) fn titles(&self) -> Vec<String> {
        let found = self
            .xdotool(&["search", "--onlyvisible", "--name", "."])
            .unwrap_or_default();
        found
            .lines()
            .filter_map(|id| self.xdotool(&["getwindowname", id]))
            .collect()
    }

    /// Whether anybody has drawn where every window of ours reaches: the empty screen is black. Quick enough to ask often.
    pub(crate) fn shows_something(&self) -> bool {
        const LINE: usize = 300;
        let mut line = [0; 1440 * 4];
        let memory = File::open(self.screen_memory()).expect("the screen's memory");
        let length = memory.metadata().expect("its length").len();
        // The picture is the end of the file.
        let from_end = u64::try_from(line.len() * (900 - LINE)).expect("a small number");
        memory
            .read_exact_at(&mut line, length - from_end)
            .expect("a line of the screen");
        line.chunks_exact(4).any(|pixel| pixel[..3] != [0, 0, 0])
    }

    /// What is on the screen now.
    pub(crate) fn picture(&self) -> RgbImage {
        let memory = fs::read(self.screen_memory()).expect("the screen's memory");
        decode_xwd(&memory).expect("the picture format of this X server")
    }

    /// Waits until the screen has stopped changing, so that what is seen or typed next meets what came and not what was on
    /// its way.
    pub(crate) fn settle(&self) {
        let (mut last, mut same) = (self.picture(), 0);
        until("the screen stops changing", SOON, || {
            let now = self.picture();
            same = if now == last { same + 1 } else { 0 };
            last = now;
            (same == STILL).then_some(())
        });
    }

    /// Saves the picture in `target/window/` for a person to look at.
    pub(crate) fn save_picture(&self, name: &str) -> PathBuf {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("window");
        fs::create_dir_all(&folder).expect("a folder for pictures");
        let path = folder.join(format!("{name}.png"));
        self.picture()
            .save(&path)
            .expect("a picture that can be written");
        path
    }

    fn screen_memory(&self) -> PathBuf {
        self.folder.path().join("Xvfb_screen0")
    }

    /// What xdotool prints, or nothing where it fails.
    fn xdotool(&self, arguments: &[&str]) -> Option<String> {
        let output = Command::new("xdotool")
            .args(arguments)
            .env("DISPLAY", self.name())
            .output()
            .expect("xdotool is missing: sh assets/setup-debian.sh --tests");
        output
            .status
            .success()
            .then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        // It may have died by itself; there is nothing more to do then.
        drop(self.server.kill());
        drop(self.server.wait());
        // Killed, it leaves its lock behind, and the next one would have to try the next number.
        drop(fs::remove_file(format!("/tmp/.X{}-lock", self.number)));
        drop(fs::remove_file(format!("/tmp/.X11-unix/X{}", self.number)));
    }
}

/// A window on a [`Display`], given keys as a clerk's keyboard or scanner gives them.
pub(crate) struct Window<'a> {
    display: &'a Display,
    id: String,
}

impl Window<'_> {
    /// Gives this window the keyboard.
    pub(crate) fn focus(&self) {
        until("the window takes the keyboard", SOON, || {
            self.display.xdotool(&["windowfocus", "--sync", &self.id])
        });
    }

    /// Width and height in pixels.
    pub(crate) fn size(&self) -> [u32; 2] {
        let answer = self
            .display
            .xdotool(&["getwindowgeometry", "--shell", &self.id])
            .expect("a window that is there");
        let number = |name: &str| {
            let line = answer
                .lines()
                .find_map(|line| line.strip_prefix(name)?.strip_prefix('='));
            line.and_then(|digits| digits.parse().ok())
                .expect("a size in pixels")
        };
        [number("WIDTH"), number("HEIGHT")]
    }

    /// Presses keys one after the other, by X's names: `Tab`, `ctrl+Return`, `F3`.
    pub(crate) fn press(&self, keys: &[&str]) {
        self.send(&[&["key", "--delay", "20"], keys].concat());
    }

    /// Types as a quick person does; `\t` and `\n` are the keys Tab and Enter.
    pub(crate) fn type_text(&self, text: &str) {
        self.send_text(text, "20");
    }

    /// Types as a scanner does, all at once.
    pub(crate) fn burst(&self, text: &str) {
        self.send_text(text, "0");
    }

    /// In one call, so that nothing comes between. xdotool's own `type` would send the old key Linefeed for `\n`.
    fn send_text(&self, text: &str, delay: &str) {
        let mut arguments = Vec::new();
        for part in text.split_inclusive(['\t', '\n']) {
            let plain = part.trim_end_matches(['\t', '\n']);
            if !plain.is_empty() {
                arguments.extend(["type", "--delay", delay, "--args", "1", plain]);
            }
            match part.chars().last() {
                Some('\t') => arguments.extend(["key", "--delay", delay, "Tab"]),
                Some('\n') => arguments.extend(["key", "--delay", delay, "Return"]),
                _ => {}
            }
        }
        self.send(&arguments);
    }

    /// Holds `key` down, for buttons that must be held; release it with [`Window::release`].
    pub(crate) fn hold(&self, key: &str) {
        self.send(&["keydown", key]);
    }

    pub(crate) fn release(&self, key: &str) {
        self.send(&["keyup", key]);
    }

    fn send(&self, arguments: &[&str]) {
        assert!(
            self.display.xdotool(arguments).is_some(),
            "xdotool refused {arguments:?}"
        );
    }
}

impl Drop for Window<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            // What was on the screen tells more than the message; the program, older than this, still shows it.
            let test = thread::current()
                .name()
                .unwrap_or("test")
                .replace("::", "-");
            self.display.save_picture(&format!("failed-{test}"));
        }
    }
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_default()
}

/// Reads the X window dump that the server keeps its screen in: 25 or more big-endian words, a colour table, then
/// lines of 32-bit pixels, blue first.
fn decode_xwd(dump: &[u8]) -> Option<RgbImage> {
    let word = |index: usize| -> Option<usize> {
        let bytes = dump.get(index * 4..index * 4 + 4)?;
        usize::try_from(u32::from_be_bytes(bytes.try_into().ok()?)).ok()
    };
    let (header, width, height) = (word(0)?, word(4)?, word(5)?);
    let (bits_per_pixel, line, colours) = (word(11)?, word(12)?, word(19)?);
    if bits_per_pixel != 32 {
        return None;
    }
    let pixels = dump.get(header + colours * 12..)?;
    if pixels.len() < line * height {
        return None;
    }
    let mut picture = RgbImage::new(u32::try_from(width).ok()?, u32::try_from(height).ok()?);
    for (row, pixels) in picture.rows_mut().zip(pixels.chunks_exact(line)) {
        for (pixel, dump) in row.zip(pixels.chunks_exact(4)) {
            *pixel = Rgb([dump[2], dump[1], dump[0]]);
        }
    }
    Some(picture)
}

#[test]
fn a_display_is_private_empty_and_gone_afterwards() {
    let display = Display::start();
    let socket = PathBuf::from(format!("/tmp/.X11-unix/X{}", display.number));
    assert!(socket.exists());
    assert_eq!(display.titles(), Vec::<String>::new());
    assert!(!display.shows_something());
    let picture = display.picture();
    assert_eq!(picture.dimensions(), (1440, 900));
    assert!(
        picture.pixels().all(|pixel| pixel.0 == [0, 0, 0]),
        "nobody has drawn yet"
    );
    drop(display);
    assert!(!socket.exists());
}

#[test]
fn a_picture_that_is_cut_short_is_refused() {
    assert!(decode_xwd(&[]).is_none());
    assert!(decode_xwd(&[0; 160]).is_none());
}
