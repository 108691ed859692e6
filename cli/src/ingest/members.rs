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

/// Finds members. It keeps a buffer between lines.
#[derive(Default)]
pub(crate) struct Members {
    /// A bit for each byte of the line: 1 where a string begins or ends.
    quotes: Vec<u64>,
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
        Some(match text {
            [b'"', inside @ .., b'"'] => Value::String(inside),
            [b'-' | b'0'..=b'9', ..] => Value::Number(text),
            b"null" => Value::Null,
            [b't' | b'f', ..] => Value::Bool(text == b"true"),
            [b'{', ..] => Value::Object(text),
            [b'[', ..] => Value::Array,
            _ => return None,
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
        *spans = [Span::default(); N];
        let mut twice = None;
        self.walk(line, |name, value| {
            let position = |name: &[u8]| names.iter().position(|n| *n == name);
            // A name is rarely written with escapes, but then it is the same name.
            let escaped = || if name.contains(&b'\\') { position(&unescape(name).ok()?) } else { None };
            if let Some(at) = position(name).or_else(escaped) {
                if spans[at].end != 0 {
                    twice.get_or_insert(at);
                }
                spans[at] = value;
            }
        })
        .ok_or(Trouble::Malformed)?;
        twice.map_or(Ok(Values { line, spans }), |at| Err(Trouble::Twice(at)))
    }

    /// Calls `f` with each member's name, as it stands, and value; none if the line is no JSON object.
    fn walk<'l>(&mut self, line: &'l [u8], mut f: impl FnMut(&'l [u8], Span)) -> Option<()> {
        self.find_quotes(line)?;
        let mut cursor = Cursor { line, at: 0, quotes: Quotes::of(&self.quotes) };
        cursor.blank();
        cursor.members(0, &mut f)?;
        cursor.blank();
        (cursor.at == line.len()).then_some(())
    }

    /// Notes where each string begins and ends. None if a string has what no string may have: a control character, an
    /// unknown escape.
    #[inline]
    fn find_quotes(&mut self, line: &[u8]) -> Option<()> {
        self.quotes.clear();
        let (blocks, rest) = line.as_chunks::<64>();
        let mut state = State::default();
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
        if state.control {
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
        // There is no "less than" for unsigned bytes: the lesser of a byte and 31 is the byte.
        state.control |= positions(block, |bytes| bytes.min(u8x16::splat(31)).cmp_eq(bytes)) != 0;
        if backslashes | state.escaped != 0 {
            let mut escaped = state.escaped_in(backslashes);
            quotes &= !escaped;
            while escaped != 0 {
                let at = escaped.trailing_zeros() as usize;
                escaped &= escaped - 1;
                state.bad_escape |= !is_escape(&line[start + at..]);
            }
        }
        self.quotes.push(quotes);
    }
}

/// What a block of 64 bytes leaves to the next one.
#[derive(Default)]
struct State {
    /// 1 if the first byte is escaped.
    escaped: u64,
    control: bool,
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
    Members::default().walk(line, |name, _| {
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
        let scalar = prop_oneof![
            Just("null".to_string()),
            Just("true".into()),
            "-?(0|[1-9][0-9]{0,3})(\\.[0-9]{1,2})?([eE][+-]?[0-9]{1,2})?",
            // Long runs of backslashes across the bounds of blocks.
            "\"[a\\\\\"é]{0,90}\"",
            "\"(\\\\[\"\\\\/bfnrt]|\\\\u[0-9a-fA-F]{4}|[ -!#-\\[\\]-~]){0,40}\"",
        ];
        let value = scalar.prop_recursive(3, 12, 3, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..3).prop_map(|items| format!("[{}]", items.join(" ,"))),
                prop::collection::vec(("[a-c]{1,3}|key|n", inner), 0..3).prop_map(object),
            ]
        });
        let object = prop::collection::vec(("[a-c]{1,3}|key|n|k\\\\u0065y", value), 0..5).prop_map(object);
        (object, prop::option::of((any::<prop::sample::Index>(), any::<u8>(), 0..3u8))).prop_map(|(text, change)| {
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
