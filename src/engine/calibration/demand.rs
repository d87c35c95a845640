//! Demand regression, the utilization law turned around: `U = Σ D·X + background`, none of them negative (Lazowska et al.,
//! "Quantitative System Performance", 1984, chapter 12; non-negative least squares by Lawson and Hanson, 1974).
//!
//! Samples are summed up as they come, so a series of weeks takes no memory.

use super::statistics::half_width;

/// Sums of products over samples.
#[derive(Clone, Debug, PartialEq)]
pub struct Regression {
    /// Row and column 0 stand for the background.
    gram: Vec<Vec<f64>>,
    with_use: Vec<f64>,
    squares: f64,
    sum: f64,
    count: u64,
}

/// Demand of each kind of request.
#[derive(Clone, Debug, PartialEq)]
pub struct Demands {
    /// Busy processors without requests.
    pub background: Coefficient,
    /// Processor seconds of one request, for each kind.
    pub per_request: Vec<Coefficient>,
    /// Share of the variance that is explained.
    pub r_squared: f64,
    pub samples: u64,
}

/// A value with half the width of its interval; `None` for one that was held at 0.
///
/// Samples that follow each other in time are alike, so the interval is narrower than it should be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coefficient {
    pub value: f64,
    pub half_width: Option<f64>,
}

impl Regression {
    /// For so many kinds of requests.
    pub fn new(kinds: usize) -> Self {
        let size = kinds + 1;
        Self { gram: vec![vec![0.0; size]; size], with_use: vec![0.0; size], squares: 0.0, sum: 0.0, count: 0 }
    }

    /// Adds a sample: busy processors, and the rate of each kind, 1/s. One that is not finite or is negative is left out.
    pub fn add(&mut self, busy: f64, rates: &[f64]) {
        let good = |value: &f64| value.is_finite() && *value >= 0.0;
        if rates.len() + 1 != self.gram.len() || !good(&busy) || !rates.iter().all(good) {
            return;
        }
        let at = |index: usize| if index == 0 { 1.0 } else { rates[index - 1] };
        for row in 0..self.gram.len() {
            for column in 0..self.gram.len() {
                self.gram[row][column] += at(row) * at(column);
            }
            self.with_use[row] += at(row) * busy;
        }
        self.squares += busy * busy;
        self.sum += busy;
        self.count += 1;
    }

    /// The demands; `None` with too few samples or without any change in them.
    pub fn solve(&self) -> Option<Demands> {
        let size = self.gram.len();
        if self.count < size as u64 + 2 {
            return None;
        }
        let total = self.squares - self.sum * self.sum / self.count as f64;
        let changes = total > 1e-12 * self.squares;
        if !changes {
            return None;
        }
        let (values, active) = self.non_negative()?;
        let explained: f64 = values.iter().zip(&self.with_use).map(|(value, with)| value * with).sum();
        let left = (self.squares - explained).max(0.0);
        let degrees = self.count as f64 - active.len() as f64;
        let variance = left / degrees;
        let t = half_width(degrees);
        let inverse = inverse(&self.part(&active));
        let coefficient = |index: usize| {
            let place = active.iter().position(|&known| known == index);
            let error =
                place.zip(inverse.as_ref()).map(|(place, inverse)| (variance * inverse[place][place]).max(0.0).sqrt());
            Coefficient {
                value: values[index],
                half_width: error.map(|error| t * error).filter(|half| half.is_finite()),
            }
        };
        Some(Demands {
            background: coefficient(0),
            per_request: (1..size).map(coefficient).collect(),
            r_squared: (1.0 - left / total).clamp(0.0, 1.0),
            samples: self.count,
        })
    }

    fn part(&self, active: &[usize]) -> Vec<Vec<f64>> {
        active.iter().map(|&row| active.iter().map(|&column| self.gram[row][column]).collect()).collect()
    }

    /// Solves for the active ones and lets go of the most negative, until none is.
    fn non_negative(&self) -> Option<(Vec<f64>, Vec<usize>)> {
        let mut active: Vec<usize> = (0..self.gram.len()).collect();
        loop {
            let inverse = inverse(&self.part(&active))?;
            let solved: Vec<f64> = inverse
                .iter()
                .map(|row| row.iter().zip(&active).map(|(value, &index)| value * self.with_use[index]).sum())
                .collect();
            let worst = solved.iter().enumerate().filter(|(_, value)| **value < 0.0).min_by(|a, b| a.1.total_cmp(b.1));
            match worst {
                Some((place, _)) if active.len() > 1 => {
                    active.remove(place);
                }
                Some(_) => return None,
                None => {
                    let mut values = vec![0.0; self.gram.len()];
                    active.iter().zip(&solved).for_each(|(&index, &value)| values[index] = value);
                    return Some((values, active));
                }
            }
        }
    }
}

/// Gauss–Jordan with the largest pivot; `None` for a matrix that has none.
fn inverse(matrix: &[Vec<f64>]) -> Option<Vec<Vec<f64>>> {
    let size = matrix.len();
    let unit = |row: usize, column: usize| if row == column { 1.0 } else { 0.0 };
    let mut rows: Vec<Vec<f64>> = matrix
        .iter()
        .enumerate()
        .map(|(at, row)| row.iter().copied().chain((0..size).map(|column| unit(at, column))).collect())
        .collect();
    for column in 0..size {
        let pivot = (column..size).max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()))?;
        let scale = matrix[column][column].abs().max(f64::MIN_POSITIVE);
        if rows[pivot][column].abs() <= 1e-12 * scale {
            return None;
        }
        rows.swap(column, pivot);
        let divisor = rows[column][column];
        rows[column].iter_mut().for_each(|value| *value /= divisor);
        let pivot_row = rows[column].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(at, _)| *at != column) {
            let factor = row[column];
            row.iter_mut().zip(&pivot_row).for_each(|(value, pivot)| *value -= factor * pivot);
        }
    }
    Some(rows.into_iter().map(|row| row[size..].to_vec()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_demands_are_found() {
        let mut regression = Regression::new(2);
        for step in 0..500 {
            let (a, b) = (100.0 + f64::from(step % 37) * 10.0, 50.0 + f64::from(step % 11) * 7.0);
            let noise = (f64::from(step * 7919 % 101) - 50.0) / 5000.0;
            regression.add(0.4 + a * 0.003 + b * 0.002 + noise, &[a, b]);
        }
        regression.add(f64::NAN, &[1.0, 1.0]);
        regression.add(-1.0, &[1.0, 1.0]);
        let found = regression.solve().expect("demands");
        let near = |coefficient: Coefficient, wanted: f64| (coefficient.value / wanted - 1.0).abs() < 0.02;
        assert!(near(found.background, 0.4) && near(found.per_request[0], 0.003) && near(found.per_request[1], 0.002));
        assert!(found.r_squared > 0.99 && found.samples == 500);
    }

    #[test]
    fn nothing_is_negative() {
        let mut regression = Regression::new(1);
        // More requests, less CPU: no demand can explain that.
        (0..50).for_each(|step| regression.add(2.0 - f64::from(step) * 0.01, &[f64::from(step)]));
        let found = regression.solve().expect("demands");
        assert_eq!(found.per_request[0].value, 0.0);
        assert!(found.background.value > 0.0);
        assert!(Regression::new(1).solve().is_none());
        let mut idle = Regression::new(1);
        (0..50).for_each(|_| idle.add(1.0, &[3.0]));
        assert!(idle.solve().is_none());
    }
}
