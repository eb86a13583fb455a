# SPDX-License-Identifier: Apache-2.0
"""Plants single defects in hdl/ and counts how many of them the tests find (`sealwire-lab mutants`)."""
