//! The connection to the workgroup's database, and a bench's membership, which connects again by itself.

use std::future::poll_fn;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use rustls::ClientConfig;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use rustls_platform_verifier::Verifier;
use secrecy::{ExposeSecret as _, SecretString};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::{MappedMutexGuard, Mutex as AsyncMutex, MutexGuard, Notify, watch};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout};
use tokio_postgres::config::SslMode;
use tokio_postgres::{AsyncMessage, Client, Config, Connection, NoTls, Socket, Statement};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::claims::{self, Claim, ClaimError, ClaimKey, ClaimingOperation};
use super::events::{self, OperationEvent};
use super::orders::{self, OrderKey, TakenOrder};
use super::schema::{self, SchemaState};
use super::values::{self, SharedValue, SharedVersion};
use super::waiting::{self, LeftDraft, TakenDraft, WaitingDraft};
use super::{BenchActivity, BenchRow, DatabaseAddress, Member, WorkgroupError, benches};

/// How long the server may take to accept a connection or to answer a call.
const LIMIT: Duration = Duration::from_secs(5);

/// How often a bench tells the others that it is connected.
const HEARTBEAT: Duration = Duration::from_secs(5);

/// The pauses before the next try to connect, while the database is away: doubled each time.
const FIRST_PAUSE: Duration = Duration::from_millis(500);
const LONGEST_PAUSE: Duration = Duration::from_secs(15);

/// How long changes are collected before the other benches are told, in milliseconds. Each message wakes every bench, so
/// a bench that hears of another change meanwhile sends none: the others look for its own change, too. The time is
/// chosen anew each time, so that one bench is the first.
const COLLECT: std::ops::Range<u64> = 50..250;

/// How often old events are deleted.
const CLEAN_UP: Duration = Duration::from_hours(1);

/// The channel on which benches tell each other that claims have changed, and the one for everything else that is shared.
const LISTEN: &str = "LISTEN packbench; LISTEN packbench_shared";
const SHARED_CHANNEL: &str = "packbench_shared";

/// PostgreSQL tells the listeners of one transaction after another, so this one does not wait for the disk.
const TELL: &str =
    "SELECT set_config('synchronous_commit', 'off', true), pg_notify('packbench', $1)";

/// Where the database is, and how a bench connects to it.
#[derive(Debug, Clone)]
pub struct WorkgroupOptions {
    pub address: DatabaseAddress,
    pub password: Option<SecretString>,
    /// PEM certificates of the company's own certificate authority.
    pub authority: Option<Vec<u8>>,
}

/// An open connection, for an administrator's commands.
pub struct Database {
    client: Client,
    changes: watch::Receiver<Heard>,
    driver: JoinHandle<()>,
}

/// How often another bench has told of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Heard {
    /// Changes of claims.
    pub claims: u64,
    /// Changes of everything else that is shared.
    pub shared: u64,
}

impl Database {
    /// Connects, without looking at the tables.
    pub async fn connect(options: &WorkgroupOptions) -> Result<Self, WorkgroupError> {
        let mut config = options.address.config();
        config.connect_timeout(LIMIT);
        if let Some(password) = &options.password {
            config.password(password.expose_secret());
        }
        let connecting = async {
            if config.get_ssl_mode() == SslMode::Disable {
                Self::connect_with(&config, NoTls).await
            } else {
                let tls = encryption(options.authority.as_deref())?;
                Self::connect_with(&config, tls).await
            }
        };
        within(connecting).await
    }

    async fn connect_with<T>(config: &Config, tls: T) -> Result<Self, WorkgroupError>
    where
        T: tokio_postgres::tls::MakeTlsConnect<Socket, Stream: Send + 'static>,
    {
        let (client, connection) = config.connect(tls).await?;
        let (tell, changes) = watch::channel(Heard::default());
        let driver = tokio::spawn(drive(connection, tell));
        Ok(Self {
            client,
            changes,
            driver,
        })
    }

    pub async fn schema_state(&self) -> Result<SchemaState, WorkgroupError> {
        within(schema::state(&self.client)).await
    }

