//! Literals of collections, tuples, user types and vectors -> bytes.
//!
//! Spec: <https://cassandra.apache.org/doc/latest/cassandra/developing/cql/definitions.html#terms> for the literals,
//! <https://github.com/apache/cassandra/blob/trunk/doc/native_protocol_v5.spec> section 5 for the bytes.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::collections::btree_map::Entry;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::compare::compare;
use super::scalar::{self, Bad};
use super::types::{Scalar, Type, Udt};
use super::{shown, time};
use crate::Why;
use crate::encode::composite::MAX_KEY;

/// Why a literal has no bytes.
#[derive(Debug, PartialEq)]
pub(super) enum Fault {
    /// It is no literal of its type: what is wrong, in words.
    Malformed(String),
    /// The server does not take it.
    Rejected(Why),
    /// The server takes it as this or that.
    Refused(Why),
}

impl Fault {
    /// A value that no partition key has room for.
    pub(super) fn too_long() -> Fault {
        Fault::Rejected(format!("the value is longer than a partition key may be, {MAX_KEY} bytes").into())
    }
}

type Written = Result<bool, Fault>;

fn wrong(what: impl Into<String>) -> Fault {
    Fault::Malformed(what.into())
}

/// Appends the bytes of the literal `text`; false for null. A [`Fault::Malformed`] is found at the byte that comes with
/// it, and before any other fault.
pub(super) fn write(ty: &Type<'_>, text: &str, out: &mut Vec<u8>) -> Result<bool, (Fault, usize)> {
    let mut literal = Literal { text, at: 0, doubt: None };
    let written = literal.value(ty, out).and_then(|written| {
        literal.space();
        if literal.at < text.len() { Err(wrong("the value ends here")) } else { Ok(written) }
    });
    match (written, literal.doubt) {
        (Ok(_), Some(fault)) => Err((fault, 0)),
        (written, _) => written.map_err(|fault| (fault, literal.at)),
    }
}

struct Literal<'v> {
    text: &'v str,
    at: usize,
    /// The first thing that the server does not take, in what is otherwise a literal so far: the rest is still read.
    doubt: Option<Fault>,
}

impl<'v> Literal<'v> {
    /// Notes a null where the server takes none.
    fn not_null(&mut self, written: bool) {
        if !written {
            let why = "null is not supported inside lists, sets, maps and vectors";
            self.doubt.get_or_insert(Fault::Rejected(why.into()));
        }
    }

