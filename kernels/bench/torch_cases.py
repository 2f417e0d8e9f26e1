#!/usr/bin/env python3
"""Calls what PyTorch compiles for the same work, to be timed from outside.

usage: torch_cases.py CALLS SECONDS CASE...

Cases, memsets and lines are those of run.cpp. A case that does not begin within SECONDS is left out.
"""
import ctypes
import sys
import time

import torch

END = time.time() + float(sys.argv[2])
CALLS = int(sys.argv[1])
FP8 = torch.float8_e4m3fn
driver = ctypes.CDLL("libcuda.so.1")


def memset(buffer: torch.Tensor, count: int) -> None:
    stream = torch.cuda.current_stream().cuda_stream
    if driver.cuMemsetD8Async(ctypes.c_uint64(buffer.data_ptr()), ctypes.c_ubyte(0), ctypes.c_size_t(count), ctypes.c_void_p(stream)):
        raise RuntimeError("cuMemsetD8Async failed")


def to_fp8(y, scale):
    return (y / scale).clamp(-448.0, 448.0).to(FP8)


def quantised(y, scaling, scale):
    if scaling == "tensor":
        return to_fp8(y, scale), scale
    if scaling == "token":
        scale = y.abs().amax(dim=-1, keepdim=True).clamp(min=1e-10) / 448.0
        return to_fp8(y, scale), scale
    groups = y.view(y.shape[0], -1, 128)
    scale = groups.abs().amax(dim=-1, keepdim=True).clamp(min=1e-10) / 448.0
    return to_fp8(groups, scale).view(y.shape), scale


def norm(input, residual, weight, scale, scaling):
    z = (input.float() + residual.float()).half()
    residual.copy_(z)
    z = z.float()
    y = z * weight.float() * torch.rsqrt((z * z).mean(dim=-1, keepdim=True) + 1e-5)
    return quantised(y, scaling, scale)


def swiglu(input, scale, scaling):
    gate, up = input.float().chunk(2, dim=-1)
    return quantised(torch.nn.functional.silu(gate) * up, scaling, scale)


def make(words):
    """Returns the call, and what it must move."""
    device = "cuda"
    torch._dynamo.reset()
    if words[0] == "matmul":
        m, n, k = map(int, words[1:4])
        a, b = torch.randn(m, k, device=device).to(FP8), torch.randn(n, k, device=device).to(FP8)
        one = torch.ones(1, device=device)
        return lambda: torch._scaled_mm(a, b.t(), scale_a=one, scale_b=one, out_dtype=torch.float16), m * k + n * k + 2 * m * n
    scaling, rows, columns = words[1], int(words[2]), int(words[3])
    scale = torch.full((1,), 1 / 64, device=device)
    if words[0] == "norm":
        values = [torch.rand(rows, columns, device=device, dtype=torch.float16) for _ in range(2)]
        weight = torch.rand(columns, device=device, dtype=torch.float16)
        compiled = torch.compile(norm, dynamic=False)
        return lambda: compiled(*values, weight, scale, scaling), 7 * rows * columns + 2 * columns
    values = torch.rand(rows, 2 * columns, device=device, dtype=torch.float16)
    compiled = torch.compile(swiglu, dynamic=False)
    return lambda: compiled(values, scale, scaling), 5 * rows * columns


def time_by_events(call, cache) -> float:
    times = []
    for _ in range(15):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        memset(cache, cache.numel())
        begin.record()
        call()
        end.record()
        torch.cuda.synchronize()
        times.append(begin.elapsed_time(end) * 1000)
    return sorted(times)[7]


def main() -> None:
    cache = torch.empty(2 * torch.cuda.get_device_properties(0).L2_cache_size, dtype=torch.uint8, device="cuda")
    print(f"FLUSH {cache.numel()}", flush=True)
    for case in sys.argv[3:]:
        if time.time() > END:
            break
        try:
            call, size = make(case.split(":"))
            call()
            memset(cache, 8)
            for _ in range(20):
                call()
            for count in (4, cache.numel()):
                for _ in range(CALLS):
                    memset(cache, count)
                    call()
            memset(cache, 12)
            torch.cuda.synchronize()
            print(f"CASE {case} {size} torch-{torch.__version__} {time_by_events(call, cache):.3f}", flush=True)
        except Exception as error:  # the other cases still tell something
            print(f"FAIL {case}: {error!r}"[:300], flush=True)


if __name__ == "__main__":
    main()
