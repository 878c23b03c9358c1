//! Faults of the answer: damaged, or replaced by another.

use serde_json::{Value, json};

use super::{COMPANIES, UNMANIFESTED, get, made, order_of, post};
use crate::support::practice::{Bench, CREATE, NOW, messages};
use crate::support::trouble::{Fault, FaultTiming, RetryAfter, RetryForm, Troubled as _};

#[tokio::test]
async fn statuses_come_in_the_place_of_the_deed() {
    let bench = Bench::start().await;
    let when = FaultTiming::Before;
    let retry_after = None;
    for (status, fault) in [
        (401, Fault::Unauthorised),
        (403, Fault::Forbidden),
        (429, Fault::TooMany { retry_after }),
        (500, Fault::Internal { when }),
        (503, Fault::Unavailable { when, retry_after }),
    ] {
        bench.trouble().on(CREATE).once().set(fault).await;
        let came = post(&bench, CREATE, &order_of("SO-1")).await;
        assert_eq!(came.status(), status);
        assert_eq!(came.header("retry-after"), None);
        assert_eq!(messages(&came.json()).len(), 1);
        assert_eq!(made(&bench).await, 0, "{status}: nothing was done");
    }
}

#[tokio::test]
async fn some_come_after_the_deed() {
    let bench = Bench::start().await;
    let when = FaultTiming::After;
    let (status, location) = (307, "https://elsewhere.example/".to_owned());
    let faults = [
        (500, Fault::Internal { when }),
        (
            503,
            Fault::Unavailable {
                when,
                retry_after: None,
            },
        ),
        (200, Fault::Html { when }),
        (
            307,
            Fault::Redirect {
                status,
                location,
                when,
            },
        ),
    ];
    for (count, (status, fault)) in faults.into_iter().enumerate() {
        bench.trouble().on(CREATE).once().set(fault).await;
        let came = post(&bench, CREATE, &order_of("SO-1")).await;
        assert_eq!(came.status(), status);
        assert_eq!(made(&bench).await, count + 1, "{status}: it was done");
    }
}

#[tokio::test]
async fn when_to_come_again_is_said_in_seconds_or_as_a_date_by_the_services_clock() {
    let bench = Bench::start().await;
    bench.set_clock(NOW);
    for (form, said) in [
        (RetryForm::Seconds, "90"),
        (RetryForm::Date, "Fri, 20 Nov 2026 03:06:30 GMT"),
    ] {
        let retry_after = Some(RetryAfter { seconds: 90, form });
        let trouble = bench.trouble().everywhere().once();
        trouble.set(Fault::TooMany { retry_after }).await;
        let came = get(&bench, COMPANIES).await;
        assert_eq!(came.header("retry-after").as_deref(), Some(said));
        if form == RetryForm::Date {
            let now = "Fri, 20 Nov 2026 03:05:00 GMT";
            assert_eq!(came.header("date").as_deref(), Some(now));
        }
    }
}

#[tokio::test]
async fn a_redirect_leads_where_it_was_told_to() {
    let bench = Bench::start().await;
    for status in [301, 302, 307, 308] {
        let location = format!("https://elsewhere.example/{status}");
        let fault = Fault::Redirect {
            status,
            location: location.clone(),
            when: FaultTiming::Before,
        };
        bench.trouble().everywhere().once().set(fault).await;
        let came = get(&bench, COMPANIES).await;
        assert_eq!(came.status(), status);
        assert_eq!(came.header("location"), Some(location));
    }
}

#[tokio::test]
async fn a_page_to_sign_in_at_is_html_with_200() {
    let bench = Bench::start().await;
    let when = FaultTiming::Before;
    bench
        .trouble()
        .everywhere()
        .once()
        .set(Fault::Html { when })
        .await;
    let came = get(&bench, COMPANIES).await;
    assert_eq!(came.status(), 200);
    let kind = came.header("content-type").expect("a type");
    assert!(kind.starts_with("text/html"), "{kind}");
    assert!(came.text().contains("Sign in"));
}

/// What comes with `fault`, and what comes without it.
async fn both(bench: &Bench, path: &str, fault: Fault) -> [super::Came; 2] {
    bench.trouble().on(path).once().set(fault).await;
    let struck = get(bench, path).await;
    let length = struck.header("content-length").expect("a length");
    assert_eq!(length, struck.body().len().to_string(), "HTTP is intact");
    assert_eq!((struck.status(), struck.reset), (200, false));
    [struck, get(bench, path).await]
}

