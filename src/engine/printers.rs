//! The state of the printers: queues of the print service and printers with their own IPP address, all asked
//! at the same time.

use std::collections::HashMap;

use tokio::task::JoinSet;

use super::remote::Fetch;
use super::{EngineError, Reads};
use printing::profile::{Destination, PrinterProfile};
use printing::queue::QueueInfo;
use printing::service::ServiceError;

#[derive(Debug)]
pub struct PrinterStates {
    pub queues: Result<Vec<QueueInfo>, ServiceError>,
    /// The printers that are set up by address, by that address.
    pub direct: HashMap<String, Result<QueueInfo, ServiceError>>,
}

impl Reads {
    /// Fetches the computer's queues and the printers of these profiles, converted by `show`. Fails only if
    /// the print service fails and there is no printer with an own address.
    pub fn printers<T: Send + 'static>(
        &self,
        profiles: Vec<PrinterProfile>,
        show: impl FnOnce(PrinterStates) -> T + Send + 'static,
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
                let (address, printer) = answered.map_err(|_panicked| EngineError::Internal)?;
                direct.insert(address, printer);
            }
            match queues {
                Err(error) if direct.is_empty() => Err(error.into()),
                queues => Ok(show(PrinterStates { queues, direct })),
            }
        })
    }
}
