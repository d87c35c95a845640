"""Simulates small random queueing networks, as a check on the formulas that owes them nothing.

    pip install ciw==3.2.7
    python benches/queueing_sim.py > fixtures/queueing/simulated.json

Open networks are M/M/c queues. Closed networks have two classes that think, visit a CPU with
several servers, and then a disk with a probability of their class; service at a station is
exponential with the same mean for all, which first-come-first-served needs to have a product form.
Every mean comes with the half width of its 95 % interval over batches of one long run.
About a minute on one core.
"""

import json
import math
import random
import statistics

import ciw

SEED = 20_240_601
BATCHES = 20
STUDENT_95 = 2.093  # 19 degrees of freedom


def interval(values):
    half = STUDENT_95 * statistics.stdev(values) / math.sqrt(len(values))
    return {"mean": float(f"{statistics.fmean(values):.6g}"), "half_width": float(f"{half:.3g}")}


def batch_of(date, warmup, length):
    """The batch a date falls in, or None outside the measured time."""
    index = int((date - warmup) / length)
    return index if date >= warmup and index < BATCHES else None


def simulate(network, seed, end):
    ciw.seed(seed)
    simulation = ciw.Simulation(network)
    simulation.simulate_until_max_time(end)
    return simulation.get_all_records()


def open_queue(rng, seed):
    servers = rng.choice([1, 2, 3, 4, 8])
    service = round(rng.uniform(0.2, 2.0), 3)
    rate = round(servers / service * rng.uniform(0.4, 0.85), 4)
    network = ciw.create_network(
        arrival_distributions=[ciw.dists.Exponential(rate)],
        service_distributions=[ciw.dists.Exponential(1 / service)],
        number_of_servers=[servers],
    )
    measured, warmup = 40_000 / rate, 4_000 / rate
    response = [[] for _ in range(BATCHES)]
    for record in simulate(network, seed, warmup + measured):
        batch = batch_of(record.arrival_date, warmup, measured / BATCHES)
        if batch is not None:
            response[batch].append(record.exit_date - record.arrival_date)
    return {
        "seed": seed,
        "arrival_rate": rate,
        "service_time_s": service,
        "servers": servers,
        "response_s": interval([statistics.fmean(times) for times in response]),
    }


def closed_network(rng, seed):
    servers = rng.choice([2, 3, 4])
    cpu = round(rng.uniform(0.2, 0.6), 3)
    disk = round(rng.uniform(0.05, 0.2), 3)
    classes = [
        {
            "population": rng.randint(3, 9),
            "think_time_s": round(rng.uniform(0.3, 2.0), 3),
            "disk_visits": round(rng.uniform(0.2, 1.0), 2),
        }
        for _ in range(2)
    ]
    names = [f"class {index}" for index in range(len(classes))]
    network = ciw.create_network(
        # All customers of a class arrive in one batch and never leave.
        arrival_distributions={n: [ciw.dists.Sequential([1e-6, 1e9]), None, None] for n in names},
        batching_distributions={
            n: [ciw.dists.Deterministic(c["population"]), ciw.dists.Deterministic(1), ciw.dists.Deterministic(1)]
            for n, c in zip(names, classes)
        },
        service_distributions={
            n: [ciw.dists.Exponential(1 / c["think_time_s"]), ciw.dists.Exponential(1 / cpu), ciw.dists.Exponential(1 / disk)]
            for n, c in zip(names, classes)
        },
        routing={
            n: [[0.0, 1.0, 0.0], [1.0 - c["disk_visits"], 0.0, c["disk_visits"]], [1.0, 0.0, 0.0]]
            for n, c in zip(names, classes)
        },
        number_of_servers=[float("inf"), servers, 1],
    )
    warmup, measured = 200.0, 8_000.0
    length = measured / BATCHES
    counts = [[0] * BATCHES for _ in classes]
    for record in simulate(network, seed, warmup + measured):
        batch = batch_of(record.exit_date, warmup, length)
        # One pass through the CPU is one transaction.
        if record.node == 2 and batch is not None:
            counts[names.index(record.customer_class)][batch] += 1
    for index, own in enumerate(counts):
        classes[index]["throughput"] = interval([count / length for count in own])
    return {"seed": seed, "servers": servers, "cpu_s": cpu, "disk_s": disk, "classes": classes}


def main():
    rng = random.Random(SEED)
    fixture = {
        "source": f"benches/queueing_sim.py, ciw {ciw.__version__}, 95 % intervals over {BATCHES} batches",
        "open": [open_queue(rng, SEED + index) for index in range(6)],
        "closed": [closed_network(rng, SEED + 100 + index) for index in range(6)],
    }
    print(json.dumps(fixture, indent=1))


if __name__ == "__main__":
    main()
