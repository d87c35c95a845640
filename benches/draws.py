"""The draws of benches/draws.json in NumPy, vectorized over the 4,096 points: CPU, memory, IOPS, disk latency (M/M/c) and
response time, the laws of docs/model.md. Prints the median time in microseconds and the distribution found."""
import json, sys, time
import numpy as np

DRAWS, ROUNDS = 4096, int(sys.argv[2]) if len(sys.argv) > 2 else 21
scenario = json.load(open(sys.argv[1]))
host, vm = scenario["host"], scenario["unit"][0]["vm"]
pool, volume, policy = scenario["storage"]["pools"][0], vm["volumes"][0], scenario["policy"]
model = {(c["name"], c.get("attach")): c for c in scenario["overhead"]["coefficients"]}
rng = np.random.default_rng(1)
uniform = rng.random((16, DRAWS))


def pert(low, likely, high, u, table={}):
    """Quantiles by a table of the distribution function, as the engine does."""
    if high <= low:
        return np.full_like(u, likely)
    mode = (likely - low) / (high - low)
    if mode not in table:
        x = np.linspace(0, 1, 257)
        f = lambda t: t ** (4 * mode) * (1 - t) ** (4 * (1 - mode))
        steps = f(x[:-1]) + 4 * f((x[:-1] + x[1:]) / 2) + f(x[1:])
        table[mode] = (np.concatenate([[0], np.cumsum(steps)]) / steps.sum(), x)
    cumulative, x = table[mode]
    return low + (high - low) * np.interp(u, cumulative, x)


def coefficient(name, row, attach=None):
    c = model[(name, attach)] if (name, attach) in model else model[(name, "pass_through")]
    return pert(c["low"], c["likely"], c["high"], uniform[row])


def mmc(rate, service, servers):
    """Mean response of M/M/c; infinite where unstable."""
    offered = rate * service
    blocked = np.ones_like(offered)
    for k in range(1, servers + 1):
        blocked = offered * blocked / (k + offered * blocked)
    use = offered / servers
    wait = blocked / (1 - use * (1 - blocked))
    return np.where(use < 1, service + wait / np.maximum(servers / service - rate, 1e-300), np.inf)


def draw():
    loss, fixed = coefficient("cpu_loss", 0), coefficient("cpu_fixed_cores_per_vcpu", 1)
    disk_loss, read_added, write_added = coefficient("disk_loss", 2), coefficient("read_latency_added_ms", 3), coefficient("write_latency_added_ms", 4)
    disk_iops = pert(162.0, 180.0, 198.0, uniform[5])
    native = vm["cpu"]["busy_percent"] / 100 * vm["cpu"]["of_cores"]
    cores = host["sockets"] * host["cores_per_socket"]
    per_vm = vm["vcpus"] * fixed + native / (1 - loss)
    units = np.floor(policy["cpu_target_percent"] / 100 * cores / per_vm)
    memory = vm["memory_gib"] * 1024 + 32 + 8 * (np.ceil(vm["memory_gib"]) - 1)
    usable = policy["memory_target_percent"] / 100 * (host["memory_gib"] * 1024 - 300 - policy["root_memory_mib"])
    units = np.minimum(units, np.floor(usable / memory))
    reads, writes = volume["read_iops"] / (1 - disk_loss), volume["write_iops"] / (1 - disk_loss)
    per_io = (reads + 2 * writes) / (reads + writes)
    supply = pool["disks"] * disk_iops / per_io
    units = np.minimum(units, np.floor(policy["iops_target_percent"] / 100 * supply / (reads + writes)))
    rate = vm["transactions"]["per_s"]
    alive, found = np.ones(DRAWS, bool), np.zeros(DRAWS)
    for n in range(1, int(units.max()) + 1):
        disk_ms = mmc(n * (reads + 2 * writes), 1 / disk_iops, pool["disks"]) * 1000
        read_ms, write_ms = disk_ms + read_added, 0.2544 + write_added
        slow = np.maximum(read_ms, write_ms) > volume["max_latency_ms"]
        # Every VM has its own vCPUs; more vCPUs than threads queue for the threads (M/M/c//K).
        vcpus, load = n * vm["vcpus"], n * per_vm
        stretch = np.ones(DRAWS)
        if vcpus > cores:
            busy = np.minimum(load / vcpus, 1)
            odds = busy / (1 - busy)
            weight, total, served, waiting = np.ones(DRAWS), np.zeros(DRAWS), np.zeros(DRAWS), np.zeros(DRAWS)
            for j in range(vcpus + 1):
                total, served, waiting = total + weight, served + weight * min(j, cores), waiting + weight * max(j - cores, 0)
                weight = weight * (vcpus - j) * odds / min(j + 1, cores)
            stretch = 1 + waiting / served
        cpu_ms = mmc(np.full(DRAWS, rate), per_vm / rate * stretch, vm["vcpus"]) * 1000
        response = cpu_ms + volume["read_iops"] * read_ms / rate
        alive &= (n <= units) & ~slow & (response <= vm["transactions"]["max_response_ms"]) & (load < cores)
        found += alive
        if not alive.any():
            break
    return found


times = []
for _ in range(ROUNDS):
    start = time.perf_counter()
    result = draw()
    times.append((time.perf_counter() - start) * 1e6)
low, high = int(result.min()), int(result.max())
print(f"{sorted(times)[len(times) // 2]:.1f} {DRAWS} " + " ".join(f"{n}:{(result >= n).mean():.4f}" for n in range(low, high + 2)))
