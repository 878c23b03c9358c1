//! The doctor prints one line per check, and does the whole main job without a window.

use std::fs;
use std::path::Path;
use std::process::Output;

use printing::codes;
use printing::page::Bitmap;
use serde_json::Value;

use crate::support::program::Home;
use crate::support::readers::burn;

fn doctor(home: &Home, arguments: &[&str]) -> (Output, String) {
    let mut command = home.command(&[&["doctor"], arguments].concat());
    let output = command.output().expect("the doctor runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    (output, said)
}

fn json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).expect("the paper is there")).expect("JSON")
}

/// The picture's dots, dark ones black.
fn dots(path: &Path) -> Bitmap {
    let picture = image::open(path).expect("a picture").to_luma8();
    let stride = picture.width().div_ceil(8) as usize;
    let mut rows = vec![0_u8; stride * picture.height() as usize];
    for (x, y, _) in picture
        .enumerate_pixels()
        .filter(|(_, _, luma)| luma.0[0] < 128)
    {
        rows[y as usize * stride + x as usize / 8] |= 0x80 >> (x % 8);
    }
    Bitmap::from_packed(picture.width(), picture.height(), rows).expect("a bitmap")
}

#[test]
fn each_part_of_the_bench_has_a_line_and_what_to_do_about_it() {
    let (output, said) = doctor(&Home::new(), &[]);
    assert!(output.status.success(), "{said}");
    for part in ["display", "data folder", "service", "printers"] {
        assert_eq!(
            said.lines()
                .filter(|line| line[5..].starts_with(part))
                .count(),
            1,
            "{part} in\n{said}"
        );
    }
    let printers = said
        .lines()
        .find(|line| line.contains("printers"))
        .expect("a line");
    assert!(
        printers.contains("There is no print service on this computer →"),
        "{printers}"
    );
}

#[test]
fn the_main_job_leaves_its_papers() {
    let home = Home::new();
    let out = home.data().join("papers");
    let (output, said) = doctor(&home, &["--practice", "--out", &out.display().to_string()]);
    assert!(
        output.status.success(),
        "{said}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let consignment = json(&out.join("consignment.json"));
    let references = consignment
        .pointer("/items/0/references")
        .and_then(Value::as_array)
        .expect("references");
    let manifest = json(&out.join("manifest.json"));
    assert_eq!(
        manifest["consignmentIds"],
        serde_json::json!([consignment["id"]])
    );
    assert!(
        fs::read(out.join("label.pdf"))
            .expect("a label")
            .starts_with(b"%PDF-")
    );
    let preview = dots(&out.join("preview.png"));
    let burnt = burn(&fs::read(out.join("printer.zpl")).expect("bytes"));
    assert_eq!(burnt.len(), references.len(), "a label a piece");
    assert!(
        burnt[0] == preview,
        "what was sent differs from the preview"
    );
    for (page, reference) in burnt.iter().zip(references) {
        assert!(
            codes::read(page)
                .iter()
                .any(|code| Some(code.text.as_str()) == reference.as_str()),
            "{reference}"
        );
    }
    let left: Vec<_> = fs::read_dir(&out)
        .expect("the folder")
        .flatten()
        .map(|entry| entry.file_name())
        .collect();
    assert_eq!(left.len(), 5, "nothing else stays: {left:?}");
}

#[test]
fn a_data_folder_that_cannot_be_used_is_said() {
    let home = Home::new();
    let file = home.data().join("a-file");
    fs::write(&file, "").expect("a file");
    let output = home
        .command(&["--data", &file.display().to_string(), "doctor"])
        .output()
        .expect("it runs");
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("cannot be used"), "{said}");
}
