// With banks=padded a row of 32 words has another word behind it, in PTX and for AMD's chips. If the block is known,
// so is the row of each access, and no division is left.
// RUN: %regrain cc -O3 --targets=ptx --coarsen='*:banks=padded' --emit=ptx %s | FileCheck %s --check-prefix=PTX
// RUN: %regrain cc -O3 --targets=ptx --coarsen='*:banks=padded,for.block=32x32x1' --emit=ptx %s | FileCheck %s --check-prefix=KNOWN
// RUN: %regrain cc -O3 --targets=gfx90a --coarsen='*:banks=padded' --emit=amdgcn %s | FileCheck %s --check-prefix=AMD
// RUN: %regrain cc --targets=ptx --coarsen='*:banks=padded' -DROWS -c -o %t.o %s
// RUN: %regrain inspect %t.o | FileCheck %s --check-prefix=REFUSED
// RUN: not %regrain cc --targets=ptx --coarsen='*:banks=padded,shared=global' -c -o %t.o %s 2>&1 | FileCheck %s --check-prefix=CONTRADICTION

#ifdef ROWS
#define PLACE tile[threadIdx.y][threadIdx.x ^ 1]
#else
#define PLACE tile[threadIdx.x][threadIdx.y]
#endif

extern "C" __global__ void transpose(float *out, const float *in) {
  __shared__ float tile[32][32];
  int i = threadIdx.y * 32 + threadIdx.x;
  tile[threadIdx.y][threadIdx.x] = in[blockIdx.x * 1024 + i];
  __syncthreads();
  out[blockIdx.x * 1024 + i] = PLACE;
}

// PTX: .entry transpose__grain_bankspadded(
// PTX: .shared .align {{[0-9]+}} .b8 {{.*}}[4220]
// PTX: st.shared
// PTX: bar.sync
// PTX: ld.shared

// KNOWN: .entry transpose__grain_bankspadded_{{.*}}(
// KNOWN-NOT: shr
// KNOWN: st.shared
// KNOWN-NOT: shr
// KNOWN: ld.shared

// AMD: @{{.*}} = {{.*}}addrspace(3) global [4220 x i8]

// REFUSED: refused banks=padded (transform): no lanes of a warp are known to access one bank of a static shared array at different addresses
// REFUSED-NEXT: to lift this: leave out banks=padded

// CONTRADICTION: banks=padded and shared=global cannot be combined
