// SPDX-License-Identifier: Apache-2.0
//! Decides for every wire of a masked pipeline whether what a probe on it sees depends on a secret.
//!
//! Usage: `sealwire-probe NETLIST.json DESCRIPTION.json`; the result is JSON on standard output, `DONE TOTAL` lines on
//! standard error tell how far it is. A probe on a wire sees all registers and inputs of the wire's cone of logic
//! (glitches), in two cycles in succession (transitions). Inputs are new in each cycle. Of order 2, the same is asked
//! about every two probes.

mod cone;
mod enumerate;
mod pairs;

use cone::{Circuit, Cone, Role};
use enumerate::{Answer, Question};
use sealwire_probe::netlist::{Bit, Driver, Kind, Netlist};
use serde_json::{Value, json};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::RangeInclusive;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The most cycles in succession that a probe sees.
const CYCLES: u64 = 16;

fn texts(value: &Value) -> Vec<&str> {
    value
        .as_array()
        .map(|list| list.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default()
}

/// A number of the description; `given` where there is none.
fn number(about: &Value, key: &str, given: u64, range: RangeInclusive<u64>) -> Result<u64, String> {
    let value = &about[key];
    let number = if value.is_null() {
        Some(given)
    } else {
        value.as_u64()
    };
    number
        .filter(|number| range.contains(number))
        .ok_or_else(|| {
            let (least, most) = range.into_inner();
            format!("{key} is {value}, which is no whole number from {least} to {most}")
        })
}

fn clock_port(about: &Value) -> Result<&str, String> {
    match &about["clock"] {
        Value::Null => Ok("clk"),
        name => name
            .as_str()
            .ok_or_else(|| format!("clock is {name}, which is no name of a port")),
    }
}

/// Wires of an input, or of a part of one: outputs carry what the module makes of its inputs.
fn input(netlist: &Netlist, text: &str) -> Result<Vec<Bit>, String> {
    let bits = netlist.slice(text)?;
    let port = text.split_once('[').map_or(text, |(port, _)| port);
    if netlist.inputs.iter().any(|known| known == port) {
        return Ok(bits);
    }
    Err(format!("{text} is an output, not an input"))
}

/// Wires of a random input, of which defects are made.
fn random(
    netlist: &Netlist,
    roles: &HashMap<Bit, Role>,
    text: &str,
    key: &str,
) -> Result<Vec<Bit>, String> {
    let bits = input(netlist, text)?;
    match bits
        .iter()
        .find(|bit| roles.get(bit) != Some(&Role::Random))
    {
        None => Ok(bits),
        Some(&bit) => Err(format!(
            "{key} takes random bits, and {} is none",
            netlist.name(bit)
        )),
    }
}

fn root(same: &HashMap<Bit, Bit>, mut bit: Bit) -> Bit {
    while let Some(&next) = same.get(&bit) {
        bit = next;
    }
    bit
}

fn circuit(mut netlist: Netlist, about: &Value) -> Result<Circuit, String> {
    let mut roles = HashMap::new();
    let mut shares = vec![];
    let mut put = |bit: Bit, role: Role, name: &str| match roles.insert(bit, role) {
        None => Ok(()),
        Some(_) => Err(format!("{name} is described twice")),
    };
    for (secret, ports) in about["secrets"].as_object().ok_or("no secret is named")? {
        let ports = texts(ports);
        let slices = ports
            .iter()
            .map(|port| input(&netlist, port))
            .collect::<Result<Vec<_>, _>>()?;
        if slices.len() < 2 || slices.iter().any(|slice| slice.len() != slices[0].len()) {
            return Err(format!(
                "secret {secret} needs two or more shares of one width"
            ));
        }
        for place in 0..slices[0].len() {
            for (slice, port) in slices.iter().zip(&ports) {
                put(slice[place], Role::Share(shares.len() as u32), port)?;
            }
            shares.push(slices.len() as u32);
        }
    }
    for (key, role) in [("random", Role::Random), ("public", Role::Public)] {
        for port in texts(&about[key]) {
            for bit in input(&netlist, port)? {
                put(bit, role, port)?;
            }
        }
    }
    let port = clock_port(about)?;
    let clock = netlist.clock(port)?;
    if roles.contains_key(&clock) {
        return Err(format!("the clock {port} is described twice"));
    }
    for port in &netlist.inputs {
        if let Some(bit) = netlist.ports[port]
            .iter()
            .find(|&&bit| !roles.contains_key(&bit) && bit != clock)
        {
            return Err(format!(
                "input {port} ({}) is neither a share, nor random, nor public",
                netlist.name(*bit)
            ));
        }
    }
    let mut held: Vec<Bit> = vec![];
    for port in texts(&about["hold"]) {
        held.extend(random(&netlist, &roles, port, "hold")?);
    }
    let mut same = HashMap::new();
    for pair in about["same"].as_array().unwrap_or(&vec![]) {
        let &[one, other] = &texts(pair)[..] else {
            return Err("`same` takes pairs".into());
        };
        let bits = [one, other].map(|text| random(&netlist, &roles, text, "same"));
        let [left, right] = bits;
        let (left, right) = (left?, right?);
        if left.len() != right.len() {
            let (left, right) = (left.len(), right.len());
            return Err(format!("same: {one} has {left} bits and {other} {right}"));
        }
        for (left, right) in left.into_iter().zip(right) {
            if left == right {
                return Err(format!("same: {} is named twice", netlist.name(left)));
            }
            let (left, right) = (root(&same, left), root(&same, right));
            if left != right {
                same.insert(right, left);
            }
        }
    }
    // All that is equal to a bit that stays 0 does.
    let zero: HashSet<Bit> = held.iter().map(|&bit| root(&same, bit)).collect();
    let joined: Vec<Bit> = same.keys().copied().collect();
    let equal = joined
        .iter()
        .chain(&zero)
        .filter(|&&bit| zero.contains(&root(&same, bit)));
    held.extend(equal.copied().collect::<Vec<_>>());
    for bit in held {
        netlist.drivers.insert(bit, Driver::Function(0, vec![]));
    }
    let same = joined.iter().map(|&bit| (bit, root(&same, bit))).collect();
    for name in texts(&about["bypass"]) {
        let found = netlist
            .named(name)
            .and_then(|bit| Some((bit, netlist.drivers.get(&bit)?.clone())));
        let Some((bit, Driver::Register(data))) = found else {
            return Err(format!("no register is called {name}"));
        };
        netlist
            .drivers
            .insert(bit, Driver::Function(0b10, vec![data]));
    }
    Ok(Circuit {
        netlist,
        roles,
        shares,
        same,
    })
}

/// Registers and inputs whose glitches reach a wire.
fn sources(netlist: &Netlist, bit: Bit, known: &mut HashMap<Bit, BTreeSet<Bit>>) -> BTreeSet<Bit> {
    if let Some(found) = known.get(&bit) {
        return found.clone();
    }
    let found = match netlist.drivers.get(&bit) {
        Some(Driver::Function(_, inputs)) => inputs
            .iter()
            .flat_map(|&input| sources(netlist, input, known))
            .collect(),
        Some(_) => BTreeSet::from([bit]),
        None => BTreeSet::new(),
    };
    known.insert(bit, found.clone());
    found
}

/// Sets of sources that are in no other one, each with a wire that a probe on it sees them by.
fn probes(netlist: &Netlist, clock: &[Bit]) -> Vec<Probe> {
    let mut known = HashMap::new();
    let mut wires: Vec<Bit> = netlist
        .drivers
        .keys()
        .copied()
        .filter(|bit| !clock.contains(bit))
        .collect();
    wires.sort_unstable();
    let mut sets: Vec<(Bit, BTreeSet<Bit>)> = vec![];
    let mut met = HashSet::new();
    for wire in wires {
        let set = sources(netlist, wire, &mut known);
        if met.insert(set.clone()) {
            sets.push((wire, set));
        }
    }
    sets.sort_by_key(|(wire, set)| (std::cmp::Reverse(set.len()), *wire));
    let mut most: Vec<(Bit, BTreeSet<Bit>)> = vec![];
    for (wire, set) in sets {
        if !most.iter().any(|(_, other)| set.is_subset(other)) {
            most.push((wire, set));
        }
    }
    most.into_iter()
        .map(|(wire, set)| (wire, set.into_iter().collect()))
        .collect()
}

/// A wire, and the registers and inputs that a probe on it sees.
type Probe = (Bit, Vec<Bit>);

enum Verdict {
    ByRule,
    Enumerated(usize),
    Leak(usize, Vec<String>),
    Undecided(usize),
}

/// Whether what these see together, each so many cycles ago, depends on a secret.
fn decide(circuit: &Circuit, probes: &[(&[Bit], u32)], cycles: u32, limit: usize) -> Verdict {
    let mut cone = Cone::new(circuit, probes, cycles);
    cone.reduce();
    let mut verdict = Verdict::ByRule;
    for part in cone.parts() {
        match enumerate::ask(&cone, &part, Question::Independent, limit) {
            Answer::No(variables) => {
                let names = part
                    .iter()
                    .map(|node| cone.names.get(node).cloned().unwrap_or_default())
                    .collect();
                return Verdict::Leak(variables, names);
            }
            Answer::TooMany(variables) => verdict = Verdict::Undecided(variables),
            Answer::Yes(0) => {}
            Answer::Yes(variables) => match verdict {
                Verdict::Undecided(_) => {}
                Verdict::Enumerated(most) if most >= variables => {}
                _ => verdict = Verdict::Enumerated(variables),
            },
        }
    }
    verdict
}

/// Names of outputs whose bits together are not uniform for every secret, and of those that have too many variables.
fn uniform(circuit: &Circuit, about: &Value, limit: usize) -> Result<[Vec<String>; 2], String> {
    let (mut biased, mut undecided) = (vec![], vec![]);
    for port in texts(&about["uniform"]) {
        let Some(mut cone) = Cone::together(circuit, &circuit.netlist.slice(port)?) else {
            biased.push(port.to_owned());
            continue;
        };
        cone.reduce();
        if cone.dependent {
            biased.push(port.to_owned());
            continue;
        }
        for part in cone.parts() {
            match enumerate::ask(&cone, &part, Question::Uniform, limit) {
                Answer::Yes(_) => continue,
                Answer::No(_) => biased.push(port.to_owned()),
                Answer::TooMany(_) => undecided.push(port.to_owned()),
            }
            break;
        }
    }
    Ok([biased, undecided])
}

/// Verdicts of places 0 to `count`, in order; `first` ends with the first leak, so that later places have none.
fn all(
    count: usize,
    first: bool,
    verdict: impl Fn(usize) -> Verdict + Sync,
) -> Result<Vec<(usize, Verdict)>, String> {
    let (next, done, stop) = (
        AtomicUsize::new(0),
        AtomicUsize::new(0),
        AtomicBool::new(false),
    );
    let verdicts: Mutex<Vec<(usize, Verdict)>> = Mutex::new(vec![]);
    // A line for each of a million would take longer than they do.
    let step = (count / 1000).max(1);
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    let place = next.fetch_add(1, Ordering::Relaxed);
                    if place >= count {
                        break;
                    }
                    let found = verdict(place);
                    if first && matches!(found, Verdict::Leak(..)) {
                        stop.store(true, Ordering::Relaxed);
                    }
                    if let Ok(mut list) = verdicts.lock() {
                        list.push((place, found));
                    }
                    let number = done.fetch_add(1, Ordering::Relaxed) + 1;
                    if number.is_multiple_of(step) || number == count {
                        eprintln!("{number} {count}");
                    }
                }
            });
        }
    });
    let mut verdicts = verdicts.into_inner().map_err(|_| "a thread failed")?;
    if verdicts.len() != count && !stop.load(Ordering::Relaxed) {
        return Err("not every probe has a verdict".into());
    }
    verdicts.sort_by_key(|(place, _)| *place);
    Ok(verdicts)
}

