//! Labels with passwords. An empty user password locks nothing: every reader opens such a file without
//! asking.

use std::collections::BTreeMap;
use std::sync::Arc;

use lopdf::encryption::crypt_filters::{Aes128CryptFilter, Aes256CryptFilter, CryptFilter};
use lopdf::{Document, EncryptionState, EncryptionVersion, Object, Permissions, StringFormat};

use super::ONE;
use super::files::Case;
use crate::support::labels::a6;

pub(super) fn cases() -> Vec<Case> {
    let (printed, locked) = (&["Printed"][..], &["Locked"][..]);
    vec![
        ("RC4, a password", rc4("secret"), locked),
        ("RC4, none needed", rc4(""), printed),
        ("AES of 128 bits, a password", aes_128("secret"), locked),
        ("AES of 128 bits, none needed", aes_128(""), printed),
        ("AES of 256 bits, a password", aes_256("secret"), locked),
        ("AES of 256 bits, none needed", aes_256(""), printed),
    ]
}

fn document() -> Document {
    let mut document = Document::load_mem(&a6(&[ONE])).unwrap();
    let id = || Object::String(vec![7; 16], StringFormat::Hexadecimal);
    document.trailer.set("ID", Object::Array(vec![id(), id()]));
    document
}

fn saved(mut document: Document, state: &EncryptionState) -> Vec<u8> {
    document.encrypt(state).unwrap();
    let mut bytes = Vec::new();
    document.save_to(&mut bytes).unwrap();
    bytes
}

fn rc4(user_password: &str) -> Vec<u8> {
    let document = document();
    let version = EncryptionVersion::V2 {
        document: &document,
        owner_password: "owner",
        user_password,
        key_length: 128,
        permissions: Permissions::PRINTABLE,
    };
    let state = EncryptionState::try_from(version).unwrap();
    saved(document, &state)
}

fn filters(filter: Arc<dyn CryptFilter>) -> BTreeMap<Vec<u8>, Arc<dyn CryptFilter>> {
    BTreeMap::from([(b"StdCF".to_vec(), filter)])
}

fn aes_128(user_password: &str) -> Vec<u8> {
    let document = document();
    let version = EncryptionVersion::V4 {
        document: &document,
        encrypt_metadata: true,
        crypt_filters: filters(Arc::new(Aes128CryptFilter)),
        stream_filter: b"StdCF".to_vec(),
        string_filter: b"StdCF".to_vec(),
        owner_password: "owner",
        user_password,
        permissions: Permissions::PRINTABLE,
    };
    let state = EncryptionState::try_from(version).unwrap();
    saved(document, &state)
}

fn aes_256(user_password: &str) -> Vec<u8> {
    let version = EncryptionVersion::V5 {
        encrypt_metadata: true,
        crypt_filters: filters(Arc::new(Aes256CryptFilter)),
        file_encryption_key: &[9; 32],
        stream_filter: b"StdCF".to_vec(),
        string_filter: b"StdCF".to_vec(),
        owner_password: "owner",
        user_password,
        permissions: Permissions::PRINTABLE,
    };
    let state = EncryptionState::try_from(version).unwrap();
    saved(document(), &state)
}
