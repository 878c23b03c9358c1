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
use crate::state::{Drill, DrillStatus, Environment, PracticeCommand, PracticeUser};
use client::{Client, Connection, Failure, Fault, FaultReport, InjectedFault, RetryAfter};
use engine::{EngineError, Fetch};

/// How often the counts are fetched while a fault is active.
const LOOK_EVERY: Duration = Duration::from_secs(1);

const CREATES: Option<&str> = Some("/apiv2/consignments/createConsignment*");
const MANIFEST: Option<&str> = Some("/apiv2/manifests/manifest");

/// State of the practice drill.
pub(super) struct PracticeDrill {
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

impl PracticeDrill {
    pub(super) fn new(service: &Service) -> Self {
        let practising = service.environment == Environment::Practice;
        let connection = service.connection().ok().filter(|_| practising);
        Self {
            control: connection.map(|connection| Control {
                connection,
                client: Arc::default(),
            }),
            steps: vec![PracticeCommand::Refresh],
            due: None,
        }
    }

    /// Returns when the counts are fetched again.
    pub(super) const fn next_due(&self) -> Option<Duration> {
        self.due
    }
}

impl Core {
    pub(super) fn run_practice(&mut self, command: PracticeCommand) {
        match command {
            PracticeCommand::SetUser(user) => return self.change_practice_user(user),
            PracticeCommand::Speed(speed) => {
                self.setup.practice.speed = speed;
                self.shared.practice.settings.speed = speed;
            }
            _ => {}
        }
        self.practice.steps.push(command);
    }

    /// Opens the practice service again with another user's token.
    fn change_practice_user(&mut self, user: PracticeUser) {
        if self.setup.practice.user != user && self.can_close_service("The user was not changed") {
            self.setup.practice.user = user;
            self.session.leave_requested = true;
        }
    }

    /// Sends the waiting commands, and fetches the counts regularly while a fault is active.
    pub(super) fn run_practice_drill(&mut self, at: Duration) {
        if self.shared.practice.drills.is_loading() {
            return;
        }
        let is_active = self.shared.practice.active_drills().next().is_some();
        let due = self.practice.due.unwrap_or(at + LOOK_EVERY);
        self.practice.due = is_active.then_some(due);
        if is_active && due <= at {
            self.practice.steps.push(PracticeCommand::Refresh);
        }
        let steps = std::mem::take(&mut self.practice.steps);
        if steps.is_empty() {
            return;
        }
        if let Some(control) = self.practice.control.clone() {
            let told = self.send_practice_commands(control, steps);
            self.practice.due = None;
            self.shared.practice.drills.start(told);
        }
    }

    fn send_practice_commands(
        &self,
        control: Control,
        steps: Vec<PracticeCommand>,
    ) -> Fetch<Vec<DrillStatus>> {
        self.setup.errands.run(|| async move {
            let Control { connection, client } = control;
            let made = async || Client::new(&connection);
            let client = client.get_or_try_init(made).await;
            let client = client.map_err(|_unusable| EngineError::Internal)?;
            for step in steps {
                run_command(client, step).await?;
            }
            Ok(situation_states(&client.faults().await?))
        })
    }
}

/// Runs one command. Faults of the same name are cleared first, so that each situation exists only once.
async fn run_command(client: &Client, step: PracticeCommand) -> Result<(), Failure> {
    let (situation, again) = match step {
        PracticeCommand::Refresh | PracticeCommand::SetUser(_) => return Ok(()),
        PracticeCommand::Speed(speed) => return client.set_carrier_speed(speed.factor()).await,
        PracticeCommand::DeliverAll => return client.deliver_all().await,
        PracticeCommand::EndAll => return client.clear_faults().await,
        PracticeCommand::Start(situation) => (situation, true),
        PracticeCommand::End(situation) => (situation, false),
    };
    let set = client.faults().await?;
    for report in set.iter().filter(|report| is_of(report, situation)) {
        client.clear_fault(report.id).await?;
    }
    if again {
        client.set_fault(&fault_of(situation)).await?;
    }
    Ok(())
}

fn is_of(report: &FaultReport, situation: Drill) -> bool {
    report.name.as_deref() == Some(situation.name())
}

/// Returns the state of each situation that was started.
fn situation_states(reports: &[FaultReport]) -> Vec<DrillStatus> {
    let of = |situation| {
        let mut own = reports.iter().filter(|report| is_of(report, situation));
        own.next().map(|report| DrillStatus {
            drill: situation,
            is_active: !report.over,
            count: report.struck,
        })
    };
    Drill::ALL.into_iter().filter_map(of).collect()
}

/// Returns the fault that the practice service has to set for a situation.
fn fault_of(situation: Drill) -> InjectedFault {
    let (operation, fault) = match situation {
        Drill::SendLost => (CREATES, Fault::FailAfter),
        // Longer than the client's time limit for a write, which is a minute.
        Drill::SendLate => (CREATES, Fault::CommitLate { ms: 70_000 }),
        Drill::BookingLost => (MANIFEST, Fault::FailAfter),
        // Long enough for the status line, the headers and the beginning of the body.
        Drill::BookingHalf => (MANIFEST, Fault::Cut { at: 240 }),
        Drill::Away => (None, Fault::FailBefore),
        Drill::Slow => (None, Fault::DelayAfter { ms: 4_000 }),
        Drill::Busy => {
            let retry_after = RetryAfter { seconds: 20 };
            (None, Fault::TooMany { retry_after })
        }
        Drill::Lag => (None, Fault::LookupLag { ms: 60_000 }),
        Drill::Token => (None, Fault::Unauthorised),
        Drill::SignIn => (None, Fault::Html),
        Drill::Garbled => (None, Fault::Garble),
    };
    InjectedFault {
        name: situation.name(),
        operation,
        times: situation.is_once().then_some(1),
        fault,
    }
}
