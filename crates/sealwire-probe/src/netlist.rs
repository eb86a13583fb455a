// SPDX-License-Identifier: Apache-2.0
//! A module of a Yosys netlist (JSON) as functions of at most six bits, registers and small memories.

use serde_json::Value;
use std::collections::{HashMap, HashSet};

/// A wire: 0 and 1 are the constants, others have Yosys' numbers.
pub type Bit = u32;

/// What drives a wire.
#[derive(Clone, Debug)]
pub enum Driver {
    /// A port of the module.
    Input,
    /// A register, which shows what this wire was a cycle ago.
    Register(Bit),
    /// A function by its table: bit i is the value where input k is bit k of i.
    Function(u64, Vec<Bit>),
    /// A register with an enable or a reset, which is stronger.
    Gated {
        /// What it takes
        data: Bit,
        /// while this is 1
        enable: Bit,
        /// and this is not,
        reset: Bit,
        /// which makes it this.
        value: bool,
    },
    /// A bit of a word that a memory shows.
    Word(usize, usize),
}

/// A memory of 16 words of 4 bits with one port to write and one to read, which needs no clock.
#[derive(Clone, Debug)]
pub struct Memory {
    /// Address of the word that shows.
    pub read: Vec<Bit>,
    /// Address of the word that is written
    pub write: Vec<Bit>,
    /// with this
    pub data: Vec<Bit>,
    /// while this is 1.
    pub enable: Bit,
}

/// The numbers that the source gives the bits of a port or net.
#[derive(Clone, Copy, Default)]
struct Numbers {
    least: i64,
    width: i64,
    /// `[0:7]`, the lowest bit last.
    rising: bool,
}

impl Numbers {
    fn of(value: &Value, width: usize) -> Self {
        Self {
            least: value["offset"].as_i64().unwrap_or(0),
            width: width as i64,
            rising: value["upto"].as_i64().unwrap_or(0) != 0,
        }
    }

    /// The number of the bit at a place, counted from the lowest, or the place of a number.
    fn turned(&self, from: i64) -> i64 {
        if self.rising {
            self.width - 1 - from
        } else {
            from
        }
    }

    fn number(&self, place: usize) -> i64 {
        self.least + self.turned(place as i64)
    }

    /// The places of `3` or `7:4`, with the ends in the order that the source has.
    fn places(&self, range: &str) -> Option<std::ops::RangeInclusive<usize>> {
        let (high, low) = range.split_once(':').unwrap_or((range, range));
        let place = |text: &str| {
            let number = text.parse::<i64>().ok()?.checked_sub(self.least)?;
            let within = (0..self.width).contains(&number);
            within.then(|| self.turned(number) as usize)
        };
        let (high, low) = (place(high)?, place(low)?);
        (low <= high).then_some(low..=high)
    }

    /// As the source writes it.
    fn text(&self) -> String {
        let (low, high) = (self.number(0), self.number(self.width as usize - 1));
        format!("[{high}:{low}]")
    }
}

/// What a netlist may hold.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Registers that take their input in every cycle, and no loops.
    Pipeline,
    /// Any registers, and memories.
    Any,
}

/// The module.
pub struct Netlist {
    /// What drives each wire.
    pub drivers: HashMap<Bit, Driver>,
    /// The wires of each port.
    pub ports: HashMap<String, Vec<Bit>>,
    /// Ports that are inputs.
    pub inputs: Vec<String>,
    /// Memories; none in a pipeline.
    pub memories: Vec<Memory>,
    /// The clock of each register and memory, with a wire that it drives.
    clocks: Vec<(Option<Bit>, Bit)>,
    kind: Kind,
    names: HashMap<Bit, String>,
    nets: HashMap<String, (Vec<Bit>, Numbers)>,
    numbers: HashMap<String, Numbers>,
}

