//! Names of counters, by the language of the Windows that wrote them.
//!
//! English, German, Spanish, French, Russian and Chinese, in the spellings that were found in published logs and in
//! Microsoft's translated documents; several for one counter where versions differ. Objects of SQL Server keep their
//! English names in most languages.

use super::counter::Quantity::{self, *};

/// Objects: what they are, and their names in lower case.
const OBJECTS: [(Object, &[&str]); 8] = [
    (
        Object::Processor,
        &[
            "processor",
            "processor information",
            "prozessor",
            "prozessorinformationen",
            "procesador",
            "información del procesador",
            "processeur",
            "informations sur le processeur",
            "процессор",
            "сведения о процессоре",
            "处理器",
            "处理器信息",
        ],
    ),
    (Object::Memory, &["memory", "arbeitsspeicher", "speicher", "memoria", "mémoire", "память", "内存"]),
    (
        Object::PhysicalDisk,
        &[
            "physicaldisk",
            "physikalischer datenträger",
            "disco físico",
            "disque physique",
            "физический диск",
            "物理磁盘",
        ],
    ),
    (
        Object::LogicalDisk,
        &["logicaldisk", "logischer datenträger", "disco lógico", "disque logique", "логический диск", "逻辑磁盘"],
    ),
    (
        Object::Network,
        &[
            "network interface",
            "network adapter",
            "netzwerkschnittstelle",
            "netzwerkadapter",
            "interfaz de red",
            "adaptador de red",
            "interface réseau",
            "carte réseau",
            "сетевой интерфейс",
            "сетевой адаптер",
            "网络接口",
            "网络适配器",
        ],
    ),
    (
        Object::SqlStatistics,
        &["sql statistics", "sql-statistik", "estadísticas de sql", "statistiques sql", "статистика sql", "sql 统计"],
    ),
    (
        Object::SqlMemory,
        &[
            "memory manager",
            "speicher-manager",
            "administrador de memoria",
            "gestionnaire de mémoire",
            "диспетчер памяти",
        ],
    ),
    (Object::Hypervisor, &["hyper-v hypervisor logical processor"]),
];

/// Counters of an object.
const COUNTERS: [(Object, Quantity, &[&str]); 20] = [
    (
        Object::Processor,
        CpuPercent,
        &[
            "% processor time",
            "prozessorzeit (%)",
            "% prozessorzeit",
            "% de tiempo de procesador",
            "% temps processeur",
            "% du temps processeur",
            "% загруженности процессора",
            "% 处理器时间",
            "%处理器时间",
        ],
    ),
    (
        Object::Memory,
        AvailableMib,
        &[
            "available mbytes",
            "verfügbare mb",
            "mb verfügbar",
            "mb disponibles",
            "mbytes disponibles",
            "mégaoctets disponibles",
            "mo disponibles",
            "доступно мб",
            "可用 mb",
            "可用 mbytes",
            "可用兆字节数",
        ],
    ),
    (
        Object::Memory,
        CommittedBytes,
        &[
            "committed bytes",
            "zugesicherte bytes",
            "bytes confirmados",
            "octets validés",
            "байт выделенной виртуальной памяти",
            "байт выделенной памяти",
            "提交的字节数",
            "已提交字节数",
            "认可字节",
        ],
    ),
    (Object::PhysicalDisk, Reads, READS),
    (Object::LogicalDisk, Reads, READS),
    (Object::PhysicalDisk, Writes, WRITES),
    (Object::LogicalDisk, Writes, WRITES),
    (Object::PhysicalDisk, ReadBytes, READ_BYTES),
    (Object::LogicalDisk, ReadBytes, READ_BYTES),
    (Object::PhysicalDisk, WriteBytes, WRITE_BYTES),
    (Object::LogicalDisk, WriteBytes, WRITE_BYTES),
    (Object::PhysicalDisk, ReadSeconds, READ_SECONDS),
    (Object::LogicalDisk, ReadSeconds, READ_SECONDS),
    (Object::PhysicalDisk, WriteSeconds, WRITE_SECONDS),
    (Object::LogicalDisk, WriteSeconds, WRITE_SECONDS),
    (Object::PhysicalDisk, Queue, QUEUE),
    (Object::LogicalDisk, Queue, QUEUE),
    (
        Object::Network,
        NetworkBytes,
        &[
            "bytes total/sec",
            "gesamtanzahl bytes/s",
            "bytes gesamt/s",
            "gesamtzahl bytes/s",
            "total de bytes/s",
            "total bytes/s",
            "total des octets/s",
            "nombre total d'octets/s",
            "total octets/s",
            "всего байт/с",
            "每秒总字节数",
            "总字节数/秒",
            "bytes total/秒",
        ],
    ),
    (
        Object::SqlStatistics,
        BatchRequests,
        &[
            "batch requests/sec",
            "batchanforderungen/sekunde",
            "batchanforderungen/s",
            "solicitudes de lotes/s",
            "nombre de requêtes de lots/s",
            "demandes de lots/s",
            "запросов пакетов/с",
            "批请求数/秒",
            "批处理请求数/秒",
        ],
    ),
    (Object::Hypervisor, HostCpuPercent, &["% total run time"]),
];

