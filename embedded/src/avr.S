; SPDX-License-Identifier: Apache-2.0
; AES-OTR v3, mode P, for AVR: what otr.c and aes_sliced.c are elsewhere. Interface: sealwire_otr.h.
;
; Y points to the frame below, r1 is 0. The frame is all the memory that the mode takes; sealing and opening differ in the
; order of the two masks and of a few steps, and bit OPENING of FIRST tells them apart.

#ifdef __AVR__
#ifdef __AVR_3_BYTE_PC__
#error "avr.S needs an AVR with return addresses of two bytes (up to 128 KiB of flash): not an ATmega2560 or its like"
#endif
#if !defined(__AVR_HAVE_MOVW__) || !defined(__AVR_HAVE_LPMX__) || !defined(__AVR_HAVE_16BIT_SP__)
#error "avr.S needs an AVR with movw, lpm into any register and a stack pointer of 16 bits: an ATmega, for example"
#endif
#include <avr/io.h>
#include "avr_aes.inc"

; frame, from Y + 1
#define KEY 1
#define MSG 3
#define LEN 5
#define AD 7
#define AD_LEN 9
#define TAG 11
#define FIRST 13   /* A when sealing, B when opening: the mask of the first call in a chunk */
#define A 14       /* 2^(i-1) L, then the tag */
#define B 30       /* 2^(i-1) 3L, then the mask of the associated data */
#define SUM 46
#define PAD 62     /* a padded block, or key stream */
#define FRAME 77
#define OPENING 4  /* A = 0b01110, B = 0b11110 */

; a key made ready
#define KEPT 56    /* bytes of the schedule; then one that is READY, so that zeros are no key */
#define READY 0x6c /* the constant after that of the last round */

; pointer = Y + offset, X or Z
.macro at pointer, offset
  movw \pointer, r28
  adiw \pointer, \offset
.endm

; pointer to the result of a call of cipher
.macro result_at offset
  movw r22, r28
  subi r22, lo8(-(\offset))
  sbci r23, hi8(-(\offset))
.endm

.macro get low, high, offset
  ldd \low, Y + \offset
  ldd \high, Y + \offset + 1
.endm

.macro put low, high, offset
  std Y + \offset, \low
  std Y + \offset + 1, \high
.endm

.section .text.sealwire_otr, "ax", @progbits

; Bytes at X become 0; r20 of them, at least one.
clear:
  st X+, r1
  dec r20
  brne clear
  ret

; SUM ^= 16 bytes at Z
add_to_sum:
  at r26, SUM
  ldi r20, 16
; r20 bytes at X ^= those at Z
add:
  tst r20
  breq 2f
1:
  ld r24, X
  ld r25, Z+
  eor r24, r25
  st X+, r24
  dec r20
  brne 1b
2:
  ret

; The block at X is doubled in GF(2^128); X moves to the next block.
double:
  adiw r26, 16
  ldi r20, 4
  clc
1:
  .rept 4
  ld r24, -X
  rol r24
  st X, r24
  .endr
  dec r20                       ; keeps the carry
  brne 1b
  sbc r20, r20
  andi r20, 0x87
  adiw r26, 15
  ld r24, X
  eor r24, r20
  st X+, r24
  ret

; SUM ^= PAD = r20 bytes at Z, padded
absorb:
  mov r19, r20
  movw r22, r30
  rcall clear_pad
  at r26, PAD
  movw r30, r22
  mov r20, r19
  rcall add
  ldi r24, 0x80
  cpi r19, 16
  breq 1f
  st X, r24
1:
  at r30, PAD
  rjmp add_to_sum

clear_pad:
  at r26, PAD
  ldi r20, 16
  rjmp clear

; Last chunk of two blocks. Left: PAD = E(left + A), added to SUM and to the right side.
left:
  rcall clear_pad
  get r26, r27, MSG
  at r30, A
  result_at PAD
  rcall cipher
  at r30, PAD
  rcall add_to_sum
  get r26, r27, MSG
  adiw r26, 16
  at r30, PAD
  ldd r20, Y + LEN
  rjmp add

; Right: the right ciphertext, padded, added to SUM; left ^= E(it + B)
right:
  get r30, r31, MSG
  adiw r30, 16
  ldd r20, Y + LEN
  rcall absorb
  get r22, r23, MSG
  at r26, PAD
  at r30, B
  rjmp cipher

absorb_message:
  get r30, r31, MSG
  ldd r20, Y + LEN
  rjmp absorb

add_right_to_sum:
  get r30, r31, MSG
  adiw r30, 16
  rjmp add_to_sum

; A ^= E(SUM + r21 B); B and SUM are lost
finish:
  cpi r21, 1
  breq 2f
  sbrs r21, 0
  rjmp 1f
  at r30, B
  rcall add_to_sum
1:
  at r26, B
  rcall double
  lsr r21
  rjmp finish
2:
  result_at A
  at r26, SUM
  at r30, B

