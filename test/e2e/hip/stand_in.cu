// REQUIRES: rocm-device-libs
// A library stands in for HIP and runs the CPU's code of the same image: every grain
// has the original's output, through address slots, too; tuning finds choices, verifies
// them and shows them with the figures of the device's chip; the next run uses them.
// RUN: %regrain cc -O2 --targets=cpu,gfx1100,gfx90a --alternatives=4 %s -o %t
// RUN: %python %S/Inputs/every_grain.py %regrain %build/unittests/runtime/plugins/hip/6 %t | FileCheck %s
// CHECK: regrain: running on Stand-in GPU (gfx90a)
// CHECK: regrain: loaded Hsaco for gfx90a on Stand-in GPU (gfx90a)
// CHECK: grains that agree: {{[5-9]}}
//
// RUN: rm -f %t.db
// RUN: env REGRAIN_DEVICE=hip HIP_VISIBLE_DEVICES=-1 LD_LIBRARY_PATH=%build/unittests/runtime/plugins/hip/6 %regrain tune --db %t.db --json %t.json --budget=20 -- %t > %t.out 2> %t.err
// RUN: %python -c "import json,sys; c=json.load(open(sys.argv[1]))['classes'][0]; print(c['device'], c['driver'], c['verified'].split(',')[0], c['original_code']['registers'] > 0, any(m['outcome'].startswith(('excluded', 'dropped', 'not replayed')) for m in c['measurements']), len(c['measurements']) > 4)" %t.json | FileCheck %s --check-prefix=TUNED
// TUNED: Stand-in GPU (gfx90a) 6000 bitwise True False True
// RUN: env REGRAIN_DB=%t.db REGRAIN_VERBOSE=1 REGRAIN_DEVICE=hip HIP_VISIBLE_DEVICES=-1 LD_LIBRARY_PATH=%build/unittests/runtime/plugins/hip/6 %t 2>&1 | FileCheck %s --check-prefix=USED
// USED: for block=128x1x1,shared=0,align=16,{{.*}} (tuned)
#include <cstdio>

__device__ float bias = 2;

__global__ void scale(float *data, float factor, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] = data[i] * factor + bias;
}

constexpr int count = 100000, launches = 400;
static float host[count];

int main() {
  for (int i = 0; i < count; ++i)
    host[i] = i;
  float *data = nullptr;
  if (cudaMalloc(&data, sizeof host) != cudaSuccess ||
      cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice) != cudaSuccess)
    return 1;
  for (int i = 0; i < launches; ++i)
    scale<<<(count + 127) / 128, 128>>>(data, 0.5f, count);
  if (cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost) != cudaSuccess)
    return 1;
  double sum = 0;
  for (float value : host)
    sum += value;
  std::printf("%.17g\n", sum);
}
