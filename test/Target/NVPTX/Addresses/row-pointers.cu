// A loop that goes from row to row increments a pointer by the length of a row.
// RUN: %regrain cc -O3 --targets=compute_70 --emit=ptx %s -o - | FileCheck %s

// CHECK-LABEL: .entry column_sum(
// CHECK: ld.global.nc.f32 %f{{[0-9]+}}, {{.}}[[FIRST:%rd[0-9]+]]];
// CHECK: add.s64 [[SECOND:%rd[0-9]+]], [[FIRST]], [[ROW:%rd[0-9]+]];
// CHECK: add.s64 [[THIRD:%rd[0-9]+]], [[SECOND]], [[ROW]];
// CHECK: add.s64 [[FOURTH:%rd[0-9]+]], [[THIRD]], [[ROW]];
// CHECK: add.s64 [[FIRST]], [[FOURTH]], [[ROW]];
// CHECK: ret;
extern "C" __global__ void column_sum(const float *__restrict__ in, float *out, int rows, int n) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int row = 0; row < rows; ++row)
    sum = sum * 3 + in[row * n + column];
  out[column] = sum;
}

// So it does where a guard shows that the length of a row is not negative: its extension has no sign then.
// CHECK-LABEL: .entry guarded_columns(
// CHECK: ld.global.nc.f32 %f{{[0-9]+}}, {{.}}[[FIRST:%rd[0-9]+]]];
// CHECK: add.s64 [[SECOND:%rd[0-9]+]], [[FIRST]], [[ROW:%rd[0-9]+]];
// CHECK: add.s64 [[THIRD:%rd[0-9]+]], [[SECOND]], [[ROW]];
// CHECK: add.s64 [[FOURTH:%rd[0-9]+]], [[THIRD]], [[ROW]];
// CHECK: add.s64 [[FIRST]], [[FOURTH]], [[ROW]];
// CHECK: ret;
extern "C" __global__ void guarded_columns(const float *__restrict__ in, const float *__restrict__ x, float *out,
                                           int n) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= n)
    return;
  float sum = 0;
  for (int row = 0; row < n; ++row)
    sum += in[row * n + column] * x[row];
  out[column] = sum;
}

// Numbers that may wrap in 32 bits stay such.
// CHECK-LABEL: .entry may_wrap(
// CHECK-COUNT-4: mul.wide.s32
// CHECK: ret;
extern "C" __global__ void may_wrap(const float *__restrict__ in, float *out, int rows, int n) {
  unsigned column = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int row = 0; row < rows; ++row)
    sum = sum * 3 + in[int(unsigned(row) * unsigned(n) + column)];
  out[column] = sum;
}

// Of two indices that go from row to row, each becomes a pointer, also in the loop for the rest.
// CHECK-LABEL: .entry two_rows(
// CHECK: mul.wide.s32 [[ROW:%rd[0-9]+]], %r{{[0-9]+}}, 4;
// CHECK: ld.global.nc.f32 %f{{[0-9]+}}, {{.}}[[A:%rd[0-9]+]]];
// CHECK: ld.global.nc.f32 %f{{[0-9]+}}, {{.}}[[B:%rd[0-9]+]]];
// CHECK: add.s64 [[A1:%rd[0-9]+]], [[A]], [[ROW]];
// CHECK: add.s64 [[B1:%rd[0-9]+]], [[B]], [[ROW]];
// CHECK: ld.global.nc.f32 %f{{[0-9]+}}, {{.}}[[A1]]];
// CHECK: ld.global.nc.f32 %f{{[0-9]+}}, {{.}}[[B1]]];
// CHECK-NOT: mul.wide
// CHECK: ret;
extern "C" __global__ void two_rows(const float *__restrict__ in, float *out, int rows, int n, int other) {
  int column = threadIdx.x;
  float sum = 0;
  for (int row = 0; row < rows; ++row)
    sum = sum * 3 + in[row * n + column] * in[row * n + other];
  out[threadIdx.x] = sum;
}

// Rows of two arrays, every second one from a row of the program's on.
// CHECK-LABEL: .entry arrays(
// CHECK-DAG: mul.wide.s32 [[FLOATS:%rd[0-9]+]], {{.*}}, 8;
// CHECK-DAG: mul.wide.s32 [[DOUBLES:%rd[0-9]+]], {{.*}}, 16;
// CHECK: ld.global
// CHECK-NOT: mul.wide
// CHECK-DAG: add.s64 {{.*}}, [[FLOATS]];
// CHECK-DAG: add.s64 {{.*}}, [[DOUBLES]];
// CHECK: ret;
extern "C" __global__ void arrays(const float *__restrict__ in, const double *__restrict__ from, float *out, int rows,
                                  int n, int first) {
  int column = threadIdx.x;
  float sum = 0;
  for (int row = first; row < rows; row += 2)
    sum = sum * 3 + in[column + row * n] * from[row * n - 7];
  out[threadIdx.x] = sum;
}

