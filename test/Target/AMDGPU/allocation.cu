// Device memory comes from ROCm's library, with the heap that code objects of version 5 receive; version 4 lacks it.
// REQUIRES: rocm-device-libs
// RUN: %regrain cc -O3 --targets=gfx90a --keep-going --emit=hsaco -o %t.gfx90a %s 2> %t.refused
// RUN: llvm-readelf --notes %t.gfx90a | FileCheck %s
// RUN: FileCheck %s --check-prefix=HANGS < %t.refused
// RUN: %regrain cc -O3 --targets=gfx1100 --keep-going --emit=hsaco -o %t.gfx1100 %s
// RUN: llvm-readelf --notes %t.gfx1100 | FileCheck %s
// RUN: %regrain cc -O3 --targets=gfx90a --coarsen=list:thread.x=2 --keep-going --emit=hsaco -o %t.grain %s
// RUN: llvm-readelf --notes %t.grain | FileCheck %s --check-prefix=GRAIN
// RUN: not %regrain cc -O3 --targets=gfx90a -mcode-object-version=4 --emit=hsaco -o %t.old %s 2>&1 | FileCheck %s --check-prefix=OLD
// RUN: mkdir -p %t.folder && cp %rocm/ocml.bc %t.folder
// RUN: llvm-extract --delete --func=__ockl_dm_alloc --func=__ockl_dm_dealloc %rocm/ockl.bc -o %t.folder/ockl.bc
// RUN: not env HIP_DEVICE_LIB_PATH=%t.folder %regrain cc -O3 --targets=gfx90a --emit=hsaco -o %t.old %s 2>&1 | FileCheck %s --check-prefix=NONE

// CHECK: hidden_heap_v1
// CHECK: .name: _Z4listPii
// GRAIN: hidden_heap_v1
// GRAIN: .name: _Z4listPii__grain_thread_x2
// OLD: allocation.cu:[[#@LINE+9]]:1: {{error|warning}}: gfx90a: no code for kernel 'list(int*, int)': it calls malloc, which is not supported on AMD GPUs
// NONE: allocation.cu:[[#@LINE+8]]:1: {{error|warning}}: gfx90a: no code for kernel 'list(int*, int)': it calls malloc, which the device library found (ockl.bc) does not have

struct Node {
  Node *next;
  int value;
};

// It builds a list on the heap and takes it apart.
__global__ void list(int *out, int n) {
  Node *head = nullptr;
  for (int i = 0; i < n; ++i)
    head = new Node{head, i};
  int sum = 0;
  while (head) {
    Node *next = head->next;
    sum += head->value;
    delete head;
    head = next;
  }
  out[threadIdx.x] = sum;
}

// The library's own loops do not hang; the kernel's wait does.
// HANGS-NOT: 'list
// HANGS: no code for kernel 'waits(int*)': a loop waits for another lane of the same wave, which can go on only after the loop
__global__ void waits(int *out) {
  int *mine = (int *)malloc(threadIdx.x + 4);
  while (atomicCAS(out, 0, 1) != 0)
    ;
  ((volatile int *)out)[1] = mine[0];
  __threadfence();
  atomicExch(out, 0);
}
