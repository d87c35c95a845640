#!/usr/bin/env python3
"""Derives the coefficients of the overhead models from the published tables and prints them beside the models' files.

    python3 benches/derive_models.py

Exits 1 when a value of fixtures/overhead-models differs from what the tables of fixtures/measurements give.
Plain Python, no packages.
"""

import csv
import itertools
import json
import math
import pathlib
import sys

FIXTURES = pathlib.Path(__file__).resolve().parent.parent / "fixtures"
# Largest difference between a derived value and the one in a model's file.
TOLERANCE = 1e-9
# Student t, one degree of freedom, two-sided 90 %.
T_90_1 = 6.313751514675043
# Both quad-core guests and their native machine: 4 logical processors, 4 vCPUs.
LOGICAL_PROCESSORS = 4
VCPUS = 4


def table(name):
    with open(FIXTURES / "measurements" / name, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def document(name):
    return json.loads((FIXTURES / "measurements" / name).read_text(encoding="utf-8"))


def line(points):
    """Least squares `y = a + b x`: a, b, and the standard errors of both (0 for two points)."""
    n = len(points)
    mean_x = sum(x for x, _ in points) / n
    mean_y = sum(y for _, y in points) / n
    sxx = sum((x - mean_x) ** 2 for x, _ in points)
    b = sum((x - mean_x) * (y - mean_y) for x, y in points) / sxx
    a = mean_y - b * mean_x
    if n == 2:
        return a, b, 0.0, 0.0
    s = math.sqrt(sum((y - a - b * x) ** 2 for x, y in points) / (n - 2))
    return a, b, s * math.sqrt(1 / n + mean_x**2 / sxx), s / math.sqrt(sxx)


def fixed_and_loss(points):
    """Fixed cores a vCPU and proportional loss of a line of guest CPU % against native CPU %."""
    a, b, _, _ = line(points)
    return max(a / 100 * LOGICAL_PROCESSORS / VCPUS, 0.0), max(1 - 1 / b, 0.0)


def sql08(configuration):
    """CPU cost of one configuration of table 4: likely values, bounds, and the interval of the least squares.

    Native % = guest batch rate / native batches per CPU % of that load; guest % = guest batch rate / guest batches per
    CPU %. Bounds: the extremes over every fit in which each printed figure is moved by half its last digit, up or down,
    and over the three fits that leave one load out.
    """
    rows = table("sql08_table4_oltp.csv")
    native = {row["load"]: float(row["batches_per_cpu_percent"]) for row in rows if row["configuration"] == "native"}
    guest = [
        (float(row["batch_requests_per_s"]), native[row["load"]], float(row["batches_per_cpu_percent"]))
        for row in rows
        if row["configuration"] == configuration
    ]
    points = [(rate / per_native, rate / per_guest) for rate, per_native, per_guest in guest]
    fits = [fixed_and_loss(points[:i] + points[i + 1 :]) for i in range(len(points))]
    half_digits = (0.5, 0.05, 0.05)
    for signs in itertools.product((-1, 1), repeat=3 * len(guest)):
        moved = [
            [value + sign * half for value, sign, half in zip(row, signs[3 * i : 3 * i + 3], half_digits)]
            for i, row in enumerate(guest)
        ]
        fits.append(fixed_and_loss([(rate / per_native, rate / per_guest) for rate, per_native, per_guest in moved]))
    likely = fixed_and_loss(points)
    a, b, error_a, error_b = line(points)
    half_a, half_b = T_90_1 * error_a, T_90_1 * error_b
    return {
        "fixed": (min(f for f, _ in fits), likely[0], max(f for f, _ in fits)),
        "loss": (min(l for _, l in fits), likely[1], max(l for _, l in fits)),
        "line": (a, b),
        "interval_fixed": ((a - half_a) / 100, (a + half_a) / 100),
        "interval_loss": (1 - 1 / (b - half_b), 1 - 1 / (b + half_b)),
        "overheads": [(x, 100 * (1 - x / (a + b * x))) for x, _ in points],
    }


def sysbench_loss(mode):
    """Share of the native speed lost, of a run timed in seconds."""
    (row,) = [row for row in table("xen_sysbench.csv") if row["mode"] == mode]
    return 1 - float(row["native_s"]) / float(row["vmx_s"])


def specjbb_loss(environment):
    """Mean loss of the SPECjbb runs of one environment."""
    losses = [
        1 - float(row["vmx"]) / float(row["native"])
        for row in table("xen_specjbb.csv")
        if row["environment"].startswith(environment)
    ]
    return sum(losses) / len(losses)


def derived():
    """(model, coefficient, attach) -> (low, likely, high)."""
    values = {}
    sql = {attach: sql08(name) for attach, name in (("pass_through", "vm_pass_through"), ("fixed_vhd", "vm_fixed_vhd"))}
    for attach, fit in sql.items():
        values["hyperv-2008-sql", "cpu_fixed_cores_per_vcpu", attach] = fit["fixed"]
        values["hyperv-2008-sql", "cpu_loss", attach] = fit["loss"]

    setup = document("bts_setup.json")["overheads"]
    low, high = (percent / 100 for percent in setup["disk_percent"])
    disk = (low, (low + high) / 2, high)
    iometer = {row["metric"]: (float(row["physical"]), float(row["pass_through"])) for row in table("bts_iometer_passthrough.csv")}
    native_read, guest_read = iometer["read_response"]
    native_write, guest_write = iometer["write_response"]
    # One outstanding I/O: a loss of throughput is a gain of latency.
    read_high = native_read / (1 - high) - native_read
    read = (0.0, guest_read - native_read, read_high)
    write = (0.0, guest_write - native_write, (guest_write - native_write) * read_high / (guest_read - native_read))
    # Pass-through gives about 5 % more I/O than a fixed VHD, and about 1 ms less latency; at low load there is no difference.
    fixed_disk = (low, 1 - (1 - disk[1]) / 1.025, 1 - (1 - high) / 1.05)
    # A dynamic VHD gives 10 to 15 % less than a fixed one.
    dynamic_disk = tuple(1 - (1 - loss) * share for loss, share in zip(fixed_disk, (0.90, 0.875, 0.85)))
    for model in ("hyperv-2008-biztalk", "hyperv-2008-sql", "hyperv-2008-biztalk-scenario"):
        values[model, "disk_loss", "pass_through"] = disk
        values[model, "disk_loss", "fixed_vhd"] = fixed_disk
        values[model, "disk_loss", "dynamic_vhd"] = dynamic_disk
        for name, added in (("read_latency_added_ms", read), ("write_latency_added_ms", write)):
            values[model, name, "pass_through"] = added
            values[model, name, "fixed_vhd"] = (added[1], added[1] + 0.5, added[1] + 1.0)
        for name, key in (
            ("memory_host_mib", "memory_hypervisor_mb"),
            ("memory_first_gib_mib", "memory_first_gb_mb"),
            ("memory_further_gib_mib", "memory_each_further_gb_mb"),
        ):
            values[model, name, None] = (setup[key],) * 3
        low_backup, high_backup = document("sql08_operations.json")["backup_restore"]["guest_loss_percent"]
        values[model, "backup_loss", None] = (low_backup / 100, (low_backup + high_backup) / 200, high_backup / 100)
        most = setup["network_latency_ms_below"]
        values[model, "network_latency_ms", None] = (0.0, most / 2, most)
    low_cpu, high_cpu = (percent / 100 for percent in setup["cpu_percent"])
    values["hyperv-2008-biztalk", "cpu_loss", None] = (low_cpu, (low_cpu + high_cpu) / 2, high_cpu)

    kpi = {
        (row["scenario"], row["kpi"]): (float(row["absolute_read_from_chart"]), float(row["percent_of_baseline_published"]))
        for row in table("biztalk_hyperv_kpi.csv")
    }
    physical, virtual = "physical_bts_physical_sql", "virtual_bts_virtual_sql_separate_hosts"

    def ratio(per_cpu_of):
        return (kpi[virtual, per_cpu_of][0] / kpi[virtual, "sql_cpu_processor_time"][0]) / (
            kpi[physical, per_cpu_of][0] / kpi[physical, "sql_cpu_processor_time"][0]
        )

    values["hyperv-2008-biztalk-scenario", "cpu_loss", None] = (
        1 - ratio("sql_batch_requests_per_s"),
        1 - ratio("biztalk_docs_processed_per_s"),
        1 - kpi[virtual, "biztalk_docs_processed_per_s"][1] / 100,
    )

    values["xen-3.0-vmx", "cpu_loss", None] = (sysbench_loss("cpu"), specjbb_loss("2:"), specjbb_loss("1:"))
    values["xen-3.0-vmx", "disk_loss", None] = (sysbench_loss("oltp"), sysbench_loss("fileio"), sysbench_loss("fileio") * 1.1)

    relative = table("vsphere4_sql_relative.csv")
    losses = {int(row["vcpus"]): 1 - float(row["ratio_percent_published"]) / 100 for row in relative if row["ratio_percent_published"]}
    values["vmware-vsan-hybrid", "cpu_loss", None] = (losses[1], losses[4], 1 - (1 - losses[8]) * 0.9)
    pair = {row["measure"]: (float(row["native"]), float(row["virtual"])) for row in relative if row["native"]}
    more_io = (pair["disk_io"][1] / pair["throughput"][1]) / (pair["disk_io"][0] / pair["throughput"][0])
    values["vmware-vsan-hybrid", "disk_loss", None] = (0.0, 1 - 1 / more_io, 0.05)
    memory = {(int(row["memory_mib"]), int(row["vcpus"])): float(row["overhead_mib"]) for row in table("esxi_memory_overhead.csv")}
    per_vcpu = (memory[1024, 8] - memory[1024, 4]) / 4
    values["vmware-vsan-hybrid", "memory_first_gib_mib", None] = (memory[1024, 1], memory[1024, 4], memory[1024, 8] + 8 * per_vcpu)
    values["vmware-vsan-hybrid", "memory_further_gib_mib", None] = tuple(
        sorted((memory[16384, vcpus] - memory[1024, vcpus]) / 15 for vcpus in (1, 4, 8))
    )
    formula, cluster = document("vsan_memory_formula.json"), document("vsan_tpcc.json")["cluster"]
    groups = cluster["ssd"]["count"] / cluster["hosts"]
    early, late = formula["vsan_6_0_mb"], formula["vsan_6_2_hybrid_mb"]
    low_memory = early["base"] + groups * early["disk_group"]
    high_memory = (
        late["base"]
        + groups * (late["disk_group"] + late["ssd_per_gb"] * cluster["ssd"]["size_gb"])
        + cluster["hdd"]["count"] / cluster["hosts"] * late["capacity_disk"]
    )
    values["vmware-vsan-hybrid", "memory_host_mib", None] = (low_memory, (low_memory + high_memory) / 2, high_memory)
    return values, sql


def main():
    values, sql = derived()
    for attach, fit in sql.items():
        a, b = fit["line"]
        print(f"hyperv-2008-sql, {attach}: CPU % = {a:.4f} + {b:.5f} native %")
        print("  90 % interval of the least squares (1 degree of freedom): fixed {:.5f} to {:.5f}, loss {:.5f} to {:.5f}".format(*fit["interval_fixed"], *fit["interval_loss"]))
        print("  overheads: " + ", ".join(f"{overhead:.2f} % at native CPU {x:.2f} %" for x, overhead in fit["overheads"]))
    models = {}
    for path in sorted((FIXTURES / "overhead-models").glob("*.json")):
        model = json.loads(path.read_text(encoding="utf-8"))
        for c in model["coefficients"]:
            models[model["id"], c["name"], c.get("attach")] = (c["low"], c["likely"], c["high"])
    wrong = 0
    print(f"\n{'model':30} {'coefficient':26} {'attach':13} {'derived (low, likely, high)':44} in the file")
    for key, expected in values.items():
        found = models.get(key)
        same = found is not None and all(abs(e - f) <= TOLERANCE for e, f in zip(expected, found))
        wrong += not same
        text = [", ".join(f"{v:.8g}" for v in three) if three else "missing" for three in (expected, found)]
        print(f"{key[0]:30} {key[1]:26} {key[2] or 'every':13} {text[0]:44} {text[1]}{'' if same else '   DIFFERS'}")
    for key in models.keys() - values.keys():
        print(f"{key[0]:30} {key[1]:26} {key[2] or 'every':13} {'not derived from a table':44} {', '.join(f'{v:.8g}' for v in models[key])}")
    print(f"\n{len(values)} derived, {wrong} differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
