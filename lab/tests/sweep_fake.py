# SPDX-License-Identifier: Apache-2.0
"""Work without tools for tests of sweeps: writes down that a job was begun, takes a nap, gives a made-up record."""

import os
import time
from dataclasses import replace
from pathlib import Path

from sealwire_lab.implement import flow
from sealwire_lab.results.record import Record
from sealwire_lab.sweep.jobs import Job


def work(job: Job, _progress: object = None) -> Record:
    with Path(os.environ["SWEEP_LOG"]).open("a", encoding="utf-8") as log:
        log.write(f"{os.getpid()} begun {job}\n")
    if job.parameters == (("WIDTH", 13),):
        os._exit(13)  # a job that kills whoever does it
    time.sleep(float(os.environ.get("SWEEP_NAP", "0")))
    with Path(os.environ["SWEEP_LOG"]).open("a", encoding="utf-8") as log:
        log.write(f"{os.getpid()} ended {job}\n")
    planned = flow.plan(job.request())
    return replace(planned, stage="routed", lut=10 * job.seed, fmax_mhz=100.0, fmax_mhz_by_seed={job.seed: 100.0})
