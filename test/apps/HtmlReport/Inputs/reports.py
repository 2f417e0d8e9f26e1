"""Writes reports of kernels that do not exist, in the schemas of docs/report-schema.md and docs/tuning-database.md.

usage: reports.py FOLDER KERNELS [INSTRUCTIONS]
"""
import json
import pathlib
import random
import sys

DEVICE, HASH = "NVIDIA H200", "%032x"
# A name that would end the script of a page, and begin another one.
HOSTILE = 'evil<"</script><script>document.title=1</script><!--">(float*)'
KEY = {"generation": "9" * 32, "device": DEVICE, "multiprocessors": 132, "driver": 13000,
       "compiler": "regrain 0.1.0 (0123456789ab), LLVM 19.1.7"}
# Block factors by thread factors, for each shape: what --alternatives=all would have.
AXIS = ["", "x=2", "x=4", "x=8", "y=2", "y=4"]
SHAPES = ["", "shape=128x1x1", "shape=32x8x1,staging=loops,for.block=16x16x1"]


def grains() -> list[str]:
    ids = []
    for shape in SHAPES:
        for block in AXIS:
            for thread in AXIS:
                pieces = [f"block.{block}" * bool(block), f"thread.{thread}" * bool(thread), shape]
                ids.append(",".join(piece for piece in pieces if piece))
    return [each for each in ids if each]


def name_of(i: int) -> str:
    return HOSTILE if i == 0 else f"void kernel{i}<float, {i}>(float*, float const*, int)"


def measurement(draw: random.Random, grain: str, launch: int, gain: float, outcome: str) -> dict:
    original = 100 * draw.uniform(0.95, 1.05)
    return {"alternative": grain, "launch": launch, "weight": 1.0, "blocks": 4096, "original_us": original,
            "candidate_us": original / gain, "gain": gain, "gain_low": gain * 0.97, "gain_high": gain * 1.04, "pairs": 15,
            "outcome": outcome, "seconds": draw.random()}


def measured(draw: random.Random, ids: list[str]) -> list[dict]:
    rows = []
    for number, grain in enumerate(ids):
        if number % 11 == 7:
            rows.append(dict(measurement(draw, grain, 0, 1.0, "dropped: an earlier launch was slower"), pairs=0, candidate_us=0.0))
        elif number % 11 != 5:
            rows += [measurement(draw, grain, launch, draw.uniform(0.4, 3), "timed") for launch in (0, 1)]
    # Fewer than six pairs have no interval: their range is extended to 1.
    return rows + [dict(measurement(draw, "control", 0, 1.02, "timed"), pairs=5, gain_low=1.0)]


def surveyed(draw: random.Random) -> dict:
    return dict(measurement(draw, "original", 0, 1.0, "surveyed"), weight=20.0, original_us=50.0, candidate_us=50.0, pairs=0)


def choice(i: int, when: str) -> dict:
    return {"class": f"block=256x1x1,shared=0,align=16,waves={'1/8' if i % 5 == 4 else 16},grid=*x1x1,integers={4 ** i % 65536}",
            "alternative": "block.x=4" if i % 3 != 2 else "original", "verdict": "faster" if i % 3 != 2 else "no grain is measurably faster; best thread.x=2",
            # The median of the grain's own times, of fewer launches than the gain.
            "original_us": 100.0 + i, "chosen_us": 40.0 + i, "gain": 2.0, "gain_low": 1.9, "gain_high": 2.1, "launches": 2,
            "verified": "bitwise, 2 launches, 64 MiB compared", "when": when}


def small_class(usual: dict) -> dict:
    """Launches of blocks of half a warp, which fill less than the device; some grains are timed in one of two launches."""
    name = usual["class"].replace("block=256x1x1", "block=4x4x1").replace("waves=16", "waves=1/4")
    rows = [each for each in usual["measurements"] if each["launch"] == 0 or each["alternative"] == "thread.x=2"]
    return {**usual, "class": name, "measurements": [dict(each, weight=10.0) if each["outcome"] == "surveyed" else each for each in rows]}


