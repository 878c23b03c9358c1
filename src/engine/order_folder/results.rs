//! The outbox folder: a line for each order from the watched folder that became a consignment.
//!
//! The journal says which results belong into which file. A file is written whole under another name and then renamed. After
//! a crash it is written again, with the same name and the same results.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::save::write_file;
use crate::{EngineContext, EngineError, Fetch, Reads, blocking};
use shipping::{Consignment, ConsignmentId, Dollars, LabelSize, TrackingBases};
use storage::{Journal, OrderResult, ResultFile};

/// The most results in one file.
const MOST_RESULTS: u32 = 500;

/// The folder below the outbox folder for label files.
const LABELS: &str = "labels";

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ResultFormat {
    #[default]
    Csv,
    Json,
}

/// Where and how results are written.
#[derive(Debug, Clone, PartialEq)]
pub struct Outbox {
    pub folder: PathBuf,
    pub format: ResultFormat,
    /// The size of the label files that are saved beside the results; `None` saves none.
    pub labels: Option<LabelSize>,
    pub tracking: TrackingBases,
}

/// How many results are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WrittenResults {
    pub written: u32,
    pub due: u32,
}

/// A line of a result file.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ResultLine {
    order_reference: String,
    consignment_number: String,
    carrier: String,
    carrier_number: String,
    price: Option<Dollars>,
    tracking_address: String,
    /// Absolute path; empty without a label file.
    label_file: String,
    created: Timestamp,
}

impl Reads {
    /// Writes the results that are due. `created` has the consignments that the window knows; others are fetched. Without
    /// an outbox folder, the results that are due are forgotten.
    pub fn write_order_results(
        &self,
        outbox: Option<Outbox>,
        created: HashMap<ConsignmentId, Consignment>,
    ) -> Fetch<WrittenResults> {
        self.local(move |bench| async move {
            let Some(outbox) = outbox else {
                bench.journal(Journal::forget_order_results).await?;
                return Ok(WrittenResults::default());
            };
            loop {
                let now = bench.now();
                let due = bench.journal(move |journal| journal.due_result_file(MOST_RESULTS, now));
                let Some(file) = due.await? else { break };
                bench.write_result_file(&outbox, &file, &created).await?;
                let number = file.number;
                bench
                    .journal(move |journal| journal.result_file_written(number))
                    .await?;
            }
            let counts = bench.journal(|journal| journal.order_result_counts());
            let (written, due) = counts.await?;
            Ok(WrittenResults { written, due })
        })
    }
}

impl EngineContext {
    async fn write_result_file(
        &self,
        outbox: &Outbox,
        file: &ResultFile,
        created: &HashMap<ConsignmentId, Consignment>,
    ) -> Result<(), EngineError> {
        let ids = file.results.iter().map(|result| result.consignment);
        let unknown: Vec<_> = ids.filter(|id| !created.contains_key(id)).collect();
        let mut fetched = HashMap::new();
        if !unknown.is_empty() {
            let all = self.client.consignments(&unknown).await?;
            fetched.extend(all.into_iter().map(|one| (one.id, one)));
        }
        let mut lines = Vec::new();
        for result in &file.results {
            let id = result.consignment;
            let label = self.save_label_for(outbox, id).await?;
            let consignment = created.get(&id).or_else(|| fetched.get(&id));
            lines.push(line(result, consignment, label, &outbox.tracking));
        }
        let (format, folder) = (outbox.format, outbox.folder.clone());
        let name = self.result_file_name(file, format);
        blocking(move || {
            fs::create_dir_all(&folder)?;
            Ok::<_, EngineError>(write_file(
                &folder.join(name),
                true,
                &bytes(&lines, format)?,
            )?)
        })
        .await
    }

    /// Returns the name of a result file, which is the same each time that the file is written.
    fn result_file_name(&self, file: &ResultFile, format: ResultFormat) -> String {
        let ending = match format {
            ResultFormat::Csv => "csv",
            ResultFormat::Json => "json",
        };
        let time = file.at.strftime("%Y%m%d-%H%M%S");
        format!("results-{time}-{}-{}.{ending}", self.name, file.number)
    }

    /// Saves the label of a consignment in the outbox folder. Returns its path; empty text if the service has no label.
    async fn save_label_for(
        &self,
        outbox: &Outbox,
        id: ConsignmentId,
    ) -> Result<String, EngineError> {
        let Some(size) = outbox.labels else {
            return Ok(String::new());
        };
        let label = match self.label_file(id, size).await {
            Ok(label) => label.pdf,
            Err(error) if error.affects_all_labels() => return Err(error),
            Err(error) => {
                tracing::warn!(%error, "a result has no label file");
                return Ok(String::new());
            }
        };
        let folder = outbox.folder.join(LABELS);
        let path = folder.join(format!("MS{id}.pdf"));
        let saved = path.clone();
        blocking(move || save(&folder, &saved, &label)).await?;
        Ok(path.display().to_string())
    }
}

fn save(folder: &Path, path: &Path, bytes: &[u8]) -> Result<(), EngineError> {
    fs::create_dir_all(folder)?;
    Ok(write_file(path, true, bytes)?)
}

fn line(
    result: &OrderResult,
    consignment: Option<&Consignment>,
    label_file: String,
    tracking: &TrackingBases,
) -> ResultLine {
    let token = consignment.and_then(|one| one.tracking_page_access_token.as_deref());
    let design = tracking.default_design();
    let address = token.and_then(|token| tracking.browser_url(design, token).ok());
    ResultLine {
        order_reference: result.reference.clone(),
        consignment_number: consignment.map_or_else(
            || format!("MS{}", result.consignment),
            |one| one.consignment_number.clone(),
        ),
        carrier: consignment.map_or_else(String::new, |one| one.carrier_name().to_owned()),
        carrier_number: consignment
            .and_then(|one| one.carrier_consignment_id.clone())
            .unwrap_or_default(),
        price: consignment.and_then(|one| one.consignment_total.total_sell_price),
        tracking_address: address.unwrap_or_default(),
        label_file,
        created: result.at,
    }
}

fn bytes(lines: &[ResultLine], format: ResultFormat) -> Result<Vec<u8>, EngineError> {
    let unwritable = |_error| EngineError::Internal;
    match format {
        ResultFormat::Csv => {
            let mut file = csv::Writer::from_writer(Vec::new());
            for line in lines {
                file.serialize(line)
                    .map_err(|_error| EngineError::Internal)?;
            }
            file.into_inner().map_err(|_error| EngineError::Internal)
        }
        ResultFormat::Json => {
            let lines: Result<Vec<_>, _> = lines.iter().map(serde_json::to_string).collect();
            Ok(format!("[\n{}\n]\n", lines.map_err(unwritable)?.join(",\n")).into_bytes())
        }
    }
}
