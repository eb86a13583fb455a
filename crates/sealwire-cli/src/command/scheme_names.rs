// SPDX-License-Identifier: Apache-2.0
//! Names of schemes on the command line and in configurations: which there are, what was meant, and what a shell completes.

use super::KeyUse;
use clap::{
    Arg, Command, Error,
    builder::{PossibleValue, StringValueParser, TypedValueParser},
};
use sealwire::{
    mac::{self, MacScheme},
    scheme,
};
use sealwire_link::suite::{SUITES, Suite};
use std::ffi::OsStr;

/// Names that are this much like what was typed are asked for: 0 is nothing in common, 1 is the same.
const LIKE: f64 = 0.7;

/// The suite of this name, or what there is instead.
pub(super) fn to_suite(name: &str) -> Result<&'static Suite, String> {
    Suite::by_name(name).ok_or_else(|| {
        let known = suites().join(", ");
        let error = format!("there are {known} (or the canonical names of these)");
        with_meant(name, &suites(), &error)
    })
}

fn to_mac(name: &str) -> Result<MacScheme, String> {
    mac::find(name).map_err(|error| with_meant(name, &macs(), &error))
}

fn to_key_use(name: &str) -> Result<KeyUse, String> {
    match mac::find(name) {
        Ok(_) => Ok(KeyUse::Mac),
        Err(_) => to_suite(name).map(KeyUse::File).map_err(|error| {
            format!("{error}; MACs are ascon-mac and others, see `sealwire mac --help`")
        }),
    }
}

/// The name itself, if there is such a scheme.
fn to_scheme(name: &str) -> Result<String, String> {
    match (scheme::find(name), mac::find(name)) {
        (Err(error), Err(_)) => Err(with_meant(name, &schemes(), &error)),
        _ => Ok(name.to_owned()),
    }
}

fn suites() -> Vec<&'static str> {
    SUITES.iter().map(|suite| suite.alias).collect()
}

fn macs() -> Vec<&'static str> {
    mac::schemes().filter_map(|mac| mac.alias()).collect()
}

fn suites_and_macs() -> Vec<&'static str> {
    [suites(), macs()].concat()
}

fn schemes() -> Vec<&'static str> {
    let schemes = scheme::schemes().filter_map(|scheme| scheme.alias());
    schemes.chain(macs()).collect()
}

/// The error, behind the name that was probably meant.
fn with_meant(name: &str, known: &[&str], error: &impl ToString) -> String {
    let like = |alias: &str| strsim::jaro_winkler(name, alias);
    let best = known.iter().max_by(|a, b| like(a).total_cmp(&like(b)));
    let meant = best.filter(|best| like(best) > LIKE);
    let question = meant.map(|best| format!("did you mean {best}? "));
    question.unwrap_or_default() + &error.to_string()
}

/// Takes a suite's name.
pub(super) fn suite() -> Names<&'static Suite> {
    Names(to_suite, suites)
}

/// Takes a MAC's name.
pub(super) fn mac() -> Names<MacScheme> {
    Names(to_mac, macs)
}

/// Takes a suite's name or a MAC's.
pub(super) fn key_use() -> Names<KeyUse> {
    Names(to_key_use, suites_and_macs)
}

/// Takes the name of any scheme or MAC.
pub(super) fn any() -> Names<String> {
    Names(to_scheme, schemes)
}

/// Takes every name that its first function knows. Shells complete those of the second.
#[derive(Clone)]
pub(super) struct Names<T>(fn(&str) -> Result<T, String>, fn() -> Vec<&'static str>);

impl<T: Clone + Send + Sync + 'static> TypedValueParser for Names<T> {
    type Value = T;

    fn parse_ref(&self, cmd: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<T, Error> {
        let find = self.0;
        let parser = StringValueParser::new().try_map(move |name| find(&name));
        parser.parse_ref(cmd, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.1)().into_iter().map(PossibleValue::new)))
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
        let said = to_mac("asconmac").err().unwrap();
        assert!(
            said.starts_with("did you mean ascon-mac? unknown MAC "),
            "{said}"
        );
        for (typed, meant) in [
            ("omd-sha521", "did you mean omd-sha512? unknown scheme "),
            (
                "ascon-farfale",
                "did you mean ascon-farfalle? unknown scheme ",
            ),
            ("xyz", "unknown scheme "),
        ] {
            let said = to_scheme(typed).err().unwrap();
            assert!(said.starts_with(meant), "{typed}: {said}");
        }
    }

    #[test]
    fn every_name_that_a_shell_completes_is_taken() {
        assert!(
            suites_and_macs()
                .iter()
                .all(|name| to_key_use(name).is_ok())
        );
        assert!(macs().iter().all(|name| to_mac(name).is_ok()));
        assert!(schemes().iter().all(|name| to_scheme(name).is_ok()));
        let canonical = ["omdsha512k384n192tau128v2", "asconmacv12"];
        assert!(canonical.iter().all(|name| to_scheme(name).is_ok()));
    }
}
