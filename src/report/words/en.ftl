# Everything vmfit says, in English. Another language is another file with the same keys.
# Numbers arrive as texts with separators; a number that chooses between forms arrives as $n beside its text.

## Resources

resource-memory = Memory
resource-cpu = CPU
resource-vcpus = vCPUs
resource-iops = IOPS
resource-capacity = Capacity
resource-luns = LUNs
resource-network = Network
resource-latency = Disk latency
resource-response_time = Response time
resource-backup = Backup
resource-hypervisor_limit = Hypervisor limit

subject-host = host
subject-each-host = each host
subject-luns = LUNs
subject-lun-space = shared LUNs
subject-vms = VMs on a host
subject-vcpus = vCPUs on a host
subject-nics = network adapters

## The answer

unit-vm = { $n ->
    [one] { $name } VM
   *[other] { $name } VMs
}
unit-group = { $n ->
    [one] unit of { $members }
   *[other] units of { $members }
}
headline = { $n ->
    [0] No { $unit } fits{ $where }.
    [one] 1 { $unit } fits{ $where }.
   *[other] { $count } { $unit } fit{ $where }.
}
headline-most = At least { $count } { $unit } fit{ $where }.
where-host = {""}
where-hosts = {" "}on { $count } hosts
where-spare = {" "}on { $count } hosts when { $spare } of { $all } { $n ->
    [one] has
   *[other] have
} failed
certainty-sure = { $n ->
    [0] None fits at either end of every stated range.
   *[other] { $count } at the worse and at the better end of every stated range.
}
certainty-most = Units are counted up to { $count }: nothing that was checked stops them before, at either end of every stated range.
certainty-range = At least { $low } with { $confidence } % confidence; { $worst } at the worse end of every range, { $best } at the better end.

nth-1 = first
nth-2 = second
nth-3 = third
nth-4 = fourth
nth-5 = fifth
nth-6 = sixth
nth-7 = seventh
nth-8 = eighth
nth-9 = ninth
nth-10 = tenth
nth-11 = eleventh
nth-12 = twelfth

## What stops one more

reason-memory = Memory stops the { $nth }: it needs { $lacking } MiB more than the policy leaves.
reason-cpu = CPU stops the { $nth }: it needs { $lacking } cores more than the policy leaves.
reason-vcpus = The policy's vCPU ratio stops the { $nth }: { $lacking } vCPUs too many.
reason-iops = Disk I/O of pool { $subject } stops the { $nth }: it needs { $lacking } IOPS more than the policy leaves.
reason-capacity = Capacity of { $subject } stops the { $nth }: it needs { $lacking } GiB more than the policy leaves.
reason-luns = { $n ->
    [one] LUNs stop the { $nth }: one of its volumes finds no LUN.
   *[other] LUNs stop the { $nth }: { $lacking } of its volumes find no LUN.
}
reason-network = The network stops the { $nth }: it needs { $lacking } MB/s more than the policy leaves.
reason-latency = Disk latency stops the { $nth }: a volume on pool { $subject } would answer { $lacking } ms later than it may.
reason-latency-saturated = Disk latency stops the { $nth }: pool { $subject } could not keep up with it.
reason-response_time = Response time stops the { $nth }: transactions of { $subject } would take { $lacking } ms longer than they may.
reason-response-saturated = Response time stops the { $nth }: CPU or disks could not keep up with the transactions of { $subject }.
reason-backup = The backup window stops the { $nth }: backups would end { $lacking } h too late.
reason-hypervisor_limit = The hypervisor stops the { $nth }: it allows { $supply } { $unit } on a host.
reason-none = Nothing that was checked stops one more. Units are counted up to { $count }: one of this size says little about your servers.

remedy-memory = add { $amount } GiB of RAM
remedy-memory-each = add { $amount } GiB of RAM to each host
remedy-cores = { $n ->
    [one] add 1 core
   *[other] add { $amount } cores
}
remedy-cores-each = { $n ->
    [one] add 1 core to each host
   *[other] add { $amount } cores to each host
}
remedy-vcpu-ratio = allow { $amount } vCPUs a thread
remedy-hosts = add a host
remedy-nics = { $n ->
    [one] add 1 adapter of { $gbps } Gb/s
   *[other] add { $amount } adapters of { $gbps } Gb/s
}
remedy-disks = { $n ->
    [one] add 1 disk to pool { $subject }
   *[other] add { $amount } disks to pool { $subject }
}
remedy-iops = give pool { $subject } { $amount } IOPS more
remedy-luns = { $n ->
    [one] add 1 LUN of { $gib } GiB
   *[other] add { $amount } LUNs of { $gib } GiB in all
}
remedy-lun-space = add { $amount } GiB of LUNs for virtual disks
remedy-controller = move the volume to a SCSI controller
remedy-faster-disks = use faster disks in pool { $subject }: no number of these is fast enough
remedy-response = use faster cores or faster disks: the transactions of { $subject } are { $lacking } ms over their limit
remedies-end = { $list }, and { $n ->
    [one] 1 fits
   *[other] { $count } fit
}.
remedies-more = { $list }.
remedies-and = {" "}and{" "}

