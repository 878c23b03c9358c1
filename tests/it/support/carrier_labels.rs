//! Labels drawn in the layouts of carriers: many sizes and kinds of barcode, narrow bars, rotated barcodes,
//! and barcodes whose modules are not a whole number of dots at 203 dpi.

use printing::codes::{BarcodeFormat, Code};

use super::labels::{self, A6, DOT, text};

/// In points.
const INCH_4X6: (f64, f64) = (288.0, 432.0);
const INCH_4X8: (f64, f64) = (288.0, 576.0);
const A4: (f64, f64) = (595.276, 841.89);

/// A hundredth of a millimetre in points: the width of modules is given in these.
const HUNDREDTH: f64 = 72.0 / 2540.0;

/// Opens a GS1-128, as the writer of codes takes it.
const FNC1: char = '\u{f1}';

/// A document of one page, and the codes on it.
pub(crate) struct CarrierLabel {
    pub(crate) name: &'static str,
    pub(crate) pdf: Vec<u8>,
    codes: Vec<(BarcodeFormat, String)>,
}

impl CarrierLabel {
    /// How many codes are on it.
    pub(crate) fn count(&self) -> usize {
        self.codes.len()
    }

    /// The codes on it that are not among those that were read.
    pub(crate) fn unread(&self, read: &[Code]) -> Vec<&(BarcodeFormat, String)> {
        let is_read = |(kind, text): &&(BarcodeFormat, String)| {
            read.iter()
                .any(|code| code.format == *kind && code.text.contains(text))
        };
        self.codes.iter().filter(|code| !is_read(code)).collect()
    }
}

/// The drawing of a page.
#[derive(Default)]
struct Face {
    content: String,
    codes: Vec<(BarcodeFormat, String)>,
}

impl Face {
    /// A page of this size with what every carrier has on it.
    fn new((width, height): (f64, f64)) -> Self {
        let mut face = Self::default();
        let (top, to) = (height - 30.0, "TO  Ballarat Farm & Garden");
        text(&mut face.content, 18.0, top, 14.0, "PRACTICE FREIGHT");
        text(&mut face.content, 18.0, top - 18.0, 10.0, to);
        text(
            &mut face.content,
            18.0,
            top - 30.0,
            10.0,
            "BALLARAT VIC 3350",
        );
        let rules = format!(
            "18 {} {} 1.2 re f\n6 6 {} {} re S\n",
            top - 38.0,
            width - 36.0,
            width - 12.0,
            height - 12.0
        );
        face.content.push_str(&rules);
        face
    }

    fn code_128(&mut self, says: &str, at: (f64, f64), module: f64, height: f64) {
        labels::code_128(&mut self.content, says, at, module, height);
        self.has(BarcodeFormat::CODE_128, says);
    }

    /// A serial shipping container code.
    fn gs1_128(&mut self, digits: &str, at: (f64, f64), module: f64, height: f64) {
        let says = format!("{FNC1}00{digits}");
        labels::code_128(&mut self.content, &says, at, module, height);
        self.has(BarcodeFormat::CODE_128, digits);
    }

    fn itf(&mut self, digits: &str, at: (f64, f64), module: f64, height: f64) {
        labels::itf(&mut self.content, digits, at, module, height);
        self.has(BarcodeFormat::ITF, digits);
    }

    fn qr(&mut self, says: &str, at: (f64, f64), module: f64) {
        labels::qr(&mut self.content, says, at, module);
        self.has(BarcodeFormat::QR_CODE, says);
    }

    fn data_matrix(&mut self, says: &str, at: (f64, f64), module: f64) {
        labels::data_matrix(&mut self.content, says, at, module);
        self.has(BarcodeFormat::DATA_MATRIX, says);
    }

    fn pdf_417(&mut self, says: &str, at: (f64, f64), module: f64) {
        labels::pdf_417(&mut self.content, says, at, module);
        self.has(BarcodeFormat::PDF_417, says);
    }

    fn aztec(&mut self, says: &str, at: (f64, f64), module: f64) {
        labels::aztec(&mut self.content, says, at, module);
        self.has(BarcodeFormat::AZTEC, says);
    }

    /// What `draw` draws, turned by a quarter to the left about `at`, which is then its origin.
    fn turned(&mut self, at: (f64, f64), draw: impl FnOnce(&mut Self)) {
        let turn = format!("q 0 1 -1 0 {} {} cm\n", at.0, at.1);
        self.content.push_str(&turn);
        draw(self);
        self.content.push_str("Q\n");
    }

    fn has(&mut self, kind: BarcodeFormat, says: &str) {
        self.codes.push((kind, says.to_owned()));
    }

    fn on(self, name: &'static str, size: (f64, f64)) -> CarrierLabel {
        CarrierLabel {
            name,
            pdf: labels::pdf(size, &[self.content]),
            codes: self.codes,
        }
    }
}

/// All of them.
pub(crate) fn all() -> Vec<CarrierLabel> {
    vec![
        road(),
        pallet(),
        express(),
        four_on_a_sheet(),
        landscape(),
        upright(),
        narrow(),
        depot(),
        off_the_dots(),
        turned_page(),
    ]
}

