// SPDX-License-Identifier: Apache-2.0
//! What one probe sees: values of registers and inputs in two cycles, as functions of inputs of earlier cycles.

use sealwire_probe::netlist::{Bit, Driver, Netlist};
use std::collections::{BTreeSet, HashMap, HashSet};

/// What an input bit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Known to everybody.
    Public,
    /// Uniform, new in each cycle.
    Random,
    /// A share of a secret bit.
    Share(u32),
}

/// A variable: an input bit of a cycle, counted backwards.
pub type Variable = (Bit, u32);

/// A value.
#[derive(Clone, Debug)]
pub enum Node {
    /// 0 or 1.
    Constant(bool),
    /// An input bit.
    Input(Variable),
    /// A value masked by a bit that is used nowhere else: uniform, independent of all else.
    Fresh,
    /// A function of other values.
    Function(u64, Vec<usize>),
}

/// The circuit as the description of its shares has it.
pub struct Circuit {
    /// The module.
    pub netlist: Netlist,
    /// What each input bit is.
    pub roles: HashMap<Bit, Role>,
    /// How many shares each secret bit has.
    pub shares: Vec<u32>,
    /// Input bits that are another one.
    pub same: HashMap<Bit, Bit>,
}

/// Tables of one input.
const COMPLEMENT: u64 = 0b01;
const IDENTITY: u64 = 0b10;

/// A probe's values, inputs first.
pub struct Cone<'a> {
    circuit: &'a Circuit,
    /// Every value, what it is made of before it.
    pub nodes: Vec<Node>,
    /// What the probe sees.
    pub seen: Vec<usize>,
    /// Whether a sum of what was seen turned out to be constant, so that it is not uniform together.
    pub dependent: bool,
    /// Names of what was seen at first, by value.
    pub names: HashMap<usize, String>,
    index: HashMap<(Bit, u32), usize>,
    functions: HashMap<(u64, Vec<usize>), usize>,
}

/// The table with input `k` fixed, which leaves the inputs.
fn fixed(table: u64, inputs: usize, k: usize, value: bool) -> u64 {
    let mut made = 0;
    for i in 0..1usize << (inputs - 1) {
        let low = i & ((1 << k) - 1);
        let from = (i >> k) << (k + 1) | usize::from(value) << k | low;
        made |= (table >> from & 1) << i;
    }
    made
}

/// The table with input `k` complemented.
fn flipped(table: u64, inputs: usize, k: usize) -> u64 {
    (0..1usize << inputs).fold(0, |made, i| made | (table >> (i ^ 1 << k) & 1) << i)
}

/// The table with input `k` equal to an input before it, which leaves the other inputs.
fn merged(table: u64, inputs: usize, first: usize, k: usize) -> u64 {
    let (zero, one) = (
        fixed(table, inputs, k, false),
        fixed(table, inputs, k, true),
    );
    (0..1usize << (inputs - 1)).fold(0, |made, i| {
        let from = if i >> first & 1 == 1 { one } else { zero };
        made | (from >> i & 1) << i
    })
}

fn whole(inputs: usize) -> u64 {
    u64::MAX >> (64 - (1 << inputs))
}

impl<'a> Cone<'a> {
    /// What `probes` see together: the values of each one's sources in `cycles` cycles, the last of them so many cycles ago.
    pub fn new(circuit: &'a Circuit, probes: &[(&[Bit], u32)], cycles: u32) -> Self {
        let mut cone = Self {
            circuit,
            nodes: vec![],
            seen: vec![],
            dependent: false,
            names: HashMap::new(),
            index: HashMap::new(),
            functions: HashMap::new(),
        };
        for &(sources, last) in probes {
            for ago in last..last + cycles {
                for &bit in sources {
                    let node = cone.value(bit, ago);
                    cone.seen.push(node);
                    let when = match ago {
                        0 => String::new(),
                        1 => " a cycle before".into(),
                        _ => format!(" {ago} cycles before"),
                    };
                    cone.names
                        .entry(node)
                        .or_insert_with(|| circuit.netlist.name(bit) + &when);
                }
            }
        }
        cone.tidy();
        cone
    }

    /// The values of `bits` in one cycle; none if two are equal or one is constant, which cannot be uniform together.
    pub fn together(circuit: &'a Circuit, bits: &[Bit]) -> Option<Self> {
        let cone = Self::new(circuit, &[(bits, 0)], 1);
        (cone.seen.len() == bits.len()).then_some(cone)
    }

