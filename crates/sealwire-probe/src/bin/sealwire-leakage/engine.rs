// SPDX-License-Identifier: Apache-2.0
//! Simulates a netlist of many traces at once, cell by cell with delays, so that glitches are seen, and counts changes.
//! All registers change at time 0 of a cycle; a cell's output shows its inputs after the cell's delay.

use crate::counter::Counter;
use crate::function::{Function, Scratch, of_four};
use crate::lanes::{LANES, Lanes, Random, all, any, choose, map2};
use sealwire_probe::netlist::{Bit, Driver, Netlist};
use std::collections::{HashMap, HashSet};

/// Longest delay of a cell in steps.
const SLOWEST: usize = 4;
/// Times that wait at once
const RING: usize = SLOWEST + 1;
/// Steps after which a cycle that does not settle has a loop.
const PATIENCE: usize = 2000;

enum Cell {
    /// Of at most four wires, the first ones of these
    Four(u16, [usize; 4]),
    Function(Function, Vec<usize>),
    Word(usize, usize),
}

struct Register {
    data: usize,
    enable: usize,
    reset: usize,
    value: bool,
    output: usize,
}

struct Memory {
    read: Vec<usize>,
    write: Vec<usize>,
    data: Vec<usize>,
    enable: usize,
    words: Vec<Vec<Lanes>>,
    readers: Vec<usize>,
}

/// The circuit and its present values. Wires are numbered from 0; the first two are the constants.
pub struct Engine {
    wires: HashMap<Bit, usize>,
    values: Vec<Lanes>,
    counted: Vec<bool>,
    cells: Vec<Cell>,
    outputs: Vec<usize>,
    delays: Vec<usize>,
    /// Cells that read a wire: those of `readers` from this wire's place to the next one's
    fanout: Vec<u32>,
    readers: Vec<u32>,
    registers: Vec<Register>,
    memories: Vec<Memory>,
    next: Vec<Lanes>,
    ordered: Vec<Lanes>,
    ring: Vec<Vec<(usize, Lanes)>>,
    stamp: Vec<u64>,
    now: u64,
    counter: Counter,
    scratch: Scratch,
}

impl Engine {
    /// Wires of `held` are 0; of the others, changes of those are counted that `secret` inputs reach, but for what comes
    /// through `public` wires. With a seed for delays each cell has one of 1 to 4 steps, else one.
    pub fn new(
        netlist: &Netlist,
        secret: &[Bit],
        public: &HashSet<Bit>,
        held: &HashSet<Bit>,
        delays: Option<u64>,
    ) -> Self {
        let mut drivers: Vec<(&Bit, &Driver)> = netlist.drivers.iter().collect();
        drivers.sort_unstable_by_key(|(bit, _)| **bit);
        let mut wires = HashMap::from([(0, 0), (1, 1)]);
        for &(&bit, _) in &drivers {
            let number = wires.len();
            wires.entry(bit).or_insert(number);
        }
        let at = |bit: &Bit| wires.get(bit).copied().unwrap_or(0);
        let every = |bits: &[Bit]| bits.iter().map(at).collect::<Vec<_>>();
        let (mut cells, mut outputs, mut registers) = (vec![], vec![], vec![]);
        let mut readers = vec![vec![]; wires.len()];
        let mut memories: Vec<Memory> = netlist
            .memories
            .iter()
            .map(|memory| Memory {
                read: every(&memory.read),
                write: every(&memory.write),
                data: every(&memory.data),
                enable: at(&memory.enable),
                words: vec![vec![all(false); memory.data.len()]; 1 << memory.read.len()],
                readers: vec![],
            })
            .collect();
        for (bit, driver) in drivers {
            if held.contains(bit) {
                continue;
            }
            let output = at(bit);
            match driver {
                Driver::Input => {}
                Driver::Register(data) => registers.push(Register {
                    data: at(data),
                    enable: 1,
                    reset: 0,
                    value: false,
                    output,
                }),
                Driver::Gated {
                    data,
                    enable,
                    reset,
                    value,
                } => registers.push(Register {
                    data: at(data),
                    enable: at(enable),
                    reset: at(reset),
                    value: *value,
                    output,
                }),
                Driver::Function(table, inputs) => {
                    let inputs = every(inputs);
                    for &input in &inputs {
                        readers[input].push(cells.len() as u32);
                    }
                    cells.push(if inputs.len() <= 4 {
                        let inputs = std::array::from_fn(|k| inputs.get(k).copied().unwrap_or(0));
                        Cell::Four(*table as u16, inputs)
                    } else {
                        Cell::Function(Function::new(*table, inputs.len()), inputs)
                    });
                    outputs.push(output);
                }
                Driver::Word(memory, place) => {
                    for &input in &memories[*memory].read {
                        readers[input].push(cells.len() as u32);
                    }
                    memories[*memory].readers.push(cells.len());
                    cells.push(Cell::Word(*memory, *place));
                    outputs.push(output);
                }
            }
        }
        let mut random = Random::new(delays.unwrap_or(0));
        let mut delay = |()| delays.map_or(1, |_| 1 + (random.word() % SLOWEST as u64) as usize);
        let delays = cells.iter().map(|_| delay(())).collect();
        let counted = reached(netlist, secret, public);
        let ends = readers.iter().scan(0, |end, cells| {
            *end += cells.len() as u32;
            Some(*end)
        });
        let fanout = std::iter::once(0).chain(ends).collect();
        let readers = readers.concat();
        let mut engine = Self {
            values: vec![all(false); wires.len()],
            counted: vec![false; wires.len()],
            next: vec![all(false); registers.len()],
            ordered: vec![all(false); cells.len()],
            stamp: vec![u64::MAX; cells.len()],
            ring: vec![vec![]; RING],
            now: 0,
            counter: Counter::default(),
            scratch: Scratch::default(),
            wires,
            cells,
            outputs,
            delays,
            fanout,
            readers,
            registers,
            memories,
        };
        for bit in &counted {
            let wire = engine.wires[bit];
            engine.counted[wire] = true;
        }
        engine.values[1] = all(true);
        engine.restart();
        engine
    }