fn road() -> CarrierLabel {
    let mut face = Face::new(A6);
    face.code_128("PRF0000012345001", (24.0, 180.0), 2.0 * DOT, 90.0);
    face.qr("PRF0000012345001;3350;18.0", (24.0, 40.0), 3.0 * DOT);
    face.on("A6, Code 128 and QR", A6)
}

fn pallet() -> CarrierLabel {
    let mut face = Face::new(INCH_4X6);
    face.gs1_128("393123450000012346", (24.0, 200.0), 2.0 * DOT, 110.0);
    face.data_matrix("PRP77120034500001", (180.0, 40.0), 4.0 * DOT);
    face.on("4 x 6 in, GS1-128 and Data Matrix", INCH_4X6)
}

fn express() -> CarrierLabel {
    let mut face = Face::new(INCH_4X8);
    face.gs1_128("393123450000098762", (24.0, 380.0), 2.0 * DOT, 90.0);
    let shipment = "EXP4410098762|3350|BALLARAT|2 of 3|18.0 kg";
    face.pdf_417(shipment, (20.0, 180.0), 2.0 * DOT);
    face.itf("30931234500017", (24.0, 60.0), 3.0 * DOT, 60.0);
    face.on("4 x 8 in, GS1-128, PDF417 and ITF", INCH_4X8)
}

fn four_on_a_sheet() -> CarrierLabel {
    let mut face = Face::new(A4);
    for (at, (left, bottom)) in [(30.0, 430.0), (320.0, 430.0), (30.0, 60.0), (320.0, 60.0)]
        .into_iter()
        .enumerate()
    {
        let number = format!("PSF00007745{at:03}");
        let place = (left, bottom + 150.0);
        face.code_128(&number, place, 2.0 * DOT, 80.0);
        face.qr(&format!("{number};2000"), (left, bottom), 4.0 * DOT);
    }
    face.on("A4, four labels", A4)
}

fn landscape() -> CarrierLabel {
    let size = (INCH_4X6.1, INCH_4X6.0);
    let mut face = Face::new(size);
    face.code_128("WSC48213000017", (30.0, 120.0), 3.0 * DOT, 70.0);
    face.aztec("WSC48213000017 MEL 3350", (340.0, 30.0), 3.0 * DOT);
    face.on("landscape, Code 128 and Aztec", size)
}

fn upright() -> CarrierLabel {
    let mut face = Face::new(A6);
    face.turned((100.0, 40.0), |face| {
        face.code_128("UPR0000551200", (0.0, 0.0), 2.0 * DOT, 70.0);
    });
    face.turned((260.0, 40.0), |face| {
        face.data_matrix("UPR0000551200/1", (0.0, 0.0), 4.0 * DOT);
        face.itf("10931234500011", (100.0, 0.0), 2.0 * DOT, 60.0);
    });
    face.on("A6, codes turned by a quarter", A6)
}

/// Modules as narrow as carriers allow: a fifth to a quarter of a millimetre.
fn narrow() -> CarrierLabel {
    let mut face = Face::new(A6);
    face.code_128("NRW00300400500600", (24.0, 230.0), 25.4 * HUNDREDTH, 70.0);
    face.gs1_128("393123450000055558", (24.0, 140.0), 19.0 * HUNDREDTH, 70.0);
    face.data_matrix("NRW0030040050", (24.0, 40.0), 38.0 * HUNDREDTH);
    face.qr("NRW0030040050", (130.0, 40.0), 33.0 * HUNDREDTH);
    face.on("A6, narrow modules", A6)
}

fn depot() -> CarrierLabel {
    let mut face = Face::new(INCH_4X6);
    face.aztec("DPT-55-120034 BALLARAT", (30.0, 210.0), 4.0 * DOT);
    face.pdf_417("DPT55120034|VIC|3350|1/1", (20.0, 110.0), 2.0 * DOT);
    face.itf("00931234500014", (30.0, 30.0), 2.5 * DOT, 60.0);
    face.on("4 x 6 in, Aztec, PDF417 and ITF", INCH_4X6)
}

/// Modules and places between the printer's dots.
fn off_the_dots() -> CarrierLabel {
    let mut face = Face::new(INCH_4X6);
    let third = DOT / 3.0;
    face.code_128("OFF000771", (24.0 + third, 220.3), 2.4 * DOT, 80.0);
    face.qr("OFF000771;3350", (24.0 + third, 90.7), 3.6 * DOT);
    face.data_matrix("OFF000771/3350", (170.2, 90.1), 3.3 * DOT);
    face.on("4 x 6 in, between the dots", INCH_4X6)
}

/// A page that says itself that it is to be turned.
fn turned_page() -> CarrierLabel {
    let mut face = Face::default();
    face.code_128("TRN00012000340", (30.0, 200.0), 2.0 * DOT, 80.0);
    face.aztec("TRN00012000340", (60.0, 50.0), 4.0 * DOT);
    CarrierLabel {
        name: "A6, turned by its page",
        pdf: labels::one_page("/Rotate 90", &face.content),
        codes: face.codes,
    }
}
