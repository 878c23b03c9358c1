//! The bench's membership in a workgroup: joining it, and `packbench workgroup` for administrators.

use std::io;
use std::process::ExitCode;
use std::str::FromStr as _;

use jiff::{SignedDuration, SpanRound, Unit};
use secrecy::SecretString;
use thiserror::Error;
use tokio::runtime::Handle;

use crate::config::{DataFolder, Keyring, Settings, SystemInfo};
use crate::provision::{complain, read_secret, say};
use crate::service::{ask_keyring, read_authority};
use engine::describe_claim;
use workgroup::{
    AddressError, Database, DatabaseAddress, Member, SchemaState, Workgroup, WorkgroupError,
    WorkgroupOptions,
};

/// Why the workgroup's settings can't be used.
#[derive(Debug, Error)]
pub(crate) enum MembershipError {
    #[error(transparent)]
    Address(#[from] AddressError),
    #[error(transparent)]
    Database(#[from] WorkgroupError),
    #[error("no address is set: add it in Settings, or with packbench provision")]
    NoAddress,
    #[error("standard input can't be read ({0})")]
    Input(io::ErrorKind),
    #[error("standard input has no password")]
    NoPassword,
}

/// Returns how to connect to the workgroup's database; `None` for a bench that works alone. A missing password is read
/// from the keyring.
pub(crate) async fn options(
    settings: &Settings,
    password: Option<SecretString>,
    keyring: Keyring,
) -> Result<Option<WorkgroupOptions>, MembershipError> {
    let Some(address) = &settings.workgroup.address else {
        return Ok(None);
    };
    let address = DatabaseAddress::from_str(address)?;
    let authority = match &settings.workgroup.authority {
        // An empty file is no certificate. The bench goes on without the workgroup, and says why.
        Some(path) => Some(read_authority(path).await.unwrap_or_default()),
        None => None,
    };
    let password = if password.is_some() {
        password
    } else {
        // Some databases need no password. The server says so if this one does.
        let of = address.to_string();
        let read = ask_keyring(move || keyring.read_workgroup_password(&of)).await;
        read.ok().flatten()
    };
    Ok(Some(WorkgroupOptions {
        address,
        password,
        authority,
    }))
}

/// Returns the membership of a bench that works with the service at this address. It is not connected yet.
pub(crate) fn join(
    options: WorkgroupOptions,
    settings: &Settings,
    service: &str,
    version: &str,
) -> Workgroup {
    let member = Member {
        service: service.to_owned(),
        // The name may change, the installation's id never does. Every installation has one from its first start.
        bench: settings.installation.clone(),
        name: settings.bench.name.clone(),
        clerk: settings.bench.staff.clone(),
        version: version.to_owned(),
    };
    Workgroup::new(options, member)
}

/// Arguments of `packbench workgroup`
#[derive(Debug, Clone, clap::Args)]
pub struct WorkgroupArgs {
    /// Address of the database, instead of the one in Settings
    #[arg(long, global = true, value_name = "postgresql://USER@SERVER/DATABASE")]
    address: Option<String>,
    /// Read the password from standard input instead of the keyring
    #[arg(long, global = true)]
    password: bool,
    #[command(subcommand)]
    command: WorkgroupCommand,
}

#[derive(Debug, Clone, Copy, clap::Subcommand)]
enum WorkgroupCommand {
    /// Set up the tables, or bring them up to date
    Init,
    /// Check whether this computer can use the database, without changing anything
    Check,
    /// Show the benches and what they have claimed
    Status,
    /// Tell all benches that the database was restored from a backup
    Restored,
    /// Store the database's password, read from standard input, in this user's keyring
    SetPassword,
}

/// Runs a command of an administrator. Returns exit code 1 if it failed.
pub fn workgroup(
    runtime: &Handle,
    places: &DataFolder,
    system_info: &SystemInfo,
    args: &WorkgroupArgs,
) -> ExitCode {
    let mut settings = match Settings::read(places) {
        Ok(settings) => settings,
        Err(error) => return complain(&[error.to_string()]),
    };
    if let Some(address) = &args.address {
        settings.workgroup.address = Some(address.clone());
    }
    match runtime.block_on(run(&settings, system_info.keyring, args)) {
        Ok(lines) => say(&lines.join("\n")),
        Err(error) => complain(&[error.to_string()]),
    }
}

async fn run(
    settings: &Settings,
    keyring: Keyring,
    args: &WorkgroupArgs,
) -> Result<Vec<String>, MembershipError> {
    let typed = || {
        let read = read_secret().map_err(|error| MembershipError::Input(error.kind()))?;
        read.ok_or(MembershipError::NoPassword)
    };
    if matches!(args.command, WorkgroupCommand::SetPassword) {
        let address = settings.workgroup.address.as_ref();
        let address = DatabaseAddress::from_str(address.ok_or(MembershipError::NoAddress)?)?;
        let password = typed()?;
        let write = move || keyring.write_workgroup_password(&address.to_string(), &password);
        let stored = ask_keyring(write).await;
        return Ok(vec![match stored {
            Ok(()) => "the password is stored in the keyring".to_owned(),
            Err(error) => error.to_string(),
        }]);
    }
    let password = if args.password { Some(typed()?) } else { None };
    let options = options(settings, password, keyring).await?;
    let options = options.ok_or(MembershipError::NoAddress)?;
    let mut database = Database::connect(&options).await?;
    let mut lines = vec![format!(
        "{}: PostgreSQL {}",
        options.address,
        database.server_version().await?
    )];
    match args.command {
        WorkgroupCommand::Init => {
            database.migrate().await?;
            lines.push("The tables are up to date".to_owned());
        }
        WorkgroupCommand::Check => lines.push(match database.schema_state().await? {
            SchemaState::Older { version: 0 } => {
                "The tables are not set up yet: run packbench workgroup init".to_owned()
            }
            SchemaState::Older { version } => format!(
                "The tables have version {version}, an older one. A bench brings them up to date when it connects"
            ),
            SchemaState::Current { version } => format!("The tables have version {version}, as they should"),
            SchemaState::Newer { .. } => return Err(WorkgroupError::Newer.into()),
        }),
        WorkgroupCommand::Status => {
            if !matches!(database.schema_state().await?, SchemaState::Current { .. }) {
                return Err(WorkgroupError::NotSetUp.into());
            }
            lines.extend(status(&database).await?);
        }
        WorkgroupCommand::Restored => {
            database.restored().await?;
            lines.push(
                "Each bench shares its values with this database again when it connects".to_owned(),
            );
        }
        WorkgroupCommand::SetPassword => {}
    }
    Ok(lines)
}

/// Lists the benches and the claims of each service.
async fn status(database: &Database) -> Result<Vec<String>, WorkgroupError> {
    let mut lines = Vec::new();
    for service in database.services().await? {
        lines.push(String::new());
        lines.push(service.clone());
        for bench in database.benches(&service).await? {
            let ago = bench.now.duration_since(bench.last_seen);
            let clerk = match bench.clerk.as_str() {
                "" => String::new(),
                clerk => format!(" ({clerk})"),
            };
            lines.push(format!(
                "  {}{clerk}, Packbench {}, {}",
                bench.name,
                bench.version,
                last_seen(ago)
            ));
        }
        let claims = database.claims(&service).await?;
        lines.extend(
            claims
                .iter()
                .map(|claim| format!("  {}", describe_claim(claim))),
        );
    }
    if lines.is_empty() {
        lines.push("No bench has connected yet".to_owned());
    }
    Ok(lines)
}

fn last_seen(ago: SignedDuration) -> String {
    if ago < SignedDuration::from_secs(20) {
        return "connected".to_owned();
    }
    let rounding = SpanRound::new()
        .largest(Unit::Hour)
        .smallest(Unit::Second)
        .days_are_24_hours();
    let rounded = jiff::Span::try_from(ago).and_then(|span| span.round(rounding));
    match rounded {
        Ok(span) => format!("last connected {span:#} ago"),
        Err(_) => "last connected long ago".to_owned(),
    }
}
