// SPDX-License-Identifier: Apache-2.0
//! The replay window: which packet numbers were already accepted.

/// How many packet numbers, counted back from the highest accepted one, are still told apart: on a path that delivers packets out of
/// order, the latest of them are lost that come further behind. At 2.5 Gbit/s, 2048 packets of 1500 bytes are 10 ms.
pub const WINDOW: u64 = 2048;

/// Numbers that a word stands for.
const BITS: u64 = u64::BITS as u64;

/// The window lies across one word more than it has bits for.
const WORDS: u64 = WINDOW / BITS + 1;

/// A window of [`WINDOW`] packet numbers below `next`, the highest marked number + 1.
///
/// A number is refused when it is below `next` and either marked or more than [`WINDOW`] below `next`. The window starts empty
/// and only a new session gets a new one. Words form a ring (RFC 6479), so that a step forward clears words and shifts none.
#[derive(Debug)]
pub struct ReplayWindow {
    /// The highest marked number; none at the start.
    highest: Option<u64>,
    /// Bit `number % 64` of word `number / 64 % WORDS` stands for `number`.
    marked: [u64; WORDS as usize],
}

/// The place of a number's word in the ring, and its bit there.
const fn place(number: u64) -> (usize, u64) {
    ((number / BITS % WORDS) as usize, 1 << (number % BITS))
}

impl Default for ReplayWindow {
    fn default() -> Self {
        Self::new()
    }
}

impl ReplayWindow {
    /// An empty window: every number is fresh.
    pub const fn new() -> Self {
        Self {
            highest: None,
            marked: [0; WORDS as usize],
        }
    }

    /// True if the number could still be accepted. Changes nothing.
    pub fn is_fresh(&self, number: u64) -> bool {
        match self.highest {
            Some(highest) if number <= highest => {
                let (word, bit) = place(number);
                highest - number < WINDOW && self.marked[word] & bit == 0
            }
            _ => true,
        }
    }

    /// Marks the number, if it is still fresh, and says whether it was. Call this only for packets whose tag is right:
    /// of several copies in work together one gets `true`.
    #[must_use]
    pub fn mark(&mut self, number: u64) -> bool {
        if !self.is_fresh(number) {
            return false;
        }
        if self.highest.is_none_or(|highest| number > highest) {
            let first_new = self.highest.map_or(0, |highest| highest / BITS + 1);
            let last = number / BITS;
            // Words that the window enters hold numbers of a whole ring before.
            for word in first_new.max(last.saturating_sub(WORDS - 1))..=last {
                self.marked[(word % WORDS) as usize] = 0;
            }
            self.highest = Some(number);
        }
        let (word, bit) = place(number);
        self.marked[word] |= bit;
        true
    }

    /// The highest marked number + 1, 0 at the start.
    pub fn next(&self) -> u64 {
        self.highest.map_or(0, |highest| highest.saturating_add(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// The rule as the specification states it, over a plain set and without overflow.
    #[derive(Default)]
    struct Model {
        marked: BTreeSet<u64>,
    }

    impl Model {
        fn mark(&mut self, number: u64) -> bool {
            let next = self
                .marked
                .last()
                .map_or(0, |&highest| u128::from(highest) + 1);
            let replay = u128::from(number) < next
                && (next - u128::from(number) > u128::from(WINDOW)
                    || self.marked.contains(&number));
            !replay && self.marked.insert(number)
        }
    }

    fn agree(numbers: impl IntoIterator<Item = u64>) {
        let (mut window, mut model) = (ReplayWindow::new(), Model::default());
        for number in numbers {
            let expected = model.mark(number);
            assert_eq!(window.is_fresh(number), expected, "is_fresh({number})");
            assert_eq!(window.mark(number), expected, "mark({number})");
            assert!(!window.is_fresh(number), "{number} after mark");
            assert_eq!(
                window.next(),
                model.marked.last().unwrap().saturating_add(1)
            );
        }
    }

    #[test]
    fn keeps_exactly_2048_numbers() {
        let mut window = ReplayWindow::new();
        assert!(window.mark(2048));
        assert!(window.is_fresh(1), "2049 - 1 = 2048 is inside");
        assert!(!window.is_fresh(0), "2049 - 0 = 2049 is outside");
        assert!(window.mark(1) && !window.mark(1));
    }

    #[test]
    fn agrees_with_the_set_at_every_distance() {
        let near = |centre: u64| centre.saturating_sub(66)..=centre + 66;
        for first in [0, 1, 63, 64, 65, 1000, u64::MAX - 5000] {
            for step in near(0).chain(near(WINDOW)).chain([2 * WINDOW, 4999]) {
                for back in [0, 1, 63, 64, 65, 127, 2047, 2048, 2049, 2111, 2112, 2113] {
                    let high = first + step;
                    agree([first, high, high.saturating_sub(back), high, first]);
                }
            }
        }
    }

    /// Every number of a window, marked in two orders, and what follows a step over the whole ring.
    #[test]
    fn marks_of_a_ring_before_do_not_return() {
        for step in [1, 64, 2047, 2048, 2112, 2113, 100_000] {
            agree(
                (0..4000)
                    .chain([4000 + step])
                    .chain((4000..4000 + step).rev().take(2200)),
            );
            agree(
                (0..4000)
                    .rev()
                    .chain([4000 + step])
                    .chain((1900..4000 + step).rev().take(4300)),
            );
        }
    }

    /// All histories of five marks of numbers at which something changes: the edges of words, of the window and of the ring, from
    /// the ring's beginning and from within it. Prefixes are the shorter histories.
    #[test]
    fn agrees_with_the_set_for_every_short_history_at_the_edges() {
        const OFFSETS: [u64; 11] = [0, 1, 63, 64, 2047, 2048, 2049, 2111, 2112, 2113, 4161];
        const LENGTH: u32 = 5;
        let choices = OFFSETS.len();
        for base in [0, 1000] {
            for history in 0..choices.pow(LENGTH) {
                agree((0..LENGTH).map(|i| base + OFFSETS[history / choices.pow(i) % choices]));
            }
        }
    }

    #[test]
    fn survives_the_largest_numbers() {
        agree([
            0,
            u64::MAX,
            u64::MAX - WINDOW + 1,
            u64::MAX - WINDOW,
            u64::MAX,
            0,
            1 << 48,
        ]);
    }

    proptest! {
        #[test]
        fn agrees_with_the_set_on_walks(steps in prop::collection::vec(-2300i64..2300, 1..400)) {
            let mut at = 10_000u64;
            agree(steps.into_iter().map(|step| {
                at = at.saturating_add_signed(step);
                at
            }));
        }

        #[test]
        fn agrees_with_the_set_on_any_numbers(numbers in prop::collection::vec(any::<u64>(), 1..50)) {
            agree(numbers);
        }
    }
}
