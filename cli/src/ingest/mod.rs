//! Where records come from: one file a source.

mod json_lines;
mod lines;
mod members;

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read};
use std::path::Path;

use anyhow::{Context, bail, ensure};
use flate2::bufread::MultiGzDecoder;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::stdio;

pub(crate) use json_lines::{Bad, Ending, Fields, JsonLines};

/// An open input, decompressed.
pub(crate) struct Input {
    /// What it is called in messages.
    pub(crate) name: String,
    compression: Compression,
    reader: Box<dyn Read>,
    /// How far it is read; hidden unless standard error is a terminal.
    pub(crate) progress: ProgressBar,
}

impl Input {
    /// Opens a file, or standard input where there is none or it is called `-`.
    pub(crate) fn open(path: Option<&Path>) -> anyhow::Result<Input> {
        let (name, size, raw): (String, Option<u64>, Box<dyn Read>) = match path.filter(|path| *path != Path::new("-"))
        {
            None => ("standard input".into(), None, Box::new(stdio::stdin()?)),
            Some(path) => {
                let name = path.display().to_string();
                let file = File::open(path).with_context(|| format!("cannot open {name}"))?;
                let metadata = file.metadata().with_context(|| name.clone())?;
                ensure!(!metadata.is_dir(), "{name} is a directory: give a file of it");
                (name, Some(metadata.len()).filter(|_| metadata.is_file()), Box::new(file))
            }
        };
        let progress = progress(size);
        let mut raw = progress.wrap_read(raw);
        let mut magic = Vec::new();
        raw.by_ref().take(8).read_to_end(&mut magic).with_context(|| format!("cannot read {name}"))?;
        ensure!(!magic.is_empty(), "{name} is empty");
        let compression = match known_as(&magic) {
            None => Compression::None,
            Some("gzip") => Compression::Gzip,
            Some("zstd") => Compression::Zstd,
            Some(other) => bail!("{name} is {other}: JSON lines are needed, plain or compressed by gzip or zstd"),
        };
        let raw = BufReader::with_capacity(1 << 16, Cursor::new(magic).chain(raw));
        let reader: Box<dyn Read> = match compression {
            Compression::None => Box::new(raw),
            Compression::Gzip => Box::new(MultiGzDecoder::new(raw)),
            Compression::Zstd => Box::new(zstd::Decoder::with_buffer(raw).with_context(|| name.clone())?),
        };
        Ok(Input { name, compression, reader, progress })
    }

    /// Its bytes, and how errors in them are to be understood.
    pub(crate) fn into_reader(self) -> (Box<dyn Read>, Compression) {
        (self.reader, self.compression)
    }
}

/// How an input is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Compression {
    None,
    Gzip,
    Zstd,
}

impl Compression {
    /// An error of reading, in words.
    pub(crate) fn explain(self, error: &io::Error) -> String {
        let how = match self {
            Compression::None => return error.to_string(),
            Compression::Gzip => "gzip",
            Compression::Zstd => "zstd",
        };
        match error.kind() {
            io::ErrorKind::UnexpectedEof => format!("the {how} data are cut short"),
            _ => format!("{how}: {error}"),
        }
    }
}

/// What the first bytes say it is: gzip, zstd, or something that no audit can read.
fn known_as(magic: &[u8]) -> Option<&'static str> {
    const KNOWN: [(&[u8], &str); 10] = [
        (b"\x1f\x8b", "gzip"),
        (b"\x28\xb5\x2f\xfd", "zstd"),
        (b"\xfd7zXZ\0", "an xz file"),
        (b"BZh", "a bzip2 file"),
        (b"\x04\x22\x4d\x18", "an lz4 file"),
        (b"PK\x03\x04", "a zip file"),
        (b"PAR1", "a Parquet file"),
        (b"Obj\x01", "an Avro file"),
        (b"\xff\xfe", "UTF-16 text"),
        (b"\xfe\xff", "UTF-16 text"),
    ];
    KNOWN.iter().find(|(start, _)| magic.starts_with(start)).map(|(_, name)| *name)
}

/// A bar on standard error. Without colours, so that `NO_COLOR` has nothing to forbid.
fn progress(size: Option<u64>) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(size, ProgressDrawTarget::stderr());
    let template = match size {
        Some(_) => "auditing {bar:40} {percent}% of {total_bytes}, {eta} left",
        None => "auditing {bytes}, {bytes_per_sec}",
    };
    bar.with_style(ProgressStyle::with_template(template).expect("a valid template").progress_chars("=> "))
}
