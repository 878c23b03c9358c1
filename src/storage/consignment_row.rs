//! The members of a tracked consignment's row: how each is stored, merged and shown in lists. The service's answers
//! are converted to rows here, too.
//!
//! Invariant: the key of a field never changes, because saved views contain it.

use std::borrow::Cow;

use jiff::Timestamp;

use super::ViewedList;
use super::list_field::{FieldKind, FieldValue, FreeSearch, kind_of};
use super::track_store::columns::{
    ColumnReader, ListValue as _, StoreTable, StoredColumn, StoredMember, if_stored,
};
use shipping::{
    CarrierId, CarrierServiceId, CompanyId, Consignment, ConsignmentId, CubicMetres, Dollars,
    Kilograms, LocalTime, Location, ManifestId, Status, StatusChange, StatusId, UtcTime,
    time_zone_of,
};

/// When a member keeps its former value although the service's answer has no value for it: no text, no number, or 0.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Merge {
    /// After every answer. The service can change such a value but never removes it, so a missing value means that
    /// this deployment does not send it.
    Keep,
    /// After incomplete answers, such as rows of a list. A complete answer without the value removes it.
    KeepInLists,
    /// As decided for this member in [`ConsignmentHistory::of`] and [`ConsignmentRow::merge`].
    ByHand,
}

impl Merge {
    /// Returns whether a value that an answer lacks is kept.
    fn keeps(self, is_complete: bool) -> bool {
        self == Self::Keep || (self == Self::KeepInLists && !is_complete)
    }
}

