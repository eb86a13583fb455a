# SPDX-License-Identifier: Apache-2.0
"""The command `sealwire-lab mutants`."""

import argparse
import itertools
import json
import os
from collections import Counter
from dataclasses import asdict

from sealwire_lab.errors import LabError
from sealwire_lab.sweep import cluster
from sealwire_lab.terminal import STDERR, bar, natural, option, say, switches, whole

from . import campaign as campaigns
from . import plant, survey, trial
from .campaign import Campaign
from .plant import Workspace
from .sites import Mutant
from .trial import Verdict


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seed", type=natural, default=1, metavar="N", help="of the draw (default 1)")
    parser.add_argument("--count", type=whole, default=400, metavar="N", help="mutants to draw (default 400)")
    parser.add_argument("--room", metavar="NAME", help="only the mutants of a folder of hdl/")
    deep = f"simulations that a mutant runs through before it survives (default {campaigns.DEPTH})"
    option(parser, "--depth N", deep, whole, default=campaigns.DEPTH)
    only = parser.add_mutually_exclusive_group()
    only.add_argument("--only", metavar="ID", help="run one mutant, whatever is known of it")
    switches(only, again="run again what survived", anew="run everything, whatever is known of it")
    only.add_argument("--show", metavar="ID", help="print one mutant as a difference of two files, and stop")
    switches(only, list="list what is drawn, and stop")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--workers", type=whole, metavar="N", help="processes on this machine (default: its processors)")
    where.add_argument("--scheduler", metavar="ADDRESS", help="the Dask scheduler to send the trials to")
    kept = "keep the verdicts in tests/mutants/verdicts.jsonl, from which later campaigns go on"
    switches(parser, json="the verdicts as a list", record=kept)


def _chosen(campaign: Campaign, arguments: argparse.Namespace) -> list[Mutant]:
    if arguments.only:
        return [campaigns.pick(campaign, arguments.only)]
    rooms = sorted({mutant.room for mutant in campaign.drawn})
    if arguments.room and arguments.room not in rooms:
        raise LabError(f"no mutant is drawn in {arguments.room!r}; rooms: {', '.join(rooms)}")
    here = [mutant for mutant in campaign.drawn if not arguments.room or mutant.room == arguments.room]
    if arguments.anew:
        return here
    known = campaign.verdicts
    again = (trial.SURVIVES,) if arguments.again else ()
    return [mutant for mutant in here if mutant.id not in known or known[mutant.id].status in again]


def _run(campaign: Campaign, chosen: list[Mutant], arguments: argparse.Namespace) -> None:
    with STDERR.status("planting, and asking the tests what they simulate"):
        jobs = campaigns.trials(campaign, chosen, arguments.depth)
    workers = arguments.workers or os.cpu_count() or 1
    number = itertools.count(1)

    with bar(len(jobs), "building the first simulations") as update:

        def done(mutant: Mutant, verdict: Verdict) -> None:
            update(f"{len(campaign.of(trial.FOUND))} found, {len(campaign.of(trial.SURVIVES))} survive", 1)
            why = f" ({verdict.why})" if verdict.why else ""
            told = f"found by {verdict.by}" if verdict.status == trial.FOUND else f"{verdict.status}: {mutant}{why}"
            say(f"{next(number)} of {len(jobs)}: {mutant.id} {told}")

        way = cluster.cluster(arguments.scheduler, workers, trial.run, lambda _, verdict: verdict, trial.error)
        with way as execute:
            campaigns.go(campaign, jobs, execute, done)


def _summary(campaign: Campaign) -> int:
    survivors = campaign.of(trial.SURVIVES, recorded=False)
    wrong = campaign.of(trial.FOUND, recorded=True)
    errors = campaign.of(trial.ERROR)
    kept = sorted((Workspace(campaign.seed).folder / "unmutated").glob("*"))
    unmutated = [json.loads(file.read_text(encoding="utf-8")) for file in kept if file.suffix != ".lock"]
    failing = [failure for one in unmutated for failure in one["failed"]]
    for mutant in survivors:
        ran = ", ".join(survey.spoken(name) for name in campaign.verdicts[mutant.id].simulations)
        say(f"survives: {mutant.id} {mutant}\n          not found in {ran}")
    for mutant in wrong:
        say(f"recorded as equivalent, but found: {mutant.id} {mutant}")
    for mutant in errors:
        say(f"no verdict: {mutant.id}: {campaign.verdicts[mutant.id].why}")
    for failure in failing:
        say(f"fails without a mutant, and is left out: {failure}")
    kinds = Counter(mutant.kind for mutant in survivors)
    equivalent = len(campaign.of(trial.SURVIVES, recorded=True))
    waiting = len(campaign.drawn) - len(campaign.verdicts)
    found = len(campaign.of(trial.FOUND))
    say(
        f"seed {campaign.seed}: {len(campaign.drawn)} mutants of {campaign.places}: {found} found, "
        f"{equivalent} equivalent, {len(survivors)} survive"
        + (f" ({', '.join(f'{count} {kind}' for kind, count in sorted(kinds.items()))})" if kinds else "")
        + (f", {len(errors)} without a verdict" if errors else "")
        + (f", {waiting} not run" if waiting else "")
        + f"; {100 * campaign.score:.1f} % of those that can be found are found"
    )
    return 1 if survivors or wrong or errors or failing else 0


def run(arguments: argparse.Namespace) -> int:
    campaign = campaigns.prepare(arguments.seed, arguments.count)
    if arguments.show:
        mutant = campaigns.pick(campaign, arguments.show)
        print("".join(plant.diff(Workspace(arguments.seed).root, mutant)), end="")
        return 0
    if arguments.list:
        for mutant in campaign.drawn:
            verdict = campaign.verdicts.get(mutant.id)
            print(f"{mutant.id} {mutant.kind:11} {verdict.status if verdict else 'waits':8} {mutant}")
        return 0
    chosen = _chosen(campaign, arguments)
    if chosen:
        _run(campaign, chosen, arguments)
    if arguments.record:
        say(f"recorded in {campaigns.record(campaign)}")
    status = _summary(campaign)
    if arguments.json:
        listed = [
            asdict(mutant) | asdict(campaign.verdicts[mutant.id]) | {"equivalent": campaign.reasons.get(mutant.id)}
            for mutant in campaign.drawn
            if mutant.id in campaign.verdicts
        ]
        print(json.dumps(listed, indent=2))
    return status
