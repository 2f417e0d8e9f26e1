// For a damaged image there is one message that names the file, for every request, and nothing is written.
// RUN: %regrain cc --targets=cpu -c %s -o %t.o
// RUN: %python -c "import sys; b = bytearray(open(sys.argv[1], 'rb').read()); i = b.index(b'RGRAIN\0\0') + 64; b[i:i+64] = bytes(64); open(sys.argv[2], 'wb').write(b)" %t.o %t.damaged.o
// RUN: not %regrain inspect %t.damaged.o 2>&1 | FileCheck %s
// RUN: rm -rf %t.objects
// RUN: not %regrain inspect --extract=%t.objects %t.damaged.o 2>&1 | FileCheck %s
// RUN: not ls %t.objects/*
//
// CHECK: regrain inspect: error: {{.*}}.damaged.o: the image{{.*}} is damaged
__global__ void k(float *p) { p[threadIdx.x] += 1; }
