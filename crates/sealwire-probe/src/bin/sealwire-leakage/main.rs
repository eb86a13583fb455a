// SPDX-License-Identifier: Apache-2.0
//! Simulates a masked circuit's netlist with glitches and tells whether its activity depends on data.
//!
//! Usage: `sealwire-leakage NETLIST.json CAMPAIGN.json`; the result is JSON on standard output, `DONE TOTAL` lines on
//! standard error tell how many traces there are. Traces come in two groups, fixed and random data; what a trace shows in
//! a cycle is how many wires have changed.

mod counter;
mod engine;
mod function;
mod lanes;
mod moments;
mod script;

use engine::Engine;
use lanes::{LANES, Random, all};
use moments::Table;
use script::Step;
use sealwire_probe::netlist::{Bit, Driver, Kind, Netlist};
use serde_json::{Value, json};
use std::collections::HashSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Cycles after which a wire that is waited for does not come.
const PATIENCE: usize = 10_000;

struct Campaign {
    netlist: Netlist,
    steps: Vec<Step>,
    secret: Vec<Bit>,
    public: HashSet<Bit>,
    held: HashSet<Bit>,
    delays: Option<u64>,
    seed: u64,
    batches: usize,
}

fn texts(value: &Value) -> impl Iterator<Item = &str> {
    value
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
}

impl Campaign {
    fn read(json: &Value, about: &Value) -> Result<Self, String> {
        let netlist = Netlist::read(json, about["top"].as_str().unwrap_or(""), Kind::Any)?;
        netlist.clock("clk")?;
        let registers = |key: &str| -> Result<HashSet<Bit>, String> {
            let mut found = HashSet::new();
            for name in texts(&about[key]) {
                let bits = netlist.all_named(name);
                if bits.is_empty() {
                    return Err(format!("no wire of the netlist is called {name}"));
                }
                found.extend(bits);
            }
            Ok(found)
        };
        let (public, held) = (registers("public")?, registers("hold")?);
        let mut secret = vec![];
        for port in texts(&about["secret"]) {
            secret.extend(netlist.slice(port)?);
        }
        let steps = about["steps"].as_array().ok_or("a campaign has no steps")?;
        let steps = steps
            .iter()
            .map(|step| Step::read(step, &netlist))
            .collect::<Result<_, _>>()?;
        let number = |key: &str| match &about[key] {
            Value::Null => Ok(None),
            value => match value.as_u64() {
                None => Err(format!("{key} is {value}, which is no number of 64 bits")),
                number => Ok(number),
            },
        };
        let traces = number("traces")?.unwrap_or(0) as usize;
        Ok(Self {
            steps,
            secret,
            public,
            held,
            delays: number("delays")?,
            seed: number("seed")?.unwrap_or(0),
            batches: traces.div_ceil(LANES).max(1),
            netlist,
        })
    }

    fn engine(&self) -> Engine {
        Engine::new(
            &self.netlist,
            &self.secret,
            &self.public,
            &self.held,
            self.delays,
        )
    }

    /// Simulate the traces of a batch and put them into the table.
    fn batch(&self, number: usize, engine: &mut Engine, table: &mut Table) -> Result<(), String> {
        let mut random = Random::new(
            self.seed
                .wrapping_mul(0x1_0000_0001)
                .wrapping_add(number as u64),
        );
        let group = random.lanes();
        let mut point = 0;
        engine.restart();
        for step in &self.steps {
            let mut inputs = step.inputs(&group, &mut random);
            for cycle in 0.. {
                if !engine.cycle(&inputs) {
                    return Err("the circuit does not settle: it has a loop of logic".into());
                }
                inputs.clear();
                if step.recorded {
                    table.add(point, &engine.changes(), &group);
                    point += 1;
                }
                let ends = match step.until {
                    None => cycle + 1 == step.cycles,
                    Some(wire) => {
                        let value = engine.value(wire);
                        if *value != all(false) && *value != all(true) {
                            return Err(format!(
                                "{} differs between traces",
                                self.netlist.name(wire)
                            ));
                        }
                        if cycle > PATIENCE {
                            return Err(format!("{} does not come", self.netlist.name(wire)));
                        }
                        *value == all(true)
                    }
                };
                if ends {
                    break;
                }
            }
        }
        Ok(())
    }

    fn run(&self) -> Result<Value, String> {
        let mut engine = self.engine();
        let wires = engine.counted();
        let mut first = Table::default();
        self.batch(0, &mut engine, &mut first)?;
        let (next, done) = (AtomicUsize::new(1), AtomicUsize::new(1));
        let joined = Mutex::new(first.clone());
        let failed = Mutex::new(None);
        std::thread::scope(|scope| {
            for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
                scope.spawn(|| {
                    let (mut engine, mut table) = (self.engine(), Table::like(&first));
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= self.batches {
                            break;
                        }
                        if let Err(error) = self.batch(number, &mut engine, &mut table) {
                            *failed
                                .lock()
                                .unwrap_or_else(|poisoned| poisoned.into_inner()) = Some(error);
                            break;
                        }
                        let count = done.fetch_add(1, Ordering::Relaxed) + 1;
                        eprintln!("{} {}", count * LANES, self.batches * LANES);
                    }
                    joined
                        .lock()
                        .unwrap_or_else(|poisoned| poisoned.into_inner())
                        .join(&table);
                });
            }
        });
        if let Some(error) = failed.into_inner().ok().flatten() {
            return Err(error);
        }
        let table = joined.into_inner().map_err(|_| "a thread ended early")?;
        let registers = self.netlist.drivers.values();
        let registers =
            registers.filter(|driver| matches!(driver, Driver::Register(_) | Driver::Gated { .. }));
        // JSON has no infinity.
        let finite = |t: Vec<f64>| {
            t.into_iter()
                .map(|t| t.clamp(-1e6, 1e6))
                .collect::<Vec<_>>()
        };
        Ok(json!({
            "traces": self.batches * LANES,
            "wires": wires,
            "registers": registers.count(),
            "changes": table.means(),
            "t": finite(table.t(0)),
            "t_of_variances": finite(table.t(1)),
        }))
    }
}

fn read(path: &str) -> Result<Value, String> {
    let text = std::fs::read(path).map_err(|error| format!("{path} cannot be read: {error}"))?;
    serde_json::from_slice(&text).map_err(|error| format!("{path} is not JSON: {error}"))
}

fn main() -> std::process::ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let result = match &arguments[..] {
        [netlist, about] => (|| Campaign::read(&read(netlist)?, &read(about)?)?.run())(),
        _ => Err("usage: sealwire-leakage NETLIST.json CAMPAIGN.json".into()),
    };
    match result {
        Ok(value) => {
            println!("{value}");
            std::process::ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            std::process::ExitCode::FAILURE
        }
    }
}