    /// Makes the tables, or brings them up to date.
    pub async fn migrate(&mut self) -> Result<(), WorkgroupError> {
        within(schema::migrate(&mut self.client)).await
    }

    /// Returns the server's version, such as `15.18`.
    pub async fn server_version(&self) -> Result<String, WorkgroupError> {
        let shown = async { Ok(self.client.query_one("SHOW server_version", &[]).await?) };
        Ok(within(shown).await?.get(0))
    }

    /// Returns the addresses of the shipping services whose benches share something here.
    pub async fn services(&self) -> Result<Vec<String>, WorkgroupError> {
        let sql = "SELECT DISTINCT service FROM packbench.bench ORDER BY service";
        let rows = within(async { Ok(self.client.query(sql, &[]).await?) }).await?;
        Ok(rows.iter().map(|row| row.get(0)).collect())
    }

    /// Records that the database was restored from a backup.
    pub async fn restored(&self) -> Result<(), WorkgroupError> {
        within(values::restored(&self.client)).await
    }

    pub async fn benches(&self, service: &str) -> Result<Vec<BenchRow>, WorkgroupError> {
        within(benches::all(&self.client, service)).await
    }

    pub async fn claims(&self, service: &str) -> Result<Vec<Claim>, WorkgroupError> {
        within(claims::all(&self.client, service)).await
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WorkgroupState {
    /// Not connected since the start yet.
    Connecting,
    Connected,
    /// Not connected, and why; tried again by itself.
    Away(WorkgroupError),
}

/// A bench's membership in a workgroup; cheap to clone.
#[derive(Clone)]
pub struct Workgroup(Arc<Membership>);

struct Membership {
    options: WorkgroupOptions,
    member: Mutex<Member>,
    session: AsyncMutex<Option<Session>>,
    state: watch::Sender<WorkgroupState>,
    activity: Mutex<BenchActivity>,
    /// Counts the changes that other benches told about.
    changes: watch::Sender<Heard>,
    /// Set when this bench has changed something that the others should know.
    has_changed: Notify,
}

/// A connection with the statement that is run most often.
struct Session {
    client: Client,
    take_claims: Statement,
}

impl Workgroup {
    /// Returns a membership that is not connected; see [`Self::stay_connected`].
    pub fn new(options: WorkgroupOptions, member: Member) -> Self {
        Self(Arc::new(Membership {
            options,
            member: Mutex::new(member),
            activity: Mutex::default(),
            session: AsyncMutex::default(),
            state: watch::Sender::new(WorkgroupState::Connecting),
            changes: watch::Sender::default(),
            has_changed: Notify::new(),
        }))
    }

    pub fn state(&self) -> watch::Receiver<WorkgroupState> {
        self.0.state.subscribe()
    }

    /// Waits until the first try to connect has ended, at most a few seconds.
    pub async fn has_tried(&self) {
        let mut states = self.0.state.subscribe();
        let tried = states.wait_for(|state| *state != WorkgroupState::Connecting);
        let _late = timeout(LIMIT, tried).await;
    }

    /// Returns counters that grow when something may have changed on another bench.
    pub fn changes(&self) -> watch::Receiver<Heard> {
        self.0.changes.subscribe()
    }

    pub fn member(&self) -> Member {
        let member = self.0.member.lock();
        member.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Changes the names that the other benches see.
    pub fn rename(&self, name: &str, clerk: &str) {
        let mut member = { self.0.member.lock() }.unwrap_or_else(PoisonError::into_inner);
        name.clone_into(&mut member.name);
        clerk.clone_into(&mut member.clerk);
    }

    /// Changes what the other benches see of this bench's work.
    pub fn set_activity(&self, activity: BenchActivity) {
        *{ self.0.activity.lock() }.unwrap_or_else(PoisonError::into_inner) = activity;
    }

    fn activity(&self) -> BenchActivity {
        let activity = self.0.activity.lock();
        activity.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Connects, and connects again whenever the connection is lost. Never returns.
    pub async fn stay_connected(&self) {
        let mut pause = FIRST_PAUSE;
        loop {
            let error = match Box::pin(self.connect()).await {
                Ok(connected) => {
                    pause = FIRST_PAUSE;
                    // What changed while there was no connection.
                    self.0.changes.send_modify(|heard| {
                        heard.claims += 1;
                        heard.shared += 1;
                    });
                    self.0.state.send_replace(WorkgroupState::Connected);
                    self.stay(connected).await
                }
                Err(error) => error,
            };
            *self.0.session.lock().await = None;
            tracing::warn!(%error, "the workgroup is not connected");
            let away = WorkgroupState::Away(error);
            self.0.state.send_if_modified(|state| {
                let is_new = *state != away;
                *state = away;
                is_new
            });
            sleep(pause).await;
            pause = LONGEST_PAUSE.min(pause * 2);
        }
    }

    async fn connect(&self) -> Result<(JoinHandle<()>, watch::Receiver<Heard>), WorkgroupError> {
        let mut database = Database::connect(&self.0.options).await?;
        database.migrate().await?;
        let (member, activity) = (self.member(), self.activity());
        let begin = async {
            database.client.batch_execute(LISTEN).await?;
            benches::seen(&database.client, &member, &activity).await?;
            Ok(database.client.prepare(claims::TAKE).await?)
        };
        let take_claims = within(begin).await?;
        *self.0.session.lock().await = Some(Session {
            client: database.client,
            take_claims,
        });
        Ok((database.driver, database.changes))
    }

    /// Tells and hears of changes until the connection is lost. Returns why it was lost.
    async fn stay(
        &self,
        (driver, mut heard): (JoinHandle<()>, watch::Receiver<Heard>),
    ) -> WorkgroupError {
        let lost = async {
            // The driver ends with the connection; it never panics.
            let _ended = driver.await;
            WorkgroupError::Unreachable
        };
        let hear = async {
            let mut before = *heard.borrow_and_update();
            while heard.changed().await.is_ok() {
                let now = *heard.borrow_and_update();
                self.0.changes.send_modify(|all| {
                    all.claims += now.claims - before.claims;
                    all.shared += now.shared - before.shared;
                });
                before = now;
            }
            WorkgroupError::Unreachable
        };
        tokio::select! {
            error = lost => error,
            error = hear => error,
            error = self.beat() => error,
            error = self.tell_changes() => error,
        }
    }

    async fn beat(&self) -> WorkgroupError {
        let mut cleaned = None::<Instant>;
        loop {
            let activity = self.activity();
            let is_due = cleaned.is_none_or(|at| at.elapsed() > CLEAN_UP);
            let done = self.call(async |client, member| {
                let service = &member.service;
                let newest = benches::seen(client, member, &activity).await?;
                schema::check_version(newest)?;
                if is_due {
                    events::remove_old(client, service).await?;
                    orders::remove_old(client, service).await?;
                    values::remove_old(client, service).await?;
                    waiting::remove_old(client, service).await?;
                }
                Ok(())
            });
            if let Err(error) = done.await {
                return error;
            }
            if is_due {
                cleaned = Some(Instant::now());
            }
            sleep(HEARTBEAT).await;
        }
    }

    async fn tell_changes(&self) -> WorkgroupError {
        let heard = self.0.changes.subscribe();
        loop {
            self.0.has_changed.notified().await;
            let before = heard.borrow().claims;
            sleep(Duration::from_millis(fastrand::u64(COLLECT))).await;
            if heard.borrow().claims != before {
                continue;
            }
            let told = self
                .call(async |client, member| Ok(client.execute(TELL, &[&member.service]).await?));
            if let Err(error) = told.await {
                return error;
            }
        }
    }

    async fn session(&self) -> Result<MappedMutexGuard<'_, Session>, WorkgroupError> {
        let session = self.0.session.lock().await;
        let connected = MutexGuard::try_map(session, Option::as_mut);
        connected.map_err(|_none| self.away())
    }

    async fn client(&self) -> Result<MappedMutexGuard<'_, Client>, WorkgroupError> {
        let session = self.session().await?;
        Ok(MappedMutexGuard::map(session, |session| {
            &mut session.client
        }))
    }

    fn away(&self) -> WorkgroupError {
        match &*self.0.state.borrow() {
            WorkgroupState::Away(error) => error.clone(),
            _ => WorkgroupError::Unreachable,
        }
    }

    /// Takes all keys for an operation, or none.
    pub async fn claim(
        &self,
        operation: &ClaimingOperation,
        keys: &[ClaimKey],
    ) -> Result<(), ClaimError> {
        let member = self.member();
        let claimant = claims::Claimant {
            service: &member.service,
            bench: &member.bench,
            clerk: &member.clerk,
        };
        let claiming = async {
            let session = self.session().await?;
            let Session {
                client,
                take_claims,
            } = &*session;
            claims::take(client, take_claims, &claimant, operation, keys).await
        };
        let late = |_elapsed| Err(WorkgroupError::Late.into());
        timeout(LIMIT, claiming).await.unwrap_or_else(late)?;
        self.0.has_changed.notify_one();
        Ok(())
    }

    /// Calls the database with this bench's connection.
    async fn call<T>(
        &self,
        job: impl AsyncFnOnce(&mut Client, &Member) -> Result<T, WorkgroupError>,
    ) -> Result<T, WorkgroupError> {
        let member = self.member();
        let calling = async {
            let mut client = self.client().await?;
            job(&mut client, &member).await
        };
        within(calling).await
    }

    /// Stores events in their order, each once, and releases the claims of operations that have ended.
    pub async fn deliver(&self, events: &[OperationEvent]) -> Result<(), WorkgroupError> {
        self.call(async |client, member| events::deliver(client, &member.service, events).await)
            .await?;
        self.0.has_changed.notify_one();
        Ok(())
    }

    /// Releases the claims of an operation of any bench, whose end is known.
    pub async fn release(
        &self,
        bench: &str,
        operation: (i64, Timestamp),
    ) -> Result<(), WorkgroupError> {
        self.call(async |client, member| {
            claims::release(client, &member.service, bench, operation).await
        })
        .await?;
        self.0.has_changed.notify_one();
        Ok(())
    }

    /// Returns the claims of all benches, oldest first.
    pub async fn claims(&self) -> Result<Vec<Claim>, WorkgroupError> {
        self.call(async |client, member| claims::all(client, &member.service).await)
            .await
    }

    /// Returns those of the orders that other benches have imported.
    pub async fn orders_of_others(
        &self,
        keys: &[OrderKey],
    ) -> Result<Vec<TakenOrder>, WorkgroupError> {
        self.call(async |client, member| orders::of_others(client, member, keys).await)
            .await
    }

    /// Takes those of the orders that no other bench has, so that no other bench imports them. Returns the others.
    pub async fn take_orders(&self, keys: &[OrderKey]) -> Result<Vec<TakenOrder>, WorkgroupError> {
        self.call(async |client, member| orders::take(client, member, keys).await)
            .await
    }

    /// Takes all of the orders, also those that another bench has imported.
    pub async fn take_orders_over(&self, keys: &[OrderKey]) -> Result<(), WorkgroupError> {
        self.call(async |client, member| orders::take_over(client, member, keys).await)
            .await
    }

    pub async fn benches(&self) -> Result<Vec<BenchRow>, WorkgroupError> {
        self.call(async |client, member| benches::all(client, &member.service).await)
            .await
    }

    /// Returns the newest events of all benches, newest first.
    pub async fn newest_events(&self, count: i64) -> Result<Vec<OperationEvent>, WorkgroupError> {
        self.call(async |client, member| events::newest(client, &member.service, count).await)
            .await
    }

    /// Shares changes of this bench, of which the last has this number. No two of them may have the same kind and name.
    pub async fn share_values(
        &self,
        values: &[SharedValue],
        last: i64,
    ) -> Result<(), WorkgroupError> {
        self.call(async |client, member| values::share(client, member, values, last).await)
            .await
    }

    /// Returns the database and the version of the newest change in it.
    pub async fn newest_value(&self) -> Result<SharedVersion, WorkgroupError> {
        self.call(async |client, member| values::newest(client, member).await)
            .await
    }

    /// Returns the values that were changed after a version, in the order of the changes.
    pub async fn values_after(&self, version: i64) -> Result<Vec<SharedValue>, WorkgroupError> {
        self.call(async |client, member| values::after(client, &member.service, version).await)
            .await
    }

    /// Leaves drafts for any bench.
    pub async fn leave_drafts(&self, left: &[LeftDraft]) -> Result<(), WorkgroupError> {
        self.call(async |client, member| waiting::leave(client, member, left).await)
            .await
    }

    /// Takes the draft with this id over, or the oldest that can be sent as it is. Returns `None` if there is none, or
    /// another bench has it.
    pub async fn take_draft(&self, id: Option<&str>) -> Result<Option<TakenDraft>, WorkgroupError> {
        self.call(async |client, member| waiting::take(client, member, id).await)
            .await
    }

    /// Returns the drafts that this bench took over and may not have saved.
    pub async fn drafts_taken(&self) -> Result<Vec<TakenDraft>, WorkgroupError> {
        self.call(async |client, member| waiting::taken_by(client, member).await)
            .await
    }

    /// Removes a draft that this bench has taken over and saved.
    pub async fn draft_saved(&self, id: &str) -> Result<(), WorkgroupError> {
        self.call(async |client, member| waiting::saved(client, member, id).await)
            .await
    }

    /// Gives back a draft that a bench has taken over and can't save.
    pub async fn give_draft_back(&self, bench: &str, id: &str) -> Result<(), WorkgroupError> {
        self.call(async |client, member| {
            waiting::give_back(client, &member.service, bench, id).await
        })
        .await
    }

    /// Returns the drafts that benches took over and have not saved, with the first part of each bench's keys.
    pub async fn unsaved_drafts(&self) -> Result<Vec<(String, WaitingDraft)>, WorkgroupError> {
        self.call(async |client, member| waiting::unsaved(client, &member.service).await)
            .await
    }

    /// Returns the drafts that any bench can take over, the one that has waited longest first.
    pub async fn waiting_drafts(&self, most: i64) -> Result<Vec<WaitingDraft>, WorkgroupError> {
        self.call(async |client, member| waiting::all(client, &member.service, most).await)
            .await
    }
}

async fn within<T>(
    job: impl Future<Output = Result<T, WorkgroupError>>,
) -> Result<T, WorkgroupError> {
    let late = |_elapsed| Err(WorkgroupError::Late);
    timeout(LIMIT, job).await.unwrap_or_else(late)
}

/// Passes messages between the connection and its client until the connection ends. Counts the changes that other
/// benches tell about.
async fn drive<S, T>(mut connection: Connection<S, T>, changes: watch::Sender<Heard>)
where
    S: AsyncRead + AsyncWrite + Unpin,
    T: AsyncRead + AsyncWrite + Unpin,
{
    while let Some(Ok(message)) = poll_fn(|context| connection.poll_message(context)).await {
        if let AsyncMessage::Notification(told) = message {
            changes.send_modify(|heard| match told.channel() {
                SHARED_CHANNEL => heard.shared += 1,
                _ => heard.claims += 1,
            });
        }
    }
}

/// Returns how connections are encrypted: by certificates that this computer trusts, or that `authority` issued.
fn encryption(authority: Option<&[u8]>) -> Result<MakeRustlsConnect, WorkgroupError> {
    let authorities = match authority {
        Some(pem) => CertificateDer::pem_slice_iter(pem)
            .collect::<Result<Vec<_>, _>>()
            .ok()
            .filter(|found| !found.is_empty())
            .ok_or(WorkgroupError::Authority)?,
        None => Vec::new(),
    };
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let unusable = |_error: rustls::Error| WorkgroupError::NotEncrypted;
    let verifier =
        Verifier::new_with_extra_roots(authorities, Arc::clone(&provider)).map_err(unusable)?;
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(unusable)?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(verifier))
        .with_no_client_auth();
    Ok(MakeRustlsConnect::new(config))
}