## Not checked

why-no_cpu_given = no CPU use given; only the fixed cost of running VMs counts
why-no_vcpu_ratio = the policy sets no ratio of vCPUs to threads
why-no_hypervisor_limit = the overhead model names no limits of the hypervisor
why-no_storage_given = no storage given
why-no_volumes_given = no volumes given
why-luns_given_whole = LUNs are given and passed through whole
why-luns_shared = the LUNs hold virtual disks, which share them
why-luns_carved = no LUNs given; they are carved from the pools, one a volume
why-no_iops_given = no IOPS given
why-no_latency_limit_given = no volume has a latency limit
why-no_network_given = no network traffic given
why-no_nics_for_vms = no network adapter carries VM traffic
why-no_backup_given = no backup given
why-no_nics_for_backup = no network adapter carries backups
why-no_transactions_given = no transactions given
why-no_response_limit_given = transactions have no response time limit

## Arithmetic

line-supply = The hardware has
line-usable = May be planned with
line-reserved = Host and hypervisor take
line-per-unit = One unit needs
line-disk-busy = Each disk is busy
line-read = A read takes
line-write = A write takes
line-response = A transaction takes
line-at = , with { $n ->
    [one] 1 unit
   *[other] { $count } units
}
line-at-of = , { $volume }, with { $n ->
    [one] 1 unit
   *[other] { $count } units
}
line-fits = So
line-fits-text = { $usable } ÷ { $per_unit } = { $ratio }, { $n ->
    [one] 1 fits
   *[other] { $count } fit
}
line-fits-found = { $usable } ÷ { $per_unit } = { $ratio } in all; laid out unit by unit, { $n ->
    [one] 1 fits
   *[other] { $count } fit
}
line-fits-most = { $usable } ÷ { $per_unit } = { $ratio }; no more than { $count } are counted
line-fits-hosts = { $usable } ÷ { $per_unit } = { $ratio }, { $each } on each of { $hosts } hosts, { $count } in all

factor-vms = VMs in the unit
factor-vcpus = vCPUs
factor-cpu_fixed = fixed CPU cost of a vCPU
factor-busy_share = busy share of the cores it was measured on
factor-of_cores = cores it was measured on
factor-source_rating = rating of those cores
factor-growth = growth in a year, to the power of the years
factor-memory_host = cost of the hypervisor
factor-root_memory = kept for the root partition
factor-root_cpu = share kept for the root partition
factor-host_cores = CPU of the host
factor-cpu_left = share of a CPU that a guest gets
factor-vm_memory = memory of the VM
factor-memory_first_gib = cost of the first GiB
factor-further_gib = further GiB
factor-memory_further_gib = cost of each further GiB
factor-memory_gib = memory of the host
factor-mib_per_gib = MiB in a GiB
factor-sockets = sockets
factor-cores_per_socket = cores a socket
factor-core_rating = core rating
factor-smt_gain = gain of further threads
factor-threads = threads
factor-vcpus_per_thread = vCPUs allowed a thread
factor-vm_limit = VMs allowed on a host
factor-nic_gbps = speed of the adapters
factor-mb_s_per_gbps = MB/s in a Gb/s
factor-network = network traffic
factor-backup_gib = size of the backup
factor-stored_share = share of it on this pool
factor-mb_per_gib = MB in a GiB
factor-backup_wire = wire rate of a backup
factor-compression = compression ratio
factor-backup_left = share of the native backup rate that a guest gets
factor-seconds_per_hour = seconds in an hour
factor-window = backup window
factor-disks = disks
factor-sequential = sequential read rate of a disk
factor-iops_per_disk = IOPS of a disk
factor-operations_per_io = disk operations an I/O (reads that miss the cache, and writes × RAID penalty)
factor-measured_iops = measured IOPS at this mix
factor-guest_iops = reads and writes of the volume
factor-host_iops = I/O of all units on the pool
factor-all_units = of all units
factor-units = units
factor-volumes = volumes
factor-luns = LUNs
factor-lun_size = size of a LUN
factor-flash_ms = latency of the flash
factor-cached_ms = answer time of the cache
factor-hit = share of reads that the cache answers
factor-miss = share of reads that go to disk
factor-rounds = rounds to disk for a write
factor-disk_service = service time of a disk, 1,000 ms over its IOPS
factor-disk_wait = waiting for a disk
factor-measured_ms = measured latency at this load
factor-latency_added = added by virtualization
factor-cpu_service = CPU time
factor-cpu_wait = waiting for vCPUs and threads
factor-disk_time = disk time that it waits for
factor-other_time = locks, network and client, from the measured response
factor-disk_left = share of the disk's I/O that a guest gets
factor-copies = copies of the data
factor-without_slack = share left after slack
factor-data_disks = disks for data
factor-disk_gb = size of a disk
factor-gib_per_gb = GiB in a GB
factor-volume_size = size of the volume

