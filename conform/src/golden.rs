//! keyfall's own vectors, packed into the program: golden cases of each scheme, computed by the real systems.

use std::io::Read;

use flate2::read::ZlibDecoder;

use crate::vectors::Vectors;

/// Scheme, and its vector file, compressed.
static FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/golden.rs"));

/// The schemes that have vectors, by name.
pub fn schemes() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|(scheme, _)| *scheme)
}

/// The text of a scheme's vector file, as it stands in `vectors/`; none where there is none.
pub fn text(scheme: &str) -> Option<String> {
    let (_, packed) = FILES.iter().find(|(known, _)| *known == scheme)?;
    let mut text = String::new();
    ZlibDecoder::new(*packed).read_to_string(&mut text).expect("the build packed text");
    Some(text)
}

/// A scheme's vectors; none where there are none.
pub fn vectors(scheme: &str) -> Option<Vectors> {
    text(scheme).map(|text| Vectors::parse(&text).expect("ci/test has read these files"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_file_is_that_of_its_scheme() {
        assert!(schemes().count() > 40);
        for scheme in schemes() {
            let vectors = vectors(scheme).unwrap();
            assert_eq!(vectors.scheme, scheme);
            assert!(!vectors.cases.is_empty(), "{scheme}");
        }
        assert!(text("kafka/no-such").is_none());
    }
}
