//! Finds out where the program runs: asks the processor, then the system, and puts the answers in order.

use std::sync::LazyLock;

use super::cpuid::{self, Findings};
use super::{Environment, Hypervisor, Role};
use crate::bench::os;

/// What the system knows of a hypervisor beside CPUID.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hints {
    /// `/sys/hypervisor/type`.
    pub hypervisor_type: Option<String>,
    /// This is the domain that controls the others (`/proc/xen/capabilities` has `control_d`).
    pub control_domain: bool,
    /// Maker and name of the machine from its firmware.
    pub vendor: Option<String>,
    pub product: Option<String>,
}

static PROCESSOR: LazyLock<Option<Findings>> = LazyLock::new(processor);

/// Where the program runs.
pub fn detect() -> Environment {
    let mut environment = Environment::default();
    let hints = os::describe(&mut environment);
    environment.usable_threads = Some(os::usable_processors());
    decide(&mut environment, PROCESSOR.as_ref(), &hints);
    environment
}

/// Whether the hypervisor tells how long it ran others instead; on bare metal there is nobody else, and zero is known.
pub fn reports_steal() -> bool {
    PROCESSOR
        .as_ref()
        .is_some_and(|found| found.steal || matches!(found.hypervisor, Hypervisor::None | Hypervisor::Xen))
}

/// Xen first: a paravirtualized guest of it sees the bare processor. Then CPUID, then the firmware's name.
fn decide(environment: &mut Environment, found: Option<&Findings>, hints: &Hints) {
    let product = [&hints.vendor, &hints.product].into_iter().flatten().cloned().collect::<Vec<_>>().join(" ");
    environment.product = (!product.is_empty()).then_some(product);
    environment.hypervisor_signature = found.map(|f| f.signatures.join(", ")).filter(|text| !text.is_empty());
    (environment.hypervisor, environment.role) = if hints.hypervisor_type.as_deref() == Some("xen") {
        (Hypervisor::Xen, if hints.control_domain { Role::RootPartition } else { Role::Guest })
    } else {
        match (found, firmware(hints)) {
            (Some(found), _) if found.present && found.hypervisor != Hypervisor::Other => {
                (found.hypervisor, found.role)
            }
            (_, Some(hypervisor)) => (hypervisor, Role::Guest),
            (Some(found), None) => (found.hypervisor, found.role),
            (None, None) => (Hypervisor::Unknown, Role::Unknown),
        }
    };
}

/// What the firmware of a virtual machine calls itself.
fn firmware(hints: &Hints) -> Option<Hypervisor> {
    let vendor = hints.vendor.as_deref().unwrap_or_default();
    let product = hints.product.as_deref().unwrap_or_default();
    match (vendor, product) {
        ("Microsoft Corporation", "Virtual Machine") => Some(Hypervisor::HyperV),
        ("VMware, Inc.", _) => Some(Hypervisor::VMware),
        ("Xen", _) => Some(Hypervisor::Xen),
        ("QEMU", _) | (_, "KVM" | "OpenStack Compute") | ("Amazon EC2" | "Google", _)
            if !product.ends_with(".metal") =>
        {
            Some(Hypervisor::Kvm)
        }
        (_, "VirtualBox") => Some(Hypervisor::Other),
        _ => None,
    }
}

#[cfg(target_arch = "x86_64")]
fn processor() -> Option<Findings> {
    let read = |leaf, sub_leaf| {
        let words = raw_cpuid::cpuid!(leaf, sub_leaf);
        [words.eax, words.ebx, words.ecx, words.edx]
    };
    Some(cpuid::look(&read))
}

#[cfg(not(target_arch = "x86_64"))]
fn processor() -> Option<Findings> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decided(found: Option<Findings>, hints: Hints) -> (Hypervisor, Role) {
        let mut environment = Environment::default();
        decide(&mut environment, found.as_ref(), &hints);
        (environment.hypervisor, environment.role)
    }

    fn bare() -> Findings {
        Findings { hypervisor: Hypervisor::None, role: Role::BareMetal, ..Findings::default() }
    }

    fn firmware_of(vendor: &str, product: &str) -> Hints {
        Hints { vendor: Some(vendor.to_owned()), product: Some(product.to_owned()), ..Hints::default() }
    }

    #[test]
    fn a_paravirtualized_xen_guest_sees_a_bare_processor() {
        let xen = Hints { hypervisor_type: Some("xen".to_owned()), ..Hints::default() };
        assert_eq!(decided(Some(bare()), xen.clone()), (Hypervisor::Xen, Role::Guest));
        let control = Hints { control_domain: true, ..xen };
        assert_eq!(decided(Some(bare()), control), (Hypervisor::Xen, Role::RootPartition));
    }

    #[test]
    fn the_firmware_decides_where_the_processor_is_silent() {
        assert_eq!(decided(None, firmware_of("VMware, Inc.", "VMware7,1")), (Hypervisor::VMware, Role::Guest));
        assert_eq!(decided(None, firmware_of("Dell Inc.", "R740")), (Hypervisor::Unknown, Role::Unknown));
        let metal = firmware_of("Amazon EC2", "c5.metal");
        assert_eq!(decided(Some(bare()), metal), (Hypervisor::None, Role::BareMetal));
    }

    #[test]
    fn the_root_partition_of_hyper_v_has_the_firmware_of_the_hardware() {
        let root = Findings { present: true, hypervisor: Hypervisor::HyperV, role: Role::RootPartition, ..bare() };
        assert_eq!(decided(Some(root), firmware_of("HP", "DL580")), (Hypervisor::HyperV, Role::RootPartition));
    }

    #[test]
    fn this_machine_has_an_environment() {
        let environment = detect();
        assert!(environment.usable_threads >= Some(1));
        assert!(environment.os.is_some());
    }
}
