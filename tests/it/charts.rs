//! Charts: well-formed, described, and without anything that a strict content security policy would refuse.

use std::collections::BTreeSet;

use roxmltree::{Document, Node};
use vmfit::report::Answer;
use vmfit::report::charts::{self, Chart, Load, Loss, Series, Theme};

use crate::documents::{SCENARIOS, answer_of, example, hostile_texts, input, with_text};

fn parse(svg: &str) -> Document<'_> {
    Document::parse(svg).unwrap_or_else(|error| panic!("{error}\n{svg}"))
}

fn text_of(root: Node, name: &str) -> String {
    let node = root.children().find(|node| node.has_tag_name(("http://www.w3.org/2000/svg", name)));
    node.and_then(|node| node.text()).unwrap_or_default().to_owned()
}

fn all(answer: &Answer) -> Vec<String> {
    Chart::ALL.into_iter().filter_map(|chart| chart.draw(answer, Theme::Page)).map(|picture| picture.svg).collect()
}

#[test]
fn every_scenario_draws_described_charts() {
    for (name, _) in SCENARIOS {
        let answer = answer_of(&input(name));
        let charts = all(&answer);
        assert!(charts.len() >= 3, "{name}: {} charts", charts.len());
        let mut ids = BTreeSet::new();
        for svg in &charts {
            let document = parse(svg);
            let root = document.root_element();
            assert_eq!(root.attribute("role"), Some("img"));
            assert!(root.attribute("viewBox").is_some());
            assert_eq!((root.attribute("width"), root.attribute("height")), (None, None), "CSS decides the size");
            assert!(!text_of(root, "title").is_empty());
            assert!(text_of(root, "desc").len() > 20);
            let named: BTreeSet<&str> = root.descendants().filter_map(|node| node.attribute("id")).collect();
            let labels: BTreeSet<&str> = root.attribute("aria-labelledby").unwrap_or_default().split(' ').collect();
            assert_eq!(named, labels, "{name}");
            for id in named {
                assert!(ids.insert(id.to_owned()), "{name}: {id} twice on a page");
            }
        }
    }
}

#[test]
fn a_strict_policy_allows_the_charts() {
    let (answer, _) = example();
    for svg in all(&answer) {
        let document = parse(&svg);
        for node in document.descendants().filter(Node::is_element) {
            for forbidden in ["style", "onload", "href"] {
                assert_eq!(node.attribute(forbidden), None, "{:?}", node.tag_name());
            }
            assert!(!["style", "script", "foreignObject", "image"].contains(&node.tag_name().name()));
        }
        for colour in ["fill", "stroke"] {
            for node in document.descendants().filter(|node| node.attribute(colour).is_some()) {
                let value = node.attribute(colour).unwrap_or_default();
                assert!(value == "none" || value.starts_with("var(--chart-"), "{value} ignores light and dark");
            }
        }
    }
}

#[test]
fn print_has_fixed_colours() {
    let (answer, _) = example();
    for chart in Chart::ALL {
        let Some(picture) = chart.draw(&answer, Theme::Print) else { continue };
        parse(&picture.svg);
        assert!(!picture.svg.contains("var("), "{chart:?}");
        assert!(!picture.svg.contains("\"#00000"), "{chart:?}: a code is left");
    }
}

#[test]
fn the_same_answer_gives_the_same_text() {
    let (answer, _) = example();
    assert_eq!(all(&answer), all(&answer.clone()));
}

#[test]
fn charts_say_what_the_answer_says() {
    let (answer, _) = example();
    let bars = charts::utilization(&answer).expect("bars");
    let document = parse(&bars);
    let texts: Vec<&str> = document
        .descendants()
        .filter(|node| node.tag_name().name() == "text")
        .filter_map(|node| node.text())
        .map(str::trim)
        .collect();
    assert_eq!(texts.first(), Some(&"Memory"), "the binding one first");
    for expected in ["77.7 %", "fits 3", "fits 6", "fits 8", "limit of the policy"] {
        assert!(texts.contains(&expected), "{expected} in {texts:?}");
    }
    let chance = charts::chance(&answer).expect("chance");
    assert!(text_of(parse(&chance).root_element(), "desc").starts_with("3 are likely"));
    assert!(charts::curves_utilization(&answer).is_some());
}

