// SPDX-License-Identifier: Apache-2.0
//! One round of Ascon-p on words of any kind: one state, or one in each lane.
//!
//! The round is cut in three. `substitute` ends where the last step of the S-box is linear, `mix` is that step, `diffuse`
//! the linear layer: a sum over many states may be made before `mix` and `diffuse`, which then are done once for the sum.

/// A 64-bit word of the state, of one state or of one in each lane.
pub(super) trait Word: Copy {
    fn xor(self, y: Self) -> Self;
    fn xor3(self, y: Self, z: Self) -> Self;
    /// x + (1 + y)·z, bit by bit
    fn chi(self, y: Self, z: Self) -> Self;
    /// 1 + x + (1 + y)·z, bit by bit
    fn not_chi(self, y: Self, z: Self) -> Self;
    /// x + y + the same constant in all lanes
    fn xor_constant(self, y: Self, constant: u64) -> Self;
    /// Rotation to the right.
    fn rotate<const COUNT: i32>(self) -> Self;
}

/// Round constants of the twelve rounds. Fewer rounds are the last ones of them.
pub(super) const CONSTANTS: [u64; 12] = [
    0xf0, 0xe1, 0xd2, 0xc3, 0xb4, 0xa5, 0x96, 0x87, 0x78, 0x69, 0x5a, 0x4b,
];

/// The constant and the nonlinear part of the S-box. x2 and x3 come out complemented: `mix` wants x2 so, and adds both
/// where it wants x3.
#[inline(always)]
pub(super) fn substitute<W: Word>([x0, x1, x2, x3, x4]: [W; 5], constant: u64) -> [W; 5] {
    let x0 = x0.xor(x4);
    let x4 = x4.xor(x3);
    let x2 = x2.xor_constant(x1, constant);
    [
        x0.chi(x1, x2),
        x1.chi(x2, x3),
        x2.not_chi(x3, x4),
        x3.not_chi(x4, x0),
        x4.chi(x0, x1),
    ]
}

/// The linear end of the S-box.
#[inline(always)]
pub(super) fn mix<W: Word>([x0, x1, x2, x3, x4]: [W; 5]) -> [W; 5] {
    [x0.xor(x4), x1.xor(x0), x2, x3.xor(x2), x4]
}

/// The linear layer.
#[inline(always)]
pub(super) fn diffuse<W: Word>([x0, x1, x2, x3, x4]: [W; 5]) -> [W; 5] {
    [
        x0.xor3(x0.rotate::<19>(), x0.rotate::<28>()),
        x1.xor3(x1.rotate::<61>(), x1.rotate::<39>()),
        x2.xor3(x2.rotate::<1>(), x2.rotate::<6>()),
        x3.xor3(x3.rotate::<10>(), x3.rotate::<17>()),
        x4.xor3(x4.rotate::<7>(), x4.rotate::<41>()),
    ]
}

/// The last `rounds` rounds; there is an even number of them.
#[inline(always)]
pub(super) fn permute<W: Word>(mut x: [W; 5], rounds: usize) -> [W; 5] {
    let (pairs, _) = CONSTANTS[CONSTANTS.len() - rounds..].as_chunks::<2>();
    for [first, second] in pairs {
        x = diffuse(mix(substitute(x, *first)));
        x = diffuse(mix(substitute(x, *second)));
    }
    x
}

/// The last six rounds without the `mix` and `diffuse` of the last one.
#[inline(always)]
pub(super) fn six_but_linear<W: Word>(mut x: [W; 5]) -> [W; 5] {
    let [first @ .., last] = CONSTANTS;
    for constant in &first[6..] {
        x = diffuse(mix(substitute(x, *constant)));
    }
    substitute(x, last)
}

/// Words in two registers: what waits in one leaves the units free for the other.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[derive(Clone, Copy)]
pub(super) struct Two<W>(pub(super) W, pub(super) W);

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
impl<W: Word> Word for Two<W> {
    #[inline(always)]
    fn xor(self, y: Self) -> Self {
        Self(self.0.xor(y.0), self.1.xor(y.1))
    }

    #[inline(always)]
    fn xor3(self, y: Self, z: Self) -> Self {
        Self(self.0.xor3(y.0, z.0), self.1.xor3(y.1, z.1))
    }

    #[inline(always)]
    fn chi(self, y: Self, z: Self) -> Self {
        Self(self.0.chi(y.0, z.0), self.1.chi(y.1, z.1))
    }

    #[inline(always)]
    fn not_chi(self, y: Self, z: Self) -> Self {
        Self(self.0.not_chi(y.0, z.0), self.1.not_chi(y.1, z.1))
    }

    #[inline(always)]
    fn xor_constant(self, y: Self, constant: u64) -> Self {
        Self(
            self.0.xor_constant(y.0, constant),
            self.1.xor_constant(y.1, constant),
        )
    }

    #[inline(always)]
    fn rotate<const COUNT: i32>(self) -> Self {
        Self(self.0.rotate::<COUNT>(), self.1.rotate::<COUNT>())
    }
}