    fn value(&mut self, bit: Bit, ago: u32) -> usize {
        let bit = self.circuit.same.get(&bit).copied().unwrap_or(bit);
        if let Some(&known) = self.index.get(&(bit, ago)) {
            return known;
        }
        let node = match self.circuit.netlist.drivers.get(&bit) {
            _ if bit < 2 => self.node(Node::Constant(bit == 1)),
            Some(Driver::Register(data)) => self.value(*data, ago + 1),
            Some(Driver::Function(table, inputs)) => {
                let inputs = inputs.iter().map(|&input| self.value(input, ago)).collect();
                self.function(*table, inputs)
            }
            _ => self.node(Node::Input((bit, ago))),
        };
        self.index.insert((bit, ago), node);
        node
    }

    /// A function with its sums as values of their own: where a change of either of two inputs does the same, the function
    /// is one of their sum. Cells have such sums inside their tables, the same one in several cells; as one value it takes
    /// up a mask once, as the rules want it. Only how a value is written changes, never the value.
    fn function(&mut self, table: u64, inputs: Vec<usize>) -> usize {
        let (table, mut inputs) = match self.simplified(table, inputs) {
            Node::Function(table, inputs) => (table, inputs),
            other => return self.node(other),
        };
        let count = inputs.len();
        for k in 1..count {
            for first in 0..k {
                if table == flipped(flipped(table, count, first), count, k) {
                    let other = inputs.remove(k);
                    inputs[first] = self.plus(inputs[first], other);
                    return self.function(fixed(table, count, k, false), inputs);
                }
            }
        }
        self.node(Node::Function(table, inputs))
    }

    /// The sum of two values.
    fn plus(&mut self, one: usize, other: usize) -> usize {
        let made = self.simplified(0b0110, vec![one.min(other), one.max(other)]);
        self.node(made)
    }

    /// The number of a value. One that is there has one number; the complement of one is a function of that. So a choice
    /// between a value and its complement, as the cells of wide sums make it, becomes a sum.
    fn node(&mut self, made: Node) -> usize {
        if let Node::Function(table, inputs) = &made {
            if (*table, inputs.len()) == (IDENTITY, 1) {
                return inputs[0];
            }
            let key = (*table, inputs.clone());
            if let Some(&known) = self.functions.get(&key) {
                return known;
            }
            let complement = (!*table & whole(inputs.len()), inputs.clone());
            let made = match self.functions.get(&complement) {
                Some(&other) if inputs.len() > 1 => Node::Function(COMPLEMENT, vec![other]),
                _ => made,
            };
            self.nodes.push(made);
            self.functions.insert(key, self.nodes.len() - 1);
        } else {
            self.nodes.push(made);
        }
        self.nodes.len() - 1
    }

    /// A function without constants, complements and repeated inputs, and of what it depends on alone.
    fn simplified(&self, mut table: u64, mut inputs: Vec<usize>) -> Node {
        table &= whole(inputs.len());
        for k in 0..inputs.len() {
            while let Node::Function(COMPLEMENT, from) = &self.nodes[inputs[k]]
                && let &[from] = from.as_slice()
            {
                inputs[k] = from;
                table = flipped(table, inputs.len(), k);
            }
        }
        let mut k = 0;
        while k < inputs.len() {
            if let Some(first) = inputs[..k].iter().position(|&input| input == inputs[k]) {
                table = merged(table, inputs.len(), first, k);
                inputs.remove(k);
            } else {
                k += 1;
            }
        }
        k = 0;
        while k < inputs.len() {
            let (zero, one) = (
                fixed(table, inputs.len(), k, false),
                fixed(table, inputs.len(), k, true),
            );
            let value = match self.nodes[inputs[k]] {
                Node::Constant(value) => Some(value),
                _ if zero == one => Some(false),
                _ => None,
            };
            if let Some(value) = value {
                table = if value { one } else { zero };
                inputs.remove(k);
            } else {
                k += 1;
            }
        }
        if inputs.is_empty() {
            Node::Constant(table & 1 == 1)
        } else {
            Node::Function(table, inputs)
        }
    }

