//! Random consignments, drawn as all four documents and read back with `pdftotext`: no text is lost, cut, drawn over another
//! or outside the margins, and the page numbers are right.
//!
//! The ordinary run takes 40 consignments. A run of 2,000 takes some minutes:
//! `cargo test --test it -- --ignored documents::random --nocapture`

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};

use engine::{ConsignmentDocument, DocumentTexts, consignment_document_pdf};
use fastrand::Rng;
use printing::document::DocumentPaper;
use serde_json::{Map, Value, json};
use shipping::Consignment;

/// Words of every script that a receiver may have.
const LATIN: &[&str] = &[
    "Ballarat",
    "Farm",
    "&",
    "Garden",
    "Zoë's",
    "Łódź",
    "O’Brien",
    "Pty",
    "Ltd",
    "5/12",
    "<Kröger>",
];
const GREEK: &[&str] = &["Ζεύς", "Αθήνα", "Λεωφόρος", "ΑΕ"];
const CYRILLIC: &[&str] = &["Москва", "улица", "Ленина", "Ђорђе", "ООО"];
const CHINESE: &[&str] = &["北京市", "朝阳区", "有限公司", "仓库"];
const KANA: &[&str] = &["とうきょう", "ミナト", "かぶしき", "センター"];
const THAI: &[&str] = &["บริษัท", "ตัวอย่าง", "จำกัด", "กรุงเทพ"];
const HINDI: &[&str] = &["नमस्ते", "प्रौद्योगिकी", "लिमिटेड", "दिल्ली"];
const ARABIC: &[&str] = &["شركة", "الأمثلة", "للتجارة", "دبي"];
const HEBREW: &[&str] = &["חברת", "דוגמה", "תל", "אביב"];
const SCRIPTS: [&[&str]; 9] = [
    LATIN, GREEK, CYRILLIC, CHINESE, KANA, THAI, HINDI, ARABIC, HEBREW,
];

/// Returns whether the order or the number of a script's characters changes when they are drawn, so that the text of a PDF may
/// differ.
fn is_complex(letter: char) -> bool {
    is_right_to_left(letter) || is_thai(letter) || matches!(letter, '\u{900}'..='\u{97f}')
}

fn is_thai(letter: char) -> bool {
    matches!(letter, '\u{e00}'..='\u{e7f}')
}

fn is_right_to_left(letter: char) -> bool {
    matches!(letter, '\u{590}'..='\u{6ff}')
}

