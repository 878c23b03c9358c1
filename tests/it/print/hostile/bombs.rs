//! Small files that need a lot of time, memory or depth. The rasteriser may draw some of them without harm,
//! but none is a label. So each may have one of several results, and none of these is "printed".

use std::fmt::Write as _;
use std::io::Write as _;

use flate2::write::DeflateEncoder;
use flate2::{Compression, FlushCompress};

use super::ONE;
use super::files::Case;
use crate::support::labels::{A6, face, file, one_page, pdf, pdf_with, stream};

/// It would never end, or never fit: which of the limits is met first is the machine's affair.
const STOPPED: &[&str] = &["Took too long", "Needs too much memory", "Reading crashed"];

/// The rasteriser leaves it out, in time on most machines.
const EMPTY: &[&str] = &["Blank page", "Took too long"];

/// Something is drawn, and no code is in it.
const NO_CODE: &[&str] = &["Unreadable barcode", "Took too long"];

/// The label itself, with something on top that costs.
const LABEL_OR_NONE: &[&str] = &[
    "Printed",
    "Took too long",
    "Needs too much memory",
    "Reading crashed",
];

/// A page that draws one image.
fn image(entries: &str, data: &[u8]) -> Vec<u8> {
    let image = stream(&format!("/Type /XObject /Subtype /Image {entries}"), data);
    pdf_with(
        A6,
        &["200 0 0 200 10 10 cm /I Do".into()],
        "/XObject << /I 4 0 R >>",
        &[image],
    )
}

/// A page whose content comes through filters.
fn filtered(filters: &str, data: &[u8]) -> Vec<u8> {
    let objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_vec(),
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 297.638 419.528] /Contents 4 0 R /Resources << >> >>"
            .to_vec(),
        stream(&format!("/Filter {filters}"), data),
    ];
    file(&objects, "")
}

/// Zlib's form of a gigabyte of line ends, without making a gigabyte: whole blocks may be repeated.
fn deflated(mebibytes: usize) -> Vec<u8> {
    let mut deflate = flate2::Compress::new(Compression::best(), false);
    let input = vec![b'\n'; 1024 * 1024];
    let mut block = Vec::with_capacity(64 * 1024);
    deflate
        .compress_vec(&input, &mut block, FlushCompress::Full)
        .unwrap();
    let mut bytes = vec![0x78, 0xda];
    for _ in 0..mebibytes {
        bytes.extend_from_slice(&block);
    }
    // An empty last block; nobody who came this far asks for the checksum.
    bytes.extend([0x03, 0x00, 0, 0, 0, 0]);
    bytes
}

/// The same a second time round.
fn deflated_twice(mebibytes: usize) -> Vec<u8> {
    let mut outer = DeflateEncoder::new(vec![0x78, 0xda], Compression::fast());
    outer.write_all(&deflated(mebibytes)).unwrap();
    outer.finish().unwrap()
}

/// LZW codes for line ends: each is one longer than the one before, until the table is full and cleared.
fn lzw(rounds: usize) -> Vec<u8> {
    let mut bits: Vec<bool> = Vec::new();
    let mut put = |code: u32, width: u32| {
        bits.extend((0..width).rev().map(|bit| code >> bit & 1 == 1));
    };
    for _ in 0..rounds {
        put(256, 9);
        put(10, 9);
        for code in 258..4_094 {
            // The width grows one code early, as PDF has it by default.
            let width = match code {
                ..=511 => 9,
                512..=1_023 => 10,
                1_024..=2_047 => 11,
                _ => 12,
            };
            put(code, width);
        }
    }
    bits.chunks(8)
        .map(|eight| {
            eight
                .iter()
                .enumerate()
                .fold(0, |byte, (at, bit)| byte | u8::from(*bit) << (7 - at))
        })
        .collect()
}