    /// Keep of what is seen each value once, and no constant.
    fn tidy(&mut self) {
        let nodes = &self.nodes;
        self.seen
            .retain(|&node| !matches!(nodes[node], Node::Constant(_)));
        self.seen.sort_unstable();
        self.seen.dedup();
    }

    /// The values that `from` is made of, themselves among them, in order.
    pub fn live(&self, from: &[usize]) -> Vec<usize> {
        let mut found: HashSet<usize> = HashSet::new();
        let mut open = from.to_vec();
        while let Some(node) = open.pop() {
            if found.insert(node)
                && let Node::Function(_, inputs) = &self.nodes[node]
            {
                open.extend(inputs);
            }
        }
        let mut found: Vec<usize> = found.into_iter().collect();
        found.sort_unstable();
        found
    }

    /// The secrets whose every share is among the values, with the cycle; and their shares.
    pub fn secrets(&self, live: &[usize]) -> Vec<((u32, u32), Vec<usize>)> {
        let mut found: HashMap<(u32, u32), Vec<usize>> = HashMap::new();
        for &node in live {
            if let Node::Input((bit, ago)) = self.nodes[node]
                && let Some(Role::Share(secret)) = self.circuit.roles.get(&bit)
            {
                found.entry((*secret, ago)).or_default().push(node);
            }
        }
        let mut found: Vec<_> = found
            .into_iter()
            .filter(|(secret, nodes)| nodes.len() as u32 == self.circuit.shares[secret.0 as usize])
            .collect();
        found.sort_unstable();
        found
    }

    /// What the values are made of that another view may have, too, each with its cycle: random bits and secrets, of which
    /// any share counts. Inputs that everybody knows are left out.
    pub fn made_of(&self) -> HashSet<(Role, Bit, u32)> {
        let inputs = self.live(&self.seen).into_iter();
        inputs
            .filter_map(|node| match self.nodes[node] {
                Node::Input((bit, ago)) => match self.circuit.roles.get(&bit)? {
                    Role::Public => None,
                    Role::Random => Some((Role::Random, bit, ago)),
                    share => Some((*share, 0, ago)),
                },
                _ => None,
            })
            .collect()
    }

    /// Whether a value is an input that everybody knows: one that is neither random nor a share.
    pub fn public(&self, node: usize) -> bool {
        let Node::Input((bit, _)) = self.nodes[node] else {
            return false;
        };
        let role = self.circuit.roles.get(&bit);
        !matches!(role, Some(Role::Random | Role::Share(_)))
    }

    /// Drop what masks hide, until no rule applies.
    pub fn reduce(&mut self) {
        loop {
            self.reduce_single();
            if !self.reduce_sums() {
                return;
            }
        }
    }

    /// A value as the sum of others, found by taking apart functions that every change of an input changes.
    fn sum(&mut self, node: usize, known: &mut HashMap<usize, BTreeSet<usize>>) -> BTreeSet<usize> {
        if let Some(found) = known.get(&node) {
            return found.clone();
        }
        let mut found = BTreeSet::new();
        if let Node::Function(table, inputs) = self.nodes[node].clone() {
            let (mut table, mut rest, mut k) = (table & whole(inputs.len()), inputs, 0);
            while k < rest.len() {
                let zero = fixed(table, rest.len(), k, false);
                if zero ^ fixed(table, rest.len(), k, true) == whole(rest.len() - 1) {
                    let part = self.sum(rest.remove(k), known);
                    found = &found ^ &part;
                    table = zero;
                } else {
                    k += 1;
                }
            }
            if !rest.is_empty() {
                self.nodes.push(Node::Function(table, rest));
                found = &found ^ &BTreeSet::from([self.nodes.len() - 1]);
            }
        } else if !matches!(self.nodes[node], Node::Constant(_)) {
            found.insert(node);
        }
        known.insert(node, found.clone());
        found
    }

