//! Printers without a print service: a network port, a file.

use std::net::TcpListener;
use std::num::NonZeroU8;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;

use printing::job::{Payload, SendError, SendReceipt, send};
use printing::page::PageSelection;
use printing::profile::{Destination, Language};
use printing::service::{PrintService, ServerAddress};

use super::program;
use crate::support::printers::at_port;
use crate::support::recorder::Recorder;

/// One copy of these bytes in ZPL.
pub(crate) fn payload(bytes: &[u8]) -> Payload {
    Payload {
        language: Language::Zpl,
        bytes: Arc::from(bytes),
        copies: NonZeroU8::MIN,
        pages: PageSelection::All,
        page_ends: Vec::new(),
    }
}

/// None of these may ask it anything.
fn no_service() -> PrintService {
    PrintService::new(
        program(),
        ServerAddress::Local("/nonexistent/cups.sock".into()),
    )
}

async fn deliver(payload: &Payload, destination: &Destination) -> Result<SendReceipt, SendError> {
    send(
        &no_service(),
        payload,
        destination,
        "packbench 7K3Q",
        Path::new("/nonexistent"),
    )
    .await
}

#[tokio::test]
async fn a_port_gets_the_bytes_as_they_are() {
    let recorder = Recorder::start();
    let bytes: Vec<u8> = (0..300_000_u32).map(|at| (at % 251) as u8).collect();
    let handed = deliver(&payload(&bytes), &at_port(recorder.port()))
        .await
        .unwrap();
    assert_eq!((handed.job_id, handed.message), (None, "Sent to printer"));
    assert!(recorder.jobs(1) == [bytes]);
}

#[tokio::test]
async fn copies_of_a_pdf_are_jobs_of_their_own() {
    let recorder = Recorder::start();
    let twice = Payload {
        language: Language::Pdf,
        copies: NonZeroU8::new(2).unwrap(),
        ..payload(b"%PDF-1.7")
    };
    deliver(&twice, &at_port(recorder.port())).await.unwrap();
    assert_eq!(recorder.jobs(2), [b"%PDF-1.7", b"%PDF-1.7"]);
    let part = Payload {
        pages: PageSelection::single(0),
        ..twice
    };
    let refused = deliver(&part, &at_port(recorder.port())).await.unwrap_err();
    assert!(matches!(refused, SendError::WholeDocumentsOnly { .. }));
}

#[tokio::test]
async fn a_port_where_nothing_listens_is_said_so_and_nothing_was_sent() {
    let port = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let refused = deliver(&payload(b"^XA^XZ"), &at_port(port))
        .await
        .unwrap_err();
    assert_eq!(refused, SendError::Unreachable(format!("127.0.0.1:{port}")));
    assert!(refused.nothing_sent());
}

#[tokio::test]
async fn a_printer_that_breaks_off_leaves_a_doubt() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    // Closing with bytes unread makes the system reset the connection.
    let breaker = std::thread::Builder::new()
        .spawn(move || drop(listener.accept()))
        .unwrap();
    let refused = deliver(&payload(&vec![0; 64 * 1024 * 1024]), &at_port(port))
        .await
        .unwrap_err();
    breaker.join().unwrap();
    assert!(
        matches!(refused, SendError::Interrupted { .. }),
        "{refused:?}"
    );
    assert!(!refused.nothing_sent());
}

#[tokio::test]
async fn a_file_is_written_whole_beside_an_older_one_and_is_ours_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("label.zpl");
    std::fs::write(&path, "an older label").unwrap();
    let handed = deliver(&payload(b"^XA^XZ"), &Destination::File(path.clone()))
        .await
        .unwrap();
    let beside = folder.path().join("label-2.zpl");
    assert_eq!(
        (handed.file.as_deref(), handed.message),
        (Some(beside.as_path()), "Saved to a file")
    );
    assert_eq!(std::fs::read(&path).unwrap(), b"an older label");
    assert_eq!(std::fs::read(&beside).unwrap(), b"^XA^XZ");
    assert_eq!(
        std::fs::metadata(&beside).unwrap().permissions().mode() & 0o777,
        0o600
    );
    assert_eq!(
        std::fs::read_dir(folder.path()).unwrap().count(),
        2,
        "nothing partial is left"
    );
}

#[tokio::test]
async fn a_folder_gets_a_new_file_each_time() {
    let folder = tempfile::tempdir().unwrap();
    let destination = Destination::File(folder.path().to_owned());
    for name in ["packbench-7K3Q.zpl", "packbench-7K3Q-2.zpl"] {
        let handed = deliver(&payload(b"^XA^XZ"), &destination).await.unwrap();
        assert_eq!(handed.file, Some(folder.path().join(name)));
    }
}

#[tokio::test]
async fn a_file_that_cannot_be_written_is_said_so() {
    let nowhere = Destination::File("/nonexistent/folder/label.zpl".into());
    let refused = deliver(&payload(b"^XA^XZ"), &nowhere).await.unwrap_err();
    assert!(matches!(refused, SendError::File { .. }) && refused.nothing_sent());
}
