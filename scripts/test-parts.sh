#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs targets of the Makefile in two rows side by side, each one after the other: a compiler or a test that waits leaves
# a core to the other row. After a failure no further target starts. Then: how long each took, what was skipped and why.
# Usage: scripts/test-parts.sh NAME TARGET... [-- TARGET...]
set -euo pipefail
cd "$(dirname "$0")/.."
name=$1
shift
first=()
while [[ $# -gt 0 && $1 != -- ]]; do
  first+=("$1")
  shift
done

logs=build/test-parts
rm -rf $logs
mkdir -p $logs
export SEALWIRE_SKIPPED=$PWD/build/skipped.txt
: >"$SEALWIRE_SKIPPED"

# One target: what it says comes whole when it ends.
run_part() {
  local part=$1 start=$SECONDS cpu_before cpu status=0 self=$BASHPID
  cpu_before=$(awk '{print $16 + $17}' "/proc/$self/stat")
  echo "==== $part: running, its output until it ends: $logs/$part.log"
  ${MAKE:-make} "$part" >"$logs/$part.log" 2>&1 </dev/null || status=$?
  cpu=$((($(awk '{print $16 + $17}' "/proc/$self/stat") - cpu_before) / $(getconf CLK_TCK)))
  {
    flock 9
    printf '\n==== %s\n' "$part"
    cat "$logs/$part.log"
  } 9>"$logs/lock"
  printf '%-16s %5d s %7d s\n' "$part" $((SECONDS - start)) "$cpu" >>"$logs/times"
  [[ $status == 0 ]] || echo "$part" >>"$logs/failed"
}

run_row() {
  for part in "$@"; do
    [[ -e $logs/failed ]] || run_part "$part"
  done
}

# Both rows need it.
run_row setup
trap 'trap - TERM; kill 0' INT TERM  # what runs in the background hears no key
run_row "${first[@]}" &
rows=($!)
run_row "${@:2}" &
rows+=($!)
for row in "${rows[@]}"; do wait "$row"; done

if [[ -e $logs/failed ]]; then
  echo
  while read -r part; do
    echo "$name: $part failed; to repeat it: make $part"
  done <$logs/failed >&2
  exit 1
fi
printf '\n%-16s %7s %9s\n' part wall CPU
cat $logs/times
printf '%-16s %5d s\n' "in all" "$SECONDS"
if [[ -s $SEALWIRE_SKIPPED ]]; then
  printf '\nskipped, and why (scripts/test-tools.sh installs what can be installed):\n'
  # A test stands once, however often its run has been told of it.
  sort -u "$SEALWIRE_SKIPPED" | cut -f1 | uniq -c | sort -rn
else
  printf '\nnothing was skipped\n'
fi
printf '%s: all green\n' "$name"
