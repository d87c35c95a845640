//! Share links: a form, invalid or not, as one piece of text for an address.

use std::io::{Read, Write};

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD as BASE64;
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use serde_json::Value;

use super::tree;

/// Longest text that is read, bytes.
pub const MOST_TEXT: usize = 64 * 1024;
/// Most that a text may unfold to, bytes.
pub const MOST_INFLATED: usize = 256 * 1024;

/// Why a link brings back no form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadLink {
    #[error("The link is too long.")]
    TooLong,
    #[error("The link is incomplete or was changed on its way.")]
    Garbled,
}

/// The text for a form. Equal forms have equal texts.
pub fn encode(form: &Value) -> String {
    let mut deflate = DeflateEncoder::new(Vec::new(), Compression::best());
    // Writing into memory cannot fail.
    let bytes = deflate.write_all(form.to_string().as_bytes()).and_then(|()| deflate.finish()).unwrap_or_default();
    BASE64.encode(bytes)
}

/// The form of a text.
///
/// # Errors
/// [`BadLink`]. Work and memory are bounded whatever the text holds.
pub fn decode(text: &str) -> Result<Value, BadLink> {
    if text.len() > MOST_TEXT {
        return Err(BadLink::TooLong);
    }
    let bytes = BASE64.decode(text.trim_end_matches('=')).map_err(|_| BadLink::Garbled)?;
    let mut json = Vec::new();
    let most = MOST_INFLATED as u64 + 1;
    DeflateDecoder::new(bytes.as_slice()).take(most).read_to_end(&mut json).map_err(|_| BadLink::Garbled)?;
    if json.len() > MOST_INFLATED {
        return Err(BadLink::TooLong);
    }
    let form: Value = serde_json::from_slice(&json).map_err(|_| BadLink::Garbled)?;
    if !form.is_object() || !tree::is_shallow(&form) {
        return Err(BadLink::Garbled);
    }
    Ok(tree::from_json(&form))
}
