// One question: what became of one grain? Exit code 0: it is legal, 2: it is not, 1: there is no answer.
// RUN: env REGRAIN_DB=off %regrain explain --why='scale:block.x=2' --targets=cpu --alternatives=4 %s | FileCheck %s --check-prefix=LEGAL --match-full-lines
// LEGAL:      scale(float*, int)  [{{.*}}why.cu:[[#]]] at block.x=2
// LEGAL-NEXT: {{^}}  legal:     yes
// LEGAL-NEXT: {{^}}  proposed:  yes, as number {{[1-4]}} of 4
// LEGAL-NEXT: {{^}}  dropped:   no
// LEGAL-NEXT: {{^}}  compiled:  cpu x86-64-v3
// LEGAL-NEXT: {{^}}  tried:     no, 'regrain tune' has not measured it here
// LEGAL-NEXT: {{^}}  chosen:    no

// A grain that is legal need not be proposed; totals are given to dimensions.
// RUN: env REGRAIN_DB=off %regrain explain --why 'scale:block=13' %s | FileCheck %s --check-prefix=OTHER
// OTHER: at block.x=13
// OTHER-NEXT: legal:     yes
// OTHER-NEXT: proposed:  no, not among the first {{[0-9]+}}; --alternatives=all tries all that may be faster
// OTHER: compiled:  no; --targets=A,B,... names what grains are compiled for

// A refusal has its place, the reason and the remedy.
// RUN: bash -c '"$@"; echo code $?' - env REGRAIN_DB=off %regrain explain --why='warps:thread.x=2:contiguous' %s | FileCheck %s --check-prefix=REFUSED
// REFUSED: warps(int*)  [{{.*}}why.cu:[[#]]] at thread.x=2:contiguous
// REFUSED-NEXT: legal:     no (transform)
// REFUSED-NEXT: why.cu:[[#@LINE+21]]:{{[0-9]+}}: a warp operation needs the lanes of a warp to be neighbouring threads
// REFUSED-NEXT: to lift this: leave out :contiguous, shape and fuse
// REFUSED-NEXT: proposed:
// REFUSED-NEXT: tried:
// REFUSED-NEXT: chosen:    no
// REFUSED-NEXT: code 2

// Of a file that was built, only what it holds is known.
// RUN: %regrain cc -c --targets=cpu --coarsen='scale:block.x=2' %s -o %t.o
// RUN: env REGRAIN_DB=off %regrain explain --why='scale:block.x=2' %t.o | FileCheck %s --check-prefix=BUILT
// BUILT: legal:     yes
// BUILT: compiled:  cpu
// RUN: env REGRAIN_DB=off %regrain explain --why='scale:block.x=3' %t.o | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: legal:     not known, because the file was built without it; ask about its source
// UNKNOWN: proposed:  no, not when the file was built

__global__ void scale(float *v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    v[i] *= 2;
}
__global__ void warps(int *v) { v[threadIdx.x] = __match_any_sync(~0u, v[threadIdx.x]); }

// RUN: not %regrain explain --why='scales:block.x=2' %s 2>&1 | FileCheck %s --check-prefix=NEAR --implicit-check-not=warning
// NEAR: {{^}}regrain explain: error: --why: no kernel matches 'scales'; did you mean 'scale'?{{$}}
// RUN: not %regrain explain --why='scale:block.x=0' %s 2>&1 | FileCheck %s --check-prefix=SPEC
// SPEC: {{^}}regrain explain: error: option '--why=scale:block.x=0': {{.*}}block.x=0
// RUN: not %regrain explain --why='scale' %s 2>&1 | FileCheck %s --check-prefix=COLON
// COLON: 'scale' has no ':' between the kernel and the grain
// RUN: not %regrain explain --json --why='scale:block.x=2' %s 2>&1 | FileCheck %s --check-prefix=JSON
// JSON: error: option '--json' has no form for --why; its exit code tells whether the grain is legal
// RUN: not %regrain cc -c --why='scale:block.x=2' %s -o %t.none 2>&1 | FileCheck %s --check-prefix=NEEDS
// NEEDS: {{^}}regrain cc: error: option '--why' needs --explain
