// Powers of constants are constants, as macros for powers of two and ten need. Others are computed on the device.
//
// RUN: %regrain cc -O2 --targets=compute_90 --emit=ptx %s -o %t.ptx
// RUN: FileCheck %s --input-file=%t.ptx
// REQUIRES: cuda-toolkit

// 2^-23 and 1000.
// CHECK-LABEL: .entry {{.*}}constants
// CHECK-NOT: call
// CHECK-DAG: {{4503599627370496000|0d3E80000000000000}}
// CHECK-DAG: {{4652007308841189376|0d408F400000000000}}
// CHECK: ret;
__global__ void constants(double *out) {
  out[0] = pow(0.5, 23.0);
  out[1] = pow(10.0, 3.0);
}
// CHECK-LABEL: .entry {{.*}}variable
// CHECK: __internal_accurate_pow
// CHECK: ret;
__global__ void variable(double *out, double base) { out[0] = pow(base, 2.5); }
// No normal numbers: an infinity, NaN and zero keep what the device makes of them.
// CHECK-LABEL: .entry {{.*}}special
// CHECK-COUNT-2: __internal_accurate_pow
// CHECK: ret;
__global__ void special(double *out) {
  out[0] = pow(10.0, 400.0);
  out[1] = pow(10.0, -400.0);
}
