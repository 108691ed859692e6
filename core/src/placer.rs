//! A scheme bound to validated params.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::num::NonZeroU32;

use crate::trace::{NoTrace, Tracer};
use crate::{
    BoundDirect, Coord, DirectCall, Error, ErrorKind, Key, KeyColumn, KeyError, Outcome, Param, Params, PlaceColumn,
    Scheme, Stage, System, Topology, Trace, registry,
};

/// What a scheme does once its params are known. Written once, generic over who listens.
pub(crate) trait Rule: Send + Sync + 'static {
    /// `scratch` is empty; encodings that have to write use it, so that a column needs one buffer for all rows.
    fn place<T: Tracer>(&self, key: Key<'_>, scratch: &mut Vec<u8>, tracer: &mut T) -> Result<Outcome, KeyError>;

    /// The name of owner `i`, where the scheme itself has owners (a ring's nodes).
    fn name(&self, _owner: u32) -> Option<&str> {
        None
    }

    /// How many places there are, where the domain is an index.
    fn places(&self) -> Option<u32> {
        None
    }

    /// The rule that places by `topology`, and names owners itself; none where the place does not depend on one.
    fn by_topology(&self, _topology: &Topology) -> Option<Result<Box<dyn Bound>, Error>> {
        None
    }
}

/// A [`Rule`] behind a pointer: dispatched once per key or once per column.
pub(crate) trait Bound: Send + Sync {
    fn place(&self, key: Key<'_>) -> Result<Outcome, KeyError>;
    fn trace(&self, key: Key<'_>, trace: &mut Trace) -> Result<Outcome, KeyError>;
    fn place_column(
        &self,
        keys: &KeyColumn<'_>,
        system: &System,
        topology: Option<&Topology>,
        out: &mut PlaceColumn<'_>,
    ) -> Result<(), Error>;
    fn name(&self, owner: u32) -> Option<&str>;
    fn places(&self) -> Option<u32>;
    fn by_topology(&self, topology: &Topology) -> Option<Result<Box<dyn Bound>, Error>>;
}

impl<R: Rule> Bound for R {
    fn place(&self, key: Key<'_>) -> Result<Outcome, KeyError> {
        Rule::place(self, key, &mut Vec::new(), &mut NoTrace)
    }

    fn trace(&self, key: Key<'_>, trace: &mut Trace) -> Result<Outcome, KeyError> {
        Rule::place(self, key, &mut Vec::new(), trace)
    }

    fn place_column(
        &self,
        keys: &KeyColumn<'_>,
        system: &System,
        topology: Option<&Topology>,
        out: &mut PlaceColumn<'_>,
    ) -> Result<(), Error> {
        let mut scratch = Vec::new();
        keys.each(system, out, |key| {
            key.check_len()?;
            scratch.clear();
            let mut outcome = Rule::place(self, key, &mut scratch, &mut NoTrace);
            if let (Some(topology), Ok(Outcome::Placed(place))) = (topology, &mut outcome) {
                place.owner = topology.owner(&place.at);
            }
            outcome
        })
    }

    fn name(&self, owner: u32) -> Option<&str> {
        Rule::name(self, owner)
    }

    fn places(&self) -> Option<u32> {
        Rule::places(self)
    }

    fn by_topology(&self, topology: &Topology) -> Option<Result<Box<dyn Bound>, Error>> {
        Rule::by_topology(self, topology)
    }
}

/// A scheme bound to validated params: places keys. Immutable, and shared freely between threads.
///
/// ```
/// use keyfall_core::{Key, Placer, params};
/// let placer = Placer::new("redis/cluster", params! {})?;
/// let outcome = placer.place(Key::Text("{user:1}:cart"))?;
/// assert_eq!(outcome.place().unwrap().at.to_string(), "10778");
///
/// let error = Placer::new("kafka/java", params! { partitions: 0 }).unwrap_err();
/// assert_eq!(error.to_string(), "kafka/java: param partitions=0 is not a whole number from 1 to 2147483647");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Placer {
    scheme: &'static Scheme,
    params: Params,
    bound: Box<dyn Bound>,
    topology: Option<Topology>,
}

impl core::fmt::Debug for Placer {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Placer").field("scheme", &self.scheme.id).field("params", &self.params).finish_non_exhaustive()
    }
}

