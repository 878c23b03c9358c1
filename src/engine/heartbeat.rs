//! The heartbeat: pings an unavailable service regularly while nothing else calls it.
//!
//! The task must not hold the journal's writer, which closes only when its last handle is dropped.

use tokio::sync::mpsc::Sender;

use super::Outcome;
use super::queues::Repaint;
use client::Client;

/// Runs until the window is closed.
pub(super) async fn keep(client: Client, repaint: Repaint, told: Sender<Outcome>) {
    let watch = async {
        loop {
            tokio::time::sleep(client.cooldown()).await;
            if client.check_health().await {
                repaint();
            }
        }
    };
    tokio::select! {
        () = watch => {}
        () = told.closed() => {}
    }
}
