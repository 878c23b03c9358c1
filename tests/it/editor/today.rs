//! In a wide window, Today shows the label of a consignment beside the list.

use app::state::JobSubject;
use egui_kittest::kittest::Queryable as _;

use crate::journeys::kit::picture_showing;
use crate::support::desk::Home;
use crate::support::front::Front;
use crate::support::keyboard::click;

/// Sends a consignment, and returns its number.
fn send(front: &mut Front, reference: &str) -> String {
    front.type_consignment(reference);
    front.keys("<Ctrl+Enter>");
    let made = front.until("it is made", |shared| {
        let made = shared.consign.last_created.clone()?;
        (made.customer_reference.as_deref() == Some(reference)).then_some(made)
    });
    front.until("its label", |shared| {
        let preview = shared.labels.preview.value()?;
        (preview.subject == JobSubject::Label(made.id)).then_some(())
    });
    front.rest();
    made.consignment_number
}

#[test]
fn the_label_of_the_last_consignment_stands_beside_today_and_another_can_be_chosen() {
    let home = Home::new();
    let practice = home.practise();
    let mut front = Front::at_practice(&home, &practice);
    front.widgets().set_size(egui::vec2(1800.0, 1000.0));
    let first = send(&mut front, "SO-1");
    let second = send(&mut front, "SO-2");
    picture_showing(
        front.widgets(),
        "today-with-label",
        &["2 consignments", &format!("Label of {second}")],
    );
    // The picture has about the shape of an A6 label.
    let name = format!("Label of {second}");
    let size = front.widgets().get_by_label(&name).rect().size();
    assert!(size.x > 150.0 && size.y > 200.0, "{size:?}");

    click(front.widgets(), &format!("Show the label of {first}"));
    front.until("the other label", |shared| {
        let preview = shared.labels.preview.value()?;
        (preview.number == first).then_some(())
    });
    front.rest();
    assert!(
        { front.widgets() }
            .query_by_label(&format!("Label of {first}"))
            .is_some()
    );
    // A window without room has the list alone.
    front.widgets().set_size(egui::vec2(1440.0, 900.0));
    front.rest();
    assert!(
        { front.widgets() }
            .query_by_label(&format!("Label of {first}"))
            .is_none()
    );
    assert!(front.shows(&format!("Print the label of {first}")));
}

#[test]
fn after_a_restart_the_label_of_the_newest_consignment_is_shown_by_itself() {
    let home = Home::new();
    let practice = home.practise();
    let mut front = Front::at_practice(&home, &practice);
    let number = send(&mut front, "SO-1");
    front.close();
    let mut front = Front::start_open(&home, &practice);
    front.widgets().set_size(egui::vec2(1800.0, 1000.0));
    front.until("its label", |shared| {
        let preview = shared.labels.preview.value()?;
        (preview.number == number).then_some(())
    });
    front.rest();
    assert!(
        { front.widgets() }
            .query_by_label(&format!("Label of {number}"))
            .is_some()
    );
}
