"""Checks a trace against the report of the same run: usage: check_trace.py TRACE.json REPORT.json

The slices of a track are nested or apart, and each candidate of the report has a slice where it ran, or else a mark.
Prints the kinds of slices, the runs of the program, and what was open when a process ended."""
import json
import sys
from collections import defaultdict

RESOLUTION_US = 0.002

trace, report = (json.load(open(path)) for path in sys.argv[1:])
events = trace["traceEvents"]
assert trace["otherData"]["schema"] == "regrain-trace"
for event in events:
    assert event["ph"] in "XMiC" and event["ts"] >= 0 and "pid" in event and "tid" in event, event

tracks = defaultdict(list)
for event in events:
    if event["ph"] == "X":
        tracks[event["pid"], event["tid"]].append(event)
named = {(e["pid"], e["tid"]) for e in events if e["name"] == "thread_name"}
for track, slices in tracks.items():
    assert track in named, f"{track} has no name"
    around = []
    for slice in slices:  # in the order of the file, by their begin
        while around and around[-1]["ts"] + around[-1]["dur"] <= slice["ts"] + RESOLUTION_US:
            around.pop()
        end = slice["ts"] + slice["dur"]
        assert not around or end <= around[-1]["ts"] + around[-1]["dur"] + RESOLUTION_US, (slice, around[-1])
        around.append(slice)

ran = {(e["args"].get("kernel"), e["args"].get("grain"), e["name"].split()[0]) for e in events if e["ph"] == "X"}
marked = {(e["args"].get("kernel"), e["args"].get("grain")) for e in events if e["ph"] == "i"}
for entry in report["classes"]:
    for measurement in entry["measurements"]:
        candidate = entry["kernel"], measurement["alternative"]
        assert candidate in marked, candidate
        if measurement["pairs"]:
            assert (*candidate, "time") in ran and ((*candidate, "verify") in ran or candidate[1] == "control"), candidate
for exclusion in report["excluded"]:
    candidate = exclusion["kernel"], exclusion["alternative"]
    assert any((*candidate, what) in ran for what in ("verify", "time", "control")), candidate
counts = [e["args"]["seconds"] for e in events if e["ph"] == "C" and e["name"] == "budget left"]
assert counts and max(counts) <= report["budget_seconds"], counts

print("slices:", *sorted({e["name"].split()[0] for e in events if e["ph"] == "X"}))
for event in events:
    if event["ph"] == "X" and event["tid"] == 0 and event["name"].endswith("run"):
        print(f'{event["name"]}: {event["args"]["ended"]}', *event["args"].get("blamed", []))
print("open at the end:", *(e["name"] for e in events if e["ph"] == "X" and "meanwhile" in e["args"].get("ended", "")))
