// SPDX-License-Identifier: Apache-2.0
//! The distribution of some values for each value of the secrets, by every assignment of their variables.

use crate::cone::{Cone, Node};
use std::collections::HashMap;

/// Words of 64 assignments that are worked on at once.
const WORDS: usize = 16;
/// Variables that the words' bits count.
const LANES: usize = 10;
/// Counters are kept for values of so many bits; wider ones are sorted.
const COUNTED: usize = 20;
/// Views that are sorted come from at most so many variables
const SORTED: usize = 26;
/// or, where they have more bits than a word, so many.
const SORTED_WIDE: usize = 22;
/// The greatest limit: so many assignments can be counted, if not waited for.
pub const MOST: usize = 60;
type Word = [u64; WORDS];

/// A step of the straight-line program that a cone is.
enum Step {
    Xor(usize, usize),
    And(usize, usize),
    /// The third where the first is 1, the second where it is 0.
    Choose(usize, usize, usize),
}

/// Slots 0 and 1 hold the constants, then come the variables, then the steps.
struct Program {
    steps: Vec<Step>,
    first: usize,
    known: HashMap<(u8, usize, usize, usize), usize>,
}

impl Program {
    fn step(&mut self, key: (u8, usize, usize, usize), step: Step) -> usize {
        if let Some(&slot) = self.known.get(&key) {
            return slot;
        }
        self.steps.push(step);
        let slot = self.first + self.steps.len() - 1;
        self.known.insert(key, slot);
        slot
    }

    fn xor(&mut self, a: usize, b: usize) -> usize {
        let (a, b) = (a.min(b), a.max(b));
        if a == 0 {
            return b;
        }
        self.step((0, a, b, 0), Step::Xor(a, b))
    }

    fn table(&mut self, table: u64, inputs: &[usize]) -> usize {
        let Some((&last, rest)) = inputs.split_last() else {
            return (table & 1) as usize;
        };
        let half = 1 << rest.len();
        let mask = u64::MAX >> (64 - half);
        let (zero, one) = (table & mask, table >> half & mask);
        if zero == one {
            return self.table(zero, rest);
        }
        let low = self.table(zero, rest);
        if zero == !one & mask {
            return self.xor(low, last);
        }
        let high = self.table(one, rest);
        if low == 0 {
            if high == 1 {
                return last;
            }
            let (a, b) = (last.min(high), last.max(high));
            return self.step((1, a, b, 0), Step::And(a, b));
        }
        self.step((2, last, low, high), Step::Choose(last, low, high))
    }
}

/// What was found.
pub enum Answer {
    /// It is, by so many variables.
    Yes(usize),
    /// It is not, by so many variables.
    No(usize),
    /// More variables than allowed.
    TooMany(usize),
}

fn variable(number: usize, block: u64) -> Word {
    const PATTERN: [u64; 6] = [
        0xAAAA_AAAA_AAAA_AAAA,
        0xCCCC_CCCC_CCCC_CCCC,
        0xF0F0_F0F0_F0F0_F0F0,
        0xFF00_FF00_FF00_FF00,
        0xFFFF_0000_FFFF_0000,
        0xFFFF_FFFF_0000_0000,
    ];
    std::array::from_fn(|word| match number {
        0..6 => PATTERN[number],
        6..LANES => u64::from(word >> (number - 6) & 1 == 1).wrapping_neg(),
        _ => (block >> (number - LANES) & 1).wrapping_neg(),
    })
}

/// What is asked about a distribution.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Question {
    /// Whether it is the same for every secret.
    Independent,
    /// Whether it is the uniform one for every secret.
    Uniform,
}

