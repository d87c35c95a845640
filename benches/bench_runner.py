"""Measures the benchmark runner against its peers; called by bench_runner.sh, which says how."""

import json
import os
import re
import statistics
import subprocess
import sys
import tempfile

VMFIT = os.environ["VMFIT"]
DIR = os.environ.get("DIR", tempfile.gettempdir())
SIZE = int(os.environ.get("SIZE", str(1 << 30)))
SECONDS = os.environ.get("SECONDS_EACH", "2")


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: {done.stderr.strip()}")
    return done.stdout


def vmfit(*options):
    result = json.loads(run(VMFIT, "bench", *options, "--format", "json"))
    DOUBTS.append(not result["valid"])
    return result


DOUBTS = []


def sysbench(*options):
    return run("sysbench", *options, "run")


def figure(pattern, text):
    return float(re.search(pattern, text).group(1))


def times(threads):
    return ["--threads", str(threads), "--time", SECONDS, "--warmup", "0"]


def peer_times(threads):
    return [f"--threads={threads}", f"--time={SECONDS}"]


def cpu(threads):
    return (
        lambda: {"events/s": figure(r"per second: +([\d.]+)", sysbench("cpu", "--cpu-max-prime=10000", *peer_times(threads)))},
        lambda: {"events/s": vmfit("cpu", *times(threads))["events_per_s"]},
    )


def threads_mode(threads):
    def peer():
        text = sysbench("threads", *peer_times(threads))
        return {"events/s": figure(r"number of events: +(\d+)", text) / figure(r"total time: +([\d.]+)", text)}

    return peer, lambda: {"events/s": vmfit("threads", *times(threads))["events_per_s"]}


def mutex(threads):
    """Four times the usual locks: the usual work takes a fifth of a second, in which a disturbance weighs much."""
    locks = 200_000
    return (
        lambda: {"time s": figure(r"total time: +([\d.]+)", sysbench("mutex", f"--mutex-locks={locks}", f"--threads={threads}"))},
        lambda: {"time s": vmfit("mutex", "--locks", str(locks), "--threads", str(threads))["score"]["value"]},
    )


def memory(operation, threads):
    def peer():
        options = ["--memory-block-size=1M", "--memory-total-size=1000T", f"--memory-oper={operation}"]
        return {"MiB/s": figure(r"\(([\d.]+) MiB/sec\)", sysbench("memory", *options, *peer_times(threads)))}

    return peer, lambda: {"MiB/s": vmfit("memory", "--operation", operation, *times(threads))["score"]["value"]}


def fileio(depth):
    def peer():
        """The file is written whole before, as vmfit does; fio's own times are ns."""
        name = os.path.join(DIR, "bench-runner-fio.tmp")
        common = ["fio", "--name=x", f"--filename={name}", f"--size={SIZE}", "--direct=1", "--ioengine=io_uring"]
        if not os.path.exists(name):
            run(*common, "--rw=write", "--bs=1M", "--refill_buffers", "--end_fsync=1")
        job = ["--rw=randrw", "--rwmixread=67", "--bs=8k", f"--iodepth={depth}", "--norandommap", "--random_generator=tausworthe64"]
        timed = ["--time_based", f"--runtime={SECONDS}", "--ramp_time=1", "--fixedbufs", "--registerfiles", "--cpus_allowed=0"]
        # From issue to completion, as vmfit times an I/O; fio's default percentiles leave the submission out.
        timed.append("--lat_percentiles=1")
        job = json.loads(run(*common, *job, *timed, "--output-format=json", "--group_reporting"))["jobs"][0]
        read, write = job["read"], job["write"]
        ios = read["total_ios"] + write["total_ios"]
        cpu_us = (job["usr_cpu"] + job["sys_cpu"]) / 100 * job["job_runtime"] * 1000
        return {
            "IOPS": read["iops"] + write["iops"],
            "read p50 ms": read["lat_ns"]["percentile"]["50.000000"] / 1e6,
            "write p50 ms": write["lat_ns"]["percentile"]["50.000000"] / 1e6,
            "read p99 ms": read["lat_ns"]["percentile"]["99.000000"] / 1e6,
            "write p99 ms": write["lat_ns"]["percentile"]["99.000000"] / 1e6,
            "CPU us per I/O": cpu_us / ios,
        }

    def own():
        options = ["--path", DIR, "--size", f"{SIZE}B", "--outstanding", str(depth), "--time", SECONDS, "--ramp", "1"]
        result = vmfit("fileio", *options)
        return {
            "IOPS": result["events_per_s"],
            "read p50 ms": result["read_latency_ms"]["p50"],
            "write p50 ms": result["write_latency_ms"]["p50"],
            "read p99 ms": result["read_latency_ms"]["p99"],
            "write p99 ms": result["write_latency_ms"]["p99"],
            "CPU us per I/O": result["cpu_us_per_event"],
        }

    return peer, own


ROWS = {
    "cpu 1": cpu(1),
    "cpu 2": cpu(2),
    "threads 1": threads_mode(1),
    "threads 2": threads_mode(2),
    "mutex 1": mutex(1),
    "mutex 2": mutex(2),
    "memory read 1": memory("read", 1),
    "memory write 1": memory("write", 1),
    "memory write 2": memory("write", 2),
    "fileio depth 1": fileio(1),
    "fileio depth 8": fileio(8),
    "fileio depth 32": fileio(32),
}


def spread(values):
    return f"{min(values):.4g} to {max(values):.4g}"


def compare(name, rounds):
    peer, own = ROWS[name]
    figures = {"peer": [], "own": []}
    before = len(DOUBTS)
    for _ in range(rounds):
        figures["peer"].append(peer())
        figures["own"].append(own())
        figures["own"].append(own())
        figures["peer"].append(peer())
    doubts = sum(DOUBTS[before:])
    for metric in figures["own"][0]:
        peers = [one[metric] for one in figures["peer"]]
        owns = [one[metric] for one in figures["own"]]
        ratio = statistics.median(owns) / statistics.median(peers)
        print(
            f"| {name} | {metric} | {statistics.median(peers):.5g} | {spread(peers)} | {statistics.median(owns):.5g} "
            f"| {spread(owns)} | {ratio:.3f} | {doubts} of {len(owns)} |",
            flush=True,
        )


def main():
    options = sys.argv[1:]
    rounds = int(options.pop(0)) if options and options[0].isdigit() else 5
    wanted = lambda name: not options or any(name.startswith(option) for option in options)
    print("| | metric | peer | peer from to | vmfit | vmfit from to | ratio | doubted by vmfit |")
    print("|---|---|---:|---|---:|---|---:|---|")
    try:
        for name in filter(wanted, ROWS):
            compare(name, rounds)
        if wanted("empty"):
            empty = [vmfit("empty", *times(1))["score"]["value"] for _ in range(2 * rounds)]
            print(f"| empty | ns per event | 60 at most | | {statistics.median(empty):.3g} | {spread(empty)} | | |")
    finally:
        name = os.path.join(DIR, "bench-runner-fio.tmp")
        if os.path.exists(name):
            os.remove(name)


main()
