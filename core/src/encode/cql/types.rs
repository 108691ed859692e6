//! CQL's type names.
//!
//! Spec: <https://cassandra.apache.org/doc/latest/cassandra/developing/cql/types.html>.

use alloc::boxed::Box;
use alloc::format;
use alloc::vec::Vec;
use core::fmt;

use crate::KeyError;
use crate::encode::EncodeError;

/// How deep types may nest. The server sets no limit; here each level is a call, and no key needs this many.
pub const MAX_DEPTH: usize = 32;

/// The names of the types that a key may have, as messages list them.
pub const TYPES: &str = "ascii, bigint, blob, boolean, date, decimal, double, float, inet, int, smallint, text, time, \
     timestamp, timeuuid, tinyint, uuid, varchar, varint, list<T>, set<T>, map<K,V>, tuple<T,...>, \
     udt<name:T,...>, vector<T,n>, and frozen<> around these";

/// A type without parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scalar {
    Ascii,
    BigInt,
    Blob,
    Boolean,
    Date,
    Decimal,
    Double,
    Float,
    Inet,
    Int,
    SmallInt,
    Text,
    Time,
    Timestamp,
    TimeUuid,
    TinyInt,
    Uuid,
    Varint,
}

impl Scalar {
    const ALL: [(&'static str, Scalar); 19] = [
        ("ascii", Scalar::Ascii),
        ("bigint", Scalar::BigInt),
        ("blob", Scalar::Blob),
        ("boolean", Scalar::Boolean),
        ("date", Scalar::Date),
        ("decimal", Scalar::Decimal),
        ("double", Scalar::Double),
        ("float", Scalar::Float),
        ("inet", Scalar::Inet),
        ("int", Scalar::Int),
        ("smallint", Scalar::SmallInt),
        ("text", Scalar::Text),
        ("time", Scalar::Time),
        ("timestamp", Scalar::Timestamp),
        ("timeuuid", Scalar::TimeUuid),
        ("tinyint", Scalar::TinyInt),
        ("uuid", Scalar::Uuid),
        ("varchar", Scalar::Text),
        ("varint", Scalar::Varint),
    ];

    /// The scalar of this name, in any case.
    #[inline]
    pub(super) fn named(name: &str) -> Option<Scalar> {
        Scalar::ALL.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, scalar)| *scalar)
    }

    pub(super) fn name(self) -> &'static str {
        Scalar::ALL.iter().find(|(_, scalar)| *scalar == self).map_or("", |(name, _)| name)
    }

    /// Whether a literal of it stands in quotes. Dates and times may also be bare integers.
    pub(super) fn is_quoted(self) -> bool {
        matches!(self, Scalar::Ascii | Scalar::Text | Scalar::Inet) || self.is_temporal()
    }

    pub(super) fn is_temporal(self) -> bool {
        matches!(self, Scalar::Date | Scalar::Time | Scalar::Timestamp)
    }

    /// The length of a vector's element where it stands without one. Not every type whose values all have one length
    /// is of fixed length to the server: `tinyint`, `smallint`, `date` and `time` are not.
    fn fixed(self) -> Option<usize> {
        match self {
            Scalar::Boolean => Some(1),
            Scalar::Float | Scalar::Int => Some(4),
            Scalar::BigInt | Scalar::Double | Scalar::Timestamp => Some(8),
            Scalar::TimeUuid | Scalar::Uuid => Some(16),
            _ => None,
        }
    }
}

/// A CQL type. As part of a key it is frozen, whether its name says so or not.
#[derive(Debug, PartialEq)]
pub(super) enum Type<'t> {
    Scalar(Scalar),
    List(Box<Type<'t>>),
    Set(Box<Type<'t>>),
    Map(Box<(Type<'t>, Type<'t>)>),
    Tuple(Vec<Type<'t>>),
    Udt(Udt<'t>),
    Vector(Box<Type<'t>>, u32),
}

/// A user type: its fields in order.
#[derive(Debug, PartialEq)]
pub(super) struct Udt<'t> {
    pub(super) names: Vec<&'t str>,
    pub(super) types: Vec<Type<'t>>,
    /// The fields' indices, sorted by name.
    by_name: Vec<usize>,
}

impl Udt<'_> {
    /// The index of a field.
    pub(super) fn field(&self, name: &str) -> Option<usize> {
        self.by_name.binary_search_by(|i| self.names[*i].cmp(name)).ok().map(|at| self.by_name[at])
    }
}

impl Type<'_> {
    /// The length of a vector's element of this type where it stands without one.
    pub(super) fn fixed(&self) -> Option<usize> {
        match self {
            Type::Scalar(scalar) => scalar.fixed(),
            Type::Vector(element, dimension) => element.fixed()?.checked_mul(*dimension as usize),
            _ => None,
        }
    }
}

/// The name as the server prints it, for messages; of a user type only that it is one.
impl fmt::Display for Type<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Scalar(scalar) => f.write_str(scalar.name()),
            Type::List(element) => write!(f, "list<{element}>"),
            Type::Set(element) => write!(f, "set<{element}>"),
            Type::Map(entry) => write!(f, "map<{}, {}>", entry.0, entry.1),
            Type::Tuple(parts) => write!(f, "tuple of {}", parts.len()),
            Type::Udt(udt) => write!(f, "user type of {} fields", udt.names.len()),
            Type::Vector(element, dimension) => write!(f, "vector<{element}, {dimension}>"),
        }
    }
}

