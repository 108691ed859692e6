//! Members of a JSON object on one line, found without building anything.
//!
//! serde_json takes several times as long for such a line (`bench/audit/README.md`), and this is what an audit spends most
//! of its time on. It accepts exactly the lines that serde_json accepts: a property test holds them side by side.

use wide::u8x16;

/// A member's value, as it stands in the line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Value<'l> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number's source text.
    Number(&'l [u8]),
    /// What stands between a string's quotes; it may have escapes, and bytes that are not UTF-8.
    String(&'l [u8]),
    /// An object, braces included.
    Object(&'l [u8]),
    /// An array.
    Array,
}

/// Why there are no members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// The line is no JSON object.
    Malformed,
    /// A name that was asked for stands twice.
    Twice(usize),
}

/// How deep values may be nested. What is skipped is walked, too, so that half a line is not taken for a whole one.
const MAX_DEPTH: u32 = 512;

/// Finds members. It keeps buffers between lines.
#[derive(Default)]
pub(crate) struct Members {
    /// A bit for each byte of the line: 1 where a string begins or ends.
    quotes: Vec<u64>,
    /// What the lines look like.
    shape: Shape,
}

/// What stands around the values of a line. One program writes all lines of a dump, so the next line most often has the
/// same names in the same order: then they are compared, and not read.
#[derive(Default)]
struct Shape {
    /// What stands before each value, and which of the names that are asked for belongs to it.
    members: Vec<(Piece, Option<usize>)>,
    /// What stands behind the last one.
    end: Vec<u8>,
}

/// Text that a line is compared with.
#[derive(Default)]
struct Piece {
    /// Its first bytes as two numbers, and masks of as many bytes as it has. With `starts_with` alone an audit would take
    /// longer by a tenth.
    first: [u64; 2],
    masks: [u64; 2],
    text: Vec<u8>,
}

impl Piece {
    fn of(text: &[u8]) -> Piece {
        let mut first = [0; 16];
        let length = text.len().min(16);
        first[..length].copy_from_slice(&text[..length]);
        let mut mask = [0; 16];
        mask[..length].fill(0xff);
        Piece { first: numbers(&first), masks: numbers(&mask), text: text.into() }
    }

    /// Whether the line goes on with it.
    #[inline(always)]
    fn is_at(&self, line: &[u8], at: usize) -> bool {
        let Some(line) = line.get(at..) else { return false };
        match line.first_chunk() {
            Some(there) => {
                let there = numbers(there);
                let differ = |i: usize| (there[i] ^ self.first[i]) & self.masks[i];
                differ(0) | differ(1) == 0 && (self.text.len() <= 16 || line.starts_with(&self.text))
            }
            None => line.starts_with(&self.text),
        }
    }
}

/// Sixteen bytes as two numbers.
#[inline(always)]
fn numbers(bytes: &[u8; 16]) -> [u64; 2] {
    let (eights, _) = bytes.as_chunks();
    [u64::from_le_bytes(eights[0]), u64::from_le_bytes(eights[1])]
}

impl Shape {
    /// The shape of a line whose values are at `values`, in order.
    fn of(line: &[u8], values: &[(Option<usize>, Span)]) -> Shape {
        let mut end = 0;
        let mut members = Vec::with_capacity(values.len());
        for (name, value) in values {
            members.push((Piece::of(&line[end..value.start as usize]), *name));
            end = value.end as usize;
        }
        Shape { members, end: line[end..].into() }
    }

    /// Goes over a line of this shape; none if the line is of another one.
    #[inline]
    fn walk(&self, mut cursor: Cursor<'_, '_>, spans: &mut [Span]) -> Option<()> {
        for (before, name) in &self.members {
            if !before.is_at(cursor.line, cursor.at) {
                return None;
            }
            cursor.at += before.text.len();
            let start = cursor.at;
            cursor.quotes.seek(start);
            cursor.value(0)?;
            if let Some(name) = name {
                spans[*name] = Span { start: start as u32, end: cursor.at as u32 };
            }
        }
        (!self.end.is_empty() && cursor.line.get(cursor.at..)? == self.end).then_some(())
    }
}

/// Where a value stands in its line; 0 to 0 if there is none. Eight bytes, so that it stays in a register: values that
/// go through memory, and are read again at once, would cost more than all else here.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Span {
    start: u32,
    end: u32,
}