/// Functions of the cells: type, inputs from the lowest bit of the table's index, output, table.
const GATES: &[(&str, &[&str], &str, u64)] = &[
    ("$_BUF_", &["A"], "Y", 0b10),
    ("$_NOT_", &["A"], "Y", 0b01),
    ("$_AND_", &["A", "B"], "Y", 0b1000),
    ("$_NAND_", &["A", "B"], "Y", 0b0111),
    ("$_OR_", &["A", "B"], "Y", 0b1110),
    ("$_NOR_", &["A", "B"], "Y", 0b0001),
    ("$_XOR_", &["A", "B"], "Y", 0b0110),
    ("$_XNOR_", &["A", "B"], "Y", 0b1001),
    ("$_ANDNOT_", &["A", "B"], "Y", 0b0010),
    ("$_ORNOT_", &["A", "B"], "Y", 0b1011),
    ("$_MUX_", &["A", "B", "S"], "Y", 0b1100_1010),
    ("INV", &["I"], "O", 0b01),
    ("MUXF7", &["I0", "I1", "S"], "O", 0b1100_1010),
    ("MUXF8", &["I0", "I1", "S"], "O", 0b1100_1010),
    ("MUXF9", &["I0", "I1", "S"], "O", 0b1100_1010),
    ("PFUMX", &["BLUT", "ALUT", "C0"], "Z", 0b1100_1010),
    ("L6MUX21", &["D0", "D1", "SD"], "Z", 0b1100_1010),
];
const LUT_OF_XILINX: [&str; 6] = ["I0", "I1", "I2", "I3", "I4", "I5"];
const LUT_OF_ECP5: [&str; 4] = ["A", "B", "C", "D"];

fn bit_of(value: &Value) -> Result<Bit, String> {
    match value {
        Value::Number(number) => number
            .as_u64()
            .map(|n| n as Bit)
            .ok_or_else(|| format!("{number} is no wire")),
        Value::String(text) if text == "1" => Ok(1),
        Value::String(text) if text == "0" || text == "x" => Ok(0),
        other => Err(format!(
            "a wire is {other}, which is neither a number nor 0 or 1"
        )),
    }
}

struct Cell<'a> {
    name: &'a str,
    kind: &'a str,
    value: &'a Value,
}

impl Cell<'_> {
    fn optional(&self, port: &str) -> Result<Option<Bit>, String> {
        self.value["connections"][port]
            .get(0)
            .map(bit_of)
            .transpose()
    }

    fn bit(&self, port: &str) -> Result<Bit, String> {
        self.optional(port)?.ok_or_else(|| {
            format!(
                "cell {} of type {} has no port {port}",
                self.name, self.kind
            )
        })
    }

    /// Whether something is left to the tools: a simulation takes it for 0.
    fn undefined(&self) -> bool {
        let ports = self.value["connections"].as_object();
        let mut bits = ports
            .into_iter()
            .flat_map(|ports| ports.values())
            .filter_map(Value::as_array);
        bits.any(|bits| bits.iter().any(|bit| bit == "x"))
    }

    fn parameter(&self, name: &str) -> &str {
        self.value["parameters"][name].as_str().unwrap_or("").trim()
    }

    fn table(&self) -> Result<u64, String> {
        let text = self.parameter("INIT");
        u64::from_str_radix(text, 2).map_err(|_| {
            format!(
                "cell {} has the table {text:?}, which is no binary number",
                self.name
            )
        })
    }

    /// A choice that a cell of an ECP5 makes at one of its ports is one of these.
    fn plain(&self, parameter: &str, forms: &[&str]) -> Result<(), String> {
        let form = self.parameter(parameter);
        if form.is_empty() || forms.contains(&form) {
            return Ok(());
        }
        Err(format!(
            "cell {} has {parameter} {form:?}, which this check does not know",
            self.name
        ))
    }

    /// No port of a Xilinx cell is inverted within the cell.
    fn upright(&self) -> Result<(), String> {
        let parameters = self.value["parameters"].as_object();
        for name in parameters.into_iter().flat_map(|known| known.keys()) {
            let turns = name.starts_with("IS_") && name.ends_with("_INVERTED");
            if turns && self.parameter(name).contains(|digit| digit != '0') {
                return Err(format!(
                    "cell {} has {name}, which this check does not know",
                    self.name
                ));
            }
        }
        Ok(())
    }

    /// Registers are decided as ones that take their input at every edge of the clock.
    fn only(&self, port: &str, value: Bit) -> Result<(), String> {
        match self.optional(port)? {
            Some(bit) if bit != value => Err(format!(
                "register {} has an enable or a reset at {port}; a pipeline's registers have neither",
                self.name
            )),
            _ => Ok(()),
        }
    }
}