/// Whether the distribution of `seen`, values of a reduced cone, is as the question says.
pub fn ask(cone: &Cone<'_>, seen: &[usize], question: Question, limit: usize) -> Answer {
    let uniform = question == Question::Uniform;
    let live = cone.live(seen);
    let secrets = cone.secrets(&live);
    if secrets.is_empty() && !uniform {
        return Answer::Yes(0);
    }
    // The last share of a secret follows from the others and the secret, which is a variable in its place.
    let lasts: HashMap<usize, &[usize]> = secrets
        .iter()
        .map(|(_, shares)| (shares[shares.len() - 1], &shares[..shares.len() - 1]))
        .collect();
    let variables: Vec<usize> = live
        .iter()
        .copied()
        .filter(|&n| matches!(cone.nodes[n], Node::Input(_) | Node::Fresh))
        .collect();
    let total = variables.len();
    if total > limit.min(MOST) {
        return Answer::TooMany(total);
    }
    // Outermost the public inputs, then what is seen itself and the secrets; innermost the rest, at least a word's.
    let (public, inner): (Vec<usize>, Vec<usize>) = variables
        .iter()
        .copied()
        .filter(|n| !lasts.contains_key(n))
        .partition(|&n| cone.public(n));
    let (mut fixed, mut inner): (Vec<usize>, Vec<usize>) = inner
        .into_iter()
        .partition(|n| !uniform && seen.contains(n));
    while inner.len() < LANES
        && let Some(variable) = fixed.pop()
    {
        inner.push(variable);
    }
    let conditions: Vec<usize> = public.iter().chain(&fixed).copied().collect();
    let hidden: Vec<usize> = lasts.keys().copied().collect();

    // Slots: constants, inner variables, conditions, secrets.
    let mut slot: HashMap<usize, usize> = HashMap::new();
    for (number, &node) in inner.iter().chain(&conditions).enumerate() {
        slot.insert(node, 2 + number);
    }
    let secret_slot = 2 + inner.len() + conditions.len();
    let mut program = Program {
        steps: vec![],
        first: secret_slot + hidden.len(),
        known: HashMap::new(),
    };
    for (number, last) in hidden.iter().enumerate() {
        let sum = lasts[last].iter().fold(secret_slot + number, |sum, share| {
            program.xor(sum, slot[share])
        });
        slot.insert(*last, sum);
    }
    for &node in &live {
        if let Node::Function(table, inputs) = &cone.nodes[node] {
            let inputs: Vec<usize> = inputs.iter().map(|input| slot[input]).collect();
            let made = program.table(*table, &inputs);
            slot.insert(node, made);
        }
    }
    let mut observed: Vec<usize> = seen
        .iter()
        .filter(|n| !conditions.contains(n))
        .map(|n| slot[n])
        .collect();
    observed.sort_unstable();
    observed.dedup();
    if uniform && observed.len() < seen.len() {
        return Answer::No(total);
    }

    let mut state: Vec<Word> = vec![[0; WORDS]; program.first + program.steps.len()];
    state[1] = [u64::MAX; WORDS];
    let blocks = 1u64 << inner.len().saturating_sub(LANES);
    let counted = observed.len() <= COUNTED && observed.len() <= inner.len().max(LANES) + 4;
    let sorted = if observed.len() > 64 {
        SORTED_WIDE
    } else {
        SORTED
    };
    if !counted && (uniform || inner.len() > sorted) {
        return Answer::TooMany(total);
    }
    let mut counts = vec![0u64; if counted { 1 << observed.len() } else { 0 }];
    let mut keys: Vec<u64> = vec![];
    let mut numbers: HashMap<(u64, u64), u64> = HashMap::new();
    let mut seen_at_first: (Vec<u64>, Vec<u64>) = (vec![], vec![]);
    for condition in 0..1u64 << conditions.len() {
        for secret in 0..1u64 << hidden.len() {
            for (number, _) in conditions.iter().enumerate() {
                state[2 + inner.len() + number] = [(condition >> number & 1).wrapping_neg(); WORDS];
            }
            for number in 0..hidden.len() {
                state[secret_slot + number] = [(secret >> number & 1).wrapping_neg(); WORDS];
            }
            counts.fill(0);
            keys.clear();
            for block in 0..blocks {
                for number in 0..inner.len() {
                    if block == 0 || number >= LANES {
                        state[2 + number] = variable(number, block);
                    }
                }
                run(&program, &mut state);
                let columns: Vec<Word> = observed.iter().map(|&slot| state[slot]).collect();
                for lane in 0..64 * WORDS {
                    let key = key(&columns, lane, &mut numbers);
                    if counted {
                        counts[key as usize] += 1;
                    } else {
                        keys.push(key);
                    }
                }
            }
            keys.sort_unstable();
            if uniform && counts.iter().any(|&count| count != counts[0]) {
                return Answer::No(total);
            }
            if secret == 0 {
                seen_at_first = (counts.clone(), keys.clone());
            } else if seen_at_first.0 != counts || seen_at_first.1 != keys {
                return Answer::No(total);
            }
        }
    }
    Answer::Yes(total)
}

/// What a lane of the columns holds, as a number: the bits themselves, or where they are more than a word's the number
/// that a word and what was before it have among all such pairs.
fn key(columns: &[Word], lane: usize, numbers: &mut HashMap<(u64, u64), u64>) -> u64 {
    let word = |columns: &[Word]| {
        columns.iter().rev().fold(0u64, |key, column| {
            key << 1 | (column[lane / 64] >> (lane % 64) & 1)
        })
    };
    let words = columns.chunks(64).map(word);
    words
        .reduce(|before, word| {
            let next = numbers.len() as u64;
            *numbers.entry((before, word)).or_insert(next)
        })
        .unwrap_or(0)
}

fn run(program: &Program, state: &mut [Word]) {
    for (number, step) in program.steps.iter().enumerate() {
        let made: Word = match *step {
            Step::Xor(a, b) => std::array::from_fn(|w| state[a][w] ^ state[b][w]),
            Step::And(a, b) => std::array::from_fn(|w| state[a][w] & state[b][w]),
            Step::Choose(s, a, b) => {
                std::array::from_fn(|w| (state[s][w] & state[b][w]) | (!state[s][w] & state[a][w]))
            }
        };
        state[program.first + number] = made;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn views_that_differ_in_any_bit_have_other_keys() {
        let mut numbers = HashMap::new();
        for width in [1, 63, 64, 65, 128, 129, 200] {
            let mut met = std::collections::HashSet::new();
            let none = vec![[0; WORDS]; width];
            assert!(met.insert(key(&none, 70, &mut numbers)));
            for bit in 0..width {
                let mut columns = none.clone();
                columns[bit][1] = 1 << 6; // lane 70
                assert!(
                    met.insert(key(&columns, 70, &mut numbers)),
                    "{bit} of {width}"
                );
                assert_eq!(
                    key(&columns, 71, &mut numbers),
                    key(&none, 70, &mut numbers)
                );
            }
        }
    }
}
