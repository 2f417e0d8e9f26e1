// What is asked for and not there gives one message and exit code 1.
// RUN: %regrain cc --targets=ptx --coarsen='scale:thread.x=2' -c %s -o %t.o
// RUN: not %regrain inspect --code=wasm %t.o 2>&1 | FileCheck %s --check-prefix=FORM
// FORM: {{^}}regrain inspect: error: option '--code': 'wasm' is no form of code; the forms are sass, ptx, amdgcn, x86{{$}}
// RUN: not %regrain inspect --code --kernel=absent %t.o 2>&1 | FileCheck %s --check-prefix=KERNEL
// RUN: not %regrain inspect --kernel=absent %t.o 2>&1 | FileCheck %s --check-prefix=KERNEL
// KERNEL: {{^}}regrain inspect: error: {{.*}}.o has no kernel 'absent'; there are: scale(float*, int); other(float*){{$}}
// RUN: not %regrain inspect --code --alternative=block.x=8 %t.o 2>&1 | FileCheck %s --check-prefix=GRAIN
// GRAIN: {{^}}regrain inspect: error: {{.*}}.o has no alternative 'block.x=8'; there are: original; thread.x=2{{$}}
// RUN: not %regrain inspect --code --alternative=block.x=0 %t.o 2>&1 | FileCheck %s --check-prefix=SPEC
// SPEC: {{^}}regrain inspect: error: option '--alternative':
// RUN: not %regrain inspect --code=sass %t.o 2>&1 | FileCheck %s --check-prefix=SASS
// SASS: {{^}}regrain inspect: error: {{.*}}.o has no sass code, but sm_70 (ptx); --targets=sm_90 adds it where ptxas of a CUDA toolkit is found{{$}}
// RUN: not %regrain inspect --alternative=original %t.o 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE: {{^}}regrain inspect: error: {{.*}}--alternative{{.*}}--code
// RUN: not %regrain inspect --footprint --block=2048 %t.o 2>&1 | FileCheck %s --check-prefix=BLOCK
// RUN: not %regrain inspect --footprint --block=32x %t.o 2>&1 | FileCheck %s --check-prefix=BLOCK
// BLOCK: {{^}}regrain inspect: error: option '--block': '{{.*}}' is no block of at most 1024 threads, such as 256 or 32x8{{$}}
// RUN: not %regrain inspect --footprint --trips=0 %t.o 2>&1 | FileCheck %s --check-prefix=TRIPS
// TRIPS: {{^}}regrain inspect: error: option '--trips'
// RUN: echo 'int f() { return 1; }' > %t.cpp && clang++ -c %t.cpp -o %t.none.o
// RUN: not %regrain inspect --code %t.none.o 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: {{^}}regrain inspect: error: {{.*}}.o holds no Regrain image{{$}}
// A kernel without the alternative is shown with its original.
// RUN: %regrain inspect --code --alternative=thread.x=2 %t.o | FileCheck %s --check-prefix=SOME
// SOME: scale(float*, int): ptx for sm_70
// SOME: other(float*): ptx for sm_70
// SOME-NEXT: there is no alternative thread.x=2
__global__ void scale(float *v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    v[i] *= 2;
}
__global__ void other(float *v) { *v = 1; }
