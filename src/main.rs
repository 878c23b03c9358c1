//! Arguments, logging, which service, open the window.

use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::{Parser, Subcommand};
use packbench::app::{self, Only, Practise, Prices, Service, Start, StartError};
use packbench::config::{Places, Settings, Surroundings};
use packbench::practice::{self, Running};
use packbench::{doctor, printing};
use tokio::runtime::{Builder, Handle};
use tokio::sync::OnceCell;

/// Warehouse dispatch at the packing bench
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// Keep everything in this folder
    #[arg(long, global = true)]
    data: Option<PathBuf>,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Run the practice service alone
    Practice {
        /// Its port; 0 takes a free one
        #[arg(long, default_value_t = 0)]
        port: u16,
        /// How fast carriers move: 1 is real time, 60 makes a minute an hour, 0 stands still
        #[arg(long, default_value_t = practice::Settings::BRISK)]
        speed: u32,
        /// The shapes that it answers in: the specification's, or those that live services publish
        #[arg(long, value_enum, default_value_t)]
        shapes: practice::Shapes,
        /// Write the tokens of the other users too: viewer, supervisor, test; and the integration id of live pricing
        #[arg(long)]
        tokens: bool,
    },
    /// Look at the bench's health
    Doctor(doctor::Orders),
}

/// What to say, and with which exit code: 1 for what went wrong, 2 without a display, 3 where it is open already.
type Refusal = (u8, String);

fn main() -> ExitCode {
    app::hush_panics();
    // Children of our own executable, before anything is read or opened.
    match std::env::args_os().nth(1) {
        Some(first) if first == printing::RENDER_PAGES => return printing::serve_renderer(),
        Some(first) if first == printing::PRINT_HELPER => return printing::serve_print_helper(),
        _ => {}
    }
    let (arguments, surroundings) = (Arguments::parse(), Surroundings::look());
    let filter = surroundings.log_filter.as_deref().unwrap_or("error");
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr)
        .init();
    start(arguments, &surroundings).unwrap_or_else(|(code, words)| {
        // Nobody reads where standard error is closed.
        let _unread = writeln!(io::stderr(), "packbench: {words}");
        ExitCode::from(code)
    })
}

fn start(arguments: Arguments, surroundings: &Surroundings) -> Result<ExitCode, Refusal> {
    let places = Places::open(arguments.data).map_err(wrong)?;
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
        Some(Command::Doctor(orders)) => {
            Ok(doctor::examine(handle, &places, surroundings, &orders))
        }
        None => open(handle, &places, surroundings).map(|()| ExitCode::SUCCESS),
    };
    // A keyring that does not answer must not hold the end up.
    runtime.shutdown_timeout(Duration::from_secs(1));
    ended
}

fn open(runtime: &Handle, places: &Places, surroundings: &Surroundings) -> Result<(), Refusal> {
    if !surroundings.display {
        return Err((
            2,
            "there is no display; log in to a desktop, or run «packbench doctor»".to_owned(),
        ));
    }
    let only = Only::take(&places.lock()).map_err(|error| (3, error.to_string()))?;
    let settings = Settings::read(places).map_err(wrong)?;
    let start = Start {
        runtime,
        places,
        settings,
        surroundings,
        practise: practise(places.practice()),
    };
    app::run(&start, &only).map_err(|error| {
        (
            if matches!(error, StartError::Window(_)) {
                2
            } else {
                1
            },
            error.to_string(),
        )
    })
}

/// Starts the practice service when it is first asked for; it then runs as long as the program does.
fn practise(data: PathBuf) -> Practise {
    let running = Arc::new(OnceCell::new());
    Arc::new(move || {
        let (running, data) = (Arc::clone(&running), data.clone());
        Box::pin(async move {
            let start = || practice::start(practice::Settings::at(data));
            let running = running.get_or_try_init(start).await;
            let running: &Running = running.map_err(|error| error.to_string())?;
            Ok(rehearsal(running))
        })
    })
}

/// The practice service as a service to work with, its tracking pages and live prices included.
fn rehearsal(running: &Running) -> Service {
    let bases = running.tracking_bases();
    let prices = Prices {
        address: running.middleware_url(),
        platform: "packbench".to_owned(),
        integration: running.integration_id().into(),
        token: running.token().into(),
    };
    let service = Service::practice(running.base_url(), running.token()).with_tracking_pages(
        [bases.traditional, bases.traditional_short],
        [bases.modern, bases.modern_short],
    );
    Service {
        middleware: Some(prices),
        ..service
    }
}

fn wrong(error: impl std::error::Error) -> Refusal {
    (1, error.to_string())
}
