//! The id of the practice integration, which is created at the first start and never changes.

use super::{Store, StoreError};

impl Store {
    pub(crate) fn integration_id(&self) -> Result<String, StoreError> {
        let read = |row: &rusqlite::Row<'_>| row.get(0);
        Ok(self
            .connection
            .query_row("SELECT id FROM integration", [], read)?)
    }
}
