// A field of bits that does not consist of bytes is shifted and masked: of `bfe.u32`, ptxas makes two instructions as well,
// and joins neither with what uses the field. This is so from sm_90 on.
// RUN: %regrain cc -O3 --targets=compute_90 --emit=ptx %s -o - | FileCheck %s
// RUN: %regrain cc -O3 --targets=compute_80 --emit=ptx %s -o - | FileCheck %s --check-prefix=OLDER

// CHECK-LABEL: .entry inside(
// CHECK: shr.u32 [[SHIFTED:%r[0-9]+]], [[WORD:%r[0-9]+]], 12;
// CHECK-NEXT: and.b32 {{.*}}, [[SHIFTED]], 15;
// CHECK-NOT: bfe
// CHECK: ret;
// OLDER-LABEL: .entry inside(
// OLDER: bfe.u32 {{.*}}, 12, 4;
extern "C" __global__ void inside(unsigned *out, const unsigned *in) {
  out[threadIdx.x] = in[threadIdx.x] >> 12 & 15;
}

// Only one of the bounds is that of a byte.
// CHECK-LABEL: .entry oneBound(
// CHECK-DAG: shr.u32 [[LOW:%r[0-9]+]], {{.*}}, 8;
// CHECK-DAG: and.b32 {{.*}}, [[LOW]], 4095;
// CHECK-DAG: shr.u32 [[HIGH:%r[0-9]+]], {{.*}}, 12;
// CHECK-DAG: and.b32 {{.*}}, [[HIGH]], 255;
// CHECK-NOT: bfe
// CHECK: ret;
extern "C" __global__ void oneBound(unsigned *out, const unsigned *in) {
  unsigned word = in[threadIdx.x];
  out[threadIdx.x] = (word >> 8 & 4095) * 3 + (word >> 12 & 255) * 5;
}

// Fields at the same position share the shift.
// CHECK-LABEL: .entry shared(
// CHECK: shr.u32 [[SHIFTED:%r[0-9]+]], {{.*}}, 5;
// CHECK-NOT: shr.u32 {{.*}}, 5;
// CHECK-DAG: and.b32 {{.*}}, [[SHIFTED]], 7;
// CHECK-DAG: and.b32 {{.*}}, [[SHIFTED]], 1023;
// CHECK: ret;
extern "C" __global__ void shared(unsigned *out, const unsigned *in) {
  unsigned word = in[threadIdx.x];
  out[threadIdx.x] = (word >> 5 & 7) * (word >> 5 & 1023);
}

// Bytes stay fields: ptxas selects them in one instruction, or in the conversion that reads them.
// CHECK-LABEL: .entry bytes(
// CHECK-DAG: bfe.u32 {{.*}}, 8, 8;
// CHECK-DAG: bfe.u32 {{.*}}, 8, 16;
// CHECK-DAG: bfe.u32 {{.*}}, 16, 8;
// CHECK: ret;
extern "C" __global__ void bytes(unsigned *out, const unsigned *in) {
  unsigned word = in[threadIdx.x];
  out[threadIdx.x] = (word >> 8 & 255) * 3 + (word >> 8 & 65535) * 5 + (word >> 16 & 255);
}

// What is longer than half a word stays, as numbers of iterations are.
// CHECK-LABEL: .entry longer(
// CHECK: bfe.u32 {{.*}}, 2, 29;
// CHECK: and.b32 {{.*}}, 65535;
// CHECK: ret;
extern "C" __global__ void longer(unsigned *out, const unsigned *in) {
  out[threadIdx.x] = in[threadIdx.x] >> 2 & 0x1fffffff;
  out[threadIdx.x + 64] = in[threadIdx.x + 64] >> 3 & 0xffff;
}

// Signed fields are shifted twice: the product that ptxas makes of the first shift is computed beside other integers.
// CHECK-LABEL: .entry signedField(
// CHECK: shl.b32 [[UPPER:%r[0-9]+]], {{.*}}, 17;
// CHECK-NEXT: shr.s32 {{.*}}, [[UPPER]], 22;
// CHECK-NOT: bfe
// CHECK: ret;
// OLDER-LABEL: .entry signedField(
// OLDER: bfe.s32 {{.*}}, 5, 10;
extern "C" __global__ void signedField(int *out, const int *in) {
  out[threadIdx.x] = in[threadIdx.x] << 17 >> 22;
}

// A bit that is the sign of a mask.
// CHECK-LABEL: .entry signedBit(
// CHECK: shl.b32 [[UPPER:%r[0-9]+]], {{.*}}, 28;
// CHECK-NEXT: shr.s32 [[MASK:%r[0-9]+]], [[UPPER]], 31;
// CHECK: and.b32 {{.*}}, [[MASK]],
// CHECK: ret;
extern "C" __global__ void signedBit(unsigned *out, const unsigned *in, unsigned value) {
  out[threadIdx.x] = in[threadIdx.x] & 8 ? value : 0;
}

// Signed bytes and halves of words stay: ptxas selects them in one instruction, or in a conversion.
// CHECK-LABEL: .entry signedBytes(
// CHECK: bfe.s32 {{.*}}, 8, 8;
// CHECK: ret;
extern "C" __global__ void signedBytes(float *out, const int *in) {
  out[threadIdx.x] = float(in[threadIdx.x] << 16 >> 24);
}

// Bounds that are no constants stay as the program has them.
// CHECK-LABEL: .entry asked(
// CHECK: bfe.u32 %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}}, %r{{[0-9]+}};
// CHECK: ret;
extern "C" __global__ void asked(unsigned *out, const unsigned *in, unsigned position, unsigned length) {
  unsigned field;
  asm("bfe.u32 %0, %1, %2, %3;" : "=r"(field) : "r"(in[threadIdx.x]), "r"(position), "r"(length));
  out[threadIdx.x] = field;
}
