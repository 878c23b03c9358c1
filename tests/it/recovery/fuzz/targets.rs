//! The six readers of data from a service or a clerk. Each may refuse anything but must not panic.

use std::path::{Component, Path};
use std::sync::Arc;
use std::time::Duration;

use draft::{CheckContext, Draft};
use jiff::ToSpan as _;
use printing::page::{PageSelection, Scale};
use printing::renderer::{RenderLimits, Renderer};
use serde_json::Value;
use shipping::{
    Company, CompanyLocation, Consignment, DecodeError, Document, EditForm, Kilograms, LabelFile,
    LocalTime, ManifestGroup, ManifestResult, ObjectOnly, ServiceError, UnLookupEntry, UtcTime,
    file_name, read_acknowledgement, read_envelope, read_list,
};
use tokio::runtime::Runtime;

/// Takes one input.
pub(super) type Target = Box<dyn FnMut(&[u8])>;

/// A target by its name; it is made once and fed with every input.
pub(super) fn of(name: &str) -> Target {
    match name {
        "envelope" => Box::new(envelope),
        "edit" => Box::new(edit),
        "dates" => Box::new(dates),
        "decimals" => Box::new(decimals),
        "labels" => labels(),
        "names" => Box::new(names),
        other => panic!("{other} is no target"),
    }
}

pub(super) const ALL: [&str; 6] = ["envelope", "edit", "dates", "decimals", "labels", "names"];

fn envelope(input: &[u8]) {
    fn plain<T>(read: Result<T, DecodeError>) {
        if let Err(misfit) = read {
            assert!(
                misfit.path.len() <= 120 && misfit.path.is_ascii(),
                "{misfit}"
            );
        }
    }
    plain(read_envelope::<ObjectOnly<Consignment>>(input));
    plain(read_envelope::<Vec<ObjectOnly<ManifestResult>>>(input));
    plain(read_envelope::<Vec<Company>>(input));
    plain(read_envelope::<Vec<CompanyLocation>>(input));
    plain(read_envelope::<Vec<ManifestGroup>>(input));
    plain(read_envelope::<Vec<UnLookupEntry>>(input));
    plain(read_envelope::<EditForm>(input));
    plain(read_acknowledgement(input));
    if let Ok(shipping::Envelope::Refused(errors)) = read_list::<Consignment>(input) {
        let words = ServiceError::joined_messages(&errors);
        assert!(!words.is_empty() && words.chars().count() <= 601, "{words}");
    }
}

/// What nobody changed goes back as it came, and items that are put back change nothing.
fn edit(input: &[u8]) {
    let Ok(mut form) = serde_json::from_slice::<EditForm>(input) else {
        return;
    };
    let came: Value = match serde_json::from_slice(input) {
        Ok(came) => came,
        // A number that only keeps its text.
        Err(_) => return,
    };
    let back = serde_json::to_string(&form).expect("a form is written");
    let went: Value = serde_json::from_str(&back).expect("and read again");
    assert_eq!(came, went, "untouched");
    let _id = form.id();
    let items = form.items();
    form.set_items(&items);
    if !items.is_empty() {
        let again: EditForm =
            serde_json::from_str(&serde_json::to_string(&form).expect("written")).expect("read");
        assert_eq!(again.items(), items);
        assert!(again.get::<bool>("setItemReferences") == form.get("setItemReferences"));
    }
}

