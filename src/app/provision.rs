//! `packbench provision` and `packbench token`: for administrators, who set up many benches without a window.

use std::fs;
use std::io::{self, BufRead as _, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use secrecy::SecretString;
use secrecy::zeroize::Zeroizing;
use tokio::runtime::Handle;

use crate::config::{
    DataFolder, MachineSettings, Settings, SystemInfo, Tokens, host_name, machine_settings_path,
    write_for_everybody,
};
use crate::service::ask_keyring;

/// Longer than any token, in bytes.
const LONGEST_TOKEN: usize = 4096;

/// Arguments of `packbench provision`
#[derive(Debug, Clone, clap::Args)]
pub struct ProvisionArgs {
    /// The settings, as a TOML file
    #[arg(required_unless_present = "schema")]
    file: Option<PathBuf>,
    /// Only check the file
    #[arg(long)]
    check: bool,
    /// Print the JSON schema of the file
    #[arg(long)]
    schema: bool,
}

/// Checks a file of machine-wide settings, and makes it the one of this computer. Prints every mistake with its line and
/// field. Returns exit code 1 if nothing was written.
pub fn provision(args: &ProvisionArgs) -> ExitCode {
    if args.schema {
        return say(&MachineSettings::schema());
    }
    let Some(file) = &args.file else {
        return ExitCode::FAILURE;
    };
    let text = match fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) => return complain(&[format!("{} can't be read: {error}", file.display())]),
    };
    if let Err(mistakes) = MachineSettings::parse(&text, &host_name()) {
        let place = file.display();
        let mistakes: Vec<_> = { mistakes.iter() }
            .map(|mistake| format!("{place}, {mistake}"))
            .collect();
        return complain(&mistakes);
    }
    if args.check {
        return say(&format!("{} is correct", file.display()));
    }
    let place = machine_settings_path();
    match write_for_everybody(&place, text.as_bytes()) {
        Ok(()) => say(&format!(
            "{} written. Each Packbench on this computer uses it from its next start",
            place.display()
        )),
        Err(error) => complain(&[format!(
            "{} can't be written: {error}. Run this command as an administrator",
            place.display()
        )]),
    }
}

/// Arguments of `packbench token`
#[derive(Debug, Clone, clap::Subcommand)]
pub enum TokenCommand {
    /// Store a connection's token, read from standard input, in this user's keyring
    Set {
        /// The connection's name
        name: String,
        /// Store the token of the middleware for live prices instead
        #[arg(long, conflicts_with = "integration")]
        middleware: bool,
        /// Store the integration id for live prices instead
        #[arg(long)]
        integration: bool,
    },
}

/// Stores a secret in the keyring. Returns exit code 1 if it was not stored.
pub fn token(
    runtime: &Handle,
    places: &DataFolder,
    system_info: &SystemInfo,
    command: &TokenCommand,
) -> ExitCode {
    let TokenCommand::Set {
        name,
        middleware,
        integration,
    } = command;
    let settings = match Settings::read(places) {
        Ok(settings) => settings,
        Err(error) => return complain(&[error.to_string()]),
    };
    if settings.named(name).is_none() {
        let known = settings.connections.iter().map(|one| one.name.as_str());
        let known: Vec<_> = known.collect();
        let known = if known.is_empty() {
            "there is none".to_owned()
        } else {
            format!("there is: {}", known.join(", "))
        };
        return complain(&[format!("there is no connection {name}; {known}")]);
    }
    let secret = match read_secret() {
        Ok(secret) => secret,
        Err(error) => return complain(&[format!("standard input can't be read: {error}")]),
    };
    let Some(secret) = secret else {
        return complain(&["standard input has no token".to_owned()]);
    };
    let mut tokens = Tokens::default();
    let (place, what) = if *middleware {
        (&mut tokens.middleware, "middleware's token")
    } else if *integration {
        (&mut tokens.integration, "integration id")
    } else {
        (&mut tokens.service, "token")
    };
    *place = Some(secret);
    let (keyring, owned) = (system_info.keyring, name.clone());
    let stored = runtime.block_on(ask_keyring(move || keyring.write(&owned, &tokens)));
    match stored {
        Ok(()) => say(&format!("the {what} of {name} is stored in the keyring")),
        Err(error) => complain(&[error.to_string()]),
    }
}

/// Reads the first line of standard input; `None` if it is blank. The text is only in memory, and wiped after use.
pub(crate) fn read_secret() -> io::Result<Option<SecretString>> {
    // Allocated at full length, because growing would leave a copy in memory that is never wiped.
    let mut line = Zeroizing::new(String::with_capacity(LONGEST_TOKEN));
    io::stdin().lock().read_line(&mut line)?;
    let text = line.trim();
    Ok((!text.is_empty()).then(|| text.into()))
}

pub(crate) fn say(line: &str) -> ExitCode {
    // Ignored: the reader may have closed the pipe.
    let _closed = writeln!(io::stdout(), "{line}");
    ExitCode::SUCCESS
}

pub(crate) fn complain(lines: &[String]) -> ExitCode {
    for line in lines {
        // Ignored: standard error may be closed.
        let _unread = writeln!(io::stderr(), "packbench: {line}");
    }
    ExitCode::FAILURE
}
