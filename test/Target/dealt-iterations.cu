// With iterations=cyclic the lanes of a warp access neighbouring elements: in each iteration, the index advances by the
// width of the block instead of by one.
// RUN: %regrain cc -O3 --targets=ptx --coarsen='*:iterations=cyclic,for.block=128x1x1' --emit=ptx %s | FileCheck %s --check-prefix=PTX
// RUN: %regrain cc -O3 --targets=gfx90a --coarsen='*:iterations=cyclic' --emit=amdgcn %s | FileCheck %s --check-prefix=AMD
// RUN: %regrain explain --targets=compute_80 --alternatives=24 %s | FileCheck %s --check-prefix=PROPOSED
// RUN: %regrain explain --targets=cpu --alternatives=24 %s | FileCheck %s --check-prefix=CPU --implicit-check-not=iterations=

extern "C" __global__ void scale(float *__restrict__ out, const float *__restrict__ in, float factor) {
  int first = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  for (int j = 0; j < 4; ++j)
    out[first + j] = factor * in[first + j];
}

// The elements of a thread are 128 floats apart.
// PTX: .entry scale__grain_iterationscyclic{{.*}}(
// PTX: ld.global{{.*}}.f32 %{{f[0-9]+}}, [%[[FROM:rd[0-9]+]]];
// PTX: ld.global{{.*}}.f32 %{{f[0-9]+}}, [%[[FROM]]+512];
// PTX: ld.global{{.*}}.f32 %{{f[0-9]+}}, [%[[FROM]]+1024];

// AMD: define {{.*}}scale__grain_iterationscyclic

// PROPOSED: iterations=cyclic
// CPU: scale
