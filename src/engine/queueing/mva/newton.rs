//! Newton's method with a way back: a factored Jacobian and the search along its direction.

/// Shortest share of a Newton step that is tried.
const SHORTEST: f64 = 1.0 / 32.0;

/// Substitutions that the first failure of Newton's method earns; each further one doubles them.
const PENALTY: usize = 8;

/// Longest logarithmic step of a station.
const MOST: f64 = std::f64::consts::LN_10;
/// Work ahead below which a station is left to substitution: its logarithm says nothing.
const NOTHING: f64 = 1e-12;

/// Whether a station's step can be logarithmic.
pub(super) fn in_reach(ahead: f64, found: f64) -> bool {
    ahead > NOTHING && found > NOTHING
}

/// An LU factorization with partial pivoting.
pub(super) struct Factors {
    size: usize,
    matrix: Vec<f64>,
    pivots: Vec<usize>,
}

impl Factors {
    /// Factors a row-major matrix; `None` if singular.
    pub(super) fn of(mut matrix: Vec<f64>, size: usize) -> Option<Self> {
        let mut pivots = Vec::with_capacity(size);
        for column in 0..size {
            let magnitude = |row: &usize| matrix[row * size + column].abs();
            let pivot = (column..size).max_by(|a, b| magnitude(a).total_cmp(&magnitude(b)))?;
            pivots.push(pivot);
            if pivot != column {
                for j in 0..size {
                    matrix.swap(pivot * size + j, column * size + j);
                }
            }
            let diagonal = matrix[column * size + column];
            if !diagonal.is_finite() || diagonal.abs() < 1e-200 {
                return None;
            }
            let (upper, lower) = matrix.split_at_mut((column + 1) * size);
            let pivot_row = &upper[column * size..];
            for row in lower.chunks_mut(size) {
                let factor = row[column] / diagonal;
                row[column] = factor;
                if factor != 0.0 {
                    for (value, above) in row[column + 1..].iter_mut().zip(&pivot_row[column + 1..]) {
                        *value -= factor * above;
                    }
                }
            }
        }
        Some(Self { size, matrix, pivots })
    }

    pub(super) fn solve(&self, mut right: Vec<f64>) -> Vec<f64> {
        let size = self.size;
        for (row, &pivot) in self.pivots.iter().enumerate() {
            right.swap(row, pivot);
        }
        for row in 1..size {
            let known: f64 = (0..row).map(|j| self.matrix[row * size + j] * right[j]).sum();
            right[row] -= known;
        }
        for row in (0..size).rev() {
            let known: f64 = (row + 1..size).map(|j| self.matrix[row * size + j] * right[j]).sum();
            right[row] = (right[row] - known) / self.matrix[row * size + row];
        }
        right
    }
}

/// Where the iteration stands: the last good point, the direction from it, and how far it went.
pub(super) struct Search {
    /// Gap at the last good point.
    pub(super) accepted: f64,
    base: Vec<f64>,
    direction: Option<Vec<f64>>,
    length: f64,
    /// Substitutions still to do before the next Newton step, and how many the next failure earns.
    plain: usize,
    penalty: usize,
}

impl Search {
    pub(super) fn new(base: &[f64], plain: usize) -> Self {
        let accepted = f64::MAX;
        Self { accepted, base: base.to_vec(), direction: None, length: 1.0, plain, penalty: PENALTY }
    }

    /// Shortens a Newton step that widened the gap; gives it up when it is too short.
    pub(super) fn reject(&mut self, gap: f64, point: &mut [f64]) -> bool {
        let Some(direction) = &self.direction else {
            return false;
        };
        if gap < self.accepted {
            self.penalty = PENALTY;
            return false;
        }
        self.length *= 0.5;
        if self.length < SHORTEST {
            self.direction = None;
            self.plain = self.penalty;
            self.penalty = (self.penalty * 2).min(512);
            point.copy_from_slice(&self.base);
            return true;
        }
        advance(point, &self.base, direction, self.length);
        true
    }

    pub(super) fn wants_newton(&self) -> bool {
        self.plain == 0
    }

    /// Goes on from a good point: along the direction, or to what was found there.
    pub(super) fn accept(&mut self, gap: f64, point: &mut [f64], found: &[f64], direction: Option<Vec<f64>>) {
        self.accepted = gap;
        for ((base, value), found) in self.base.iter_mut().zip(point.iter()).zip(found) {
            *base = if in_reach(*value, *found) { *value } else { *found };
        }
        self.length = 1.0;
        self.plain = self.plain.saturating_sub(1);
        self.direction = direction.filter(|steps| steps.iter().all(|step| step.is_finite()));
        match &self.direction {
            Some(direction) => advance(point, &self.base, direction, 1.0),
            None => {
                // Halfway once Newton has failed: full substitution can swing for ever.
                let share = if self.penalty > PENALTY { 0.5 } else { 1.0 };
                for (value, found) in point.iter_mut().zip(found) {
                    *value += share * (found - *value);
                }
            }
        }
    }
}

/// Steps are logarithmic; none changes the work ahead more than tenfold.
fn advance(point: &mut [f64], base: &[f64], direction: &[f64], length: f64) {
    for ((value, base), step) in point.iter_mut().zip(base).zip(direction) {
        *value = base * libm::exp((length * step).clamp(-MOST, MOST));
    }
}