impl Netlist {
    /// Read a module of a netlist.
    pub fn read(json: &Value, top: &str, kind: Kind) -> Result<Self, String> {
        let module = json["modules"]
            .get(top)
            .ok_or_else(|| format!("the netlist has no module {top}"))?;
        let mut netlist = Self {
            drivers: HashMap::new(),
            ports: HashMap::new(),
            inputs: vec![],
            memories: vec![],
            clocks: vec![],
            kind,
            names: HashMap::new(),
            nets: HashMap::new(),
            numbers: HashMap::new(),
        };
        let empty = serde_json::Map::new();
        for (name, port) in module["ports"].as_object().unwrap_or(&empty) {
            let bits = port["bits"]
                .as_array()
                .ok_or("a port has no bits")?
                .iter()
                .map(bit_of)
                .collect::<Result<Vec<_>, _>>()?;
            match port["direction"].as_str() {
                Some("input") => {
                    netlist
                        .drivers
                        .extend(bits.iter().map(|&bit| (bit, Driver::Input)));
                    netlist.inputs.push(name.clone());
                }
                Some("output") => {}
                _ => return Err(format!("port {name} is neither input nor output")),
            }
            let numbers = Numbers::of(port, bits.len());
            netlist.numbers.insert(name.clone(), numbers);
            netlist.ports.insert(name.clone(), bits);
        }
        let mut next = netlist.name_wires(module);
        for (name, value) in module["cells"].as_object().unwrap_or(&empty) {
            let kind = value["type"].as_str().unwrap_or("");
            netlist.cell(&Cell { name, kind, value }, &mut next)?;
        }
        if kind == Kind::Pipeline {
            netlist.refuse_loops()?;
        }
        Ok(netlist)
    }

    /// Returns the first number that no wire has.
    fn name_wires(&mut self, module: &Value) -> Bit {
        let mut most = 1;
        for (name, net) in module["netnames"]
            .as_object()
            .unwrap_or(&serde_json::Map::new())
        {
            let bits = net["bits"].as_array().map_or(&[][..], Vec::as_slice);
            let numbers = Numbers::of(net, bits.len());
            if !name.starts_with('$') {
                let known = bits.iter().map(|bit| bit_of(bit).unwrap_or(0));
                self.nets.insert(name.clone(), (known.collect(), numbers));
            }
            for (index, bit) in bits.iter().enumerate() {
                let Ok(bit) = bit_of(bit) else { continue };
                most = most.max(bit);
                let spoken = if bits.len() == 1 {
                    name.clone()
                } else {
                    format!("{name}[{}]", numbers.number(index))
                };
                let rank = |text: &str| (text.starts_with('$'), text.len(), text.to_owned());
                match self.names.get(&bit) {
                    Some(known) if rank(known) <= rank(&spoken) => {}
                    _ => drop(self.names.insert(bit, spoken)),
                }
            }
        }
        most + 1
    }

