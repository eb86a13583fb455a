// SPDX-License-Identifier: Apache-2.0
//! Pointers and lengths of the caller's: checks first, references afterwards.

use crate::failure::Failure;
use core::slice;

/// A buffer of the caller's that was checked as far as that is possible: if it is not empty, its pointer is not NULL,
/// and its length is one that a slice can have.
#[derive(Clone, Copy)]
pub(crate) struct Range {
    name: &'static str,
    start: *mut u8,
    len: usize,
}

impl Range {
    pub(crate) fn new(name: &'static str, start: *const u8, len: usize) -> Result<Self, Failure> {
        if len > isize::MAX as usize || (start.addr()).checked_add(len).is_none() {
            Err(Failure::TooLong(name))
        } else if start.is_null() && len > 0 {
            Err(Failure::Null(name))
        } else {
            Ok(Self {
                name,
                start: start.cast_mut(),
                len,
            })
        }
    }

    pub(crate) const fn len(self) -> usize {
        self.len
    }

    pub(crate) fn start(self) -> usize {
        self.start.addr()
    }

    pub(crate) fn end(self) -> usize {
        self.start() + self.len
    }

    /// The first `len` bytes; `len` is not more than there are.
    pub(crate) const fn first(self, len: usize) -> Self {
        Self { len, ..self }
    }

    /// What follows the first `len` bytes.
    pub(crate) fn skip(self, len: usize) -> Self {
        Self {
            start: self.start.wrapping_add(len),
            len: self.len - len,
            ..self
        }
    }

    /// That `self`, which is written, does not overlap any of `others`.
    pub(crate) fn apart(self, others: &[Self]) -> Result<(), Failure> {
        others.iter().try_for_each(|other| {
            let overlap = self.len > 0
                && other.len > 0
                && self.start() < other.end()
                && other.start() < self.end();
            if overlap {
                Err(Failure::Overlap(self.name, other.name))
            } else {
                Ok(())
            }
        })
    }

    /// `self` holds what `from` held, which has the same length and may overlap.
    ///
    /// # Safety
    /// `from` can be read, `self` can be written, nobody else does so meanwhile.
    pub(crate) unsafe fn copy_from(self, from: Self) {
        assert_eq!(self.len, from.len);
        if self.len > 0 {
            // SAFETY: the caller's promise; neither pointer is NULL.
            unsafe { from.start.copy_to(self.start, self.len) };
        }
    }

    /// # Safety
    /// The buffer can be read, and nobody writes to it as long as the slice lives.
    pub(crate) const unsafe fn get<'a>(self) -> &'a [u8] {
        if self.len == 0 {
            return &[];
        }
        // SAFETY: the caller's promise; not NULL, and not longer than a slice may be.
        unsafe { slice::from_raw_parts(self.start, self.len) }
    }

    /// # Safety
    /// The buffer can be written, its bytes have values, and nobody else touches it as long as the slice lives.
    pub(crate) const unsafe fn get_mut<'a>(self) -> &'a mut [u8] {
        if self.len == 0 {
            return &mut [];
        }
        // SAFETY: the caller's promise; not NULL, and not longer than a slice may be.
        unsafe { slice::from_raw_parts_mut(self.start, self.len) }
    }

    /// All bytes become zero; this also gives values to bytes that had none.
    ///
    /// # Safety
    /// The buffer can be written, and nobody else touches it meanwhile.
    pub(crate) unsafe fn clear(self) {
        if self.len > 0 {
            // SAFETY: the caller's promise; not NULL.
            unsafe { self.start.write_bytes(0, self.len) };
        }
    }
}

/// That no range of `written` overlaps another one of `written` or one of `read`.
pub(crate) fn all_apart(written: &mut [Range], read: &[Range]) -> Result<(), Failure> {
    written.sort_unstable_by_key(|range| range.start());
    for pair in written.windows(2) {
        pair[0].apart(&pair[1..])?;
    }
    // Ranges that do not overlap end in the order in which they begin.
    for range in read {
        let first = written.partition_point(|w| w.end() <= range.start());
        if let Some(w) = written.get(first) {
            w.apart(slice::from_ref(range))?;
        }
    }
    Ok(())
}

/// That a pointer to one `T` can be used: not NULL, aligned.
pub(crate) fn place<T>(name: &'static str, pointer: *const T) -> Result<(), Failure> {
    if pointer.is_null() || !pointer.is_aligned() {
        Err(Failure::Null(name))
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(start: usize, len: usize) -> Range {
        Range::new("x", core::ptr::without_provenance(start), len).unwrap()
    }

    #[test]
    fn overlap_is_found_wherever_it_is() {
        assert!(
            range(100, 10)
                .apart(&[range(90, 10), range(110, 1)])
                .is_ok()
        );
        assert!(range(100, 10).apart(&[range(90, 11)]).is_err());
        assert!(range(100, 10).apart(&[range(109, 5)]).is_err());
        assert!(range(100, 10).apart(&[range(103, 1)]).is_err());
        assert!(range(100, 10).apart(&[range(103, 0)]).is_ok());
        assert!(range(100, 0).apart(&[range(90, 20)]).is_ok());
    }

    /// Against the comparison of all with all.
    #[test]
    fn sorting_finds_what_all_pairs_find() {
        const ROUNDS: usize = if cfg!(miri) { 60 } else { 3000 };
        let mut state = 1u32;
        let mut next = |below: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            ((state >> 16) % below) as usize
        };
        let mut found = 0;
        for _ in 0..ROUNDS {
            let mut written: Vec<_> = (0..4).map(|_| range(1 + next(120), next(12))).collect();
            let read: Vec<_> = (0..4).map(|_| range(1 + next(120), next(12))).collect();
            let pairs = (0..4).all(|i| {
                written[i].apart(&written[i + 1..]).is_ok() && written[i].apart(&read).is_ok()
            });
            // Empty buffers overlap nothing, so that they can be left out.
            written.retain(|w| w.len() > 0);
            assert_eq!(all_apart(&mut written, &read).is_ok(), pairs);
            found += usize::from(!pairs);
        }
        assert!((ROUNDS / 6..ROUNDS * 5 / 6).contains(&found), "{found}");
    }
}