#[tokio::test]
async fn a_garbled_body_is_as_long_and_no_json() {
    let bench = Bench::start().await;
    let [struck, whole] = both(&bench, COMPANIES, Fault::Garble).await;
    assert_eq!(struck.body().len(), whole.body().len());
    assert!(serde_json::from_slice::<Value>(struck.body()).is_err());
    assert_eq!(struck.header("content-type"), whole.header("content-type"));
}

#[tokio::test]
async fn truncated_json_is_the_first_half() {
    let bench = Bench::start().await;
    let [struck, whole] = both(&bench, COMPANIES, Fault::TruncatedJson).await;
    assert_eq!(struck.body(), &whole.body()[..whole.body().len() / 2]);
    assert!(serde_json::from_slice::<Value>(struck.body()).is_err());
}

#[tokio::test]
async fn a_wrong_content_type_is_all_that_is_wrong() {
    let bench = Bench::start().await;
    let [struck, whole] = both(&bench, COMPANIES, Fault::WrongContentType).await;
    assert_eq!(struck.body(), whole.body());
    let kind = struck.header("content-type").expect("a type");
    assert!(kind.starts_with("text/plain"), "{kind}");
}

#[tokio::test]
async fn duplicate_ids_are_rows_that_come_twice() {
    let bench = Bench::start().await;
    for reference in ["SO-1", "SO-2"] {
        bench.posted(CREATE, &order_of(reference)).await;
    }
    let [struck, whole] = both(&bench, UNMANIFESTED, Fault::DuplicateIds).await;
    let ids = |envelope: Value| -> Vec<i64> {
        let rows = envelope["object"].as_array().expect("rows").clone();
        rows.iter()
            .map(|row| row["id"].as_i64().expect("an id"))
            .collect()
    };
    let once = ids(whole.json());
    assert_eq!(ids(struck.json()), [once[0], once[0], once[1], once[1]]);
}

#[tokio::test]
async fn a_huge_answer_is_as_long_as_was_said_with_its_length_or_without() {
    let bench = Bench::start().await;
    let bytes = 5 << 20;
    for declared in [false, true] {
        let trouble = bench.trouble().on(COMPANIES).once();
        trouble.set(Fault::Huge { bytes, declared }).await;
        let request = bench.client.get(bench.url(COMPANIES));
        let request = request.header("token", bench.service.token());
        let reply = request.send().await.expect("a reply");
        assert_eq!(reply.content_length(), declared.then_some(bytes));
        let body = reply.bytes().await.expect("a body");
        assert_eq!(body.len(), usize::try_from(bytes).expect("a length"));
        let envelope: Value = serde_json::from_slice(&body).expect("an envelope");
        assert_eq!(envelope["errors"], Value::Null);
    }
}

#[tokio::test]
async fn a_deep_answer_is_nested_so_deep() {
    let bench = Bench::start().await;
    let levels = 100_000;
    bench
        .trouble()
        .on(COMPANIES)
        .once()
        .set(Fault::Deep { levels })
        .await;
    let came = get(&bench, COMPANIES).await;
    let (open, close) = ("[".repeat(100_000), "]".repeat(100_000));
    assert!(came.text().contains(&format!("{open}{close}")));
    assert!(came.text().ends_with(r#"],"errors":null}"#));
}

#[tokio::test]
async fn what_is_spoilt_was_done() {
    let bench = Bench::start().await;
    let (bytes, declared) = (1 << 20, true);
    let faults = [
        Fault::Garble,
        Fault::TruncatedJson,
        Fault::WrongContentType,
        Fault::DuplicateIds,
        Fault::Huge { bytes, declared },
        Fault::Deep { levels: 10 },
    ];
    for (count, fault) in faults.into_iter().enumerate() {
        bench.trouble().on(CREATE).once().set(fault.clone()).await;
        let came = post(&bench, CREATE, &order_of("SO-1")).await;
        assert_eq!(came.status(), 200);
        assert_eq!(made(&bench).await, count + 1, "{}", json!(fault));
    }
}
