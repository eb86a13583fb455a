#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs targets of the Makefile one after the other and stops at the first that fails. Then: how long each took, what was
# skipped and why. Usage: scripts/test-parts.sh NAME TARGET...
set -euo pipefail
cd "$(dirname "$0")/.."
name=$1
shift

mkdir -p build
export SEALWIRE_SKIPPED=$PWD/build/skipped.txt
: >"$SEALWIRE_SKIPPED"
times=()
for part in "$@"; do
  printf '\n==== %s\n' "$part"
  start=$SECONDS
  cpu_before=$(awk '{print $16 + $17}' /proc/$$/stat)
  ${MAKE:-make} "$part" || {
    echo "$name: $part failed; to repeat it: make $part" >&2
    exit 1
  }
  cpu=$((($(awk '{print $16 + $17}' /proc/$$/stat) - cpu_before) / $(getconf CLK_TCK)))
  times+=("$(printf '%-16s %5d s %7d s' "$part" $((SECONDS - start)) "$cpu")")
done

printf '\n%-16s %7s %9s\n' part wall CPU
printf '%s\n' "${times[@]}"
printf '%-16s %5d s\n' "in all" "$SECONDS"
if [[ -s $SEALWIRE_SKIPPED ]]; then
  printf '\nskipped, and why (scripts/test-tools.sh installs what can be installed):\n'
  # A test stands once, however often its run has been told of it.
  sort -u "$SEALWIRE_SKIPPED" | cut -f1 | uniq -c | sort -rn
else
  printf '\nnothing was skipped\n'
fi
printf '%s: all green\n' "$name"