    /// Drop sums that masks hide together. What is seen is as good as sums of it that it follows from; the masks that
    /// occur in what is seen as terms alone make as many of these sums uniform and independent of all else as their
    /// rank is. Whether there were any.
    fn reduce_sums(&mut self) -> bool {
        let mut known = HashMap::new();
        let mut rows: Vec<(Option<usize>, BTreeSet<usize>)> = self
            .seen
            .clone()
            .into_iter()
            .map(|node| (Some(node), self.sum(node, &mut known)))
            .collect();
        let terms: BTreeSet<usize> = rows.iter().flat_map(|row| row.1.clone()).collect();
        let functions: Vec<usize> = terms
            .iter()
            .copied()
            .filter(|&node| matches!(self.nodes[node], Node::Function(..)))
            .collect();
        let within: HashSet<usize> = self.live(&functions).into_iter().collect();
        let live = self.live(&self.seen);
        let bound = self.bound(&live);
        let masks: Vec<usize> = terms
            .into_iter()
            .filter(|node| self.mask(*node, &bound) && !within.contains(node))
            .collect();
        let before = rows.len();
        for mask in masks {
            let Some(place) = rows.iter().position(|row| row.1.contains(&mask)) else {
                continue;
            };
            let (_, hidden) = rows.swap_remove(place);
            for row in rows.iter_mut().filter(|row| row.1.contains(&mask)) {
                *row = (None, &row.1 ^ &hidden);
            }
        }
        if rows.len() == before {
            return false;
        }
        let mut seen = vec![];
        for (node, terms) in rows {
            let made = node.or_else(|| {
                let sum = terms.into_iter().reduce(|sum, term| {
                    self.nodes.push(Node::Function(0b0110, vec![sum, term]));
                    self.nodes.len() - 1
                })?;
                let name = self.names.entry(sum);
                name.or_insert_with(|| "a sum of what it sees".into());
                Some(sum)
            });
            self.dependent |= made.is_none();
            seen.extend(made);
        }
        let count = seen.len();
        self.seen = seen;
        self.tidy();
        self.dependent |= self.seen.len() < count;
        true
    }

    /// Shares of the secrets all of whose shares are among the values.
    fn bound(&self, live: &[usize]) -> HashSet<usize> {
        self.secrets(live)
            .into_iter()
            .flat_map(|(_, nodes)| nodes)
            .collect()
    }

    /// Whether a value is uniform and independent of all other inputs.
    fn mask(&self, node: usize, bound: &HashSet<usize>) -> bool {
        match self.nodes[node] {
            Node::Fresh => true,
            Node::Input(_) => !self.public(node) && !bound.contains(&node),
            _ => false,
        }
    }

    /// Drop what single masks hide: a value v + m, with m uniform and used nowhere else, is uniform and independent.
    fn reduce_single(&mut self) {
        loop {
            let live = self.live(&self.seen);
            let mut uses: HashMap<usize, Vec<usize>> = HashMap::new();
            for &node in &live {
                if let Node::Function(_, inputs) = &self.nodes[node] {
                    inputs
                        .iter()
                        .for_each(|&input| uses.entry(input).or_default().push(node));
                }
            }
            let bound = self.bound(&live);
            let seen: HashSet<usize> = self.seen.iter().copied().collect();
            let mask = |node: usize| self.mask(node, &bound);
            let mut hidden: HashSet<usize> = HashSet::new();
            let mut masked: HashSet<usize> = HashSet::new();
            // What a replaced value hides changes uses, secrets and what is live only to fewer: all of a pass may be replaced.
            for &node in live.iter().filter(|&&node| mask(node)) {
                match uses.get(&node).map(Vec::as_slice) {
                    None if seen.contains(&node) => {
                        hidden.insert(node);
                    }
                    Some(&[user]) if !seen.contains(&node) => {
                        let Node::Function(table, inputs) = &self.nodes[user] else {
                            continue;
                        };
                        let Some(k) = inputs.iter().position(|&input| input == node) else {
                            continue;
                        };
                        let (zero, one) = (
                            fixed(*table, inputs.len(), k, false),
                            fixed(*table, inputs.len(), k, true),
                        );
                        if zero ^ one == whole(inputs.len() - 1) {
                            masked.insert(user);
                        }
                    }
                    _ => {}
                }
            }
            if hidden.is_empty() && masked.is_empty() {
                return;
            }
            self.seen.retain(|node| !hidden.contains(node));
            for user in masked {
                self.nodes[user] = Node::Fresh;
            }
        }
    }

