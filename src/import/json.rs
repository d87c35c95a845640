//! Errors of JSON in the words of an import.

use super::error::ImportError;

/// `serde_json` reads no deeper; it says so, and it is told as what it is.
const DEEPEST: usize = 128;

/// Why a JSON result could not be read.
pub fn error(format: &'static str, error: &serde_json::Error) -> ImportError {
    let told = error.to_string();
    if told.contains("recursion limit") {
        return ImportError::TooDeep { what: "JSON", most: DEEPEST };
    }
    if error.is_eof() {
        return ImportError::Truncated { format, why: told };
    }
    ImportError::NotThat { format, why: told }
}

/// The first `{` or `[` at the start of a line: tools print messages before their JSON.
pub fn start(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        let blank = line.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        if let Some(b'{') = line.get(blank) {
            return Some(at + blank);
        }
        // A list; `[0.0%]` of a progress line is none.
        if line.get(blank) == Some(&b'[') {
            let next = line[blank + 1..].iter().find(|byte| !byte.is_ascii_whitespace());
            if matches!(next, None | Some(b'{' | b'"' | b'[' | b']')) {
                return Some(at + blank);
            }
        }
        at += line.len();
    }
    None
}
