//! The program with a watched folder, without its window.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};
use std::time::{Duration, Instant};

use app::config::{BenchSettings, DataFolder, OrderFolderSettings, Settings, TrackingScopes};
use app::{Core, ProgramOptions, Service, open_core};
use engine::{DocumentKind, DocumentRule};
use printing::profile::{Destination, PrinterProfile};
use tokio::runtime::Runtime;

use super::Printer;
use crate::support::practice_service::PracticeService;
use crate::support::system::system_info;

const HEADER: &str = "Service,From,Reference,To name,To contact,To phone,To e-mail,To address 1,To suburb,To state,\
     To postcode,Item name,Quantity,Weight kg,Length cm,Width cm,Height cm";

pub(super) struct Ours<'a> {
    core: Core,
    started: Instant,
    folder: PathBuf,
    printer: &'a Printer,
    /// Gets a message when the window would be painted.
    woken: Receiver<()>,
    made: usize,
}

impl<'a> Ours<'a> {
    pub(super) fn open(
        runtime: &Runtime,
        folder: &Path,
        service: &PracticeService,
        printer: &'a Printer,
    ) -> Self {
        let watched = folder.join("orders");
        fs::create_dir(&watched).expect("a folder");
        let profile = PrinterProfile {
            name: "Label printer".to_owned(),
            destination: Destination::Socket {
                host: printer.address.ip().to_string(),
                port: printer.address.port(),
            },
            ..PrinterProfile::default()
        };
        let mut settings = Settings {
            bench: BenchSettings {
                auto_print: true,
                ..BenchSettings::default()
            },
            installation: "QK7BND".to_owned(),
            documents: vec![DocumentRule::of(DocumentKind::ItemLabels, &profile.name)],
            printers: vec![profile],
            follow: TrackingScopes {
                by_itself: false,
                ..TrackingScopes::default()
            },
            ..Settings::default()
        };
        let orders = OrderFolderSettings {
            folder: watched.clone(),
            sends: true,
            outbox: Some(folder.join("results")),
            ..OrderFolderSettings::default()
        };
        settings.order_folders.insert(String::new(), orders);
        let data = folder.join("bench");
        let data_folder = DataFolder::at(data.clone(), data.join("no-machine-settings.json"));
        let mut options = ProgramOptions::new(
            runtime.handle().clone(),
            data_folder.expect("a data folder"),
            settings,
            system_info(&data),
        );
        let (wake, woken) = sync_channel(1);
        options.repaint = Arc::new(move || {
            let _waits_already = wake.try_send(());
        });
        let service = Service::practice(service.address.clone(), &service.token);
        Self {
            core: open_core(&options, &service).expect("the program starts"),
            started: Instant::now(),
            folder: watched,
            printer,
            woken,
            made: 0,
        }
    }

    /// Puts so many files with one order each into the folder, and waits for their labels.
    pub(super) fn turn(&mut self, count: usize) -> Duration {
        for _ in 0..count {
            self.made += 1;
            let row = format!(
                "cheapest,HSYD,SO-{},Ballarat Farm,J. Okafor,03 5550 0199,stores@bfg.example,8 Creswick Road,\
                 Ballarat Central,VIC,3350,Hose reels,2,9,40,40,30",
                self.made
            );
            let name = format!("{}.csv", self.made);
            fs::write(self.folder.join(&name), format!("{HEADER}\n{row}\n")).expect("a file");
            fs::write(self.folder.join(format!("{name}.ready")), "").expect("a file");
        }
        let (core, started, woken) = (&mut self.core, self.started, &self.woken);
        self.printer.until(count, || {
            let wait = core.turn(started.elapsed()).unwrap_or(Duration::MAX);
            // The printer wakes nobody when it has the last label.
            let _woken = woken.recv_timeout(wait.min(Duration::from_millis(1)));
        })
    }
}
