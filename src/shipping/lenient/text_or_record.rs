//! Reads a value that may be text, a number or a record. Only the requested fields of a record are read.

use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// A value that came as text, as a number or as a record.
pub(crate) enum TextOrRecord<const N: usize> {
    Nothing,
    /// Text, or a number converted to text.
    Text(String),
    /// A record: the requested fields as text, in the order of the requested names.
    Record([Option<String>; N]),
}

impl<const N: usize> TextOrRecord<N> {
    /// Returns the text, or the first field of the record that is not empty.
    pub(crate) fn first(self) -> Option<String> {
        let text = match self {
            Self::Nothing => None,
            Self::Text(text) => Some(text),
            Self::Record(fields) => fields.into_iter().flatten().find(|text| !text.is_empty()),
        };
        text.filter(|text| !text.is_empty())
    }
}

/// Reads text, a number, or the named fields of a record.
struct TextOrRecordVisitor<const N: usize>([&'static str; N]);

impl<'de, const N: usize> Visitor<'de> for TextOrRecordVisitor<N> {
    type Value = TextOrRecord<N>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("text, a number, or a record")
    }
    fn visit_unit<E: Error>(self) -> Result<TextOrRecord<N>, E> {
        Ok(TextOrRecord::Nothing)
    }
    fn visit_none<E: Error>(self) -> Result<TextOrRecord<N>, E> {
        Ok(TextOrRecord::Nothing)
    }
    fn visit_some<D: Deserializer<'de>>(self, inner: D) -> Result<TextOrRecord<N>, D::Error> {
        inner.deserialize_any(self)
    }
    fn visit_i64<E: Error>(self, value: i64) -> Result<TextOrRecord<N>, E> {
        Ok(TextOrRecord::Text(value.to_string()))
    }
    fn visit_u64<E: Error>(self, value: u64) -> Result<TextOrRecord<N>, E> {
        Ok(TextOrRecord::Text(value.to_string()))
    }
    fn visit_f64<E: Error>(self, value: f64) -> Result<TextOrRecord<N>, E> {
        Ok(TextOrRecord::Text(value.to_string()))
    }
    fn visit_str<E: Error>(self, value: &str) -> Result<TextOrRecord<N>, E> {
        Ok(TextOrRecord::Text(value.to_owned()))
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<TextOrRecord<N>, A::Error> {
        let mut fields = [const { None }; N];
        while let Some(at) = map.next_key_seed(NameIn(&self.0))? {
            match at.and_then(|at| fields.get_mut(at)) {
                Some(field) => *field = map.next_value::<Scalar>()?.0,
                None => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(TextOrRecord::Record(fields))
    }
}

/// Reads a field's name and returns its index in the list of names.
struct NameIn<'a>(&'a [&'static str]);

impl<'de> DeserializeSeed<'de> for NameIn<'_> {
    type Value = Option<usize>;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<usize>, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for NameIn<'_> {
    type Value = Option<usize>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a field's name")
    }
    fn visit_str<E: Error>(self, name: &str) -> Result<Option<usize>, E> {
        Ok(self.0.iter().position(|known| *known == name))
    }
}

/// Text, or a number as text; `None` for any other value.
struct Scalar(Option<String>);

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ScalarVisitor;
        impl<'de> Visitor<'de> for ScalarVisitor {
            type Value = Scalar;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("any value")
            }
            fn visit_unit<E: Error>(self) -> Result<Scalar, E> {
                Ok(Scalar(None))
            }
            fn visit_bool<E: Error>(self, _value: bool) -> Result<Scalar, E> {
                Ok(Scalar(None))
            }
            fn visit_i64<E: Error>(self, value: i64) -> Result<Scalar, E> {
                Ok(Scalar(Some(value.to_string())))
            }
            fn visit_u64<E: Error>(self, value: u64) -> Result<Scalar, E> {
                Ok(Scalar(Some(value.to_string())))
            }
            fn visit_f64<E: Error>(self, value: f64) -> Result<Scalar, E> {
                Ok(Scalar(Some(value.to_string())))
            }
            fn visit_str<E: Error>(self, value: &str) -> Result<Scalar, E> {
                Ok(Scalar(Some(value.to_owned())))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Scalar, A::Error> {
                while list.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Scalar(None))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Scalar, A::Error> {
                while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
                Ok(Scalar(None))
            }
        }
        deserializer.deserialize_any(ScalarVisitor)
    }
}

pub(crate) fn read_text_or_record<'de, D: Deserializer<'de>, const N: usize>(
    deserializer: D,
    names: [&'static str; N],
) -> Result<TextOrRecord<N>, D::Error> {
    deserializer.deserialize_any(TextOrRecordVisitor(names))
}
