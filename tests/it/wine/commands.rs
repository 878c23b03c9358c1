//! The commands without a window, beside the same commands of the program for this system.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::process::{Output, Stdio};

use printing::job::prepare_despite_problem;
use printing::page::PageSelection;
use printing::renderer::Renderer;
use printing::verification::ExpectedCodes;

use crate::support::practice::client;
use crate::support::printers::{at_port, label_printer};
use crate::support::program::Home;
use crate::support::wine::Windows;

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).replace('\r', "")
}

#[test]
#[ignore = "needs the program for Windows"]
fn the_version_and_the_doctors_lines_are_printed_for_who_asked() {
    let windows = Windows::shared();
    let version = windows.command(&["--version"]).output().expect("it runs");
    let here = Home::new()
        .command(&["--version"])
        .output()
        .expect("it runs");
    assert_eq!(said(&version), said(&here));

    let output = windows.command(&["doctor"]).output().expect("it runs");
    let lines = said(&output);
    assert!(output.status.success(), "{output:?}");
    assert!(
        lines.contains(r"C:\users\Łódź Ω\AppData\Local\packbench\data"),
        "{lines}"
    );
    assert!(
        lines.contains("the print service has no printers"),
        "{lines}"
    );
}

#[test]
#[ignore = "needs the program for Windows"]
fn the_doctors_main_job_prints_the_bytes_that_this_system_makes_of_the_same_label() {
    let windows = Windows::shared();
    let output = windows
        .command(&["doctor", "--practice", "--out", r"C:\papers"])
        .output()
        .expect("it runs");
    assert!(output.status.success(), "{output:?}");
    let out = windows.drive().join("papers");
    let mut names: Vec<_> = fs::read_dir(&out)
        .expect("the folder")
        .map(|entry| entry.expect("an entry").file_name())
        .collect();
    names.sort();
    let wanted = [
        "consignment.json",
        "label.pdf",
        "manifest.json",
        "preview.png",
        "printer.zpl",
    ];
    assert_eq!(names, wanted, "nothing else stays");

    let pdf = fs::read(out.join("label.pdf")).expect("a label");
    let profile = label_printer("Here", at_port(9100));
    let expected = ExpectedCodes::References(Vec::new());
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let prepared = runtime.block_on(prepare_despite_problem(
        &Renderer::new(env!("CARGO_BIN_EXE_packbench").into()),
        pdf.into(),
        PageSelection::All,
        &profile,
        &expected,
    ));
    let printed = fs::read(out.join("printer.zpl")).expect("the printer's bytes");
    assert!(
        prepared.expect("a good label").payload.bytes[..] == printed[..],
        "the same label makes other bytes there"
    );
}

#[test]
#[ignore = "needs the program for Windows"]
fn its_practice_service_answers_clients_of_this_system() {
    let windows = Windows::shared();
    let mut command = windows.command(&["practice", "--port", "0", "--data", r"C:\practice"]);
    let mut child = command.stdout(Stdio::piped()).spawn().expect("it starts");
    let mut lines = BufReader::new(child.stdout.take().expect("it was asked for")).lines();
    let address = lines.next().expect("a line").expect("its text");
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let answer = runtime.block_on(async {
        let url = format!("{}/openapi.json", address.trim());
        let answer = client().get(url).send().await;
        answer.expect("an answer").text().await.expect("its text")
    });
    child.kill().expect("a child of ours");
    child.wait().expect("a child of ours");
    assert!(answer.contains("\"openapi\""), "{answer}");
}

#[test]
#[ignore = "needs the program for Windows"]
fn a_data_folder_may_have_a_long_path() {
    let windows = Windows::shared();
    let long = [
        "C:",
        &"folder of a bench".repeat(6),
        &"with a long name".repeat(6),
        "data",
    ]
    .join(r"\");
    let deep = ["C:\\deep", &long[3..], &long[3..]].join(r"\");
    assert!(deep.len() > 400);
    let output = windows
        .command(&[
            "doctor",
            "--practice",
            "--data",
            &deep,
            "--out",
            r"C:\deep\out",
        ])
        .output()
        .expect("it runs");
    assert!(output.status.success(), "{output:?}");
    let lines = said(&output);
    assert!(
        lines.contains(&format!("ok   data folder    {deep}")),
        "{lines}"
    );
    assert!(windows.drive().join("deep/out/label.pdf").exists());
}

#[test]
#[ignore = "needs the program for Windows"]
fn the_settings_of_a_computer_are_provisioned() {
    let windows = Windows::shared();
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("site.toml");
    fs::write(
        &file,
        "set_by = \"IT\"\n[bench]\nname = \"Bench {hostname}\"\n",
    )
    .expect("written");
    let file = windows.bring(&file);
    let output = windows
        .command(&["provision", &file])
        .output()
        .expect("it runs");
    assert!(output.status.success(), "{output:?}");
    let written = windows.drive().join("ProgramData/Packbench/settings.toml");
    let written = fs::read_to_string(written).expect("the settings");
    assert!(written.contains("Bench {hostname}"), "{written}");
}
