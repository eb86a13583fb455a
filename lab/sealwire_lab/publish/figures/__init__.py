# SPDX-License-Identifier: Apache-2.0
"""Figures: those of the papers with our cores beside them, drawn from records as SVG and PNG (`sealwire-lab plot`).

`catalogue` names them.  Each is data (curves, rows) made from published figures and records, and a drawing of it; the
same input gives the same bytes.
"""
