@% macro wires(p) %@
@% for port in p.top.ports if port.name not in ("clk", "rst", "clear") %@
  logic @{"[%d:0] " % (p.bits(port.width) - 1) if port.width}@@{port.name}@;
@% endfor %@
@% endmacro %@
@% macro connections(p) %@
@% for port in p.top.ports %@
      .@{port.name}@(@{"1'b0" if port.name == "clear" else port.name}@)@{"," if not loop.last}@
@% endfor %@
@% endmacro %@
@% macro streams(p) %@
@% for port in p.top.ports if port.name.endswith("_tdata") %@
@% set name = port.name.removesuffix("_tdata") %@
  axis_@{"source" if port.direction == "input" else "sink"}@ #(.BITS(@{p.bits(port.width)}@), .BYTES(BYTES)) u_@{name}@ (.clk, .rst@% for wire in ("tdata", "tkeep", "tvalid", "tready", "tlast") %@, .@{wire}@(@{name}@_@{wire}@)@% endfor %@);
@% endfor %@
@% endmacro %@
