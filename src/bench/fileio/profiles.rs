//! What SQL Server does to a disk, as access specifications: "SQL Server I/O basics", chapter 1 and 2, and the I/O sizes in
//! "Fast Track Data Warehouse" and the BizTalk Server optimization guide.

/// An access specification with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Profile {
    pub name: &'static str,
    pub what: &'static str,
    pub block: u64,
    pub read_percent: u32,
    pub random_percent: u32,
    pub outstanding: u32,
    /// Each write returns when its data is on the medium, as SQL Server opens its files.
    pub write_through: bool,
}

const KIB: u64 = 1 << 10;

/// The profiles by their names.
pub const PROFILES: [Profile; 6] = [
    Profile {
        name: "sql-data",
        what: "pages of data files: 8 KiB, random, two thirds reads",
        block: 8 * KIB,
        read_percent: 67,
        random_percent: 100,
        outstanding: 8,
        write_through: true,
    },
    Profile {
        name: "sql-log",
        what: "log records: sequential writes up to 60 KiB, one after another",
        block: 60 * KIB,
        read_percent: 0,
        random_percent: 0,
        outstanding: 1,
        write_through: true,
    },
    Profile {
        name: "sql-checkpoint",
        what: "checkpoint: gathered writes up to 256 KiB, random",
        block: 256 * KIB,
        read_percent: 0,
        random_percent: 100,
        outstanding: 32,
        write_through: true,
    },
    Profile {
        name: "sql-readahead",
        what: "read-ahead of scans: 512 KiB, sequential",
        block: 512 * KIB,
        read_percent: 100,
        random_percent: 0,
        outstanding: 8,
        write_through: false,
    },
    Profile {
        name: "sql-backup",
        what: "backup: reads of 1 MiB, sequential",
        block: 1024 * KIB,
        read_percent: 100,
        random_percent: 0,
        outstanding: 4,
        write_through: false,
    },
    Profile {
        name: "iometer",
        what: "the specification of old disk reviews: 2 KiB, random, two thirds reads",
        block: 2 * KIB,
        read_percent: 67,
        random_percent: 100,
        outstanding: 1,
        write_through: false,
    },
];
