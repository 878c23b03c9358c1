//! Faults of a practice service, set over its control address:
//! `bench.trouble().on(CREATE).skip(1).times(2).set(…)`.
//!
//! Each call exists twice: async, and as `…_now` for tests without a runtime.

use std::future::Future;

use practice::RunningService;
use serde_json::{Value, json};

use super::practice::{Bench, client};

pub(crate) use practice::{Fault, FaultTiming, RetryAfter, RetryForm};

/// What can be troubled.
pub(crate) trait Troubled {
    fn trouble(&self) -> Troubles;
}

impl Troubled for RunningService {
    fn trouble(&self) -> Troubles {
        Troubles {
            base_url: self.base_url(),
            token: self.token().to_owned(),
        }
    }
}

impl Troubled for Bench {
    fn trouble(&self) -> Troubles {
        self.service.trouble()
    }
}

/// Sets the faults of one service.
#[derive(Debug, Clone)]
pub(crate) struct Troubles {
    base_url: String,
    token: String,
}

impl Troubles {
    /// A fault on the operation at `path`, written as in the definition.
    pub(crate) fn on(self, path: &str) -> Order {
        self.order(&json!(path))
    }

    /// A fault on every operation.
    pub(crate) fn everywhere(self) -> Order {
        self.order(&Value::Null)
    }

    fn order(self, operation: &Value) -> Order {
        Order {
            troubles: self,
            trouble: json!({ "operation": operation }),
        }
    }

    /// What is set, in order; see `TroubleReport` in the definition.
    pub(crate) async fn list(&self) -> Vec<Value> {
        let listed = self.call("GET", "troubles", None).await;
        listed["object"].as_array().expect("troubles").clone()
    }

    pub(crate) fn list_now(&self) -> Vec<Value> {
        now(self.list())
    }

    /// How often anything has struck.
    pub(crate) async fn struck(&self) -> u64 {
        let all = self.list().await;
        let struck = all.iter().map(|report| report["struck"].as_u64());
        struck.map(|struck| struck.expect("a count")).sum()
    }

    pub(crate) fn struck_now(&self) -> u64 {
        now(self.struck())
    }

    /// All is well again.
    pub(crate) async fn clear(&self) {
        let cleared = self.call("POST", "clearTroubles", None).await;
        assert_eq!(cleared["success"], json!(true), "{cleared}");
    }

    pub(crate) fn clear_now(&self) {
        now(self.clear());
    }

    async fn call(&self, method: &str, operation: &str, body: Option<&Value>) -> Value {
        let url = format!("{}/practice/{operation}", self.base_url);
        let request = client().request(method.parse().expect("a method"), url);
        let request = request.header("token", &self.token);
        let request = match body {
            Some(body) => request.body(body.to_string()),
            None => request,
        };
        let reply = request.send().await.expect("a reply");
        let text = reply.text().await.expect("its text");
        serde_json::from_str(&text).unwrap_or_else(|_| panic!("no envelope: {text}"))
    }
}

/// A fault that is being described.
#[derive(Debug, Clone)]
pub(crate) struct Order {
    troubles: Troubles,
    trouble: Value,
}

impl Order {
    /// This many matching calls pass first.
    pub(crate) fn skip(self, calls: u32) -> Self {
        self.with("skip", &json!(calls))
    }

    /// Limits the fault to this many calls.
    pub(crate) fn times(self, calls: u32) -> Self {
        self.with("times", &json!(calls))
    }

    pub(crate) fn once(self) -> Self {
        self.times(1)
    }

    pub(crate) fn named(self, name: &str) -> Self {
        self.with("name", &json!(name))
    }

    fn with(mut self, field: &str, value: &Value) -> Self {
        self.trouble[field] = value.clone();
        self
    }

    /// Sets it; gives the service's report of it.
    #[expect(
        clippy::needless_pass_by_value,
        reason = "a fault is made where it is set"
    )]
    pub(crate) fn set(self, fault: Fault) -> impl Future<Output = Value> {
        let order = self.with("fault", &json!(fault));
        async move {
            let trouble = Some(&order.trouble);
            let mut set = order.troubles.call("POST", "setTrouble", trouble).await;
            assert_eq!(set["errors"], Value::Null, "{set}");
            set["object"].take()
        }
    }

    pub(crate) fn set_now(self, fault: Fault) -> Value {
        now(self.set(fault))
    }
}

/// For tests without a runtime; within one it would fail.
fn now<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = { runtime }.enable_all().build().expect("a runtime");
    runtime.block_on(future)
}
