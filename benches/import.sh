#!/usr/bin/env bash
# Speed and memory of imports against the crates that read the same bytes: a Performance Monitor log of 1 GB against the
# records of the csv crate, fio JSON+ of 200 MB against serde_json::Value. Runs them in turn (ABBA) and prints the ratio of
# the medians; below 2 is the aim. MEGABYTES=100 makes smaller files. FOLDER takes the files (default: a new folder, removed).
set -euo pipefail
cd "$(dirname "$0")/.."
megabytes=${MEGABYTES:-1000}
program=${PROGRAM:-./target/release/bench-import}
if [ ! -x "$program" ]; then cargo build --release --quiet --features bench --bin bench-import; fi
folder=${FOLDER:-$(mktemp -d)}
if [ -z "${FOLDER:-}" ]; then trap 'rm -rf "$folder"' EXIT; fi

python3 - "$folder" "$megabytes" <<'PYTHON'
import json, os, random, sys
folder, megabytes = sys.argv[1], int(sys.argv[2])
random.seed(1)
log = os.path.join(folder, "perfmon.csv")
if not os.path.exists(log):
    names = [r"\\DB1\Processor(%s)\%% Processor Time" % i for i in ["_Total", *range(8)]] + [r"\\DB1\Memory\Available MBytes", r"\\DB1\Memory\Committed Bytes"]
    for disk in "CDEFGH":
        names += [r"\\DB1\LogicalDisk(%s:)\%s" % (disk, counter) for counter in ("Disk Reads/sec", "Disk Writes/sec", "Disk Read Bytes/sec", "Disk Write Bytes/sec", "Avg. Disk sec/Read", "Avg. Disk sec/Write", "Avg. Disk Queue Length", "% Free Space", "Split IO/Sec")]
    names += [r"\\DB1\Network Interface(NIC 1)\Bytes Total/sec", r"\\DB1\SQLServer:SQL Statistics\Batch Requests/sec"]
    names += [r"\\DB1\Process(p%d)\%% Processor Time" % i for i in range(30)]
    rows = ['","'.join("%.14f" % (random.random() * 1000) for _ in names) for _ in range(500)]
    with open(log, "w") as out:
        out.write('"(PDH-CSV 4.0) (Pacific Standard Time)(480)","' + '","'.join(names) + '"\r\n')
        second = 0
        while out.tell() < megabytes * 1_000_000:
            for row in rows:
                day, rest = divmod(second, 86400)
                out.write('"%02d/%02d/2026 %02d:%02d:%02d.000","%s"\r\n' % (1 + day // 28 % 12, 1 + day % 28, rest // 3600, rest // 60 % 60, rest % 60, row))
                second += 1
result = os.path.join(folder, "fio.json")
if not os.path.exists(result):
    size = 0
    with open(result, "w") as out:
        out.write('{"fio version":"fio-3.33","jobs":[')
        first = True
        while size < megabytes * 200_000:
            bins = {str(1000 + step * 128): random.randrange(1, 10000) for step in range(20000)}
            count = sum(bins.values())
            times = {"min": 1000, "max": 3_000_000, "mean": 1e6, "stddev": 5.0, "N": count, "percentile": {"50.000000": 900000, "99.000000": 2000000}, "bins": bins}
            io = {"io_bytes": count * 4096, "bw_bytes": count * 1024, "iops": count / 4, "runtime": 4000, "total_ios": count, "clat_ns": times, "lat_ns": dict(times, bins={})}
            text = json.dumps({"jobname": "j", "groupid": 0, "error": 0, "job options": {"bs": "4k", "iodepth": "1"}, "read": io, "write": io})
            out.write(("" if first else ",\n") + text)
            size += len(text)
            first = False
        out.write("]}\n")
PYTHON
ls -l "$folder" | awk 'NR > 1 { printf "%s %.0f MB\n", $NF, $5 / 1e6 }'

compare() { # ours theirs file
  for run in "$1" "$2" "$2" "$1" "$1" "$2"; do "$program" "$run" "$folder/$3"; done | tee >(cat >&2) | awk -v ours="$1" -v theirs="$2" '
    { times[$1] = times[$1] " " $2; cpu[$1] = cpu[$1] " " $4; memory[$1] = $6 }
    function median(text, list, n, i, j, t) {
      n = split(text, list, " ")
      for (i = 2; i <= n; i++) for (j = i; j > 1 && list[j - 1] + 0 > list[j] + 0; j--) { t = list[j]; list[j] = list[j - 1]; list[j - 1] = t }
      return list[int((n + 1) / 2)]
    }
    END { printf "%s takes %.2f times as long as %s, %.2f times its processor time, and %d MiB\n", ours, median(times[ours]) / median(times[theirs]), theirs, median(cpu[ours]) / median(cpu[theirs]), memory[ours] }'
}
compare perfmon csv perfmon.csv
compare fio value fio.json
