// If a named target has no code for a kernel, this is reported once, as an
// error; with --keep-going, or for a target that was not named, as a warning.
// RUN: not %regrain cc --targets=cpu -c %s -o %t.o 2>&1 | FileCheck %s --check-prefixes=NAMED,ONCE
// RUN: %regrain cc --targets=cpu --keep-going -c %s -o %t.o 2>&1 | FileCheck %s --check-prefixes=WARNED,ONCE
// RUN: %regrain cc -c %s -o %t.o 2>&1 | FileCheck %s --check-prefixes=WARNED,ONCE
// RUN: %regrain cc -arch=compute_80 -c %s -o %t.o 2>&1 | FileCheck %s --check-prefixes=WARNED,ONCE

// ONCE-NOT: foo.bar
// NAMED: {{.*}}no-code.cu:[[#@LINE+4]]:1: error: cpu: no code for kernel 'odd(float*)': {{.*}}foo.bar
// WARNED: {{.*}}no-code.cu:[[#@LINE+3]]:1: warning: cpu: no code for kernel 'odd(float*)': {{.*}}foo.bar
// ONCE-NOT: foo.bar
// NAMED: error: 1 kernel has no code for a target that was named; --keep-going builds the others
__global__ void odd(float *p) {
  int x;
  asm volatile("foo.bar %0;" : "=r"(x));
  p[0] = x;
}

__global__ void good(float *p) { p[threadIdx.x] += 1; }
