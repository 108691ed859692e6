#!/bin/sh
# CPU seconds and peak memory of `keyfall audit`, beside those of a plain Python loop over the same file.
# Usage: sh bench/audit/run.sh [ROUNDS]. Needs python3 and GNU time; writes to target/bench-audit.
set -eu
cd "$(dirname "$0")/../.."
rounds=${1:-3}
work=target/bench-audit
mkdir -p "$work"

cargo build --quiet --release --package keyfall
[ -d "$work/venv" ] || python3 -m venv "$work/venv"
"$work/venv/bin/pip" install --quiet --requirement bench/audit/requirements.txt
[ -s "$work/2000000.jsonl" ] || "$work/venv/bin/python" bench/audit/make_lines.py 2000000 >"$work/2000000.jsonl"
head -n 1000000 "$work/2000000.jsonl" >"$work/1000000.jsonl"

# Prints "LABEL USER+SYSTEM-SECONDS PEAK-KIB" of a command.
measure() {
    label=$1
    shift
    /usr/bin/time --quiet -f "%U %S %M" -o "$work/time" "$@" >"$work/out" || [ $? -eq 1 ]
    awk -v label="$label" '{ printf "%s %.2f %d\n", label, $1 + $2, $3 }' "$work/time"
}

keyfall() {
    measure "$1" target/release/keyfall audit "$work/$2.jsonl" -s kafka/java -p partitions=12 --format json
}

: >"$work/figures"
for _ in $(seq "$rounds"); do
    {
        measure python "$work/venv/bin/python" bench/audit/plain.py "$work/2000000.jsonl" 12
        grep -q ' 18377 misplaced' "$work/out" # both are to find the same
        keyfall one 1000000
        keyfall two 2000000
        grep -q '"misplaced": 18377' "$work/out"
    } | tee -a "$work/figures"
done

# Medians over the rounds: what the machine does meanwhile hits all alike.
median() {
    awk -v label="$1" -v column="$2" '$1 == label { print $column }' "$work/figures" | sort -n |
        awk '{ all[NR] = $1 } END { print all[int((NR + 1) / 2)] }'
}
awk -v python="$(median python 2)" -v two="$(median two 2)" \
    -v one_peak="$(median one 3)" -v two_peak="$(median two 3)" 'BEGIN {
        printf "2 million lines: python %.2f s, keyfall %.2f s of CPU, ratio %.1f\n", python, two, python / two
        printf "peak memory: %d KiB at 1 million lines, %d KiB at 2 million, %+.1f%%\n",
            one_peak, two_peak, 100 * (two_peak / one_peak - 1)
    }'
