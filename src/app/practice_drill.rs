//! The practice service's own controls: its user, the speed of its carriers, and the practice drills, which are
//! faults that a clerk switches on.
//!
//! Commands are sent to the practice service only. They use a separate client, so that a fault in the connection to
//! the service never prevents the clerk from ending that fault.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::OnceCell;

use crate::core::Core;
use crate::service::Service;
use crate::state::{Environment, Remote};
use client::{
    Client, Connection, Failure, Fault, FaultReport, InjectedFault, RetryAfter, Timeouts,
    pause_text,
};
use engine::EngineError;

/// Time between two fetches of the faults' counts while a fault is active.
const LOOK_EVERY: Duration = Duration::from_secs(1);

const CREATES: Option<&str> = Some("/apiv2/consignments/createConsignment*");
const MANIFEST: Option<&str> = Some("/apiv2/manifests/manifest");
const ALL_CALLS: Option<&str> = None;

fn create_limit() -> Duration {
    Timeouts::default().create
}

/// The number of times that a fault occurs.
const ONCE: Option<u32> = Some(1);
const ALWAYS: Option<u32> = None;

/// Defines `Drill` with its fault and its texts: the clerk's name for the drill, and a sentence that says what
/// happens. The practice service lists its faults by these names.
macro_rules! drills {
    ($($drill:ident: $name:literal, $about:expr, $operation:ident, $times:ident, $fault:expr;)+) => {
        /// A fault that a clerk can practise with. Only the practice service can cause it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Drill {
            $($drill),+
        }

        impl Drill {
            /// All drills, in the order in which they are offered.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$drill),+];

            /// Returns the clerk's name for the drill.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$drill => $name),+
                }
            }

            /// Returns a sentence that says what happens.
            pub fn about(self) -> String {
                match self {
                    $(Self::$drill => $about.into()),+
                }
            }

            /// Returns the fault that the practice service must cause for this drill.
            fn fault(self) -> InjectedFault {
                match self {
                    $(Self::$drill => InjectedFault {
                        name: $name,
                        operation: $operation,
                        times: $times,
                        fault: $fault,
                    }),+
                }
            }
        }
    };
}