#[test]
fn nothing_to_show_gives_no_chart() {
    let (mut answer, _) = example();
    answer.resources.clear();
    answer.fit.probability.clear();
    answer.sensitivity.clear();
    answer.curves = None;
    assert_eq!(all(&answer), Vec::<String>::new());
}

#[test]
fn strange_figures_draw_something() {
    let (mut answer, _) = example();
    for resource in &mut answer.resources {
        resource.supply = 0.0;
        resource.utilization_percent = 1e300;
        resource.limit_percent = -5.0;
    }
    for (index, row) in answer.sensitivity.iter_mut().enumerate() {
        row.low_unrounded = index as f64 * 1e9;
    }
    if let Some(curves) = &mut answer.curves {
        for line in curves.utilization.iter_mut().chain(&mut curves.latency) {
            line.values = line.values.iter().map(|_| Some(1e200)).collect();
            line.limit = Some(1e-9);
        }
    }
    for svg in all(&answer) {
        parse(&svg);
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
}

#[test]
fn hostile_texts_stay_texts() {
    let (answer, _) = example();
    for text in hostile_texts() {
        for svg in all(&with_text(&answer, &text)) {
            let document = parse(&svg);
            assert!(!document.descendants().any(|node| node.tag_name().name() == "script"));
        }
    }
}

/// Of imports and calibrations, with this text wherever a file could put one.
fn of_measurements(text: &str) -> Vec<String> {
    let steps = [Some([0.0, 1.0, 2.0]), None, Some([1.0, 2.5, 40.0]), Some([3.0, 3.0, 3.0])];
    let series = Series { title: text, unit: "ms", steps: &steps, chosen: Some(31.5), from: text, to: text };
    let loss = |likely, range| Loss { label: text.to_owned(), likely, range };
    let load = |native, residual, outlier| Load { label: text.to_owned(), native, residual, outlier };
    let loads = [load(1.0, 0.02, false), load(2.0, -0.75, true), load(3.0, 0.0, false)];
    let drawn = [
        charts::series(&series),
        charts::losses(&[loss(4.25, Some((-1.0, 9.0))), loss(46.6, None)]),
        charts::residuals(&loads),
    ];
    drawn.into_iter().map(|svg| svg.expect("something to show")).collect()
}

#[test]
fn measurements_are_drawn_and_described() {
    let told: [&[&str]; 3] = [&["0 ms", "40 ms", "31.5 ms"], &["4.25", "−1", "46.6"], &["0.02", "0.75", "3"]];
    for (svg, told) in of_measurements("disk \"D:\"").iter().zip(told) {
        let document = parse(svg);
        let root = document.root_element();
        assert_eq!(root.attribute("role"), Some("img"));
        assert!(!text_of(root, "title").is_empty());
        let description = text_of(root, "desc");
        for figure in told {
            assert!(description.contains(figure), "{figure}: {description}");
        }
        assert!(!svg.contains("style=") && !svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
    for text in hostile_texts() {
        for svg in of_measurements(&text) {
            assert!(!parse(&svg).descendants().any(|node| node.tag_name().name() == "script"));
        }
    }
}

#[test]
fn measurements_that_show_nothing_give_no_chart() {
    let one = [Some([1.0; 3]), None];
    let endless = [Some([1.0; 3]), Some([1.0, 1.0, f64::INFINITY])];
    for steps in [&one[..], &endless[..], &[]] {
        let series = Series { title: "a", unit: "%", steps, chosen: None, from: "", to: "" };
        assert!(charts::series(&series).is_none(), "{steps:?}");
    }
    assert!(charts::losses(&[Loss { label: "a".to_owned(), likely: f64::NAN, range: None }]).is_none());
    let load = |residual| Load { label: "a".to_owned(), native: 1.0, residual, outlier: false };
    assert!(charts::residuals(&[load(0.0)]).is_none());
    assert!(charts::residuals(&[load(0.0), load(f64::NAN)]).is_none());
}
