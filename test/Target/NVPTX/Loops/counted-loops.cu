// ptxas unrolls a loop that branches back if a 32-bit counter differs from a limit in front of the
// loop. Loops have this form in PTX, whatever LLVM made of them.
// RUN: %regrain cc -O3 --targets=compute_70 --emit=ptx %s -o - | FileCheck %s

// A 64-bit offset is the only induction variable that LLVM keeps; the compared one has 32 bits.
// CHECK-LABEL: .entry _Z6countsPfPKaPKfi(
// CHECK: [[LOOP:\$L__BB0_[0-9]+]]:
// CHECK-NOT: cvt.u32.u64
// CHECK: add.s32 [[NEXT:%r[0-9]+]], [[NEXT]], {{-?[48]}};
// CHECK-NOT: cvt.u32.u64
// CHECK: setp.ne.s32 [[AGAIN:%p[0-9]+]], {{.*}}[[NEXT]]
// CHECK-NEXT: @[[AGAIN]] bra [[LOOP]];
// CHECK: ret;
__global__ void counts(float *out, const signed char *codes, const float *in, int count) {
  float sum = 0;
  codes += threadIdx.x * count;
  for (int i = 0; i < count; ++i)
    sum += codes[i] * in[i];
  out[threadIdx.x] = sum;
}

// A loop that the program keeps is none that ptxas may unroll.
// CHECK-LABEL: .entry _Z4keptPfPKaPKfi(
// CHECK: [[LOOP:\$L__BB1_[0-9]+]]:
// CHECK: .pragma "nounroll";
// CHECK: setp.ne.s{{32|64}} [[AGAIN:%p[0-9]+]],
// CHECK-NEXT: @[[AGAIN]] bra [[LOOP]];
// CHECK: ret;
__global__ void kept(float *out, const signed char *codes, const float *in, int count) {
  float sum = 0;
  codes += threadIdx.x * count;
#pragma unroll 1
  for (int i = 0; i < count; ++i)
    sum += codes[i] * in[i];
  out[threadIdx.x] = sum;
}

// The limit is constant, so that LLVM has decided how the loop is unrolled.
// CHECK-LABEL: .entry _Z5fixedPfPKi(
// CHECK: cvt.u32.u64 [[LOW:%r[0-9]+]], [[OFFSET:%rd[0-9]+]];
// CHECK: setp.ne.s32 {{.*}}, [[LOW]], {{[0-9]+}};
// CHECK: ret;
__global__ void fixed(float *out, const int *in) {
  for (int i = 0; i < 1000; ++i)
    out[i * 26] = in[i * 26];
}

// Comparisons of numbers are negated with what is no number in mind.
// CHECK-LABEL: .entry _Z6halvesPff(
// CHECK: [[LOOP:\$L__BB3_[0-9]+]]:
// CHECK: setp.{{leu|gtu|gt|le}}.f32 [[AGAIN:%p[0-9]+]],
// CHECK: @[[AGAIN]] bra [[LOOP]];
// CHECK: ret;
__global__ void halves(float *out, float value) {
  int steps = 0;
  do {
    value *= 0.5f;
    out[steps++] = value;
  } while (value > 1.0f);
  out[steps] = 0;
}

// The same where the loop is left if the comparison is true.
// CHECK-LABEL: .entry _Z6growthPff(
// CHECK: [[LOOP:\$L__BB4_[0-9]+]]:
// CHECK: setp.leu.f32 [[AGAIN:%p[0-9]+]],
// CHECK: @[[AGAIN]] bra [[LOOP]];
// CHECK: ret;
__global__ void growth(float *out, float value) {
  int steps = 0;
  do {
    value *= 1.5f;
    out[steps++] = value;
  } while (!(value > 1.0f));
  out[steps] = 0;
}
