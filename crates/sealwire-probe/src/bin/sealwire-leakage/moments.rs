// SPDX-License-Identifier: Apache-2.0
//! Welch's t-test of two groups of traces, for each point in time: of the means, and of the variances.

use crate::lanes::LANES;

/// Sums of the powers of what a group shows at a point, less an offset that keeps the sums small.
#[derive(Clone, Copy, Default)]
pub struct Moments {
    count: f64,
    sums: [f64; 4],
}

impl Moments {
    fn add(&mut self, value: f64) {
        self.count += 1.0;
        let mut power = 1.0;
        for sum in &mut self.sums {
            power *= value;
            *sum += power;
        }
    }

    fn join(&mut self, other: &Self) {
        self.count += other.count;
        for (sum, more) in self.sums.iter_mut().zip(other.sums) {
            *sum += more;
        }
    }

    /// Mean and variance: of the values, and of their squared distances from the mean.
    fn orders(&self) -> [(f64, f64); 2] {
        let [first, second, third, fourth] = self.sums.map(|sum| sum / self.count);
        let variance = second - first * first;
        let central =
            fourth - 4.0 * first * third + 6.0 * first * first * second - 3.0 * first.powi(4);
        [(first, variance), (variance, central - variance * variance)]
    }
}

/// Both groups at all points.
#[derive(Clone, Default)]
pub struct Table {
    offsets: Vec<f64>,
    points: Vec<[Moments; 2]>,
}

impl Table {
    /// An empty table with the offsets of another one.
    pub fn like(other: &Self) -> Self {
        Self {
            offsets: other.offsets.clone(),
            points: vec![[Moments::default(); 2]; other.points.len()],
        }
    }

    /// Take up what all lanes show at a point; the groups are the lanes' bits.
    pub fn add(&mut self, point: usize, counts: &[u32; LANES], group: &[u64]) {
        if point == self.points.len() {
            let sum: u32 = counts.iter().sum();
            self.offsets.push((f64::from(sum) / LANES as f64).round());
            self.points.push([Moments::default(); 2]);
        }
        let offset = self.offsets[point];
        for (lane, &count) in counts.iter().enumerate() {
            let which = (group[lane / 64] >> (lane % 64) & 1) as usize;
            self.points[point][which].add(f64::from(count) - offset);
        }
    }

    /// Add another table with equal offsets.
    pub fn join(&mut self, other: &Self) {
        for (mine, more) in self.points.iter_mut().zip(&other.points) {
            for (mine, more) in mine.iter_mut().zip(more) {
                mine.join(more);
            }
        }
    }

    /// The mean of both groups at each point.
    pub fn means(&self) -> Vec<f64> {
        let mean = |(point, offset): (&[Moments; 2], &f64)| {
            offset + (point[0].sums[0] + point[1].sums[0]) / (point[0].count + point[1].count)
        };
        self.points.iter().zip(&self.offsets).map(mean).collect()
    }

    /// t of the means (order 0) or of the variances (order 1) at each point; 0 where both groups show one and the same
    /// value, infinite where each shows another one.
    pub fn t(&self, order: usize) -> Vec<f64> {
        let of = |point: &[Moments; 2]| {
            let [one, other] = [&point[0], &point[1]].map(|group| {
                let (mean, variance) = group.orders()[order];
                (mean, variance.max(0.0) / group.count)
            });
            let (distance, error) = (one.0 - other.0, (one.1 + other.1).sqrt());
            if error > 1e-9 {
                distance / error
            } else if distance.abs() < 1e-9 {
                0.0
            } else {
                f64::INFINITY.copysign(distance)
            }
        };
        self.points.iter().map(of).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(values: impl Fn(usize) -> u32, halves: usize) -> Table {
        let mut table = Table::default();
        for _ in 0..halves {
            table.add(
                0,
                &std::array::from_fn(&values),
                &[0x5555_5555_5555_5555; LANES / 64],
            );
        }
        table
    }

    #[test]
    fn t_is_that_of_welch() {
        // Group 1, even lanes: 0 and 2 in equal shares; group 0: 1 and 3. Means 1 and 2, variances 1.
        let t = table(|lane| (lane % 2 + lane / 2 % 2 * 2) as u32, 1).t(0)[0];
        assert!((t - 1.0 / (2.0f64 / 256.0).sqrt()).abs() < 1e-9, "{t}");
    }

    #[test]
    fn equal_means_with_other_variances_show_in_the_second_order_alone() {
        // Group 1: 10 or 14; group 0: 11 or 13, or 8 or 16 in every eighth pair.
        let value = |lane: usize| match (lane % 2, lane / 2 % 2, lane / 16 % 8) {
            (0, high, _) => 10 + 4 * high as u32,
            (_, high, 0) => 8 + 8 * high as u32,
            (_, high, _) => 11 + 2 * high as u32,
        };
        let table = table(value, 4);
        assert!(table.t(0)[0].abs() < 1e-9 && table.t(1)[0].abs() > 4.5);
        assert!((table.means()[0] - 12.0).abs() < 1e-9);
    }

    #[test]
    fn constants_are_equal_or_infinitely_far_apart() {
        assert!(table(|_| 3, 1).t(0)[0].abs() < 1e-9);
        assert!(table(|lane| (lane % 2) as u32, 1).t(0)[0].is_infinite());
    }

    #[test]
    fn joined_tables_are_as_one() {
        let mut one = table(|lane| (lane % 7) as u32, 1);
        let mut other = Table::like(&one);
        other.add(
            0,
            &std::array::from_fn(|lane| (lane % 7) as u32),
            &[0x5555_5555_5555_5555; LANES / 64],
        );
        one.join(&other);
        let both = table(|lane| (lane % 7) as u32, 2);
        assert!(
            (one.t(0)[0] - both.t(0)[0]).abs() < 1e-12
                && (one.t(1)[0] - both.t(1)[0]).abs() < 1e-12
        );
    }
}
