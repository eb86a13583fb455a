// SPDX-License-Identifier: Apache-2.0
//! What one probe sees: values of registers and inputs in two cycles, as functions of inputs of earlier cycles.

use crate::netlist::{Bit, Driver, Netlist};
use std::collections::{HashMap, HashSet};

/// What an input bit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// A probe's values, inputs first.
pub struct Cone<'a> {
    circuit: &'a Circuit,
    /// Every value, what it is made of before it.
    pub nodes: Vec<Node>,
    /// What the probe sees.
    pub seen: Vec<usize>,
    /// Names of what was seen at first, by value.
    pub names: HashMap<usize, String>,
    index: HashMap<(Bit, u32), usize>,
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

fn whole(inputs: usize) -> u64 {
    u64::MAX >> (64 - (1 << inputs))
}

impl<'a> Cone<'a> {
    /// The values of `sources` in each of the last `cycles` cycles.
    pub fn new(circuit: &'a Circuit, sources: &[Bit], cycles: u32) -> Self {
        let mut cone = Self {
            circuit,
            nodes: vec![],
            seen: vec![],
            names: HashMap::new(),
            index: HashMap::new(),
        };
        for cycle in 0..cycles {
            for &bit in sources {
                let node = cone.value(bit, cycle);
                cone.seen.push(node);
                let when = if cycle == 0 { "" } else { " a cycle before" };
                cone.names
                    .entry(node)
                    .or_insert_with(|| circuit.netlist.name(bit) + when);
            }
        }
        cone.tidy();
        cone
    }

    /// The values of `bits` in one cycle; none if two are equal or one is constant, which cannot be uniform together.
    pub fn together(circuit: &'a Circuit, bits: &[Bit]) -> Option<Self> {
        let cone = Self::new(circuit, bits, 1);
        (cone.seen.len() == bits.len()).then_some(cone)
    }

    fn value(&mut self, bit: Bit, ago: u32) -> usize {
        let bit = self.circuit.same.get(&bit).copied().unwrap_or(bit);
        if let Some(&known) = self.index.get(&(bit, ago)) {
            return known;
        }
        let made = match self.circuit.netlist.drivers.get(&bit) {
            _ if bit < 2 => Node::Constant(bit == 1),
            Some(Driver::Register(data)) => {
                let node = self.value(*data, ago + 1);
                self.index.insert((bit, ago), node);
                return node;
            }
            Some(Driver::Function(table, inputs)) => {
                let inputs = inputs.iter().map(|&input| self.value(input, ago)).collect();
                self.simplified(*table, inputs)
            }
            _ => Node::Input((bit, ago)),
        };
        self.nodes.push(made);
        self.index.insert((bit, ago), self.nodes.len() - 1);
        self.nodes.len() - 1
    }

    /// A function without constants, and of what it depends on alone.
    fn simplified(&self, mut table: u64, mut inputs: Vec<usize>) -> Node {
        table &= whole(inputs.len());
        let mut k = 0;
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

    /// Whether a value is an input that everybody knows.
    pub fn public(&self, node: usize) -> bool {
        matches!(self.nodes[node], Node::Input((bit, _)) if self.circuit.roles.get(&bit) == Some(&Role::Public))
    }

    /// Drop what masks hide: a value v + m, with m uniform and used nowhere else, is uniform and independent of all else.
    pub fn reduce(&mut self) {
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
            let bound: HashSet<usize> = self
                .secrets(&live)
                .into_iter()
                .flat_map(|(_, nodes)| nodes)
                .collect();
            let seen: HashSet<usize> = self.seen.iter().copied().collect();
            let mask = |node: usize| match self.nodes[node] {
                Node::Fresh => true,
                Node::Input(_) => !self.public(node) && !bound.contains(&node),
                _ => false,
            };
            let hidden = live
                .iter()
                .copied()
                .find(|&node| mask(node) && seen.contains(&node) && !uses.contains_key(&node));
            if let Some(hidden) = hidden {
                self.seen.retain(|&node| node != hidden);
                continue;
            }
            let masked = live
                .iter()
                .copied()
                .filter(|&node| mask(node) && !seen.contains(&node))
                .find_map(|node| {
                    let [user] = uses.get(&node)?[..] else {
                        return None;
                    };
                    let Node::Function(table, inputs) = &self.nodes[user] else {
                        return None;
                    };
                    let k = inputs.iter().position(|&input| input == node)?;
                    let (zero, one) = (
                        fixed(*table, inputs.len(), k, false),
                        fixed(*table, inputs.len(), k, true),
                    );
                    (zero ^ one == whole(inputs.len() - 1)).then_some(user)
                });
            match masked {
                Some(user) => self.nodes[user] = Node::Fresh,
                None => return,
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
