// SPDX-License-Identifier: Apache-2.0
// Types that every AEAD mode shares (docs/core-ports.md).
// Security: no secrets here.
package aead_pkg;

  typedef enum logic [1:0] {
    OP_SEAL    = 2'd0,
    OP_OPEN    = 2'd1,
    OP_LOAD_AD = 2'd2
  } op_e;

endpackage
