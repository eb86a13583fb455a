#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Says what the host lacks, and installs it where that is possible without asking (root on a Debian system).
set -euo pipefail

missing=()
command -v g++ >/dev/null || missing+=(g++)
command -v python3 >/dev/null || missing+=(python3)
python3 -c 'import ensurepip, venv' 2>/dev/null || missing+=(python3-venv)

if ((${#missing[@]})) && [[ $(id -u) == 0 ]] && command -v apt-get >/dev/null; then
  echo "installing ${missing[*]} with apt-get"
  apt-get update -qq && apt-get install -y -qq "${missing[@]}"
  missing=()
fi
if ((${#missing[@]})); then
  echo "error: this host lacks ${missing[*]}: install with your package manager (Debian: apt install ${missing[*]}), then run make again" >&2
  exit 1
fi
if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
  echo "error: Python 3.11 or newer is needed, python3 here is $(python3 -V): put a newer python3 first on PATH" >&2
  exit 1
fi
if ! command -v cargo >/dev/null; then
  echo "note: no Rust tool chain (cargo): 'make run' works, 'make test' and the library need Rust 1.95 or newer (https://rustup.rs)" >&2
fi
