//! The part of a literal that describes a call apart from its body:
//! `GET /apiv2/consignments/getConsignment?id=<id:made>`.

use super::Json;
use super::literal::{Closeness, Known, differences, filled};
use super::wiretap::Exchange;

/// Method, path and query of a literal.
#[derive(Debug, Clone)]
pub(crate) struct Operation {
    pub(crate) method: String,
    pub(crate) path: String,
    query: Vec<(String, Json)>,
}

impl Operation {
    /// Reads the literal; names in path and query are filled.
    pub(crate) fn read(literal: &str, known: &Known) -> Self {
        let (method, address) = literal.split_once(' ').expect("a method and a path");
        let (path, query) = address.split_once('?').unwrap_or((address, ""));
        let pairs = query.split('&').filter(|pair| !pair.is_empty());
        let pairs = pairs.map(|pair| pair.split_once('=').expect("a name and a value"));
        let fill = |text: &str| filled(&Json::Text(text.to_owned()), known);
        let path = path.split('/').map(|part| plain(&fill(part)));
        Self {
            method: method.to_owned(),
            path: path.collect::<Vec<_>>().join("/"),
            query: pairs
                .map(|(name, value)| (name.to_owned(), fill(value)))
                .collect(),
        }
    }

    /// Path and query, as they are sent.
    pub(crate) fn address(&self) -> String {
        let mut address = reqwest::Url::parse("http://nowhere").expect("an address");
        address.set_path(&self.path);
        for (name, value) in &self.query {
            address.query_pairs_mut().append_pair(name, &plain(value));
        }
        let query = address.query().map(|query| format!("?{query}"));
        format!("{}{}", address.path(), query.unwrap_or_default())
    }

    /// How the request's first line differs. The order of a query says nothing.
    pub(crate) fn differences(&self, exchange: &Exchange, known: &mut Known) -> Vec<String> {
        let mut found = Vec::new();
        if (&self.method, &self.path) != (&exchange.method, &exchange.path) {
            let (method, path) = (&exchange.method, &exchange.path);
            found.push(format!(
                "{} {} expected, {method} {path} came",
                self.method, self.path
            ));
        }
        let mut left = exchange.query.clone();
        for (name, literal) in &self.query {
            let fits = |(came, value): &(String, String)| {
                let literal = Json::Text(plain(literal));
                let value = Json::Text(value.clone());
                came == name && differences(&literal, &value, Closeness::Exact, known).is_empty()
            };
            match left.iter().position(fits) {
                Some(index) => {
                    left.remove(index);
                }
                None => found.push(format!("?{name}={} is missing", plain(literal))),
            }
        }
        let more = left
            .iter()
            .map(|(name, value)| format!("?{name}={value} should not be there"));
        found.extend(more);
        found
    }
}

/// As it stands in an address.
fn plain(value: &Json) -> String {
    match value {
        Json::Text(text) => text.clone(),
        other => other.to_string(),
    }
}