source-input = given
source-definition = definition
source-policy = policy
source-result = calculated

## Uncertain inputs

input-cpu_loss = CPU loss
input-cpu_fixed_cores_per_vcpu = fixed CPU cost of a vCPU
input-memory_host_mib = memory of the hypervisor
input-memory_first_gib_mib = memory cost of the first GiB
input-memory_further_gib_mib = memory cost of further GiB
input-disk_loss = disk loss
input-read_latency_added_ms = added read latency
input-write_latency_added_ms = added write latency
input-backup_loss = backup loss
input-network_latency_ms = network latency
input-smt_gain = gain of further threads
input-disk_iops = IOPS of a disk in pool { $subject }
input-backup_wire = wire rate of a backup
input-sequential = sequential read rate of a disk
input-cpu_demand = CPU demand of { $subject }

## Advice

advice-emulated_ide = { $subject } hangs on emulated IDE, which is far too slow for data and logs. No unit is sized on it: use a SCSI controller, or IDE with integration services.
advice-log_and_data_share_lun = Data and log files share LUN { $subject }. Sequential log writes then wait behind random reads: give the log a LUN of its own.
advice-vhds_share_spindles = { $vhds } busy virtual disks of { $subject } share the spindles of pool { $pool }. Their I/O adds up on the same disks, as it is counted here; separate LUNs alone do not separate it.
advice-no_msdtc_volume = { $subject } has no volume for MSDTC. BizTalk uses distributed transactions throughout: give the MSDTC log a small volume of its own.
advice-vcpus_above_threads = { $subject } would run { $vcpus } vCPUs on { $threads } logical processors. One vCPU for each logical processor is advised; above it VMs wait for each other.
advice-dynamic_vhd_data = { $subject } is a dynamic VHD. Use a fixed VHD or a pass-through disk for data and logs.
advice-parity_raid_under_log = Pool { $subject } is { $raid } and holds a log that is mostly written. Each small write costs { $penalty } disk operations; RAID 10 costs 2.
advice-measured_below_saturation = Pool { $subject } was measured with { $outstanding } I/O outstanding on { $disks } disks. The measured rate is a lower bound of what it gives: measure a curve to its end.
advice-flash_below_rule = Pool { $subject } has { $flash } GiB of flash; { $needed } GiB are advised, 10 % of what is stored before copies.
advice-slow_disk = { $subject } is predicted to answer in { $ms } ms. Up to 15 ms is healthy, above 25 ms critical.
advice-growth_exceeds_vcpus = { $subject } will need { $needed } cores with growth and has { $vcpus } vCPUs.
advice-wider_than_numa_node = { $subject } is wider than one NUMA node ({ $threads } threads, { $memory } GiB): part of its memory will be remote.
advice-think_time_bound = The run behind { $subject } is bound by think time: { $users } users who think { $think_s } s can ask { $per_s } times a second at most, and the response of { $response_ms } ms hardly matters. Its rate is no capacity.
advice-two_messageboxes = Two MessageBoxes gain little over one, because one of them routes for both. Use one, or three and more.
advice-no_spare_host = No host is spare: when one fails, its VMs have no place to go.
advice-lun_packing_not_proven = There are too many volumes and LUNs to try every placement. A better one than this may exist.
advice-share_by_fixed_vhd = Pass-through LUNs hold one volume each, so { $now } fit. Fixed VHDs that share the same LUNs would let { $then } fit; then { $resource } stops one more. Each virtual disk costs a little latency, and VMs on one LUN share its I/O.
advice-biztalk_scenario_loses_more = The BizTalk guide's whole-system tests lose more than its resource tests that this model is made of: SQL Server on a host of its own gave 15.4 % fewer batches for its CPU, the whole group 20 % fewer documents. With the model { $subject }, { $then } would fit; with this one { $now }.

