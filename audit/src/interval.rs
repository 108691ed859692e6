//! What a random sample says of the whole.

use statrs::function::beta::beta_reg;

/// The exact interval of Clopper and Pearson (1934) for the share of which `found` of `sampled` were seen. Each bound is
/// missed with a chance of at most `(1 - level) / 2`.
pub fn clopper_pearson(found: u64, sampled: u64, level: f64) -> (f64, f64) {
    let tail = (1.0 - level) / 2.0;
    let (k, n) = (found as f64, sampled as f64);
    let low = if found == 0 { 0.0 } else { beta_quantile(k, n - k + 1.0, tail) };
    let high = if found == sampled { 1.0 } else { beta_quantile(k + 1.0, n - k, 1.0 - tail) };
    (low, high)
}

/// The quantile `p` of the beta distribution, by halving. The library's own inverse stops at an absolute error, which is a
/// large relative one where shares are small.
fn beta_quantile(a: f64, b: f64, p: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    // An f64 between 0 and 1 that is not tiny has no more than 64 bits after the point that matter.
    for _ in 0..64 {
        let middle = (low + high) / 2.0;
        if beta_reg(a, b, middle) < p { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// SciPy 1.17.1, `binomtest(k, n).proportion_ci(0.95, "exact")`.
    #[test]
    fn known_values() {
        for (found, sampled, low, high) in [
            (3, 10, 0.066_739_511_177_7, 0.652_452_850_060_0),
            (0, 10, 0.0, 0.308_497_107_818_7),
            (10, 10, 0.691_502_892_181_2, 1.0),
            (0, 1_211, 0.0, 0.003_041_508_445_1),
            (1_210, 1_211, 0.995_407_813_366_6, 0.999_979_093_688_4),
            (0, 1_000_000, 0.0, 3.688_872_650_9e-6),
            (7, 1_000_000, 2.814_367_534_3e-6, 1.442_262_183_4e-5),
            (5_000, 1_000_000, 0.004_862_691_820_5, 0.005_140_187_265_5),
        ] {
            let got = clopper_pearson(found, sampled, 0.95);
            let near = |a: f64, b: f64| (a - b).abs() <= 1e-8 * b;
            assert!(near(got.0, low) && near(got.1, high), "{found} of {sampled}: {got:?}, not {low} to {high}");
        }
    }
}
