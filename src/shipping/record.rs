//! A record that comes as an object, by its fields' names: a list in its place is of another shape, and not read by position.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};

/// Reads a `T` from an object only. What decides over a write must be read through it: serde would take `[7]` for a record
/// whose first field is 7.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record<T>(pub T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Record<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Named<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Named<T> {
            type Value = T;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
                T::deserialize(MapAccessDeserializer::new(map))
            }
        }
        let record = deserializer.deserialize_map(Named(PhantomData))?;
        Ok(Self(record))
    }
}