/// Makes the fields of a consignment.
struct Maker {
    random: Rng,
    scripts: &'static [&'static [&'static str]],
}

impl Maker {
    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.random.usize(..of.len())]
    }

    fn one_in(&mut self, count: usize) -> bool {
        self.random.usize(..count) == 0
    }

    fn text(&mut self) -> String {
        let script = if self.random.bool() {
            LATIN
        } else {
            self.one(self.scripts)
        };
        if self.one_in(12) {
            // One word of 120 characters.
            let letters = script.iter().flat_map(|word| word.chars()).cycle();
            return letters.filter(|letter| *letter != '&').take(120).collect();
        }
        let count = if self.one_in(15) {
            40
        } else {
            self.random.usize(1..5)
        };
        let mut words: Vec<_> = (0..count).map(|_| self.one(script)).collect();
        if self.one_in(6) {
            let other = self.one(self.scripts);
            words.push(self.one(other));
        }
        words.join(" ")
    }

    /// Adds a text, or leaves it out or empty.
    fn add(&mut self, record: &mut Map<String, Value>, names: &[&str]) {
        for name in names {
            let value = match self.random.u8(..10) {
                0 => continue,
                1 => Value::Null,
                2 => json!("  "),
                _ => json!(self.text()),
            };
            record.insert((*name).to_owned(), value);
        }
    }

    /// Adds a number of up to `digits` digits, or leaves it out.
    fn add_number(&mut self, record: &mut Map<String, Value>, name: &str, digits: u32) {
        let number = self.random.u64(..10_u64.pow(digits));
        // Most numbers are small.
        let number = if self.one_in(8) { number } else { number % 500 };
        if !self.one_in(8) {
            record.insert(name.to_owned(), json!(number));
        }
    }

    fn consignment(&mut self) -> Consignment {
        let mut record = Map::new();
        let number = if self.one_in(10) {
            "CONSIGNMENT-NUMBER-OF-A-CARRIER-".repeat(3)
        } else {
            format!("MS{}", self.random.u32(..))
        };
        record.insert("id".to_owned(), json!(1));
        record.insert("consignmentNumber".to_owned(), json!(number));
        record.insert("isInternational".to_owned(), json!(self.random.bool()));
        record.insert("isTest".to_owned(), json!(self.random.bool()));
        let texts = [
            "fromName",
            "fromContact",
            "fromPhone",
            "fromAddressLine1",
            "fromAddressLine2",
            "toName",
            "toContact",
            "toPhone",
            "toAddressLine1",
            "toAddressLine2",
            "customerReference",
            "customerReference2",
            "specialInstructions",
            "carrierName",
            "carrierConsignmentId",
        ];
        self.add(&mut record, &texts);
        if self.one_in(20) {
            let long = json!(self.text().repeat(100));
            record.insert("specialInstructions".to_owned(), long);
        }
        let most = if self.one_in(8) { 200 } else { 12 };
        let items: Vec<_> = (0..self.random.usize(..=most))
            .map(|_| self.item())
            .collect();
        record.insert("items".to_owned(), json!(items));
        serde_json::from_str(&Value::Object(record).to_string()).expect("a consignment")
    }

    fn item(&mut self) -> Value {
        let mut item = Map::new();
        self.add(&mut item, &["name", "sku", "itemType"]);
        self.add_number(&mut item, "quantity", 9);
        for side in ["length", "width", "height", "weight"] {
            self.add_number(&mut item, side, 12);
        }
        let contents = (0..self.random.usize(..3)).map(|_| {
            let mut contents = Map::new();
            self.add(&mut contents, &["description", "harmonizedCode", "purpose"]);
            self.add_number(&mut contents, "quantity", 9);
            self.add_number(&mut contents, "dollarValue", 12);
            Value::Object(contents)
        });
        let contents: Vec<_> = contents.collect();
        let goods = (0..self.random.usize(..3)).map(|_| {
            let mut goods = Map::new();
            self.add(
                &mut goods,
                &[
                    "properShippingName",
                    "hazchem",
                    "TechnicalOrChemicalGroupNames",
                ],
            );
            self.add_number(&mut goods, "numberOfContainers", 9);
            self.add_number(&mut goods, "aggregateQuantity", 12);
            self.add_number(&mut goods, "flashpoint", 4);
            goods.insert("unNumber".to_owned(), json!(self.random.u16(1..3500)));
            goods.insert("dgClassType".to_owned(), json!(self.random.u8(1..15)));
            Value::Object(goods)
        });
        let goods: Vec<_> = goods.collect();
        item.insert("consignmentItemContents".to_owned(), json!(contents));
        item.insert("consignmentItemDgItems".to_owned(), json!(goods));
        Value::Object(item)
    }
}

/// Returns the texts of a consignment that a document must hold.
fn texts(kind: ConsignmentDocument, of: &Consignment) -> Vec<String> {
    let ends = [
        &of.from_name,
        &of.from_address_line1,
        &of.from_address_line2,
        &of.to_name,
        &of.to_address_line1,
        &of.to_address_line2,
    ];
    let references = [&of.customer_reference, &of.special_instructions];
    let contacts = [&of.to_contact, &of.to_phone];
    let mut texts: Vec<Option<String>> = ends.map(Clone::clone).to_vec();
    for item in of.items() {
        let contents = item.consignment_item_contents.iter();
        let goods = item.consignment_item_dg_items.iter();
        match kind {
            ConsignmentDocument::PackingSlip => {
                texts.extend([item.sku.clone(), item.name.clone(), item.item_type.clone()]);
                texts.extend(item.quantity.map(|count| Some(count.to_string())));
            }
            ConsignmentDocument::ConsignmentNote => {
                texts.extend([item.name.clone(), item.item_type.clone()]);
            }
            ConsignmentDocument::CommercialInvoice => {
                texts.extend(contents.flat_map(|one| {
                    [
                        one.description.clone(),
                        one.harmonized_code.clone(),
                        one.purpose.clone(),
                    ]
                }));
            }
            ConsignmentDocument::DangerousGoods => {
                texts.extend(goods.flat_map(|one| {
                    let names = one
                        .technical_or_chemical_group_names
                        .iter()
                        .cloned()
                        .map(Some);
                    names.chain([one.proper_shipping_name.clone(), one.hazchem.clone()])
                }));
            }
        }
    }
    match kind {
        ConsignmentDocument::PackingSlip | ConsignmentDocument::ConsignmentNote => {
            texts.extend(references.into_iter().chain(contacts).cloned());
        }
        ConsignmentDocument::CommercialInvoice => texts.push(of.customer_reference.clone()),
        ConsignmentDocument::DangerousGoods => texts.push(of.from_phone.clone()),
    }
    texts.into_iter().flatten().collect()
}

