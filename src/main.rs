//! Parses the arguments, sets up logging and runs the chosen command; without a command, opens the window.

// No console window opens beside our window.
#![cfg_attr(windows, windows_subsystem = "windows")]

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use app::config::{DataFolder, Settings, SettingsError, SystemInfo};
use app::{
    self, LogFile, MiddlewareAccess, PracticeStarter, ProgramOptions, SecondStart, Service,
    SingleInstance, StartError,
};
use app::{doctor, membership, provision, sounds};
use clap::{CommandFactory as _, Parser, Subcommand};
use clap_complete::Shell;
use practice::{self, RunningService};
use shipping::Clock;
use tokio::runtime::{Builder, Handle};
use tokio::sync::OnceCell;
use tracing_subscriber::{EnvFilter, Layer as _, fmt, prelude::*};

/// Warehouse dispatch at the packing bench
#[derive(Parser)]
#[command(version = env!("PACKBENCH_VERSION"))]
struct Arguments {
    /// Store all data in this folder
    #[arg(long, global = true)]
    data: Option<PathBuf>,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Run the practice service alone
    Practice {
        /// Port to listen on; 0 picks a free port
        #[arg(long, default_value_t = 0)]
        port: u16,
        /// Speed of the carriers: 1 is real time, 60 turns a minute into an hour, 0 stops them
        #[arg(long, default_value_t = practice::Settings::DEFAULT_SPEED)]
        speed: u32,
        /// Format of the answers: as in the specification, or as live services send them
        #[arg(long, value_enum, default_value_t)]
        shapes: practice::AnswerShapes,
        /// Also print the tokens of the viewer, supervisor and test users, and the integration id for live prices
        #[arg(long)]
        tokens: bool,
    },
    /// Check this installation
    Doctor(doctor::DoctorArgs),
    /// Check a file of machine-wide settings, and use it on this computer
    Provision(provision::ProvisionArgs),
    /// Store tokens in the keyring
    #[command(subcommand)]
    Token(provision::TokenCommand),
    /// Set up and look at the database that benches share
    Workgroup(membership::WorkgroupArgs),
    /// Write manual pages and shell completions into a folder, for packages
    #[command(hide = true)]
    Generate { folder: PathBuf },
}

/// An error that ends the program or prevents its start.
struct ExitError {
    /// Exit code: 1 for a failure, 2 if no window can be opened, 3 if Packbench is already open.
    code: u8,
    words: String,
    /// Advice for the window that shows the error. `None` if the error is only written to standard error.
    advice: Option<&'static str>,
}

impl ExitError {
    fn new(code: u8, words: impl Into<String>) -> Self {
        Self {
            code,
            words: words.into(),
            advice: None,
        }
    }
}

/// Writes the error to standard error and, if it has advice, also shows it in a window, because nobody sees standard
/// error after a start from a desktop icon.
fn say(refusal: &ExitError, system_info: &SystemInfo, has_window: bool) {
    // Ignored: standard error may be closed.
    let _unread = writeln!(io::stderr(), "packbench: {}", refusal.words);
    if let (Some(advice), true) = (refusal.advice, has_window && system_info.display)
        && let Err(error) = app::show_unstartable(system_info.graphics, &refusal.words, advice)
    {
        tracing::error!(%error, "no window can say why Packbench does not start");
    }
}

fn main() -> ExitCode {
    app::install_panic_hook();
    // Child processes of our own executable start here, before anything is read or opened.
    match std::env::args_os().nth(1) {
        Some(first) if first == printing::RENDER_PAGES => return printing::serve_renderer(),
        Some(first) if first == printing::PRINT_HELPER => return printing::serve_print_helper(),
        _ => {}
    }
    #[cfg(windows)]
    app::attach_to_console();
    let (arguments, system_info) = (
        Arguments::parse(),
        SystemInfo::detect(env!("PACKBENCH_VERSION")),
    );
    let has_window = arguments.command.is_none();
    start(arguments, &system_info).unwrap_or_else(|refusal| {
        say(&refusal, &system_info, has_window);
        ExitCode::from(refusal.code)
    })
}

fn start(arguments: Arguments, system_info: &SystemInfo) -> Result<ExitCode, ExitError> {
    let places = DataFolder::open(arguments.data).map_err(unusable)?;
    log(&places, system_info);
    app::report_crashes(places.crashes(), system_info.version);
    app::keep_memory_private();
    let runtime = Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(wrong)?;
    let handle = runtime.handle();
    let ended = match arguments.command {
        Some(Command::Practice {
            port,
            speed,
            shapes,
            tokens,
        }) => {
            let settings = practice::Settings {
                port,
                speed,
                shapes,
                ..practice::Settings::at(places.practice())
            };
            handle
                .block_on(practice::serve(settings, tokens))
                .map(|()| ExitCode::SUCCESS)
                .map_err(wrong)
        }
        Some(Command::Doctor(args)) => Ok(doctor::run(handle, &places, system_info, &args)),
        Some(Command::Generate { folder }) => {
            generate(&folder).map(|()| ExitCode::SUCCESS).map_err(wrong)
        }
        Some(Command::Provision(args)) => Ok(provision::provision(&args)),
        Some(Command::Token(command)) => {
            Ok(provision::token(handle, &places, system_info, &command))
        }
        Some(Command::Workgroup(args)) => {
            Ok(membership::workgroup(handle, &places, system_info, &args))
        }
        None => open(handle, &places, system_info).map(|()| ExitCode::SUCCESS),
    };
    // A keyring that does not answer must not delay the exit.
    runtime.shutdown_timeout(Duration::from_secs(1));
    ended
}

