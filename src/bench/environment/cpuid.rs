//! What the processor tells of a hypervisor (CPUID leaf 1 ECX bit 31 and the leaves from 0x4000_0000 on).

use super::{Hypervisor, Role};

/// A reader of CPUID: leaf and sub-leaf to EAX, EBX, ECX, EDX.
pub type Read<'a> = &'a dyn Fn(u32, u32) -> [u32; 4];

/// What CPUID says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// Leaf 1 ECX bit 31: a hypervisor is present.
    pub present: bool,
    /// Every signature that was found, in the order of the leaves.
    pub signatures: Vec<String>,
    pub hypervisor: Hypervisor,
    pub role: Role,
    /// The hypervisor tells a Linux guest how long others ran (KVM: leaf 0x4000_0001 EAX bit 5).
    pub steal: bool,
}

/// Hypervisors put their leaves here…
const FIRST_LEAF: u32 = 0x4000_0000;
/// …and further ones, when they also speak another's language, in these steps up to this leaf (Xen and Linux scan so).
const STEP: u32 = 0x100;
const LAST_LEAF: u32 = 0x4001_0000;

/// What is found first decides: Xen, KVM and VMware can present Hyper-V's leaves to please Windows, never the other way.
const BY_RANK: [(&str, Hypervisor); 6] = [
    ("XenVMMXenVMM", Hypervisor::Xen),
    ("KVMKVMKVM", Hypervisor::Kvm),
    ("Linux KVM Hv", Hypervisor::Kvm),
    ("VMwareVMware", Hypervisor::VMware),
    ("VBoxVBoxVBox", Hypervisor::Other),
    ("Microsoft Hv", Hypervisor::HyperV),
];

/// Hyper-V Top Level Functional Specification, leaf 0x4000_0003 EBX: CpuManagement is a privilege of the root partition…
const HYPERV_CPU_MANAGEMENT: u32 = 1 << 12;
/// …unless the partition is isolated.
const HYPERV_ISOLATION: u32 = 1 << 22;
/// Linux, Documentation/virt/kvm/x86/cpuid.rst: KVM_FEATURE_STEAL_TIME.
const KVM_STEAL_TIME: u32 = 1 << 5;

/// Asks the processor.
pub fn look(read: Read<'_>) -> Findings {
    let mut found = Findings { present: read(1, 0)[2] >> 31 == 1, ..Findings::default() };
    if !found.present {
        (found.hypervisor, found.role) = (Hypervisor::None, Role::BareMetal);
        return found;
    }
    let leaves: Vec<(u32, String)> = (FIRST_LEAF..=LAST_LEAF)
        .step_by(STEP as usize)
        .filter_map(|leaf| Some((leaf, signature(read(leaf, 0))?)))
        .collect();
    let ranked = BY_RANK.iter().find_map(|(text, hypervisor)| {
        leaves.iter().find(|(_, signature)| signature == text).map(|(leaf, _)| (*leaf, *hypervisor))
    });
    (found.hypervisor, found.role) = (Hypervisor::Other, Role::Guest);
    if let Some((leaf, hypervisor)) = ranked {
        found.hypervisor = hypervisor;
        match hypervisor {
            Hypervisor::Kvm => found.steal = read(leaf + 1, 0)[0] & KVM_STEAL_TIME != 0,
            Hypervisor::HyperV => {
                let privileges = read(leaf + 3, 0)[1];
                if privileges & HYPERV_CPU_MANAGEMENT != 0 && privileges & HYPERV_ISOLATION == 0 {
                    found.role = Role::RootPartition;
                }
            }
            _ => {}
        }
    }
    found.signatures = leaves.into_iter().map(|(_, signature)| signature).collect();
    found
}

/// Twelve letters in EBX, ECX and EDX; none when there is no text.
fn signature([_, ebx, ecx, edx]: [u32; 4]) -> Option<String> {
    let bytes: Vec<u8> = [ebx, ecx, edx].iter().flat_map(|word| word.to_le_bytes()).collect();
    let text = bytes.split(|&byte| byte == 0).next().unwrap_or_default();
    (!text.is_empty() && text.iter().all(|byte| byte.is_ascii_graphic() || *byte == b' '))
        .then(|| String::from_utf8_lossy(text).trim_end().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> [u32; 4] {
        let mut bytes = [0_u8; 12];
        bytes[..text.len()].copy_from_slice(text.as_bytes());
        let word = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        [0, word(0), word(4), word(8)]
    }

    /// A simulated processor: leaves with their registers; the rest is zero.
    fn looked(present: bool, leaves: &[(u32, [u32; 4])]) -> Findings {
        look(&|leaf, _| match leaf {
            1 => [0, 0, u32::from(present) << 31, 0],
            _ => leaves.iter().find(|(at, _)| *at == leaf).map_or([0; 4], |(_, words)| *words),
        })
    }

    #[test]
    fn without_the_bit_it_is_bare_metal() {
        let found = looked(false, &[(0x4000_0000, words("KVMKVMKVM"))]);
        assert_eq!((found.hypervisor, found.role), (Hypervisor::None, Role::BareMetal));
    }

    #[test]
    fn kvm_and_whether_it_reports_steal() {
        let found = looked(true, &[(0x4000_0000, words("KVMKVMKVM")), (0x4000_0001, [0x0100_7efb, 0, 0, 0])]);
        assert_eq!((found.hypervisor, found.role, found.steal), (Hypervisor::Kvm, Role::Guest, true));
        let found = looked(true, &[(0x4000_0000, words("KVMKVMKVM")), (0x4000_0001, [0x0100_7edb, 0, 0, 0])]);
        assert!(!found.steal);
    }

    #[test]
    fn who_presents_hyper_v_as_well_is_still_himself() {
        for (text, hypervisor) in
            [("XenVMMXenVMM", Hypervisor::Xen), ("KVMKVMKVM", Hypervisor::Kvm), ("VMwareVMware", Hypervisor::VMware)]
        {
            let found = looked(true, &[(0x4000_0000, words("Microsoft Hv")), (0x4000_0100, words(text))]);
            assert_eq!((found.hypervisor, found.role), (hypervisor, Role::Guest));
            assert_eq!(found.signatures, ["Microsoft Hv", text]);
        }
    }

    #[test]
    fn the_root_partition_may_manage_processors() {
        let with = |privileges| {
            looked(true, &[(0x4000_0000, words("Microsoft Hv")), (0x4000_0003, [0, privileges, 0, 0])]).role
        };
        assert_eq!(with(1 << 12), Role::RootPartition);
        assert_eq!(with(1 << 12 | 1 << 22), Role::Guest);
        assert_eq!(with(0), Role::Guest);
    }

    #[test]
    fn a_stranger_is_other() {
        let found = looked(true, &[(0x4000_0000, words("bhyve bhyve"))]);
        assert_eq!((found.hypervisor, found.role), (Hypervisor::Other, Role::Guest));
        assert_eq!(looked(true, &[]).hypervisor, Hypervisor::Other);
    }
}
