// SPDX-License-Identifier: Apache-2.0
//! Names of suites on the command line and in configurations: which there are, what was meant, and what a shell completes.

use super::KeyUse;
use clap::{
    Arg, Command, Error,
    builder::{PossibleValue, StringValueParser, TypedValueParser},
};
use sealwire_link::suite::{SUITES, Suite};
use std::ffi::OsStr;

/// Names that are this much like what was typed are asked for: 0 is nothing in common, 1 is the same.
const LIKE: f64 = 0.7;

/// The suite of this name, or what there is instead.
pub(super) fn to_suite(name: &str) -> Result<&'static Suite, String> {
    Suite::by_name(name).ok_or_else(|| {
        let known: Vec<_> = SUITES.iter().map(|suite| suite.alias).collect();
        let meant = meant(name, &known)
            .map(|alias| format!("did you mean {alias}? "))
            .unwrap_or_default();
        let known = known.join(", ");
        format!("{meant}there are {known} (or the canonical names of these)")
    })
}

fn meant<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let like = |alias: &str| strsim::jaro_winkler(name, alias);
    let best = known.iter().max_by(|a, b| like(a).total_cmp(&like(b)))?;
    (like(best) > LIKE).then_some(best)
}

fn to_key_use(name: &str) -> Result<KeyUse, String> {
    match sealwire::mac::find(name) {
        Ok(_) => Ok(KeyUse::Mac),
        Err(_) => to_suite(name).map(KeyUse::File).map_err(|error| {
            format!("{error}; MACs are ascon-mac and others, see `sealwire mac --help`")
        }),
    }
}

/// Takes a suite's name.
pub(super) fn suite() -> Names<&'static Suite> {
    Names(to_suite)
}

/// Takes a suite's name or a MAC's.
pub(super) fn key_use() -> Names<KeyUse> {
    Names(to_key_use)
}

/// Takes every name that its function knows. Shells complete those of suites.
#[derive(Clone)]
pub(super) struct Names<T>(fn(&str) -> Result<T, String>);

impl<T: Clone + Send + Sync + 'static> TypedValueParser for Names<T> {
    type Value = T;

    fn parse_ref(&self, cmd: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<T, Error> {
        let find = self.0;
        let parser = StringValueParser::new().try_map(move |name| find(&name));
        parser.parse_ref(cmd, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let aliases = SUITES.iter().map(|suite| PossibleValue::new(suite.alias));
        Some(Box::new(aliases))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_what_was_probably_meant() {
        for (typed, meant) in [
            ("otr-aes-128-p", "did you mean otr-aes128-p? there are "),
            ("omd-blake2", "did you mean omd-blake2b? there are "),
            ("xyz", "there are "),
            ("", "there are "),
        ] {
            let said = to_suite(typed).err().unwrap();
            assert!(said.starts_with(meant), "{typed}: {said}");
        }
        for suite in SUITES {
            assert!(to_suite(suite.alias).is_ok_and(|found| found.code == suite.code));
        }
    }
}
