// SPDX-License-Identifier: Apache-2.0
//! What happens at the ports of the circuit while it is watched.

use crate::lanes::{Lanes, Random, all, choose, map2};
use sealwire_probe::netlist::{Bit, Netlist};
use serde_json::Value;

/// What a port carries: given bits, or random ones in every trace.
struct Content {
    value: Option<Vec<bool>>,
    /// The given bits are those of one group; the other has random ones.
    fixed: bool,
    /// In two shares, the first in the low half of the port.
    shared: bool,
    /// The second share is zero.
    bare: bool,
}

/// Ports that change, and how long it lasts.
pub struct Step {
    set: Vec<(Vec<Bit>, Content)>,
    /// until this wire is 1, or
    pub until: Option<Bit>,
    /// as many cycles, which are
    pub cycles: usize,
    /// points of the traces.
    pub recorded: bool,
}

fn bits(text: &str, count: usize) -> Result<Vec<bool>, String> {
    let digits: Vec<u32> = text
        .chars()
        .rev()
        .map(|digit| digit.to_digit(16))
        .collect::<Option<_>>()
        .ok_or_else(|| format!("{text} is no hexadecimal number"))?;
    let bit = |bit: usize| {
        digits
            .get(bit / 4)
            .is_some_and(|digit| digit >> (bit % 4) & 1 == 1)
    };
    Ok((0..count).map(bit).collect())
}

impl Step {
    /// Read a step.
    pub fn read(value: &Value, netlist: &Netlist) -> Result<Self, String> {
        let empty = serde_json::Map::new();
        let mut set = vec![];
        for (port, content) in value["set"].as_object().unwrap_or(&empty) {
            let wires = netlist.slice(port)?;
            let shared = content["shared"] == true;
            let width = wires.len() / if shared { 2 } else { 1 };
            let given = content["value"].as_str();
            let content = Content {
                value: given.map(|text| bits(text, width)).transpose()?,
                fixed: content["fixed"] == true,
                shared,
                bare: content["bare"] == true,
            };
            set.push((wires, content));
        }
        let until = value["until"].as_str();
        let until = until.map(|port| netlist.slice(port)).transpose()?;
        Ok(Self {
            set,
            until: until.map(|wires| wires[0]),
            cycles: value["cycles"].as_u64().unwrap_or(1) as usize,
            recorded: value["record"] == true,
        })
    }

    /// Values for the ports that change.
    pub fn inputs(&self, group: &Lanes, random: &mut Random) -> Vec<(Bit, Lanes)> {
        let mut inputs = vec![];
        for (wires, content) in &self.set {
            let (low, high) = wires.split_at(wires.len() / if content.shared { 2 } else { 1 });
            for (place, &wire) in low.iter().enumerate() {
                let value = match &content.value {
                    None => random.lanes(),
                    Some(bits) if content.fixed => {
                        choose(group, &all(bits[place]), &random.lanes())
                    }
                    Some(bits) => all(bits[place]),
                };
                if !content.shared {
                    inputs.push((wire, value));
                    continue;
                }
                let mask = if content.bare {
                    all(false)
                } else {
                    random.lanes()
                };
                inputs.push((wire, map2(&value, &mask, |value, mask| value ^ mask)));
                inputs.push((high[place], mask));
            }
        }
        inputs
    }
}
