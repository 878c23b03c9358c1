//! A serial cable made of a pseudo terminal.

use std::fs::File;
use std::path::PathBuf;

use rustix::pty::{OpenptFlags, grantpt, ioctl_tiocgptpeer, openpt, ptsname, unlockpt};

/// A serial cable: the device's end, and the path of the bench's end.
pub(crate) struct Cable {
    pub(crate) device: File,
    /// Keeps the bench's end open, so that the device can read before the bench opened it.
    _bench: File,
    pub(crate) path: PathBuf,
}

impl Cable {
    pub(crate) fn new() -> Self {
        // A program that another test starts meanwhile would otherwise keep both ends open, and the cable plugged in.
        let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
        let device = openpt(flags).expect("a pseudo terminal");
        grantpt(&device).expect("its access");
        unlockpt(&device).expect("its lock");
        let bench = ioctl_tiocgptpeer(&device, flags).expect("its other end");
        let name = ptsname(&device, Vec::new()).expect("its name");
        let path = PathBuf::from(name.to_str().expect("an ASCII name"));
        Self {
            device: device.into(),
            _bench: bench.into(),
            path,
        }
    }
}
