// RUN: rm -f %t.a
// RUN: %regrain cc --targets=ptx -c %s -o %t.o
// RUN: llvm-ar rc %t.a %t.o
// RUN: %regrain inspect %t.a | FileCheck %s

// CHECK: .a({{.*}}.o): {{.*}}inspect-archive.cu, 1 kernel
__global__ void empty() {}
