//! A practice service in a process of its own, and what is asked of it.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use packbench::shipping::{
    Centimetres, ConsignmentRequest, ItemRequest, Kilograms, LocationRequest, RouteSelection,
};

/// The running service; it ends with this.
pub(crate) struct Service {
    child: Child,
    pub(crate) address: String,
    pub(crate) token: String,
}

impl Service {
    pub(crate) fn start(data: &Path) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_packbench"))
            .args(["practice", "--port", "0", "--speed", "0", "--data"])
            .arg(data)
            .stdout(Stdio::piped())
            .spawn()
            .expect("our own program starts");
        let lines = child.stdout.take().expect("it is piped");
        let mut lines = BufReader::new(lines).lines();
        let mut line = || lines.next().expect("a line").expect("text");
        let (address, token) = (line(), line());
        Self {
            child,
            address,
            token,
        }
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ended_already = self.child.kill();
        let _status = self.child.wait();
    }
}

/// Two cartons from a saved place to Ballarat, with references of their own.
pub(crate) fn order(number: usize, key: &str) -> ConsignmentRequest {
    let text = |text: &str| Some(text.to_owned());
    let number_of = |text: &str| text.parse().expect("a number");
    let mut order = ConsignmentRequest::default();
    order.from_abbreviation = text("HSYD");
    order.to_name = text("Ballarat Farm & Garden");
    order.to_contact = text("J. Okafor");
    order.to_phone = text("03 5550 0199");
    order.to_email = text("stores@bfg.example");
    order.to_address_line1 = text("8 Creswick Road");
    order.to_location = Some(LocationRequest {
        suburb: "Ballarat Central".to_owned(),
        postcode: "3350".to_owned(),
    });
    order.customer_reference = Some(format!("SO-{number}"));
    order.customer_reference2 = text(key);
    order.default_route_selection = Some(RouteSelection::Cheapest);
    order.dgs_declaration = Some(false);
    order.items = vec![ItemRequest {
        item_type: text("Carton"),
        name: text("Hose reels, 20 m"),
        quantity: Some(2),
        weight: Some(Kilograms(number_of("9"))),
        length: Some(Centimetres(number_of("40"))),
        width: Some(Centimetres(number_of("40"))),
        height: Some(Centimetres(number_of("30"))),
        ..ItemRequest::default()
    }];
    order
}