    fn rest(&self) -> &'v str {
        &self.text[self.at..]
    }

    fn space(&mut self) {
        self.at = self.text.len() - self.rest().trim_start_matches(super::SPACE).len();
    }

    /// Takes `byte`, and the space before it.
    fn eat(&mut self, byte: u8) -> bool {
        self.space();
        let found = self.rest().as_bytes().first() == Some(&byte);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, byte: u8) -> Result<(), Fault> {
        if self.eat(byte) { Ok(()) } else { Err(wrong(format!("{:?} is missing", char::from(byte)))) }
    }

    /// Takes a constant that stands without quotes.
    fn word(&mut self) -> &'v str {
        let rest = self.rest();
        let end = rest.find(|c: char| !(c.is_alphanumeric() || "+-._".contains(c))).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// Takes a text in single quotes, in which two are one, or between double dollars; none where there is neither.
    fn quoted(&mut self) -> Result<Option<Cow<'v, str>>, Fault> {
        if let Some(rest) = self.rest().strip_prefix("$$") {
            let end = rest.find("$$").ok_or_else(|| wrong("the closing $$ is missing"))?;
            self.at += end + 4;
            return Ok(Some(Cow::Borrowed(&rest[..end])));
        }
        self.between("'")
    }

    /// Takes a text between two of `quote`, in which two are one.
    fn between(&mut self, quote: &str) -> Result<Option<Cow<'v, str>>, Fault> {
        let Some(inner) = self.rest().strip_prefix(quote) else { return Ok(None) };
        let mut end = 0;
        let mut doubled = false;
        loop {
            end += inner[end..].find(quote).ok_or_else(|| wrong(format!("the closing {quote} is missing")))?;
            if !inner[end + 1..].starts_with(quote) {
                break;
            }
            doubled = true;
            end += 2;
        }
        self.at += end + 2;
        let inner = &inner[..end];
        Ok(Some(if doubled { inner.replace(&[quote, quote].concat(), quote).into() } else { inner.into() }))
    }

    /// Takes what `item` takes, between `open` and `close` and separated by commas; gives the number of items.
    fn sequence(
        &mut self,
        open: u8,
        close: u8,
        mut item: impl FnMut(&mut Self) -> Result<(), Fault>,
    ) -> Result<u32, Fault> {
        self.expect(open)?;
        let mut items = 0;
        if self.eat(close) {
            return Ok(0);
        }
        loop {
            item(self)?;
            items += 1;
            if self.eat(close) {
                return Ok(items);
            }
            if !self.eat(b',') {
                return Err(wrong(format!("',' or {:?} is missing", char::from(close))));
            }
        }
    }

    /// Takes a value of any type; false for null.
    fn value(&mut self, ty: &Type<'_>, out: &mut Vec<u8>) -> Written {
        self.space();
        let start = self.at;
        if self.word().eq_ignore_ascii_case("null") {
            return Ok(false);
        }
        self.at = start;
        match ty {
            Type::Scalar(scalar) => self.scalar(*scalar, out)?,
            Type::List(element) => {
                let at = begin(out);
                let items = self.sequence(b'[', b']', |literal| {
                    let written = literal.framed(element, out)?;
                    literal.not_null(written);
                    fits(out.len() - at)
                })?;
                out[at..at + 4].copy_from_slice(&items.to_be_bytes());
            }
            Type::Set(element) => self.sorted(element, None, out)?,
            Type::Map(entry) => self.sorted(&entry.0, Some(&entry.1), out)?,
            Type::Tuple(parts) => self.parts(parts, out)?,
            // The server reads parentheses as the fields in order.
            Type::Udt(udt) if self.rest().starts_with('(') => self.parts(&udt.types, out)?,
            Type::Udt(udt) => self.fields(udt, out)?,
            Type::Vector(element, dimension) => self.vector(element, *dimension, out)?,
        }
        Ok(true)
    }

    /// Takes a value with its length before it; -1 for null.
    fn framed(&mut self, ty: &Type<'_>, out: &mut Vec<u8>) -> Written {
        let at = begin(out);
        if !self.value(ty, out)? {
            out[at..].fill(0xff);
            return Ok(false);
        }
        let length = out.len() - at - 4;
        fits(length)?;
        out[at..at + 4].copy_from_slice(&(length as u32).to_be_bytes());
        Ok(true)
    }

    fn scalar(&mut self, scalar: Scalar, out: &mut Vec<u8>) -> Result<(), Fault> {
        let at = self.at;
        let text = match self.quoted()? {
            Some(text) if scalar.is_quoted() => text,
            Some(_) => {
                self.at = at;
                return Err(wrong(format!("{} stands without quotes", scalar.name())));
            }
            None => {
                let word = self.word();
                if word.is_empty() {
                    return Err(wrong(format!("a value of type {} is missing", scalar.name())));
                }
                if scalar.is_quoted() && !(scalar.is_temporal() && time::is_integer(word)) {
                    self.at = at;
                    return Err(wrong(format!("{} stands in single quotes", scalar.name())));
                }
                word.into()
            }
        };
        scalar::text(scalar, &text, out).map_err(|bad| {
            self.at = at;
            match bad {
                Bad::Not(allowed) => wrong(format!("{} is no {}: {allowed}", shown(&text), scalar.name())),
                Bad::TooLong => Fault::too_long(),
            }
        })
    }

    /// Takes a set, or a map where there is a type of values: in the order of the elements' own type, each once.
    fn sorted(&mut self, key: &Type<'_>, value: Option<&Type<'_>>, out: &mut Vec<u8>) -> Result<(), Fault> {
        let mut entries: BTreeMap<Vec<u8>, Vec<u8>> = BTreeMap::new();
        let mut total = 0;
        self.sequence(b'{', b'}', |literal| {
            let (mut key_bytes, mut value_bytes) = (Vec::new(), Vec::new());
            let mut written = literal.framed(key, &mut key_bytes)?;
            if let Some(value) = value {
                literal.expect(b':')?;
                written &= literal.framed(value, &mut value_bytes)?;
            }
            literal.not_null(written);
            let length = key_bytes.len() + value_bytes.len();
            match entries.entry(key_bytes) {
                Entry::Vacant(entry) => {
                    entry.insert(value_bytes);
                    total += length;
                    // A key longer than this is no key, even if its elements should turn out to be equal.
                    fits(total)
                }
                Entry::Occupied(entry) if *entry.get() == value_bytes => Ok(()),
                Entry::Occupied(_) => {
                    let why = "a map has one key twice, with two values; which one the server keeps differs from one \
                               statement to the next: give one of them";
                    literal.doubt.get_or_insert(Fault::Refused(why.into()));
                    Ok(())
                }
            }
        })?;
        let mut entries: Vec<(Vec<u8>, Vec<u8>)> = entries.into_iter().collect();
        entries.sort_by(|(a, _), (b, _)| compare(key, &a[4..], &b[4..]));
        if entries.windows(2).any(|pair| compare(key, &pair[0].0[4..], &pair[1].0[4..]).is_eq()) {
            let why = format!(
                "two of the set's elements or the map's keys are equal as {key}, but of different bytes; which one the \
                 server keeps differs from one statement to the next: give one of them"
            );
            self.doubt.get_or_insert(Fault::Refused(why.into()));
        }
        out.extend_from_slice(&(entries.len() as u32).to_be_bytes());
        entries.iter().for_each(|(key, value)| {
            out.extend_from_slice(key);
            out.extend_from_slice(value);
        });
        Ok(())
    }

    /// Takes a tuple: it may be shorter than its type, and then its bytes are too.
    fn parts(&mut self, types: &[Type<'_>], out: &mut Vec<u8>) -> Result<(), Fault> {
        let start = out.len();
        let mut types_left = types.iter();
        let items = self.sequence(b'(', b')', |literal| {
            let Some(ty) = types_left.next() else {
                return Err(wrong(format!("the type has {} components", types.len())));
            };
            literal.framed(ty, out)?;
            fits(out.len() - start)
        })?;
        if items == 0 { Err(wrong("a tuple has at least one component")) } else { Ok(()) }
    }

    /// Takes a user type's fields, in any order: those that are missing are null. Of a field twice, the last counts.
    fn fields(&mut self, udt: &Udt<'_>, out: &mut Vec<u8>) -> Result<(), Fault> {
        let mut fields: Vec<Option<Vec<u8>>> = vec![None; udt.names.len()];
        self.sequence(b'{', b'}', |literal| {
            literal.space();
            let at = literal.at;
            let name = match literal.between("\"")? {
                Some(name) => name,
                None => Cow::Owned(literal.word().to_lowercase()),
            };
            let Some(i) = udt.field(&name) else {
                literal.at = at;
                let names = shown(&udt.names.join(", "));
                return Err(wrong(format!("there is no field {}; allowed: {names}", shown(&name))));
            };
            literal.expect(b':')?;
            let mut bytes = Vec::new();
            literal.framed(&udt.types[i], &mut bytes)?;
            fields[i] = Some(bytes);
            Ok(())
        })?;
        let start = out.len();
        for field in fields {
            out.extend_from_slice(field.as_deref().unwrap_or(&[0xff; 4]));
            fits(out.len() - start)?;
        }
        Ok(())
    }

    /// Takes a vector: elements of fixed length stand bare, others with their length as an unsigned vint before them.
    fn vector(&mut self, element: &Type<'_>, dimension: u32, out: &mut Vec<u8>) -> Result<(), Fault> {
        let start = out.len();
        let fixed = element.fixed().is_some();
        // To the server an empty text of these types is a null.
        let empty_is_null = matches!(element, Type::Scalar(Scalar::Inet | Scalar::Timestamp));
        let items = self.sequence(b'[', b']', |literal| {
            let at = out.len();
            let written = literal.value(element, out)?;
            let length = out.len() - at;
            literal.not_null(written && (length > 0 || !empty_is_null));
            fits(length)?;
            if !fixed {
                let length = length as u32;
                let (vint, used) = unsigned_vint(length);
                out.extend_from_slice(&vint[..used]);
                out[at..].rotate_right(used);
            }
            fits(out.len() - start)
        })?;
        if items == dimension {
            Ok(())
        } else {
            Err(wrong(format!("the vector has {items} elements, its type {dimension}")))
        }
    }
}