## BizTalk

biztalk-work-messaging = messaging
biztalk-work-orchestration = orchestration
biztalk-limit-processing_cpu = CPU of the BizTalk servers
biztalk-limit-sql_cpu = CPU of SQL Server
biztalk-limit-messagebox = contention in the MessageBox
biztalk-rate = { $work }: { $docs } documents a second ({ $low } to { $high }) for one group, limited by { $limit }; { $total } for { $n ->
    [0] no group
    [one] 1 group
   *[other] { $groups } groups
}.
biztalk-extrapolated = That is beyond what was measured: three servers and four MessageBoxes.
biztalk-size = For { $asked } documents a second of { $work }: { $servers ->
    [one] 1 BizTalk server
   *[other] { $servers_text } BizTalk servers
} and { $boxes ->
    [one] 1 MessageBox
   *[other] { $boxes_text } MessageBoxes
}, good for { $docs }. { $n ->
    [0] No such group fits.
    [one] 1 such group fits.
   *[other] { $groups } such groups fit.
}
biztalk-size-sure = With 90 % confidence it takes { $servers_text } and { $boxes_text }; of those { $groups } fit.
biztalk-size-sure-none = No group of up to eight servers and MessageBoxes is sure to carry it.
biztalk-size-none = For { $asked } documents a second of { $work }: no group of up to eight servers and eight MessageBoxes carries it. The most is { $docs }, with { $servers_text } BizTalk { $servers ->
    [one] server
   *[other] servers
} and { $boxes_text } { $boxes ->
    [one] MessageBox
   *[other] MessageBoxes
}. Split what is more into several groups.
biztalk-about = Documents of 2 KB. A VM counts as { $processing } of a processing server and { $sql } of a SQL server of the lab, by vCPUs, core rating and CPU loss; a core of rating 1 is taken to be one of the lab's cores, which is an assumption. MessageBox contention is not scaled. { $sql_there ->
    [yes] {""}
   *[no] The unit has no MessageBox VM: SQL Server is taken to stand elsewhere, with the lab's CPU.
}

## Rules of thumb

rule-smt_gain = Gain of a core by its second thread
rule-disk_iops_7k2 = IOPS of a 7.2k disk
rule-disk_iops_10k = IOPS of a 10k disk
rule-disk_iops_15k = IOPS of a 15k disk
rule-backup_wire = Backup on the wire
rule-sequential = Sequential reading of a disk
rule-cached_write = Write answered by a cache

## Accuracy

accuracy-headline = Median error { $error } % on { $n ->
    [one] 1 published measurement
   *[other] { $count } published measurements
} that the model was not fitted on; { $coverage } % of them lie inside their 90 % interval.
accuracy-beside = { $kind }: { $n ->
    [one] error { $error } % on the one published measurement
   *[other] median error { $error } % on { $count } published measurements
} that the model was not fitted on.
accuracy-beside-training = { $kind }: { $n ->
    [one] error { $error } % on the one published measurement
   *[other] median error { $error } % on { $count } published measurements
}, which it was fitted on; none was held out.
accuracy-beside-all = All kinds: median error { $error } % on { $count }.
accuracy-beside-all-training = All kinds: median error { $error } % on { $count }, which the model was fitted on.
accuracy-beside-counted = What binds is added up from what was given; there is no model to be wrong.
accuracy-about = The model against published measurements, as `vmfit backtest` finds it. This page is written by `vmfit backtest --format markdown`. A training case is one on whose measurement a coefficient was fitted: its error says how well the law follows the data. A held-out case was not used: its error says how well the model predicts. Errors are relative to the measurement.
accuracy-coverage = How to read the share inside: if the intervals told the whole error, 90 % of the measurements would lie inside theirs. Fewer do, so an interval of the answer is too narrow where a law itself is off; the errors below say by how much. The interval is that of the coefficients' ranges; it knows nothing of a law that is wrong. A law without uncertain coefficients has an interval of no width, which holds only a measurement that it meets to the last printed digit.
accuracy-reasons = Why a tolerance is not narrower
accuracy-sources = Sources
accuracy-set-training = training
accuracy-set-held_out = held out
accuracy-kind-all = all
accuracy-kind-cpu_overhead = CPU overhead at a load
accuracy-kind-cpu_relative = rate relative to native
accuracy-kind-memory = memory
accuracy-kind-raid_iops = IOPS of a pool
accuracy-kind-disk_relative = disk relative to native
accuracy-kind-added_latency = added latency
accuracy-kind-closed_loop_tps = transactions of users
accuracy-kind-closed_loop_response = response time of users
accuracy-kind-backup_rate = backup rate
accuracy-kind-count_fits = VMs that fit
accuracy-kind-consolidation = consolidation
accuracy-kind-biztalk = BizTalk throughput
case-same-id = is the id of { $other } too.

