//! Label files (PDFs with one page for each piece) and the service's own printers: lists them, accepts print jobs
//! and applies printing rules.
//!
//! Nothing is really printed. The jobs are stored, and `/practice/printJobs`, which exists in the practice
//! service only, lists them.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::{Call, PracticeService};
use crate::catalogue::Printer;
use crate::label::{self, Paper};
use crate::rules;
use crate::status::ConsignmentRecord;
use crate::store::{PrintJob, User};
use crate::wire::{Answer, Failure, PrintRequest, Refusal, Refusals, carrier_record, utc_text};

/// Label types by number, as in `assets/practice/openapi/schemas/printing.json`.
const LABEL_TYPES: [(i64, &str); 7] = [
    (MANIFEST, "manifest"),
    (2, "consignment"),
    (3, "item"),
    (4, "special instructions"),
    (DANGEROUS_GOODS, "dangerous goods document"),
    (GENERATED_INVOICE, "generated commercial invoice"),
    (UPLOADED_INVOICE, "uploaded commercial invoice"),
];
const MANIFEST: i64 = 1;
const DANGEROUS_GOODS: i64 = 5;
const GENERATED_INVOICE: i64 = 7;
const UPLOADED_INVOICE: i64 = 8;
/// How many print jobs `/practice/printJobs` lists.
const SHOWN: i64 = 200;

fn label_name(label_type: i64) -> Option<&'static str> {
    let mut all = LABEL_TYPES.iter();
    all.find(|(known, _)| *known == label_type)
        .map(|(_, name)| *name)
}

/// Handles `labels/getItemPdfFileInfo`.
pub(crate) fn item_labels(desk: &PracticeService, call: &Call) -> Result<Answer, Failure> {
    let field = "consignmentId";
    let tracked = desk.visible(call, field, call.required_number(field)?)?;
    let is_a4 = call.query_flag("printA4")?;
    let paper = if is_a4 { Paper::A4 } else { Paper::A6 };
    let pdf = label::pdf(&desk.catalogue, &tracked.consignment, paper).map_err(Failure::broken)?;
    Ok(Answer::Object(json!({
        "fileName": format!("{}-{}.pdf", tracked.consignment.number(), paper.name()),
        "contentType": "application/pdf",
        "content": STANDARD.encode(pdf),
    })))
}

/// Handles `labels/sendLabelsToPrinter`. Either all jobs are accepted or none.
pub(crate) fn send_labels(desk: &PracticeService, call: &Call) -> Result<Answer, Failure> {
    let orders: Vec<PrintRequest> = call.records()?;
    if orders.is_empty() || orders.iter().any(|order| order.consignment_ids.is_empty()) {
        return Err(Refusal::new("consignmentIds", "ConsignmentIds are required").into());
    }
    let mut refusals = Refusals::default();
    let mut jobs = Vec::with_capacity(orders.len());
    for order in &orders {
        let ids = order.consignment_ids.iter();
        let consignments = ids.map(|id| desk.visible(call, "consignmentIds", *id));
        let consignments: Vec<ConsignmentRecord> = consignments.collect::<Result<_, _>>()?;
        let label_type = refusals.keep(label_type(order, &consignments));
        let printer = refusals.keep(printer(desk, order, &consignments));
        if let (Some(label_type), Some(printer)) = (label_type, printer) {
            jobs.push(PrintJob {
                at: desk.clock.now(),
                company_id: printer.company_id,
                consignment_ids: order.consignment_ids.clone(),
                label_type,
                printer_id: printer.id,
                print_a4: order.print_a4.unwrap_or(false),
                by: call.user.name.clone(),
                rule: None,
            });
        }
    }
    let jobs = refusals.into_result(jobs)?;
    desk.store().insert_print_jobs(&jobs)?;
    Ok(Answer::Done)
}

/// Returns the label type, after checking that it exists for every consignment.
fn label_type(order: &PrintRequest, consignments: &[ConsignmentRecord]) -> Result<i64, Refusal> {
    let field = "labelType";
    let missing = || Refusal::new(field, "labelType is required");
    let label_type = order.label_type.ok_or_else(missing)?;
    if label_name(label_type).is_none() {
        let message = format!("Label type {label_type} is not known");
        return Err(Refusal::new(field, message));
    }
    let lacks = |tracked: &ConsignmentRecord| match label_type {
        MANIFEST if tracked.manifest_id.is_none() => Some("is not manifested"),
        DANGEROUS_GOODS if !tracked.consignment.job.holds_dangerous_goods() => {
            Some("holds no dangerous goods")
        }
        GENERATED_INVOICE if !tracked.consignment.job.international => Some("is not international"),
        UPLOADED_INVOICE => Some("has no uploaded commercial invoice"),
        _ => None,
    };
    for tracked in consignments {
        if let Some(reason) = lacks(tracked) {
            let message = format!("Consignment {} {reason}", tracked.consignment.id);
            return Err(Refusal::new(field, message));
        }
    }
    Ok(label_type)
}

fn printer<'a>(
    desk: &'a PracticeService,
    order: &PrintRequest,
    consignments: &[ConsignmentRecord],
) -> Result<&'a Printer, Refusal> {
    let field = "printerId";
    let missing = || Refusal::new(field, "printerId is required");
    let id = order.printer_id.ok_or_else(missing)?;
    let refused = |reason: &str| Refusal::new(field, format!("Printer {id} {reason}"));
    let known = desk.catalogue.printing.printer(id);
    let printer = known.ok_or_else(|| refused("is not known"))?;
    let is_other = |of: &ConsignmentRecord| of.consignment.company_id != printer.company_id;
    if consignments.iter().any(is_other) {
        return Err(refused("is not available for this company"));
    }
    if printer.disabled {
        return Err(refused("is disabled"));
    }
    Ok(printer)
}