    fn cell(&mut self, cell: &Cell<'_>, next: &mut Bit) -> Result<(), String> {
        if self.kind == Kind::Pipeline && cell.undefined() {
            return Err(format!("cell {} has an undefined input", cell.name));
        }
        cell.upright()?;
        let clock = match cell.kind {
            "$_DFF_P_" | "FDRE" | "FDSE" | "FDCE" | "FDPE" => Some(("C", "Q")),
            "SRL16E" | "TRELLIS_FF" => Some(("CLK", "Q")),
            "TRELLIS_DPR16X4" => Some(("WCK", "DO")),
            _ => None,
        };
        if let Some((clock, output)) = clock {
            self.clocks.push((cell.optional(clock)?, cell.bit(output)?));
        }
        if cell.kind == "TRELLIS_FF" {
            let mut forms = [
                ("CLKMUX", &["CLK"][..]),
                ("SRMODE", &["LSR_OVER_CE"]),
                ("CEMUX", &["1", "CE"]),
                ("LSRMUX", &["LSR"]),
            ];
            if self.kind == Kind::Any {
                forms[2].1 = &["0", "1", "CE", "INV"];
                forms[3].1 = &["LSR", "INV"];
            }
            for (parameter, known) in forms {
                cell.plain(parameter, known)?;
            }
        }
        let (output, driver) = match cell.kind {
            "$_DFF_P_" => (cell.bit("Q")?, Driver::Register(cell.bit("D")?)),
            "FDRE" | "FDSE" | "FDCE" | "FDPE" => {
                cell.only("CE", 1)?;
                for port in ["R", "S", "CLR", "PRE"] {
                    cell.only(port, 0)?;
                }
                (cell.bit("Q")?, Driver::Register(cell.bit("D")?))
            }
            "TRELLIS_FF" if self.kind == Kind::Any => {
                let enable = match cell.parameter("CEMUX") {
                    "1" => 1,
                    "0" => 0,
                    how => self.maybe_inverted(cell, "CE", 1, how, next)?,
                };
                let reset = self.maybe_inverted(cell, "LSR", 0, cell.parameter("LSRMUX"), next)?;
                let value = cell.parameter("REGSET") == "SET";
                (
                    cell.bit("Q")?,
                    Driver::Gated {
                        data: cell.bit("DI")?,
                        enable,
                        reset,
                        value,
                    },
                )
            }
            "TRELLIS_DPR16X4" if self.kind == Kind::Any => return self.memory(cell),
            "CCU2C" => return self.carry(cell, next),
            "TRELLIS_FF" => {
                if cell.parameter("CEMUX") != "1" {
                    cell.only("CE", 1)?;
                }
                cell.only("LSR", 0)?;
                (cell.bit("Q")?, Driver::Register(cell.bit("DI")?))
            }
            "SRL16E" => {
                cell.only("CE", 1)?;
                let mut behind = cell.bit("D")?;
                let mut stages = 0;
                for (place, port) in ["A0", "A1", "A2", "A3"].iter().enumerate() {
                    match cell.bit(port)? {
                        bit @ (0 | 1) => stages |= bit << place,
                        _ => {
                            return Err(format!(
                                "shift register {} has a length that changes",
                                cell.name
                            ));
                        }
                    }
                }
                for _ in 0..stages {
                    self.drivers.insert(*next, Driver::Register(behind));
                    behind = *next;
                    *next += 1;
                }
                (cell.bit("Q")?, Driver::Register(behind))
            }
            "LUT4" if cell.value["connections"].get("Z").is_some() => {
                self.lut(cell, &LUT_OF_ECP5, "Z")?
            }
            "LUT1" | "LUT2" | "LUT3" | "LUT4" | "LUT5" | "LUT6" => {
                let inputs = usize::from(cell.kind.as_bytes()[3] - b'0');
                self.lut(cell, &LUT_OF_XILINX[..inputs], "O")?
            }
            "$scopeinfo" => return Ok(()),
            kind => {
                let (_, inputs, output, table) =
                    GATES.iter().find(|gate| gate.0 == kind).ok_or_else(|| {
                        format!(
                            "cell {} is of type {kind}, which this check does not know",
                            cell.name
                        )
                    })?;
                let inputs = inputs
                    .iter()
                    .map(|port| cell.bit(port))
                    .collect::<Result<_, _>>()?;
                (cell.bit(output)?, Driver::Function(*table, inputs))
            }
        };
        match self.drivers.insert(output, driver) {
            None => Ok(()),
            Some(_) => Err(format!("wire {} has two drivers", self.name(output))),
        }
    }

    /// A control of a register, which the cell may turn.
    fn maybe_inverted(
        &mut self,
        cell: &Cell<'_>,
        port: &str,
        absent: Bit,
        how: &str,
        next: &mut Bit,
    ) -> Result<Bit, String> {
        let bit = cell.optional(port)?.unwrap_or(absent);
        if how != "INV" {
            return Ok(bit);
        }
        self.drivers
            .insert(*next, Driver::Function(0b01, vec![bit]));
        *next += 1;
        Ok(*next - 1)
    }