// One index of three arrays: a pointer steps along each of them, also in the loop for the rest.
// CHECK-LABEL: .entry one_index(
// CHECK-DAG: mul.wide.s32 [[FLOATS:%rd[0-9]+]], %r{{[0-9]+}}, 4;
// CHECK-DAG: mul.wide.s32 [[DOUBLES:%rd[0-9]+]], %r{{[0-9]+}}, 8;
// CHECK: ld.global.nc.f32 %f{{[0-9]+}}, {{.}}[[A:%rd[0-9]+]]];
// CHECK: ld.global.nc.f64 %fd{{[0-9]+}}, {{.}}[[B:%rd[0-9]+]]];
// CHECK: st.global.f32 {{.}}[[C:%rd[0-9]+]]],
// CHECK-DAG: add.s64 [[A1:%rd[0-9]+]], [[A]], [[FLOATS]];
// CHECK-DAG: add.s64 [[B1:%rd[0-9]+]], [[B]], [[DOUBLES]];
// CHECK-DAG: add.s64 [[C1:%rd[0-9]+]], [[C]], [[FLOATS]];
// CHECK: ld.global.nc.f32 %f{{[0-9]+}}, {{.}}[[A1]]];
// CHECK: ld.global.nc.f64 %fd{{[0-9]+}}, {{.}}[[B1]]];
// CHECK: st.global.f32 {{.}}[[C1]]],
// CHECK: .pragma "nounroll";
// CHECK: ld.global.nc.f32 %f{{[0-9]+}}, {{.}}[[A2:%rd[0-9]+]]];
// CHECK: add.s64 [[A2]], [[A2]], [[FLOATS]];
// CHECK: ret;
extern "C" __global__ void one_index(const float *__restrict__ a, const double *__restrict__ b, float *__restrict__ c,
                                     int rows, int n) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  for (int row = 0; row < rows; ++row)
    c[row * n + column] = a[row * n + column] * 3 + float(b[row * n + column]);
}

// Five arrays would take ten registers: their addresses are computed from one number.
// CHECK-LABEL: .entry five_arrays(
// CHECK: $L__BB{{[0-9]+}}_4:
// CHECK-NEXT: add.s64 [[A:%rd[0-9]+]], {{%rd[0-9]+}}, [[AT:%rd[0-9]+]];
// CHECK-NEXT: ld.global.nc.f32 %f{{[0-9]+}}, {{.}}[[A]]];
// CHECK-NEXT: add.s64 [[B:%rd[0-9]+]], {{%rd[0-9]+}}, [[AT]];
// CHECK-NEXT: ld.global.nc.f32 %f{{[0-9]+}}, {{.}}[[B]]];
// CHECK: ret;
extern "C" __global__ void five_arrays(const float *__restrict__ a, const float *__restrict__ b,
                                       const float *__restrict__ c, const float *__restrict__ d,
                                       const float *__restrict__ e, float *out, int rows, int n) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int row = 0; row < rows; ++row) {
    int at = row * n + column;
    sum = sum * 3 + a[at] * b[at] - c[at] * d[at] * e[at];
  }
  out[column] = sum;
}

// What else the index has changes in the loop, or the row is subtracted: the indices stay in 32 bits.
// CHECK-LABEL: .entry stays(
// CHECK-COUNT-8: mul.wide.s32
// CHECK: ret;
extern "C" __global__ void stays(const float *__restrict__ in, float *out, int rows, int n, int other) {
  float sum = 0;
  for (int row = 0; row < rows; ++row)
    sum = sum * 3 + in[other - row * n] * in[row * n + other];
  out[threadIdx.x] = sum;
}

// The counter may wrap.
// CHECK-LABEL: .entry wraps(
// CHECK-COUNT-8: mul.wide.s32
// CHECK: ret;
extern "C" __global__ void wraps(const float *__restrict__ in, float *out, unsigned rows, int n, int other) {
  int column = threadIdx.x;
  float sum = 0;
  for (unsigned row = 0; row < rows; ++row)
    sum = sum * 3 + in[int(row) * n + column] * in[int(row) * n + other];
  out[threadIdx.x] = sum;
}

// Five pointers would take ten registers.
// CHECK-LABEL: .entry five(
// CHECK-COUNT-10: mul.wide.s32
// CHECK: ret;
extern "C" __global__ void five(const float *__restrict__ in, float *out, int rows, int n, int a, int b, int c, int d) {
  float sum = 0;
  for (int row = 0; row < rows; ++row)
    sum = sum * 3 + in[row * n + a] * in[row * n + b] - in[row * n + c] * in[row * n + d] * in[row * n];
  out[threadIdx.x] = sum;
}

