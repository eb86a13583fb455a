// SPDX-License-Identifier: Apache-2.0
//! Counts the ones of many words, lane by lane.

use crate::lanes::{LANES, Lanes, all, any, map2};

/// Bits of a count.
const PLANES: usize = 17;

/// A count of every lane, bit by bit. What comes waits in its weight's place until a second one comes, so that three words
/// of a weight become two, one of the next weight: a word costs one such addition on the average.
#[derive(Clone)]
pub struct Counter {
    planes: [Lanes; PLANES],
    waiting: [Lanes; PLANES],
    /// Bit i: a word waits in place i.
    full: u32,
}

impl Default for Counter {
    fn default() -> Self {
        Self {
            planes: [all(false); PLANES],
            waiting: [all(false); PLANES],
            full: 0,
        }
    }
}

impl Counter {
    /// Every count is 0.
    pub fn clear(&mut self) {
        self.planes = [all(false); PLANES];
        self.full = 0;
    }

    /// Count the lanes that are 1, at most 2^17 - 1 times.
    #[inline(always)]
    pub fn add(&mut self, lanes: Lanes) {
        let mut carry = lanes;
        for place in 0..PLANES {
            if self.full >> place & 1 == 0 {
                self.waiting[place] = carry;
                self.full |= 1 << place;
                return;
            }
            self.full ^= 1 << place;
            let (plane, waits) = (self.planes[place], self.waiting[place]);
            let either = map2(&plane, &waits, |a, b| a ^ b);
            let both = map2(&plane, &waits, |a, b| a & b);
            self.planes[place] = map2(&either, &carry, |a, b| a ^ b);
            carry = map2(&both, &map2(&either, &carry, |a, b| a & b), |a, b| a | b);
        }
    }

    /// The count of every lane.
    pub fn counts(&self) -> [u32; LANES] {
        let mut counts = [0; LANES];
        let mut take = |word: &Lanes, weight: usize| {
            if any(word) {
                for (lane, count) in counts.iter_mut().enumerate() {
                    *count += ((word[lane / 64] >> (lane % 64) & 1) as u32) << weight;
                }
            }
        };
        for (weight, plane) in self.planes.iter().enumerate() {
            take(plane, weight);
            if self.full >> weight & 1 == 1 {
                take(&self.waiting[weight], weight);
            }
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::Random;

    #[test]
    fn counts_are_those_of_one_lane_after_another() {
        let (mut random, mut counter) = (Random::new(5), Counter::default());
        for length in [0, 1, 2, 3, 100, 3000] {
            counter.clear();
            let mut plain = [0; LANES];
            for _ in 0..length {
                // Lanes that are nearly always 1, and others
                let word = map2(&random.lanes(), &random.lanes(), |a, b| a | b & 0xffff);
                for (lane, count) in plain.iter_mut().enumerate() {
                    *count += (word[lane / 64] >> (lane % 64) & 1) as u32;
                }
                counter.add(word);
                assert!(length > 100 || counter.counts() == plain);
            }
            assert_eq!(counter.counts(), plain);
        }
    }
}
