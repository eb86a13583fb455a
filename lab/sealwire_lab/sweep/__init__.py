# SPDX-License-Identifier: Apache-2.0
"""Many implementations: `jobs` says which, `engine` sees to it that each is made once, `cluster` has others do them."""
