-- SPDX-License-Identifier: Apache-2.0
-- What the packages and the test bench of the LWC hardware API read about the module LWC of LWC.v.
package LWC_config is
  constant W          : positive := @{p.values.W}@;  -- bits of pdi_data and do_data
  constant SW         : positive := @{p.values.SW}@;  -- bits of sdi_data
  constant PDI_SHARES : positive := 1;  -- not masked
  constant SDI_SHARES : positive := 1;
  constant RW         : natural  := 0;  -- no random input
  constant ASYNC_RSTN : boolean  := false;  -- rst is synchronous and active high
end package;
