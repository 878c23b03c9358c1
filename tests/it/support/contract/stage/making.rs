//! Sets a case up: consignments created without the proxy, or found where none may be created.

use client::Failure;
use shipping::ConsignmentId;

use super::{CREATE, Stage};
use crate::support::contract::surroundings::{ORDER, ask};
use crate::support::contract::{Held, Json, Skipped};

const RECENT: &str = "/apiv2/consignments/getRecentlyCreatedOrUpdatedConsignments?retrieveSize=200&startIndex=1&fromDateUtc=";

impl Stage {
    /// An unmanifested consignment, bound to `name`: made past the wiretap, or where nothing may be made, one of those that
    /// are there.
    pub(crate) async fn make(&mut self, name: &str) -> Held {
        if !self.service.write {
            return self.find(name).await;
        }
        self.needs(&["sender", "carrier", "service"])?;
        self.make_of(name, CREATE, ORDER).await
    }

    /// Makes an unmanifested consignment, bound to `made`, and returns its id.
    pub(crate) async fn make_one(&mut self) -> Result<ConsignmentId, Skipped> {
        self.make("made").await?;
        Ok(self.consignment("made"))
    }

    /// Makes a consignment of one saved item between two saved places, bound to `made`. `members` are the further
    /// members of the order.
    pub(crate) async fn make_of_saved(&mut self, members: &str) -> Held {
        let order = r#"{
            "fromAbbreviation": "HSYD", "toAbbreviation": "BALFG", "dgsDeclaration": false,
            "items": [{ "companyItemId": 8001 }], MEMBERS
        }"#;
        self.make_of("made", CREATE, &order.replace("MEMBERS", members))
            .await
    }

    /// A consignment of this order.
    pub(crate) async fn make_of(&mut self, name: &str, path: &str, order: &str) -> Held {
        let made = self.tell("POST", path, order).await;
        let id = made.get("id").and_then(Json::as_whole);
        let id = id.ok_or_else(|| Skipped("no consignment could be made".to_owned()))?;
        self.made.push(id);
        self.bind(name, Json::Number(id.into()));
        Ok(())
    }

    /// A manifested consignment, bound to `name`. In practice only: elsewhere a carrier would come.
    pub(crate) async fn book(&mut self, name: &str) -> Held {
        self.practice()?;
        self.make(name).await?;
        self.manifest(name).await;
        Ok(())
    }

    /// Manifests the consignment `name`.
    pub(crate) async fn manifest(&self, name: &str) {
        let ids = format!(r#"["<id:{name}>"]"#);
        let groups = self
            .tell(
                "POST",
                "/apiv2/manifests/groupConsignmentsForManifest",
                &ids,
            )
            .await;
        let results = self
            .tell("POST", "/apiv2/manifests/manifest", &groups.to_string())
            .await;
        let booked = results
            .elements()
            .first()
            .and_then(|result| result.get("bookingSuccessful"));
        assert_eq!(booked, Some(&Json::Bool(true)), "{results}");
    }

    /// A pending consignment and the consignment that a user made of it. In practice only: elsewhere a user is needed.
    pub(crate) async fn convert(&mut self, pending: &str, name: &str) -> Held {
        self.practice()?;
        let create = "/apiv2/pendingConsignments/createPendingConsignment";
        self.make_of(pending, create, ORDER).await?;
        let convert = format!("/practice/convertPendingConsignment?id=<id:{pending}>");
        self.make_of(name, &convert, "").await
    }

    async fn find(&mut self, name: &str) -> Held {
        let address = format!("{RECENT}{}", self.text("since"));
        let rows = ask(&self.service, "GET", &address, "").await;
        let rows = rows.as_ref().map(Json::elements).unwrap_or_default();
        let is_new = |row: &&Json| {
            let status = row.get("consignmentTrackingStatus").or(row.get("status"));
            let status = status.and_then(|status| status.get("id")?.as_whole());
            status == Some(2)
        };
        let id = rows
            .iter()
            .find(is_new)
            .and_then(|row| row.get("id"))
            .cloned();
        let words = "no unmanifested consignment is there, and none may be made";
        self.bind(name, id.ok_or_else(|| Skipped(words.to_owned()))?);
        Ok(())
    }

    /// Goes on only where booking calls no carrier: in practice, or where the consignment `name` is a test.
    pub(crate) async fn needs_no_carrier(&self, name: &str) -> Held {
        if self.practice.is_some() {
            return Ok(());
        }
        let address = format!("/apiv2/consignments/getConsignment?id={}", self.id(name));
        let found = ask(&self.service, "GET", &address, "").await;
        let is_test = found.as_ref().and_then(|found| found.get("isTest"));
        let words = "the token is not in test mode: a real carrier would come";
        if is_test == Some(&Json::Bool(true)) {
            Ok(())
        } else {
            Err(Skipped(words.to_owned()))
        }
    }

    /// Goes on unless another service refused: not every deployment has a carrier for everything.
    pub(crate) fn may_refuse<T>(&mut self, result: &Result<T, Failure>) -> Held {
        match result {
            Err(Failure::Refused(_)) if self.practice.is_none() => {
                self.wiretap.next();
                Err(Skipped(
                    "the service has no carrier that takes it".to_owned(),
                ))
            }
            _ => Ok(()),
        }
    }
}
