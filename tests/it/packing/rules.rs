//! The rules of packing, without a window.

use draft::{Draft, GoodsLine, PackOutcome, Packing, Preset};

fn line(sku: &str, quantity: &str) -> GoodsLine {
    GoodsLine {
        sku: sku.to_owned(),
        quantity: quantity.to_owned(),
        ..GoodsLine::default()
    }
}

fn order(goods: Vec<GoodsLine>) -> Draft {
    let mut draft = Draft {
        goods,
        is_order: true,
        ..Draft::default()
    };
    draft.begin_packing();
    draft
}

fn sent(draft: &Draft) -> Vec<(String, String)> {
    let goods = draft.as_packed().goods;
    { goods.into_iter() }
        .map(|line| (line.sku, line.quantity))
        .collect()
}

fn texts(lines: &[(&str, &str)]) -> Vec<(String, String)> {
    { lines.iter() }
        .map(|(sku, quantity)| ((*sku).to_owned(), (*quantity).to_owned()))
        .collect()
}

#[test]
fn lines_with_one_sku_are_packed_together_and_filled_in_their_order() {
    let goods = vec![
        line("A", "2"),
        line("", "7"),
        line(" a ", "3"),
        line("B", "1"),
    ];
    let mut draft = order(goods);
    let packing = draft.packing.as_mut().expect("a packing");
    assert_eq!(packing.lines.len(), 2);
    assert_eq!(packing.lines[0].expected, 5);
    assert_eq!(packing.count("A", 3), PackOutcome::Counted(0));
    assert_eq!(packing.count("A", 3), PackOutcome::Surplus(0));
    assert_eq!(packing.count("C", 1), PackOutcome::NotOrdered);
    assert_eq!(packing.pieces(), (3, 6));
    assert_eq!(sent(&draft), texts(&[("A", "2"), ("", "7"), (" a ", "1")]));
}

#[test]
fn a_shortened_line_keeps_the_references_of_its_first_pieces() {
    let mut draft = order(vec![GoodsLine {
        references: "R1 R2 R3".to_owned(),
        ..line("A", "3")
    }]);
    draft.packing.as_mut().expect("a packing").count("A", 2);
    assert_eq!(draft.as_packed().goods[0].references, "R1 R2");
    assert_eq!(draft.goods[0].references, "R1 R2 R3");
}

#[test]
fn a_short_line_of_dangerous_goods_is_changed_by_a_person() {
    let dangerous = GoodsLine {
        dangerous: vec![draft::DgLine::default()],
        ..line("ACID", "3")
    };
    let mut draft = order(vec![dangerous, line("A", "1")]);
    draft.declare(true);
    let packing = draft.packing.as_mut().expect("a packing");
    packing.count("A", 1);
    // Without any piece, the line is left out, and the rest is still declared.
    assert_eq!(draft.packing_problem(), None);
    assert!(draft.as_packed().is_declared());
    let packing = draft.packing.as_mut().expect("a packing");
    packing.count("ACID", 2);
    let problem = draft.packing_problem().expect("a problem");
    assert!(
        problem.starts_with("ACID contains dangerous goods"),
        "{problem}"
    );
    draft.packing.as_mut().expect("a packing").count("ACID", 1);
    assert_eq!(draft.packing_problem(), None);
}

#[test]
fn expected_pieces_follow_the_goods() {
    let mut draft = order(vec![line("A", "2"), line("B", "1")]);
    let packing = draft.packing.as_mut().expect("a packing");
    packing.count("B", 1);
    draft.goods[0].quantity.clear();
    draft.follow_goods();
    let expected = |draft: &Draft| -> Vec<_> {
        let packing = draft.packing.as_ref().expect("a packing");
        { packing.lines.iter() }.map(|line| line.expected).collect()
    };
    assert_eq!(
        expected(&draft),
        [2, 1],
        "a quantity that can't be read changes nothing"
    );
    "4".clone_into(&mut draft.goods[0].quantity);
    draft.goods.remove(1);
    draft.follow_goods();
    assert_eq!(expected(&draft), [4, 0], "a packed piece is not forgotten");
    assert!(draft.packing_problem().is_some());
}

#[test]
fn packing_belongs_to_one_order() {
    let mut draft = order(vec![line("A", "2")]);
    draft.packing.as_mut().expect("a packing").count("A", 1);
    assert_eq!(draft.next().packing, None);
    let preset = Preset::from_draft(&draft, "Usual", 0);
    let mut other = Draft::default();
    preset.apply_to(&mut other, &[]);
    assert_eq!((other.packing.as_ref(), other.goods.len()), (None, 1));
    let mut other = Draft::default();
    other.repeat(draft.clone());
    assert_eq!(other.packing, None);
}

#[test]
fn a_draft_of_an_older_version_is_read_and_one_that_is_not_packed_says_nothing() {
    let plain = Draft::default();
    let json = serde_json::to_string(&plain).expect("a draft");
    assert!(!json.contains("packing"), "{json}");
    let read: Draft = serde_json::from_str(&json).expect("a draft");
    assert_eq!(read.packing, None);
    let packed: Packing = serde_json::from_str("{}").expect("a packing");
    assert_eq!(packed, Packing::default());
    assert!(plain.evidence().is_empty());
}
