//! Label files (PDFs with one page for each piece) and the service's own printers: lists them, accepts print jobs
//! and applies printing rules.
//!
//! Nothing is really printed. The jobs are stored, and `/practice/printJobs`, which exists in the practice
//! service only, lists them.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::Call;
use crate::catalogue::{PrintRule, Printer, catalogue};
use crate::consignment::{ConsignmentRecord, Job};
use crate::label::{self, Paper};
use crate::rules;
use crate::store::PrintJob;
use crate::wire::{
    Answer, Failure, PrintRequest, Refusal, Refusals, Reply, carrier_record, utc_text,
};

/// Label types that do not exist for every consignment.
const MANIFEST: i64 = 1;
const DANGEROUS_GOODS: i64 = 5;
const GENERATED_INVOICE: i64 = 7;
const UPLOADED_INVOICE: i64 = 8;
/// How many print jobs `/practice/printJobs` lists.
const SHOWN: i64 = 200;

pub(crate) fn item_labels(call: &Call<'_>) -> Reply {
    let field = "consignmentId";
    let record = call.visible(field, call.required_number(field)?)?;
    let is_a4 = call.query_flag("printA4")?;
    let paper = if is_a4 { &Paper::A4 } else { &Paper::A6 };
    let pdf = label::pdf(&record.consignment, paper).map_err(Failure::broken)?;
    Ok(json!({
        "fileName": format!("{}-{}.pdf", record.consignment.number(), paper.name),
        "contentType": "application/pdf",
        "content": STANDARD.encode(pdf),
    })
    .into())
}

/// Handles `labels/sendLabelsToPrinter`. Either all jobs are accepted or none.
pub(crate) fn send_labels(call: &Call<'_>) -> Reply {
    let field = "consignmentIds";
    let orders: Vec<PrintRequest> = call.records()?;
    if orders.is_empty() || orders.iter().any(|order| order.consignment_ids.is_empty()) {
        return Err(Refusal::new(field, "ConsignmentIds are required").into());
    }
    let mut refusals = Refusals::default();
    let mut jobs = Vec::with_capacity(orders.len());
    for order in &orders {
        let records = call.all_visible(field, &order.consignment_ids)?;
        let label_type = refusals.keep(label_type(order, &records));
        let printer = refusals.keep(printer(order, &records));
        if let (Some(label_type), Some(printer)) = (label_type, printer) {
            jobs.push(PrintJob {
                at: call.now(),
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
    call.store().insert_print_jobs(&jobs)?;
    Ok(Answer::Done)
}

/// Returns the label type, after checking that it exists for every consignment.
fn label_type(order: &PrintRequest, records: &[ConsignmentRecord]) -> Result<i64, Refusal> {
    let refused = |message: String| Refusal::new("labelType", message);
    let missing = || refused("labelType is required".to_owned());
    let label_type = order.label_type.ok_or_else(missing)?;
    if !catalogue().values.label_types.contains_key(&label_type) {
        return Err(refused(format!("Label type {label_type} is not known")));
    }
    for record in records {
        let job = &record.consignment.job;
        let lack = match label_type {
            MANIFEST if record.manifest_id.is_none() => "is not manifested",
            DANGEROUS_GOODS if !job.holds_dangerous_goods() => "holds no dangerous goods",
            GENERATED_INVOICE if !job.international => "is not international",
            UPLOADED_INVOICE => "has no uploaded commercial invoice",
            _ => continue,
        };
        return Err(refused(format!(
            "Consignment {} {lack}",
            record.consignment.id
        )));
    }
    Ok(label_type)
}

fn printer(
    order: &PrintRequest,
    records: &[ConsignmentRecord],
) -> Result<&'static Printer, Refusal> {
    let field = "printerId";
    let missing = || Refusal::new(field, "printerId is required");
    let id = order.printer_id.ok_or_else(missing)?;
    let refused = |reason: &str| Refusal::new(field, format!("Printer {id} {reason}"));
    let printer = catalogue().printer(id);
    let printer = printer.ok_or_else(|| refused("is not known"))?;
    let is_other = |of: &ConsignmentRecord| of.consignment.company_id != printer.company_id;
    if records.iter().any(is_other) {
        return Err(refused("is not available for this company"));
    }
    if printer.disabled {
        return Err(refused("is disabled"));
    }
    Ok(printer)
}

/// Handles `labels/groupConsignmentsForPrinting`: returns the printers of the consignments' companies, and
/// which consignments can be printed together.
pub(crate) fn group_for_printing(call: &Call<'_>) -> Reply {
    let mut groups: Vec<((i64, i64), Vec<ConsignmentRecord>)> = Vec::new();
    for id in call.consignment_ids()? {
        let record = call.visible("consignmentIds", id)?;
        let key = (record.consignment.company_id, record.consignment.carrier_id);
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, members)) => members.push(record),
            None => groups.push((key, vec![record])),
        }
    }
    let mut companies: Vec<i64> = groups.iter().map(|((company, _), _)| *company).collect();
    companies.sort_unstable();
    companies.dedup();
    // Each company has its own printers, so consignments of several companies have no default printer.
    let one = match companies.as_slice() {
        [company] => catalogue().company(*company),
        _ => None,
    };
    let item = one.and_then(|company| catalogue().printer(company.item_printer_id));
    let a4 = one.and_then(|company| catalogue().printer(company.a4_printer_id));
    let records = groups.iter();
    let records = records
        .filter_map(|((company, carrier), members)| group_record(*company, *carrier, members));
    Ok(json!({
        "printers": printers(&companies), "defaultItemPrinter": item, "defaultA4Printer": a4,
        "groups": records.collect::<Vec<_>>(),
    })
    .into())
}

