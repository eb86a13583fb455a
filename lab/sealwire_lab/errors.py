# SPDX-License-Identifier: Apache-2.0
"""The one error type of the lab."""


class LabError(Exception):
    """Something that the user can put right; the message is one line that says what and how."""