    /// Two sums with their carry: each a function of four inputs and the carry that comes.
    fn carry(&mut self, cell: &Cell<'_>, next: &mut Bit) -> Result<(), String> {
        let mut carry = cell.optional("CIN")?.unwrap_or(0);
        for place in 0..2 {
            let text = cell.parameter(&format!("INIT{place}"));
            let table = u64::from_str_radix(text, 2)
                .map_err(|_| format!("cell {} has no table", cell.name))?;
            let inject = cell.parameter(&format!("INJECT1_{place}")) == "YES";
            let (mut sums, mut carries) = (0u64, 0u64);
            for row in 0..32 {
                let (comes, lut) = (row >> 4 & 1, table >> (row & 15) & 1);
                let pair = if inject { 0 } else { table >> (row & 3) & 1 };
                sums |= (lut ^ if inject { 0 } else { comes }) << row;
                carries |= (if lut == 1 { comes } else { pair }) << row;
            }
            let mut inputs = LUT_OF_ECP5
                .iter()
                .map(|port| Ok(cell.optional(&format!("{port}{place}"))?.unwrap_or(0)))
                .collect::<Result<Vec<_>, String>>()?;
            inputs.push(carry);
            if let Some(sum) = cell.optional(&format!("S{place}"))? {
                self.drivers
                    .insert(sum, Driver::Function(sums, inputs.clone()));
            }
            carry = match cell.optional("COUT")? {
                Some(out) if place == 1 => out,
                _ => {
                    *next += 1;
                    *next - 1
                }
            };
            self.drivers
                .insert(carry, Driver::Function(carries, inputs));
        }
        Ok(())
    }

    fn memory(&mut self, cell: &Cell<'_>) -> Result<(), String> {
        let bits = |port: &str| -> Result<Vec<Bit>, String> {
            let listed = cell.value["connections"][port]
                .as_array()
                .map_or(&[][..], Vec::as_slice);
            listed.iter().map(bit_of).collect()
        };
        cell.plain("WREMUX", &["WRE"])?;
        cell.plain("WCKMUX", &["WCK"])?;
        for (place, &bit) in bits("DO")?.iter().enumerate() {
            self.drivers
                .insert(bit, Driver::Word(self.memories.len(), place));
        }
        self.memories.push(Memory {
            read: bits("RAD")?,
            write: bits("WAD")?,
            data: bits("DI")?,
            enable: cell.bit("WRE")?,
        });
        Ok(())
    }

    fn lut(&self, cell: &Cell<'_>, inputs: &[&str], output: &str) -> Result<(Bit, Driver), String> {
        let inputs = inputs
            .iter()
            .map(|port| Ok(cell.optional(port)?.unwrap_or(0)))
            .collect::<Result<_, String>>()?;
        Ok((cell.bit(output)?, Driver::Function(cell.table()?, inputs)))
    }

    /// The clock, a port of one bit, if it is that of every register and memory and nothing else meets it.
    pub fn clock(&self, port: &str) -> Result<Bit, String> {
        let [clock] = self.slice(port)?[..] else {
            return Err(format!("the clock {port} has more bits than one"));
        };
        if !matches!(self.drivers.get(&clock), Some(Driver::Input)) {
            return Err(format!("the clock {port} is no input"));
        }
        for &(found, driven) in &self.clocks {
            if found != Some(clock) {
                let other = found.map_or("none".into(), |bit| self.name(bit));
                return Err(format!(
                    "the clock of {} is {other}, not {port}; one clock is decided",
                    self.name(driven)
                ));
            }
        }
        let used = |bits: &[Bit]| bits.contains(&clock);
        let users = self.drivers.iter().filter(|(_, driver)| match driver {
            Driver::Input | Driver::Word(..) => false,
            Driver::Register(data) => *data == clock,
            Driver::Function(_, inputs) => used(inputs),
            Driver::Gated {
                data,
                enable,
                reset,
                ..
            } => used(&[*data, *enable, *reset]),
        });
        if let Some((&user, _)) = users.min_by_key(|(user, _)| **user) {
            return Err(format!(
                "the clock {port} is data of {}; a clock is only decided at registers",
                self.name(user)
            ));
        }
        let within = |memory: &Memory| {
            let ports = [&memory.read, &memory.write, &memory.data];
            ports.into_iter().any(|bits| used(bits)) || memory.enable == clock
        };
        if self.memories.iter().any(within) {
            return Err(format!("the clock {port} is data of a memory"));
        }
        Ok(clock)
    }