/// Handles `labels/groupConsignmentsForPrinting`: returns the printers of the consignments' companies, and
/// which consignments can be printed together.
pub(crate) fn group_for_printing(desk: &PracticeService, call: &Call) -> Result<Answer, Failure> {
    let mut groups: Vec<Vec<ConsignmentRecord>> = Vec::new();
    for id in call.consignment_ids()? {
        let tracked = desk.visible(call, "consignmentIds", id?)?;
        let key = |tracked: &ConsignmentRecord| {
            let consignment = &tracked.consignment;
            (consignment.company_id, consignment.carrier_id)
        };
        let own = Some(key(&tracked));
        match groups
            .iter_mut()
            .find(|group| group.first().map(key) == own)
        {
            Some(group) => group.push(tracked),
            None => groups.push(vec![tracked]),
        }
    }
    let company_of =
        |group: &Vec<ConsignmentRecord>| group.first().map(|first| first.consignment.company_id);
    let mut companies: Vec<i64> = groups.iter().filter_map(company_of).collect();
    companies.sort_unstable();
    companies.dedup();
    // Each company has its own printers, so consignments of several companies have no default printer.
    let one = <[i64; 1]>::try_from(companies.as_slice()).ok();
    let printing = &desk.catalogue.printing;
    let item = one.and_then(|[company]| printing.item_printer(company));
    let a4 = one.and_then(|[company]| printing.a4_printer(company));
    Ok(Answer::Object(json!({
        "printers": printers(desk, &companies),
        "defaultItemPrinter": item.map(printer_record), "defaultA4Printer": a4.map(printer_record),
        "groups": groups.iter().filter_map(|group| group_record(desk, group)).collect::<Vec<_>>(),
    })))
}

fn printers(desk: &PracticeService, companies: &[i64]) -> Value {
    let all = desk.catalogue.printing.printers.iter();
    all.filter(|printer| companies.contains(&printer.company_id))
        .map(printer_record)
        .collect()
}

fn printer_record(printer: &Printer) -> Value {
    json!({
        "id": printer.id, "name": printer.name, "description": printer.description, "companyId": printer.company_id,
        "disabled": printer.disabled, "status": printer.status,
    })
}

fn group_record(desk: &PracticeService, group: &[ConsignmentRecord]) -> Option<Value> {
    let first = &group.first()?.consignment;
    let company = desk.catalogue.company(first.company_id)?;
    let international = group
        .iter()
        .any(|tracked| tracked.consignment.job.international);
    Some(json!({
        "consignmentIds": group.iter().map(|tracked| tracked.consignment.id).collect::<Vec<_>>(),
        "company": { "id": company.id, "name": company.name },
        "carrier": desk.catalogue.carrier(first.carrier_id).map(carrier_record),
        "isDg": group.iter().any(|tracked| tracked.consignment.job.holds_dangerous_goods()),
        "canPrintItemLabels": true, "canPrintConsignments": true,
        "canPrintManifests": group.iter().all(|tracked| tracked.manifest_id.is_some()),
        "canPrintCommercialInvoice": international, "hasCommercialInvoice": false,
        "printers": printers(desk, &[company.id]),
    }))
}

impl PracticeService {
    /// Stores the print jobs that the printing rules define for this token. An unknown token prints nothing.
    pub(super) fn print_by_rules(
        &self,
        user: &User,
        token: &str,
        tracked: &ConsignmentRecord,
    ) -> Result<(), Failure> {
        let consignment = &tracked.consignment;
        let sender = consignment.job.from.company_location_id;
        let mut saved = self.catalogue.locations.iter();
        let sender = saved.find(|location| Some(location.id) == sender);
        let rules = self.catalogue.printing.rules.iter().filter(|rule| {
            rule.is_for(consignment.company_id, token)
                && rule.from.as_ref().is_none_or(|from| {
                    sender.is_some_and(|sender| sender.abbreviation.eq_ignore_ascii_case(from))
                })
                && (!rule.dangerous_goods_only || consignment.job.holds_dangerous_goods())
        });
        let jobs: Vec<PrintJob> = rules
            .map(|rule| PrintJob {
                at: self.clock.now(),
                company_id: consignment.company_id,
                consignment_ids: vec![consignment.id],
                label_type: rule.label_type,
                printer_id: rule.printer_id,
                print_a4: rule.print_a4,
                by: user.name.clone(),
                rule: Some(rule.name.clone()),
            })
            .collect();
        Ok(self.store().insert_print_jobs(&jobs)?)
    }
}

/// Handles `practice/printJobs`, which exists in the practice service only: lists what the printers would
/// have printed, newest first.
pub(crate) fn print_jobs(desk: &PracticeService, call: &Call) -> Result<Answer, Failure> {
    let companies = rules::company_and_descendants(&desk.catalogue, call.user.company_id);
    let jobs = desk.store().print_jobs(&companies, SHOWN)?;
    let record = |(id, job): &(i64, PrintJob)| {
        let printer = desk.catalogue.printing.printer(job.printer_id);
        json!({
            "id": id, "dateUtc": utc_text(job.at), "companyId": job.company_id, "consignmentIds": job.consignment_ids,
            "labelType": job.label_type, "labelTypeName": label_name(job.label_type), "printerId": job.printer_id,
            "printerName": printer.map(|printer| &printer.name), "printA4": job.print_a4, "createdByName": job.by,
            "printingRule": job.rule,
        })
    };
    Ok(Answer::Object(jobs.iter().map(record).collect()))
}
