// A parameter that is only read stays where it is, also if its address leaves the function.
// RUN: %regrain cc -O3 --targets=compute_70 --emit=ptx %s | FileCheck %s
// RUN: %regrain cc -O3 --targets=compute_61 --emit=ptx %s | FileCheck --check-prefix=OLD %s

struct Table {
  int values[64];
};
__device__ int *changed;
__device__ __noinline__ int readFrom(const int *values, int at) {
  for (int i = 0; values[i] > at; ++i)
    at = readFrom(values + 1, i);
  return at;
}
__device__ __noinline__ void write(int *values) { changed = values; }

// Loads read the parameter itself, whatever else its address is for.
// CHECK: .entry _Z6chosen5TableS_Pii(
// CHECK-NOT: .local
// CHECK-DAG: cvta.param.u64 [[FIRST:%rd[0-9]+]], %place;
// CHECK-DAG: cvta.param.u64 [[SECOND:%rd[0-9]+]], %place;
// CHECK: selp.b64
// CHECK: ld.param.u32 {{.*}}, [_Z6chosen5TableS_Pii_param_0+8];
__global__ void chosen(const Table a, const Table b, int *out, int at) {
  const Table *table = at & 1 ? &a : &b;
  out[at] = table->values[out[at]] + a.values[2];
}

// CHECK: .entry _Z6called5TablePi(
// CHECK-NOT: .local
// CHECK: cvta.param.u64
// CHECK: call.uni
// OLD: .entry _Z6called5TablePi(
// OLD: .local
// OLD-NOT: cvta.param
__global__ void called(Table table, int *out) { *out = readFrom(table.values, *out); }

// CHECK: .entry _Z7escapes5Table(
// CHECK: .local
// CHECK-NOT: cvta.param
__global__ void escapes(Table table) { write(table.values); }

// Lanes with indices of their own load through the cache, and those with one index do not.
// CHECK: .entry _Z7indexed5TablePi(
// CHECK: ld.u32
// CHECK-COUNT-4: ld.param.u32
// CHECK: st.global
__global__ void indexed(Table table, int *out) {
  int own = out[threadIdx.x] & 63, each = threadIdx.x / 32, shifted = threadIdx.x >> 6;
  out[threadIdx.x] = table.values[own] + table.values[blockIdx.x] + table.values[each] +
                     table.values[shifted] + table.values[threadIdx.y];
}

// So it is with constant variables.
__constant__ int numbers[64];
__constant__ struct {
  int head;
  float items[32];
} pair;
// CHECK: .entry _Z9constantsPfi(
// CHECK-DAG: cvta.const.u64
// CHECK-DAG: cvta.const.u64
// CHECK-DAG: ld.const.u32 {{.*}}, [pair];
// CHECK-DAG: ld.const.u32
// CHECK-DAG: ld.u32 [[NUMBER:%r[0-9]+]],
// CHECK-DAG: ld.f32 [[ITEM:%f[0-9]+]], [{{%rd[0-9]+}}+4];
// CHECK: ret;
__global__ void constants(float *out, int at) {
  int own = threadIdx.x + at;
  out[own] = numbers[at] + numbers[own] + pair.items[own] + pair.head;
}
