//! The practice drill: turns the situations that the clerk chooses into faults of the practice service, and
//! shows how often they occurred.
//!
//! Commands go to no service but practice, and over a client of their own, so that a fault on the way to the
//! service never prevents ending it.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::OnceCell;

use super::core::Core;
use super::service::Service;
use crate::client::{Client, Connection, Failure, Fault, RetryAfter, Trouble, TroubleReport};
use crate::state::{Environment, PracticeCommand, PracticeUser, Rehearsed, Situation};
use crate::work::{Fetch, WorkError};

/// How often the counts are fetched while a fault is active.
const LOOK_EVERY: Duration = Duration::from_secs(1);

const CREATES: Option<&str> = Some("/apiv2/consignments/createConsignment*");
const MANIFEST: Option<&str> = Some("/apiv2/manifests/manifest");

/// State of the practice drill.
pub(super) struct Rehearsal {
    /// Connection to the practice service; `None` while another service is open.
    control: Option<Control>,
    /// Commands that are waiting to be sent, in order.
    steps: Vec<PracticeCommand>,
    /// When the counts are fetched again.
    due: Option<Duration>,
}

#[derive(Clone)]
struct Control {
    connection: Connection,
    client: Arc<OnceCell<Client>>,
}

impl Rehearsal {
    pub(super) fn of(service: &Service) -> Self {
        let practising = service.environment == Environment::Practice;
        let connection = service.connection().ok().filter(|_| practising);
        Self {
            control: connection.map(|connection| Control {
                connection,
                client: Arc::default(),
            }),
            steps: vec![PracticeCommand::Look],
            due: None,
        }
    }

    /// Returns when the counts are fetched again.
    pub(super) const fn due(&self) -> Option<Duration> {
        self.due
    }
}

impl Core {
    pub(super) fn run_trouble(&mut self, command: PracticeCommand) {
        match command {
            PracticeCommand::Become(user) => return self.practise_as(user),
            PracticeCommand::Speed(speed) => {
                self.setup.practice.speed = speed;
                self.shared.practice.speed = speed;
            }
            _ => {}
        }
        self.rehearsal.steps.push(command);
    }

    /// Opens the practice service again with another user's token.
    fn practise_as(&mut self, user: PracticeUser) {
        if self.setup.practice.user != user && self.may_leave("You still work as before") {
            self.setup.practice.user = user;
            self.leaving = true;
        }
    }

    /// Handles the practice service's answer, sends the waiting commands, and fetches the counts regularly
    /// while a fault is active.
    pub(super) fn rehearse(&mut self, at: Duration) {
        if self.shared.troubles.poll() {
            let on = self.shared.troubles_on().next().is_some();
            self.rehearsal.due = on.then_some(at + LOOK_EVERY);
        }
        if self.shared.troubles.is_loading() {
            return;
        }
        if self.rehearsal.due.is_some_and(|due| due <= at) {
            self.rehearsal.due = None;
            self.rehearsal.steps.push(PracticeCommand::Look);
        }
        let steps = std::mem::take(&mut self.rehearsal.steps);
        if steps.is_empty() {
            return;
        }
        if let Some(control) = self.rehearsal.control.clone() {
            let told = self.told(control, steps);
            self.shared.troubles.start(told);
        }
    }

    fn told(&self, control: Control, steps: Vec<PracticeCommand>) -> Fetch<Vec<Rehearsed>> {
        self.setup.errands.run(|| async move {
            let Control { connection, client } = control;
            let made = async || Client::new(&connection);
            let client = client.get_or_try_init(made).await;
            let client = client.map_err(|_unusable| WorkError::Internal)?;
            for step in steps {
                take(client, step).await?;
            }
            Ok(rehearsed(&client.troubles().await?))
        })
    }
}

/// Runs one command. Faults of the same name are cleared first, so that each situation exists only once.
async fn take(client: &Client, step: PracticeCommand) -> Result<(), Failure> {
    let (situation, again) = match step {
        PracticeCommand::Look | PracticeCommand::Become(_) => return Ok(()),
        PracticeCommand::Speed(speed) => return client.set_carrier_speed(speed.factor()).await,
        PracticeCommand::DeliverAll => return client.deliver_all().await,
        PracticeCommand::AllWell => return client.clear_troubles().await,
        PracticeCommand::Call(situation) => (situation, true),
        PracticeCommand::End(situation) => (situation, false),
    };
    let set = client.troubles().await?;
    for report in set.iter().filter(|report| is_of(report, situation)) {
        client.clear_trouble(report.id).await?;
    }
    if again {
        client.set_trouble(&trouble(situation)).await?;
    }
    Ok(())
}

fn is_of(report: &TroubleReport, situation: Situation) -> bool {
    report.name.as_deref() == Some(situation.name())
}

/// Returns the state of each situation that was started.
fn rehearsed(reports: &[TroubleReport]) -> Vec<Rehearsed> {
    let of = |situation| {
        let mut own = reports.iter().filter(|report| is_of(report, situation));
        own.next().map(|report| Rehearsed {
            situation,
            on: !report.over,
            struck: report.struck,
        })
    };
    Situation::ALL.into_iter().filter_map(of).collect()
}

/// Returns the fault that the practice service has to set for a situation.
fn trouble(situation: Situation) -> Trouble {
    let (operation, fault) = match situation {
        Situation::SendLost => (CREATES, Fault::FailAfter),
        // Longer than the client's time limit for a write, which is a minute.
        Situation::SendLate => (CREATES, Fault::CommitLate { ms: 70_000 }),
        Situation::BookingLost => (MANIFEST, Fault::FailAfter),
        // Long enough for the status line, the headers and the beginning of the body.
        Situation::BookingHalf => (MANIFEST, Fault::Cut { at: 240 }),
        Situation::Away => (None, Fault::FailBefore),
        Situation::Slow => (None, Fault::DelayAfter { ms: 4_000 }),
        Situation::Busy => {
            let retry_after = RetryAfter { seconds: 20 };
            (None, Fault::TooMany { retry_after })
        }
        Situation::Lag => (None, Fault::LookupLag { ms: 60_000 }),
        Situation::Token => (None, Fault::Unauthorised),
        Situation::SignIn => (None, Fault::Html),
        Situation::Garbled => (None, Fault::Garble),
    };
    Trouble {
        name: situation.name(),
        operation,
        times: situation.is_once().then_some(1),
        fault,
    }
}
