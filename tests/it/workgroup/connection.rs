//! Connecting to the database: addresses, passwords, encryption, and the versions of the tables.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::sync::Arc;

use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use tokio_postgres::NoTls;
use workgroup::{
    AddressError, ClaimError, Database, DatabaseAddress, SchemaState, WorkgroupError,
    WorkgroupOptions, WorkgroupState,
};

use super::{MemberOnly, SERVICE, consignments, operation, options, two_benches};
use crate::support::postgres::{PASSWORD, Postgres, Stop};
use crate::support::runtime::runtime;

#[test]
fn an_address_has_a_server_a_user_and_a_database_but_no_password() {
    for (address, error) in [
        ("", AddressError::Invalid),
        ("db.example.com", AddressError::Invalid),
        ("host=db user=bench dbname=packbench", AddressError::Invalid),
        ("https://bench@db/packbench", AddressError::Invalid),
        (
            "postgresql://bench@db:port/packbench",
            AddressError::Invalid,
        ),
        (
            "postgresql://bench:secret@db/packbench",
            AddressError::HasPassword,
        ),
        ("postgresql://db/packbench", AddressError::NoUser),
        ("postgresql://bench@db", AddressError::NoDatabase),
        (
            "postgresql://bench@db/packbench?sslmode=disable",
            AddressError::NotEncrypted,
        ),
        // The name is this computer's, the address another one's.
        (
            "postgresql://bench@localhost/packbench?hostaddr=203.0.113.5&sslmode=disable",
            AddressError::NotEncrypted,
        ),
    ] {
        assert_eq!(address.parse::<DatabaseAddress>(), Err(error), "{address}");
    }
    for address in [
        "postgresql://bench@db.example.com/packbench",
        " postgres://bench@10.0.0.4:5433/packbench ",
        "postgresql://bench@localhost/packbench?sslmode=disable",
        "postgresql://bench@%2Fvar%2Frun%2Fpostgresql/packbench",
    ] {
        let parsed = address.parse::<DatabaseAddress>();
        assert_eq!(
            parsed.map(|one| one.to_string()).as_deref(),
            Ok(address.trim())
        );
    }
}

#[test]
fn each_reason_that_a_database_cannot_be_used_has_its_own_message() {
    let server = Postgres::start();
    let runtime = runtime(1);
    let error = |options: WorkgroupOptions| runtime.block_on(Database::connect(&options)).err();
    let right = options(&server.address());
    assert_eq!(error(right.clone()), None);
    let password = Some("another".into());
    let wrong = WorkgroupOptions {
        password,
        ..right.clone()
    };
    assert_eq!(error(wrong), Some(WorkgroupError::Refused));
    let without = WorkgroupOptions {
        password: None,
        ..right.clone()
    };
    assert_eq!(error(without), Some(WorkgroupError::Refused));
    assert_eq!(
        error(options(&server.address_of("nowhere"))),
        Some(WorkgroupError::NoDatabase)
    );
    // This server offers no encryption.
    let encrypted = options(&format!("{}?sslmode=require", server.address()));
    assert_eq!(error(encrypted), Some(WorkgroupError::NotEncrypted));
    server.stop(Stop::Orderly);
    assert_eq!(error(right), Some(WorkgroupError::Unreachable));
}

/// Writes a certificate for `127.0.0.1` into the data folder. Returns the PEM certificate of its authority.
fn certificate(data: &Path) -> String {
    let authority = KeyPair::generate().expect("a key");
    let mut of_authority = CertificateParams::new(Vec::<String>::new()).expect("settings");
    of_authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let pem = of_authority
        .self_signed(&authority)
        .expect("a certificate")
        .pem();
    let key = KeyPair::generate().expect("a key");
    let issuer = Issuer::new(of_authority, authority);
    let of_server = CertificateParams::new(vec!["127.0.0.1".to_owned()]).expect("settings");
    let signed = of_server.signed_by(&key, &issuer).expect("a certificate");
    fs::write(data.join("server.crt"), signed.pem()).expect("a file");
    fs::write(data.join("server.key"), key.serialize_pem()).expect("a file");
    let private = fs::Permissions::from_mode(0o600);
    fs::set_permissions(data.join("server.key"), private).expect("private");
    pem
}

#[test]
fn an_encrypted_connection_needs_a_certificate_that_is_trusted() {
    let mut pem = String::new();
    let server = Postgres::start_with("-c ssl=on", |data| pem = certificate(data));
    let runtime = runtime(1);
    let connect = |authority: Option<&str>| {
        let options = WorkgroupOptions {
            authority: authority.map(|pem| pem.as_bytes().to_vec()),
            ..options(&format!("{}?sslmode=require", server.address()))
        };
        runtime.block_on(async {
            let database = Database::connect(&options).await?;
            database.server_version().await
        })
    };
    let version = connect(Some(&pem));
    assert!(version.is_ok_and(|version| version.starts_with(char::is_numeric)));
    assert_eq!(connect(None), Err(WorkgroupError::NotEncrypted));
    assert_eq!(
        connect(Some("no certificate")),
        Err(WorkgroupError::Authority)
    );
}

fn runtime_of_one() -> tokio::runtime::Runtime {
    runtime(1)
}