/// The values of some members of a line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Values<'l, 's> {
    line: &'l [u8],
    spans: &'s [Span],
}

impl<'l> Values<'l, '_> {
    /// The value of the member whose name was the `at`-th, none if it is absent.
    #[inline]
    pub(crate) fn get(&self, at: usize) -> Option<Value<'l>> {
        let Span { start, end } = self.spans[at];
        let text = self.line.get(start as usize..end as usize)?;
        Some(match text.first()? {
            b'"' => Value::String(&text[1..text.len() - 1]),
            b'n' => Value::Null,
            b't' => Value::Bool(true),
            b'f' => Value::Bool(false),
            b'{' => Value::Object(text),
            b'[' => Value::Array,
            _ => Value::Number(text),
        })
    }
}

impl Members {
    /// The values of the members called `names`. The line is shorter than 4 GiB. `spans` is overwritten.
    #[inline]
    pub(crate) fn find<'l, 's, const N: usize>(
        &mut self,
        line: &'l [u8],
        names: &[&[u8]; N],
        spans: &'s mut [Span; N],
    ) -> Result<Values<'l, 's>, Trouble> {
        self.find_quotes(line).ok_or(Trouble::Malformed)?;
        *spans = [Span::default(); N];
        if self.shape.walk(self.cursor(line), spans).is_none() {
            self.find_any(line, names, spans)?;
        }
        Ok(Values { line, spans })
    }

    /// Finds the members of a line that is not like the one before it.
    fn find_any<const N: usize>(
        &mut self,
        line: &[u8],
        names: &[&[u8]; N],
        spans: &mut [Span; N],
    ) -> Result<(), Trouble> {
        *spans = [Span::default(); N];
        let mut twice = None;
        let mut values = Vec::new();
        self.cursor(line)
            .object(|name, value| {
                let position = |name: &[u8]| names.iter().position(|n| *n == name);
                // A name is rarely written with escapes, but then it is the same name.
                let escaped = || if name.contains(&b'\\') { position(&unescape(name).ok()?) } else { None };
                let name = position(name).or_else(escaped);
                values.push((name, value));
                if let Some(at) = name {
                    if spans[at].end != 0 {
                        twice.get_or_insert(at);
                    }
                    spans[at] = value;
                }
            })
            .ok_or(Trouble::Malformed)?;
        if let Some(at) = twice {
            return Err(Trouble::Twice(at));
        }
        self.shape = Shape::of(line, &values);
        Ok(())
    }

    /// A walk over the line whose quotes were found.
    #[inline(always)]
    fn cursor<'l>(&self, line: &'l [u8]) -> Cursor<'l, '_> {
        Cursor { line, at: 0, quotes: Quotes::of(&self.quotes) }
    }

    /// Notes where each string begins and ends. None if a string has what no string may have: a control character, an
    /// unknown escape.
    #[inline]
    fn find_quotes(&mut self, line: &[u8]) -> Option<()> {
        self.quotes.clear();
        let (blocks, rest) = line.as_chunks::<64>();
        let mut state = State { escaped: 0, least: u8x16::splat(u8::MAX), bad_escape: false };
        for (i, block) in blocks.iter().enumerate() {
            self.block(block, i * 64, line, &mut state);
        }
        if !rest.is_empty() {
            let mut block = [b' '; 64];
            block[..rest.len()].copy_from_slice(rest);
            self.block(&block, line.len() - rest.len(), line, &mut state);
        }
        if state.bad_escape || state.escaped != 0 {
            return None;
        }
        if state.least.as_array_ref().iter().any(|byte| *byte < b' ') {
            // Between strings, tabs are blanks.
            let mut quotes = Quotes::of(&self.quotes);
            while let Some(open) = quotes.next() {
                let inside = line.get(open..quotes.next()?)?;
                if inside.iter().any(|byte| *byte < b' ') {
                    return None;
                }
            }
        }
        Some(())
    }

    #[inline(always)]
    fn block(&mut self, block: &[u8; 64], start: usize, line: &[u8], state: &mut State) {
        let backslashes = positions(block, |bytes| bytes.cmp_eq(u8x16::splat(b'\\')));
        let mut quotes = positions(block, |bytes| bytes.cmp_eq(u8x16::splat(b'"')));
        for bytes in block.as_chunks::<16>().0 {
            state.least = state.least.min(u8x16::from(*bytes));
        }
        if backslashes | state.escaped != 0 {
            let escaped = state.escaped_in(backslashes);
            // Most are quotes, and may be escaped.
            let mut others = escaped & !(quotes | backslashes);
            quotes &= !escaped;
            while others != 0 {
                let at = others.trailing_zeros() as usize;
                others &= others - 1;
                state.bad_escape |= !is_escape(&line[start + at..]);
            }
        }
        self.quotes.push(quotes);
    }
}