impl Placer {
    /// Binds the scheme `id` to `params`. A param named `topology` gives each place its owner.
    ///
    /// # Errors
    /// An unknown scheme or param, a missing one, a value that is not allowed, a topology that does not fit: the
    /// message says what is allowed.
    pub fn new(id: &str, params: Params) -> Result<Placer, Error> {
        Placer::bind(registry::scheme(id)?, params)
    }

    /// Binds a scheme to `params`, as [`Placer::new`] does.
    ///
    /// # Errors
    /// As [`Placer::new`].
    pub fn bind(scheme: &'static Scheme, mut params: Params) -> Result<Placer, Error> {
        let topology = params.remove("topology");
        let params = scheme.validate(params)?;
        let bound = (scheme.bind)(scheme, &params)?;
        let placer = Placer { scheme, params, bound, topology: None };
        match topology {
            None => Ok(placer),
            Some(Param::Topology(topology)) => placer.with_topology(topology),
            Some(_) => {
                Err(Error::new(ErrorKind::InvalidTopology, format!("{}: topology is not a topology", scheme.id)))
            }
        }
    }

    /// The same placer, whose places name their owner.
    ///
    /// # Errors
    /// A topology of another unit, or one that names places which do not exist here.
    pub fn with_topology(mut self, topology: Topology) -> Result<Placer, Error> {
        match self.bound.by_topology(&topology) {
            Some(bound) => self.bound = bound?,
            None => {
                topology.check(self.scheme, self.bound.places())?;
                self.topology = Some(topology);
            }
        }
        Ok(self)
    }

