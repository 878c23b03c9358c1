//! Fetches a page in a task of its own, so that the next page can be requested while this one is parsed.
//!
//! Invariant: the next page is requested only after this one has been received completely. Otherwise a row
//! that moves between the two pages could be on neither. If this page had to be fetched again, the page that
//! was requested after the first try is discarded.

use tokio::sync::watch;
use tokio::task::JoinSet;

use super::{ListPages, ListSource};
use crate::{Client, Failure};
use shipping::{Consignment, Page};

/// The page that starts at `start`. Dropping this stops the fetch.
#[derive(Debug)]
pub(super) struct PageFetch {
    pub(super) start: usize,
    /// How many times the page was received: more than once if an answer could not be used.
    times_received: watch::Receiver<u32>,
    task: JoinSet<Result<Page<Consignment>, Failure>>,
}

impl ListPages {
    /// Starts to fetch the page that begins at `start`.
    pub(super) fn start_fetch(&self, start: usize) -> PageFetch {
        let (tell, came) = watch::channel(0);
        let (client, source) = (self.client.clone(), self.source);
        let mut task = JoinSet::new();
        task.spawn(async move {
            let arrived = || tell.send_modify(|times| *times += 1);
            source.page(&client, start, arrived).await
        });
        PageFetch {
            start,
            times_received: came,
            task,
        }
    }
}

impl PageFetch {
    /// Waits until the page has been received completely, or until the fetch has failed.
    pub(super) async fn wait_until_received(&mut self) {
        // The sender is dropped when the task ends, which makes `wait_for` return an error.
        let _came_or_ended = self.times_received.wait_for(|times| *times > 0).await;
    }

    /// Waits for the parsed page. The flag is true if the page was received only once.
    pub(super) async fn into_page(mut self) -> Result<(Page<Consignment>, bool), Failure> {
        let read = self.task.join_next().await;
        let page = read.and_then(Result::ok).ok_or(Failure::Broken)??;
        let times = *self.times_received.borrow();
        Ok((page, times == 1))
    }
}

impl ListSource {
    async fn page(
        &self,
        client: &Client,
        start: usize,
        arrived: impl Fn(),
    ) -> Result<Page<Consignment>, Failure> {
        match self {
            Self::Recent(updates) => client.fetch_recent_page(updates, start, arrived).await,
            Self::Unmanifested(company) => {
                client
                    .fetch_unmanifested_page(start, *company, arrived)
                    .await
            }
        }
    }
}