/// What a block of 64 bytes leaves to the next one.
struct State {
    /// 1 if the first byte is escaped.
    escaped: u64,
    /// The least byte in each of 16 lanes: it tells whether there is any control character.
    least: u8x16,
    bad_escape: bool,
}

impl State {
    /// The bytes that a backslash stands before which is not itself escaped. In a run of backslashes it is every second
    /// one; where each run ends is found by letting a carry run through it (simdjson, Langdale and Lemire 2019).
    #[inline]
    fn escaped_in(&mut self, backslashes: u64) -> u64 {
        const EVEN: u64 = 0x5555_5555_5555_5555;
        let backslashes = backslashes & !self.escaped;
        let follows = backslashes << 1 | self.escaped;
        let odd_starts = backslashes & !EVEN & !follows;
        let (ends, overflow) = odd_starts.overflowing_add(backslashes);
        self.escaped = u64::from(overflow);
        (EVEN ^ (ends << 1)) & follows
    }
}

/// A bit for each byte of the block for which `test` is all ones.
#[inline(always)]
fn positions(block: &[u8; 64], test: impl Fn(u8x16) -> u8x16) -> u64 {
    let (parts, _) = block.as_chunks::<16>();
    let bits = |part: usize| u64::from(test(u8x16::from(parts[part])).move_mask() as u16) << (16 * part);
    bits(0) | bits(1) | bits(2) | bits(3)
}

/// How many digits the eight bytes begin with.
#[inline(always)]
fn leading_digits(eight: u64) -> usize {
    const EACH: u64 = 0x0101_0101_0101_0101;
    // A digit is now 0 to 9. More than that reaches the high bit by 0x76 more, or had it; what is carried to the next byte
    // does no harm, as only the first such byte counts.
    let bytes = eight ^ (EACH * 0x30);
    let others = (bytes.wrapping_add(EACH * 0x76) | bytes) & (EACH * 0x80);
    others.trailing_zeros() as usize / 8
}

/// Whether an escape's letter, and what belongs to it, stands at the start.
#[inline]
fn is_escape(text: &[u8]) -> bool {
    match text {
        [b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't', ..] => true,
        [b'u', a, b, c, d, ..] => [a, b, c, d].iter().all(|digit| digit.is_ascii_hexdigit()),
        _ => false,
    }
}

/// Where strings begin and end, in turn.
struct Quotes<'q> {
    blocks: &'q [u64],
    block: usize,
    left: u64,
}

impl<'q> Quotes<'q> {
    fn of(blocks: &'q [u64]) -> Self {
        Quotes { blocks, block: 0, left: blocks.first().copied().unwrap_or(0) }
    }

