//! Verdicts on records that were found in places.
