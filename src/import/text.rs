//! Bytes into bounded lines of UTF-8, whatever encoding a tool wrote: UTF-8 with or without a byte-order mark, UTF-16 of
//! either order, else a Windows code page. Memory is bounded by the longest line that is allowed, not by the file.

use std::io::{BufRead, BufReader, Read};

use encoding_rs::{CoderResult, Decoder, Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

use super::error::ImportError;

/// Longest line that is read, bytes. Headers of Performance Monitor with thousands of counters have a few hundred KB.
pub const LONGEST_LINE: usize = 4 << 20;
const CHUNK: usize = 64 << 10;

/// A reader of UTF-8 bytes from a file in UTF-16, or as it is.
pub struct Utf8<R> {
    inner: R,
    /// Set for UTF-16.
    decoder: Option<Decoder>,
    raw: Vec<u8>,
    ready: Vec<u8>,
    at: usize,
    ended: bool,
}

impl<R: Read> Utf8<R> {
    fn fill(&mut self) -> std::io::Result<()> {
        let Some(decoder) = &mut self.decoder else { return Ok(()) };
        while self.at == self.ready.len() && !self.ended {
            let got = read_some(&mut self.inner, &mut self.raw)?;
            self.ended = got == 0;
            self.ready.resize(got * 3 + 16, 0);
            self.at = 0;
            let (state, _, written, _) = decoder.decode_to_utf8(&self.raw[..got], &mut self.ready, self.ended);
            debug_assert_eq!(state, CoderResult::InputEmpty);
            self.ready.truncate(written);
        }
        Ok(())
    }
}

impl<R: Read> Read for Utf8<R> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        if self.decoder.is_none() {
            // What was looked at to find the encoding comes first.
            let rest = &self.ready[self.at..];
            if rest.is_empty() {
                return self.inner.read(into);
            }
            let count = rest.len().min(into.len());
            into[..count].copy_from_slice(&rest[..count]);
            self.at += count;
            return Ok(count);
        }
        self.fill()?;
        let rest = &self.ready[self.at..];
        let count = rest.len().min(into.len());
        into[..count].copy_from_slice(&rest[..count]);
        self.at += count;
        Ok(count)
    }
}

fn read_some(from: &mut impl Read, into: &mut [u8]) -> std::io::Result<usize> {
    loop {
        match from.read(into) {
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}

/// A text with its encoding found out.
pub struct Text<R: Read> {
    reader: BufReader<Utf8<R>>,
    pub encoding: &'static str,
    pub lines: u64,
    pub bytes: u64,
    line: Vec<u8>,
}

impl<R: Read> Text<R> {
    /// Looks at the first bytes and starts after the byte-order mark.
    ///
    /// # Errors
    /// [`ImportError::Empty`], or that the first bytes cannot be read.
    pub fn new(mut inner: R) -> Result<Self, ImportError> {
        let mut head = vec![0; CHUNK];
        let mut got = 0;
        while got < 4 {
            match read_some(&mut inner, &mut head[got..])? {
                0 => break,
                more => got += more,
            }
        }
        head.truncate(got);
        if head.is_empty() {
            return Err(ImportError::Empty);
        }
        let (encoding, mark) = Encoding::for_bom(&head).unwrap_or_else(|| (without_mark(&head), 0));
        let utf16 = encoding == UTF_16LE || encoding == UTF_16BE;
        let mut source = Utf8 {
            inner,
            decoder: utf16.then(|| encoding.new_decoder_without_bom_handling()),
            raw: vec![0; CHUNK],
            ready: Vec::new(),
            at: 0,
            ended: false,
        };
        match &mut source.decoder {
            Some(decoder) => {
                source.ready = vec![0; head.len() * 3 + 16];
                let (_, _, written, _) = decoder.decode_to_utf8(&head[mark..], &mut source.ready, false);
                source.ready.truncate(written);
            }
            None => {
                source.ready = head;
                source.at = mark;
            }
        }
        let reader = BufReader::with_capacity(CHUNK, source);
        Ok(Self { reader, encoding: encoding.name(), lines: 0, bytes: 0, line: Vec::new() })
    }

    /// The next line without its break; `None` at the end.
    ///
    /// # Errors
    /// A line longer than [`LONGEST_LINE`], a zero byte, or a reader that fails.
    pub fn next_line(&mut self) -> Result<Option<&[u8]>, ImportError> {
        self.line.clear();
        let read = (&mut self.reader).take(LONGEST_LINE as u64 + 1).read_until(b'\n', &mut self.line)?;
        if read == 0 {
            return Ok(None);
        }
        self.lines += 1;
        if self.line.len() > LONGEST_LINE {
            return Err(ImportError::LongLine { line: self.lines, most: LONGEST_LINE });
        }
        if self.line.contains(&0) {
            let position = self.line.iter().position(|&byte| byte == 0).unwrap_or(0);
            return Err(ImportError::Binary { position: self.bytes + position as u64 });
        }
        self.bytes += read as u64;
        while matches!(self.line.last(), Some(b'\n' | b'\r')) {
            self.line.pop();
        }
        Ok(Some(&self.line))
    }

    /// The first bytes, which stay to be read.
    ///
    /// # Errors
    /// A reader that fails.
    pub fn head(&mut self) -> Result<String, ImportError> {
        Ok(String::from_utf8_lossy(self.reader.fill_buf()?).into_owned())
    }

    /// All of it, up to `most` bytes.
    ///
    /// # Errors
    /// [`ImportError::TooLarge`], a zero byte, or a reader that fails.
    pub fn whole_bytes(&mut self, format: &'static str, most: u64) -> Result<Vec<u8>, ImportError> {
        let mut bytes = Vec::new();
        (&mut self.reader).take(most + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > most {
            return Err(ImportError::TooLarge { format, most });
        }
        if bytes.contains(&0) {
            let position = bytes.iter().position(|&byte| byte == 0).unwrap_or(0);
            return Err(ImportError::Binary { position: position as u64 });
        }
        self.bytes += bytes.len() as u64;
        self.lines += bytes.split(|&byte| byte == b'\n').count() as u64;
        Ok(bytes)
    }

    /// All of it as text, up to `most` bytes, line by line: a line without end is refused long before.
    ///
    /// # Errors
    /// As [`Self::next_line`], and [`ImportError::TooLarge`].
    pub fn whole(&mut self, format: &'static str, most: u64) -> Result<String, ImportError> {
        let mut text = String::new();
        while let Some(line) = self.next_line()? {
            text.push_str(&decoded(line));
            text.push('\n');
            if self.bytes > most {
                return Err(ImportError::TooLarge { format, most });
            }
        }
        Ok(text)
    }
}

impl<R: Read> Read for Text<R> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let count = self.reader.read(into)?;
        self.bytes += count as u64;
        self.lines += into[..count].iter().filter(|&&byte| byte == b'\n').count() as u64;
        Ok(count)
    }
}

/// Without a mark, every other byte of western text in UTF-16 is zero.
fn without_mark(head: &[u8]) -> &'static Encoding {
    let zeros = |from: usize| head.iter().skip(from).step_by(2).take(64).filter(|&&byte| byte == 0).count();
    let enough = head.len().min(128) / 3;
    match (zeros(0), zeros(1)) {
        (0, odd) if odd > enough => UTF_16LE,
        (even, 0) if even > enough => UTF_16BE,
        _ => UTF_8,
    }
}