/// Begins something whose length or count comes before it.
fn begin(out: &mut Vec<u8>) -> usize {
    let at = out.len();
    out.extend_from_slice(&[0; 4]);
    at
}

/// Ends a value as soon as no key has room for it: a short literal of many fields may stand for much more.
fn fits(length: usize) -> Result<(), Fault> {
    if length <= MAX_KEY { Ok(()) } else { Err(Fault::too_long()) }
}

/// Cassandra's unsigned vint: as many leading ones as bytes follow, then the number, big-endian.
///
/// Spec: <https://github.com/apache/cassandra/blob/trunk/src/java/org/apache/cassandra/utils/vint/VIntCoding.java>.
fn unsigned_vint(n: u32) -> ([u8; 5], usize) {
    let following = match n {
        0..0x80 => 0,
        0x80..0x4000 => 1,
        0x4000..0x20_0000 => 2,
        0x20_0000..0x1000_0000 => 3,
        0x1000_0000.. => 4,
    };
    let mut bytes = [0; 5];
    bytes[..=following].copy_from_slice(&u64::from(n).to_be_bytes()[7 - following..]);
    bytes[0] |= !(0xff >> following) as u8;
    (bytes, following + 1)
}

#[cfg(test)]
mod tests {
    use super::super::{MAX_DEPTH, encode};
    use super::*;
    use crate::encode::EncodeError;
    use crate::{Typed, Value};
    use alloc::string::ToString;
    use core::fmt::Write;
    use proptest::prelude::*;

