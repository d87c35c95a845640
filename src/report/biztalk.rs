//! The BizTalk group of an answer in words.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::engine::biztalk::Tier;
use crate::engine::groups::{self, Group, Rate, Size, Wanted};

use super::words::{Word, capitalized, number, plain, rounded, say};

/// What the BizTalk group in the unit processes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct BizTalkAnswer {
    /// BizTalk servers and MessageBoxes of one group.
    pub servers: u32,
    pub messageboxes: u32,
    /// Groups: the likely number of units.
    pub groups: u32,
    /// CPU of one VM, relative to the lab's processing and SQL server.
    pub processing_rating: f64,
    pub sql_rating: f64,
    pub rates: Vec<BizTalkRate>,
    /// What an asked rate needs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wanted: Option<BizTalkWantedAnswer>,
    /// What is assumed.
    pub about: String,
    pub source: String,
}

/// Documents a second for one kind of work.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct BizTalkRate {
    /// `messaging` or `orchestration`.
    pub scenario: String,
    /// Of one group, with its 90 % interval.
    pub docs_per_s: f64,
    pub low_docs_per_s: f64,
    pub high_docs_per_s: f64,
    /// Of all groups.
    pub total_docs_per_s: f64,
    /// `processing_cpu`, `sql_cpu` or `messagebox`.
    pub limit: String,
    pub processing_cpu_percent: f64,
    pub sql_cpu_percent: f64,
    /// More servers or MessageBoxes than were measured.
    pub extrapolated: bool,
    /// Two MessageBoxes give what one gives.
    pub two_messageboxes: bool,
    pub text: String,
}

/// What an asked rate needs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct BizTalkWantedAnswer {
    pub scenario: String,
    pub docs_per_s: f64,
    /// The smallest group that likely carries it; null when none of up to eight of each does.
    pub likely: Option<BizTalkSize>,
    /// Where none does: the group of up to eight of each that likely processes most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most: Option<BizTalkSize>,
    /// The smallest group that carries it at the low end of its interval.
    pub at_confidence: Option<BizTalkSize>,
    pub text: String,
}

/// A group and how many of them fit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct BizTalkSize {
    pub servers: u32,
    pub messageboxes: u32,
    pub docs_per_s: f64,
    /// Groups of that size that the hosts carry.
    pub groups: u32,
    pub extrapolated: bool,
}

pub(super) fn answer(group: &Group, units: u32) -> BizTalkAnswer {
    let (processing, sql) = (number(group.ratings.processing), number(group.ratings.sql));
    let words = [
        ("processing", Word::Text(&processing)),
        ("sql", Word::Text(&sql)),
        ("sql_there", Word::Text(if group.has_sql { "yes" } else { "no" })),
    ];
    BizTalkAnswer {
        servers: group.servers,
        messageboxes: group.messageboxes,
        groups: units,
        processing_rating: rounded(group.ratings.processing),
        sql_rating: rounded(group.ratings.sql),
        rates: group.rates.iter().map(|found| rate(found, units)).collect(),
        wanted: group.wanted.as_ref().map(wanted),
        about: say("biztalk-about", &words).trim_end().to_owned(),
        source: groups::SOURCE.to_owned(),
    }
}

fn rate(rate: &Rate, units: u32) -> BizTalkRate {
    let limit = match rate.likely.binding {
        Tier::ProcessingCpu => "processing_cpu",
        Tier::SqlCpu => "sql_cpu",
        Tier::MessageBox => "messagebox",
    };
    let scenario = rate.work.as_str();
    let total = rate.likely.docs_per_s * f64::from(units);
    let (work, limit_text) = (plain(&format!("biztalk-work-{scenario}")), plain(&format!("biztalk-limit-{limit}")));
    let whole = |value: f64| number(value.round());
    let (docs, low, high, all) = (whole(rate.likely.docs_per_s), whole(rate.low), whole(rate.high), whole(total));
    let groups = number(f64::from(units));
    let words = [
        ("work", Word::Text(&work)),
        ("docs", Word::Text(&docs)),
        ("low", Word::Text(&low)),
        ("high", Word::Text(&high)),
        ("limit", Word::Text(&limit_text)),
        ("total", Word::Text(&all)),
        ("n", Word::Count(f64::from(units))),
        ("groups", Word::Text(&groups)),
    ];
    let mut text = capitalized(&say("biztalk-rate", &words));
    if rate.likely.extrapolated {
        text = format!("{text} {}", plain("biztalk-extrapolated"));
    }
    BizTalkRate {
        scenario: scenario.to_owned(),
        docs_per_s: rounded(rate.likely.docs_per_s),
        low_docs_per_s: rounded(rate.low),
        high_docs_per_s: rounded(rate.high),
        total_docs_per_s: rounded(total),
        limit: limit.to_owned(),
        processing_cpu_percent: rounded(rate.likely.processing_utilization * 100.0),
        sql_cpu_percent: rounded(rate.likely.sql_utilization * 100.0),
        extrapolated: rate.likely.extrapolated,
        two_messageboxes: rate.likely.two_messageboxes,
        text,
    }
}

fn wanted(wanted: &Wanted) -> BizTalkWantedAnswer {
    let scenario = wanted.work.as_str();
    let (asked, work) = (number(wanted.docs_per_s), plain(&format!("biztalk-work-{scenario}")));
    let about = |key: &str, size: Option<&Size>| {
        let of = |value: fn(&Size) -> u32| size.map_or(0.0, |size| f64::from(value(size)));
        let (servers, boxes, groups) = (of(|s| s.servers), of(|s| s.messageboxes), of(|s| s.groups));
        let docs = number(size.map_or(0.0, |size| size.docs_per_s.round()));
        let (servers_text, boxes_text, groups_text) = (number(servers), number(boxes), number(groups));
        let words = [
            ("asked", Word::Text(&asked)),
            ("work", Word::Text(&work)),
            ("servers", Word::Count(servers)),
            ("servers_text", Word::Text(&servers_text)),
            ("boxes", Word::Count(boxes)),
            ("boxes_text", Word::Text(&boxes_text)),
            ("docs", Word::Text(&docs)),
            ("n", Word::Count(groups)),
            ("groups", Word::Text(&groups_text)),
        ];
        say(key, &words)
    };
    let mut text = match &wanted.likely {
        None => about("biztalk-size-none", wanted.most.as_ref()),
        Some(size) => about("biztalk-size", Some(size)),
    };
    let shape = |size: &Size| (size.servers, size.messageboxes);
    match (&wanted.likely, &wanted.sure) {
        (Some(likely), Some(sure)) if shape(likely) != shape(sure) => {
            text = format!("{text} {}", about("biztalk-size-sure", Some(sure)));
        }
        (Some(_), None) => text = format!("{text} {}", plain("biztalk-size-sure-none")),
        _ => {}
    }
    BizTalkWantedAnswer {
        scenario: scenario.to_owned(),
        docs_per_s: rounded(wanted.docs_per_s),
        likely: wanted.likely.as_ref().map(size),
        most: wanted.most.as_ref().map(size),
        at_confidence: wanted.sure.as_ref().map(size),
        text,
    }
}

fn size(size: &Size) -> BizTalkSize {
    BizTalkSize {
        servers: size.servers,
        messageboxes: size.messageboxes,
        docs_per_s: rounded(size.docs_per_s),
        groups: size.groups,
        extrapolated: size.extrapolated,
    }
}
