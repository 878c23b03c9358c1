//! `packbench workgroup`, as an administrator runs it.

use std::io::Write as _;
use std::process::{Output, Stdio};
use std::sync::Arc;

use super::{MemberOnly, consignments, operation, options};
use crate::support::keyring::Keyring;
use crate::support::postgres::{PASSWORD, Postgres, Stop};
use crate::support::program::Home;
use crate::support::runtime::runtime;

/// An administrator at a computer with a keyring of its own.
struct Administrator {
    home: Home,
    keyring: Keyring,
}

impl Administrator {
    fn new() -> Self {
        Self {
            home: Home::fresh(),
            keyring: Keyring::start(),
        }
    }

    /// Runs a command with this standard input. Returns its exit code and what it wrote.
    fn run(&self, arguments: &[&str], input: &str) -> (Option<i32>, String) {
        let mut command = self.home.command(&[&["workgroup"], arguments].concat());
        let mut child = command
            .env("DBUS_SESSION_BUS_ADDRESS", self.keyring.bus())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut stdin = child.stdin.take().expect("its input");
        // Ignored: a command that reads no input may already have ended.
        let _unread = stdin.write_all(input.as_bytes());
        drop(stdin);
        let Output {
            status,
            stdout,
            stderr,
        } = child.wait_with_output().expect("it ends");
        let said = [stdout, stderr].concat();
        (status.code(), String::from_utf8_lossy(&said).into_owned())
    }
}

#[test]
fn an_administrator_sets_the_database_up_checks_it_and_sees_the_benches() {
    let server = Postgres::start();
    let administrator = Administrator::new();
    let address = server.address();
    let with = |command| [command, "--address", &address];

    let (code, said) = administrator.run(&["check"], "");
    assert_eq!(code, Some(1));
    assert_eq!(
        said,
        "packbench: no address is set: add it in Settings, or with packbench provision\n"
    );
    let (code, said) = administrator.run(&with("check"), "");
    assert_eq!(code, Some(1));
    assert_eq!(
        said,
        "packbench: the workgroup's database refuses the user or the password\n"
    );

    let (code, said) = administrator.run(&with("set-password"), &format!("{PASSWORD}\n"));
    assert_eq!(
        (code, said.as_str()),
        (Some(0), "the password is stored in the keyring\n")
    );
    let (code, said) = administrator.run(&with("check"), "");
    assert_eq!(code, Some(0), "{said}");
    assert!(
        said.contains("not set up yet: run packbench workgroup init"),
        "{said}"
    );
    let (code, said) = administrator.run(&with("status"), "");
    assert_eq!(code, Some(1), "{said}");
    let (code, said) = administrator.run(&with("init"), "");
    assert_eq!(code, Some(0), "{said}");
    let (code, said) = administrator.run(&with("check"), "");
    assert_eq!(code, Some(0), "{said}");
    assert!(
        said.contains("The tables have version 4, as they should"),
        "{said}"
    );
    let (_, said) = administrator.run(&with("status"), "");
    assert!(said.ends_with("No bench has connected yet\n"), "{said}");

    let runtime = Arc::new(runtime(1));
    let bench = MemberOnly::join(&runtime, options(&address), "Bench 1").connected();
    let claimed = bench.wait(bench.workgroup.claim(&operation(1), &consignments([71])));
    assert_eq!(claimed, Ok(()));
    // The password may also come from standard input, for a user without rights to the keyring's entry.
    let line = [&with("status")[..], &["--password"]].concat();
    let (code, said) = administrator.run(&line, &format!("{PASSWORD}\n"));
    assert_eq!(code, Some(0), "{said}");
    let expected = "\nhttps://api.example.com/\n  Bench 1 (Mia), Packbench 0.2.0, connected\n  MS71 is being booked on \
                    Bench 1 by Mia\n";
    assert!(said.ends_with(expected), "{said}");
    assert!(!said.contains(PASSWORD));

    // After a restoration, every bench shares its values anew.
    let database = || bench.wait(bench.workgroup.newest_value()).expect("an id");
    let before = database();
    let (code, said) = administrator.run(&with("restored"), "");
    assert_eq!(code, Some(0), "{said}");
    assert_ne!(database().database, before.database);

    server.stop(Stop::Orderly);
    let (code, said) = administrator.run(&with("status"), "");
    assert_eq!(code, Some(1));
    assert_eq!(
        said,
        "packbench: the workgroup's database can't be reached\n"
    );
}