    fn encoded(ty: &str, value: &str) -> Result<Option<String>, EncodeError> {
        let mut out = Vec::new();
        let written = encode(Typed { ty, value: Value::Text(value) }, &mut out)?;
        let mut hex = String::new();
        out.iter().for_each(|byte| write!(hex, "{byte:02x}").unwrap());
        Ok(written.then_some(hex))
    }

    fn bytes(ty: &str, value: &str) -> String {
        encoded(ty, value).unwrap_or_else(|e| panic!("{ty} {value}: {e:?}")).unwrap()
    }

    fn malformed(ty: &str, value: &str) -> String {
        match encoded(ty, value) {
            Err(EncodeError::Malformed(e)) => e.to_string(),
            other => panic!("{ty} {value}: {other:?}"),
        }
    }

    /// An element of over 255 bytes has a length of two bytes, both of which count. The token is that of cassandra-all 5.0.9
    /// for either order of the literal.
    #[test]
    fn long_elements_of_vectors_are_sorted() {
        let common = "k".repeat(290);
        let ty = "frozen<set<frozen<vector<text,1>>>>";
        for (first, second) in [("a", "b"), ("b", "a")] {
            let value = alloc::format!("{{['{common}{first}'],['{common}{second}']}}");
            let mut out = Vec::new();
            encode(Typed { ty, value: Value::Text(&value) }, &mut out).unwrap();
            assert_eq!(crate::schemes::cassandra::token(&out), 3177519209360527646, "{first} before {second}");
        }
    }

    /// Values of cassandra-all 5.0.9, 4.1.10, 4.0.19 and 3.11.19.
    #[test]
    fn collections_of_the_server() {
        for (ty, value, expect) in [
            ("frozen<list<int>>", "[]", "00000000"),
            ("frozen<list<int>>", " [ 1 ,\n2 ] ", "0000000200000004000000010000000400000002"),
            ("frozen<list<text>>", "[$$it's$$]", "000000010000000469742773"),
            ("frozen<list<text>>", "['it''s']", "000000010000000469742773"),
            ("frozen<list<text>>", "[$$a$$,$$$b$$]", "000000020000000161000000022462"),
            ("frozen<list<text>>", "[$$$$]", "0000000100000000"),
            ("frozen<list<date>>", "['2024-01-01',5,'5']", "000000030000000480004d0b00000004000000050000000400000005"),
            ("frozen<list<timestamp>>", "['']", "0000000100000000"),
            ("frozen<set<text>>", "{}", "00000000"),
            ("frozen<set<text>>", "{'b','a','a'}", "0000000200000001610000000162"),
            ("frozen<set<text>>", "{'😀','\u{ffff}'}", "0000000200000003efbfbf00000004f09f9880"),
            (
                "frozen<set<int>>",
                "{3,1,-1,2,1}",
                "0000000400000004ffffffff000000040000000100000004000000020000000400000003",
            ),
            ("frozen<set<smallint>>", "{-1,1,0}", "0000000300000002ffff000000020000000000020001"),
            (
                "frozen<set<varint>>",
                "{-1,1,0,-129,128,300,-300}",
                "0000000700000002fed400000002ff7f00000001ff0000000100000000010100000002008000000002012c",
            ),
            (
                "frozen<set<decimal>>",
                "{1.5,-1.5,0,1e3,999}",
                "000000050000000500000001f100000005000000000000000005000000010f000000060000000003e700000005fffffffd01",
            ),
            (
                "frozen<set<double>>",
                "{0.0,-0.0,NaN}",
                "00000003000000088000000000000000000000080000000000000000000000087ff8000000000000",
            ),
            ("frozen<set<boolean>>", "{true,false,true}", "0000000200000001000000000101"),
            ("frozen<set<inet>>", "{'','1.2.3.4'}", "00000002000000000000000401020304"),
            ("frozen<set<timestamp>>", "{'',1,-1}", "000000030000000000000008ffffffffffffffff000000080000000000000001"),
            (
                "frozen<set<frozen<set<int>>>>",
                "{{2,1},{1,2}}",
                "00000001000000140000000200000004000000010000000400000002",
            ),
            (
                "frozen<set<frozen<list<int>>>>",
                "{[2],[1,5],[],[-1],[1]}",
                "0000000500000004000000000000000c0000000100000004ffffffff0000000c0000000100000004000000010000001400000002\
                 000000040000000100000004000000050000000c000000010000000400000002",
            ),
            ("frozen<map<text,int>>", "{}", "00000000"),
            (
                "frozen<map<text,int>>",
                "{'b':2, 'a' : 1}",
                "000000020000000161000000040000000100000001620000000400000002",
            ),
            ("frozen<map<int,int>>", "{1:3,1:3}", "0000000100000004000000010000000400000003"),
            ("frozen<map<inet,inet>>", "{'':'1.2.3.4'}", "00000001000000000000000401020304"),
            (
                "frozen<map<int,frozen<list<text>>>>",
                "{2:['x'],1:[]}",
                "0000000200000004000000010000000400000000000000040000000200000009000000010000000178",
            ),
            (
                "frozen<map<frozen<tuple<int,int>>,text>>",
                "{(1,2):'a',(0,5):'b'}",
                "000000020000001000000004000000000000000400000005000000016200000010000000040000000100000004000000020000000161",
            ),
        ] {
            assert_eq!(bytes(ty, value), expect, "{ty} {value}");
        }
    }

