// SPDX-License-Identifier: Apache-2.0
//! The second order: whether what two probes see together, at the same time or so many cycles apart, depends on a secret.
//!
//! What two probes see that have no random bit and no secret in common is independent, whatever inputs everybody knows:
//! such a pair shows what its probes show alone. All other distances in time are looked at, and there are few of them,
//! since a value of a pipeline is made of inputs of few cycles.

use crate::cone::{Circuit, Cone, Role};
use crate::enumerate::MOST;
use crate::{Probe, Verdict, all, decide, number};
use sealwire_probe::netlist::Bit;
use serde_json::{Value, json};
use std::collections::{BTreeSet, HashMap};

/// Leaks that are named.
const NAMED: usize = 5;

/// A probe, another one or itself, and how many cycles earlier that is.
type Pair = (usize, usize, u32);

/// Cycles in which each probe takes up random bits and secrets.
type Cycles = HashMap<(Role, Bit), Vec<i64>>;

/// The pairs that have anything in common, those at the same time first. What a probe sees with itself at the same time
/// is the first order's question.
fn pairs(circuit: &Circuit, probes: &[Probe], cycles: u32) -> Vec<Pair> {
    let made: Vec<Cycles> = probes
        .iter()
        .map(|(_, sources)| {
            let mut found = Cycles::new();
            for (role, bit, ago) in Cone::new(circuit, &[(sources, 0)], cycles).made_of() {
                found.entry((role, bit)).or_default().push(ago.into());
            }
            found
        })
        .collect();
    let mut pairs = vec![];
    for (one, of_one) in made.iter().enumerate() {
        for (other, of_other) in made.iter().enumerate().skip(one) {
            let mut apart: BTreeSet<i64> = BTreeSet::new();
            for (input, agos) in of_one {
                for late in of_other.get(input).into_iter().flatten() {
                    apart.extend(agos.iter().map(|early| early - late));
                }
            }
            for by in apart {
                match (u32::try_from(by), u32::try_from(-by)) {
                    (Ok(0), _) if one == other => {}
                    (Ok(by), _) => pairs.push((one, other, by)),
                    (_, Ok(by)) if one != other => pairs.push((other, one, by)),
                    _ => {}
                }
            }
        }
    }
    pairs.sort_unstable_by_key(|&(one, other, by)| (by, one, other));
    pairs
}

/// What the pairs show, in numbers, and the first leaks by name.
pub fn check(
    circuit: &Circuit,
    probes: &[Probe],
    alone: &[(usize, Verdict)],
    cycles: u32,
    about: &Value,
) -> Result<Value, String> {
    let limit = number(about, "pair_limit", 20, 0..=MOST as u64)? as usize;
    let pairs = pairs(circuit, probes, cycles);
    let first = about["first"] == true;
    let verdicts = all(pairs.len(), first, |place| {
        let (one, other, by) = pairs[place];
        // A probe that leaks alone leaks in every pair.
        for probe in [one, other] {
            if let Verdict::Leak(variables, sees) = &alone[probe].1 {
                return Verdict::Leak(*variables, sees.clone());
            }
        }
        decide(
            circuit,
            &[(&probes[one].1, 0), (&probes[other].1, by)],
            cycles,
            limit,
        )
    })?;
    let (mut rule, mut enumerated, mut most, mut undecided, mut leaks) = (0, 0, 0, 0, 0);
    let mut named = vec![];
    for (place, verdict) in &verdicts {
        match verdict {
            Verdict::ByRule => rule += 1,
            Verdict::Enumerated(variables) => {
                enumerated += 1;
                most = most.max(*variables);
            }
            Verdict::Undecided(_) => undecided += 1,
            Verdict::Leak(_, sees) => {
                leaks += 1;
                if named.len() < NAMED {
                    let (one, other, by) = pairs[*place];
                    let wires = [one, other].map(|probe| circuit.netlist.name(probes[probe].0));
                    named.push(json!({"wires": wires, "apart": by, "sees": sees}));
                }
            }
        }
    }
    Ok(json!({
        "count": pairs.len(), "decided": verdicts.len() - undecided, "by_rule": rule, "enumerated": enumerated,
        "most_variables": most, "undecided": undecided, "leaks": leaks, "named": named,
    }))
}
