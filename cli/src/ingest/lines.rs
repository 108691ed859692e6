//! Lines of a stream, without copying them.

use std::io::{self, Read};

use memchr::memchr;

/// How much is read at once.
const CHUNK: usize = 1 << 18;

/// The longest line that is read. A longer one is passed over in pieces: memory is bounded whatever comes.
const MAX_LINE: usize = 64 << 20;

/// Reads lines.
pub(crate) struct Lines<R> {
    reader: R,
    buffer: Vec<u8>,
    /// What was read and not handed out.
    start: usize,
    end: usize,
    /// Up to here there is no line's end in it.
    searched: usize,
    at_end: bool,
    /// The rest of a line that is too long is still to be passed over.
    too_long: bool,
    number: u64,
    max: usize,
}

/// A line without its end.
#[derive(Debug, PartialEq)]
pub(crate) struct Line<'b> {
    /// Its number, from 1.
    pub(crate) number: u64,
    /// Its bytes; none if there are more than [`Lines::max`] of them.
    pub(crate) bytes: Option<&'b [u8]>,
}

impl<R: Read> Lines<R> {
    /// The lines of `reader`.
    pub(crate) fn new(reader: R) -> Self {
        Lines::with_sizes(reader, CHUNK, MAX_LINE)
    }

    fn with_sizes(reader: R, chunk: usize, max: usize) -> Self {
        Lines {
            reader,
            buffer: vec![0; chunk],
            start: 0,
            end: 0,
            searched: 0,
            at_end: false,
            too_long: false,
            number: 0,
            max,
        }
    }

    /// The greatest length of a line that is handed out.
    pub(crate) fn max(&self) -> usize {
        self.max
    }

    /// The number of the last line that was handed out.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// The next line; none at the end. The last one needs no line's end.
    #[inline]
    pub(crate) fn next(&mut self) -> io::Result<Option<Line<'_>>> {
        loop {
            if let Some(length) = memchr(b'\n', &self.buffer[self.searched..self.end]) {
                let line = self.start..self.searched + length;
                self.start = line.end + 1;
                self.searched = self.start;
                return Ok(Some(self.line(line)));
            }
            self.searched = self.end;
            if self.at_end {
                let line = self.start..self.end;
                self.start = self.end;
                // Of what is too long, the end has not been handed out yet.
                return Ok((!line.is_empty() || self.too_long).then(|| self.line(line)));
            }
            self.fill()?;
        }
    }

    #[inline]
    fn line(&mut self, range: std::ops::Range<usize>) -> Line<'_> {
        self.number += 1;
        let too_long = std::mem::take(&mut self.too_long) || range.len() > self.max;
        Line { number: self.number, bytes: (!too_long).then(|| &self.buffer[range]) }
    }

    /// Reads more, behind what is there.
    fn fill(&mut self) -> io::Result<()> {
        if self.end - self.start > self.max {
            self.too_long = true;
            self.start = self.end;
        }
        self.buffer.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
        self.searched = self.end;
        if self.end == self.buffer.len() {
            self.buffer.resize(2 * self.end, 0);
        }
        loop {
            match self.reader.read(&mut self.buffer[self.end..]) {
                Ok(0) => self.at_end = true,
                Ok(n) => self.end += n,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
                Err(e) => return Err(e),
            }
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn lines(input: &[u8], chunk: usize, max: usize) -> Vec<Option<Vec<u8>>> {
        let mut lines = Lines::with_sizes(input, chunk, max);
        let mut all = Vec::new();
        while let Some(line) = lines.next().unwrap() {
            all.push(line.bytes.map(<[u8]>::to_vec));
            assert_eq!(line.number, all.len() as u64);
        }
        assert!(lines.next().unwrap().is_none(), "the end stays the end");
        assert!(lines.buffer.len() <= 2 * (chunk + max), "{}", lines.buffer.len());
        all
    }

    #[test]
    fn the_last_line_needs_no_end() {
        let some = |text: &str| Some(text.as_bytes().to_vec());
        assert_eq!(lines(b"a\n\nbc", 4, 9), [some("a"), some(""), some("bc")]);
        assert_eq!(lines(b"a\n", 4, 9), [some("a")]);
        assert_eq!(lines(b"", 4, 9), []);
    }

    #[test]
    fn a_long_line_is_passed_over() {
        let some = |text: &str| Some(text.as_bytes().to_vec());
        assert_eq!(lines(b"0123456789abcdefghijklmnopqrstuvwxyz\nok\n", 4, 8), [None, some("ok")]);
        assert_eq!(lines(b"ok\n0123456789abcdefghijklmnopqrstuvwxyz", 4, 8), [some("ok"), None]);
        assert_eq!(lines(b"01234567\n012345678\n", 32, 8), [some("01234567"), None]);
    }

    #[test]
    fn an_error_is_passed_on() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("broken"))
            }
        }
        let mut lines = Lines::new((&b"a\nb"[..]).chain(Broken));
        assert_eq!(lines.next().unwrap().unwrap().bytes, Some(&b"a"[..]));
        assert_eq!(lines.next().unwrap_err().to_string(), "broken");
    }

    proptest! {
        #[test]
        fn like_split(input in "[ab\n]{0,60}", chunk in 1usize..20) {
            let mut expect: Vec<_> = input.split('\n').map(|line| Some(line.as_bytes().to_vec())).collect();
            if expect.last().is_some_and(|last| last.as_ref().is_some_and(Vec::is_empty)) {
                expect.pop();
            }
            prop_assert_eq!(lines(input.as_bytes(), chunk, 100), expect);
        }
    }
}