/// Text of bytes: UTF-8, else the code page of western Windows, which has a letter for every byte.
pub fn decoded(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => WINDOWS_1252.decode_without_bom_handling(bytes).0.into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8]) -> Result<Vec<String>, ImportError> {
        let mut text = Text::new(bytes)?;
        let mut found = Vec::new();
        while let Some(line) = text.next_line()? {
            found.push(decoded(line));
        }
        Ok(found)
    }

    fn utf16(text: &str, mark: bool, big: bool) -> Vec<u8> {
        let order = |unit: u16| if big { unit.to_be_bytes() } else { unit.to_le_bytes() };
        mark.then_some(0xFEFF).into_iter().chain(text.encode_utf16()).flat_map(order).collect()
    }

    #[test]
    fn every_encoding_gives_the_same_lines() {
        let text = "Verfügbare MB\r\nДоступно МБ\n内存 😀\n";
        let wanted = ["Verfügbare MB", "Доступно МБ", "内存 😀"];
        let mut marked = vec![0xEF, 0xBB, 0xBF];
        marked.extend(text.as_bytes());
        for bytes in [text.as_bytes().to_vec(), marked, utf16(text, true, false), utf16(text, true, true)] {
            assert_eq!(lines(&bytes).expect("text"), wanted);
        }
        assert_eq!(lines(&utf16("plain text of some length\nand more", false, false)).expect("text").len(), 2);
        assert_eq!(lines(b"Verf\xFCgbare MB").expect("text"), ["Verfügbare MB"]);
    }

    #[test]
    fn long_utf16_crosses_chunks() {
        let text = "ü€😀x".repeat(40_000);
        assert_eq!(lines(&utf16(&text, true, false)).expect("text"), [text]);
    }

    #[test]
    fn a_line_without_end_is_refused_in_bounded_memory() {
        let endless = std::io::repeat(b'x').take(10 << 30);
        let mut text = Text::new(endless).expect("text");
        assert!(matches!(text.next_line(), Err(ImportError::LongLine { line: 1, .. })));
        assert!(text.line.capacity() <= 3 * LONGEST_LINE);
    }

    #[test]
    fn nothing_and_binary_are_refused() {
        assert!(matches!(lines(b""), Err(ImportError::Empty)));
        assert!(matches!(lines(b"\x7fELF\x02\x01\x01\0\0\0\x03\0"), Err(ImportError::Binary { .. })));
    }
}
