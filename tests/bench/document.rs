//! Draws the documents of a consignment, compared with `weasyprint`, which makes PDFs of the same content from HTML. Run with
//! `cargo bench -- document`; needs the packages of `sh assets/setup-debian.sh --tests`.
//!
//! Both are measured warm, in processes that have drawn every document before. Of `weasyprint` only `write_pdf` counts.

use std::hint::black_box;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use engine::{ConsignmentDocument, DocumentTexts, consignment_document_pdf};
use printing::document::DocumentPaper;
use serde_json::json;
use shipping::Consignment;

use crate::support::report::{aim, line, median};

/// Debian's own Python, which has Debian's `weasyprint`.
const PYTHON: &str = "/usr/bin/python3";

/// The number of times that each document is drawn.
const RUNS: usize = 60;

/// The most time for the slowest document with 200 lines.
const LIMIT: Duration = Duration::from_millis(20);

/// Reads HTML documents, separated by a line feed, and prints the median time of each in milliseconds.
const RIVAL: &str = r"
import statistics, sys, time
try:
    from weasyprint import HTML
except ImportError:
    sys.exit(2)

def once(document):
    start = time.perf_counter()
    document.write_pdf()
    return 1000 * (time.perf_counter() - start)

for text in sys.stdin.read().splitlines():
    document = HTML(string=text)
    once(document)
    print(statistics.median(once(document) for _ in range(12)))
";

pub(crate) fn run() -> io::Result<()> {
    let mut out = io::stdout();
    let ordinary = consignment(12);
    let (mut ours, mut pages) = (Duration::ZERO, String::new());
    for kind in ConsignmentDocument::ALL {
        let time = draw(kind, &ordinary)?;
        line(&mut out, &format!("ours, {}, 12 lines", kind.name()), time)?;
        ours += time;
        pages += &html(kind, &ordinary);
        pages.push('\n');
    }
    let count = u32::try_from(ConsignmentDocument::ALL.len()).map_err(io::Error::other)?;
    let rival = weasyprint(&pages)?.map(|time| time / count);
    aim(&mut out, "document_render", ours / count, rival, 0.1)?;
    let long = consignment(200);
    let mut slowest = Duration::ZERO;
    for kind in ConsignmentDocument::ALL {
        let time = draw(kind, &long)?;
        line(&mut out, &format!("ours, {}, 200 lines", kind.name()), time)?;
        slowest = slowest.max(time);
    }
    aim(&mut out, "document_render_200", slowest, Some(LIMIT), 1.0)
}

/// Returns the median time to draw a document.
fn draw(kind: ConsignmentDocument, of: &Consignment) -> io::Result<Duration> {
    let texts = DocumentTexts::default();
    let once = || {
        let start = Instant::now();
        let drawn = consignment_document_pdf(kind, of, None, &texts, DocumentPaper::A4);
        black_box(drawn.map_err(io::Error::other)?);
        Ok(start.elapsed().as_secs_f64())
    };
    once()?;
    let times: io::Result<Vec<f64>> = (0..RUNS).map(|_| once()).collect();
    Ok(Duration::from_secs_f64(median(times?)))
}

/// Returns the sum of the rival's times for these documents; `None` if the rival is not installed.
fn weasyprint(pages: &str) -> io::Result<Option<Duration>> {
    if !Path::new(PYTHON).exists() {
        return Ok(None);
    }
    let mut rival = Command::new(PYTHON)
        .args(["-c", RIVAL])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    rival
        .stdin
        .take()
        .ok_or(io::ErrorKind::BrokenPipe)?
        .write_all(pages.as_bytes())?;
    let output = rival.wait_with_output()?;
    if output.status.code() == Some(2) {
        return Ok(None);
    }
    let text = String::from_utf8(output.stdout).map_err(io::Error::other)?;
    let times: Result<Vec<f64>, _> = text.lines().map(str::parse).collect();
    let times = times.map_err(io::Error::other)?;
    Ok(Some(Duration::from_secs_f64(
        times.iter().sum::<f64>() / 1000.0,
    )))
}

/// Goods with a proper shipping name each.
const GOODS: [(&str, &str); 6] = [
    ("Hose reels, 20 m", "ETHANOL SOLUTION"),
    ("Floor varnish, satin, 4 L", "PAINT RELATED MATERIAL"),
    (
        "Garden shears with wooden handles",
        "PETROLEUM DISTILLATES, N.O.S.",
    ),
    (
        "Sprinkler heads",
        "CORROSIVE LIQUID, ACIDIC, INORGANIC, N.O.S.",
    ),
    (
        "Chlorine tablets for pools, 10 kg",
        "CALCIUM HYPOCHLORITE, DRY",
    ),
    ("Spray paint, signal red", "AEROSOLS"),
];

/// Returns the goods of a line, with the line's number, and their proper shipping name.
fn goods(line: usize) -> (String, &'static str) {
    let (name, shipping_name) = GOODS[line % GOODS.len()];
    (format!("{name}, number {line}"), shipping_name)
}