struct Word {
    left: f64,
    top: f64,
    right: f64,
    bottom: f64,
    text: String,
}

struct Page {
    width: f64,
    height: f64,
    words: Vec<Word>,
    /// All words in the order in which they were drawn, without blanks.
    text: String,
}

/// Reads the words of a PDF with their boxes.
fn read(pdf: &[u8], file: &Path) -> Vec<Page> {
    std::fs::write(file, pdf).expect("a file");
    let read = Command::new("pdftotext")
        .args(["-raw", "-bbox"])
        .arg(file)
        .arg("-")
        .output();
    let read = read.expect("pdftotext, of poppler-utils");
    assert!(
        read.status.success(),
        "{}",
        String::from_utf8_lossy(&read.stderr)
    );
    let html = String::from_utf8(read.stdout).expect("text");
    let mut pages: Vec<Page> = Vec::new();
    for line in html.lines().map(str::trim) {
        let number = |name: &str| {
            let (_, rest) = line.split_once(&format!("{name}=\"")).expect("a number");
            rest.split('"')
                .next()
                .expect("a number")
                .parse::<f64>()
                .expect("a number")
        };
        if line.starts_with("<page ") {
            let (width, height) = (number("width"), number("height"));
            pages.push(Page {
                width,
                height,
                words: Vec::new(),
                text: String::new(),
            });
        } else if line.starts_with("<word ") {
            let (_, text) = line.split_once('>').expect("a word");
            let text = text.strip_suffix("</word>").expect("a word");
            let text = ["&lt;<", "&gt;>", "&quot;\"", "&apos;'", "&amp;&"]
                .iter()
                .fold(text.to_owned(), |text, pair| {
                    let (entity, letter) = pair.split_at(pair.len() - 1);
                    text.replace(entity, letter)
                });
            let page = pages.last_mut().expect("a page");
            page.text.push_str(&without_blanks(&text));
            page.words.push(Word {
                left: number("xMin"),
                top: number("yMin"),
                right: number("xMax"),
                bottom: number("yMax"),
                text,
            });
        }
    }
    pages
}

fn without_blanks(text: &str) -> String {
    text.split_whitespace().collect()
}

/// How far from the edges of the page text must be, in points: 14.8 mm, and less at the bottom for the footnote.
const MARGIN: f64 = 41.5;
const BOTTOM: f64 = 26.0;

/// How far the boxes of two words may overlap. A box is as tall as the tallest letters of its font, which for Thai are taller than
/// a line.
const OVERLAP: (f64, f64) = (0.6, 1.0);
const THAI_OVERLAP: f64 = 3.5;

/// Returns what is wrong with the pages of a document.
fn faults(pages: &[Page], texts: &[String]) -> Vec<String> {
    let mut faults = Vec::new();
    for (page, number) in pages.iter().zip(1..) {
        let expected = format!("Page{number}of{}", pages.len());
        if !page.text.contains(&expected) {
            faults.push(format!("page {number} has another number"));
        }
        for word in &page.words {
            let is_inside = word.left >= MARGIN && word.right <= page.width - MARGIN;
            if !is_inside || word.top < MARGIN - 4.0 || word.bottom > page.height - BOTTOM {
                faults.push(format!("{} is outside page {number}", word.text));
            }
            if word.text.contains('…') {
                faults.push(format!("{} is cut on page {number}", word.text));
            }
        }
        let mut words: Vec<_> = page.words.iter().collect();
        words.sort_by(|one, other| one.top.total_cmp(&other.top));
        for (at, word) in words.iter().enumerate() {
            let others = words[at + 1..].iter();
            for other in others.take_while(|other| other.top < word.bottom - OVERLAP.1) {
                let is_beside =
                    word.left.max(other.left) + OVERLAP.0 >= word.right.min(other.right);
                let is_thai = [&word.text, &other.text]
                    .iter()
                    .any(|text| text.contains(is_thai));
                let is_below = is_thai && other.top >= word.bottom - THAI_OVERLAP;
                if !is_beside && !is_below {
                    faults.push(format!(
                        "{} and {} overlap on page {number}",
                        word.text, other.text
                    ));
                }
            }
        }
    }
    let is_in_order = !texts.iter().any(|text| text.chars().any(is_right_to_left));
    for text in texts {
        for part in parts(text, is_in_order) {
            if !holds(pages, &part) {
                faults.push(format!("{part} of {text} is missing"));
            }
        }
    }
    faults
}