; Block at r22 ^= E(block at X + block at Z). The three may be the same. Leaves Y and r1 = 0; all else is lost.
cipher:
  push r28
  push r29
  push r22
  push r23
  get r24, r25, KEY
  .irp s, r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15
  load_masked \s
  .endr
  movw r28, r24
  .irp s, r0, r1, r2, r3
  load_word r24, \s
  .endr
  load_word r16, r4
  load_word r17, r5
  load_word r18, r6
  load_word r19, r7
  load_word r20, r8
  load_word r21, r9
  load_word r22, r10
  load_word r23, r11
  .irp s, r12, r13, r14, r15
  load_word r24, \s
  push r24
  .endr
  ldi r31, hi8(sbox)
  ldi r27, 10
  rjmp 2f
1:
  mix_column r0, r1, r2, r3
  mix_column r4, r5, r6, r7
  mix_column r8, r9, r10, r11
  mix_column r12, r13, r14, r15
  add_round_key
  push r30
  push r26
  push r25
  push r24
2:
  substitute_and_shift_rows
  dec r27
  breq 3f
  rjmp 1b
3:
  add_round_key
  .irp i, 0, 1, 2, 3            ; no word of the key stays behind
  push r27
  .endr
  .irp i, 0, 1, 2, 3
  pop r27
  .endr
  pop r27
  pop r26
  .irp s, r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15
  store_added \s
  .endr
  clr r1
  pop r29
  pop r28
  ret

refuse:                         ; SEALWIRE_OTR_KEY
  ldi r24, lo8(-2)
  ldi r25, hi8(-2)
  ret

; int sealwire_otr_open(key r24, nonce r22, ad r20, ad_len r18, msg r16, len r14, tag r12)
.global sealwire_otr_open
.type sealwire_otr_open, @function
sealwire_otr_open:
  ldi r27, B
  rjmp 1f

; int sealwire_otr_seal(the same)
.global sealwire_otr_seal
.type sealwire_otr_seal, @function
sealwire_otr_seal:
  ldi r27, A
1:
  movw r30, r24
  ldd r26, Z + KEPT
  cpi r26, READY
  brne refuse
  .irp r, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17, r28, r29
  push \r
  .endr
  in r28, _SFR_IO_ADDR(SPL)
  in r29, _SFR_IO_ADDR(SPH)
  subi r28, FRAME
  sbci r29, 0
  rcall set_stack
  put r24, r25, KEY
  put r20, r21, AD
  put r18, r19, AD_LEN
  put r16, r17, MSG
  put r14, r15, LEN
  put r12, r13, TAG
  std Y + FIRST, r27

  ; PAD = formatted nonce, A = E(PAD), B = 3 A
  rcall clear_blocks
  at r26, PAD
  adiw r26, 3
  ldi r24, 1
  st X+, r24
  movw r30, r22
  ldi r20, 12
  rcall add
  result_at A
  at r26, PAD
  at r30, SUM
  rcall cipher
  rcall add_a_to_b
  at r26, B
  rcall double
  rcall add_a_to_b

chunk:
  get r24, r25, LEN
  sbiw r24, 33
  brcs last
  adiw r24, 1
  put r24, r25, LEN
  ldd r18, Y + FIRST
  sbrs r18, OPENING
  rcall add_right_to_sum
  get r26, r27, MSG             ; right ^= E(left + first mask)
  movw r22, r26
  subi r22, lo8(-16)
  sbci r23, hi8(-16)
  ldd r18, Y + FIRST
  movw r30, r28
  add r30, r18
  adc r31, r1
  rcall cipher
  get r22, r23, MSG             ; left ^= E(right + second mask)
  movw r26, r22
  adiw r26, 16
  ldd r18, Y + FIRST
  at r30, A + B
  sub r30, r18
  sbc r31, r1
  rcall cipher
  get r30, r31, MSG             ; left <-> right
  ldi r20, 4
1:
  .rept 4
  ld r24, Z
  ldd r25, Z + 16
  std Z + 16, r24
  st Z+, r25
  .endr
  dec r20
  brne 1b
  ldd r18, Y + FIRST
  sbrc r18, OPENING
  rcall add_right_to_sum
  at r26, A
  rcall double
  rcall double
  get r24, r25, MSG
  adiw r24, 32
  put r24, r25, MSG
  rjmp chunk

last:
  ldd r18, Y + FIRST
  ldd r20, Y + LEN
  subi r20, 17
  brcs 1f
  subi r20, -1                  ; two blocks, the right one of 1..16 bytes
  std Y + LEN, r20
  sbrs r18, OPENING
  rcall left
  rcall right
  ldd r18, Y + FIRST
  sbrc r18, OPENING
  rcall left
  rjmp 2f
1:                              ; one block of 0..16 bytes
  sbrs r18, OPENING
  rcall absorb_message
  rcall clear_pad
  result_at PAD
  movw r26, r22
  at r30, A
  rcall cipher
  get r26, r27, MSG
  at r30, PAD
  ldd r20, Y + LEN
  rcall add
  ldd r18, Y + FIRST
  sbrc r18, OPENING
  rcall absorb_message
  at r26, B                ; B = A, the mask of the tag
  ldi r20, 16
  rcall clear
  rcall add_a_to_b
