# Words of the charts, the PDF and the spreadsheet.

## Charts

chart-utilization-title = Use of each resource
chart-utilization-row = { $label } of { $subject }: { $used } % used, the policy allows { $limit } %, fits { $fits }.
chart-more-rows = and { $count } more in the table
chart-fits = fits { $count }
chart-used = used
chart-reserved = host and hypervisor
chart-limit = limit of the policy

chart-chance-title = Chance that at least so many fit
chart-chance-description = { $likely } are likely; at least { $sure } with { $confidence } % confidence. Every outcome lies between { $worst } and { $best }.
chart-chance-bars = Chance of at least: { $list }.
chart-chance-axis = at least so many { $unit }
chart-confidence-line = { $confidence } % asked
chart-likely = likely
chart-sure = { $confidence } % sure
chart-likely-and-sure = likely and { $confidence } % sure

chart-tornado-title = What moves the answer
chart-tornado-row = { $input } from { $low } to { $high }: from { $low_fits } to { $high_fits } units before rounding.
chart-tornado-axis = units before rounding down
chart-range = { $low } to { $high }
chart-low-end = input at its low end
chart-high-end = at its high end
chart-still = { $count } fit
chart-one-more = { $count } fit

chart-series-description = From { $from } to { $to }: { $low } to { $high }; { $chosen } was chosen.
chart-series-chosen = chosen
chart-series-legend = line: mean of each step; area: least to most

chart-losses-title = What the guest loses
chart-losses-axis = loss, % of native (hollow: published, without an interval)
chart-losses-row = { $label }: { $likely }, between { $low } and { $high }.

chart-residuals-title = Distance of each load from the fitted line
chart-residuals-up = guest − fitted, processors
chart-residuals-along = native processors for the same work
chart-residuals-row = { $label }, { $native } processors: { $residual }.

chart-rate-title = Events a second
chart-rate-axis = second under load
chart-rate-description = { $count } seconds under load: { $low } to { $high } events a second, { $mean } on the mean.

chart-curves-utilization-title = Use against the number of units
chart-curves-latency-title = Latency and response time against the number of units
chart-axis-utilization = used, of what host and hypervisor leave
chart-axis-latency = predicted answer time
chart-units = units
chart-axis-units = number of { $unit }
chart-fit-line = { $count } fit
chart-limit-of = limit { $limit }
chart-no-limit = no limit
chart-curve-row = { $label }: within its limit of { $limit } up to { $units } units.
chart-curve-row-free = { $label }: no limit is set.

## Names of choices

choice-raid0 = RAID 0
choice-raid1 = RAID 1
choice-raid10 = RAID 10
choice-raid5 = RAID 5
choice-raid6 = RAID 6
choice-hdd_7k2 = 7.2k disk
choice-hdd_10k = 10k disk
choice-hdd_15k = 15k disk
choice-ssd = SSD
choice-nvme = NVMe
choice-pass_through = pass-through
choice-fixed_vhd = fixed VHD
choice-dynamic_vhd = dynamic VHD
choice-scsi = SCSI
choice-ide = IDE
choice-emulated_ide = emulated IDE
choice-os = system
choice-data = data
choice-log = log
choice-tempdb_data = tempdb data
choice-tempdb_log = tempdb log
choice-msdtc = MSDTC
choice-backup = backup
choice-any = any
choice-vm = VM traffic
choice-sql_oltp = SQL Server OLTP
choice-sql_reporting = SQL Server reporting
choice-biztalk = BizTalk Server
choice-biztalk_messagebox = BizTalk MessageBox
choice-generic = generic
severity-info = Note
severity-warning = Warning
severity-critical = Critical
attach-all = any
unit-fraction = fraction
vm-unnamed = VM { $n }
note-default = default
note-rule = rule of thumb
cell-yes = yes
cell-no = no
cell-measured = measured
cell-no-limit = no limit
cell-inline = given with the scenario

## Heads of columns

head-property = Property
head-value = Value
head-resource = Resource
head-of = Of
head-unit = Unit
head-supply = Supply
head-reserved = Reserved
head-usable = Usable
head-per-unit = Per unit
head-used = Used
head-used-percent = Used %
head-limit-percent = Limit %
head-fits = Fits
head-lacking = Lacking
head-change = Change
head-units = Units
head-vm = VM
head-volume = Volume
head-role = Role
head-lun = LUN
head-label = Label
head-pool = Pool
head-attach = Attached
head-controller = Controller
head-holds = Holds
head-read-ms = Read ms
head-write-ms = Write ms
head-limit-ms = Limit ms
head-latency-ms = Latency ms
head-per-s = Rate 1/s
head-total-per-s = In all 1/s
head-cpu-ms = CPU ms
head-disk-ms = Disk ms
head-other-ms = Other ms
head-response-ms = Response ms
head-measured-ms = Measured ms
head-input = Input
head-low = Low
head-likely = Likely
head-high = High
head-units-at-low = Units at low
head-units-at-high = Units at high
head-fits-at-low = Fits at low
head-fits-at-high = Fits at high
head-coefficient = Coefficient
head-source = Source
head-severity = Severity
head-subject = Subject
head-advice = Advice
head-limit = Limit
head-why = Why it was not checked
head-speed = Speed Gb/s
head-adapters = Adapters
head-carries = Carries
head-raid = RAID
head-disks = Disks
head-disk-type = Disk type
head-disk-gb = Disk GB
head-iops-per-disk = IOPS a disk
head-write-cache = Write cache
head-read-cache = Read cache hits %
head-failures = Failures to tolerate
head-slack = Slack %
head-flash-gb = Flash GB
head-flash-ms = Flash latency ms
head-working-set = Working set %
head-iops = IOPS
head-read-percent = Reads %
head-io-kib = I/O KiB
head-outstanding = Outstanding
head-size-gib = Size GiB
head-in-unit = In a unit
head-kind = Kind
head-vcpus = vCPUs
head-memory-gib = Memory GiB
head-busy = CPU busy %
head-of-cores = Of cores
head-rating = Core rating
head-spread = Spread %
head-read-iops = Read IOPS
head-write-iops = Write IOPS
head-network = Network MB/s
head-backup-gib = Backup GiB
head-window-h = Window h
head-compression = Compression
head-users = Users
head-think-s = Think s
head-figure = Figure

