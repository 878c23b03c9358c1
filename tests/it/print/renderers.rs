//! Several labels at once: no more renderer processes than allowed, each within its memory limit, and no
//! results mixed up.

use std::collections::HashSet;
use std::sync::Arc;

use printing::page::Scale;
use printing::renderer::{RenderError, RenderLimits, Renderer};
use printing::verification::{ExpectedCodes, verify_page};

use super::hostile::{AT_LEISURE, memory_bomb, peak_bytes};
use super::{label, program};

fn two() -> Arc<Renderer> {
    let limits = RenderLimits {
        children: 2,
        page_time: AT_LEISURE,
        ..RenderLimits::default()
    };
    Arc::new(Renderer::with_limits(program(), limits))
}

#[tokio::test]
async fn labels_at_once_are_shared_among_the_children_and_not_mixed_up() {
    let renderer = two();
    let references: Vec<String> = (0..8).map(|at| format!("PKB00004000{at}")).collect();
    let drawn: Vec<_> = references
        .iter()
        .map(|reference| {
            let (renderer, pdf) = (Arc::clone(&renderer), label(&[reference]));
            tokio::spawn(async move { renderer.render(pdf, 0, Scale::DOTS_8).await })
        })
        .collect();
    for (drawn, reference) in drawn.into_iter().zip(&references) {
        let page = drawn.await.unwrap().unwrap();
        let own = ExpectedCodes::References(vec![reference.clone()]);
        assert!(verify_page(&page, &own).is_ok(), "{reference}");
    }
    let children: HashSet<u32> = renderer.child_ids().into_iter().collect();
    assert_eq!(children.len(), 2, "one a place, and they stay");
    renderer.close().await;
    assert!(renderer.child_ids().is_empty());
    for child in children {
        assert_eq!(peak_bytes(child), None, "a child was left behind");
    }
}

#[tokio::test]
async fn bombs_at_once_cost_their_children_only() {
    let renderer = two();
    let limit = RenderLimits::default().memory_bytes;
    let all: Vec<_> = (0..6)
        .map(|at| {
            let renderer = Arc::clone(&renderer);
            let pdf = if at % 2 == 0 {
                memory_bomb().into()
            } else {
                label(&["PKB000012345"])
            };
            tokio::spawn(async move { (at, renderer.render(pdf, 0, Scale::DOTS_8).await) })
        })
        .collect();
    for task in all {
        let (at, drawn) = task.await.unwrap();
        if at % 2 == 0 {
            assert_eq!(drawn, Err(RenderError::OutOfMemory { mebibytes: 512 }));
        } else {
            assert!(drawn.is_ok(), "{drawn:?}");
        }
        for child in renderer.child_ids() {
            let peak = peak_bytes(child).unwrap_or(0);
            assert!(peak <= limit, "{peak} bytes");
        }
    }
    assert!(renderer.child_ids().len() <= 2);
}
