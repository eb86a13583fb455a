// SPDX-License-Identifier: Apache-2.0
//! A function of a few wires on words: of up to four as a tree of choices that is one for all, so that no processor has to
//! guess what comes next; of more as the fewest steps that its table's halves show.

use crate::lanes::{Lanes, all, choose, map2};

/// The value of a function of four wires: bit i of the table is the value where wire k is bit k of i.
#[inline(always)]
pub fn of_four(table: u16, inputs: [&Lanes; 4]) -> Lanes {
    let [a, b, c, d] = inputs;
    let leaves = [all(false), map2(a, a, |a, _| !a), *a, all(true)];
    let leaf = |pair: u16| &leaves[usize::from(table >> (2 * pair) & 3)];
    let quarter = |index: u16| choose(b, leaf(2 * index + 1), leaf(2 * index));
    let half = |index: u16| choose(c, &quarter(2 * index + 1), &quarter(2 * index));
    choose(d, &half(1), &half(0))
}

/// Where a step finds an operand: an input of the function, or what an earlier step made.
#[derive(Clone, Copy, Debug)]
enum Operand {
    Input(usize),
    Step(usize),
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Constant(bool),
    Not(Operand),
    Xor(Operand, Operand),
    And(Operand, Operand),
    /// Not the first, and the second
    Below(Operand, Operand),
    Or(Operand, Operand),
    /// Not the first, or the second
    Implies(Operand, Operand),
    /// The first chooses the second or the third.
    Choose(Operand, Operand, Operand),
}

/// A compiled function.
pub struct Function {
    steps: Vec<Step>,
    result: Operand,
}

/// Steps of a function of six inputs: 1 + 2 + 4 + ... at most. A memory's words are no more.
const MOST: usize = 64;

/// Room for what steps make, kept from one function to the next: to clear it would take longer than a step.
pub struct Scratch([Lanes; MOST]);

impl Scratch {
    /// Room for the words of a memory.
    #[inline(always)]
    pub fn room(&mut self) -> &mut [Lanes; MOST] {
        &mut self.0
    }
}

impl Default for Scratch {
    fn default() -> Self {
        Self([all(false); MOST])
    }
}

impl Function {
    /// Compile a table: bit i is the value where input k is bit k of i.
    pub fn new(table: u64, inputs: usize) -> Self {
        let mut steps = vec![];
        let result = build(table, inputs, &mut steps);
        Self { steps, result }
    }

    /// The value; `input` says what an input is.
    #[inline(always)]
    pub fn value<'a>(&self, made: &mut Scratch, input: impl Fn(usize) -> &'a Lanes) -> Lanes {
        let made = &mut made.0;
        if let Operand::Input(index) = self.result {
            return *input(index);
        }
        let mut last = all(false);
        for (place, step) in self.steps.iter().enumerate() {
            let of = |operand: Operand| match operand {
                Operand::Input(index) => input(index),
                Operand::Step(index) => &made[index],
            };
            last = match *step {
                Step::Constant(bit) => all(bit),
                Step::Not(a) => map2(of(a), of(a), |a, _| !a),
                Step::Xor(a, b) => map2(of(a), of(b), |a, b| a ^ b),
                Step::And(a, b) => map2(of(a), of(b), |a, b| a & b),
                Step::Below(a, b) => map2(of(a), of(b), |a, b| !a & b),
                Step::Or(a, b) => map2(of(a), of(b), |a, b| a | b),
                Step::Implies(a, b) => map2(of(a), of(b), |a, b| !a | b),
                Step::Choose(s, a, b) => choose(of(s), of(a), of(b)),
            };
            made[place] = last;
        }
        last
    }
}

fn build(table: u64, inputs: usize, steps: &mut Vec<Step>) -> Operand {
    let push = |step, steps: &mut Vec<Step>| {
        steps.push(step);
        Operand::Step(steps.len() - 1)
    };
    if inputs == 0 {
        return push(Step::Constant(table & 1 == 1), steps);
    }
    let half = 1 << (inputs - 1);
    let ones = (1u64 << half) - 1;
    let (low, high) = (table & ones, (table >> half) & ones);
    let select = Operand::Input(inputs - 1);
    match (low, high) {
        _ if low == high => build(low, inputs - 1, steps),
        (0, high) if high == ones => select,
        (low, 0) if low == ones => push(Step::Not(select), steps),
        (0, high) => {
            let rest = build(high, inputs - 1, steps);
            push(Step::And(select, rest), steps)
        }
        (low, 0) => {
            let rest = build(low, inputs - 1, steps);
            push(Step::Below(select, rest), steps)
        }
        (low, high) if high == ones => {
            let rest = build(low, inputs - 1, steps);
            push(Step::Or(select, rest), steps)
        }
        (low, high) if low == ones => {
            let rest = build(high, inputs - 1, steps);
            push(Step::Implies(select, rest), steps)
        }
        (low, high) if low ^ high == ones => {
            let rest = build(low, inputs - 1, steps);
            push(Step::Xor(select, rest), steps)
        }
        (low, high) => {
            let (one, other) = (
                build(high, inputs - 1, steps),
                build(low, inputs - 1, steps),
            );
            push(Step::Choose(select, one, other), steps)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_has_the_values_of_its_table() {
        let mut random = crate::lanes::Random::new(1);
        for count in 0..=6_usize {
            let tables = [0, u64::MAX, 0x6996_9669_9669_6996, 0x8000_0000_0000_0001];
            let more: Vec<u64> = (0..200).map(|_| random.word()).collect();
            for table in tables.into_iter().chain(more) {
                let inputs: Vec<Lanes> = (0..count).map(|_| random.lanes()).collect();
                let mut values = vec![
                    Function::new(table, count)
                        .value(&mut Scratch::default(), |index| &inputs[index]),
                ];
                if let [a, b, c, d] = &inputs[..] {
                    values.push(of_four(table as u16, [a, b, c, d]));
                }
                for lane in 0..64 {
                    let bits = inputs.iter().enumerate();
                    let row: u64 = bits.map(|(k, bit)| (bit[0] >> lane & 1) << k).sum();
                    for value in &values {
                        assert_eq!(value[0] >> lane & 1, table >> row & 1);
                    }
                }
            }
        }
    }
}