    /// The wires that a wire is made of, over registers too.
    fn behind(&self, bit: Bit) -> &[Bit] {
        match self.drivers.get(&bit) {
            Some(Driver::Register(data)) => std::slice::from_ref(data),
            Some(Driver::Function(_, inputs)) => inputs,
            _ => &[],
        }
    }

    /// A value of a wire is a function of inputs only where no wire depends on itself.
    fn refuse_loops(&self) -> Result<(), String> {
        let mut finished = HashSet::new();
        for &start in self.drivers.keys() {
            let mut path: Vec<(Bit, usize)> = vec![(start, 0)];
            let mut open = HashSet::from([start]);
            while let Some((bit, child)) = path.pop() {
                if finished.contains(&bit) {
                    open.remove(&bit);
                    continue;
                }
                if let Some(&below) = self.behind(bit).get(child) {
                    path.push((bit, child + 1));
                    if below > 1 && !finished.contains(&below) {
                        if !self.drivers.contains_key(&below) {
                            return Err(format!("wire {} has no driver", self.name(below)));
                        }
                        if !open.insert(below) {
                            return Err(format!(
                                "wire {} depends on itself; only pipelines are decided",
                                self.name(below)
                            ));
                        }
                        path.push((below, 0));
                    }
                } else {
                    open.remove(&bit);
                    finished.insert(bit);
                }
            }
        }
        Ok(())
    }

    /// What the source calls a wire.
    pub fn name(&self, bit: Bit) -> String {
        self.names
            .get(&bit)
            .cloned()
            .unwrap_or_else(|| format!("wire {bit}"))
    }

    /// The wires that the source calls `name` or, where it ends in `[7:4]`, some of these; a star stands for any text.
    pub fn all_named(&self, name: &str) -> Vec<Bit> {
        let (plain, range) = match name
            .strip_suffix(']')
            .and_then(|open| open.rsplit_once('['))
        {
            Some((plain, range)) if !self.nets.contains_key(name) && range.contains(':') => {
                (plain, range)
            }
            _ => (name, ""),
        };
        let slice = |(bits, numbers): &(Vec<Bit>, Numbers)| match range {
            "" => bits.clone(),
            _ => numbers
                .places(range)
                .map_or(vec![], |places| bits[places].to_vec()),
        };
        let matching = |known: &str| match plain.split_once('*') {
            None => known == plain,
            Some((start, end)) => {
                known.len() >= start.len() + end.len()
                    && known.starts_with(start)
                    && known.ends_with(end)
            }
        };
        let found = self.nets.iter().filter(|(known, _)| matching(known));
        found
            .flat_map(|(_, net)| slice(net))
            .filter(|&bit| bit > 1)
            .collect()
    }

    /// The wire that has a name.
    pub fn named(&self, name: &str) -> Option<Bit> {
        self.names
            .iter()
            .find(|(_, known)| *known == name)
            .map(|(&bit, _)| bit)
    }

