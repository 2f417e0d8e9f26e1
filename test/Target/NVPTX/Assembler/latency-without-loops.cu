// The loads of code without loops are under way together if a limit of registers lets them: the highest limit with which as
// many threads are resident as with the next unit. Without it, ptxas takes 56 registers here.
// REQUIRES: ptxas
// RUN: rm -rf %t && mkdir -p %t/bin
// RUN: printf '#!/bin/sh\nfor last; do :; done\ngrep -oE "entry [a-z]+|.maxnreg [0-9]+" "$last" >> %t/log\necho end >> %t/log\nexec %toolkit/bin/ptxas "$@"\n' > %t/bin/ptxas
// RUN: chmod +x %t/bin/ptxas
// RUN: env CUDA_PATH=%t %regrain cc -O3 --targets=sm_90 -c -o %t.o %s && FileCheck %s < %t/log
// RUN: %regrain inspect %t.o | FileCheck %s --check-prefix=CODE

// CHECK: entry flux
// CHECK-NEXT: end
// CHECK-NEXT: entry flux
// CHECK-NEXT: maxnreg 64
// CHECK-NEXT: end
// CHECK-NOT: entry
// CODE: original {{ *6[0-4] }}
#define DIFFERENCES(f) \
  (scale * (f(1) - f(-1)) - 0.2 * (f(2) - f(-2)) + 0.038 * (f(3) - f(-3)) - 0.0035 * (f(4) - f(-4)))

extern "C" __global__ void flux(double *__restrict__ out0, double *__restrict__ out1, double *__restrict__ out2,
                                double *__restrict__ out3, double *__restrict__ out4,
                                const double *__restrict__ c1, const double *__restrict__ c2,
                                const double *__restrict__ c3, const double *__restrict__ c4,
                                const double *__restrict__ q1, const double *__restrict__ q4, double scale, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < 4 || j < 4 || i > n - 5 || j > n - 5)
    return;
#define AT(a, k) a[(j + k) * n + i]
#define MASS(k) AT(c1, k)
#define MOMENTUM(k) (AT(c1, k) * AT(q1, k) + AT(q4, k))
#define SECOND(k) (AT(c2, k) * AT(q1, k))
#define THIRD(k) (AT(c3, k) * AT(q1, k))
#define ENERGY(k) (AT(c4, k) * AT(q1, k) + AT(q4, k) * AT(q1, k))
  AT(out0, 0) = -DIFFERENCES(MASS);
  AT(out1, 0) = -DIFFERENCES(MOMENTUM);
  AT(out2, 0) = -DIFFERENCES(SECOND);
  AT(out3, 0) = -DIFFERENCES(THIRD);
  AT(out4, 0) = -DIFFERENCES(ENERGY);
}
