//! Creates a new draft from a consignment, without its identity.
//!
//! The copy has no references (each names one order, and reconciliation uses them to distinguish consignments), no
//! carrier's numbers, no despatch time, and no declaration of dangerous goods (each consignment needs its own).

use super::dg_line::hazchem_from_id;
use std::collections::BTreeSet;

use super::field::{ConsignmentFlags, Field, Reuse, TEXTS};
use super::{AddressMode, ChosenRoute, DgLine, Draft, DraftId, GoodsLine, Routing, edit};
use shipping::{Consignment, DgItem, EditForm};

impl Draft {
    /// Copies the editable form of an unmanifested consignment.
    pub fn copy_of_form(form: &EditForm, zone: &str) -> Option<Self> {
        Some(Self::from_form(form, zone)?.without_identity())
    }

    /// Copies a fetched consignment. Saved locations, accounts and options are left out, because the answer
    /// does not contain them.
    pub fn copy_of(consignment: &Consignment) -> Self {
        // Writing a record that was read, and reading it again, cannot fail.
        let form = EditForm::from_consignment(consignment).unwrap_or_default();
        let mut draft = edit::read::draft(&form, "").without_identity();
        draft.to.mode = AddressMode::Full;
        draft.to.saved = None;
        for (line, item) in draft.goods.iter_mut().zip(consignment.items()) {
            // Unlike a form, the answer contains the shipping names.
            line.dangerous = { item.consignment_item_dg_items.iter() }
                .map(Into::into)
                .collect();
        }
        if draft.goods.is_empty() {
            draft.goods.push(GoodsLine::default());
        }
        draft.routing = routing(consignment);
        draft
    }

    /// Takes over the goods, options and route of an earlier order, which is a copy. Addresses, references and everything else
    /// that belongs to one consignment stay.
    pub fn repeat(&mut self, order: Self) {
        for option in TEXTS {
            let text = (option.value)(&order);
            if option.reuse != Reuse::Once && !text.trim().is_empty() {
                (option.value_mut)(self).clone_from(text);
            }
        }
        self.goods = order.goods;
        self.questions = order.questions;
        self.flags = order.flags;
        self.custom_values = order.custom_values;
        self.receiver_account_by = order.receiver_account_by;
        self.duties_by_recipient = order.duties_by_recipient;
        if order.routing != Routing::Unchosen {
            self.routing = order.routing;
        }
        self.declare(false);
    }

    /// Makes the return of an unmanifested consignment from its editable form.
    pub fn return_of_form(form: &EditForm, zone: &str) -> Option<Self> {
        let original = Self::from_form(form, zone)?;
        let number = original.edits.as_ref()?.number.clone();
        let reference = original.reference1.clone();
        Some(original.without_identity().into_return(&number, &reference))
    }

    /// Makes the return of a fetched consignment.
    pub fn return_of(consignment: &Consignment) -> Self {
        let reference = consignment.customer_reference.as_deref();
        Self::copy_of(consignment).into_return(
            &consignment.consignment_number,
            reference.unwrap_or_default(),
        )
    }

    /// Exchanges sender and receiver, and keeps the goods. The reference names the consignment that is returned. The
    /// route and everything that belongs to the delivery there is left out.
    fn into_return(mut self, number: &str, reference: &str) -> Self {
        self.swap_sides();
        let own = format!("Return of {number}");
        let both = format!("{own}, {}", reference.trim());
        let fits = both.chars().count() <= Field::Reference1.row().max_chars;
        Self {
            reference1: if reference.trim().is_empty() || !fits {
                own
            } else {
                both
            },
            instructions: String::new(),
            questions: BTreeSet::new(),
            flags: ConsignmentFlags::default(),
            receiver_account: String::new(),
            custom_values: Vec::new(),
            routing: Routing::Unchosen,
            ..self
        }
    }

    #[must_use]
    pub(super) fn without_identity(mut self) -> Self {
        for line in &mut self.goods {
            line.of_item = None;
            line.references.clear();
            line.weighed = None;
        }
        for option in TEXTS {
            if option.reuse == Reuse::Once {
                (option.value_mut)(&mut self).clear();
            }
        }
        Self {
            id: DraftId::random(),
            dangerous_goods_declared: false,
            declared_goods: 0,
            is_order: false,
            is_from_folder: false,
            was_opened: false,
            packing: None,
            is_return: false,
            pending: None,
            edits: None,
            ..self
        }
    }

    /// Sets the names of the carrier and service, if only their ids are known.
    pub fn name_carrier(&mut self, carrier: &str, service: &str) {
        if let Routing::Chosen(chosen) | Routing::Carrier(chosen) = &mut self.routing
            && chosen.carrier.is_empty()
        {
            carrier.clone_into(&mut chosen.carrier);
            service.clone_into(&mut chosen.service);
        }
    }
}

fn routing(of: &Consignment) -> Routing {
    of.carrier_id().map_or(Routing::Unchosen, |carrier_id| {
        Routing::from_carrier(ChosenRoute {
            service_id: of.carrier_service_id(),
            service: of.service_name().to_owned(),
            ..ChosenRoute::of_carrier(carrier_id, of.carrier_name().to_owned())
        })
    })
}

fn number<T: ToString>(of: Option<T>) -> String {
    of.map(|number| number.to_string()).unwrap_or_default()
}

impl From<&DgItem> for DgLine {
    fn from(of: &DgItem) -> Self {
        let by_id = || of.dg_hazchem_id.and_then(|id| hazchem_from_id(id.into()));
        let hazchem = of.hazchem.as_deref().or_else(by_id);
        Self {
            un_number: number(of.un_number),
            shipping_name: of.proper_shipping_name.clone().unwrap_or_default(),
            packing_group: of.packing_group,
            class: of.dg_class_type,
            sub_classes: of.sub_dg_class_types.clone(),
            container: of.container_type,
            containers: number(of.number_of_containers),
            amount: number(of.aggregate_quantity.map(|of| of.0.normalize())),
            litres: of.is_aggregate_quantity_weight != Some(true),
            flash_point: number(of.flashpoint.map(|of| of.0.normalize())),
            hazchem: hazchem.unwrap_or_default().to_owned(),
            technical_name: of.technical_or_chemical_group_names.join("; "),
            marine_pollutant: of.is_marine_pollutant == Some(true),
            temperature_controlled: of.is_temperature_controlled == Some(true),
            empty_uncleaned: of.is_empty_dg_container == Some(true),
            ..Self::default()
        }
    }
}
