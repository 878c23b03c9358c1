//! Reads what a screen reader would: a session with the accessibility bus (AT-SPI) switched on, and the nodes
//! of a program there.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Builder;

use zbus::blocking::{Connection, MessageIterator, Proxy, connection, proxy};
use zbus::proxy::CacheProperties;
use zbus::zvariant::{OwnedObjectPath, Value};
use zbus::{MatchRule, message};

use super::session_bus::SessionBus;

/// Says that a screen reader is there, so that programs speak.
const SPEAK: &str = "dbus-send --session --print-reply --dest=org.a11y.Bus /org/a11y/bus \
    org.freedesktop.DBus.Properties.Set string:org.a11y.Status string:IsEnabled variant:boolean:true >/dev/null 2>&1";

/// Where every application hangs below.
const REGISTRY: &str = "org.a11y.atspi.Registry";
const ROOT: &str = "/org/a11y/atspi/accessible/root";
const ACCESSIBLE: &str = "org.a11y.atspi.Accessible";

/// AT-SPI's bits of a state.
const FOCUSED: u32 = 12;

/// How deep a tree may go, and how many things it may hold.
const DEEPEST: usize = 60;
const MOST: usize = 4_000;

/// A session with a screen reader's bus; it ends with the test.
pub(crate) struct Session(SessionBus);

impl Session {
    pub(crate) fn start() -> Self {
        let session = SessionBus::start(SPEAK);
        Self(
            session
                .expect("no accessibility bus could be started: sh assets/setup-debian.sh --tests"),
        )
    }

    /// The session bus, as `DBUS_SESSION_BUS_ADDRESS` names it.
    pub(crate) fn bus(&self) -> &str {
        self.0.address()
    }

    /// Begins to listen.
    pub(crate) fn listen(&self) -> ScreenReader {
        let session = connect(self.bus());
        let status = accessible(&session, "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus");
        let address: String = status
            .call("GetAddress", &())
            .expect("the accessibility bus says where it is");
        let bus = connect(&address);
        let announced = Arc::<Mutex<Vec<String>>>::default();
        let rule = MatchRule::builder()
            .msg_type(message::Type::Signal)
            .interface("org.a11y.atspi.Event.Object")
            .and_then(|rule| rule.member("Announcement"))
            .expect("names that D-Bus takes")
            .build();
        let heard = MessageIterator::for_match_rule(rule, &bus, Some(64)).expect("a subscription");
        let kept = Arc::clone(&announced);
        // It ends with the connection, when the session is stopped.
        Builder::new()
            .name("announcements".to_owned())
            .spawn(move || note(heard, &kept))
            .expect("a thread");
        ScreenReader { bus, announced }
    }
}

fn connect(address: &str) -> Connection {
    connection::Builder::address(address)
        .and_then(connection::Builder::build)
        .expect("a bus that can be reached")
}

fn accessible<'a>(bus: &Connection, name: &'a str, path: &'a str, interface: &'a str) -> Proxy<'a> {
    proxy::Builder::new(bus)
        .destination(name)
        .and_then(|proxy| proxy.path(path))
        .and_then(|proxy| proxy.interface(interface))
        // What a program says of itself changes from one question to the next.
        .map(|proxy| proxy.cache_properties(CacheProperties::No))
        .and_then(proxy::Builder::build)
        .expect("names that D-Bus takes")
}

/// AT-SPI's body of an event: what, two numbers, the words, and properties.
type Event<'a> = (String, i32, i32, Value<'a>, HashMap<String, Value<'a>>);

fn note(heard: MessageIterator, announced: &Mutex<Vec<String>>) {
    for message in heard.map_while(Result::ok) {
        let body = message.body();
        if let Ok((_, _, _, Value::Str(words), _)) = body.deserialize::<Event<'_>>() {
            let mut announced = announced.lock().unwrap_or_else(PoisonError::into_inner);
            announced.push(words.to_string());
        }
    }
}

/// What kind of thing, by AT-SPI's number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Role(u32);

impl Role {
    pub(crate) const CHECK_BOX: Self = Self(7);
    pub(crate) const COMBO_BOX: Self = Self(11);
    pub(crate) const BUTTON: Self = Self(43);
    pub(crate) const RADIO_BUTTON: Self = Self(44);
    pub(crate) const SPIN_BUTTON: Self = Self(52);
    pub(crate) const TOGGLE_BUTTON: Self = Self(62);
    pub(crate) const ENTRY: Self = Self(79);
    pub(crate) const LINK: Self = Self(88);

    /// AT-SPI's number.
    pub(crate) fn number(self) -> u32 {
        self.0
    }

    /// What a person types into, ticks or presses.
    pub(crate) fn is_input(self) -> bool {
        [
            Self::CHECK_BOX,
            Self::COMBO_BOX,
            Self::BUTTON,
            Self::RADIO_BUTTON,
            Self::SPIN_BUTTON,
            Self::TOGGLE_BUTTON,
            Self::ENTRY,
            Self::LINK,
        ]
        .contains(&self)
    }
}

/// One thing on a screen, as a screen reader knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Thing {
    /// What kind of thing.
    pub(crate) role: Role,
    /// What it is called.
    pub(crate) name: String,
    /// What else is said of it.
    pub(crate) description: String,
    /// It has the keyboard.
    pub(crate) focused: bool,
}

/// Hears what programs of its session say.
pub(crate) struct ScreenReader {
    bus: Connection,
    announced: Arc<Mutex<Vec<String>>>,
}

impl ScreenReader {
    /// All that every program shows now, outer things first; a thing that goes away meanwhile is left out.
    pub(crate) fn everything(&self) -> Vec<Thing> {
        let mut all = Vec::new();
        self.collect(REGISTRY, ROOT, 0, &mut all);
        all
    }

    /// What has the keyboard.
    pub(crate) fn focused(&self) -> Option<Thing> {
        let mut all = self.everything();
        // The window is focused, too; the innermost counts.
        let at = all.iter().rposition(|thing| thing.focused)?;
        Some(all.swap_remove(at))
    }

    /// What was announced since the last time.
    pub(crate) fn announced(&self) -> Vec<String> {
        let mut announced = self
            .announced
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut announced)
    }

    fn collect(&self, name: &str, path: &str, depth: usize, all: &mut Vec<Thing>) {
        let thing = accessible(&self.bus, name, path, ACCESSIBLE);
        if depth > DEEPEST || all.len() > MOST {
            return;
        }
        if depth > 0
            && let Some(thing) = look_at(&thing)
        {
            all.push(thing);
        }
        let children: Vec<(String, OwnedObjectPath)> =
            thing.call("GetChildren", &()).unwrap_or_default();
        for (name, path) in children {
            self.collect(&name, &path, depth + 1, all);
        }
    }
}

fn look_at(thing: &Proxy<'_>) -> Option<Thing> {
    let text = |name: &str| thing.get_property::<String>(name).ok();
    let states: Vec<u32> = thing.call("GetState", &()).ok()?;
    let low = states.first().copied().unwrap_or_default();
    Some(Thing {
        role: Role(thing.call("GetRole", &()).ok()?),
        name: text("Name")?,
        description: text("Description")?,
        focused: low & (1 << FOCUSED) != 0,
    })
}