2:
  at r26, A
  ldi r20, 16
  rcall clear
  ldd r18, Y + FIRST
  sbrs r18, OPENING
  rjmp 3f
  at r26, A                ; opening: A = the tag that came, and 0 in the end
  get r30, r31, TAG
  ldi r20, 16
  rcall add
3:
  ldi r21, 5
  ldd r20, Y + LEN
  cpi r20, 16
  brne 4f
  ldi r21, 7
4:
  rcall finish

  get r24, r25, AD_LEN
  sbiw r24, 0
  breq done
  at r26, B
  ldi r20, 32
  rcall clear
  result_at B
  at r26, SUM
  movw r30, r26
  rcall cipher
1:
  get r24, r25, AD_LEN
  sbiw r24, 17
  brcs 2f
  adiw r24, 1
  put r24, r25, AD_LEN
  result_at SUM
  get r26, r27, AD
  at r30, B
  rcall cipher
  at r26, B
  rcall double
  get r24, r25, AD
  adiw r24, 16
  put r24, r25, AD
  rjmp 1b
2:
  get r30, r31, AD
  ldd r20, Y + AD_LEN
  rcall absorb
  ldi r21, 3
  ldd r20, Y + AD_LEN
  cpi r20, 16
  brne 3f
  ldi r21, 5
3:
  rcall finish

done:
  at r30, A
  ldi r20, 16
  clr r21
  ldd r18, Y + FIRST
  sbrc r18, OPENING
  rjmp 2f
  get r26, r27, TAG
1:
  ld r24, Z+
  st X+, r24
  dec r20
  brne 1b
  rjmp 4f
2:                              ; r21: 0 if the tag was right
  ld r24, Z+
  or r21, r24
  dec r20
  brne 2b
4:
  rcall clear_blocks
  subi r28, lo8(-FRAME)
  sbci r29, hi8(-FRAME)
  rcall set_stack
  .irp r, r29, r28, r17, r16, r15, r14, r13, r12, r11, r10, r9, r8, r7, r6, r5, r4, r3, r2
  pop \r
  .endr
  tst r21
  breq 6f
  movw r26, r16                 ; forged: the message becomes 0
  movw r24, r14
  rjmp 5f
1:
  st X+, r1
5:
  sbiw r24, 1
  brcc 1b
  ldi r21, 0xff
6:
  .irp r, r18, r19, r20, r22, r23 ; they held words of a round key
  clr \r
  .endr
  mov r24, r21
  mov r25, r21
  ret

; B ^= A
add_a_to_b:
  at r26, B
  at r30, A
  ldi r20, 16
  rjmp add

; A, B, SUM and PAD become 0.
clear_blocks:
  at r26, A
  ldi r20, 64
  rjmp clear

; SP = Y, with the return address moved along.
set_stack:
  pop r31
  pop r30
  in r0, _SFR_IO_ADDR(SREG)
  cli
  out _SFR_IO_ADDR(SPH), r29
  out _SFR_IO_ADDR(SREG), r0
  out _SFR_IO_ADDR(SPL), r28
  push r30
  push r31
  ret

; int sealwire_otr_set_key(key r24, bytes r22, len r20)
.global sealwire_otr_set_key
.type sealwire_otr_set_key, @function
sealwire_otr_set_key:
  cpi r20, 16
  breq 1f
  rcall sealwire_otr_clear
  rjmp refuse
1:
  .irp r, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17
  push \r
  .endr
  movw r30, r22
  movw r26, r24
  .irp w, r8, r9, r10, r11, r12, r13, r14, r15, r18, r19, r20, r21, r22, r23, r24, r25
  ld \w, Z+
  st X+, \w
  .endr
  ldi r31, hi8(sbox)
  ldi r17, 1
2:
  .macro key_byte w, from
  mov r30, \from
  lpm r16, Z
  eor \w, r16
  .endm
  key_byte r8, r23
  key_byte r9, r24
  key_byte r10, r25
  key_byte r11, r22
  eor r8, r17
  .irp w, r8, r9, r10, r11
  st X+, \w
  .endr
  eor r12, r8
  eor r13, r9
  eor r14, r10
  eor r15, r11
  eor r18, r12
  eor r19, r13
  eor r20, r14
  eor r21, r15
  eor r22, r18
  eor r23, r19
  eor r24, r20
  eor r25, r21
  lsl r17                       ; the constant of the round: not secret
  brcc 3f
  ldi r17, 0x1b
3:
  cpi r17, READY                ; after 0x36, ten words are kept
  brne 2b
  st X+, r17
  .irp r, r17, r16, r15, r14, r13, r12, r11, r10, r9, r8
  pop \r
  .endr
  clr r21
  rjmp 6b

; void sealwire_otr_clear(key r24)
.global sealwire_otr_clear
.type sealwire_otr_clear, @function
sealwire_otr_clear:
  movw r26, r24
  ldi r20, KEPT + 1
  rjmp clear

#endif
