# SPDX-License-Identifier: Apache-2.0
"""The firmware of the boards' processor, and the sources of what it runs on.

    python -m sealwire_lab.firmware      builds the image and says where it lies

The image is a file for $readmemh, 32-bit words from address 0 on. The compiler is that of the package ziglang, the
processor that of pythondata-cpu-picorv32; both are pinned in requirements.lock.
"""

import importlib
import struct
import subprocess
import sys
from importlib import metadata
from pathlib import Path

from . import build, cores, files
from .errors import LabError

TARGET = ("-target", "riscv32-freestanding-none", "-mcpu=generic_rv32+relax")
FLAGS = (
    "-std=c11", "-Oz", "-ffreestanding", "-fno-builtin", "-ffunction-sections", "-fdata-sections", "-nostdlib",
    "-fno-stack-protector", "-fno-sanitize=all", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror",
)  # fmt: skip
RAM_BYTES = 16384


def room() -> Path:
    return cores.root() / "boards" / "firmware"


def processor() -> Path:
    """picorv32.v, where its package lies."""
    return Path(importlib.import_module("pythondata_cpu_picorv32").data_location) / "picorv32.v"


def own(device: str = "model") -> list[Path]:
    """The modules around the processor; `device` picks the noise source (model, ecp5)."""
    common = cores.root() / "boards" / "common"
    folders = ("uart", "noise", f"noise/{device}", "cpu")
    return [path for folder in folders for path in sorted((common / folder).glob("*.sv"))]


def rtl(device: str = "model") -> list[Path]:
    """All sources of board_cpu and uart_axil in compile order."""
    hdl = cores.root() / "hdl"
    shared = ("lib/cdc/sync_bits.sv", "lib/stream/stream_fifo.sv", "link/control/link_staging.sv")
    return [*(hdl / name for name in shared), processor(), *own(device)]


def registers_header() -> Path:
    return cores.root() / "hdl" / "link" / "control" / "generated" / "sealwire_link_regs.h"


def counter_names() -> list[str]:
    """The link's counters in the order of their registers, from the header that is generated with them."""
    inside, names = False, list[str]()
    header = registers_header()
    for line in header.read_text(encoding="utf-8").splitlines():
        if line == "// regfile - sealwire_link_regs.counters":
            inside = True
        elif inside and line.startswith("}"):
            return names
        elif inside and line.strip().startswith("uint64_t "):
            names.append(line.split()[1].rstrip(";"))
    raise LabError(f"{header} holds no counters")


def write_counter_names(folder: Path) -> None:
    """The file that console.c includes."""
    names = "".join(f'    "{name}",\n' for name in counter_names())
    (folder / "counter_names.inc").write_text(names, encoding="utf-8")


def memory_words(elf: bytes) -> list[int]:
    """What an ELF file of 32 bits, low byte first, loads from address 0 on."""
    offset, size, count = struct.unpack_from("<I", elf, 28)[0], *struct.unpack_from("<HH", elf, 42)
    image = bytearray()
    for i in range(count):
        kind, start, _, address, length = struct.unpack_from("<5I", elf, offset + i * size)
        if kind == 1 and length:  # to be loaded
            image[len(image) :] = bytes(max(0, address + length - len(image)))
            image[address : address + length] = elf[start : start + length]
    image += bytes(-len(image) % 4)
    return [word for (word,) in struct.iter_unpack("<I", image)]


def texts() -> list[Path]:
    """The firmware's own sources."""
    return [*sorted(room().glob("*.[chS]")), room() / "firmware.ld"]


def image() -> Path:
    """The image of the firmware, built on first use."""
    sources = texts()
    header = registers_header()
    parts: list[str | Path] = [
        "firmware",
        metadata.version("ziglang"),
        *TARGET,
        *FLAGS,
        *sources,
        header,
        Path(__file__),
    ]

    def make(scratch: Path) -> None:
        write_counter_names(scratch)
        # The generated header asks for it, and a machine without a C library has none.
        (scratch / "assert.h").write_text("#define static_assert _Static_assert\n", encoding="utf-8")
        elf = scratch / "firmware.elf"
        command: list[str | Path] = [
            sys.executable, "-m", "ziglang", "cc", *TARGET, *FLAGS, "-I", scratch, "-I", header.parent,
            "-Wl,--gc-sections", "-T", room() / "firmware.ld", "-o", elf,
            *(path for path in sources if path.suffix in (".c", ".S")),
        ]  # fmt: skip
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
        if done.returncode:
            raise LabError(f"the firmware does not compile:\n{done.stderr}")
        loaded = memory_words(elf.read_bytes())
        if 4 * len(loaded) > RAM_BYTES:
            raise LabError(f"the firmware has {4 * len(loaded)} bytes, must be at most {RAM_BYTES}")
        (scratch / "firmware.hex").write_text("".join(f"{word:08x}\n" for word in loaded), encoding="utf-8")

    return build.cached(f"firmware/{build.digest(parts)}", make) / "firmware.hex"


if __name__ == "__main__":
    path = image()
    taken = 4 * len(files.source(path).splitlines())
    print(f"{path}: {taken} of {RAM_BYTES} bytes")
