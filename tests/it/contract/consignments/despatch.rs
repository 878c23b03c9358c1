//! Despatch times: at most one is sent, in the spelling that the deployment knows ("Consignment create
//! request"; the other spelling from the field notes).

use shipping::{Despatch, DespatchSpelling, LocalTime};

use crate::contract::orders;
use crate::support::contract::{Held, Stage, cases};

cases![
    Writes a_local_despatch_time_is_sent_alone,
    Practises the_other_spelling_of_the_despatch_date_is_sent_where_set,
    Practises the_other_spelling_is_silently_ignored,
    Practises of_two_despatch_times_the_utc_one_counts,
    Practises a_past_despatch_time_becomes_now,
];

const CREATE: &str = "POST /apiv2/consignments/createConsignment";

async fn a_local_despatch_time_is_sent_alone(stage: &mut Stage) -> Held {
    stage.needs(&["sender", "carrier", "service"])?;
    let mut order = orders::order(stage);
    let local = LocalTime::read("2026-11-24T10:00:00").expect("a time");
    order.set_despatch(Some(Despatch::Local(local)));
    let made = stage.client().create(&order).await;
    let request = r#"{
        "fromAbbreviation": "<text:sender>",
        $RECEIVER,
        "carrierId": "<id:carrier>", "carrierServiceId": "<id:service>",
        "customerReference": "SO-48213", "dispatchDateTimeLocal": "2026-11-24T10:00:00.000Z", "dgsDeclaration": false,
        $HOSE_REELS
    }"#;
    let answer = r#"{
        "object": {
            "id": "<id>", "despatchDateLocal": "2026-11-24T10:00:00", "despatchDateUtc": "2026-11-23T23:00:00", "...": "..."
        },
        "errors": null
    }"#;
    stage.answered(CREATE, request, answer);
    assert!(made.is_ok());
    Ok(())
}

/// From one saved place to another, with this said of the despatch.
fn leaving(said: &str) -> String {
    let order = r#"{
        "fromCompanyLocationId": 7001, "toAbbreviation": "BALFG", "carrierId": 11, "carrierServiceId": 1101, SAID,
        "dgsDeclaration": false,
        $HOSE_REELS
    }"#;
    order.replace("SAID", said)
}

const AT_ONCE: &str =
    r#"{ "object": { "despatchDateUtc": "2026-11-20T03:05:00", "...": "..." }, "errors": null }"#;

async fn the_other_spelling_of_the_despatch_date_is_sent_where_set(stage: &mut Stage) -> Held {
    stage.speak(|dialect| dialect.despatch = DespatchSpelling::Despatch);
    let mut order = orders::between_saved_places();
    let asked = orders::utc("2026-11-23T00:30:00Z");
    order.set_despatch(Some(asked));
    let made = stage.client().create(&order).await;
    let request = leaving(r#""despatchDateTimeUtc": "2026-11-23T00:30:00.000Z""#);
    stage.answered(CREATE, &request, AT_ONCE);
    let made = made.expect("a consignment");
    assert!(
        made.despatch_differs_from(asked),
        "the practice service knows the specification's spelling"
    );
    Ok(())
}

async fn the_other_spelling_is_silently_ignored(stage: &mut Stage) -> Held {
    let request = leaving(r#""despatchDateTimeLocal": "2026-11-23T10:00:00.000Z""#);
    stage.said(CREATE, &request, AT_ONCE).await;
    Ok(())
}

async fn of_two_despatch_times_the_utc_one_counts(stage: &mut Stage) -> Held {
    let both = r#""dispatchDateTimeUtc": "2026-11-23T00:30:00.000Z", "dispatchDateTimeLocal": "2026-11-24T10:00:00.000Z""#;
    let answer = r#"{ "object": { "despatchDateUtc": "2026-11-23T00:30:00", "...": "..." }, "errors": null }"#;
    stage.said(CREATE, &leaving(both), answer).await;
    Ok(())
}

async fn a_past_despatch_time_becomes_now(stage: &mut Stage) -> Held {
    let past = r#""dispatchDateTimeUtc": "2026-11-01T00:00:00.000Z""#;
    stage.said(CREATE, &leaving(past), AT_ONCE).await;
    Ok(())
}