    /// Goes on with the first one that is not before `at`.
    #[inline(always)]
    fn seek(&mut self, at: usize) {
        self.block = at / 64;
        self.left = self.blocks.get(self.block).map_or(0, |block| block & (u64::MAX << (at % 64)));
    }

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        while self.left == 0 {
            self.block += 1;
            self.left = *self.blocks.get(self.block)?;
        }
        let at = self.left.trailing_zeros() as usize;
        self.left &= self.left - 1;
        Some(self.block * 64 + at)
    }
}

/// A walk over a line whose strings are known.
struct Cursor<'l, 'q> {
    line: &'l [u8],
    at: usize,
    quotes: Quotes<'q>,
}

impl<'l> Cursor<'l, '_> {
    #[inline]
    fn peek(&self) -> Option<u8> {
        self.line.get(self.at).copied()
    }

    #[inline]
    fn blank(&mut self) {
        while let Some(b' ' | b'\t' | b'\r' | b'\n') = self.peek() {
            self.at += 1;
        }
    }

    #[inline]
    fn eat(&mut self, byte: u8) -> bool {
        let there = self.peek() == Some(byte);
        self.at += usize::from(there);
        there
    }

    /// Calls `f` with each member's name, as it stands, and value; none if the line is no JSON object.
    fn object(mut self, mut f: impl FnMut(&'l [u8], Span)) -> Option<()> {
        self.blank();
        self.members(0, &mut f)?;
        self.blank();
        (self.at == self.line.len()).then_some(())
    }

    /// Goes over an object and calls `f` with each member.
    #[inline(always)]
    fn members(&mut self, depth: u32, f: &mut impl FnMut(&'l [u8], Span)) -> Option<()> {
        if !self.eat(b'{') {
            return None;
        }
        self.blank();
        if self.eat(b'}') {
            return Some(());
        }
        loop {
            let name = self.string()?;
            self.blank();
            if !self.eat(b':') {
                return None;
            }
            self.blank();
            let start = self.at as u32;
            self.value(depth)?;
            f(name, Span { start, end: self.at as u32 });
            self.blank();
            if self.eat(b'}') {
                return Some(());
            }
            if !self.eat(b',') {
                return None;
            }
            self.blank();
        }
    }

    /// Goes over a value.
    #[inline(always)]
    fn value(&mut self, depth: u32) -> Option<()> {
        match self.peek()? {
            b'"' => self.string().map(drop),
            b'-' | b'0'..=b'9' => self.number(),
            b'n' => self.word(b"null"),
            b't' => self.word(b"true"),
            b'f' => self.word(b"false"),
            b'{' | b'[' if depth < MAX_DEPTH => self.nested(depth + 1),
            _ => None,
        }
    }

    #[inline(never)]
    fn nested(&mut self, depth: u32) -> Option<()> {
        if self.peek() == Some(b'{') {
            return self.members(depth, &mut |_, _| ());
        }
        self.at += 1;
        self.blank();
        if self.eat(b']') {
            return Some(());
        }
        loop {
            self.value(depth)?;
            self.blank();
            if self.eat(b']') {
                return Some(());
            }
            if !self.eat(b',') {
                return None;
            }
            self.blank();
        }
    }

    #[inline(always)]
    fn string(&mut self) -> Option<&'l [u8]> {
        if self.peek() != Some(b'"') {
            return None;
        }
        // Quotes outside of strings there are none, so the next pair is this string's.
        let (open, close) = (self.quotes.next()?, self.quotes.next()?);
        self.at = close + 1;
        self.line.get(open + 1..close)
    }

    #[inline(always)]
    fn digits(&mut self) -> Option<()> {
        let start = self.at;
        while let Some(eight) = self.line.get(self.at..).and_then(<[u8]>::first_chunk) {
            let digits = leading_digits(u64::from_le_bytes(*eight));
            self.at += digits;
            if digits < 8 {
                return (self.at > start).then_some(());
            }
        }
        while let Some(b'0'..=b'9') = self.peek() {
            self.at += 1;
        }
        (self.at > start).then_some(())
    }

    #[inline(always)]
    fn number(&mut self) -> Option<()> {
        self.eat(b'-');
        if !self.eat(b'0') {
            self.digits()?;
        }
        match self.peek() {
            Some(b'.' | b'e' | b'E') => self.fraction(),
            _ => Some(()),
        }
    }

    /// What may stand behind a number's whole part.
    #[inline(never)]
    fn fraction(&mut self) -> Option<()> {
        if self.eat(b'.') {
            self.digits()?;
        }
        if self.eat(b'e') || self.eat(b'E') {
            let _ = self.eat(b'+') || self.eat(b'-');
            self.digits()?;
        }
        Some(())
    }

    #[inline(always)]
    fn word(&mut self, word: &[u8]) -> Option<()> {
        let there = self.line[self.at..].starts_with(word);
        self.at += word.len();
        there.then_some(())
    }
}

