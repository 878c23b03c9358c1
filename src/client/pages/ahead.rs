//! A page on its way in a task of its own, so that the next one can be asked for while this one is read.
//!
//! What always holds: the next page is asked for once this one has come whole, never before: a row that moves between the two
//! would be on neither. Where this one had to be fetched again, what was asked for after its first try counts for nothing.

use tokio::sync::watch;
use tokio::task::JoinSet;

use super::{ListPages, Source};
use crate::client::{Client, Failure};
use crate::shipping::{Consignment, Page};

/// The page that starts at `start`; not fetched any more once this is gone.
#[derive(Debug)]
pub(super) struct Ahead {
    pub(super) start: usize,
    /// How often it came: more than once where it could not be read.
    came: watch::Receiver<u32>,
    task: JoinSet<Result<Page<Consignment>, Failure>>,
}

impl ListPages {
    /// Asks for the page that starts there.
    pub(super) fn begin(&self, start: usize) -> Ahead {
        let (tell, came) = watch::channel(0);
        let (client, source) = (self.client.clone(), self.source);
        let mut task = JoinSet::new();
        task.spawn(async move {
            let arrived = || tell.send_modify(|times| *times += 1);
            source.page(&client, start, arrived).await
        });
        Ahead { start, came, task }
    }
}

impl Ahead {
    /// Waits until all of it has come, or will not.
    pub(super) async fn arrived(&mut self) {
        // An error is the end of the task.
        let _came_or_ended = self.came.wait_for(|times| *times > 0).await;
    }

    /// Reads it; true where it came once only.
    pub(super) async fn read(mut self) -> Result<(Page<Consignment>, bool), Failure> {
        let read = self.task.join_next().await;
        let page = read.and_then(Result::ok).ok_or(Failure::Broken)??;
        let times = *self.came.borrow();
        Ok((page, times == 1))
    }
}

impl Source {
    async fn page(
        &self,
        client: &Client,
        start: usize,
        arrived: impl Fn(),
    ) -> Result<Page<Consignment>, Failure> {
        match self {
            Self::Recent(updates) => client.recent_from(updates, start, arrived).await,
            Self::Unmanifested(company) => client.unmanifested_from(start, *company, arrived).await,
        }
    }
}
