//! The label file of a consignment ("Label file", `getItemPdfFileInfo`).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::lenient;

/// The paper that the service draws labels for; A6 is its default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub enum LabelSize {
    /// 105 × 148 mm, one label a page.
    #[default]
    A6,
    /// 210 × 297 mm (`printA4` true).
    A4,
}

/// A label file as it arrives. `fileName` is the service's word: never used as a path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LabelFile {
    /// The service's name for it.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub file_name: String,
    /// Its media type, as the service says.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub content_type: String,
    /// The file, base64.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub content: String,
}

/// Why a label file cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum LabelFileError {
    /// No content at all.
    #[error("the service sent an empty label file")]
    Empty,
    /// Not base64.
    #[error("the service's label file is not base64")]
    NotBase64,
}

impl LabelFile {
    /// The file's bytes; whether they are a PDF, the renderer finds out.
    pub fn bytes(&self) -> Result<Vec<u8>, LabelFileError> {
        let compact: String = self.content.split_ascii_whitespace().collect();
        if compact.is_empty() {
            return Err(LabelFileError::Empty);
        }
        STANDARD
            .decode(compact)
            .map_err(|_not_base64| LabelFileError::NotBase64)
    }
}