drills! {
    SendLost: "The answer to the next Send is lost", "The consignment is created, but the answer never arrives",
        CREATES, ONCE, Fault::FailAfter;
    // Ten seconds longer than Packbench waits for the answer to a create request.
    SendLate: "The next Send goes through late",
        format!("Packbench stops waiting after {}, but the consignment is still created", pause_text(create_limit())),
        CREATES, ONCE, Fault::CommitLate { ms: (create_limit().as_secs() + 10) * 1000 };
    BookingLost: "The answer to the next booking is lost", "The carrier is booked, but the answer never arrives",
        MANIFEST, ONCE, Fault::FailAfter;
    // Long enough for the status line, the headers and the beginning of the body.
    BookingHalf: "The answer to the next booking is cut off", "The carrier is booked, but the answer is cut off",
        MANIFEST, ONCE, Fault::Cut { at: 240 };
    Away: "The service can't be reached", "The service doesn't respond, and nothing is done",
        ALL_CALLS, ALWAYS, Fault::FailBefore;
    Slow: "The service answers slowly", "Every answer takes four seconds",
        ALL_CALLS, ALWAYS, Fault::DelayAfter { ms: 4_000 };
    Busy: "The service is too busy", "The service asks you to try again in 20 seconds",
        ALL_CALLS, ALWAYS, Fault::TooMany { retry_after: RetryAfter { seconds: 20 } };
    Lag: "Lists lag behind for a minute", "Changes don't show in lists for 60 seconds",
        ALL_CALLS, ALWAYS, Fault::LookupLag { ms: 60_000 };
    Token: "The token is refused", "Packbench sees a replaced token",
        ALL_CALLS, ALWAYS, Fault::Unauthorised;
    SignIn: "A sign-in page appears instead of answers", "The network asks you to sign in",
        ALL_CALLS, ALWAYS, Fault::Html;
    Garbled: "Answers can't be read", "Everything is carried out, but no answer can be read",
        ALL_CALLS, ALWAYS, Fault::Garble;
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DrillStatus {
    pub drill: Drill,
    /// True while the fault can still occur.
    pub is_active: bool,
    /// How often the fault has occurred.
    pub count: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PracticeSettings {
    /// The user whose permissions apply.
    pub user: PracticeUser,
    pub speed: CarrierSpeed,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PracticeUser {
    #[default]
    Clerk,
    Viewer,
    Supervisor,
}

impl PracticeUser {
    /// All users, in the order in which they are offered.
    pub const ALL: [Self; 3] = [Self::Clerk, Self::Viewer, Self::Supervisor];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Clerk => "Clerk",
            Self::Viewer => "Viewer",
            Self::Supervisor => "Supervisor",
        }
    }

    /// Returns the permissions of the user in a few words.
    pub const fn about(self) -> &'static str {
        match self {
            Self::Clerk => "Can send, print and book",
            Self::Viewer => "Can view everything but change nothing",
            Self::Supervisor => "Can also cancel manifested consignments",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CarrierSpeed {
    Still,
    RealTime,
    #[default]
    Brisk,
    Fast,
}

impl CarrierSpeed {
    /// All speeds, the slowest first.
    pub const ALL: [Self; 4] = [Self::Still, Self::RealTime, Self::Brisk, Self::Fast];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Still => "Stopped",
            Self::RealTime => "Real time",
            Self::Brisk => "1 hour a minute",
            Self::Fast => "1 day a minute",
        }
    }

    /// Returns how many times faster than real time the carriers are.
    pub const fn factor(self) -> u32 {
        match self {
            Self::Still => 0,
            Self::RealTime => 1,
            Self::Brisk => 60,
            Self::Fast => 24 * 60,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PracticeCommand {
    /// Start a drill, or start it again.
    Start(Drill),
    End(Drill),
    EndAll,
    /// Fetch the state of the drills.
    Refresh,
    /// Use the practice service as this user.
    SetUser(PracticeUser),
    Speed(CarrierSpeed),
    /// Let the carriers deliver all booked consignments at once.
    DeliverAll,
}

/// The practice service, as the screens see it.
#[derive(Default)]
pub struct PracticeView {
    pub settings: PracticeSettings,
    /// Practice drills that were started.
    pub drills: Remote<Vec<DrillStatus>>,
}

impl PracticeView {
    /// Returns the practice drills whose fault can still occur.
    pub fn active_drills(&self) -> impl Iterator<Item = &DrillStatus> {
        let known = self.drills.value().into_iter().flatten();
        known.filter(|drill| drill.is_active)
    }
}

/// State of the practice drill that the screens do not read.
pub(super) struct PracticeDrill {
    /// Connection to the practice service; `None` while another service is open.
    connection: Option<Connection>,
    client: Arc<OnceCell<Client>>,
    /// Commands that are waiting to be sent, in order.
    steps: Vec<PracticeCommand>,
    /// When the states of the drills are fetched again; `None` if no fetch is scheduled.
    pub(super) due: Option<Duration>,
}

impl PracticeDrill {
    pub(super) fn new(service: &Service) -> Self {
        let is_practice = service.environment == Environment::Practice;
        Self {
            connection: service.connection().ok().filter(|_| is_practice),
            client: Arc::default(),
            steps: vec![PracticeCommand::Refresh],
            due: None,
        }
    }
}

impl Core {
    pub(super) fn run_practice(&mut self, command: PracticeCommand) {
        match command {
            // The practice service is opened again with the other user's token.
            PracticeCommand::SetUser(user) => {
                if self.setup.practice.user != user
                    && self.can_close_service("The user was not changed")
                {
                    self.setup.practice.user = user;
                    self.session.leave_requested = true;
                }
                return;
            }
            PracticeCommand::Speed(speed) => {
                self.setup.practice.speed = speed;
                self.shared.practice.settings.speed = speed;
            }
            _ => {}
        }
        self.practice.steps.push(command);
    }

    /// Sends the waiting commands, and fetches the faults' counts regularly while a fault is active.
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
        let connection = self.practice.connection.clone();
        let Some(connection) = connection.filter(|_| !steps.is_empty()) else {
            return;
        };
        let client = Arc::clone(&self.practice.client);
        self.practice.due = None;
        let sent = self.setup.tasks.run(|| async move {
            let client = client.get_or_try_init(async || Client::new(&connection));
            let client = client.await.map_err(|_unusable| EngineError::Internal)?;
            for step in steps {
                run_command(client, step).await?;
            }
            Ok(drill_states(&client.faults().await?))
        });
        self.shared.practice.drills.start(sent);
    }
}

/// Runs one command. Faults of the same name are cleared first, so that each drill exists only once.
async fn run_command(client: &Client, step: PracticeCommand) -> Result<(), Failure> {
    let (drill, again) = match step {
        PracticeCommand::Refresh | PracticeCommand::SetUser(_) => return Ok(()),
        PracticeCommand::Speed(speed) => return client.set_carrier_speed(speed.factor()).await,
        PracticeCommand::DeliverAll => return client.deliver_all().await,
        PracticeCommand::EndAll => return client.clear_faults(None).await,
        PracticeCommand::Start(drill) => (drill, true),
        PracticeCommand::End(drill) => (drill, false),
    };
    let set = client.faults().await?;
    for report in set.iter().filter(|report| is_of(report, drill)) {
        client.clear_faults(Some(report.id)).await?;
    }
    if again {
        client.set_fault(&drill.fault()).await?;
    }
    Ok(())
}

fn is_of(report: &FaultReport, drill: Drill) -> bool {
    report.name.as_deref() == Some(drill.name())
}

fn drill_states(reports: &[FaultReport]) -> Vec<DrillStatus> {
    let state = |drill| {
        let report = reports.iter().find(|report| is_of(report, drill))?;
        Some(DrillStatus {
            drill,
            is_active: !report.over,
            count: report.struck,
        })
    };
    Drill::ALL.into_iter().filter_map(state).collect()
}
