-- SPDX-License-Identifier: Apache-2.0
-- Component @{p.name}@ of verilog/@{p.name}@.v: compile that into the library that binds the component.
@# The plain Verilog has no parameters, so there are no generics. #@
library ieee;
use ieee.std_logic_1164.all;

package @{p.name}@_pkg is
  component @{p.name}@ is
    port (
@% for port in p.top.ports %@
      @{port.name}@ : @{"in" if port.direction == "input" else "out"}@ @{"std_logic_vector(%d downto 0)" % (p.bits(port.width) - 1) if port.width else "std_logic"}@@{";" if not loop.last}@@{"  -- " ~ port.comment if port.comment}@
@% endfor %@
    );
  end component;
end package;