    /// Wires of `port`, `port[3]` or `port[7:0]`, the lowest first.
    pub fn slice(&self, text: &str) -> Result<Vec<Bit>, String> {
        let (port, range) = text
            .strip_suffix(']')
            .and_then(|open| open.split_once('['))
            .unwrap_or((text, ""));
        let bits = self.ports.get(port).ok_or_else(|| {
            let mut known: Vec<&str> = self.ports.keys().map(String::as_str).collect();
            known.sort_unstable();
            format!("no port is called {port:?}; ports: {}", known.join(", "))
        })?;
        if !text.ends_with(']') {
            return Ok(bits.clone());
        }
        let numbers = self.numbers.get(port).copied().unwrap_or_default();
        let places = numbers.places(range).ok_or_else(|| {
            let whole = numbers.text();
            format!("{text} is not a part of the port, whose bits are {whole}")
        })?;
        Ok(bits[places].to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// A module of one cell with inputs `clk` (2), `d` (3) and `e` (4), and output `q` (5).
    fn one(kind: &str, connections: &Value, parameters: &Value) -> Value {
        let input = |bit: Bit| json!({"direction": "input", "bits": [bit]});
        let ports = json!({
            "clk": input(2), "d": input(3), "e": input(4), "q": {"direction": "output", "bits": [5]},
        });
        let cell = json!({"type": kind, "connections": connections, "parameters": parameters});
        let nets = json!({"clk": {"bits": [2]}, "d": {"bits": [3]}, "e": {"bits": [4]}, "q": {"bits": [5]}});
        let module = json!({"ports": ports, "cells": {"cell": cell}, "netnames": nets});
        json!({"modules": {"top": module}})
    }

    fn clock(kind: &str, connections: &Value, parameters: &Value) -> Result<Bit, String> {
        let json = one(kind, connections, parameters);
        Netlist::read(&json, "top", Kind::Pipeline)?.clock("clk")
    }

    #[test]
    fn forms_of_a_register_that_are_not_the_plain_ones_are_refused() {
        let wires = json!({"CLK": [2], "DI": [3], "LSR": ["0"], "Q": [5]});
        let plain =
            json!({"CEMUX": "1 ", "CLKMUX": "CLK", "LSRMUX": "LSR", "SRMODE": "LSR_OVER_CE"});
        assert_eq!(clock("TRELLIS_FF", &wires, &plain), Ok(2));
        for (name, form) in [
            ("CLKMUX", "INV"),
            ("CLKMUX", "0"),
            ("CEMUX", "INV"),
            ("CEMUX", "0"),
            ("LSRMUX", "INV"),
            ("SRMODE", "ASYNC"),
        ] {
            let mut other = plain.clone();
            other[name] = json!(form);
            let message = clock("TRELLIS_FF", &wires, &other).unwrap_err();
            assert!(message.contains(name), "{message}");
        }
        let wires = json!({"C": [2], "CE": ["1"], "D": [3], "Q": [5], "R": ["0"]});
        let plain = json!({"IS_C_INVERTED": "0"});
        assert_eq!(clock("FDRE", &wires, &plain), Ok(2));
        assert!(clock("FDRE", &wires, &json!({"IS_C_INVERTED": "1"})).is_err());
    }

    #[test]
    fn every_register_has_the_one_clock_and_nothing_else_meets_it() {
        let of = |clock_bit: Bit, data: Bit| json!({"C": [clock_bit], "D": [data], "Q": [5]});
        let none = json!({});
        assert_eq!(clock("$_DFF_P_", &of(2, 3), &none), Ok(2));
        let message = clock("$_DFF_P_", &of(4, 3), &none).unwrap_err();
        assert!(
            message.contains("the clock of q is e, not clk"),
            "{message}"
        );
        let message = clock("$_DFF_P_", &of(2, 2), &none).unwrap_err();
        assert!(message.contains("is data of q"), "{message}");
        let message = clock("$_BUF_", &json!({"A": [2], "Y": [5]}), &none).unwrap_err();
        assert!(message.contains("is data of q"), "{message}");
    }

    #[test]
    fn bits_have_the_numbers_of_the_source() {
        let ports = json!({
            "x": {"direction": "input", "bits": [2, 3, 4, 5], "upto": 1, "offset": 1},
            "y": {"direction": "input", "bits": [6, 7], "offset": -1},
        });
        let module = json!({"ports": ports, "cells": {}, "netnames": ports});
        let json = json!({"modules": {"top": module}});
        let netlist = Netlist::read(&json, "top", Kind::Pipeline).unwrap();
        assert_eq!(netlist.slice("x"), Ok(vec![2, 3, 4, 5]));
        assert_eq!(netlist.slice("x[1]"), Ok(vec![5]));
        assert_eq!(netlist.slice("x[1:2]"), Ok(vec![4, 5]));
        assert_eq!(netlist.all_named("x[1:2]"), [4, 5]);
        assert_eq!(netlist.name(2), "x[4]");
        assert_eq!(netlist.slice("y[0:-1]"), Ok(vec![6, 7]));
        assert_eq!(netlist.name(6), "y[-1]");
        for text in ["x[0]", "x[5]", "x[2:1]", "x[]", "x[1", "y[1]"] {
            assert!(netlist.slice(text).is_err(), "{text}");
        }
        let message = netlist.slice("x[0]").unwrap_err();
        assert!(message.ends_with("whose bits are [1:4]"), "{message}");
    }
}