/// Connects to a server, as an administrator would.
pub(super) async fn connect(server: &Postgres) -> tokio_postgres::Client {
    let mut config: tokio_postgres::Config = server.address().parse().expect("an address");
    let connecting = config.password(PASSWORD).connect(NoTls);
    let (client, connection) = connecting.await.expect("a connection");
    tokio::spawn(connection);
    client
}

/// Runs SQL on a server.
pub(super) fn run_sql(server: &Postgres, sql: &str) {
    runtime(1).block_on(async {
        connect(server)
            .await
            .batch_execute(sql)
            .await
            .expect("done");
    });
}

#[test]
fn a_newer_bench_brings_the_tables_of_an_older_version_up_to_date_and_keeps_what_they_hold() {
    let server = Postgres::start();
    let first = include_str!("../../../src/workgroup/migrations/0001_claims_events_benches.sql");
    run_sql(
        &server,
        &format!(
            "CREATE SCHEMA packbench;
             CREATE TABLE packbench.schema_version (version integer PRIMARY KEY, at timestamptz NOT NULL DEFAULT now());
             {first}
             INSERT INTO packbench.schema_version (version) VALUES (1);
             INSERT INTO packbench.claim (service, key, bench, operation, made, kind, title, clerk)
             VALUES ('{SERVICE}', 'consignment 71', 'Bench 9', 1, now(), 'Manifest', 'Tasman', 'Mia')"
        ),
    );
    let runtime = Arc::new(runtime(2));
    let options = options(&server.address());
    let database = runtime.block_on(Database::connect(&options));
    let database = database.expect("a connection");
    let state = runtime.block_on(database.schema_state());
    assert_eq!(state, Ok(SchemaState::Older { version: 1 }));
    let bench = MemberOnly::join(&runtime, options, "Bench 1").connected();
    let state = runtime.block_on(database.schema_state());
    assert_eq!(state, Ok(SchemaState::Current { version: 4 }));
    let refused = bench.wait(bench.workgroup.claim(&operation(1), &consignments([71])));
    assert!(matches!(refused, Err(ClaimError::Held(_))), "{refused:?}");
}

#[test]
fn benches_that_start_together_make_the_tables_once() {
    let server = Postgres::start();
    let runtime = Arc::new(runtime(2));
    let join = |number| {
        let name = format!("Bench {number}");
        MemberOnly::join(&runtime, options(&server.address()), &name)
    };
    let benches: Vec<_> = (1..=6).map(join).collect();
    for bench in &benches {
        bench.wait_for(&WorkgroupState::Connected);
    }
    let seen = benches[0]
        .wait(benches[0].workgroup.benches())
        .expect("benches");
    assert_eq!(seen.len(), 6);
    let database = benches[0].wait(Database::connect(&options(&server.address())));
    let state = benches[0].wait(database.expect("a connection").schema_state());
    assert_eq!(state, Ok(SchemaState::Current { version: 4 }));
}

#[test]
fn a_bench_leaves_the_tables_of_a_newer_version_alone() {
    let server = Postgres::start();
    let runtime = Arc::new(runtime(2));
    let first = Arc::new(runtime_of_one());
    drop(MemberOnly::join(&first, options(&server.address()), "Bench 1").connected());
    // It stops telling that it is there.
    drop(first);
    run_sql(
        &server,
        "INSERT INTO packbench.schema_version (version) VALUES (999); TRUNCATE packbench.bench",
    );
    let older = MemberOnly::join(&runtime, options(&server.address()), "Bench 2");
    older.wait_for(&WorkgroupState::Away(WorkgroupError::Newer));
    let mut database = older
        .wait(Database::connect(&options(&server.address())))
        .expect("a connection");
    assert_eq!(older.wait(database.migrate()), Err(WorkgroupError::Newer));
    assert_eq!(
        older
            .wait(database.benches(SERVICE))
            .map(|benches| benches.len()),
        Ok(0)
    );
}

#[test]
fn a_bench_at_work_stops_sharing_when_a_newer_one_changes_the_tables_and_keeps_what_it_has_claimed()
{
    let server = Postgres::start();
    let [first, second] = two_benches(&server);
    let booking = operation(1);
    let claimed = first.wait(first.workgroup.claim(&booking, &consignments([71])));
    assert_eq!(claimed, Ok(()));
    run_sql(
        &server,
        "INSERT INTO packbench.schema_version (version) VALUES (999)",
    );
    for bench in [&first, &second] {
        bench.wait_for(&WorkgroupState::Away(WorkgroupError::Newer));
        let refused = bench.wait(bench.workgroup.claim(&operation(2), &consignments([72])));
        let newer = ClaimError::Database(WorkgroupError::Newer);
        assert_eq!(refused, Err(newer));
    }
    // The newer program, which knows these tables.
    run_sql(
        &server,
        "DELETE FROM packbench.schema_version WHERE version = 999",
    );
    for bench in [&first, &second] {
        bench.wait_for(&WorkgroupState::Connected);
    }
    let refused = second.wait(second.workgroup.claim(&operation(2), &consignments([71])));
    assert!(matches!(refused, Err(ClaimError::Held(_))), "{refused:?}");
}
