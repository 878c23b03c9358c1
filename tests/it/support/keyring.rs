//! A private, real keyring: a session bus and GNOME's Secret Service, unlocked, with its own home folder.

use super::session_bus::SessionBus;

/// Unlocks (and at the first start makes) the login keyring.
const UNLOCK: &str =
    "printf test-password | gnome-keyring-daemon --unlock --components=secrets >/dev/null";

/// A running keyring; it ends with the test.
pub(crate) struct Keyring(SessionBus);

impl Keyring {
    pub(crate) fn start() -> Self {
        let session = SessionBus::start(UNLOCK);
        Self(session.expect("no keyring could be started: sh assets/setup-debian.sh --tests"))
    }

    /// The session bus, as `DBUS_SESSION_BUS_ADDRESS` names it.
    pub(crate) fn bus(&self) -> &str {
        self.0.address()
    }
}
