//! A compressed file on this machine: for engines whose backup is a stream that the client keeps. gzip, as their own
//! clients write it.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::Path;

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;

/// Compression of the backup: the level at which a backup is not held up.
const LEVEL: Compression = Compression::fast();
const BUFFER: usize = 1 << 20;

/// A backup that is being written.
pub struct Archive {
    encoder: GzEncoder<BufWriter<File>>,
    read: u64,
}

impl Archive {
    /// # Errors
    /// When there is a file of that name, or the system refuses.
    pub fn create(path: &Path) -> io::Result<Self> {
        let file = File::options().write(true).create_new(true).open(path)?;
        Ok(Self { encoder: GzEncoder::new(BufWriter::with_capacity(BUFFER, file), LEVEL), read: 0 })
    }

    /// # Errors
    /// When the system refuses.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.read += bytes.len() as u64;
        self.encoder.write_all(bytes)
    }

    /// Ends the file and waits until it is on disk. Bytes that were given, and bytes of the file.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn finish(self) -> io::Result<(u64, u64)> {
        let file = self.encoder.finish()?.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.sync_all()?;
        Ok((self.read, file.metadata()?.len()))
    }
}

/// Reads a backup.
///
/// # Errors
/// When the system refuses.
pub fn open(path: &Path) -> io::Result<impl Read> {
    Ok(GzDecoder::new(BufReader::with_capacity(BUFFER, File::open(path)?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back_and_no_file_is_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("backup");
        let mut archive = Archive::create(&path).unwrap();
        let text = "0123456789".repeat(10_000);
        archive.write(text.as_bytes()).unwrap();
        let (read, stored) = archive.finish().unwrap();
        assert_eq!(read, 100_000);
        assert!(stored < 10_000 && stored == std::fs::metadata(&path).unwrap().len());
        let mut back = String::new();
        open(&path).unwrap().read_to_string(&mut back).unwrap();
        assert_eq!(back, text);
        assert!(Archive::create(&path).is_err());
    }
}