/// An ordinary consignment with so many lines, each with customs contents and a dangerous good.
fn consignment(lines: usize) -> Consignment {
    let item = |line: usize| {
        let (name, shipping_name) = goods(line);
        json!({
            "name": name, "sku": format!("HS-{:05}", line * 37), "itemType": "Carton",
            "quantity": line % 7 + 1, "length": 60, "width": 40, "height": 20 + line % 30, "weight": 12.5,
            "consignmentItemContents": [{
                "description": name, "quantity": line % 5 + 1, "harmonizedCode": format!("{}", 820_000 + line * 11),
                "purpose": "Sale", "countryOfManufactureCode": "AUS", "dollarValue": 310.25,
            }],
            "consignmentItemDgItems": [{
                "unNumber": 1170 + line, "properShippingName": shipping_name, "packingGroup": 2, "dgClassType": 3,
                "numberOfContainers": 12, "aggregateQuantity": 24 + line, "flashpoint": 13, "hazchem": "2YE",
            }],
        })
    };
    let items: Vec<_> = (1..=lines).map(item).collect();
    let place = |suburb: &str| json!({"suburb": suburb, "state": "NSW", "postcode": "2000"});
    let record = json!({
        "id": 200_001, "consignmentNumber": "MS200001", "items": items, "carrierName": "Southern Cross",
        "customerReference": "SO-48213", "customerReference2": "PO-7781", "specialInstructions": "Leave at the dock office",
        "fromName": "Harbour Supplies", "fromContact": "J. Ng", "fromPhone": "02 9000 1000", "fromAddressLine1": "12 Wharf Road",
        "fromLocation": place("Sydney"), "toName": "Ballarat Farm & Garden", "toContact": "M. Kelly", "toPhone": "03 5300 1000",
        "toAddressLine1": "5/12 Long Street", "toLocation": place("Ballarat"),
    });
    serde_json::from_str(&record.to_string()).expect("a consignment")
}

/// Returns a document of the same content as HTML on one line.
fn html(kind: ConsignmentDocument, of: &Consignment) -> String {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let facts = [
        ("Reference", text(&of.customer_reference)),
        ("Second reference", text(&of.customer_reference2)),
        (
            "From",
            text(&of.from_name) + ", 12 Wharf Road, Sydney NSW 2000",
        ),
        (
            "Deliver to",
            text(&of.to_name) + ", 5/12 Long Street, Ballarat NSW 2000",
        ),
        (
            "Contact",
            text(&of.to_contact) + " · " + &text(&of.to_phone),
        ),
        ("Carrier", of.carrier_name().to_owned()),
        ("Instructions", text(&of.special_instructions)),
        ("Despatch", "–".to_owned()),
    ];
    let facts = facts.map(|(name, value)| format!("<div><span>{name}</span><b>{value}</b></div>"));
    let (head, rows) = table(kind, of);
    let row = |tag: &str, cells: &str| {
        let cells = cells.split('|');
        let cells: Vec<_> = cells.map(|cell| format!("<{tag}>{cell}</{tag}>")).collect();
        let cells = cells.concat();
        format!("<tr>{cells}</tr>")
    };
    let rows: String = rows.iter().map(|cells| row("td", cells)).collect();
    format!(
        "<style>@page {{ size: A4; margin: 15mm; @bottom-right {{ content: 'Page ' counter(page) ' of ' counter(pages) }} }} \
         body {{ font: 9pt sans-serif }} div {{ display: inline-block; width: 48% }} span {{ display: inline-block; width: 30mm }} \
         table {{ width: 100%; border-collapse: collapse }} td {{ border-bottom: 0.4pt solid #bbb }}</style>\
         <h1>{} <small>{}</small></h1>{}<table><thead>{}</thead>{rows}</table><p>Name, signature, date and time</p>",
        kind.name(),
        of.consignment_number,
        facts.concat(),
        row("th", head),
    )
}

/// Returns the column headings and the rows of a document's table, with a bar between two cells.
fn table(kind: ConsignmentDocument, of: &Consignment) -> (&'static str, Vec<String>) {
    let (head, row): (_, fn(usize) -> String) = match kind {
        ConsignmentDocument::PackingSlip => ("SKU|Goods|Packaging|Packed", |line| {
            format!(
                "HS-{:05}|{}|Carton|{}",
                line * 37,
                goods(line).0,
                line % 7 + 1
            )
        }),
        ConsignmentDocument::ConsignmentNote => {
            ("Goods|Packaging|Pieces|kg|L × W × H in cm", |line| {
                format!(
                    "{}|Carton|{}|25.0|60 × 40 × 30",
                    goods(line).0,
                    line % 7 + 1
                )
            })
        }
        ConsignmentDocument::CommercialInvoice => (
            "Description|HS code|Origin|Quantity|Unit value|Value",
            |line| {
                format!(
                    "{}|{}|AUS|{}|77.5625|620.50",
                    goods(line).0,
                    820_000 + line * 11,
                    line % 35
                )
            },
        ),
        ConsignmentDocument::DangerousGoods => (
            "UN|Proper shipping name|Class|PG|Packages|Quantity|Flash point|Hazchem",
            |line| {
                let (un, name) = (1170 + line, goods(line).1);
                format!(
                    "UN{un}|{name}|3|II|2 × Carton, each 12 × Bottle|{} L|13 °C|2YE",
                    24 + line
                )
            },
        ),
    };
    (head, (1..=of.items().len()).map(row).collect())
}
