//! Universal Scalability Law: a tier that gains, then stalls, then loses as it grows.

/// `X(N) = γN/(1 + α(N − 1) + βN(N − 1))` (Gunther 2007, *Guerrilla Capacity Planning*, ch. 4).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Usl {
    /// Throughput of one: γ, in the unit of the data.
    pub gamma: f64,
    /// Contention: the share that is served one at a time, α.
    pub alpha: f64,
    /// Coherency: the cost of each pair agreeing with each other, β.
    pub beta: f64,
}

/// Why a curve could not be fitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UslFitError {
    /// Fewer than three different sizes: three parameters have no unique answer.
    TooFewSizes { sizes: usize },
    /// A size or a throughput is not a positive finite number.
    OutOfRange { point: usize },
    /// No curve with γ > 0, α ≥ 0, β ≥ 0 fits.
    Degenerate,
}

impl std::fmt::Display for UslFitError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::TooFewSizes { sizes } => write!(f, "{sizes} sizes measured, three are needed"),
            Self::OutOfRange { point } => write!(f, "point {point} is not positive and finite"),
            Self::Degenerate => write!(f, "the points fit no scalability curve"),
        }
    }
}

impl std::error::Error for UslFitError {}

impl Usl {
    /// Throughput at size `n`, in the unit of γ; zero at or below size zero.
    pub fn throughput(&self, n: f64) -> f64 {
        if n <= 0.0 {
            return 0.0;
        }
        self.gamma * n / (1.0 + self.alpha * (n - 1.0) + self.beta * n * (n - 1.0))
    }

    /// Size of greatest throughput, `sqrt((1 − α)/β)`; `None` if the curve never turns down.
    pub fn peak(&self) -> Option<f64> {
        if self.beta <= 0.0 {
            return None;
        }
        let peak = ((1.0 - self.alpha).max(0.0) / self.beta).sqrt();
        peak.is_finite().then_some(peak)
    }

    /// Least-squares fit to points (size, throughput).
    ///
    /// `N/X = (1 + α(N − 1) + βN(N − 1))/γ` is linear in `1/γ, α/γ, β/γ`. Each residual is weighted
    /// by `X/N`, so that what is minimized is the relative error of the throughput and a slow point
    /// counts as much as a fast one. α and β are kept at or above zero by solving every choice of
    /// parameters held at zero and keeping the best.
    ///
    /// # Errors
    /// [`UslFitError`]: fewer than three sizes, values out of range, or points no curve fits.
    pub fn fit(points: &[(f64, f64)]) -> Result<Self, UslFitError> {
        let usable = |value: f64| (1e-9..=1e12).contains(&value);
        if let Some(point) = points.iter().position(|&(n, x)| !usable(n) || !usable(x)) {
            return Err(UslFitError::OutOfRange { point });
        }
        let mut sizes: Vec<f64> = points.iter().map(|point| point.0).collect();
        sizes.sort_by(f64::total_cmp);
        sizes.dedup();
        if sizes.len() < 3 {
            return Err(UslFitError::TooFewSizes { sizes: sizes.len() });
        }
        // Throughput in units of its largest keeps the three columns of one magnitude.
        let unit = points.iter().fold(0.0, |most: f64, point| most.max(point.1 / point.0));
        let rows: Vec<[f64; 3]> = points
            .iter()
            .map(|&(n, x)| {
                let weight = x / n / unit;
                [weight, weight * (n - 1.0), weight * n * (n - 1.0)]
            })
            .collect();
        let choices: [&[usize]; 4] = [&[0, 1, 2], &[0, 1], &[0, 2], &[0]];
        let mut best: Option<(f64, [f64; 3])> = None;
        for free in choices {
            let Some(candidate) = least_squares(&rows, free) else {
                continue;
            };
            if candidate[0] <= 0.0 || candidate[1] < 0.0 || candidate[2] < 0.0 {
                continue;
            }
            let error: f64 = rows.iter().map(|row| square(1.0 - dot(row, &candidate))).sum();
            if best.is_none_or(|(least, _)| error < least) {
                best = Some((error, candidate));
            }
        }
        let (_, [inverse, contention, coherency]) = best.ok_or(UslFitError::Degenerate)?;
        Ok(Self { gamma: unit / inverse, alpha: contention / inverse, beta: coherency / inverse })
    }
}

fn square(value: f64) -> f64 {
    value * value
}

fn dot(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Coefficients that bring every `row · coefficients` closest to 1, those not in `free` at zero.
///
/// Modified Gram–Schmidt: the normal equations would square the condition number. `None` if the
/// free columns depend on each other.
fn least_squares(rows: &[[f64; 3]], free: &[usize]) -> Option<[f64; 3]> {
    let mut columns: Vec<Vec<f64>> = free.iter().map(|&j| rows.iter().map(|row| row[j]).collect()).collect();
    let mut target = vec![1.0; rows.len()];
    let size = free.len();
    let mut upper = [[0.0; 3]; 3];
    let mut projected = [0.0; 3];
    for j in 0..size {
        let before = upper_norm(rows, free[j]);
        let norm = norm(&columns[j]);
        if norm <= 1e-10 * before || norm == 0.0 {
            return None;
        }
        upper[j][j] = norm;
        for value in &mut columns[j] {
            *value /= norm;
        }
        let unit = columns[j].clone();
        for (k, column) in columns.iter_mut().enumerate().skip(j + 1) {
            upper[j][k] = remove(&unit, column);
        }
        projected[j] = remove(&unit, &mut target);
    }
    let mut answer = [0.0; 3];
    for j in (0..size).rev() {
        let known: f64 = (j + 1..size).map(|k| upper[j][k] * answer[free[k]]).sum();
        answer[free[j]] = (projected[j] - known) / upper[j][j];
    }
    answer.iter().all(|value| value.is_finite()).then_some(answer)
}

fn norm(column: &[f64]) -> f64 {
    column.iter().map(|value| value * value).sum::<f64>().sqrt()
}

fn upper_norm(rows: &[[f64; 3]], column: usize) -> f64 {
    rows.iter().map(|row| square(row[column])).sum::<f64>().sqrt()
}

/// Takes the part along `unit` out of `column` and returns its length.
fn remove(unit: &[f64], column: &mut [f64]) -> f64 {
    let along: f64 = unit.iter().zip(column.iter()).map(|(a, b)| a * b).sum();
    for (value, direction) in column.iter_mut().zip(unit) {
        *value -= along * direction;
    }
    along
}
