//! The bench's key: a unique reference on a consignment, by which a create with a lost answer is found.

use super::{EngineContext, Payload};
use client::Failure;
use shipping::{BenchKeyField, Consignment};
use storage::Operation;

impl EngineContext {
    /// Puts a new key into the reference that the connection reserves for keys, if the clerk left that empty.
    /// Returns the reference by which the consignment can be found: the key, otherwise a typed reference,
    /// otherwise an empty text.
    pub(super) fn give_key(
        &self,
        first: &mut Option<String>,
        second: &mut Option<String>,
    ) -> String {
        let place = match self.client.compatibility().key {
            BenchKeyField::SecondReference => Some(&mut *second),
            BenchKeyField::FirstReference => Some(&mut *first),
            BenchKeyField::Nowhere => None,
        };
        if let Some(empty @ None) = place {
            let key = self.new_key();
            *empty = Some(key.clone());
            return key;
        }
        let typed = second.as_ref().or(first.as_ref());
        typed.cloned().unwrap_or_default()
    }

    /// Fetches the consignments that carry the keys of these creates.
    pub(super) async fn with_keys(
        &self,
        operations: &[Operation],
    ) -> Result<Vec<Consignment>, Failure> {
        let (mut first, mut second) = (Vec::new(), Vec::new());
        for operation in operations.iter().filter(|one| !one.key.is_empty()) {
            // Use the place that the request used: the setting may have changed since.
            let place = if is_first_reference(operation) {
                &mut first
            } else {
                &mut second
            };
            place.push(operation.key.clone());
        }
        let mut found = self.client.consignments_by_reference2(&second).await?;
        found.extend(self.client.consignments_by_reference1(&first).await?);
        Ok(found)
    }
}

fn is_first_reference(operation: &Operation) -> bool {
    let Some(Payload::Create(request)) = operation.payload() else {
        return false;
    };
    request.customer_reference.as_ref() == Some(&operation.key)
}

/// Returns true if the consignment carries the operation's key. Also true without a key: the caller then
/// compares other fields.
pub(super) fn may_carry(consignment: &Consignment, key: &str) -> bool {
    let references = [
        &consignment.customer_reference2,
        &consignment.customer_reference,
    ];
    key.is_empty() || references.iter().any(|one| one.as_deref() == Some(key))
}