## Tables of the inputs

table-host = Host
table-adapters = Network adapters of each host
table-pools = Disk pools
table-hyperconverged = Storage made of the hosts' own disks
table-measured = Measurements of pools
table-luns = LUNs
table-vms = VMs of one unit
table-volumes = Volumes
table-loads = Network, backup and transactions of each VM
table-policy = Policy

row-model = Model
row-hosts = Hosts
row-sockets = Sockets
row-cores = Cores a socket
row-threads = Threads a core
row-clock = Clock, GHz
row-rating = Core rating
row-memory = Memory, GiB
row-numa = NUMA nodes
row-overhead = Overhead model
row-confidence = Confidence, %
row-cpu-target = CPU target, %
row-memory-target = Memory target, %
row-iops-target = IOPS target, %
row-capacity-target = Capacity target, %
row-network-target = Network target, %
row-vcpu-ratio = Most vCPUs a thread
row-spare = Spare hosts
row-growth = Growth a year, %
row-years = Years of growth
row-root-memory = Memory of the root partition, MiB
row-root-cpu = CPU of the root partition, %
head-case-kind = Kind of case
head-case-set = Set
head-cases = Cases
head-median-error = Median error %
head-mean-error = Mean error %
head-coverage = Inside 90 % interval %
choice-training = training
choice-held_out = held out

## The PDF

pdf-kicker = Capacity report
pdf-page = page
pdf-page-of = of
pdf-hardware = { $sockets } sockets × { $cores } cores, { $memory } GiB
pdf-fact-host = Host
pdf-fact-unit = Counted
pdf-fact-overhead = Overhead model
pdf-fact-version = Model version
pdf-fact-date = Date of the input
pdf-remark-advice = { $n ->
    [one] One point needs attention: see Advice.
   *[other] { $count } points need attention: see Advice.
}
pdf-remark-letters = □ stands for a letter that the fonts of this report do not have; the page and the data keep it.
pdf-remark-not-checked = Not checked, because nothing was given for it: { $list }.
pdf-more-rows = and { $count } more rows; the spreadsheet has them all
pdf-section-inputs = What was given
pdf-inputs-about = Values marked “default” or “rule of thumb” were not given; the report counts with them all the same.
pdf-section-results = Result for each resource
pdf-results-about = Usable is the policy's share of what is left of the supply after host and hypervisor have taken theirs. Used is at the number that is likely to fit, in percent of supply less reserved. The resource that stops one more stands first.
pdf-section-latency = Predicted latency and response time
pdf-latency-about = At the number that is likely to fit. A dash means no limit, no I/O, or a pool that cannot keep up.
pdf-transactions = Transactions
pdf-section-biztalk = BizTalk documents a second
pdf-section-one-more = What one more needs
pdf-section-range = How the answer moves
pdf-sensitivity = The answer at both ends of each uncertain input, the rest likely
pdf-sensitivity-still = { $n ->
    [one] One more uncertain input does not move the answer.
   *[other] { $count } more uncertain inputs do not move the answer.
}
pdf-section-advice = Advice
pdf-section-arithmetic = Arithmetic
pdf-arithmetic-about = How each number is made. A figure in brackets is its source in the list at the end.
pdf-figures = With { $list }.
pdf-section-assumptions = Assumptions
pdf-model = Overhead model: { $name }. Each coefficient is a range; the likely value gives the likely answer, the range gives the certainty.
pdf-derivations = How the coefficients were derived
pdf-section-not-checked = What was not checked
pdf-not-checked-about = These limits are no part of the answer. They may stop fewer.
pdf-section-accuracy = How accurate the model is
pdf-section-sources = Sources

## The workbook

sheet-answer = Answer
sheet-resources = Resources
sheet-volumes = Volumes
sheet-inputs = Inputs
sheet-coefficients = Coefficients
sheet-advice = Advice
sheet-headline = Answer
sheet-certainty = How sure
sheet-reason = What stops one more
sheet-one-more = What to change for one more
sheet-unit = Counted
sheet-likely = Likely
sheet-at-confidence = At least, with { $confidence } % confidence
sheet-most = At most, at the other end
sheet-worst = At the worse end of every range
sheet-best = At the better end of every range
sheet-chance-units = At least so many
sheet-chance = Chance, %