    /// Values of cassandra-all 5.0.9, 4.1.10, 4.0.19 and 3.11.19: by version, then by time, then by the other bytes,
    /// which are signed in a `timeuuid`.
    #[test]
    fn uuids_are_in_the_servers_order() {
        let parts = |bytes: String| -> Vec<String> {
            let parts = bytes.as_bytes()[8..].chunks(40);
            parts.map(|part| String::from_utf8(part[8..].to_vec()).unwrap()).collect()
        };
        let uuids = bytes(
            "set<uuid>",
            "{ffffffff-ffff-4fff-ffff-ffffffffffff,00000000-0000-4000-0000-000000000000,\
              00000000-0000-1000-8000-000000000000,10000000-0000-1000-8000-000000000000,\
              00000000-0000-1001-8000-000000000000,00000000-0001-1000-8000-000000000000,\
              00000000-0000-1000-0000-000000000000,00000000-0000-0000-0000-000000000000,\
              00000001-0000-4000-0000-000000000000,00000000-0001-4000-0000-000000000000,\
              00000000-0000-7000-0000-000000000000,00000000-0000-f000-0000-000000000000}",
        );
        assert_eq!(
            parts(uuids),
            [
                "00000000000000000000000000000000",
                "00000000000010000000000000000000",
                "00000000000010008000000000000000",
                "10000000000010008000000000000000",
                "00000000000110008000000000000000",
                "00000000000010018000000000000000",
                "00000000000040000000000000000000",
                "00000000000140000000000000000000",
                "00000001000040000000000000000000",
                "ffffffffffff4fffffffffffffffffff",
                "00000000000070000000000000000000",
                "000000000000f0000000000000000000",
            ]
        );
        let timeuuids = bytes(
            "set<timeuuid>",
            "{ffffffff-ffff-1fff-ffff-ffffffffffff,00000000-0000-1000-8000-000000000000,\
              10000000-0000-1000-8000-000000000000,00000000-0000-1001-8000-000000000000,\
              00000000-0001-1000-8000-000000000000,00000000-0000-1000-0000-000000000000,\
              00000000-0000-1000-7f00-000000000000,00000000-0000-1000-0000-0000000000ff}",
        );
        assert_eq!(
            parts(timeuuids),
            [
                "00000000000010008000000000000000",
                "000000000000100000000000000000ff",
                "00000000000010000000000000000000",
                "00000000000010007f00000000000000",
                "10000000000010008000000000000000",
                "00000000000110008000000000000000",
                "00000000000010018000000000000000",
                "ffffffffffff1fffffffffffffffffff",
            ]
        );
    }

    const ADDRESS: &str = "frozen<udt<street:text,zip:int,note:blob>>";

