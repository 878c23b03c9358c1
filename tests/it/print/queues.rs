//! Queues of a print service that works, fails or is missing. Each problem is reported in time.

use std::num::NonZeroU8;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::time::{Duration, Instant};

use printing::job::{Payload, SendError, send};
use printing::page::PageSelection;
use printing::profile::{Destination, Language, PrinterProfile};
use printing::queue::{JobInfo, JobState, QueueState};
use printing::service::{PrintService, ServerAddress, ServiceError, ServiceLimits};
use printing::verification::ExpectedCodes;

use super::profiles::zebra;
use super::{label, prepare_all, program};
use crate::support::cupsd::Cupsd;
use crate::support::recorder::Recorder;

const TITLE: &str = "packbench 7K3QW2ZD";

fn service(server: ServerAddress) -> PrintService {
    PrintService::new(program(), server)
}

fn to(queue: &str) -> Destination {
    Destination::Queue(queue.into())
}

fn payload(language: Language) -> Payload {
    let bytes = match language {
        Language::Zpl => b"^XA^FO0,0^GB10,10,10^FS^XZ"[..].into(),
        _ => label(&["PKB000012345"]),
    };
    Payload {
        language,
        bytes,
        copies: NonZeroU8::MIN,
        pages: PageSelection::All,
        page_ends: Vec::new(),
    }
}

/// Sends ZPL from a spool folder that must be empty again afterwards.
async fn deliver(service: &PrintService, payload: &Payload, queue: &str) -> Result<u32, SendError> {
    let spool = tempfile::tempdir().unwrap();
    let handed = send(service, payload, &to(queue), TITLE, spool.path()).await;
    assert_eq!(
        std::fs::read_dir(spool.path()).unwrap().count(),
        0,
        "the spool folder is empty again"
    );
    handed.map(|handed| handed.job_id.unwrap())
}

async fn job(service: &PrintService, queue: &str, id: u32) -> JobInfo {
    let mut jobs = service.jobs(queue).await.unwrap().into_iter();
    jobs.find(|job| job.id == id).expect("the job is known")
}

