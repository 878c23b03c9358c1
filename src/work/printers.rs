//! How the printers are: the print service's queues, and printers that speak IPP themselves, all asked at once.

use std::collections::HashMap;

use tokio::task::JoinSet;

use super::remote::Fetch;
use super::{Reads, WorkError};
use crate::printing::profile::{Destination, PrinterProfile};
use crate::printing::queue::QueueInfo;
use crate::printing::service::ServiceError;

/// What answered, and what did not.
#[derive(Debug)]
pub struct SeenPrinters {
    /// The queues of the print service.
    pub queues: Result<Vec<QueueInfo>, ServiceError>,
    /// Printers that are set up by their own address.
    pub direct: HashMap<String, Result<QueueInfo, ServiceError>>,
}

impl Reads {
    /// The queues of this computer and the printers of these profiles, turned into what is shown. Fails only where there
    /// is nothing but the print service to ask, and that does not answer.
    pub fn printers<T: Send + 'static>(
        &self,
        profiles: Vec<PrinterProfile>,
        show: impl FnOnce(SeenPrinters) -> T + Send + 'static,
    ) -> Fetch<T> {
        self.job(move |bench| async move {
            let mut asking = JoinSet::new();
            for profile in profiles {
                if let Destination::Ipp(address) = profile.destination {
                    let service = bench.print_service.clone();
                    asking.spawn(async move {
                        let printer = service.printer(&address).await;
                        (address, printer)
                    });
                }
            }
            let queues = bench.print_service.queues().await;
            let mut direct = HashMap::new();
            while let Some(answered) = asking.join_next().await {
                let (address, printer) = answered.map_err(|_panicked| WorkError::Internal)?;
                direct.insert(address, printer);
            }
            match queues {
                Err(error) if direct.is_empty() => Err(error.into()),
                queues => Ok(show(SeenPrinters { queues, direct })),
            }
        })
    }
}