    /// Values of cassandra-all 5.0.9, 4.1.10, 4.0.19 and 3.11.19.
    #[test]
    fn tuples_and_user_types_of_the_server() {
        for (ty, value, expect) in [
            ("tuple<int,text>", "(1,'a')", "00000004000000010000000161"),
            ("tuple<int,text>", "(1,null)", "0000000400000001ffffffff"),
            ("tuple<int,text>", "(NULL, 'a')", "ffffffff0000000161"),
            ("tuple<int,text>", "(1)", "0000000400000001"),
            ("tuple<tuple<int>>", "((1))", "000000080000000400000001"),
            ("tuple<inet,timestamp>", "('','')", "0000000000000000"),
            (
                "tuple<list<int>,set<text>>",
                "([1],{'b','a'})",
                "0000000c0000000100000004000000010000000e0000000200000001610000000162",
            ),
            (ADDRESS, "{street:'s',zip:1,note:0xff}", "0000000173000000040000000100000001ff"),
            (ADDRESS, "{zip:1,street:'s'}", "00000001730000000400000001ffffffff"),
            (ADDRESS, "{zip : 1}", "ffffffff0000000400000001ffffffff"),
            (ADDRESS, "{note:null}", "ffffffffffffffffffffffff"),
            (ADDRESS, "{STREET:'s'}", "0000000173ffffffffffffffff"),
            (ADDRESS, "{\"street\":'s'}", "0000000173ffffffffffffffff"),
            (ADDRESS, "{zip:1,zip:2}", "ffffffff0000000400000002ffffffff"),
            ("udt<a:int,B:int>", "{a:1,\"B\":2}", "00000004000000010000000400000002"),
            ("udt<a:int,b:text>", "(1)", "0000000400000001"),
            (
                "udt<a:udt<x:int,y:int>,b:list<int>>",
                "{a:{x:1},b:[2]}",
                "0000000c0000000400000001ffffffff0000000c000000010000000400000002",
            ),
        ] {
            assert_eq!(bytes(ty, value), expect, "{ty} {value}");
        }
        // The server reads {} as an empty set; a driver sends such a value as nulls, as it sends all missing fields.
        assert_eq!(bytes(ADDRESS, "{}"), bytes(ADDRESS, "{note:null}"));
    }

    /// Values of cassandra-all 5.0.9.
    #[test]
    fn vectors_of_the_server() {
        for (ty, value, expect) in [
            ("vector<tinyint,3>", "[1,2,3]", "010101020103"),
            ("vector<smallint,2>", "[1,-1]", "02000102ffff"),
            ("vector<int,2>", "[1,2]", "0000000100000002"),
            ("vector<boolean,2>", "[true,false]", "0100"),
            ("vector<float,2>", "[NaN,-0.0]", "7fc0000080000000"),
            ("vector<timestamp,2>", "[0,'2024-01-01']", "00000000000000000000018cc251f400"),
            ("vector<date,2>", "[0,'2024-01-01']", "04000000000480004d0b"),
            ("vector<time,2>", "[0,'01:00:00']", "080000000000000000080000034630b8a000"),
            ("vector<uuid,1>", "[123e4567-e89b-12d3-a456-426614174000]", "123e4567e89b12d3a456426614174000"),
            ("vector<inet,2>", "['1.2.3.4','::1']", "04010203041000000000000000000000000000000001"),
            ("vector<text,2>", "['aé','b']", "0361c3a90162"),
            ("vector<text,2>", "['a','']", "016100"),
            ("vector<vector<int,2>,2>", "[[1,2],[3,4]]", "00000001000000020000000300000004"),
            ("vector<vector<text,2>,2>", "[['a','b'],['c','d']]", "04016101620401630164"),
            ("vector<tuple<int,int>,2>", "[(1,2),(3)]", "1000000004000000010000000400000002080000000400000003"),
            (
                "set<vector<int,2>>",
                "{[1,2],[-1,5],[0,0]}",
                "0000000300000008ffffffff00000005000000080000000000000000000000080000000100000002",
            ),
            ("set<vector<text,1>>", "{['b'],['aa'],['a']}", "0000000300000002016100000003026161000000020162"),
        ] {
            assert_eq!(bytes(ty, value), expect, "{ty} {value}");
        }
        for (length, expect) in [(127, "7f78"), (128, "808078"), (16384, "c0400078")] {
            let value = format!("['{}']", "x".repeat(length));
            assert!(bytes("vector<text,1>", &value).starts_with(expect), "{length}");
        }
    }

    /// cassandra-all 5.0.9 has the shorter text first, whatever its length takes: an element ends where the next begins.
    #[test]
    fn vectors_are_compared_element_by_element() {
        for length in [1, 127, 128, 300, 20_000] {
            let short = "x".repeat(length);
            let set = format!("{{['{short}\0','a'],['{short}','a']}}");
            let list = format!("[['{short}','a'],['{short}\0','a']]");
            assert_eq!(bytes("set<vector<text,2>>", &set), bytes("list<vector<text,2>>", &list), "{length}");
        }
    }

