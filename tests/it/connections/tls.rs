//! TLS: a company's own certificate authority is accepted once configured, and refused otherwise.

use client::{Connection, ConnectionTestError};
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use rustls::ServerConfig;
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};

use super::ears::Ears;
use super::{TOKEN, client};

/// A company with a certificate authority of its own.
struct Company {
    issuer: Issuer<'static, KeyPair>,
    pem: String,
}

impl Company {
    fn new() -> Self {
        let key = KeyPair::generate().expect("a key");
        let mut params = CertificateParams::new(Vec::new()).expect("parameters");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let authority = params.self_signed(&key).expect("a certificate");
        Self {
            pem: authority.pem(),
            issuer: Issuer::new(params, key),
        }
    }

    /// A machine of the company that proves to be `name`.
    fn machine(&self, name: &str) -> Ears {
        let key = KeyPair::generate().expect("a key");
        let params = CertificateParams::new(vec![name.to_owned()]).expect("parameters");
        let certificate = params.signed_by(&key, &self.issuer).expect("a certificate");
        let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(key.serialize_der()));
        // A second installation is refused, and the first is as good.
        let _already = rustls::crypto::ring::default_provider().install_default();
        let config = ServerConfig::builder()
            .with_no_client_auth()
            .with_single_cert(vec![certificate.der().clone()], key)
            .expect("a server");
        Ears::tls(config)
    }

    fn trusted(&self, connection: Connection) -> Connection {
        connection
            .with_authority(self.pem.as_bytes())
            .expect("the certificate that was just made")
    }
}

#[tokio::test]
async fn a_machine_of_the_companys_own_authority_is_trusted_once_that_is_set() {
    let company = Company::new();
    let machine = company.machine("localhost");
    let address = format!("https://localhost:{}", machine.port());
    let trusting = client(&address, |connection| company.trusted(connection));
    trusting.test_connection().await.expect("it answers");
    let heard = machine.heard();
    assert_eq!(heard.len(), 1);
    assert!(
        heard[0].contains(&format!("token: {TOKEN}\r\n")),
        "the token arrives, within TLS"
    );
}

#[tokio::test]
async fn without_that_authority_it_is_refused_before_the_token_is_sent() {
    let company = Company::new();
    let machine = company.machine("localhost");
    let address = format!("https://localhost:{}", machine.port());
    let unset = client(&address, |connection| connection);
    assert_eq!(
        unset.test_connection().await,
        Err(ConnectionTestError::Untrusted)
    );
    let other = Company::new();
    let wrong = client(&address, |connection| other.trusted(connection));
    assert_eq!(
        wrong.test_connection().await,
        Err(ConnectionTestError::Untrusted)
    );
    assert!(unset.ping().await.is_err() && wrong.delete(&[]).await.is_err());
    assert_eq!(machine.heard(), Vec::<String>::new());
}

#[tokio::test]
async fn a_machine_that_proves_to_be_another_is_refused_even_with_the_authority() {
    let company = Company::new();
    let machine = company.machine("elsewhere.example");
    for host in ["localhost", "127.0.0.1"] {
        let address = format!("https://{host}:{}", machine.port());
        let trusting = client(&address, |connection| company.trusted(connection));
        assert_eq!(
            trusting.test_connection().await,
            Err(ConnectionTestError::WrongHost),
            "{host}"
        );
        assert!(trusting.ping().await.is_err());
    }
    assert_eq!(machine.heard(), Vec::<String>::new());
}

#[tokio::test]
async fn a_file_without_a_certificate_and_a_name_without_a_machine_are_told_apart() {
    let connection = Connection::new("https://localhost:1", TOKEN.into()).expect("an address");
    let refused = connection.with_authority(b"not a certificate");
    assert!(refused.is_err());
    // RFC 6761: no machine is ever called so.
    let nowhere = client("https://packbench.invalid", |connection| connection);
    assert_eq!(
        nowhere.test_connection().await,
        Err(ConnectionTestError::UnknownHost)
    );
}