/// Returns the parts of a text that a document must hold. The order of words changes around right-to-left words, and the text of a
/// PDF has the characters of complex scripts in another order.
fn parts(text: &str, is_in_order: bool) -> Vec<String> {
    if is_in_order && !text.chars().any(is_complex) {
        return vec![without_blanks(text)];
    }
    let words = text.split(|letter: char| !letter.is_alphanumeric() || is_complex(letter));
    let words = words.filter(|word| !word.is_empty()).map(str::to_owned);
    // One character shows that the text was drawn.
    words
        .chain(
            text.chars()
                .find(|letter| is_complex(*letter))
                .map(String::from),
        )
        .collect()
}

/// Returns whether the pages hold the text on one page, or its parts on consecutive pages.
fn holds(pages: &[Page], text: &str) -> bool {
    (0..pages.len()).any(|first| {
        let mut rest = text;
        for page in &pages[first..] {
            let mut ends: Vec<_> = rest.char_indices().map(|(at, _)| at).collect();
            ends.push(rest.len());
            let count = ends.partition_point(|end| page.text.contains(&rest[..*end]));
            let end = ends[count - 1];
            rest = &rest[end..];
            if end == 0 || rest.is_empty() {
                break;
            }
        }
        rest.is_empty()
    })
}

/// Draws and checks the consignments of these seeds. Returns the faults.
fn check(seeds: std::ops::RangeInclusive<u64>) -> Vec<String> {
    let next = AtomicU64::new(*seeds.start());
    let work = || {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("document.pdf");
        let mut found = Vec::new();
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed > *seeds.end() {
                return found;
            }
            // Half of the consignments have no right-to-left scripts, so that whole texts can be compared.
            let scripts = if seed.is_multiple_of(2) {
                &SCRIPTS[..]
            } else {
                &SCRIPTS[..7]
            };
            let mut maker = Maker {
                random: Rng::with_seed(seed),
                scripts,
            };
            let of = maker.consignment();
            for kind in ConsignmentDocument::ALL {
                let paper = maker.one(&[DocumentPaper::A4, DocumentPaper::Letter]);
                let letterhead: Vec<_> =
                    (0..maker.random.usize(..4)).map(|_| maker.text()).collect();
                let own = DocumentTexts {
                    letterhead: letterhead.join("\n"),
                    ..DocumentTexts::default()
                };
                let drawn =
                    consignment_document_pdf(kind, &of, None, &own, paper).expect("a document");
                let pages = read(&drawn.pdf, &file);
                let expected = [texts(kind, &of), letterhead].concat();
                let mut faults = faults(&pages, &expected);
                // The random records lack facts that the goods need, which is told beside the letters.
                let messages = drawn.message.unwrap_or_default();
                let messages = messages
                    .split(". ")
                    .filter(|message| !message.starts_with("Write by hand"));
                faults.extend(
                    messages
                        .filter(|message| !message.is_empty())
                        .map(str::to_owned),
                );
                found.extend(
                    faults
                        .into_iter()
                        .map(|fault| format!("{} of seed {seed}: {fault}", kind.name())),
                );
            }
        }
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(work)).collect();
        let found = threads
            .into_iter()
            .map(|thread| thread.join().expect("no panic"));
        found.flatten().collect()
    })
}

fn assert_none(faults: &[String]) {
    let mut list = String::new();
    for fault in faults.iter().take(40) {
        let _ = writeln!(list, "{fault}");
    }
    assert!(faults.is_empty(), "{} faults:\n{list}", faults.len());
}

#[test]
fn any_consignment_is_drawn_whole_and_readable() {
    assert_none(&check(1..=40));
}

#[test]
#[ignore = "takes some minutes"]
fn two_thousand_consignments_are_drawn_whole_and_readable() {
    assert_none(&check(1..=2_000));
}
