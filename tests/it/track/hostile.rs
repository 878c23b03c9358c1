//! Files with a wrong type or malicious content: none is run, none is written anywhere but where the clerk
//! chose and under our own name, none blocks the bench, each gets a message, and the next good file is shown.

mod bombs;
mod cases;

use std::sync::Arc;
use std::time::{Duration, Instant};

use app::state::PageCommand;
use printing::picture::FileFormat;
use printing::renderer::{RenderError, RenderLimits, Renderer};

use super::proofs::{FILES, MS7, Site, file_answer, proof, zipped};
use crate::print::hostile::{active, costly};
use crate::support::wire::Then;
use cases::{Case, Comes};

/// The longest that anything may take: the child's five seconds a page, and what it takes to start another.
const SOON: Duration = Duration::from_secs(14);

#[test]
fn every_hostile_file_says_what_is_wrong_and_the_next_good_one_is_shown() {
    let good = proof(1);
    let mut site = Site::open();
    for Case {
        name,
        comes,
        says,
        saves,
    } in cases::all()
    {
        site.wire.heal();
        site.lists(&["MS7-POD.pdf"]);
        match &comes {
            Comes::File(bytes) => site.sends(bytes),
            Comes::Zipped(called, bytes) => site.sends(&zipped(&[(called, bytes)])),
            Comes::Answer(fault) => site.wire.fail(FILES, fault.clone()),
        }
        site.do_it(PageCommand::Refresh);
        site.open_page();
        let begun = Instant::now();
        let said = site.show(name);
        let took = begun.elapsed();
        assert!(took < SOON, "{name}: {took:?}");
        match (says, &said) {
            (Ok(kind), said) => assert_eq!(said.as_deref(), Ok(kind), "{name}"),
            (Err(words), Err(said)) => assert!(said.contains(words), "{name}: {said}"),
            (Err(words), Ok(kind)) => panic!("{name}: shown as {kind} instead of: {words}"),
        }
        let (saved, left_out) = site.save(name, &[MS7]);
        assert_eq!(saved, saves, "{name}: {left_out:?}");
        assert_eq!(
            left_out.is_empty(),
            !saves.is_empty(),
            "{name}: {left_out:?}"
        );
        let nothing_else = super::proofs::names(site.home.places.data());
        let strange = nothing_else
            .iter()
            .find(|name| name.contains("bash") || name.contains("evil"));
        assert_eq!(strange, None, "{name}");
        site.wire.heal();
        site.lists(&["MS7-POD.pdf"]);
        site.sends(&good);
        site.do_it(PageCommand::Refresh);
        site.open_page();
        assert_eq!(
            site.show("the good one").as_deref(),
            Ok("PDF, 1 page"),
            "after {name}"
        );
    }
}

#[test]
fn a_document_that_asks_for_things_to_be_run_is_drawn_and_nothing_is_run() {
    let (document, mark) = active();
    drop(std::fs::remove_file(mark));
    let mut site = Site::open();
    site.lists(&["MS7-POD.pdf"]);
    site.sends(&document);
    site.open_page();
    assert_eq!(site.show("drawn").as_deref(), Ok("PDF, 1 page"));
    assert!(!std::path::Path::new(mark).exists());
}

#[test]
fn an_answer_of_a_gigabyte_ends_at_its_limit_whether_announced_or_not() {
    for (name, head) in [
        ("announced", "content-length: 1073741824\r\n"),
        ("not announced", ""),
    ] {
        let mut site = Site::open();
        site.lists(&["MS7-POD.pdf"]);
        let head =
            format!("HTTP/1.1 200 OK\r\ncontent-type: application/pdf\r\n{head}\r\n%PDF-1.7\n");
        let bytes = Arc::from(head.as_bytes());
        site.wire.fail(
            FILES,
            crate::support::wire::Fault::Bytes(bytes, Then::Repeat(b' ', 1_024)),
        );
        site.open_page();
        let begun = Instant::now();
        let said = site.show(name).expect_err(name);
        // In a busy moment the time limit is met before the size is.
        let words = ["too large", "in time", "connection was lost"];
        assert!(
            words.iter().any(|words| said.contains(words)),
            "{name}: {said}"
        );
        assert!(begun.elapsed() < SOON, "{name}");
    }
}

#[test]
fn a_file_that_drips_without_end_is_given_up() {
    let mut site = Site::open();
    site.lists(&["MS7-POD.pdf"]);
    let drip = Then::Drip(b'x', Duration::from_millis(20));
    let head = b"HTTP/1.1 200 OK\r\ncontent-type: application/pdf\r\n\r\n%PDF-";
    site.wire.fail(
        FILES,
        crate::support::wire::Fault::Bytes(Arc::from(&head[..]), drip),
    );
    site.open_page();
    let said = site.show("given up").expect_err("it never ends");
    assert!(said.contains("in time"), "{said}");
}

#[tokio::test]
async fn no_document_hangs_or_fills_the_child_that_draws_it() {
    let limits = RenderLimits {
        page_time: Duration::from_millis(700),
        children: 1,
        ..RenderLimits::default()
    };
    let renderer = Renderer::with_limits(env!("CARGO_BIN_EXE_packbench").into(), limits);
    for (name, document) in costly() {
        let begun = Instant::now();
        let shown = renderer
            .render_picture(FileFormat::Pdf, document.into(), 0)
            .await;
        assert!(
            begun.elapsed() < Duration::from_secs(9),
            "{name}: {:?}",
            begun.elapsed()
        );
        if let Err(error) = shown {
            assert!(
                !matches!(error, RenderError::NoRenderer { .. }),
                "{name}: {error}"
            );
        }
    }
    let limits = RenderLimits::default();
    let renderer = Renderer::with_limits(env!("CARGO_BIN_EXE_packbench").into(), limits);
    let good = renderer
        .render_picture(FileFormat::Pdf, proof(1).into(), 0)
        .await;
    assert_eq!(good.map(|picture| picture.pages), Ok(1));
}

/// A file answer is what it says: the helper above is not what makes the others pass.
#[test]
fn a_good_file_is_shown() {
    let mut site = Site::open();
    site.lists(&["MS7-POD.pdf"]);
    site.wire.fail(FILES, file_answer(&proof(3), Then::Close));
    site.open_page();
    assert_eq!(site.show("good").as_deref(), Ok("PDF, 3 pages"));
}
