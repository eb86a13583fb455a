# SPDX-License-Identifier: Apache-2.0
"""What is made from measurements for readers and users: figures, report, waveforms, tables of documents, exports."""
