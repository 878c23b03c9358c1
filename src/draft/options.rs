//! The options of a consignment as a whole, in two tables: its texts and its flags. The request, the form of an edited
//! consignment, clones, presets, the import of orders, limits and refusals read these tables.

use serde::{Deserialize, Serialize};

use super::field::{Field, USUAL};
use super::{Draft, Preset};
use shipping::ConsignmentRequest;

/// A text that is typed for the consignment as a whole.
pub(crate) struct TextOption {
    pub(crate) field: Field,
    pub(crate) max_chars: usize,
    pub(crate) reuse: Reuse,
    pub(crate) value: fn(&Draft) -> &String,
    pub(crate) value_mut: fn(&mut Draft) -> &mut String,
    /// The request's field; `None` if the text is converted before it is sent.
    pub(crate) request: Option<fn(&mut ConsignmentRequest) -> &mut Option<String>>,
    /// The service's names, the request's name first.
    pub(crate) wire_names: &'static [&'static str],
}

/// Whether an option's text is meant for other consignments, too.
#[derive(Clone, Copy)]
pub(crate) enum Reuse {
    /// The text belongs to one consignment, so clones and presets leave it out.
    Once,
    Clone,
    Preset(PresetText),
}

/// An option's text in a preset, and its label in the preset's description.
#[derive(Clone, Copy)]
pub(crate) struct PresetText {
    pub(crate) value: fn(&Preset) -> &String,
    pub(crate) value_mut: fn(&mut Preset) -> &mut String,
    pub(crate) label: &'static str,
}

/// Declares the texts. A row names the field, the draft's member, the maximum number of characters, the reuse (with a
/// label if presets keep the text in a member of the same name), the request's member (`_` if the text is converted
/// first), and the service's names.
macro_rules! texts {
    ($($field:ident $member:ident $most:tt $reuse:ident $($label:literal)? => $request:tt [$($wire:literal)+];)+) => {
        pub(crate) const TEXTS: &[TextOption] = &[$(TextOption {
            field: Field::$field,
            max_chars: $most,
            reuse: texts!(@reuse $reuse $member $($label)?),
            value: |draft| &draft.$member,
            value_mut: |draft| &mut draft.$member,
            request: texts!(@request $request),
            wire_names: &[$($wire),+],
        }),+];
    };
    (@reuse Preset $member:ident $label:literal) => {
        Reuse::Preset(PresetText {
            value: |preset| &preset.$member,
            value_mut: |preset| &mut preset.$member,
            label: $label,
        })
    };
    (@reuse $reuse:ident $member:ident) => { Reuse::$reuse };
    (@request _) => { None };
    (@request $request:ident) => { Some(|request| &mut request.$request) };
}

/// Returns the texts that presets keep.
pub(crate) fn preset_texts() -> impl Iterator<Item = (&'static TextOption, PresetText)> {
    TEXTS.iter().filter_map(|option| match option.reuse {
        Reuse::Preset(kept) => Some((option, kept)),
        Reuse::Once | Reuse::Clone => None,
    })
}

// The rows are in the order of the screen.
texts! {
    Reference1 reference1 USUAL Once => customer_reference ["customerReference"];
    Reference2 reference2 USUAL Once => customer_reference2 ["customerReference2"];
    Despatch despatch 40 Once => _
        ["dispatchDateTimeUtc" "dispatchDateTimeLocal" "despatchDateTimeUtc" "despatchDateTimeLocal"];
    Instructions instructions 250 Preset "Instructions" => special_instructions ["specialInstructions"];
    ReceiverAccount receiver_account 40 Clone => _ ["receiverAccountCode" "receiverAccountId"];
    PrinterToken printer_token 100 Preset "Printer token" => printer_token ["printerToken"];
    Staff staff 80 Once => staff_member_name ["staffMemberName"];
    CarrierNumber carrier_number 40 Once => carrier_consignment_id ["carrierConsignmentId"];
}

/// Declares the flags. A row names the flag, its member in [`ConsignmentFlags`], the request's member, the label, the
/// label of its checkbox, and the service's names, the request's name first.
macro_rules! flags {
    ($($(#[$doc:meta])* $flag:ident $member:ident => $request:ident $label:literal $checkbox:literal [$($wire:literal)+];)+) => {
        /// An optional boolean of a consignment.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum ConsignmentFlag {
            $($(#[$doc])* $flag,)+
        }

        /// The flags that are set. Drafts and presets store them among their own fields.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
        #[serde(default)]
        pub struct ConsignmentFlags {
            $($(#[$doc])* pub $member: bool,)+
        }

        impl ConsignmentFlags {
            pub fn value_mut(&mut self, flag: ConsignmentFlag) -> &mut bool {
                match flag { $(ConsignmentFlag::$flag => &mut self.$member),+ }
            }
        }

        impl ConsignmentFlag {
            /// All flags, in the order of the screen.
            pub const ALL: &'static [Self] = &[$(Self::$flag),+];

            pub const fn label(self) -> &'static str {
                match self { $(Self::$flag => $label),+ }
            }

            pub const fn checkbox_label(self) -> &'static str {
                match self { $(Self::$flag => $checkbox),+ }
            }

            pub(crate) const fn wire_names(self) -> &'static [&'static str] {
                match self { $(Self::$flag => &[$($wire),+]),+ }
            }

            pub(crate) fn request(self, request: &mut ConsignmentRequest) -> &mut Option<bool> {
                match self { $(Self::$flag => &mut request.$request),+ }
            }
        }
    };
}

flags! {
    /// Whether the receiver gets a tracking e-mail.
    TrackingEmail tracking_email => sending_tracking_email
        "Tracking e-mail" "Send a tracking e-mail" ["sendingTrackingEmail" "sendTrackingEmail"];
}

impl ConsignmentFlags {
    pub fn is_set(mut self, flag: ConsignmentFlag) -> bool {
        *self.value_mut(flag)
    }

    pub fn iter(self) -> impl Iterator<Item = ConsignmentFlag> {
        let all = ConsignmentFlag::ALL.iter().copied();
        all.filter(move |flag| self.is_set(*flag))
    }
}

impl ConsignmentFlag {
    /// Returns the name of the flag in the request and in the editable form.
    pub const fn wire_name(self) -> &'static str {
        self.wire_names()[0]
    }
}
