# SPDX-License-Identifier: Apache-2.0
# No pads: the core is one part of a larger design.
set_property -name {STEPS.SYNTH_DESIGN.ARGS.MORE OPTIONS} -value {-mode out_of_context} -objects [get_runs synth_1]