def tuning(kernels: int) -> dict:
    draw = random.Random(1)
    ids = grains()
    code = {"registers": 32, "occupancy_percent": 100, "occupancy_threads": 256}
    classes = [{**KEY, "hash": HASH % i, "kernel": name_of(i), **choice(i, "2026-01-02T10:00:00Z"), "original_code": code,
                "chosen_code": dict(code, registers=96, occupancy_percent=25), "measurements": [surveyed(draw), *measured(draw, ids)]} for i in range(kernels)]
    if kernels > 2:
        classes.append(small_class(classes[2]))
    return {"schema": "regrain-tuning", "version": {"major": 1, "minor": 6}, "command": ["/opt/app", "--size", "<b>"], "session": "s",
            "mode": "replay", "survey": True, "surveyed_seconds": 0.5, "budget_seconds": 30, "seconds": 12.5, "peak_device_bytes": 0, "peak_host_bytes": 0,
            "exit_code": 0, "restarts": 1, "interrupted": False, "gave_up": None, "nothing_tuned": None, "classes": classes,
            "not_tuned": [{**KEY, "hash": "f" * 32, "kernel": "later(int*)", "class": "", "reason": "the kernel waits for the host"},
                          {**KEY, "hash": "e" * 32, "kernel": "long(int*)", "class": "", "reason": "a launch takes 0.00643 s, for which the budget is too small"},
                          *({**KEY, "hash": HASH % i, "kernel": name_of(i), "class": "block=8x1x1", "reason": "the budget was spent before its first launch"} for i in (0, 2) if i < kernels)],
            "not_tried": [{**KEY, "hash": HASH % 0, "kernel": name_of(0), "class": classes[0]["class"], "alternatives": ["unroll=full", "unroll=none"],
                           "budget_for_all_seconds": 44.2}],
            "excluded": [{**KEY, "hash": HASH % 0, "kernel": name_of(0), "alternative": "exchange=warp", "when": "2026-01-02T10:00:00Z",
                          "reason": "differs from the original at byte 4096 of parameter 0"}]}


