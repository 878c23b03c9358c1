//! Looks after the service while nobody calls it: one that is away is asked now and then whether it is back.
//!
//! What it must not hold: the journal's writer, which closes when the last lane ends.

use tokio::sync::mpsc::Sender;

use super::Outcome;
use super::lanes::Repaint;
use crate::client::Client;

/// Until nobody takes outcomes any more.
pub(super) async fn keep(client: Client, repaint: Repaint, told: Sender<Outcome>) {
    let watch = async {
        loop {
            tokio::time::sleep(client.rest()).await;
            if client.look_after().await {
                repaint();
            }
        }
    };
    tokio::select! {
        () = watch => {}
        () = told.closed() => {}
    }
}