// Pointers of the program are chained as well, but not at distances that are no multiples of one.
// CHECK-LABEL: .entry even(
// CHECK: add.s64 [[NEXT:%rd[0-9]+]], [[P:%rd[0-9]+]], [[N:%rd[0-9]+]];
// CHECK: add.s64 [[P]], [[NEXT]], [[N]];
// CHECK: ret;
extern "C" __global__ void even(const float *p, float *out, int rows, int n) {
  long step = n;
  float sum = 0;
#pragma unroll 1
  for (int row = 0; row < rows; row += 2, p += 2 * step)
    sum = sum * 3 + p[0] * p[step];
  out[threadIdx.x] = sum;
}
// CHECK-LABEL: .entry uneven(
// CHECK: add.s64 {{%rd[0-9]+}}, [[P:%rd[0-9]+]], [[N:%rd[0-9]+]];
// CHECK: add.s64 {{%rd[0-9]+}}, [[P]], [[N3:%rd[0-9]+]];
// CHECK: add.s64 [[P]], [[P]], [[N4:%rd[0-9]+]];
// CHECK: ret;
extern "C" __global__ void uneven(const float *p, float *out, int rows, int n) {
  long step = n;
  float sum = 0;
#pragma unroll 1
  for (int row = 0; row < rows; row += 4, p += 4 * step)
    sum = sum * 3 + p[step] * p[3 * step];
  out[threadIdx.x] = sum;
}

// A counter that grows by what a condition selects: rows stay indices.
// CHECK-LABEL: .entry selected_steps(
// CHECK-COUNT-2: mul.wide.s32
// CHECK: ret;
extern "C" __global__ void selected_steps(const float *__restrict__ in, float *out, int rows, int n, int other) {
  int column = threadIdx.x;
  float sum = 0;
  for (int row = 0; row < rows;) {
    sum += in[row * n + column] * in[row * other + column];
    if (sum > 3)
      row += 2;
    else
      row += 3;
  }
  out[column] = sum;
}

// Behind the loop, an index of a row belongs to pointers that are known only there: both are loaded.
// CHECK-LABEL: .entry behind_the_loop(
// CHECK: ld.global.f32
// CHECK: ld.global.f32
// CHECK-DAG: ld.global.u64 [[P:%rd[0-9]+]],
// CHECK-DAG: ld.global.u64 [[Q:%rd[0-9]+]],
// CHECK-DAG: add.s64 {{.*}}, [[P]],
// CHECK-DAG: add.s64 {{.*}}, [[Q]],
// CHECK: ret;
extern "C" __global__ void behind_the_loop(float **to, const float *a, const float *b, int n, int m, int end) {
  int t = threadIdx.x, x, y, row = 0;
  float *p, *q;
  while (true) {
    if (row >= end)
      return;
    x = row * n + t, y = row * m + t;
    if (a[x] * b[y] > 3)
      goto found;
    ++row;
  }
found:
  p = to[t], q = to[t + 1];
  for (int round = 0; round < m; ++round, p += n, q += n)
    p[x] = 1, q[y] = 2;
}

// In a loop with conditions, counters that start alike keep their own steps.
// CHECK-LABEL: .entry same_start(
// CHECK-DAG: add.s64 [[A:%rd[0-9]+]], [[A]], 16;
// CHECK-DAG: add.s64 [[B:%rd[0-9]+]], [[B]], 32;
extern "C" __global__ void same_start(const float *a, const float *b, float *out, int first, int end) {
  float sum = 0;
  int start = first + threadIdx.x;
  for (int i = start, j = start; i < end; ++i, j += 2) {
    if (sum < 100)
      sum += a[i + 1] * 0.5f;
    else
      sum -= a[i + 2];
    if (sum > 3)
      sum += b[j + 3];
  }
  out[threadIdx.x] = sum;
}

// An index with a counter that only a condition moves stays in 32 bits.
// CHECK-LABEL: .entry moved_by_condition(
// CHECK: cvt.s64.s32
// CHECK: cvt.s64.s32
extern "C" __global__ void moved_by_condition(const float *a, float *out, int end) {
  float sum = 0;
  int j = threadIdx.x;
  for (int i = 0; i < end; ++i) {
    if (sum < 100)
      sum += a[i + 1 + j] * 0.5f;
    else
      sum -= a[i + 2 + j];
    if (sum > 3)
      j += 7;
  }
  out[threadIdx.x] = sum;
}
