// nvcc takes macros whose text is a pragma.
// RUN: %regrain cc --targets=cpu --emit=llvm %s -o %t.ll
// RUN: FileCheck-19 %s --input-file=%t.ll
// RUN: not %regrain cc --targets=cpu -DLONG -fsyntax-only %s 2>&1 | FileCheck-19 %s --check-prefix=LONG

#define UNROLL #pragma unroll
  # define FOUR # pragma   unroll 4 // steps at a time
#define NEVER #pragma unroll(1) /* nor (3) */
#define SEVERAL \
  #pragma unroll 3
#define CONTINUED #pragma \
  unroll 5
#define SHORT #pragma

// CHECK: c"#define UNROLL #pragma unroll\00"
// CHECK: c"\0A#define UNROLL #pragma unroll\0A\00"
__device__ const char *texts[] = {"#define UNROLL #pragma unroll", R"(
#define UNROLL #pragma unroll
)"};

template <int N> __device__ int sum(const int *values) {
  auto sumFrom = [&](int first) {
    int sum = texts[first][0];
    UNROLL for (int i = first; i < N; ++i) sum += values[i];
    FOUR
    for (int i = first; i < N; ++i) sum *= values[i];
    NEVER for (int i = first; i < N; ++i) sum -= values[i];
    return sum;
  };
  return sumFrom(1);
}

// CHECK: llvm.loop.unroll.enable
// CHECK: llvm.loop.unroll.count", i32 4
// CHECK: llvm.loop.unroll.{{disable|count", i32 1}}
__global__ void kernel(int *values) {
  values[0] = sum<9>(values);
#ifdef LONG
  // LONG: pragma-macros.cu:[[#@LINE+1]]:{{.*}}error: expected expression
  SEVERAL for (int i = 0; i < 4; ++i) ++values[i];
  // LONG: pragma-macros.cu:[[#@LINE+1]]:{{.*}}error: expected expression
  CONTINUED for (int i = 0; i < 4; ++i) ++values[i];
#endif
}
