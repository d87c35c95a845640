//! From values to places, and round figures for an axis.

use std::ops::RangeInclusive;

/// A linear map of values onto pixels.
#[derive(Clone, Copy)]
pub struct Scale {
    pub from: (f64, f64),
    pub to: (f64, f64),
}

impl Scale {
    pub fn place(&self, value: f64) -> f64 {
        let width = self.from.1 - self.from.0;
        let share = if width > 0.0 { (value - self.from.0) / width } else { 0.5 };
        self.to.0 + share * (self.to.1 - self.to.0)
    }
}

/// Round figures inside a range, about so many: steps of 1, 2 or 5 times a power of ten.
pub fn ticks(range: RangeInclusive<f64>, about: f64) -> Vec<f64> {
    let (low, high) = (*range.start(), *range.end());
    let span = high - low;
    if !(span > 0.0 && span.is_finite()) {
        return vec![low];
    }
    let rough = span / about;
    let power = libm::pow(10.0, libm::log10(rough).floor());
    let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|s| s * power).find(|s| *s >= rough * 0.999).unwrap_or(rough);
    let first = (low / step - 1e-9).ceil();
    let count = ((high / step + 1e-9).floor() - first).clamp(0.0, 100.0) as u32;
    (0..=count).map(|index| (first + f64::from(index)) * step).collect()
}

/// Round whole figures inside a range, about so many.
pub fn whole_ticks(low: u32, high: u32, about: u32) -> Vec<u32> {
    let rough = (high.saturating_sub(low) / about.max(1)).max(1);
    let mut power = 1;
    let step = loop {
        if let Some(step) = [1, 2, 5].into_iter().map(|s: u32| s.saturating_mul(power)).find(|s| *s >= rough) {
            break step;
        }
        power *= 10;
    };
    (low.div_ceil(step)..=high / step).map(|index| index * step).collect()
}

/// Places moved apart, in their order, so that each is at least `gap` from the next, none below `least` or above `most`
/// as far as there is room.
pub fn apart(places: &[f64], gap: f64, least: f64, most: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by(|a, b| places[*a].total_cmp(&places[*b]).then(a.cmp(b)));
    let mut moved = places.to_vec();
    let mut free = least;
    for index in &order {
        moved[*index] = moved[*index].max(free);
        free = moved[*index] + gap;
    }
    let mut free = most;
    for index in order.iter().rev() {
        moved[*index] = moved[*index].min(free);
        free = moved[*index] - gap;
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        assert_eq!(ticks(0.0..=100.0, 5.0), [0.0, 20.0, 40.0, 60.0, 80.0, 100.0]);
        assert_eq!(ticks(3.1..=4.9, 4.0), [3.5, 4.0, 4.5]);
        assert_eq!(ticks(2.0..=2.0, 4.0), [2.0]);
        assert_eq!(whole_ticks(0, 7, 10), [0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(whole_ticks(3, 95, 5), [20, 40, 60, 80]);
    }

    #[test]
    fn labels_keep_apart() {
        assert_eq!(apart(&[10.0, 10.0, 30.0], 8.0, 0.0, 100.0), [10.0, 18.0, 30.0]);
        assert_eq!(apart(&[99.0, 98.0], 8.0, 0.0, 100.0), [100.0, 92.0]);
    }
}
