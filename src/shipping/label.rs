//! The label file of a consignment (`getItemPdfFileInfo`).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::lenient;

/// The paper size of labels from the service; A6 is the service's default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub enum LabelSize {
    /// 105 × 148 mm, one label on each page.
    #[default]
    A6,
    /// 210 × 297 mm (`printA4` is true).
    A4,
}

/// A label file as the service sends it. The service chooses `file_name`, so never use it as a path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LabelFile {
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub file_name: String,
    /// The media type that the service claims.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub content_type: String,
    /// The file in base64.
    #[serde(default, deserialize_with = "lenient::or_default")]
    pub content: String,
}

/// Why a label file cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum LabelFileError {
    #[error("the service sent an empty label file")]
    Empty,
    #[error("the service's label file is damaged")]
    NotBase64,
}

impl LabelFile {
    /// Decodes the file. The renderer checks whether the bytes are a PDF.
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
