//! Vector files and the adapter protocol.
