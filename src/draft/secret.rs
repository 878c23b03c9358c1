//! A secret while it is typed: it can be edited, compared and passed on, but never printed.

use std::fmt;

use secrecy::zeroize::Zeroize as _;
use secrecy::{ExposeSecret as _, SecretString};

/// More bytes than any token has.
const LONGEST: usize = 4096;

/// A token or another secret string, as typed. Its memory is wiped on drop.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Secret(String);

impl Secret {
    /// Returns the text for the input field.
    pub fn text_mut(&mut self) -> &mut String {
        // Reserves the capacity first: a string that grows would leave an unwiped copy behind.
        if self.0.capacity() < LONGEST {
            let mut roomy = String::with_capacity(LONGEST);
            roomy.push_str(&self.0);
            self.0.zeroize();
            self.0 = roomy;
        }
        &mut self.0
    }

    pub fn is_blank(&self) -> bool {
        self.0.trim().is_empty()
    }

    /// Returns whether the secret can go into an HTTP header: visible ASCII only.
    pub fn can_be_sent(&self) -> bool {
        self.0.trim().bytes().all(|byte| byte.is_ascii_graphic())
    }

    /// Returns the trimmed secret; `None` if nothing is typed.
    pub fn to_secret_string(&self) -> Option<SecretString> {
        (!self.is_blank()).then(|| self.0.trim().into())
    }
}

impl From<&SecretString> for Secret {
    fn from(secret: &SecretString) -> Self {
        Self(secret.expose_secret().to_owned())
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(if self.0.is_empty() { "" } else { "…" })
    }
}

impl Drop for Secret {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_never_printed() {
        let mut secret = Secret::default();
        secret.text_mut().push_str(" 7f3a-token\n");
        assert_eq!(format!("{secret:?}"), "…");
        let given = secret.to_secret_string().expect("something is typed");
        assert_eq!(given.expose_secret(), "7f3a-token");
        assert!(secret.can_be_sent());
        secret.text_mut().push('é');
        assert!(!secret.can_be_sent());
    }

    #[test]
    fn a_secret_that_is_typed_on_stays_in_its_place() {
        let mut typed = Secret::default();
        typed.text_mut().push_str("7f3a");
        // A clone has no spare capacity.
        let mut copy = typed.clone();
        for secret in [&mut typed, &mut copy] {
            let place = secret.text_mut().as_ptr();
            secret.text_mut().push_str(&"x".repeat(2_000));
            assert_eq!(secret.text_mut().as_ptr(), place);
        }
    }
}