fn check(circuit: &Circuit, about: &Value) -> Result<Value, String> {
    let limit = number(about, "limit", 34, 0..=enumerate::MOST as u64)? as usize;
    let cycles = number(about, "cycles", 2, 1..=CYCLES)? as u32;
    let clock = circuit.netlist.slice(clock_port(about)?)?;
    let probes = probes(&circuit.netlist, &clock);
    let verdicts = all(probes.len(), false, |place| {
        decide(circuit, &[(&probes[place].1, 0)], cycles, limit)
    })?;
    let (mut rule, mut enumerated, mut most) = (0, 0, 0);
    let (mut leaks, mut undecided) = (vec![], vec![]);
    for (place, verdict) in &verdicts {
        let wire = circuit.netlist.name(probes[*place].0);
        match verdict {
            Verdict::ByRule => rule += 1,
            Verdict::Enumerated(variables) => {
                enumerated += 1;
                most = most.max(*variables);
            }
            Verdict::Leak(variables, sees) => {
                leaks.push(json!({"wire": wire, "variables": variables, "sees": sees}))
            }
            Verdict::Undecided(variables) => {
                undecided.push(json!({"wire": wire, "variables": variables}))
            }
        }
    }
    let mut registers: Vec<String> = vec![];
    let mut functions = 0;
    for (bit, driver) in &circuit.netlist.drivers {
        match driver {
            Driver::Register(_) => registers.push(circuit.netlist.name(*bit)),
            Driver::Function(..) => functions += 1,
            Driver::Input | Driver::Gated { .. } | Driver::Word(..) => {}
        }
    }
    registers.sort();
    let [biased, undecided_uniform] = uniform(circuit, about, limit)?;
    let pairs = match about["order"].as_u64() {
        Some(2) => pairs::check(circuit, &probes, &verdicts, cycles, about)?,
        _ => Value::Null,
    };
    Ok(json!({
        "registers": registers.len(), "functions": functions, "probes": probes.len(), "by_rule": rule,
        "enumerated": enumerated, "most_variables": most, "leaks": leaks, "undecided": undecided,
        "register_names": registers, "not_uniform": biased, "undecided_uniform": undecided_uniform,
        "pairs": pairs,
    }))
}

fn read(path: &str) -> Result<Value, String> {
    let text =
        std::fs::read_to_string(path).map_err(|error| format!("cannot read {path}: {error}"))?;
    serde_json::from_str(&text).map_err(|error| format!("{path} is no JSON: {error}"))
}

fn main_of(arguments: &[String]) -> Result<Value, String> {
    let [_, netlist, about] = arguments else {
        return Err("usage: sealwire-probe NETLIST.json DESCRIPTION.json".into());
    };
    let about = read(about)?;
    let netlist = Netlist::read(
        &read(netlist)?,
        about["top"].as_str().unwrap_or(""),
        Kind::Pipeline,
    )?;
    check(&circuit(netlist, &about)?, &about)
}

fn main() -> std::process::ExitCode {
    match main_of(&std::env::args().collect::<Vec<_>>()) {
        Ok(result) => {
            println!("{result}");
            std::process::ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            std::process::ExitCode::from(2)
        }
    }
}
