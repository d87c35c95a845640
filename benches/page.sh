#!/usr/bin/env bash
# Time of the live page's answer, with its charts, for a scenario that needs draws against one that needs none: the page's
# own form is read, and sent to /answer as the script of the page does. Both in turn (ABBA), medians, one connection.
# At most 3 times is asked for. Needs python3.
#
# Usage: benches/page.sh [WITH_DRAWS.json WITHOUT.json]
# Environment: ROUNDS (40)
set -euo pipefail
cd "$(dirname "$0")/.."
with=${1:-benches/draws.json} without=${2:-fixtures/scenarios/example-dl580.json}
cargo build --release --quiet --locked --features bench --bin vmfit
work=$(mktemp -d)
cp "${CARGO_TARGET_DIR:-target}/release/vmfit" "$work/vmfit"
"$work/vmfit" serve --listen 127.0.0.1:0 --database "sqlite://$work/bench.db" >"$work/log" 2>"$work/err" &
server=$!
trap 'kill "$server"; rm -rf "$work"' EXIT
until grep -q http "$work/log"; do sleep 0.1; done
python3 - "$(sed -n '1s/.* //p' "$work/log")" "$with" "$without" "${ROUNDS:-40}" <<'PY'
import html.parser, http.client, statistics, sys, time, urllib.parse

address, with_draws, without, rounds = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
connection = http.client.HTTPConnection(urllib.parse.urlsplit(address).netloc)

def ask(method, path, body=None, kind=None):
    connection.request(method, path, body, {"content-type": kind} if kind else {})
    response = connection.getresponse()
    text = response.read()
    assert response.status in (200, 201), (path, response.status, text[:300])
    return response, text

class Fields(html.parser.HTMLParser):
    """What a browser would send."""
    def __init__(self):
        super().__init__()
        self.pairs, self.select = [], None
    def handle_starttag(self, tag, attributes):
        a = dict(attributes)
        if tag == "input" and a.get("name") and (a.get("type") != "checkbox" or "checked" in a):
            self.pairs.append((a["name"], a.get("value") or ""))
        if tag == "select":
            self.select, self.first = a.get("name"), True
        if tag == "option" and self.select and (self.first or "selected" in a):
            if not self.first:
                self.pairs.pop()
            self.pairs.append((self.select, a.get("value") or ""))
            self.first = False
        if tag == "textarea" and a.get("name"):
            self.pairs.append((a["name"], ""))

def form(path):
    response, _ = ask("POST", "/api/v1/sizings?save=true", open(path, "rb").read(), "application/json")
    fields = Fields()
    fields.feed(ask("GET", "/?id=" + response.headers["location"].rsplit("/", 1)[1])[1].decode())
    return urllib.parse.urlencode(fields.pairs)

def once(body):
    began = time.perf_counter()
    _, text = ask("POST", "/answer", body, "application/x-www-form-urlencoded")
    assert b"<svg" in text
    return (time.perf_counter() - began) * 1000

bodies = [form(with_draws), form(without)]
times = [[], []]
for body in bodies:
    once(body)
for _ in range(rounds):
    for which in (0, 1, 1, 0):
        times[which].append(once(bodies[which]))
a, b = map(statistics.median, times)
print(f"with draws {a:.2f} ms, without {b:.2f} ms, {a / b:.2f} times (at most 3)")
PY