/// Streams that grow.
#[rustfmt::skip]
pub(super) fn streams() -> Vec<Case> {
    let hex = "/ASCIIHexDecode ".repeat(64);
    let flate = "/FlateDecode ".repeat(64);
    vec![
        ("a gigabyte of content in one", filtered("/FlateDecode", &deflated(1_024)), STOPPED),
        ("four gigabytes in two", filtered("[/FlateDecode /FlateDecode]", &deflated_twice(4_096)), STOPPED),
        ("a gigabyte by LZW", filtered("/LZWDecode", &lzw(128)), EMPTY),
        ("64 filters of hexadecimal", filtered(&format!("[{hex}]"), &b"30".repeat(40_000)), EMPTY),
        ("64 filters that fail", filtered(&format!("[{flate}]"), &deflated(1)), EMPTY),
        ("a filter that there is not", filtered("/Magic", b"0 0 100 100 re f"), NO_CODE),
        ("400 megabytes of runs", super::memory_bomb(), STOPPED),
        ("an array 100,000 deep", pdf(A6, &["[".repeat(100_000)]), EMPTY),
        ("dictionaries a million deep", pdf(A6, &["<<".repeat(1_000_000)]), EMPTY),
        ("brackets a million deep", pdf(A6, &["(".repeat(1_000_000)]), EMPTY),
        ("states a million deep", pdf(A6, &["q ".repeat(1_000_000)]), EMPTY),
        (
            "an object 200,000 deep",
            {
                let objects = [
                    b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
                    [b"<< /Type /Pages /Kids ".to_vec(), b"[".repeat(200_000)].concat(),
                ];
                file(&objects, "")
            },
            &["Unreadable file"],
        ),
        (
            "one content 100,000 times",
            {
                let again = "5 0 R ".repeat(100_000);
                let page = format!("/Contents [{again}]");
                String::from_utf8(one_page("", "0 0 m 300 400 l S").split_off(15))
                    .map(|plain| {
                        [
                            b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n",
                            plain.replace("/Contents 5 0 R", &page).as_bytes(),
                        ]
                        .concat()
                    })
                    .unwrap()
            },
            STOPPED,
        ),
    ]
}

/// Images whose size is not what is in them.
#[rustfmt::skip]
pub(super) fn images() -> Vec<Case> {
    let side = "/Width 60000 /Height 60000 /ColorSpace /DeviceGray";
    let fax = "/Width 65000 /Height 65000 /ColorSpace /DeviceGray /BitsPerComponent 1 /Filter /CCITTFaxDecode \
               /DecodeParms << /K -1 /Columns 65000 /Rows 65000 >>";
    let jpeg = [
        &b"\xff\xd8\xff\xc0\0\x0b\x08\xff\xff\xff\xff\x01\x01\x11\0"[..],
        &b"\xff\xda\0\x08\x01\x01\0\0\x3f\0"[..],
        &[0; 64],
        &b"\xff\xd9"[..],
    ]
    .concat();
    // A page information segment of 4,000,000,000 by 4,000,000,000 dots.
    let jbig2 = [
        &b"\0\0\0\0\x30\0\x01\0\0\0\x13"[..],
        &b"\xee\x6b\x28\0\xee\x6b\x28\0\0\0\0\0\0\0\0\0\0\0\0"[..],
    ]
    .concat();
    // The size marker of JPEG 2000: 2,000,000,000 by 2,000,000,000 dots in tiles of one.
    let mut jpx = b"\xff\x4f\xff\x51\0\x29\0\0".to_vec();
    for number in [2_000_000_000_u32, 2_000_000_000, 0, 0, 1, 1, 0, 0] {
        jpx.extend(number.to_be_bytes());
    }
    jpx.extend(b"\0\x01\x07\x01\x01\xff\xd9");
    vec![
        ("a bare image of 3,600 million dots", image(&format!("{side} /BitsPerComponent 8"), &[0; 64]), NO_CODE),
        ("the same in one bit a dot", image(&format!("{side} /BitsPerComponent 1"), &[0; 64]), STOPPED),
        ("sides below nothing", image("/Width -5 /Height -5 /ColorSpace /DeviceGray /BitsPerComponent 8", &[0; 64]), EMPTY),
        ("a fax without end", image(fax, &[0x26; 4_096]), STOPPED),
        ("a JPEG of a few bytes and a huge size", image("/Width 100 /Height 100 /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /DCTDecode", &jpeg), EMPTY),
        ("a JBIG2 page of the size of a country", image("/Width 100 /Height 100 /ColorSpace /DeviceGray /BitsPerComponent 1 /Filter /JBIG2Decode", &jbig2), EMPTY),
        ("a JPEG 2000 of single dots", image("/Width 100 /Height 100 /Filter /JPXDecode", &jpx), EMPTY),
        ("a palette of itself", image("/Width 10 /Height 10 /BitsPerComponent 8 /ColorSpace [/Indexed 4 0 R 255 4 0 R]", &[0; 100]), NO_CODE),
        ("a mask of itself", image("/Width 10 /Height 10 /BitsPerComponent 8 /ColorSpace /DeviceGray /SMask 4 0 R", &[0; 100]), NO_CODE),
    ]
}

