//! What Linux tells of the machine: `/proc`, `/sys`, `/etc/os-release`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::bench::environment::{Cache, Environment, Hints};

/// Fills in what the system knows, and hands back what tells of a hypervisor.
pub fn describe(environment: &mut Environment) -> Hints {
    let uname = rustix::system::uname();
    environment.kernel = Some(uname.release().to_string_lossy().into_owned());
    environment.architecture = Some(uname.machine().to_string_lossy().into_owned());
    environment.os = text("/etc/os-release").and_then(|text| os_name(&text)).or_else(|| Some("Linux".to_owned()));
    processors(environment, &text("/proc/cpuinfo").unwrap_or_default());
    environment.memory_gib = text("/proc/meminfo").and_then(|text| memory_gib(&text));
    environment.caches = caches();
    environment.numa_nodes = count("/sys/devices/system/node", "node");
    environment.governor = text("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
    environment.clock_source = text("/sys/devices/system/clocksource/clocksource0/current_clocksource");
    environment.container = container();
    Hints {
        hypervisor_type: text("/sys/hypervisor/type"),
        control_domain: text("/proc/xen/capabilities").is_some_and(|text| text.contains("control_d")),
        vendor: text("/sys/class/dmi/id/sys_vendor"),
        product: text("/sys/class/dmi/id/product_name"),
    }
}

/// A file of one value; none where it is missing or empty.
pub(super) fn text(path: impl AsRef<Path>) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\0');
    (!text.is_empty()).then(|| text.to_owned())
}

fn os_name(release: &str) -> Option<String> {
    let name = release.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="))?;
    Some(name.trim_matches('"').to_owned())
}

fn memory_gib(meminfo: &str) -> Option<f64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kib: f64 = line.split_whitespace().next()?.parse().ok()?;
    Some((kib / 1024.0 / 1024.0 * 100.0).round() / 100.0)
}

/// Name and topology; a processor without topology in `/proc/cpuinfo` is a core of its own.
fn processors(environment: &mut Environment, cpuinfo: &str) {
    let field = |block: &str, name: &str| {
        let value = block.lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            (key.trim() == name).then(|| value.trim().to_owned())
        });
        value.filter(|value| !value.is_empty())
    };
    let blocks: Vec<&str> = cpuinfo.split("\n\n").filter(|block| field(block, "processor").is_some()).collect();
    if blocks.is_empty() {
        environment.threads = Some(crate::bench::os::usable_processors());
        return;
    }
    let (mut sockets, mut cores) = (BTreeSet::new(), BTreeSet::new());
    for (number, block) in blocks.iter().enumerate() {
        let socket = field(block, "physical id").unwrap_or_default();
        let core = field(block, "core id").unwrap_or_else(|| format!("processor {number}"));
        sockets.insert(socket.clone());
        cores.insert((socket, core));
    }
    environment.cpu_model = field(blocks[0], "model name").or_else(|| field(blocks[0], "Model"));
    environment.threads = u32::try_from(blocks.len()).ok();
    environment.cores = u32::try_from(cores.len()).ok();
    environment.sockets = u32::try_from(sockets.len()).ok();
}

fn caches() -> Vec<Cache> {
    let mut found: Vec<Cache> = Vec::new();
    for index in 0..16 {
        let folder = PathBuf::from(format!("/sys/devices/system/cpu/cpu0/cache/index{index}"));
        let read = |name: &str| text(folder.join(name));
        let cache = || {
            let size = read("size")?;
            Some(Cache {
                level: read("level")?.parse().ok()?,
                kind: read("type")?.to_lowercase(),
                size_kib: size.strip_suffix('K')?.parse().ok()?,
            })
        };
        match cache() {
            Some(cache) => found.push(cache),
            None => break,
        }
    }
    found
}

/// Entries of a folder that are the prefix and a number.
fn count(folder: &str, prefix: &str) -> Option<u32> {
    let names = fs::read_dir(folder).ok()?.flatten().filter_map(|entry| entry.file_name().into_string().ok());
    let numbered =
        names.filter(|name| name.strip_prefix(prefix).is_some_and(|rest| rest.parse::<u32>().is_ok())).count();
    u32::try_from(numbered).ok().filter(|&nodes| nodes > 0)
}

/// The marks that container engines leave.
fn container() -> Option<String> {
    let exists = |path: &str| Path::new(path).exists();
    if exists("/var/run/secrets/kubernetes.io") {
        return Some("kubernetes".to_owned());
    }
    if exists("/.dockerenv") {
        return Some("docker".to_owned());
    }
    if exists("/run/.containerenv") {
        return Some("podman".to_owned());
    }
    if let Some(manager) = text("/run/systemd/container") {
        return Some(manager);
    }
    let groups = text("/proc/1/cgroup").unwrap_or_default();
    ["docker", "kubepods", "lxc", "containerd", "libpod"]
        .into_iter()
        .find(|name| groups.contains(name))
        .map(|name| if name == "kubepods" { "kubernetes" } else { name }.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const CPUINFO: &str = "processor\t: 0\nmodel name\t: Xeon\nphysical id\t: 0\ncore id\t: 0\n\nprocessor\t: 1\nphysical id\t: 0\ncore id\t: 0\n\nprocessor\t: 2\nphysical id\t: 1\ncore id\t: 0\n\nprocessor\t: 3\nphysical id\t: 1\ncore id\t: 0\n\n";

    #[test]
    fn topology_is_counted() {
        let mut environment = Environment::default();
        processors(&mut environment, CPUINFO);
        assert_eq!((environment.sockets, environment.cores, environment.threads), (Some(2), Some(2), Some(4)));
        assert_eq!(environment.cpu_model.as_deref(), Some("Xeon"));
    }

    #[test]
    fn processors_without_topology_are_cores() {
        let mut environment = Environment::default();
        processors(&mut environment, "processor\t: 0\n\nprocessor\t: 1\n\nHardware\t: x\n");
        assert_eq!((environment.cores, environment.threads), (Some(2), Some(2)));
    }

    #[test]
    fn values_of_files() {
        assert_eq!(os_name("ID=debian\nPRETTY_NAME=\"Debian 12\"\n").as_deref(), Some("Debian 12"));
        assert_eq!(memory_gib("MemTotal:       33554432 kB\n"), Some(32.0));
    }
}