    /// None of them is taken by cassandra-all 5.0.9, 4.1.10, 4.0.19 or 3.11.19 (vectors: 5.0.9).
    #[test]
    fn what_is_no_literal_is_named() {
        for (ty, value, said) in [
            ("list<int>", "", "at byte 0, '[' is missing"),
            ("list<int>", "1", "'[' is missing"),
            ("list<int>", "[1", "',' or ']' is missing"),
            ("list<int>", "[1,]", "at byte 3, a value of type int is missing"),
            ("list<int>", "[1 2]", "',' or ']' is missing"),
            ("list<int>", "[1] 2", "the value ends here"),
            ("list<int>", "['1']", "at byte 1, int stands without quotes"),
            ("list<int>", "[2147483648]", "\"2147483648\" is no int: a whole number from -2147483648"),
            ("list<int>", "[1.0]", "\"1.0\" is no int"),
            ("list<text>", "[a]", "text stands in single quotes"),
            ("list<text>", "[\"a\"]", "a value of type text is missing"),
            ("list<text>", "['a]", "the closing ' is missing"),
            ("list<text>", "[$$a]", "the closing $$ is missing"),
            ("list<date>", "[2024-01-01]", "date stands in single quotes"),
            ("list<ascii>", "['é']", "is no ascii"),
            ("set<text>", "['a']", "'{' is missing"),
            ("set<text>", "{'a':1}", "',' or '}' is missing"),
            ("map<text,int>", "{'a'}", "':' is missing"),
            ("tuple<int,text>", "()", "at least one component"),
            ("tuple<int,text>", "(1,'a',2)", "the type has 2 components"),
            ("udt<a:int>", "{b:1}", "there is no field \"b\"; allowed: \"a\""),
            ("udt<a:int,B:int>", "{B:1}", "there is no field \"b\""),
            ("udt<a:int>", "{'a':1}", "there is no field \"\""),
            ("udt<a:int>", "{a 1}", "':' is missing"),
            ("vector<int,3>", "[1,2]", "the vector has 2 elements, its type 3"),
            ("vector<int,3>", "(1,2,3)", "'[' is missing"),
        ] {
            let error = malformed(ty, value);
            assert!(error.contains(said) && error.contains(ty), "{ty} {value}: {error}");
        }
        let int = encode(Typed { ty: "list<int>", value: Value::Int(1) }, &mut Vec::new());
        assert!(matches!(int, Err(EncodeError::Malformed(_))));
    }

    #[test]
    fn nulls_inside_collections_are_rejected() {
        for (ty, value) in [
            ("list<int>", "[1, null]"),
            ("set<text>", "{NULL}"),
            ("set<set<decimal>>", "{null,{},{null,1}}"),
            ("map<text,int>", "{'a':null}"),
            ("map<text,int>", "{null:1}"),
            ("vector<int,2>", "[null,1]"),
            ("vector<text,1>", "[null]"),
            ("vector<inet,2>", "['','::']"),
            ("vector<timestamp,1>", "['']"),
            ("set<vector<uuid,1>>", "{[null]}"),
            ("list<tuple<list<int>>>", "[([null])]"),
        ] {
            assert!(matches!(encoded(ty, value), Err(EncodeError::Rejected(_))), "{ty} {value}");
            malformed(ty, &format!("{value} x"));
        }
        assert_eq!(encoded("list<int>", " Null "), Ok(None));
        assert_eq!(encoded("int", "null"), Ok(None));
        assert_eq!(bytes("text", "null"), "6e756c6c");
    }

    /// Asked often, each of cassandra-all 5.0.9, 4.1.10, 4.0.19 and 3.11.19 gives two answers to each of these.
    #[test]
    fn literals_that_the_server_takes_as_this_or_that_are_refused() {
        for (ty, value, said) in [
            ("map<text,int>", "{'a':1,'a':2}", "one key twice"),
            ("set<decimal>", "{1.0,1.00}", "equal as decimal,"),
            ("set<decimal>", "{10,1e1}", "equal as decimal,"),
            ("map<decimal,int>", "{1.0:1,1.00:2}", "equal as decimal,"),
            ("set<tuple<int,text>>", "{(1),(1,null)}", "equal as tuple of 2,"),
            ("list<set<list<decimal>>>", "[{[1],[1.0]}]", "equal as list<decimal>,"),
        ] {
            let refused = encoded(ty, value);
            assert!(
                matches!(&refused, Err(EncodeError::Refused(why)) if why.contains(said)),
                "{ty} {value}: {refused:?}"
            );
            malformed(ty, &format!("{value} x"));
        }
    }

