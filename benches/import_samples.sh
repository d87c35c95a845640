#!/usr/bin/env bash
# Imports every file of a folder and prints its figures next to what its text shows:
#
#     benches/import_samples.sh DIR
#
# For each figure that the text prints in a known place, the line and the imported value; 'differs' where the two are not
# the same. Exits 1 when one differs, or a file that a tool wrote is not recognized.
set -euo pipefail
folder=${1:?folder of results}
cd "$(dirname "$0")/.."
program=${PROGRAM:-./target/release/vmfit}
if [ ! -x "$program" ]; then cargo build --release --quiet; fi
python3 - "$program" "$folder" <<'PYTHON'
import json, pathlib, re, subprocess, sys

program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
wrong = read = figures = 0


def text_figures(text):
    """(metric, value) pairs that the text of a report prints, found without the importer's help."""
    rows = [
        (r"^\s+events per second:\s+([\d.]+)", "events_per_s"),
        (r"^\s+total number of events:\s+([\d.]+)", "events"),
        (r"^\s+total time:\s+([\d.]+)s", "total_s"),
        (r"^\s+reads/s:\s+([\d.]+)", "read_iops"),
        (r"^\s+writes/s:\s+([\d.]+)", "write_iops"),
        (r"^\s+fsyncs/s:\s+([\d.]+)", "fsyncs_per_s"),
        (r"^\s+read, MiB/s:\s+([\d.]+)", "read_mib_s"),
        (r"^\s+written, MiB/s:\s+([\d.]+)", "write_mib_s"),
        (r"MiB transferred \(([\d.]+) MiB/sec\)", "mib_s"),
        (r"^Total operations: \d+ \(([\d.]+) per second\)", "events_per_s"),
        (r"^\s+transactions:\s+\d+\s+\(([\d.]+) per sec", "transactions_per_s"),
        (r"^\s+queries:\s+\d+\s+\(([\d.]+) per sec", "queries_per_s"),
        (r"^\s+avg:\s+([\d.]+)$", "latency_avg_ms"),
        (r"^\s+max:\s+([\d.]+)$", "latency_max_ms"),
        (r"^\s+95th percentile:\s+([\d.]+)$", "latency_p95_ms"),
        (r"^tps = ([\d.]+) \(without", "transactions_per_s"),
        (r"^latency average = ([\d.]+) ms", "latency_avg_ms"),
        (r"Per loop time including overhead: ([\d.]+) ns", "clock_read_ns"),
        (r"bytes written in [\d.]+ seconds \(([\d.]+) MiB", "write_mib_s"),
    ]
    for pattern, name in rows:
        for value in re.findall(pattern, text, re.M):
            yield name, float(value)
    for side in ("read", "write"):
        for value in re.findall(rf"^\s+{side}: IOPS=([\d.]+)[k,]", text, re.M):
            yield f"{side}_iops", float(value)


def json_figures(text):
    """The same of fio's JSON: sums over its jobs."""
    jobs = json.JSONDecoder().raw_decode(text[text.index("\n{") + 1 if not text.startswith("{") else 0 :])[0]["jobs"]
    for side in ("read", "write"):
        ios = sum(job[side]["total_ios"] for job in jobs)
        if ios:
            yield f"{side}_iops", sum(job[side]["iops"] for job in jobs)
            yield f"{side}_mib_s", sum(job[side]["bw_bytes"] for job in jobs) / 2**20
            yield f"{side}_latency_avg_ms", sum(job[side]["lat_ns"]["mean"] * job[side]["total_ios"] for job in jobs) / ios / 1e6
            if len(jobs) == 1:
                yield f"{side}_latency_p95_ms", jobs[0][side]["clat_ns"]["percentile"]["95.000000"] / 1e6


for path in sorted(folder.iterdir()):
    done = subprocess.run([program, "import", "auto", path, "--format", "json"], capture_output=True, text=True)
    if done.returncode:
        print(f"{path.name:44} no import: {done.stderr.strip()[:90]}")
        continue
    read += 1
    found = json.loads(done.stdout)
    text = path.read_text(errors="replace")
    pairs = list(json_figures(text) if found["format"] == "fio" else text_figures(text))
    runs = [{metric["name"]: metric["value"] for metric in run["metrics"]} for run in found["runs"]]
    shown = []
    for name, value in pairs:
        figures += 1
        same = [run[name] for run in runs if name in run and abs(run[name] - value) <= 1e-6 * max(abs(value), 1e-3)]
        wrong += not same
        shown.append(f"{name} {value:g}" if same else f"{name} {value:g} DIFFERS {[run.get(name) for run in runs]}")
    print(f"{path.name:44} {found['format']:14} {len(runs)} runs: {', '.join(shown) or '; '.join(i['why'] for i in found['ignored'])}")
print(f"{read} files imported, {figures} figures compared, {wrong} differ")
sys.exit(1 if wrong else 0)
PYTHON
