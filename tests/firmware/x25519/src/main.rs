// SPDX-License-Identifier: Apache-2.0
//! One X25519 on a board's processor, with start and linker script of its firmware.
//!
//! LED 0 is lit from the call to its end, which is what the bench counts. Then the console says the bytes that the stack
//! took at most, as a word of 32 bits, low byte first, and the 32 bytes of the result.
#![no_std]
#![no_main]

use core::arch::{asm, global_asm};
use core::hint::black_box;
use core::panic::PanicInfo;
use core::ptr::{addr_of, addr_of_mut, read_volatile, write_volatile};

use curve25519_dalek::montgomery::MontgomeryPoint;

global_asm!(include_str!("../../../../boards/firmware/start.S"));

/// RFC 7748, 5.2, the first vector.
const SCALAR: [u8; 32] = [
    0xa5, 0x46, 0xe3, 0x6b, 0xf0, 0x52, 0x7c, 0x9d, 0x3b, 0x16, 0x15, 0x4b, 0x82, 0x46, 0x5e, 0xdd,
    0x62, 0x14, 0x4c, 0x0a, 0xc1, 0xfc, 0x5a, 0x18, 0x50, 0x6a, 0x22, 0x44, 0xba, 0x44, 0x9a, 0xc4,
];
const U: [u8; 32] = [
    0xe6, 0xdb, 0x68, 0x67, 0x58, 0x30, 0x30, 0xdb, 0x35, 0x94, 0xc1, 0xa4, 0x24, 0xb1, 0x5f, 0x7c,
    0x72, 0x66, 0x24, 0xec, 0x26, 0xb3, 0x35, 0x3b, 0x10, 0xa9, 0x03, 0xa6, 0xd0, 0xab, 0x1c, 0x4c,
];

const UART_DATA: *mut u32 = 0x2000_0000 as *mut u32;
const UART_STATUS: *mut u32 = 0x2000_0004 as *mut u32;
const PINS: *mut u32 = 0x2000_0300 as *mut u32;
const LED: u32 = 4;
const PAINT: u32 = 0xa5a5_a5a5;

unsafe extern "C" {
    static mut wiped_end: u32;
    static stack_top: u32;
}

fn pins(value: u32) {
    // SAFETY: a register of the board, docs/firmware.md.
    unsafe { write_volatile(PINS, value) }
}

fn put(byte: u8) {
    // SAFETY: registers of the board, docs/firmware.md.
    unsafe {
        while read_volatile(UART_STATUS) & 1 == 0 {}
        write_volatile(UART_DATA, u32::from(byte));
    }
}

#[unsafe(no_mangle)]
extern "C" fn main() {
    let top: usize;
    // SAFETY: reads the stack pointer.
    unsafe { asm!("mv {}, sp", out(reg) top) };
    let bottom = addr_of_mut!(wiped_end);
    let words = (top - bottom as usize) / 4;
    for place in 0..words {
        // SAFETY: between the variables' end and the frame of this function, where nothing lies yet.
        unsafe { write_volatile(bottom.add(place), PAINT) }
    }
    pins(LED);
    let product = black_box(MontgomeryPoint(black_box(U)).mul_clamped(black_box(SCALAR)));
    pins(0);
    // SAFETY: as above.
    let free = (0..words)
        .find(|&place| unsafe { read_volatile(bottom.add(place)) } != PAINT)
        .unwrap_or(words);
    let deepest = bottom as usize + 4 * free;
    for byte in ((addr_of!(stack_top) as usize - deepest) as u32).to_le_bytes() {
        put(byte);
    }
    for byte in product.0 {
        put(byte);
    }
}

#[panic_handler]
fn panic(_: &PanicInfo) -> ! {
    loop {}
}