/// Reads a type's name.
///
/// # Errors
/// Malformed: no type, or one that nests too deep. Rejected: a type that no key may have, anywhere within it.
pub(super) fn parse(name: &str) -> Result<Type<'_>, EncodeError> {
    let mut parser = Parser { name, at: 0, unkeyed: None };
    let ty = parser.ty(0)?;
    if parser.at < name.len() {
        return Err(parser.wrong("the type ends here").into());
    }
    match parser.unkeyed {
        None => Ok(ty),
        Some(scalar) => Err(EncodeError::Rejected(
            format!("a {scalar} is never part of a partition key: CREATE TABLE refuses it").into(),
        )),
    }
}

struct Parser<'t> {
    name: &'t str,
    at: usize,
    /// A type that no key may have. The rest of the name is read first: what is malformed is malformed.
    unkeyed: Option<&'static str>,
}

impl<'t> Parser<'t> {
    fn wrong(&self, what: &str) -> KeyError {
        let name = super::shown(self.name);
        if self.at < self.name.len() {
            KeyError::new(format!("{name} is no CQL type: at byte {}, {what}; allowed: {TYPES}", self.at))
        } else {
            KeyError::new(format!("{name} is no CQL type: at its end, {what}; allowed: {TYPES}"))
        }
    }

    fn space(&mut self) {
        let rest = self.name[self.at..].trim_start_matches([' ', '\t', '\r', '\n']);
        self.at = self.name.len() - rest.len();
    }

    /// Takes `byte`, and the space around it.
    fn eat(&mut self, byte: u8) -> bool {
        self.space();
        let found = self.name.as_bytes().get(self.at) == Some(&byte);
        if found {
            self.at += 1;
            self.space();
        }
        found
    }

    fn expect(&mut self, byte: u8) -> Result<(), KeyError> {
        if self.eat(byte) { Ok(()) } else { Err(self.wrong(&format!("{:?} is missing", char::from(byte)))) }
    }

