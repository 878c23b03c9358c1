//! The errors of the workgroup's database, as a clerk or an administrator reads them.

use thiserror::Error;
use tokio_postgres::error::SqlState;

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum WorkgroupError {
    #[error("the workgroup's database can't be reached")]
    Unreachable,
    #[error("the workgroup's database doesn't answer")]
    Late,
    #[error("the workgroup's database refuses the user or the password")]
    Refused,
    #[error("the workgroup's database doesn't exist on its server")]
    NoDatabase,
    #[error("the workgroup's database has no free connection")]
    TooManyConnections,
    #[error(
        "the server of the workgroup's database has no encrypted connection with a trusted certificate"
    )]
    NotEncrypted,
    /// The file for the company's own certificate authority contains no PEM certificate.
    #[error("the file of the company's certificate authority contains no certificate")]
    Authority,
    /// A newer version of Packbench changed the tables.
    #[error("the workgroup's database was changed by a newer version of Packbench")]
    Newer,
    #[error("the workgroup's database isn't set up yet, and this user may not do it")]
    NotSetUp,
    /// Any other failure, with the server's code.
    #[error("the workgroup's database has failed ({0})")]
    Failed(String),
}

impl From<tokio_postgres::Error> for WorkgroupError {
    fn from(error: tokio_postgres::Error) -> Self {
        let Some(code) = error.code() else {
            return without_code(&error);
        };
        match code.code() {
            _ if *code == SqlState::INVALID_PASSWORD
                || *code == SqlState::INVALID_AUTHORIZATION_SPECIFICATION =>
            {
                Self::Refused
            }
            _ if *code == SqlState::INVALID_CATALOG_NAME => Self::NoDatabase,
            _ if *code == SqlState::TOO_MANY_CONNECTIONS => Self::TooManyConnections,
            _ if *code == SqlState::INSUFFICIENT_PRIVILEGE => Self::NotSetUp,
            // The server is being stopped, or starts.
            code if code.starts_with("57P") || code.starts_with("08") => Self::Unreachable,
            code => Self::Failed(code.to_owned()),
        }
    }
}

/// Returns the error of a call that the server did not answer. The library tells its kind only in its text.
fn without_code(error: &tokio_postgres::Error) -> WorkgroupError {
    match error.to_string().as_str() {
        "error performing TLS handshake" => WorkgroupError::NotEncrypted,
        // The server asks for a password, and there is none.
        "invalid configuration" | "authentication error" => WorkgroupError::Refused,
        "error connecting to server"
        | "error communicating with the server"
        | "connection closed"
        | "timeout waiting for server" => WorkgroupError::Unreachable,
        other => WorkgroupError::Failed(other.to_owned()),
    }
}
