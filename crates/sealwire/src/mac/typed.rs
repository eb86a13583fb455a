// SPDX-License-Identifier: Apache-2.0
//! The MACs as types, as the traits of the `digest` crate want them.

use super::keyed::{DynMac, MacMessage};
use super::scheme::find;
use core::fmt;
use core::marker::PhantomData;
use digest::common::KeySizeUser;
use digest::consts::U16;
use digest::{
    FixedOutput, FixedOutputReset, Key, KeyInit, MacMarker, Output, OutputSizeUser, Reset, Update,
};
use zeroize::ZeroizeOnDrop;

/// A scheme as a type. Only the types of [`marker`] are schemes: each takes messages of any length, and has tags of 16 bytes.
///
/// ```compile_fail,E0277
/// struct Short;
///
/// // Ascon-PRFshort takes 16 bytes at most, and a `Mac` cannot refuse more.
/// impl sealwire::mac::Name for Short {
///     const NAME: &'static str = "asconprfsv13";
/// }
/// ```
pub trait Name: sealed::Sealed {
    /// The canonical name.
    const NAME: &'static str;
}

/// The MAC `N` with tags of 16 bytes, and what it was given of a message. Use it by the names in [`mac`](super).
#[derive(Clone)]
pub struct Typed<N> {
    key: DynMac,
    message: MacMessage,
    name: PhantomData<fn() -> N>,
}

impl<N> KeySizeUser for Typed<N> {
    type KeySize = U16;
}

impl<N: Name> KeyInit for Typed<N> {
    fn new(key: &Key<Self>) -> Self {
        let key = find(N::NAME)
            .and_then(|scheme| scheme.with_key(key))
            .expect("the names of the types are registered");
        Self {
            message: key.begin(),
            key,
            name: PhantomData,
        }
    }
}

impl<N> OutputSizeUser for Typed<N> {
    type OutputSize = U16;
}

impl<N> Update for Typed<N> {
    fn update(&mut self, data: &[u8]) {
        self.message.update(data);
    }
}

impl<N> FixedOutput for Typed<N> {
    fn finalize_into(mut self, out: &mut Output<Self>) {
        self.message.put_tag(out);
    }
}

impl<N> FixedOutputReset for Typed<N> {
    fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
        self.message.put_tag(out);
        Reset::reset(self);
    }
}

impl<N> Reset for Typed<N> {
    fn reset(&mut self) {
        self.message = self.key.begin();
    }
}

impl<N> MacMarker for Typed<N> {}

impl<N> ZeroizeOnDrop for Typed<N> {}

impl<N> fmt::Debug for Typed<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {{ .. }}", self.key.scheme())
    }
}

mod sealed {
    pub trait Sealed {}
}

/// Defines a type for each scheme.
macro_rules! types {
    ($($(#[$doc:meta])* $type:ident $marker:ident $name:literal;)*) => {
        $(
            $(#[$doc])*
            pub type $type = Typed<marker::$marker>;
        )*

        /// What distinguishes the types.
        pub mod marker {
            use super::Name;

            $(
                #[doc = concat!("`", $name, "`")]
                #[derive(Clone, Copy, Debug)]
                pub enum $marker {}

                impl super::sealed::Sealed for $marker {}

                impl Name for $marker {
                    const NAME: &'static str = $name;
                }
            )*
        }
    };
}

types! {
    /// `ascon-mac`, `asconmacv13`: Ascon-MAC in the conventions of SP 800-232.
    AsconMac Mac "asconmacv13";
    /// `ascon-maca`, `asconmacav13`: Ascon-MACa in the conventions of SP 800-232. The designers publish no answers for it.
    AsconMacA MacA "asconmacav13";
    /// `ascon-prf`, `asconprfv13`: Ascon-PRF in the conventions of SP 800-232, the first 16 bytes of its output.
    AsconPrf Prf "asconprfv13";
    /// `ascon-prfa`, `asconprfav13`: Ascon-PRFa in the conventions of SP 800-232, the first 16 bytes of its output. The
    /// designers publish no answers for it.
    AsconPrfA PrfA "asconprfav13";
    /// `asconmacv12`: Ascon-MAC as in ePrint 2021/1574.
    AsconMacV12 MacV12 "asconmacv12";
    /// `asconmacav12`: Ascon-MACa as in ePrint 2021/1574.
    AsconMacAV12 MacAV12 "asconmacav12";
    /// `asconprfv12`: Ascon-PRF as in ePrint 2021/1574, the first 16 bytes of its output.
    AsconPrfV12 PrfV12 "asconprfv12";
    /// `asconprfav12`: Ascon-PRFa as in ePrint 2021/1574, the first 16 bytes of its output.
    AsconPrfAV12 PrfAV12 "asconprfav12";
    /// Experimental. `fsks-64`, `fsks64`: full-state keyed sponge, 64 bits squeezed a call.
    ExperimentalFsks64 Fsks64 "fsks64";
    /// Experimental. `fsks-128`, `fsks128`: full-state keyed sponge, 128 bits squeezed.
    ExperimentalFsks128 Fsks128 "fsks128";
    /// Experimental. `ascon-prf-192`, `asconprf192`: Ascon-PRF with blocks of 192 bits and 8 rounds.
    ExperimentalAsconPrf192 Prf192 "asconprf192";
    /// Experimental. `ascon-prf-64`, `asconprf64`: Ascon-PRF with blocks of 64 bits and 6 rounds.
    ExperimentalAsconPrf64 Prf64 "asconprf64";
    /// Experimental. `ascon-farfalle`, `asconfarfalle`: Farfalle with six-round Ascon-p. 64-bit security is claimed.
    ExperimentalAsconFarfalle Farfalle "asconfarfalle";
}