    #[test]
    fn lengths_and_depths_are_bounded() {
        let rejected = |ty: &str, value: &str| match encoded(ty, value) {
            Err(EncodeError::Rejected(why)) => assert!(why.contains("65535 bytes"), "{why}"),
            other => panic!("{ty}: {other:?}"),
        };
        // Six bytes of literal for a user type of 16,000.
        let fields: Vec<String> = (0..4000).map(|i| format!("f{i}:int")).collect();
        let wide = format!("udt<{}>", fields.join(","));
        rejected(&format!("list<{wide}>"), &format!("[{}{{f1:1}}]", "{f1:1},".repeat(10_000)));
        // One element, however often it stands there.
        let set = bytes(&format!("set<{wide}>"), &format!("{{{}{{f1:null}}}}", "{f1:null},".repeat(100)));
        assert_eq!(set.len(), 2 * (4 + 4 + 4 * 4000));

        rejected("list<tinyint>", &format!("[{}1]", "1,".repeat(100_000)));
        let ints: Vec<String> = (0..20_000).map(|n| n.to_string()).collect();
        rejected("set<int>", &format!("{{{}}}", ints.join(",")));
        bytes("map<text,text>", &format!("{{'{0}':'{0}'}}", "x".repeat(300)));
        rejected("list<varint>", &format!("[{}]", "9".repeat(200_000)));
        rejected("vector<text,1>", &format!("['{}']", "x".repeat(65_536)));
        let decimals: Vec<String> = (0..8).map(|i| format!("{}{i}", "9".repeat(7500))).collect();
        bytes("set<decimal>", &format!("{{{}}}", decimals.join(",")));

        let nested = |depth: usize, open: &str, inner: &str, close: &str| {
            [&open.repeat(depth), inner, &close.repeat(depth)].concat()
        };
        let ty = nested(MAX_DEPTH, "set<", "int", ">");
        bytes(&ty, &nested(MAX_DEPTH, "{", "1", "}"));
        malformed(&ty, &nested(MAX_DEPTH + 1, "{", "1", "}"));
        malformed(&ty, &"{".repeat(1_000_000));
    }

    proptest! {
        #[test]
        fn the_order_and_number_of_elements_do_not_matter(
            ints in proptest::collection::vec(any::<i32>(), 0..8),
            texts in proptest::collection::vec("[ab'é😀]{0,3}", 0..8),
        ) {
            let texts: Vec<String> = texts.iter().map(|text| format!("'{}'", text.replace('\'', "''"))).collect();
            let ints: Vec<String> = ints.iter().map(i32::to_string).collect();
            let lists: Vec<String> = ints.iter().map(|n| format!("[{n}]")).collect();
            for (ty, elements) in [
                ("set<text>", &texts),
                ("set<int>", &ints),
                ("set<varint>", &ints),
                ("set<double>", &ints),
                ("set<list<int>>", &lists),
                ("set<vector<int,1>>", &lists),
            ] {
                let again: Vec<String> = elements.iter().rev().chain(elements).cloned().collect();
                let [once, again] = [elements.join(","), again.join(" , ")].map(|elements| format!("{{{elements}}}"));
                prop_assert_eq!(bytes(ty, &once), bytes(ty, &again), "{} {}", ty, once);
            }
        }

        #[test]
        fn a_set_of_integers_is_in_numeric_order(mut ints in proptest::collection::vec(any::<i64>(), 0..8)) {
            let join = |ints: &[i64]| ints.iter().map(i64::to_string).collect::<Vec<_>>().join(",");
            let set = format!("{{{}}}", join(&ints));
            ints.sort();
            ints.dedup();
            let list = format!("[{}]", join(&ints));
            for ty in ["bigint", "varint", "timestamp", "decimal"] {
                prop_assert_eq!(bytes(&format!("set<{ty}>"), &set), bytes(&format!("list<{ty}>"), &list));
            }
        }

        #[test]
        fn a_short_tuple_is_a_prefix(a: i32, b: bool) {
            let long = bytes("tuple<int,boolean>", &format!("({a},{b})"));
            let short = bytes("tuple<int,boolean>", &format!("({a})"));
            prop_assert!(long.starts_with(&short));
            prop_assert_eq!(long.len(), 2 * (4 + 4 + 4 + 1));
        }

        #[test]
        fn a_text_comes_back_from_its_quotes(text: String) {
            let list = bytes("list<text>", &format!("['{}']", text.replace('\'', "''")));
            let plain = bytes("text", &text);
            prop_assert_eq!(list, format!("00000001{:08x}{plain}", text.len()));
        }

        #[test]
        fn no_text_panics(value in r#"([\[\](){},:'" $]|\$\$|''|null|true|NaN|[-0-9.ex]{1,3}|'a'|a:|é|1){0,30}"#) {
            for ty in [
                "list<int>",
                "set<text>",
                "set<decimal>",
                "map<text,set<int>>",
                "map<tuple<int,text>,vector<text,1>>",
                "set<map<vector<int,2>,inet>>",
                "tuple<int,list<timestamp>,blob>",
                "udt<a:int,e:set<udt<a:decimal>>>",
                "vector<tuple<int>,2>",
                "vector<uuid,1>",
                "set<vector<set<timeuuid>,2>>",
            ] {
                let _ = encoded(ty, &value);
            }
        }

        #[test]
        fn no_random_text_panics(value: String) {
            let _ = (encoded("list<text>", &value), encoded("map<int,udt<a:text>>", &value));
        }
    }
}