/// Asks until the job will not change any more.
async fn settled(service: &PrintService, queue: &str, id: u32, cups: &Cupsd) -> JobInfo {
    let until = Instant::now() + Duration::from_secs(30);
    loop {
        let job = job(service, queue, id).await;
        if job.state.is_final() {
            return job;
        }
        assert!(Instant::now() < until, "{job:?}: {}", cups.log());
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn a_raw_job_arrives_byte_for_byte() {
    let (cups, recorder) = (Cupsd::start(), Recorder::start());
    cups.raw_queue("Zebra", recorder.port());
    let service = service(cups.server());
    let expected = ExpectedCodes::References(vec!["PKB000012345".into()]);
    let prepared = prepare_all(label(&["PKB000012345"]), &zebra(832), &expected)
        .await
        .unwrap();
    let id = deliver(&service, &prepared.payload, "Zebra").await.unwrap();
    let arrived = recorder.jobs(1);
    assert!(
        arrived[0] == *prepared.payload.bytes,
        "the printer got other bytes"
    );
    let job = settled(&service, "Zebra", id, &cups).await;
    assert_eq!(job.state, JobState::HandedOver);
}

#[tokio::test]
async fn a_pdf_arrives_at_a_queue_that_takes_it_raw() {
    let (cups, recorder) = (Cupsd::start(), Recorder::start());
    cups.raw_queue("Office", recorder.port());
    let pdf = payload(Language::Pdf);
    deliver(&service(cups.server()), &pdf, "Office")
        .await
        .unwrap();
    assert!(recorder.jobs(1)[0] == *pdf.bytes);
    let part = Payload {
        pages: PageSelection::single(0),
        ..pdf
    };
    let refused = deliver(&service(cups.server()), &part, "Office")
        .await
        .unwrap_err();
    assert_eq!(refused, SendError::WholeDocumentsOnly("Office".into()));
}

#[tokio::test]
async fn zpl_passes_a_queue_with_a_driver_untouched_and_pdf_is_drawn_by_it() {
    let (cups, recorder) = (Cupsd::start(), Recorder::start());
    let uri = format!("socket://127.0.0.1:{}", recorder.port());
    cups.add("Driven", &uri, &["-m", "drv:///sample.drv/zebra.ppd"]);
    let service = service(cups.server());
    let queue = service.queue("Driven").await.unwrap().unwrap();
    assert!(
        !queue.raw && queue.make_and_model.contains("Zebra"),
        "{queue:?}"
    );
    let zpl = payload(Language::Zpl);
    deliver(&service, &zpl, "Driven").await.unwrap();
    assert!(recorder.jobs(1)[0] == *zpl.bytes);
    let id = deliver(&service, &payload(Language::Pdf), "Driven")
        .await
        .unwrap();
    assert_eq!(
        settled(&service, "Driven", id, &cups).await.state,
        JobState::HandedOver,
        "{}",
        cups.log()
    );
    assert!(
        recorder.jobs(2)[1].starts_with(b"~DG"),
        "drawn into Zebra's language by the driver"
    );
}

#[tokio::test]
async fn a_job_is_found_again_by_its_title() {
    let (cups, recorder) = (Cupsd::start(), Recorder::start());
    cups.raw_queue("Zebra", recorder.port());
    let service = service(cups.server());
    assert_eq!(service.find_job("Zebra", TITLE).await.unwrap(), None);
    let id = deliver(&service, &payload(Language::Zpl), "Zebra")
        .await
        .unwrap();
    let found = service
        .find_job("Zebra", TITLE)
        .await
        .unwrap()
        .expect("it is in the queue's memory");
    assert_eq!((found.id, found.title.as_str()), (id, TITLE));
}

#[tokio::test]
async fn queues_are_listed_with_their_states() {
    let (cups, recorder) = (Cupsd::start(), Recorder::start());
    let service = service(cups.server());
    assert_eq!(
        service.queues().await,
        Ok(vec![]),
        "no printers is no error"
    );
    for name in ["Ready", "Stopped", "Rejecting"] {
        cups.raw_queue(name, recorder.port());
    }
    cups.tool("cupsdisable", &["-r", "Out of ribbon", "Stopped"]);
    cups.tool("cupsreject", &["-r", "Being moved", "Rejecting"]);
    let queues = service.queues().await.unwrap();
    let told: Vec<_> = queues
        .iter()
        .map(|q| (q.name.as_str(), q.state, q.message.as_str()))
        .collect();
    assert_eq!(
        told,
        [
            ("Ready", QueueState::Ready, ""),
            ("Rejecting", QueueState::Rejecting, "Being moved"),
            ("Stopped", QueueState::Stopped, "Out of ribbon"),
        ]
    );
    assert!(
        queues
            .iter()
            .all(|queue| queue.raw && queue.device_uri.starts_with("socket://")),
        "{queues:?}"
    );
    let by_library = service.queues_of_the_system().await.unwrap();
    assert_eq!(
        by_library.len(),
        3,
        "the system's own library sees the same queues"
    );
}

#[tokio::test]
async fn stopped_rejecting_and_missing_queues_get_nothing_and_say_why() {
    let (cups, recorder) = (Cupsd::start(), Recorder::start());
    for name in ["Stopped", "Rejecting"] {
        cups.raw_queue(name, recorder.port());
    }
    cups.tool("cupsdisable", &["-r", "Out of ribbon", "Stopped"]);
    cups.tool("cupsreject", &["-r", "Being moved", "Rejecting"]);
    let service = service(cups.server());
    let zpl = payload(Language::Zpl);
    for (queue, words) in [
        ("Stopped", "Stopped is stopped: Out of ribbon"),
        ("Rejecting", "Rejecting is not accepting jobs: Being moved"),
        ("Gone", "There is no printer called Gone"),
    ] {
        let refused = deliver(&service, &zpl, queue).await.unwrap_err();
        assert_eq!(refused.to_string(), words);
        assert!(refused.nothing_sent() && !refused.advice().is_empty());
    }
    assert_eq!(
        service.jobs("Stopped").await,
        Ok(vec![]),
        "nothing waits to come out later"
    );
}

#[tokio::test]
async fn a_job_for_a_dead_printer_is_given_up_and_says_why() {
    let cups = Cupsd::start();
    let dead = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let uri = format!("socket://127.0.0.1:{dead}/?contimeout=1");
    cups.add(
        "Dead",
        &uri,
        &["-m", "raw", "-o", "printer-error-policy=abort-job"],
    );
    let service = service(cups.server());
    let id = deliver(&service, &payload(Language::Zpl), "Dead")
        .await
        .unwrap();
    let until = Instant::now() + Duration::from_secs(20);
    while service.queue("Dead").await.unwrap().unwrap().state != QueueState::OutOfReach {
        let job = job(&service, "Dead", id).await;
        assert!(
            !job.state.is_final() && Instant::now() < until,
            "never out of reach: {job:?}"
        );
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let job = settled(&service, "Dead", id, &cups).await;
    assert_eq!(job.state, JobState::Aborted);
    assert!(!job.message.is_empty(), "{job:?}");
}

#[tokio::test]
async fn a_missing_print_service_is_not_an_empty_one() {
    let folder = tempfile::tempdir().unwrap();
    let never_there = folder.path().join("cups.sock");
    let left_behind = folder.path().join("left.sock");
    drop(UnixListener::bind(&left_behind).unwrap());
    for socket in [never_there, left_behind] {
        let service = service(ServerAddress::Local(socket));
        assert_eq!(service.queues().await, Err(ServiceError::Missing));
        let refused = deliver(&service, &payload(Language::Zpl), "Zebra")
            .await
            .unwrap_err();
        assert_eq!(
            refused.to_string(),
            "There is no print service on this computer"
        );
        assert!(refused.nothing_sent());
    }
}

/// A print service that takes connections and never says a word.
fn hung(folder: &Path) -> (UnixListener, PrintService) {
    let socket = folder.join("cups.sock");
    let listener = UnixListener::bind(&socket).unwrap();
    let limits = ServiceLimits {
        ask: Duration::from_millis(300),
        submit: Duration::from_millis(600),
        ..ServiceLimits::default()
    };
    (
        listener,
        PrintService::with_limits(program(), ServerAddress::Local(socket), limits),
    )
}

#[tokio::test]
async fn a_print_service_that_hangs_is_given_up_in_time() {
    let folder = tempfile::tempdir().unwrap();
    let (_listener, service) = hung(folder.path());
    let started = Instant::now();
    let hung = ServiceError::Hung { seconds: 0 };
    assert_eq!(service.queues().await, Err(hung.clone()));
    assert_eq!(
        service.queues_of_the_system().await,
        Err(hung.clone()),
        "the helper is killed"
    );
    let refused = deliver(&service, &payload(Language::Zpl), "Zebra")
        .await
        .unwrap_err();
    assert_eq!(refused, SendError::Service(hung));
    assert!(
        started.elapsed() < Duration::from_secs(10),
        "{:?}",
        started.elapsed()
    );
}

#[tokio::test]
async fn a_service_that_speaks_another_language_is_unreadable() {
    let recorder = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = recorder.local_addr().unwrap().port();
    let answer = tokio::spawn(async move {
        let (mut stream, _) = recorder.accept().await.unwrap();
        let page = b"HTTP/1.1 200 OK\r\nContent-Length: 13\r\n\r\n<html></html>";
        tokio::io::AsyncWriteExt::write_all(&mut stream, page)
            .await
            .unwrap();
        let mut rest = Vec::new();
        let _ = tokio::io::AsyncReadExt::read_to_end(&mut stream, &mut rest).await;
    });
    let service = service(ServerAddress::Network {
        host: "127.0.0.1".into(),
        port,
    });
    assert_eq!(service.queues().await, Err(ServiceError::Unreadable));
    answer.await.unwrap();
}

#[test]
fn a_servers_address_is_read_as_cups_does() {
    let network = |host: &str, port| {
        Some(ServerAddress::Network {
            host: host.into(),
            port,
        })
    };
    assert_eq!(
        ServerAddress::parse("/run/cups/cups.sock"),
        Some(ServerAddress::Local("/run/cups/cups.sock".into()))
    );
    assert_eq!(ServerAddress::parse("printhost"), network("printhost", 631));
    assert_eq!(
        ServerAddress::parse("printhost:8631"),
        network("printhost", 8631)
    );
    assert_eq!(
        (
            ServerAddress::parse(""),
            ServerAddress::parse("host:x"),
            ServerAddress::parse("http://h")
        ),
        (None, None, None)
    );
}

#[test]
fn a_profile_names_its_queue() {
    let PrinterProfile { destination, .. } = zebra(832);
    assert_eq!(destination.label(), "Zebra");
}