/// Writes a manual page for each command to `man/` and the completions to `completions/`.
fn generate(folder: &Path) -> io::Result<()> {
    let (man, completions) = (folder.join("man"), folder.join("completions"));
    std::fs::create_dir_all(&man)?;
    std::fs::create_dir_all(&completions)?;
    clap_mangen::generate_to(Arguments::command(), man)?;
    for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
        clap_complete::generate_to(shell, &mut Arguments::command(), "packbench", &completions)?;
    }
    Ok(())
}

/// Writes log messages to standard error, and warnings also to the log files.
fn log(places: &DataFolder, system_info: &SystemInfo) {
    let filter = |usual| EnvFilter::new(system_info.log_filter.as_deref().unwrap_or(usual));
    let file = Mutex::new(LogFile::in_folder(places.logs(), Clock::system()));
    let to_file = fmt::layer().with_writer(file).with_filter(filter("warn"));
    let to_stderr = fmt::layer().with_writer(io::stderr);
    tracing_subscriber::registry()
        .with(to_file)
        .with(to_stderr.with_filter(filter("error")))
        .init();
}

fn open(runtime: &Handle, places: &DataFolder, system_info: &SystemInfo) -> Result<(), ExitError> {
    if !system_info.display {
        let words = "there is no display; log in to a desktop, or run `packbench doctor`";
        return Err(ExitError::new(2, words));
    }
    let only = SingleInstance::take(&places.lock()).map_err(|error| match error {
        SecondStart::Running => ExitError::new(3, error.to_string()),
        SecondStart::Unlockable(_) => unusable(error),
    })?;
    let mut settings = Settings::read(places).map_err(|error| match error {
        SettingsError::SetAside => ExitError {
            advice: Some("Start Packbench again: it begins with new settings. The old file is kept as settings.bad in the data folder"),
            ..wrong(error)
        },
        SettingsError::Newer => ExitError {
            advice: Some("Install the newer version again. Nothing was changed"),
            ..wrong(error)
        },
        SettingsError::File(_) => unusable(error),
        SettingsError::Machine(_) => ExitError {
            advice: Some("Ask the administrator of this computer to correct it with packbench provision. Nothing was changed"),
            ..wrong(error)
        },
    })?;
    let named = settings.ensure_installation_id(places);
    named.map_err(|kind| unusable(SettingsError::File(kind)))?;
    let options = ProgramOptions {
        sounds: sounds::device_player(),
        ..ProgramOptions::new(
            runtime.clone(),
            places.clone(),
            settings,
            system_info.clone(),
        )
    };
    let practice_starter = practice_starter(places.practice());
    app::run(&options, &practice_starter, &only).map_err(|error| match error {
        StartError::Window(_) => ExitError::new(2, error.to_string()),
        _ => wrong(error),
    })
}

/// Returns a function that starts the practice service on the first call. The service runs until the
/// program exits.
fn practice_starter(data: PathBuf) -> PracticeStarter {
    let running = Arc::new(OnceCell::new());
    Arc::new(move || {
        let (running, data) = (Arc::clone(&running), data.clone());
        Box::pin(async move {
            let start = || practice::start(practice::Settings::at(data));
            let running = running.get_or_try_init(start).await;
            let running: &RunningService = running.map_err(|error| error.to_string())?;
            Ok(practice_service(running))
        })
    })
}

/// Describes the running practice service as a [`Service`], including its tracking pages and live prices.
fn practice_service(running: &RunningService) -> Service {
    let bases = running.tracking_bases();
    let service = Service::practice(running.base_url(), running.token()).with_tracking_pages(
        [bases.traditional, bases.traditional_short],
        [bases.modern, bases.modern_short],
    );
    Service {
        middleware: Some(MiddlewareAccess {
            address: running.middleware_url(),
            platform: "packbench".to_owned(),
            integration: running.integration_id().into(),
            token: running.token().into(),
        }),
        practice_users: Some([running.viewer_token(), running.supervisor_token()].map(Into::into)),
        ..service
    }
}

fn wrong(error: impl std::error::Error) -> ExitError {
    ExitError::new(1, error.to_string())
}

/// Returns the error for a data folder, or a file in it, that can't be read or written.
fn unusable(error: impl std::error::Error) -> ExitError {
    ExitError {
        advice: Some(
            "Give your user the right to read and write this folder and its files, or start Packbench with another \
             folder: packbench --data FOLDER. Nothing was changed",
        ),
        ..wrong(error)
    }
}
