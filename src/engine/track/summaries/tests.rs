//! Compares the parts of the summaries with a map. The tests in `tests/it/track` compare the summaries with the
//! store.

use std::collections::BTreeMap;

use jiff::Timestamp;
use proptest::prelude::*;

use super::{ConsignmentSummary, Summaries};
use shipping::{CarrierId, CompanyId, ConsignmentId, StatusId};

fn summary(id: i64, mark: i64) -> ConsignmentSummary {
    let at = Timestamp::from_second(1_790_000_000 + mark).expect("in range");
    ConsignmentSummary {
        id: ConsignmentId::new(id),
        company: (mark % 3 > 0).then(|| CompanyId::new(mark % 7)),
        carrier: (mark % 5 > 0).then(|| CarrierId::new(mark % 11)),
        status: StatusId::new(mark % 13),
        despatch: at.into(),
        eta: None.into(),
        eta_day: 0,
        changed: at.into(),
        scanned: None.into(),
        booked: at.into(),
        ended: None.into(),
    }
}

type Model = BTreeMap<ConsignmentId, ConsignmentSummary>;

fn assert_same(summaries: &Summaries, model: &Model) {
    let held: Vec<_> = summaries.iter().collect();
    assert!(held.iter().map(|one| one.id).eq(model.keys().copied()));
    for (one, wanted) in held.into_iter().zip(model.values()) {
        let ids = (wanted.company, wanted.carrier, wanted.status);
        assert_eq!(summaries.ids_of(one), ids);
        assert_eq!((one.changed, one.booked), (wanted.changed, wanted.booked));
        assert_eq!(summaries.get(one.id), Some(one));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn summaries_are_those_written_last_and_a_snapshot_stays_as_it_was(
        changes in prop::collection::vec(
            (any::<bool>(), prop::collection::vec((1_i64..4_000, 0_i64..1_000), 0..900)),
            1..20,
        ),
    ) {
        let (mut summaries, mut model) = (Summaries::default(), Model::new());
        for (adds, rows) in changes {
            let (before, copy) = (model.clone(), summaries.clone());
            if adds {
                let rows: Vec<_> = rows.iter().map(|(id, mark)| summary(*id, *mark)).collect();
                summaries.put(&rows);
                model.extend(rows.iter().map(|one| (one.id, *one)));
            } else {
                let ids: Vec<_> = rows.iter().map(|(id, _)| ConsignmentId::new(*id)).collect();
                summaries.forget(&ids);
                model.retain(|id, _| !ids.contains(id));
            }
            assert_same(&summaries, &model);
            assert_same(&copy, &before);
        }
    }
}
