# SPDX-License-Identifier: Apache-2.0
"""The command `sealwire-lab waveforms`."""

import argparse

from ... import cores, files
from ...terminal import STDERR
from . import record


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--core", action="append", metavar="NAME", help="only this one, made anew; repeatable")


def run(arguments: argparse.Namespace) -> int:
    known = [core for core in cores.load().values() if core.kind == "aead"]
    wanted = [cores.find(name) for name in arguments.core] if arguments.core else known
    made = 0
    for core in wanted:
        kept = record.load(core.name) if not arguments.core else None
        if kept and kept.sources_sha256 == record.sources_hash(core):
            continue
        with STDERR.status(f"simulating {core.name}"):
            text = record.measure(core).text()
        made += 1
        print(f"{core.name}: {files.write(record.path_of(core.name), text)}")
    print(f"{made} made, {len(wanted) - made} are of today's sources")
    return 0