const READS: &[&str] = &[
    "disk reads/sec",
    "lesevorgänge/s",
    "lecturas de disco/s",
    "lectures disque/s",
    "обращений чтения с диска/с",
    "чтений с диска/с",
    "磁盘读取次数/秒",
    "每秒磁盘读取次数",
    "disk reads/秒",
];
const WRITES: &[&str] = &[
    "disk writes/sec",
    "schreibvorgänge/s",
    "escrituras en disco/s",
    "écritures disque/s",
    "обращений записи на диск/с",
    "записей на диск/с",
    "磁盘写入次数/秒",
    "每秒磁盘写入次数",
    "disk writes/秒",
];
const READ_BYTES: &[&str] = &[
    "disk read bytes/sec",
    "bytes gelesen/s",
    "byte gelesen/s",
    "bytes de lectura de disco/s",
    "lectures disque, octets/s",
    "octets lus sur le disque/s",
    "скорость чтения с диска (байт/с)",
    "байт чтения с диска/с",
    "磁盘读取字节数/秒",
    "每秒磁盘读取字节数",
];
const WRITE_BYTES: &[&str] = &[
    "disk write bytes/sec",
    "bytes geschrieben/s",
    "byte geschrieben/s",
    "bytes de escritura en disco/s",
    "écritures disque, octets/s",
    "octets écrits sur le disque/s",
    "скорость записи на диск (байт/с)",
    "байт записи на диск/с",
    "磁盘写入字节数/秒",
    "每秒磁盘写入字节数",
];
const READ_SECONDS: &[&str] = &[
    "avg. disk sec/read",
    "mittlere sek./lesevorgänge",
    "mittlere sek./lesevorgang",
    "durchschn. datenträger s/gelesen",
    "promedio de segundos de disco/lectura",
    "prom. segundos de disco/lecturas",
    "moyenne disque s/lecture",
    "среднее время чтения с диска (с)",
    "平均磁盘秒数/读取",
    "磁盘平均读取秒数",
];
const WRITE_SECONDS: &[&str] = &[
    "avg. disk sec/write",
    "mittlere sek./schreibvorgänge",
    "mittlere sek./schreibvorgang",
    "durchschn. datenträger s/geschrieben",
    "promedio de segundos de disco/escritura",
    "prom. segundos de disco/escrituras",
    "moyenne disque s/écriture",
    "среднее время записи на диск (с)",
    "平均磁盘秒数/写入",
    "磁盘平均写入秒数",
];
const QUEUE: &[&str] = &[
    "avg. disk queue length",
    "durchschnittl. warteschlangenlänge des datenträgers",
    "durchschn. warteschlangenlänge",
    "longitud promedio de la cola de disco",
    "longueur moyenne de file d'attente du disque",
    "средняя длина очереди диска",
    "平均磁盘队列长度",
];

/// An object of Windows or SQL Server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Object {
    Processor,
    Memory,
    PhysicalDisk,
    LogicalDisk,
    Network,
    SqlStatistics,
    SqlMemory,
    Hypervisor,
}

/// Lower case, no-break spaces as spaces, one space between words.
fn plain(name: &str) -> String {
    let lower = name.to_lowercase().replace(['\u{a0}', '\u{202f}'], " ").replace('’', "'");
    lower.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What a counter measures; `None` for those that the model does not need.
pub fn quantity(object: &str, counter: &str) -> Option<(Object, Quantity)> {
    let whole = plain(object);
    // `SQLServer:SQL Statistics`, `MSSQL$APP:SQL Statistics`: the instance stands before the colon.
    let name = match whole.split_once(':') {
        Some((server, name)) if server == "sqlserver" || server.starts_with("mssql$") => name.trim(),
        _ => whole.as_str(),
    };
    let (object, _) = OBJECTS.iter().find(|(_, names)| names.contains(&name))?;
    let counter = plain(counter);
    let known = COUNTERS.iter().find(|(of, _, names)| of == object && names.contains(&counter.as_str()));
    known.map(|(_, quantity, _)| (*object, *quantity))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_names_the_basics() {
        for (object, counter, wanted) in [
            ("Processor", "% Processor Time", CpuPercent),
            ("Prozessor", "Prozessorzeit (%)", CpuPercent),
            ("Procesador", "% de tiempo de procesador", CpuPercent),
            ("Processeur", "% Temps processeur", CpuPercent),
            ("Процессор", "% загруженности процессора", CpuPercent),
            ("处理器", "% 处理器时间", CpuPercent),
            ("Physikalischer Datenträger", "Lesevorgänge/s", Reads),
            ("Disco físico", "Escrituras en disco/s", Writes),
            ("Disque physique", "Lectures disque/s", Reads),
            ("Физический диск", "Средняя длина очереди диска", Queue),
            ("Память", "Доступно МБ", AvailableMib),
            ("MSSQL$APP:SQL Statistics", "Batch Requests/sec", BatchRequests),
            ("SQLServer:SQL Statistics", "Batch Requests/sec", BatchRequests),
            ("Network Interface", "Bytes\u{a0}Total/sec", NetworkBytes),
        ] {
            assert_eq!(quantity(object, counter).map(|(_, quantity)| quantity), Some(wanted), "{object} {counter}");
        }
        assert_eq!(quantity("Process", "% Processor Time"), None);
        assert_eq!(quantity("Memory", "Pages/sec"), None);
    }
}