fn printers(companies: &[i64]) -> Vec<&'static Printer> {
    let all = catalogue().printers.iter();
    all.filter(|printer| companies.contains(&printer.company_id))
        .collect()
}

fn group_record(company: i64, carrier: i64, members: &[ConsignmentRecord]) -> Option<Value> {
    let company = catalogue().company(company)?;
    let jobs = members.iter().map(|record| &record.consignment.job);
    Some(json!({
        "consignmentIds": members.iter().map(|record| record.consignment.id).collect::<Vec<_>>(),
        "company": { "id": company.id, "name": company.name },
        "carrier": catalogue().carrier(carrier).map(carrier_record),
        "isDg": jobs.clone().any(Job::holds_dangerous_goods),
        "canPrintItemLabels": true, "canPrintConsignments": true,
        "canPrintManifests": members.iter().all(|record| record.manifest_id.is_some()),
        "canPrintCommercialInvoice": jobs.clone().any(|job| job.international), "hasCommercialInvoice": false,
        "printers": printers(&[company.id]),
    }))
}

/// Stores the print jobs that the printing rules define for this token. An unknown token prints nothing.
pub(super) fn print_by_rules(
    call: &Call<'_>,
    token: &str,
    record: &ConsignmentRecord,
) -> Result<(), Failure> {
    let consignment = &record.consignment;
    let job = &consignment.job;
    let sender = job.from.company_location_id;
    let sender = sender.and_then(|id| catalogue().location(id));
    let is_from = |abbreviation: &String| {
        sender.is_some_and(|sender| sender.abbreviation.eq_ignore_ascii_case(abbreviation))
    };
    let applies = |rule: &&PrintRule| {
        rule.company_id == consignment.company_id
            && rule.token.eq_ignore_ascii_case(token.trim())
            && rule.from.as_ref().is_none_or(is_from)
            && (!rule.dangerous_goods_only || job.holds_dangerous_goods())
    };
    let rules = catalogue().print_rules.iter().filter(applies);
    let jobs = rules.map(|rule| PrintJob {
        at: call.now(),
        company_id: consignment.company_id,
        consignment_ids: vec![consignment.id],
        label_type: rule.label_type,
        printer_id: rule.printer_id,
        print_a4: rule.print_a4,
        by: call.user.name.clone(),
        rule: Some(rule.name.clone()),
    });
    Ok(call.store().insert_print_jobs(&jobs.collect::<Vec<_>>())?)
}

/// Handles `practice/printJobs`, which exists in the practice service only: lists what the printers would
/// have printed, newest first.
pub(crate) fn print_jobs(call: &Call<'_>) -> Reply {
    let companies = rules::company_and_descendants(call.user.company_id);
    let jobs = call.store().print_jobs(&companies, SHOWN)?;
    let jobs = jobs.iter().map(|(id, job)| {
        let printer = catalogue().printer(job.printer_id);
        json!({
            "id": id, "dateUtc": utc_text(job.at), "companyId": job.company_id, "consignmentIds": job.consignment_ids,
            "labelType": job.label_type, "labelTypeName": catalogue().values.label_types.get(&job.label_type),
            "printerId": job.printer_id, "printerName": printer.map(|printer| &printer.name), "printA4": job.print_a4,
            "createdByName": job.by, "printingRule": job.rule,
        })
    });
    Ok(jobs.collect::<Value>().into())
}