## Problems of an input

problem = { $field }: { $what }
problem-with-value = { $field }: { $value } { $what }
problem-missing = is missing.
problem-range-missing = is missing; { $allowed }.
problem-out-of-range = is not possible; { $allowed }.
problem-not-whole = is not a whole number.
problem-not-a-number = is not a number.
problem-text-for-number = is a text; a number stands without quotation marks.
problem-not-a = is not { $what }.
problem-not-a-name = is not a name: 1 to 200 characters, none that is not seen, such as control characters and marks of direction.
problem-not-an-id = is not an id: 1 to 64 lower-case letters, digits, points and dashes.
problem-not-a-range = is not a range: give low, likely and high in order, or likely alone.
problem-length = must have { $allowed } entries.
problem-unknown-field = is not a field here; known are { $allowed }.
problem-not-one-of = is not one of { $allowed }.
problem-duplicate = is there twice.
problem-luns-exceed-pool = does not fit: the LUNs of the pool would hold { $luns } GiB, the pool gives { $pool } GiB.
problem-raid-disks = disks do not make { $raid }: { $least } or more{ $even ->
    [yes] , an even number
   *[no] {""}
}.
problem-needs-iops = is missing: flash disks have no rule of thumb. Give a figure for one disk, or a measurement of the pool.
problem-over-hypervisor-limit = is more than { $model } allows: { $limit } at most.
problem-cpu-beyond-vcpus = vCPUs cannot carry { $busy } busy cores; { $needed } or more.
problem-spare = is not possible: fewer than the { $count } hosts.
problem-needs = needs { $other } beside it.
problem-needs-kind = needs a VM of kind { $kind } in the unit.
problem-one-of-these = needs exactly one of { $fields }.
problem-little = does not agree with rate, response and think time: { $per_s } a second × ({ $response_ms } ms + { $think_s } s) = { $implied } users.
problem-little-negative = users who think { $think_s } s ask fewer than { $per_s } times a second even with no response time: { $per_s } × { $think_s } s = { $implied } users.
problem-little-disk = does not agree with rate and latency: { $iops } IOPS × { $latency_ms } ms = { $implied } outstanding.
problem-too-much = is more than one answer is made for: { $limit } at most.
problem-other = { $told }.
problem-and-more = There may be more problems; these are the first { $count }.
allowed-between = { $min } to { $max }{ $unit }
allowed-least = { $min }{ $unit } or more
allowed-most = { $max }{ $unit } or less

## Fields, by their place in a scenario