/// Defines [`ConsignmentRow`], [`ListField`] and [`LIST_FIELDS`].
macro_rules! consignment_row {
    ($(
        $( => $own:ident $own_key:literal $own_alias:literal $own_name:literal $own_lists:ident $own_kind:ident )?
        $(
            $(#[$doc:meta])* $member:ident: $type:ty [$table:ident $merge:ident]
            $( => $field:ident $key:literal $alias:literal $name:literal $lists:ident $search:ident $(.$part:ident)? )*
        )?
    ;)+) => {
        /// A row of a tracked consignment. Texts that the service did not give are empty.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct ConsignmentRow {
            pub id: ConsignmentId,
            $($( $(#[$doc])* pub $member: $type, )?)+
        }

        impl ConsignmentRow {
            /// Returns a row without any values.
            pub fn empty(id: ConsignmentId) -> Self {
                Self { id, $($( $member: Default::default(), )?)+ }
            }

            /// Keeps the former values of members that the answer has no value for.
            fn keep_missing(&mut self, before: &Self, is_complete: bool) {
                $($(
                    if Merge::$merge.keeps(is_complete) && self.$member == <$type>::default() {
                        self.$member.clone_from(&before.$member);
                    }
                )?)+
            }

            /// Returns the columns in which members are stored.
            pub(super) fn columns() -> Vec<StoredColumn> {
                let mut columns = Vec::new();
                $($( if_stored! { $table
                    StoredColumn::add::<$type>(&mut columns, StoreTable::$table, stringify!($member));
                } )?)+
                columns
            }

            /// Returns the values of a table's columns, in the order of [`Self::columns`].
            pub(super) fn column_values(&self, table: StoreTable) -> Vec<rusqlite::types::ToSqlOutput<'_>> {
                let mut values = Vec::new();
                $($( if_stored! { $table
                    if table == StoreTable::$table {
                        self.$member.write(&mut values);
                    }
                } )?)+
                values
            }

            /// Reads the columns of [`Self::columns`].
            pub(super) fn read_columns(&mut self, columns: &mut ColumnReader<'_>) -> rusqlite::Result<()> {
                $($( if_stored! { $table self.$member = StoredMember::read(columns)?; } )?)+
                Ok(())
            }
        }

        /// A field of a consignment, which is a column of a list.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum ListField {
            $( $($own,)? $($( $field, )*)? )+
        }

        /// All fields, in the order of `ListField`. Lists offer their columns in this order.
        pub static LIST_FIELDS: &[ListFieldEntry] = &[$(
            $(ListFieldEntry {
                field: ListField::$own,
                key: $own_key,
                alias: $own_alias,
                name: $own_name,
                lists: $own_lists,
                kind: FieldKind::$own_kind,
                search: FreeSearch::No,
                stored: None,
                value: |_| FieldValue::Missing,
            },)?
            $($(ListFieldEntry {
                field: ListField::$field,
                key: $key,
                alias: $alias,
                name: $name,
                lists: $lists,
                kind: kind_of(|row| &row.$member $(.$part)?),
                search: FreeSearch::$search,
                stored: Some((StoreTable::$table, concat!(stringify!($member) $(, "_", stringify!($part))?))),
                value: |row| row.$member $(.$part)?.list_value(),
            },)*)?
        )+];
    };
}

/// The names of a field, the lists that show it, and its place in the store.
#[derive(Debug)]
pub struct ListFieldEntry {
    pub field: ListField,
    /// Identifies the field in saved views, and in filters: `carrier:southern`.
    pub key: &'static str,
    /// A second word for the field in filters; may be empty.
    pub alias: &'static str,
    /// The name in dialogs, and the heading of the column in copies and exports.
    pub name: &'static str,
    /// The lists that have the field as a column.
    pub(super) lists: &'static [ViewedList],
    pub(super) kind: FieldKind,
    pub(super) search: FreeSearch,
    /// The column in the store; `None` for a field that only the window knows.
    pub(super) stored: Option<(StoreTable, &'static str)>,
    /// Returns the value that a row has for the field.
    pub(super) value: fn(&ConsignmentRow) -> FieldValue<'_>,
}

const BOTH: &[ViewedList] = &[ViewedList::Dispatch, ViewedList::Track];
const DISPATCH: &[ViewedList] = &[ViewedList::Dispatch];
const TRACK: &[ViewedList] = &[ViewedList::Track];
const NEITHER: &[ViewedList] = &[];

// Each row is a member of `ConsignmentRow`: its name, which is also the name of its column; its type; the table of
// the store; and when it keeps its former value. If lists show the member, `=>` and a list field follow: its variant
// of `ListField`, its key, a second word for filters, its name, the lists that have it as a column, and whether Track
// finds its text without the column's name. A row with only a list field defines a field that is not in the store and
// that only the window knows.
//
// The store is built again after any change of its columns or of the fields that Track searches.
consignment_row! {
    /// The consignment number, such as `MS200431`.
    number: String [Shown Keep] => Number "number" "no" "Number" BOTH Number;
    status: Status [Names ByHand] => Status "status" "" "Status" TRACK No;
    /// The shipper's reference.
    reference: String [Shown KeepInLists] => Reference "reference" "ref" "Reference" BOTH Number;
    /// The second reference, which may contain the bench's key.
    reference2: String [Shown KeepInLists] => Reference2 "reference-2" "ref2" "Second reference" BOTH Number;
    /// The consignment's number at the carrier.
    carrier_number: String [Shown Keep] => CarrierNumber "carrier-number" "con" "Carrier con. number" BOTH Number;
    /// The receiver's name.
    to: String [Shown Keep] => To "to" "receiver" "Receiver" BOTH Words;
    /// The destination.
    to_place: Location [Shown Keep]
        => Suburb "suburb" "town" "Suburb" BOTH Words .suburb
        => State "state" "" "State" BOTH No .state
        => Postcode "postcode" "zip" "Postcode" BOTH Words .postcode
        => Country "country" "" "Country" BOTH No .country;
    /// The sender's name.
    from: String [Shown Keep] => From "from" "sender" "Sender" BOTH Words;
    /// The pickup place.
    from_place: Location [Shown Keep];
    /// The carrier's id, if the answer gives it.
    carrier_id: Option<CarrierId> [Names ByHand];
    /// The carrier's name.
    carrier: String [Names ByHand] => Carrier "carrier" "" "Carrier" BOTH No;
    /// The id of the carrier's service, if the answer gives it.
    service_id: Option<CarrierServiceId> [Shown ByHand];
    /// The name of the carrier's service.
    service: String [Shown ByHand] => Service "service" "" "Service" BOTH No;
    /// The company that owns the consignment.
    company: Option<CompanyId> [Tracked Keep] => Company "company" "" "Company" TRACK No;
    /// Number of pieces.
    pieces: i64 [Shown Keep] => Pieces "pieces" "pcs" "Pieces" BOTH No;
    /// Total weight in kilograms.
    weight: Option<Kilograms> [Shown Keep] => Weight "kg" "weight" "kg" BOTH No;
    /// Total volume in cubic metres.
    volume: Option<CubicMetres> [Shown Keep] => Volume "m3" "volume" "m³" BOTH No;
    /// Price for the shipper, including tax.
    price: Option<Dollars> [Shown Keep] => Price "price" "" "Price (inc GST)" BOTH No;
    /// Despatch time in the sender's time zone.
    despatch: Option<LocalTime> [Shown ByHand] => Despatch "despatch" "leaves" "Despatch" BOTH No;
    /// Despatch time.
    despatch_at: Option<Timestamp> [Tracked ByHand];
    /// ETA in the receiver's time zone.
    eta: Option<LocalTime> [Shown ByHand] => Eta "eta" "arrives" "ETA" BOTH No;
    eta_at: Option<Timestamp> [Tracked ByHand];
    /// When the status last changed; `None` if no entry of the history has a time.
    changed: Option<Timestamp> [Tracked ByHand] => Changed "changed" "" "Last change" TRACK No;
    /// When the carrier last reported a status.
    scanned: Option<Timestamp> [Tracked ByHand] => Scanned "scanned" "" "Last scan" TRACK No;
    /// When the consignment was booked: the time of its first status Manifested.
    booked: Option<Timestamp> [Tracked ByHand];
    /// When the consignment was delivered, or ended in another way.
    ended: Option<Timestamp> [Tracked ByHand];
    /// True if there are dangerous goods; `None` if unknown.
    dangerous: Option<bool> [Shown Keep] => Dangerous "dg" "dangerous" "Dangerous goods" BOTH No;
    /// True if one of the places is outside Australia.
    international: bool [Shown ByHand] => International "international" "abroad" "International" BOTH No;
    => OnHold "held" "" "On hold" DISPATCH Mark;
    => Label "label" "printed" "Label" DISPATCH Text;
    /// True if marked as important at the service.
    important: bool [Shown ByHand] => Important "important" "" "Important" BOTH No;
    /// Number of attached files.
    attachments: i64 [Shown ByHand] => Files "files" "" "Files" TRACK No;
    manifest: Option<ManifestId> [Shown KeepInLists] => Manifest "manifest" "" "Manifest" TRACK No;
    /// Token of the public tracking page.
    tracking_token: String [Shown Keep];
    /// True if the consignment was made in test mode, so that no carrier collects it.
    is_test: bool [Shown ByHand];
    // Fields for exports of consignments that need attention: the exception, and when it began.
    => Exception "what" "" "What" NEITHER Text;
    => Since "since" "" "Since" NEITHER Moment;
}

/// A tracked consignment with its history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsignmentHistory {
    pub row: ConsignmentRow,
    /// The status history, as the service gave it.
    pub history: Vec<StatusChange>,
}

impl ConsignmentHistory {
    /// Converts the service's answer, in any of its shapes. Values that the answer leaves out are taken from
    /// the row `before`. A history that the answer leaves out stays empty here; the caller keeps the stored history.
    pub fn of(one: &Consignment, before: Option<&ConsignmentRow>) -> Self {
        let history = one.history().to_vec();
        let status = one.status().cloned().unwrap_or_default();
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        let place = |place: &Option<Location>| place.clone().unwrap_or_default();
        let (from_place, to_place) = (place(&one.from_location), place(&one.to_location));
        let at = |step: &StatusChange| step.status_date_utc.map(|at| at.0);
        let from_carrier = |step: &&StatusChange| {
            step.carrier_status.is_some() || step.carrier_status_description.is_some()
        };
        let left = |step: &&StatusChange| {
            let there = step.consignment_tracking_status.as_ref();
            there.is_some_and(|there| there.id == StatusId::MANIFESTED)
        };
        let ended = one.completed_date_utc.map(|at| at.0);
        let ended = ended.or_else(|| reached(&history, status.id));
        let row = ConsignmentRow {
            id: one.id,
            company: one.company_id,
            number: one.consignment_number.clone(),
            carrier_number: text(&one.carrier_consignment_id),
            reference: text(&one.customer_reference),
            reference2: text(&one.customer_reference2),
            tracking_token: text(&one.tracking_page_access_token),
            from: text(&one.from_name),
            to: text(&one.to_name),
            carrier_id: one.carrier_id(),
            carrier: one.carrier_name().to_owned(),
            service_id: one.carrier_service_id(),
            service: one.service_name().to_owned(),
            changed: history.iter().filter_map(at).max(),
            scanned: { history.iter().filter(from_carrier).filter_map(at).max() },
            booked: { history.iter().filter(left).filter_map(at).min() },
            ended: ended.filter(|_| status.id.is_final()),
            status,
            despatch: one.despatch_date_local,
            despatch_at: moment(one.despatch_date_utc, one.despatch_date_local, &from_place),
            eta: one.eta_local,
            eta_at: moment(one.eta_utc, one.eta_local, &to_place),
            from_place,
            to_place,
            manifest: one.manifest_id.filter(|id| id.get() != 0),
            attachments: { one.attachment_count }
                .or_else(|| before.map(|before| before.attachments))
                .unwrap_or_default(),
            pieces: one.pieces(),
            weight: one.total_weight,
            volume: one.total_volume.or(one.total_cubic),
            price: one.consignment_total.total_sell_price,
            dangerous: one.dangerous_goods(),
            international: one.is_international,
            important: one.important,
            is_test: { one.is_test }.unwrap_or_else(|| before.is_some_and(|before| before.is_test)),
        };
        let row = row.merge(one, before);
        Self { row, history }
    }
}

impl ConsignmentRow {
    /// Returns all numbers and references of the consignment.
    pub fn numbers(&self) -> impl Iterator<Item = &str> {
        let listed = LIST_FIELDS
            .iter()
            .filter(|entry| entry.search == FreeSearch::Number);
        let listed = listed.filter_map(|entry| match (entry.value)(self) {
            FieldValue::Text(Cow::Borrowed(text)) => Some(text),
            _ => None,
        });
        let all = listed.chain([self.tracking_token.as_str()]);
        all.filter(|text| !text.is_empty())
    }

    /// Merges an answer with the stored row: values that the answer leaves out keep their former content, so that a
    /// short answer never erases the values of a complete answer. Values in the answer always win. The merge depends
    /// only on the shape of the answer, not on the call that it answers.
    fn merge(mut self, said: &Consignment, before: Option<&Self>) -> Self {
        let is_complete = said.has_full_details();
        if !is_complete {
            self.international |= is_between_countries(&self.from_place, &self.to_place);
        }
        let Some(before) = before else { return self };
        if said.status().is_none() {
            self.status.clone_from(&before.status);
            self.ended = before.ended;
        }
        if said.history().is_empty() {
            (self.changed, self.scanned, self.booked) =
                (before.changed, before.scanned, before.booked);
            self.ended = { self.ended.or(before.ended) }.filter(|_| self.status.id.is_final());
        }
        if !is_complete {
            self.international |= before.international;
            self.important |= before.important && self.status.id == before.status.id;
        }
        keep_named(
            (&mut self.carrier, &mut self.carrier_id),
            (&before.carrier, before.carrier_id),
        );
        keep_named(
            (&mut self.service, &mut self.service_id),
            (&before.service, before.service_id),
        );
        if self.despatch.is_none() && self.despatch_at.is_none() {
            (self.despatch, self.despatch_at) = (before.despatch, before.despatch_at);
        }
        if self.eta.is_none() && self.eta_at.is_none() {
            (self.eta, self.eta_at) = (before.eta, before.eta_at);
        }
        self.keep_missing(before, is_complete);
        self
    }
}

/// Keeps the former name and id if both are missing. If only the id is missing and the name is unchanged, keeps the
/// former id.
fn keep_named<T>((name, id): (&mut String, &mut Option<T>), before: (&str, Option<T>)) {
    if name.is_empty() && id.is_none() {
        before.0.clone_into(name);
    }
    if id.is_none() && name == before.0 {
        *id = before.1;
    }
}

/// Returns true if both countries are known and differ. A row of a list does not say whether a consignment is
/// international, but its places do.
fn is_between_countries(from: &Location, to: &Location) -> bool {
    let of = |place: &Location| place.country.trim().to_uppercase();
    let (from, to) = (of(from), of(to));
    // A country may have two letters, three letters or a name. Two countries count as equal if one text begins with
    // the other.
    !from.is_empty() && !to.is_empty() && !from.starts_with(&to) && !to.starts_with(&from)
}

/// Returns when a consignment last entered a status. Carriers repeat a status while it lasts, so the first of the
/// last consecutive entries with this status counts. Ignores entries for single pieces.
fn reached(history: &[StatusChange], status: StatusId) -> Option<Timestamp> {
    let whole = history.iter().filter(|step| !step.status_is_partial);
    let mut steps: Vec<(Timestamp, bool)> = whole
        .filter_map(|step| {
            let there = step.consignment_tracking_status.as_ref()?;
            Some((step.status_date_utc?.0, there.id == status))
        })
        .collect();
    steps.sort_unstable();
    let mut runs = steps.chunk_by(|one, next| one.1 == next.1).rev();
    let last = runs.find(|run| run[0].1)?;
    Some(last[0].0)
}

/// Returns the UTC time if given; otherwise converts the local time with the place's time zone.
fn moment(utc: Option<UtcTime>, local: Option<LocalTime>, place: &Location) -> Option<Timestamp> {
    if let Some(at) = utc {
        return Some(at.0);
    }
    Some(local?.in_zone_lenient(time_zone_of(place))?.0)
}
