//! The rights of each user, by token and mode.

use serde_json::{Value, json};

use crate::support::practice::{Bench, CREATE, CREATE_COMPLEX, EDIT, FOR_EDIT, order};

#[tokio::test]
async fn a_view_only_user_is_refused_everything_that_changes_something() {
    let mut bench = Bench::start().await;
    let id = bench.posted(CREATE, &order()).await["id"].clone();
    let form = bench.fetched(&format!("{FOR_EDIT}?id={id}")).await;
    let viewer = bench.service.viewer_token().to_owned();
    bench.use_token(&viewer);
    let cases = [
        (CREATE, order(), "create consignments"),
        (CREATE_COMPLEX, order(), "create consignments"),
        (EDIT, form, "edit consignments"),
        (
            "/apiv2/consignments/deleteUnmanifestedConsignments",
            json!([id]),
            "delete consignments",
        ),
        (
            "/apiv2/consignments/updateConsignmentStatuses",
            json!([{ "consignmentId": id, "status": 10 }]),
            "update consignment statuses",
        ),
        (
            "/apiv2/manifests/manifest",
            json!([{ "consignmentIds": [id] }]),
            "manifest consignments",
        ),
        (
            "/apiv2/pendingConsignments/createPendingConsignment",
            json!({}),
            "change pending consignments",
        ),
        (
            "/apiv2/pendingConsignments/deletePendingConsignments",
            json!([1]),
            "change pending consignments",
        ),
        (
            "/apiv2/labels/sendLabelsToPrinter",
            json!([{ "consignmentIds": [id], "labelType": 3, "printerId": 1, "printA4": false }]),
            "send labels to a printer",
        ),
        (
            "/practice/convertPendingConsignment?id=1",
            Value::Null,
            "create consignments",
        ),
    ];
    for (path, body, what) in cases {
        let wording = format!("You do not have permission to {what}");
        assert_eq!(bench.refused(path, &body).await, [wording], "{path}");
    }
    let seen = bench.consignment(&id).await;
    assert_eq!(seen["status"]["id"], json!(2), "looking is allowed");
}

#[tokio::test]
async fn every_user_has_a_token_of_their_own_that_stays() {
    let bench = Bench::start().await;
    let tokens = |bench: &Bench| {
        let service = &bench.service;
        [
            service.token(),
            service.viewer_token(),
            service.supervisor_token(),
            service.test_token(),
        ]
        .map(str::to_owned)
    };
    let first = tokens(&bench);
    for (index, token) in first.iter().enumerate() {
        assert_eq!(token.len(), 48);
        assert!(!first[..index].contains(token));
    }
    let bench = Bench::start_in(bench.stop().await).await;
    assert_eq!(tokens(&bench), first);
}
