# SPDX-License-Identifier: Apache-2.0
"""Measures the C port: `make embedded`, or `python embedded/measure.py [--json] [--machine NAME]`.

AVR: cycles of one call from its first instruction to the end of its return, as simavr counts them for an ATmega128;
stack in bytes from the painted memory under the caller's frame; ROM from the object's sections. ARMv7: instructions,
counted one by one in qemu-user; these are not cycles. Associated data is empty.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from dataclasses import asdict, dataclass

from port import BUILD, MACHINES, Machine

PUBLISHED = {"avr": "about 240 c/b at 256 bytes, about 2100 bytes of ROM, about 180 of RAM (AES-OTR v3 slides)"}
AVR_KEY_BYTES = 57
SIZES = {"avr": (16, 32, 64, 256, 1024, 2048), "arm": (256, 1056, 2080, 16416)}


@dataclass(frozen=True)
class Figure:
    machine: str
    call: str
    message_bytes: int
    unit: str
    count: int

    @property
    def per_byte(self) -> float | None:
        return self.count / self.message_bytes if self.message_bytes else None


def sections(tool: str, file: str) -> int:
    """Bytes of code and constant data in an object file."""
    lines = subprocess.run(
        [tool, "-A", str(BUILD / file)], check=True, capture_output=True, text=True
    ).stdout.splitlines()
    rows = [line.split() for line in lines]
    return sum(int(row[1]) for row in rows if row and row[0].startswith((".text", ".rodata", ".progmem")))


def instructions(machine: Machine, call: str, size: int, ad_size: int = 0, key_size: int = 16, seed: int = 1) -> int:
    """What a call executes, key and texts drawn from the seed: two calls less one. `open` copies the text first."""
    program = machine.command[-1].replace("run-", "count-")

    def executed(times: int) -> int:
        numbers = map(str, (key_size, ad_size, size, times, seed))
        command = ["qemu-arm", "-singlestep", "-d", "nochain,exec", program, call, *numbers]
        with subprocess.Popen(command, stderr=subprocess.PIPE) as process:
            assert process.stderr is not None
            count = sum(1 for _ in process.stderr)
        if process.returncode:
            raise RuntimeError(f"{' '.join(command)} ended with status {process.returncode}")
        return count

    return executed(2) - executed(1)


def avr(machine: Machine) -> tuple[list[Figure], dict[str, int]]:
    figures, stack, key_cycles = [], 0, 0
    with machine.start() as runner:
        for size in SIZES["avr"]:
            sealed = runner.seal(bytes(16), bytes(12), b"", bytes(size))
            opened = runner.open(bytes(16), bytes(12), b"", sealed.text, sealed.tag)
            figures += [
                Figure(machine.name, "seal", size, "cycles", sealed.cycles),
                Figure(machine.name, "open", size, "cycles", opened.cycles),
            ]
            stack, key_cycles = max(stack, sealed.stack, opened.stack), sealed.key_cycles
    figures.append(Figure(machine.name, "set_key", 0, "cycles", key_cycles))
    memory = {
        "rom_bytes": sections("avr-size", "avr.o"),
        "key_bytes": AVR_KEY_BYTES,
        "stack_bytes": stack,
        "ram_bytes": AVR_KEY_BYTES + stack,
    }
    return figures, memory


def arm(machine: Machine) -> tuple[list[Figure], dict[str, int]]:
    figures = [
        Figure(machine.name, "seal", size, "instructions", instructions(machine, "seal", size)) for size in SIZES["arm"]
    ]
    figures.append(Figure(machine.name, "set_key", 0, "instructions", instructions(machine, "key", 0)))
    lanes = machine.command[-1][-1]
    return figures, {"rom_bytes": sections("arm-linux-gnueabihf-size", f"otr-arm-{lanes}")}


def show(name: str, figures: list[Figure], memory: dict[str, int]) -> None:
    print(name + (f"; published: {PUBLISHED[name]}" if name in PUBLISHED else ""))
    for figure in figures:
        each = "" if figure.per_byte is None else f"{figure.per_byte:9.1f} a byte"
        print(f"  {figure.call:8} {figure.message_bytes:6} bytes {figure.count:9} {figure.unit}{each}")
    print("  " + ", ".join(f"{key.replace('_', ' ')}: {value}" for key, value in memory.items()))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__.splitlines()[0] if __doc__ else None,
        epilog="examples: python embedded/measure.py --machine avr; python embedded/measure.py --json",
    )
    parser.add_argument("--json", action="store_true", help="write one JSON array")
    parser.add_argument(
        "--machine", choices=[name for name in MACHINES if not name.startswith("host")], action="append"
    )
    options = parser.parse_args()
    results = []
    for name in options.machine or [name for name in MACHINES if not name.startswith("host")]:
        machine = MACHINES[name]
        if lacking := machine.missing():
            print(f"skipped {lacking}", file=sys.stderr)
            continue
        machine.build()
        figures, memory = (avr if name == "avr" else arm)(machine)
        results.append({"machine": name, **memory, "figures": [{**asdict(f), "per_byte": f.per_byte} for f in figures]})
        if not options.json:
            show(name, figures, memory)
    if options.json:
        json.dump(results, sys.stdout, indent=1)
        print()
    if not results:
        sys.exit("measure: no machine to measure on: install the tools named above")


if __name__ == "__main__":
    main()