def side(alternative: str, bits: int, instructions: int) -> dict:
    load = {"memory": "global", "access": "load", "bits": bits, "hint": None}
    code = []
    for number in range(instructions):
        is_load = number % 4 == 0
        opcode = f"ld.global.{'v4.' if bits == 128 else ''}f32" if is_load else "fma.rn.f32"
        code.append({"text": f"{opcode} %f{number}, [%rd{number % 7}]" if is_load else f"{opcode} %f{number}, %f{number % 9}, %f1, %f2",
                     "opcode": opcode, "file": "evil.cu", "line": 9 if number == instructions - 1 else 4 + number % 5, "access": load if is_load else None})
    totals = {"instructions": instructions, "fma": instructions * 3 // 4, "branches": 1, "barriers": 0, "registers": 32,
              "spill_store_bytes": 0, "spill_load_bytes": 0, "stack_bytes": 0}
    return {"alternative": alternative, "symbol": "s", "has_lines": True, "totals": totals,
            "accesses": [{**load, "opcodes": [code[0]["opcode"]], "count": instructions // 4}], "instructions": code}


def arithmetic(i: int) -> list[dict]:
    """Kernel 1 has a loop of unknown length; kernel 0 calls a function."""
    sums = {"bits": 32, "function": None, "conditional": True, "per_thread": "2*n1" if i == 1 else "60", "of_block": 8192 if i == 1 else 15360}
    calls = {"bits": 32, "function": "exp", "conditional": False, "per_thread": "1", "of_block": 256}
    return [sums, calls] if i == 0 else [sums]


def built(kernels: int, instructions: int) -> dict:
    targets = [{"kind": "cubin", "arch": "sm_90", "generation": "9" * 32}, {"kind": "hsaco", "arch": "gfx90a", "generation": "8" * 32}]
    figures = {"registers": 32, "spill_store_bytes": 0, "spill_load_bytes": 0, "stack_bytes": 16, "static_shared_bytes": 0,
               "code_bytes": 640, "occupancy_percent": 100, "occupancy_threads": 256}
    code = [{"kind": "cubin", "arch": "sm_90", "symbol": "s", **figures, "waves": None},
            {"kind": "hsaco", "arch": "gfx90a", "symbol": "s", **figures, "scalar_registers": 24, "waves": 8}]
    kept = {"outcome": "kept", "stage": None, "reason": None, "seconds": None}
    pruned = {"outcome": "pruned", "stage": "size", "reason": "compile budget: earlier grains have taken it", "seconds": None}
    all_kernels, refusals = [], []
    for i in range(kernels):
        ids = grains()
        fates = [pruned if number % 11 == 5 else kept for number in range(len(ids))]
        # Kernel 1 has a loop of unknown length; kernel 2 seems to move more than the device can.
        memories = [{"memory": f"parameter {p}", "reads": p == 1, "writes": p == 0, "places": 1, "bytes_per_thread": "4*n1" if i == 1 else "256",
                     "asked_bytes": 65536 + 32 * i, "touched_bytes": 65536 if i == 2 else 16384} for p in range(2)]
        all_kernels.append({
            "name": name_of(i), "symbol": f"_Z{i}", "file": "evil.cu", "line": 3, "hash": HASH % i, "not_replayable": None, "chosen": "original",
            "alternatives": [{"id": "original", "block_factors": [1, 1, 1], "thread_factors": [1, 1, 1], "code": code},
                             {"id": "block.x=4", "block_factors": [4, 1, 1], "thread_factors": [1, 1, 1], "code": code}],
            "candidates": [{"id": grain, **fate, "code": [{"target": "cubin", "bytes": 640, **fate}]} for grain, fate in zip(ids, fates)],
            "footprint": {"block": [256, 1, 1], "trips": 16, "sector_bytes": 32, "memories": memories, "unknown": [],
                          "arithmetic": arithmetic(i)},
            # Of kernel 1, the code of another kernel's grain was asked for.
            "listing": {"form": "ptx", "arch": "sm_90", "missing": "there is no alternative thread.y=64" if i == 1 else None,
                        "sides": [side("original", 32, instructions), side("block.x=4", 128, instructions)][:1 if i == 1 else 2],
                        "source": [{"file": "evil.cu", "line": line, "text": f"  a[{line}] = '</script>';"} for line in range(3, 10)]}})
        refusals.append({"kernel": f"_Z{i}", "id": "thread.x=16", "stage": "transform", "file": "evil.cu", "line": 7, "column": 3,
                         "reason": "a barrier is reached by some threads only", "kind": "divergent-barrier",
                         "remedy": "move the barrier out of the branch"})
        refusals += [dict(refusals[-1], id=grain, kind=kind, reason=reason, remedy="leave it out") for grain, kind, reason in (
            ("iterations=cyclic", "nothing-dealt", "the kernel has no loop"), ("compiler=nvcc", "not-on-target", "made for another target"))]
    image = {"member": None, "source": "evil.cu", "producer": "regrain", "targets": targets, "kernels": all_kernels, "variables": [],
             "refusals": refusals}
    return {"schema": "regrain-report", "version": {"major": 1, "minor": 9}, "file": "app", "images": [image], "damaged": []}


def explanation() -> dict:
    groups = [{"state": "legal", "families": ["fuse.x"], "ids": ["fuse.x=2", "fuse.x=4"]}]
    return {"schema": "regrain-explanation", "version": {"major": 1, "minor": 8}, "summary": {},
            "files": [{"file": "evil.cu", "damaged": [], "kernels": [
                {"name": name_of(0), "symbol": "_Z0", "file": "evil.cu", "line": 3, "raised": True, "grains": groups}]}]}


def database(kernels: int, when: str, driver: int, grains_measured: int = 0) -> dict:
    draw = random.Random(2)
    return {"regrain_tuning": "2.1", "kernels": [
        {**KEY, "driver": driver, "hash": HASH % i, "name": name_of(i), "choices": [{**choice(i, when), "imported": False}], "exclusions": [],
         "measurements": [{**each, "class": choice(i, when)["class"], "session": "s"} for each in measured(draw, grains()[:grains_measured])]}
        for i in range(kernels)]}


def main() -> None:
    folder, kernels = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    instructions = int(sys.argv[3]) if len(sys.argv) > 3 else 40
    folder.mkdir(parents=True, exist_ok=True)
    limits = {"schema": "regrain-limits", "version": {"major": 1, "minor": 0}, "devices": [
        {"device": DEVICE, "multiprocessors": 132, "copy_bytes_per_second": 4e12, "float_operations_per_second": 6e13, "double_operations_per_second": 3e13, "how": "copy of 1 GiB"}]}
    documents = {"tune": tuning(kernels), "app": built(kernels, instructions), "explain": explanation(),
                 "old": database(kernels, "2025-12-01T10:00:00Z", 12080), "new": database(kernels, "2026-01-03T10:00:00Z", 13010, grains_measured=12),
                 "limits": limits}
    for name, document in documents.items():
        (folder / f"{name}.json").write_text(json.dumps(document, indent=2))


if __name__ == "__main__":
    main()