/// Drawings that never end, or never get anywhere.
#[rustfmt::skip]
pub(super) fn drawings() -> Vec<Case> {
    let form = "/Type /XObject /Subtype /Form /BBox [0 0 300 420] /Resources << /XObject << /N 4 0 R >> >>";
    let pattern = "/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 1 1] /XStep 0.001 /YStep 0.001 \
                   /Resources << >>";
    let itself = "/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 9 9] /XStep 9 /YStep 9 \
                  /Resources << /Pattern << /P 4 0 R >> >>";
    let fill = "/Pattern cs /P scn 0 0 297 420 re f";
    let glyph = b"<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1 1] /FontMatrix [1 0 0 1 0 0] /FirstChar 65 /LastChar 65 \
                  /Widths [1] /Encoding << /Differences [65 /a] >> /CharProcs << /a 5 0 R >> \
                  /Resources << /Font << /F2 4 0 R >> >> >>";
    let shading = "/Type /Pattern /PatternType 2 /Shading << /ShadingType 1 /ColorSpace /DeviceGray /Domain [0 1 0 1] \
                   /Function << /FunctionType 0 /Domain [0 1 0 1] /Range [0 1] /Size [65000 65000] /BitsPerSample 8 >> >>";
    let mut lines = String::new();
    for at in 0..60_000 {
        let _ = writeln!(
            lines,
            "{} {} m {} {} l S",
            at % 297,
            at % 419,
            at * 7 % 297,
            at * 11 % 419
        );
    }
    vec![
        ("dashes of nothing", pdf(A6, &["[0.00001 0.00001] 0 d 1 w 0 100 m 290 100 l S".into()]), STOPPED),
        ("a form of itself", pdf_with(A6, &["/N Do".into()], "/XObject << /N 4 0 R >>", &[stream(form, b"/N Do")]), EMPTY),
        ("forms doubled thirty times", super::endless(), STOPPED),
        ("tiles of nothing", pdf_with(A6, &[fill.into()], "/Pattern << /P 4 0 R >>", &[stream(pattern, b"0 0 1 1 re f")]), EMPTY),
        ("tiles of themselves", pdf_with(A6, &[fill.into()], "/Pattern << /P 4 0 R >>", &[stream(itself, fill.as_bytes())]), EMPTY),
        ("a letter of itself", pdf_with(A6, &["BT /F2 20 Tf 20 200 Td (A) Tj ET".into()], "/Font << /F2 4 0 R >>", &[glyph.to_vec(), stream("", b"1 0 d0 BT /F2 1 Tf (A) Tj ET")]), EMPTY),
        ("a shading of 4,000 million samples", pdf_with(A6, &[fill.into()], "/Pattern << /P 4 0 R >>", &[format!("<< {shading} >> >>").into_bytes()]), EMPTY),
        ("lines as wide as the sky", pdf(A6, &["1e30 w 0 0 m 1e30 1e30 l S".into()]), EMPTY),
        ("60,000 lines over the label", one_page("", &format!("{}0.01 w {lines}", face(ONE, 1, 1))), &["Printed", "Took too long", "Needs too much memory", "Unreadable barcode", "Black page"]),
        ("a million curves", one_page("", &format!("{}0 0 m {} n", face(ONE, 1, 1), "1 2 3 4 5 6 c ".repeat(300_000) )), LABEL_OR_NONE),
    ]
}