field = { $name }
field-root = The whole input
field-name = Name
field-mode = Mode
field-threads = Threads
field-time_s = Measured time
field-warmup_s = Warm-up
field-repeat = Windows
field-size_gib = Test file
field-block_kib = Size of an I/O or a block
field-read_percent = Reads
field-random_percent = Random places
field-outstanding = I/Os in flight
field-host = Host
field-host-model = Model of the host
field-host-count = Number of hosts
field-host-sockets = Sockets of the host
field-host-cores_per_socket = Cores a socket
field-host-threads_per_core = Threads a core
field-host-clock_ghz = Clock of the host
field-host-core_rating = Core rating of the host
field-host-memory_gib = Memory of the host
field-host-numa_nodes = NUMA nodes of the host
field-host-nics = Network adapters
field-host-nics-speed_gbps = Speed of adapter { $a }
field-host-nics-count = Number of adapter { $a }
field-host-nics-carries = Traffic of adapter { $a }
field-storage = Storage
field-storage-pools = Pools
field-storage-pools-name = Name of pool { $a }
field-storage-pools-raid = RAID level of pool { $a }
field-storage-pools-disks = Disks of pool { $a }
field-storage-pools-disk_type = Disk type of pool { $a }
field-storage-pools-disk_gb = Disk size of pool { $a }
field-storage-pools-iops_per_disk = IOPS a disk of pool { $a }
field-storage-pools-write_cache = Write cache of pool { $a }
field-storage-pools-read_cache_hit_percent = Read cache hits of pool { $a }
field-storage-pools-measured = Measurement of pool { $a }
field-storage-pools-measured-iops = Measured IOPS of pool { $a }
field-storage-pools-measured-latency_ms = Measured latency of pool { $a }
field-storage-pools-measured-outstanding = Measured outstanding I/Os of pool { $a }
field-storage-pools-measured-read_percent = Measured read share of pool { $a }
field-storage-pools-hyperconverged-flash_gb = Flash of pool { $a }
field-storage-pools-hyperconverged-failures_to_tolerate = Failures to tolerate of pool { $a }
field-storage-luns = LUNs
field-storage-luns-name = Name of LUN { $a }
field-storage-luns-label = Label of LUN { $a }
field-storage-luns-pool = Pool of LUN { $a }
field-storage-luns-size_gib = Size of LUN { $a }
field-storage-luns-attach = Attachment of LUN { $a }
field-storage-luns-controller = Controller of LUN { $a }
field-storage-luns-holds = Roles of LUN { $a }
field-unit = VMs of the unit
field-unit-count = Number of VM { $a } in the unit
field-unit-vm = VM { $a }
field-unit-vm-name = Name of VM { $a }
field-unit-vm-kind = Kind of VM { $a }
field-unit-vm-vcpus = vCPUs of VM { $a }
field-unit-vm-memory_gib = Memory of VM { $a }
field-unit-vm-cpu-busy_percent = CPU use of VM { $a }
field-unit-vm-cpu-of_cores = Cores that the CPU use of VM { $a } is of
field-unit-vm-cpu-core_rating = Core rating of the source of VM { $a }
field-unit-vm-cpu-spread_percent = Spread of the CPU use of VM { $a }
field-unit-vm-network_mb_s = Network traffic of VM { $a }
field-unit-vm-volumes = Volumes of VM { $a }
field-unit-vm-volumes-name = Name of volume { $b } of VM { $a }
field-unit-vm-volumes-role = Role of volume { $b } of VM { $a }
field-unit-vm-volumes-size_gib = Size of volume { $b } of VM { $a }
field-unit-vm-volumes-read_iops = Reads of volume { $b } of VM { $a }
field-unit-vm-volumes-write_iops = Writes of volume { $b } of VM { $a }
field-unit-vm-volumes-io_kib = I/O size of volume { $b } of VM { $a }
field-unit-vm-volumes-max_latency_ms = Latency limit of volume { $b } of VM { $a }
field-unit-vm-volumes-attach = Attachment of volume { $b } of VM { $a }
field-unit-vm-volumes-controller = Controller of volume { $b } of VM { $a }
field-unit-vm-backup-size_gib = Backup size of VM { $a }
field-unit-vm-backup-window_h = Backup window of VM { $a }
field-unit-vm-backup-compression_ratio = Backup compression of VM { $a }
field-unit-vm-transactions-per_s = Transaction rate of VM { $a }
field-unit-vm-transactions-users = Users of VM { $a }
field-unit-vm-transactions-think_s = Think time of VM { $a }
field-unit-vm-transactions-max_response_ms = Response limit of VM { $a }
field-unit-vm-transactions-measured_response_ms = Measured response of VM { $a }
field-biztalk = BizTalk rate
field-biztalk-scenario = What the BizTalk group does
field-biztalk-docs_per_s = Documents a second
field-overhead = Overhead model
field-policy-cpu_target_percent = CPU target
field-policy-memory_target_percent = Memory target
field-policy-iops_target_percent = IOPS target
field-policy-capacity_target_percent = Capacity target
field-policy-network_target_percent = Network target
field-policy-max_vcpus_per_thread = vCPUs a thread
field-policy-spare_hosts = Spare hosts
field-policy-confidence_percent = Confidence
field-policy-growth_percent_per_year = Growth
field-policy-years = Years
field-policy-root_memory_mib = Memory of the root partition
field-policy-root_cpu_percent = CPU of the root partition