    /// Wires whose changes are counted.
    pub fn counted(&self) -> usize {
        self.counted.iter().filter(|&&counted| counted).count()
    }

    /// All registers and memories as they are when the device starts, and every wire settled.
    pub fn restart(&mut self) {
        for place in 2..self.values.len() {
            self.values[place] = all(false);
        }
        for memory in &mut self.memories {
            memory
                .words
                .iter_mut()
                .flatten()
                .for_each(|bit| *bit = all(false));
        }
        self.ordered.fill(all(false));
        self.ring.iter_mut().for_each(Vec::clear);
        let everything: Vec<usize> = (0..self.cells.len()).collect();
        self.settle(everything);
        self.counter.clear();
    }

    /// The value of a wire.
    pub fn value(&self, bit: Bit) -> &Lanes {
        &self.values[self.wires[&bit]]
    }

    /// A clock edge: registers and memories take their inputs, and the inputs that are given change at once. Returns false
    /// if the circuit does not settle.
    pub fn cycle(&mut self, inputs: &[(Bit, Lanes)]) -> bool {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx512f") {
            #[allow(unsafe_code)]
            // SAFETY: the processor has what the function is compiled for.
            return unsafe { self.cycle_avx512(inputs) };
        } else if std::arch::is_x86_feature_detected!("avx2") {
            #[allow(unsafe_code)]
            // SAFETY: the processor has what the function is compiled for.
            return unsafe { self.cycle_avx2(inputs) };
        }
        self.any_cycle(inputs)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f")]
    fn cycle_avx512(&mut self, inputs: &[(Bit, Lanes)]) -> bool {
        self.any_cycle(inputs)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn cycle_avx2(&mut self, inputs: &[(Bit, Lanes)]) -> bool {
        self.any_cycle(inputs)
    }

    #[inline(always)]
    fn any_cycle(&mut self, inputs: &[(Bit, Lanes)]) -> bool {
        self.counter.clear();
        let values = &self.values;
        for (next, register) in self.next.iter_mut().zip(&self.registers) {
            let old = &values[register.output];
            *next = match (register.enable, register.reset) {
                (1, 0) => values[register.data],
                (enable, 0) => choose(&values[enable], &values[register.data], old),
                (enable, reset) => {
                    let taken = choose(&values[enable], &values[register.data], old);
                    choose(&values[reset], &all(register.value), &taken)
                }
            };
        }
        let mut woken = vec![];
        for memory in &mut self.memories {
            if !any(&values[memory.enable]) {
                continue;
            }
            for (address, word) in memory.words.iter_mut().enumerate() {
                let mut here = values[memory.enable];
                for (place, &bit) in memory.write.iter().enumerate() {
                    let set = address >> place & 1 == 1;
                    here = map2(&here, &values[bit], |here, bit| {
                        here & if set { bit } else { !bit }
                    });
                }
                if any(&here) {
                    for (bit, &data) in word.iter_mut().zip(&memory.data) {
                        *bit = choose(&here, &values[data], bit);
                    }
                }
            }
            woken.extend_from_slice(&memory.readers);
        }
        self.now += 1;
        let mut marked = vec![];
        for cell in woken {
            self.mark(cell, &mut marked);
        }
        for place in 0..self.registers.len() {
            self.change(self.registers[place].output, self.next[place], &mut marked);
        }
        for (bit, value) in inputs {
            self.change(self.wires[bit], *value, &mut marked);
        }
        self.settle(marked)
    }

    #[inline(always)]
    fn mark(&mut self, cell: usize, marked: &mut Vec<usize>) {
        if self.stamp[cell] != self.now {
            self.stamp[cell] = self.now;
            marked.push(cell);
        }
    }

    #[inline(always)]
    fn change(&mut self, wire: usize, value: Lanes, marked: &mut Vec<usize>) {
        let changed = map2(&self.values[wire], &value, |old, new| old ^ new);
        if !any(&changed) {
            return;
        }
        self.values[wire] = value;
        if self.counted[wire] {
            self.counter.add(changed);
        }
        for index in self.fanout[wire]..self.fanout[wire + 1] {
            self.mark(self.readers[index as usize] as usize, marked);
        }
    }

    #[inline(always)]
    fn settle(&mut self, mut marked: Vec<usize>) -> bool {
        let mut scratch = std::mem::take(&mut self.scratch);
        let settled = self.steps(&mut marked, &mut scratch);
        self.scratch = scratch;
        settled
    }

    #[inline(always)]
    fn steps(&mut self, marked: &mut Vec<usize>, scratch: &mut Scratch) -> bool {
        let mut waiting = 0;
        for step in 0..PATIENCE {
            for &cell in &*marked {
                let value = self.result(cell, scratch);
                if value != self.ordered[cell] {
                    self.ordered[cell] = value;
                    self.ring[(step + self.delays[cell]) % RING].push((cell, value));
                    waiting += 1;
                }
            }
            if waiting == 0 {
                return true;
            }
            marked.clear();
            self.now += 1;
            let due = std::mem::take(&mut self.ring[(step + 1) % RING]);
            waiting -= due.len();
            for (cell, value) in due {
                self.change(self.outputs[cell], value, marked);
            }
        }
        false
    }

    #[inline(always)]
    fn result(&self, cell: usize, scratch: &mut Scratch) -> Lanes {
        match &self.cells[cell] {
            Cell::Four(table, inputs) => of_four(*table, inputs.map(|input| &self.values[input])),
            Cell::Function(function, inputs) => {
                function.value(scratch, |index| &self.values[inputs[index]])
            }
            Cell::Word(memory, place) => {
                let memory = &self.memories[*memory];
                let level = scratch.room();
                for (bit, word) in level.iter_mut().zip(&memory.words) {
                    *bit = word[*place];
                }
                let mut count = memory.words.len();
                for &bit in &memory.read {
                    let select = &self.values[bit];
                    count /= 2;
                    for pair in 0..count {
                        level[pair] = choose(select, &level[2 * pair + 1], &level[2 * pair]);
                    }
                }
                level[0]
            }
        }
    }

    /// How many counted changes each trace has had since the last clock edge, the edge's own included.
    pub fn changes(&self) -> [u32; LANES] {
        self.counter.counts()
    }
}

/// All wires that depend on some secret input, in any cycle; a public wire passes nothing on and does not count. Neither does
/// the last function in front of a public register, if only public registers take it: they show its value a cycle later.
/// What that function reads counts.
fn reached(netlist: &Netlist, secret: &[Bit], public: &HashSet<Bit>) -> HashSet<Bit> {
    let mut readers: HashMap<Bit, Vec<Bit>> = HashMap::new();
    for (&output, driver) in &netlist.drivers {
        let memory;
        let inputs: &[Bit] = match driver {
            Driver::Input => &[],
            Driver::Register(data) => &[*data],
            Driver::Function(_, inputs) => inputs,
            Driver::Gated {
                data,
                enable,
                reset,
                ..
            } => &[*data, *enable, *reset],
            Driver::Word(index, _) => {
                let it = &netlist.memories[*index];
                memory = [&it.read[..], &it.write, &it.data, &[it.enable]].concat();
                &memory
            }
        };
        for &input in inputs {
            readers.entry(input).or_default().push(output);
        }
    }
    let outputs: HashSet<&Bit> = netlist.ports.values().flatten().collect();
    let shown = |bit: &Bit| {
        let takes = |reader: &Bit| match &netlist.drivers[reader] {
            Driver::Register(data) | Driver::Gated { data, .. } => {
                data == bit && public.contains(reader)
            }
            _ => false,
        };
        matches!(netlist.drivers[bit], Driver::Function(..))
            && !outputs.contains(bit)
            && readers.get(bit).is_some_and(|all| all.iter().all(takes))
    };
    let mut found: HashSet<Bit> = secret.iter().copied().collect();
    let mut open: Vec<Bit> = secret.to_vec();
    while let Some(bit) = open.pop() {
        for reader in readers.get(&bit).map_or(&[][..], Vec::as_slice) {
            if !public.contains(reader) && !shown(reader) && found.insert(*reader) {
                open.push(*reader);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use sealwire_probe::netlist::Kind;
    use serde_json::json;

    /// q <= a ^ q, and the AND of q with a and b.
    fn engine(delays: Option<u64>) -> Engine {
        let gate = |kind: &str, a: u64, b: u64, y: u64| json!({"type": kind, "connections": {"A": [a], "B": [b], "Y": [y]}});
        let module = json!({
            "ports": {
                "clk": {"direction": "input", "bits": [2]},
                "a": {"direction": "input", "bits": [3]},
                "b": {"direction": "input", "bits": [4]},
                "y": {"direction": "output", "bits": [8]},
            },
            "cells": {
                "sum": gate("$_XOR_", 3, 5, 6),
                "q": {"type": "$_DFF_P_", "connections": {"C": [2], "D": [6], "Q": [5]}},
                "near": gate("$_AND_", 5, 3, 7),
                "far": gate("$_AND_", 7, 4, 8),
            },
            "netnames": {},
        });
        let netlist = Netlist::read(&json!({"modules": {"top": module}}), "top", Kind::Any)
            .expect("a netlist");
        Engine::new(&netlist, &[3], &HashSet::new(), &HashSet::new(), delays)
    }

    #[test]
    fn what_a_public_register_takes_is_public_if_nothing_else_reads_it() {
        let gate = |kind: &str, a: u64, b: u64, y: u64| json!({"type": kind, "connections": {"A": [a], "B": [b], "Y": [y]}});
        let register = |d: u64, q: u64| json!({"type": "$_DFF_P_", "connections": {"C": [2], "D": [d], "Q": [q]}});
        let module = json!({
            "ports": {
                "clk": {"direction": "input", "bits": [2]},
                "a": {"direction": "input", "bits": [3]},
                "b": {"direction": "input", "bits": [4]},
            },
            "cells": {
                "near": gate("$_AND_", 3, 4, 5), // what `sum` reads
                "sum": gate("$_XOR_", 5, 4, 6), // what the public register 7 alone takes
                "shown": register(6, 7),
                "read": gate("$_OR_", 3, 4, 8), // what public register 9 and one that is not take
                "also": register(8, 9),
                "hidden": register(8, 10),
            },
            "netnames": {},
        });
        let netlist = Netlist::read(&json!({"modules": {"top": module}}), "top", Kind::Any)
            .expect("a netlist");
        let found = reached(&netlist, &[3], &HashSet::from([7, 9]));
        assert_eq!(found, HashSet::from([3, 5, 8, 10]));
        let watched = reached(&netlist, &[3], &HashSet::new());
        assert_eq!(watched, HashSet::from([3, 5, 6, 7, 8, 9, 10]));
    }

    #[test]
    fn every_set_of_instructions_gives_the_same_values_and_changes() {
        for delays in [None, Some(7)] {
            let (mut usual, mut plain) = (engine(delays), engine(delays));
            let mut random = Random::new(3);
            let mut q = all(false);
            for _ in 0..50 {
                let (a, b) = (random.lanes(), random.lanes());
                // At the edge the register takes what stood before it; then a and b change.
                q = *usual.value(6);
                let inputs = [(3, a), (4, b)];
                assert!(usual.cycle(&inputs) && plain.any_cycle(&inputs));
                let high = map2(&map2(&q, &a, |q, a| q & a), &b, |qa, b| qa & b);
                assert_eq!((usual.value(5), usual.value(8)), (&q, &high));
                assert_eq!(usual.values, plain.values);
                assert_eq!(usual.changes(), plain.changes());
            }
            assert!(any(&q));
        }
    }
}