    fn word(&mut self) -> &'t str {
        self.space();
        let rest = &self.name[self.at..];
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn ty(&mut self, depth: usize) -> Result<Type<'t>, KeyError> {
        if depth > MAX_DEPTH {
            return Err(self.wrong(&format!("it nests deeper than {MAX_DEPTH} levels")));
        }
        self.space();
        let at = self.at;
        let word = self.word();
        let is = |name: &str| word.eq_ignore_ascii_case(name);
        let scalar = Scalar::named(word).map(Type::Scalar);
        if !self.eat(b'<') {
            return scalar.map_or_else(|| self.unknown(word, at), Ok);
        }
        let depth = depth + 1;
        let ty = if is("frozen") {
            let inner = self.ty(depth)?;
            if matches!(inner, Type::Scalar(_)) {
                self.at = at;
                return Err(self.wrong("frozen<> is for collections, tuples and user types"));
            }
            inner
        } else if is("list") {
            Type::List(Box::new(self.ty(depth)?))
        } else if is("set") {
            Type::Set(Box::new(self.ty(depth)?))
        } else if is("map") {
            let key = self.ty(depth)?;
            self.expect(b',')?;
            Type::Map(Box::new((key, self.ty(depth)?)))
        } else if is("tuple") {
            let mut parts = Vec::new();
            loop {
                parts.push(self.ty(depth)?);
                if !self.eat(b',') {
                    break Type::Tuple(parts);
                }
            }
        } else if is("udt") {
            Type::Udt(self.udt(depth)?)
        } else if is("vector") {
            let element = self.ty(depth)?;
            self.expect(b',')?;
            let at = self.at;
            match self.word().parse::<u32>() {
                Ok(n @ 1..=0x7fff_ffff) => Type::Vector(Box::new(element), n),
                _ => {
                    self.at = at;
                    return Err(self.wrong("a vector's dimension is a whole number from 1 to 2147483647"));
                }
            }
        } else {
            self.at = at;
            return Err(self.wrong(&format!("{} takes no parameters", super::shown(word))));
        };
        self.expect(b'>')?;
        Ok(ty)
    }

    /// A word that is no type with a key's values.
    fn unknown(&mut self, word: &str, at: usize) -> Result<Type<'t>, KeyError> {
        for unkeyed in ["counter", "duration"] {
            if word.eq_ignore_ascii_case(unkeyed) {
                self.unkeyed.get_or_insert(unkeyed);
                // Stands in until the whole name is read; then `unkeyed` is the answer.
                return Ok(Type::Scalar(Scalar::Blob));
            }
        }
        self.at = at;
        Err(match word {
            "" => self.wrong("a type is missing"),
            word => self.wrong(&format!("there is no type {}", super::shown(word))),
        })
    }

    fn udt(&mut self, depth: usize) -> Result<Udt<'t>, KeyError> {
        let (mut names, mut types) = (Vec::new(), Vec::new());
        loop {
            names.push(self.field_name()?);
            types.push(self.ty(depth)?);
            if !self.eat(b',') {
                break;
            }
        }
        let mut by_name: Vec<usize> = (0..names.len()).collect();
        by_name.sort_by_key(|i| names[*i]);
        match by_name.windows(2).find(|pair| names[pair[0]] == names[pair[1]]) {
            Some(pair) => Err(self.wrong(&format!("field {} stands twice", super::shown(names[pair[0]])))),
            None => Ok(Udt { names, types, by_name }),
        }
    }

    /// A field's name with its colon: as it stands, its case kept, in double quotes or not.
    fn field_name(&mut self) -> Result<&'t str, KeyError> {
        if self.eat(b'"') {
            let rest = &self.name[self.at..];
            let end = rest.find('"').ok_or_else(|| self.wrong("the name's second quote is missing"))?;
            self.at += end + 1;
            self.expect(b':')?;
            return Ok(&rest[..end]);
        }
        let rest = &self.name[self.at..];
        match rest.find([':', '<', '>', ',']) {
            Some(end) if rest.as_bytes()[end] == b':' && !rest[..end].trim().is_empty() => {
                self.at += end + 1;
                Ok(rest[..end].trim())
            }
            _ => Err(self.wrong("a field is name:type")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::{String, ToString};
    use alloc::vec;
    use proptest::prelude::*;

    fn malformed(name: &str) -> String {
        match parse(name) {
            Err(EncodeError::Malformed(e)) => e.to_string(),
            other => panic!("{name}: {other:?}"),
        }
    }

    #[test]
    fn names_are_read_in_any_case_and_spacing() {
        let int = || Type::Scalar(Scalar::Int);
        assert_eq!(parse(" INT ").unwrap(), int());
        assert_eq!(parse("varchar").unwrap(), parse("text").unwrap());
        assert_eq!(parse("FROZEN< list < Int > >").unwrap(), Type::List(Box::new(int())));
        assert_eq!(parse("vector<int, 02>").unwrap(), Type::Vector(Box::new(int()), 2));
        let udt = Udt { names: vec!["b", "A c"], types: vec![int(), int()], by_name: vec![1, 0] };
        assert_eq!(parse("udt< b : int, \"A c\" :int>").unwrap(), Type::Udt(udt));
        let Type::Udt(udt) = parse("udt<b:int,a:int>").unwrap() else { panic!() };
        assert_eq!((udt.field("a"), udt.field("b"), udt.field("B")), (Some(1), Some(0), None));
    }

    #[test]
    fn what_is_no_type_is_named() {
        for (name, said) in [
            ("", "a type is missing"),
            ("string", "there is no type \"string\""),
            ("list", "there is no type \"list\""),
            ("list<>", "a type is missing"),
            ("list<int", "at its end, '>' is missing"),
            ("list<int>>", "the type ends here"),
            ("list<int,int>", "at byte 8, '>' is missing"),
            ("map<int>", "',' is missing"),
            ("int<int>", "\"int\" takes no parameters"),
            ("frozen<int>", "frozen<> is for collections"),
            ("vector<int,0>", "from 1 to 2147483647"),
            ("vector<int,2147483648>", "from 1 to 2147483647"),
            ("vector<2,int>", "there is no type \"2\""),
            ("udt<a:int,a:text>", "field \"a\" stands twice"),
            ("udt<a>", "a field is name:type"),
            ("udt<>", "a field is name:type"),
            ("udt<\"a:int>", "second quote"),
            ("list<дата>", "a type is missing"),
        ] {
            let error = malformed(name);
            assert!(error.contains(said) && error.contains("allowed: ascii"), "{name}: {error}");
        }
    }

    #[test]
    fn counters_and_durations_are_rejected_wherever_they_stand() {
        for name in ["counter", "Duration", "frozen<list<duration>>", "tuple<int,udt<a:map<int,counter>>>"] {
            assert!(matches!(parse(name), Err(EncodeError::Rejected(_))), "{name}");
        }
        malformed("tuple<duration,");
    }

    #[test]
    fn nesting_is_bounded() {
        let nested = |depth: usize| ["list<".repeat(depth), "int".into(), ">".repeat(depth)].concat();
        assert!(parse(&nested(MAX_DEPTH)).is_ok());
        assert!(malformed(&nested(MAX_DEPTH + 1)).contains("32 levels"));
        malformed(&"frozen<".repeat(1_000_000));
    }

    proptest! {
        #[test]
        fn no_text_panics(name in r#"([ ,:<>"0-9é]|int|text|list<|set<|map<|tuple<|udt<|vector<|frozen<|counter|a:){0,12}"#) {
            let _ = parse(&name);
        }

        #[test]
        fn no_random_text_panics(name: String) {
            let _ = parse(&name);
        }
    }
}