    /// What is seen, in parts that have no variable and no secret in common.
    pub fn parts(&self) -> Vec<Vec<usize>> {
        let live = self.live(&self.seen);
        let bundles = self.secrets(&live);
        let mut parts: Vec<(HashSet<usize>, Vec<usize>)> = vec![];
        for &node in &self.seen {
            let mut variables: HashSet<usize> = self
                .live(&[node])
                .into_iter()
                .filter(|&n| !matches!(self.nodes[n], Node::Function(..) | Node::Constant(_)))
                .collect();
            for (_, shares) in &bundles {
                if shares.iter().any(|share| variables.contains(share)) {
                    variables.extend(shares);
                }
            }
            let mut nodes = vec![node];
            let (near, far) = parts
                .into_iter()
                .partition(|part: &(HashSet<usize>, _)| !part.0.is_disjoint(&variables));
            parts = far;
            let near: Vec<(HashSet<usize>, Vec<usize>)> = near;
            for (more, others) in near {
                variables.extend(more);
                nodes.extend(others);
            }
            parts.push((variables, nodes));
        }
        parts.into_iter().map(|part| part.1).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sealwire_probe::netlist::Kind;
    use serde_json::json;

    const INPUTS: usize = 6;

    fn nothing() -> Circuit {
        let empty = json!({"modules": {"top": {"ports": {}, "cells": {}, "netnames": {}}}});
        Circuit {
            netlist: Netlist::read(&empty, "top", Kind::Pipeline).unwrap(),
            roles: HashMap::new(),
            shares: vec![],
            same: HashMap::new(),
        }
    }

    fn value(cone: &Cone<'_>, node: usize, row: u64) -> u64 {
        match &cone.nodes[node] {
            Node::Constant(value) => u64::from(*value),
            Node::Input((bit, _)) => row >> (bit - 2) & 1,
            Node::Function(table, inputs) => {
                let place = inputs
                    .iter()
                    .rev()
                    .fold(0, |place, &input| place << 1 | value(cone, input, row));
                table >> place & 1
            }
            Node::Fresh => unreachable!("no rule has been applied"),
        }
    }

    #[test]
    fn a_function_keeps_its_value_in_whatever_form() {
        let circuit = nothing();
        let mut cone = Cone::new(&circuit, &[], 1);
        let inputs: Vec<usize> = (0..INPUTS as Bit)
            .map(|bit| cone.node(Node::Input((bit + 2, 0))))
            .collect();
        let mut made = inputs.clone();
        let mut seed = 1u64;
        let mut next = || {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            seed
        };
        let mut split = 0;
        for round in 0..4000 {
            let count = 1 + next() as usize % INPUTS;
            // Of values made before, too: sums of sums, complements and repetitions come up.
            let from: Vec<usize> = (0..count)
                .map(|_| made[next() as usize % made.len().min(40)])
                .collect();
            // Every second table is one of the sum of its first two inputs.
            let mut table = next() & whole(count);
            if round % 2 == 0 && count > 1 {
                table = (0..1usize << count).fold(0, |to, i| {
                    let of_sum = (i >> 2) << 1 | (i & 1 ^ i >> 1 & 1);
                    to | (table >> of_sum & 1) << i
                });
            }
            let before = cone.nodes.len();
            let node = cone.function(table, from.clone());
            split += usize::from(cone.nodes.len() > before + 1); // a sum came up
            for row in 0..1 << INPUTS {
                let place = from
                    .iter()
                    .rev()
                    .fold(0, |place, &input| place << 1 | value(&cone, input, row));
                assert_eq!(
                    value(&cone, node, row),
                    table >> place & 1,
                    "{table:x} {from:?}"
                );
            }
            made.push(node);
        }
        assert!(split > 100, "{split}");
    }

    #[test]
    fn a_sum_in_two_tables_is_one_value() {
        let circuit = nothing();
        let mut cone = Cone::new(&circuit, &[], 1);
        let bits: Vec<usize> = (2..6).map(|bit| cone.node(Node::Input((bit, 0)))).collect();
        // (x + m) y and its like with z, the sum's terms in another order
        let one = cone.function(0b0110_0000, vec![bits[0], bits[1], bits[2]]);
        let other = cone.function(0b0110_0000, vec![bits[1], bits[0], bits[3]]);
        let inputs = |node: usize| match &cone.nodes[node] {
            Node::Function(_, inputs) => inputs.clone(),
            _ => vec![],
        };
        let sum = inputs(one)[0];
        assert_eq!((inputs(one)[0], inputs(other)[0]), (sum, sum));
        assert_eq!(inputs(sum), [bits[0], bits[1]]);
    }
}
