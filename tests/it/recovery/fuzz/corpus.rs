//! The seeds of the inputs: the practice service's own answers.

use std::fs;
use std::path::Path;

use practice::RunningService;

use crate::support::desk::{Home, open_bench};
use crate::support::labels;

/// What clerks type and services write, a text each.
const TEXTS: [(&str, &[&str]); 3] = [
    (
        "dates",
        &[
            "2026-11-20T03:05:00.000Z",
            "2026-11-20T14:05:00",
            "2026-11-20T14:05:00.1234567",
            "2026-11-20T14:05:00+11:00",
            "2026-10-04T02:30",
            "2026-11-20",
            "14:05",
        ],
    ),
    (
        "decimals",
        &[
            "12.50",
            "0.1",
            "\"38.4000\"",
            "1e3",
            "-7",
            "79228162514264337593543950335",
            "0,75",
            "9.",
        ],
    ),
    (
        "names",
        &[
            "POD 1.pdf",
            "..\\..\\signed.jpg",
            "/etc/passwd",
            "MS200001",
            "nul.png",
            "\u{e9}\u{202E}fdp.exe",
        ],
    ),
];

/// Collects the answers, a file each, in a folder for each target.
pub(super) fn collect(folder: &Path) {
    let (home, practice, mut desk) = open_bench();
    desk.create("SO-1");
    let id = desk.create("SO-2");
    let ask = asker(&home, &practice);
    let ids = format!("[{id}]");
    let envelopes = [
        ask("/apiv2/authenticate/ping", Some("")),
        ask("/apiv2/companies/getAll", None),
        ask("/apiv2/companyLocations", None),
        ask(&format!("/apiv2/consignments/getConsignment?id={id}"), None),
        ask("/apiv2/consignments/getConsignment?id=999", None),
        ask(
            "/apiv2/consignments/getRecentlyCreatedOrUpdatedConsignments?fromDateUtc=2026-11-19T00:00:00.000Z",
            None,
        ),
        ask("/apiv2/manifests/groupConsignmentsForManifest", Some(&ids)),
        ask(
            "/api/DangerousGoods/GetUnNumberInformation?unNumbers=1263",
            None,
        ),
        ask(
            "/apiv2/consignments/deleteUnmanifestedConsignments",
            Some("[999]"),
        ),
        ask("/apiv2/consignments/createConsignment", Some("{}")),
    ];
    let form = ask(
        &format!("/apiv2/consignments/getUnmanifestedConsignmentForEdit?id={id}"),
        None,
    );
    let form: serde_json::Value = serde_json::from_slice(&form).expect("JSON");
    let label = ask(
        &format!("/apiv2/labels/getItemPdfFileInfo?consignmentId={id}"),
        None,
    );
    let label: serde_json::Value = serde_json::from_slice(&label).expect("JSON");
    put(folder, "envelope", envelopes);
    put(folder, "edit", [form["object"].to_string().into_bytes()]);
    // A drawn label is hundreds of kilobytes long; a small one has the same parts.
    let small = serde_json::json!({
        "fileName": label["object"]["fileName"],
        "contentType": label["object"]["contentType"],
        "content": base64(&labels::a6(&["MS200001"])),
    });
    put(
        folder,
        "labels",
        [
            label["object"].to_string().into_bytes(),
            small.to_string().into_bytes(),
        ],
    );
    for (target, texts) in TEXTS {
        put(
            folder,
            target,
            texts.iter().map(|text| text.as_bytes().to_vec()),
        );
    }
}

/// Asks the practice service: a path, and a body where it is a POST.
fn asker<'a>(
    home: &'a Home,
    practice: &'a RunningService,
) -> impl Fn(&str, Option<&str>) -> Vec<u8> + 'a {
    let client = reqwest::Client::builder()
        .no_proxy()
        .build()
        .expect("a client");
    move |path: &str, body: Option<&str>| {
        let url = format!("{}{path}", practice.base_url());
        let request = match body {
            None => client.get(url),
            Some(body) => client.post(url).body(body.to_owned()),
        };
        let request = request
            .header("token", practice.token())
            .header("content-type", "application/json");
        home.runtime
            .block_on(async { request.send().await?.bytes().await })
            .expect("an answer")
            .to_vec()
    }
}

fn base64(bytes: &[u8]) -> String {
    use base64::Engine as _;
    base64::engine::general_purpose::STANDARD.encode(bytes)
}

fn put(folder: &Path, target: &str, inputs: impl IntoIterator<Item = Vec<u8>>) {
    let folder = folder.join(target);
    fs::create_dir_all(&folder).expect("a folder");
    for (at, input) in inputs.into_iter().enumerate() {
        assert!(!input.is_empty(), "{target} {at} has nothing in it");
        fs::write(folder.join(at.to_string()), input).expect("a file");
    }
}

/// The inputs of one target.
pub(super) fn read(folder: &Path, target: &str) -> Vec<Vec<u8>> {
    let files = fs::read_dir(folder.join(target)).expect("the target's folder");
    let mut paths: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
    paths.sort();
    let inputs = paths.iter().map(|path| fs::read(path).expect("an input"));
    inputs.collect()
}
