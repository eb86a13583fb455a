// SPDX-License-Identifier: Apache-2.0
//! The replay window: which packet numbers were already accepted.

/// How many packet numbers, counted back from the highest accepted one, are still told apart.
pub const WINDOW: u64 = 64;

/// A window of [`WINDOW`] packet numbers below `next`, the highest marked number + 1.
///
/// A number is refused when it is below `next` and either marked or more than 64 below `next`. The window starts empty
/// and only a new session gets a new one.
#[derive(Debug, Default)]
pub struct ReplayWindow {
    /// The highest marked number; none at the start.
    highest: Option<u64>,
    /// Bit i stands for `highest - i`.
    marked: u64,
}

impl ReplayWindow {
    /// An empty window: every number is fresh.
    pub const fn new() -> Self {
        Self {
            highest: None,
            marked: 0,
        }
    }

    /// True if the number could still be accepted. Changes nothing.
    pub fn is_fresh(&self, number: u64) -> bool {
        match self.highest {
            Some(highest) if number <= highest => {
                let age = highest - number;
                age < WINDOW && self.marked >> age & 1 == 0
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
        match self.highest {
            Some(highest) if number <= highest => self.marked |= 1 << (highest - number),
            highest => {
                let step = highest.map_or(WINDOW, |highest| number - highest);
                self.marked = if step < WINDOW {
                    self.marked << step | 1
                } else {
                    1
                };
                self.highest = Some(number);
            }
        }
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
                && (next - u128::from(number) > 64 || self.marked.contains(&number));
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
    fn keeps_exactly_64_numbers() {
        let mut window = ReplayWindow::new();
        assert!(window.mark(64));
        assert!(window.is_fresh(1), "65 - 1 = 64 is inside");
        assert!(!window.is_fresh(0), "65 - 0 = 65 is outside");
        assert!(window.mark(1) && !window.mark(1));
    }

    #[test]
    fn agrees_with_the_set_at_every_distance() {
        for first in [0, 1, 63, 64, 65, 1000, u64::MAX - 200] {
            for step in 0..=130 {
                for back in 0..=130 {
                    let high = first + step;
                    agree([first, high, high.saturating_sub(back), high, first]);
                }
            }
        }
    }

    #[test]
    fn survives_the_largest_numbers() {
        agree([
            0,
            u64::MAX,
            u64::MAX - 63,
            u64::MAX - 64,
            u64::MAX,
            0,
            1 << 48,
        ]);
    }

    proptest! {
        #[test]
        fn agrees_with_the_set_on_walks(steps in prop::collection::vec(-140i64..140, 1..400)) {
            let mut at = 1000u64;
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
