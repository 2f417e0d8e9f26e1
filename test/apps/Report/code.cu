// The code of a scalar and a vector copy differs in the widths of accesses.
// RUN: %regrain cc -O3 -lineinfo --targets=ptx --coarsen='copy*:thread.x=2' -c %s -o %t.o
// RUN: %regrain inspect --code=ptx %t.o | FileCheck %s
// Without a form, the first that the file has is shown; the source is not quoted if it is newer.
// RUN: cp %s %t.cu && %regrain cc -O3 -lineinfo --targets=ptx --alternatives=2 -c %t.cu -o %t.copy.o
// RUN: %regrain inspect --code --kernel=copy4 %t.copy.o | FileCheck %s --check-prefix=FIRST
// RUN: touch -d '+1 hour' %t.cu
// RUN: %regrain inspect --code --kernel=copy4 %t.copy.o | FileCheck %s --check-prefix=NEWER
// The original alone, without lines.
// RUN: %regrain cc -O3 --targets=ptx --alternatives=2 -c %s -o %t.plain.o
// RUN: %regrain inspect --code=ptx --alternative=original --kernel=copy1 %t.plain.o | FileCheck %s --check-prefix=PLAIN
// JSON has the same.
// RUN: %regrain inspect --code=ptx --json %t.o > %t.json
// RUN: %python %S/Inputs/widths.py %t.json | FileCheck %s --check-prefix=JSON

// CHECK-LABEL: copy1(float*, float const*, int): ptx for sm_70
// CHECK-NEXT: original {{ *}}thread.x=2
// CHECK-NEXT: code.cu:[[#@LINE+16]]: {{.*}}copy1
// CHECK: code.cu:[[#@LINE+18]]: out[i] = in[i];
// CHECK-NEXT: ld.global.f32 %f1, [%rd2] {{.*}}
// CHECK: memory {{ *}}access {{ *}}bits {{ *}}hint {{ *}}instructions {{ *}}original {{ *}}thread.x=2 {{ *}}difference
// CHECK-NEXT: global {{ *}}load {{ *}}32 {{ *}}- {{ *}}ld.global.f32 {{ *}}1 {{ *}}{{[2-9]}} {{ *}}+{{[1-8]}}
// CHECK-NEXT: global {{ *}}store {{ *}}32 {{ *}}- {{ *}}st.global.f32 {{ *}}1 {{ *}}{{[2-9]}} {{ *}}+{{[1-8]}}
// CHECK: in all {{ *}}original {{ *}}thread.x=2 {{ *}}difference
// CHECK: registers {{ *}}- {{ *}}- {{ *}}-
// CHECK-LABEL: copy4(
// CHECK: global {{ *}}load {{ *}}128 {{ *}}- {{ *}}ld.global.v4.{{[a-z0-9]+}} {{ *}}1 {{ *}}{{[2-9]}} {{ *}}+{{[1-8]}}
// CHECK: global {{ *}}store {{ *}}128

// FIRST: copy4({{.*}}: ptx for sm_70
// FIRST: .cu:{{[0-9]+}}: out[i] = in[i];
// NEWER: .cu:{{[0-9]+$}}
// NEWER-NOT: out[i]
__global__ void copy1(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i];
}
__global__ void copy4(float4 *out, const float4 *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i];
}

// PLAIN: copy1(float*, float const*, int): ptx for sm_70
// PLAIN-NEXT: the code has no line information: compile with -lineinfo
// PLAIN-NEXT: {{^ *}}original{{$}}
// PLAIN-NOT: difference
// PLAIN-NOT: copy4

// JSON: copy1 original global load 32 1
// JSON: copy1 thread.x=2 global load 32 {{[2-9]}}
// JSON: copy4 original global load 128 1