/// What a string's inside stands for: bytes where it has some that are not UTF-8. A lone surrogate (`\ud800`) becomes the
/// three bytes that UTF-8 would give it if it could.
pub(crate) fn unescape(inside: &[u8]) -> serde_json::Result<Vec<u8>> {
    struct Bytes(Vec<u8>);
    impl<'de> serde::Deserialize<'de> for Bytes {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            struct Visitor;
            impl serde::de::Visitor<'_> for Visitor {
                type Value = Bytes;
                fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    f.write_str("a string")
                }
                fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Bytes, E> {
                    Ok(Bytes(bytes.into()))
                }
            }
            deserializer.deserialize_bytes(Visitor)
        }
    }
    let quoted = [b"\"", inside, b"\""].concat();
    serde_json::from_slice(&quoted).map(|Bytes(bytes)| bytes)
}

/// The names of a JSON object's members, in order; none if the line is no object.
pub(crate) fn names(line: &[u8]) -> Option<Vec<String>> {
    let mut names = Vec::new();
    let mut members = Members::default();
    members.find_quotes(line)?;
    members.cursor(line).object(|name, _| {
        let name = unescape(name).unwrap_or_else(|_| name.to_vec());
        names.push(String::from_utf8_lossy(&name).into_owned());
    })?;
    Some(names)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde::de::IgnoredAny;

    fn find<'l>(line: &'l [u8]) -> Result<[Option<Value<'l>>; 2], Trouble> {
        let mut spans = Default::default();
        Members::default().find(line, &[b"key", b"n"], &mut spans).map(|values| [values.get(0), values.get(1)])
    }

    /// serde_json's word on whether the line is an object.
    fn is_object(line: &[u8]) -> bool {
        let first = line.iter().find(|b| !b" \t\r\n".contains(b));
        first == Some(&b'{') && serde_json::from_slice::<IgnoredAny>(line).is_ok()
    }

    #[test]
    fn values_as_they_stand() {
        let (a, b) = (Some(Value::String(b"a")), Some(Value::Number(b"-1.50e+2")));
        for (line, values) in [
            (&br#"{"key":"a","n":-1.50e+2}"#[..], [a, b]),
            (b" { \"n\" : -1.50e+2 ,\t\"x\":[1,{\"key\":2},[]], \"key\":\"a\" } \r", [a, b]),
            (b"{}", [None, None]),
            (br#"{"key":null,"n":true}"#, [Some(Value::Null), Some(Value::Bool(true))]),
            (br#"{"key":{"hex":"00"},"n":[{}]}"#, [Some(Value::Object(br#"{"hex":"00"}"#)), Some(Value::Array)]),
            (br#"{"k\u0065y":"a"}"#, [a, None]),
            (br#"{"key":"\\\"","x":"\\"}"#, [Some(Value::String(br#"\\\""#)), None]),
            (b"{\"key\":\"\xff\",\"x\":\"\xfe\"}", [Some(Value::String(b"\xff")), None]),
        ] {
            assert_eq!(find(line), Ok(values), "{}", line.escape_ascii());
        }
    }

    #[test]
    fn a_name_twice() {
        assert_eq!(find(br#"{"n":1,"key":1,"key":2}"#), Err(Trouble::Twice(0)));
        assert_eq!(find(br#"{"n":1,"\u006e":2}"#), Err(Trouble::Twice(1)));
        assert_eq!(find(br#"{"x":1,"x":2}"#), Ok([None, None]));
    }

    #[test]
    fn no_object_is_malformed() {
        let lines: &[&[u8]] = &[
            b"",
            b" ",
            b"null",
            b"[]",
            br#""key""#,
            b"{",
            b"}",
            b"{}}",
            b"{} x",
            br#"{"key"}"#,
            br#"{"key":}"#,
            br#"{"key":"a}"#,
            br#"{"key":"a",}"#,
            br#"{,"key":"a"}"#,
            br#"{"key" "a"}"#,
            br#"{"key":"a" "n":1}"#,
            br#"{key:"a"}"#,
            br#"{"key":'a'}"#,
            br#"{"key":"\x"}"#,
            br#"{"key":"\u12g4"}"#,
            br#"{"key":"\u12"}"#,
            br#"{"key":"a\"}"#,
            b"{\"key\":\"a\tb\"}",
            b"{\"key\":\"a\x00b\"}",
            br#"{"n":01}"#,
            br#"{"n":1.}"#,
            br#"{"n":.5}"#,
            br#"{"n":+1}"#,
            br#"{"n":-}"#,
            br#"{"n":1e}"#,
            br#"{"n":nul}"#,
            br#"{"n":nullx}"#,
            br#"{"n":NaN}"#,
            br#"{"n":[1,]}"#,
            br#"{"n":[1 2]}"#,
            br#"{"n":[1}"#,
            br#"{"n":{"a":1]}"#,
            br#"{"n":"a"b"}"#,
            "{\"n\":1,\u{a0}\"key\":2}".as_bytes(),
        ];
        for line in lines {
            assert_eq!(find(line), Err(Trouble::Malformed), "{}", line.escape_ascii());
            assert!(!is_object(line), "{}", line.escape_ascii());
        }
    }

    #[test]
    fn depth_is_bounded() {
        let nested = |depth: usize| format!("{{\"n\":{}{}}}", "[".repeat(depth), "]".repeat(depth));
        assert_eq!(find(nested(512).as_bytes()), Ok([None, Some(Value::Array)]));
        assert_eq!(find(nested(513).as_bytes()), Err(Trouble::Malformed));
    }

    #[test]
    fn names_in_order() {
        let names = names(br#"{"b":{"x":1},"\u0061":2,"b":3}"#);
        assert_eq!(names, Some(vec!["b".into(), "a".into(), "b".into()]));
    }

    #[test]
    fn unescaped_strings() {
        for (inside, bytes) in [
            (&br#"a\n\u00e9\ud83d\ude00"#[..], "a\né😀".as_bytes()),
            (b"\xff\\t", b"\xff\t"),
            (br"\ud800", b"\xed\xa0\x80"),
        ] {
            assert_eq!(unescape(inside).unwrap(), bytes, "{}", inside.escape_ascii());
        }
    }

    /// Text that looks like JSON more often than not: what is wrong with it is then in one place.
    fn nearly_json() -> impl Strategy<Value = Vec<u8>> {
        let change = prop::option::of((any::<prop::sample::Index>(), any::<u8>(), 0..3u8));
        (members().prop_map(object), change).prop_map(|(text, change)| {
            let mut bytes = text.into_bytes();
            if let Some((at, byte, how)) = change {
                let at = at.index(bytes.len());
                match how {
                    0 => bytes[at] = byte,
                    1 => bytes.insert(at, byte),
                    _ => bytes.truncate(at),
                }
            }
            bytes
        })
    }

    fn members() -> impl Strategy<Value = Vec<(String, String)>> {
        prop::collection::vec(("[a-c]{1,3}|key|n|k\\\\u0065y|[a-z]{14,18}", value()), 0..5)
    }

    fn value() -> impl Strategy<Value = String> {
        let scalar = prop_oneof![
            Just("null".to_string()),
            Just("true".into()),
            "-?(0|[1-9][0-9]{0,20})(\\.[0-9]{1,2})?([eE][+-]?[0-9]{1,2})?",
            // Long runs of backslashes across the bounds of blocks.
            "\"[a\\\\\"é]{0,90}\"",
            "\"(\\\\[\"\\\\/bfnrt]|\\\\u[0-9a-fA-F]{4}|[ -!#-\\[\\]-~]){0,40}\"",
        ];
        scalar.prop_recursive(3, 12, 3, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..3).prop_map(|items| format!("[{}]", items.join(" ,"))),
                prop::collection::vec(("[a-c]{1,3}|key|n", inner), 0..3).prop_map(object),
            ]
        })
    }

    fn object(members: Vec<(String, String)>) -> String {
        let members: Vec<String> = members.iter().map(|(name, value)| format!("\"{name}\": {value}")).collect();
        format!("{{{}}}", members.join(","))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4096))]
        #[test]
        fn accepts_what_serde_json_accepts(line in nearly_json()) {
            let mut spans = Default::default();
            let found = Members::default().find(&line, &[b"no such name"], &mut spans);
            prop_assert_eq!(found.is_ok(), is_object(&line), "{}", line.escape_ascii());
        }

        /// A line that is read by the shape of another one is read the same.
        #[test]
        fn lines_do_not_hang_together(
            (line, next) in prop_oneof![
                (nearly_json(), nearly_json()),
                (members(), "[0-9\"nulx,:{}]{1,2}", any::<prop::sample::Index>()).prop_map(|(members, new, at)| {
                    let line = object(members);
                    let mut next = line.clone();
                    if let Some((at, _)) = next.char_indices().nth(at.index(next.chars().count())) {
                        next.replace_range(at..at + next[at..].chars().next().map_or(0, char::len_utf8), &new);
                    }
                    (line.into_bytes(), next.into_bytes())
                }),
                // The same names with other values, as in most dumps.
                (members(), prop::collection::vec(value(), 5)).prop_map(|(members, values)| {
                    let next = members.iter().zip(values).map(|((name, _), value)| (name.clone(), value)).collect();
                    (object(members).into_bytes(), object(next).into_bytes())
                }),
            ],
        ) {
            let names: [&[u8]; 2] = [b"key", b"n"];
            let mut both = Members::default();
            let _ = both.find(&line, &names, &mut Default::default());
            let (mut spans, mut alone) = Default::default();
            let found = both.find(&next, &names, &mut spans).map(|values| [values.get(0), values.get(1)]);
            let expected = Members::default().find(&next, &names, &mut alone).map(|values| [values.get(0), values.get(1)]);
            prop_assert_eq!(found, expected, "{} behind {}", next.escape_ascii(), line.escape_ascii());
        }

        #[test]
        fn finds_what_serde_json_finds(line in nearly_json()) {
            let (Ok(values), Ok(object)) = (find(&line), serde_json::from_slice(&line)) else { return Ok(()) };
            let object: serde_json::Map<String, serde_json::Value> = object;
            for (name, value) in ["key", "n"].iter().zip(values) {
                match (value, object.get(*name)) {
                    (None, None) => {}
                    (Some(Value::Null), Some(serde_json::Value::Null)) => {}
                    (Some(Value::Bool(a)), Some(serde_json::Value::Bool(b))) => prop_assert_eq!(a, *b),
                    (Some(Value::Number(a)), Some(serde_json::Value::Number(b))) => {
                        prop_assert_eq!(serde_json::from_slice::<serde_json::Number>(a).unwrap(), b.clone());
                    }
                    (Some(Value::String(a)), Some(serde_json::Value::String(b))) => {
                        prop_assert_eq!(unescape(a).unwrap(), b.as_bytes());
                    }
                    (Some(Value::Object(a)), Some(b)) => {
                        prop_assert_eq!(&serde_json::from_slice::<serde_json::Value>(a).unwrap(), b);
                    }
                    (Some(Value::Array), Some(serde_json::Value::Array(_))) => {}
                    (a, b) => prop_assert!(false, "{a:?} {b:?}"),
                }
            }
        }
    }
}