    /// The scheme.
    pub fn scheme(&self) -> &'static Scheme {
        self.scheme
    }

    /// The validated params.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// How many places there are, where places are indices: partitions, slots, shards.
    pub fn places(&self) -> Option<u32> {
        self.bound.places()
    }

    /// The name of an owner that a [`crate::Place`] gives by index.
    pub fn name(&self, owner: u32) -> Option<&str> {
        self.bound.name(owner).or_else(|| self.topology.as_ref()?.name(owner))
    }

    /// Who owns a place, by the scheme's topology; none without one.
    ///
    /// ```
    /// # use keyfall_core::{Coord, Placer, params, wire::parse_topology};
    /// let topology = parse_topology(r#"[[0,8191,["10.0.0.1",6379]],[8192,16383,["10.0.0.2",6379]]]"#)?;
    /// let placer = Placer::new("redis/cluster", params! {})?.with_topology(topology)?;
    /// assert_eq!(placer.owner(&Coord::Index(9000)), Some("10.0.0.2:6379"));
    /// # Ok::<(), keyfall_core::Error>(())
    /// ```
    pub fn owner(&self, at: &Coord) -> Option<&str> {
        let topology = self.topology.as_ref()?;
        topology.name(topology.owner(at)?)
    }

    /// Every other function of the system whose places are of the same kind, bound to the params that it shares with this
    /// one: whoever places keys otherwise does as one of them. What needs params of its own is left out. Functions that a
    /// client has by default come first.
    ///
    /// ```
    /// # use keyfall_core::{Placer, params};
    /// let placer = Placer::new("kafka/java", params! { partitions: 12 })?;
    /// assert!(placer.rivals().iter().any(|rival| rival.scheme().function == "crc32-modulo"));
    /// # Ok::<(), keyfall_core::Error>(())
    /// ```
    pub fn rivals(&self) -> Vec<Placer> {
        let mut rivals: Vec<Placer> = Vec::new();
        for other in registry::system(self.scheme.system()).map_or(&[][..], |system| system.schemes) {
            let known = |f| f == self.scheme.function || rivals.iter().any(|rival| rival.scheme.function == f);
            if known(other.function) || other.unit != self.scheme.unit || other.domain != self.scheme.domain {
                continue;
            }
            rivals.extend(registry::twins(other).find_map(|twin| self.rebind(twin)));
        }
        rivals.sort_by_key(|rival| !registry::twins(rival.scheme).any(|twin| twin.default));
        rivals
    }

    /// Another scheme, bound to the params that both have.
    fn rebind(&self, scheme: &'static Scheme) -> Option<Placer> {
        let mut shared = Params::new();
        for (name, value) in self.params.iter().filter(|(name, _)| scheme.param(name).is_ok()) {
            shared.set(name, value.clone());
        }
        Placer::bind(scheme, shared).ok()
    }

    /// Where `key` falls.
    ///
    /// # Errors
    /// A key that is malformed in keyfall's terms. What the system itself does not take is an outcome.
    pub fn place(&self, key: Key<'_>) -> Result<Outcome, KeyError> {
        key.check_len()?;
        self.own(self.bound.place(key))
    }

    /// Where `key` falls, and every value on the way.
    ///
    /// # Errors
    /// As [`Placer::place`].
    pub fn trace(&self, key: Key<'_>) -> Result<(Outcome, Trace), KeyError> {
        key.check_len()?;
        let mut trace = Trace::new();
        let outcome = self.own(self.bound.trace(key, &mut trace))?;
        if let (Some(topology), Outcome::Placed(place)) = (&self.topology, &outcome) {
            let owner = place.owner.and_then(|owner| self.name(owner)).unwrap_or("nobody");
            trace.say(Stage::Owner, || (topology.whereabouts(&place.at), owner.to_string()));
        }
        Ok((outcome, trace))
    }

    /// What places keys of bytes as this placer does, without one, where there is such a function: it names no owners, and
    /// knows no param but the count.
    ///
    /// ```
    /// # use keyfall_core::{Placer, params};
    /// let placer = Placer::new("kafka/java", params! { partitions: 12 })?;
    /// assert_eq!(placer.direct().unwrap().place(b"100:48069").to_string(), "9");
    /// # Ok::<(), keyfall_core::Error>(())
    /// ```
    pub fn direct(&self) -> Option<BoundDirect> {
        let call = self.scheme.direct?.call;
        let mut params = self.params.iter();
        let bound = match (call, params.next()) {
            (DirectCall::Index(call), None) => BoundDirect::Index(call),
            (DirectCall::I64(call), None) => BoundDirect::I64(call),
            (DirectCall::Counted(call), Some((name, Param::U64(n))))
                if self.scheme.param(name).is_ok_and(|p| p.required) =>
            {
                BoundDirect::Counted(call, NonZeroU32::new(u32::try_from(*n).ok()?)?)
            }
            _ => return None,
        };
        (params.next().is_none() && self.topology.is_none()).then_some(bound)
    }

    /// Places a column of keys in Arrow's layout; one status byte a row. A row's error never aborts the batch.
    ///
    /// ```
    /// use keyfall_core::{KeyColumn, PlaceColumn, Placer, Places, params};
    /// let placer = Placer::new("kafka/java", params! { partitions: 12 })?;
    /// let keys = KeyColumn::Binary { offsets: &[0, 9, 9, 9], data: b"100:48069", validity: Some(&[0b011]) };
    /// let (mut places, mut status) = ([0u32; 3], [0u8; 3]);
    /// placer.place_column(&keys, &mut PlaceColumn { places: Places::U32(&mut places), status: &mut status, owners: None })?;
    /// assert_eq!((places, status), ([9, 9, 0], [0, 0, 1])); // the third key is null: unpinned
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Offsets out of order or beyond the data, buffers that are too short, places of another type than the domain's.
    pub fn place_column(&self, keys: &KeyColumn<'_>, out: &mut PlaceColumn<'_>) -> Result<(), Error> {
        out.check(self.scheme, keys.len())?;
        if let Some(direct) = self.direct()
            && keys.place_bytes(&direct, out)?
        {
            return Ok(());
        }
        let system = registry::system(self.scheme.system()).expect("a scheme belongs to a registered system");
        self.bound.place_column(keys, system, self.topology.as_ref(), out)
    }

    fn own(&self, outcome: Result<Outcome, KeyError>) -> Result<Outcome, KeyError> {
        let mut outcome = outcome?;
        if let (Some(topology), Outcome::Placed(place)) = (&self.topology, &mut outcome) {
            place.owner = topology.owner(&place.at);
        }
        Ok(outcome)
    }
}