fn dates(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else {
        return;
    };
    if let Ok(local) = LocalTime::read(text) {
        let again = LocalTime::read(&local.to_string());
        let second = |time: LocalTime| time.0.with().subsec_nanosecond(0).build();
        assert_eq!(again.ok().map(|time| time.0), second(local).ok(), "{text}");
        for zone in [
            "Australia/Sydney",
            "America/St_Johns",
            "Pacific/Apia",
            "no/where",
        ] {
            if let Ok(moment) = local.in_zone(zone) {
                assert_eq!(LocalTime::at(moment.0, zone), local, "{text} in {zone}");
            }
        }
    }
    let json = serde_json::to_string(text).expect("text");
    if let Ok(UtcTime(moment)) = serde_json::from_str::<UtcTime>(&json) {
        let again: UtcTime =
            serde_json::from_str(&format!("\"{}\"", UtcTime(moment))).expect("our own shape");
        let apart = moment.duration_since(again.0).abs();
        assert!(apart < 1.second().try_into().expect("a second"), "{text}");
    }
    let mut draft = Draft {
        despatch: text.to_owned(),
        ..Draft::default()
    };
    text.clone_into(&mut draft.goods[0].quantity);
    checked(&draft);
}

fn decimals(input: &[u8]) {
    if let Ok(weight) = serde_json::from_slice::<Kilograms>(input) {
        let back = serde_json::to_string(&weight).expect("a number is written");
        let again: Kilograms = serde_json::from_str(&back).expect("and read again");
        assert_eq!(again, weight, "{back}");
    }
    let Ok(text) = std::str::from_utf8(input) else {
        return;
    };
    let mut draft = Draft::default();
    let line = &mut draft.goods[0];
    for field in [
        &mut line.quantity,
        &mut line.weight,
        &mut line.length,
        &mut line.width,
        &mut line.height,
        &mut line.spaces,
    ] {
        text.clone_into(field);
    }
    draft.goods.push(draft.goods[0].clone());
    let _sum = draft.totals();
    checked(&draft);
}

fn checked(draft: &Draft) {
    let context = CheckContext::at(
        "2026-11-20T03:05:00Z".parse().expect("a moment"),
        "Australia/Sydney",
    );
    let check = draft.check(&context);
    assert!(
        check
            .problems
            .iter()
            .all(|problem| !problem.message.is_empty())
    );
}

/// Every input is decoded and looked at; one in fifty goes through the renderer, whose child may die of it, and no more.
fn labels() -> Target {
    let runtime = Runtime::new().expect("a runtime");
    let renderer = Renderer::with_limits(
        env!("CARGO_BIN_EXE_packbench").into(),
        RenderLimits {
            page_time: Duration::from_secs(1),
            ..RenderLimits::default()
        },
    );
    let scale = Scale::dots_per_mm(4.0).expect("a scale");
    let mut seen = 0_usize;
    Box::new(move |input| {
        let file = match serde_json::from_slice::<LabelFile>(input) {
            Ok(file) => file,
            // Damage to the JSON is the envelope's; here it is the content's.
            Err(_) => LabelFile {
                file_name: String::new(),
                content_type: String::new(),
                content: String::from_utf8_lossy(input).into_owned(),
            },
        };
        let bytes = file.bytes().unwrap_or_else(|_refused| input.to_vec());
        let _documents = Document::from_response(bytes.clone());
        seen += 1;
        if seen.is_multiple_of(50) {
            let pdf: Arc<[u8]> = bytes.into();
            let _page =
                runtime.block_on(renderer.render_pages(pdf, PageSelection::single(0), scale));
        }
    })
}

fn names(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let document = Document::from_response(input.to_vec());
    let mut made = vec![
        file_name(&[&text], "pdf"),
        file_name(&[&text, &text, &text, &text, &text], "png"),
    ];
    for document in document.into_iter().flatten() {
        made.extend(document.save_name(&text, input.len()));
        made.extend(
            document
                .name
                .as_deref()
                .map(|name| file_name(&[name], "bin")),
        );
    }
    for name in made {
        let mut components = Path::new(&name).components();
        let only = (components.next(), components.next());
        assert!(matches!(only, (Some(Component::Normal(_)), None)), "{name}");
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '.';
        assert!(name.chars().all(plain) && name.len() < 200, "{name}");
        assert!(!name.starts_with(['.', '-']), "{name}");
    }
}
