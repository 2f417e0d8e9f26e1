// A loop that looks for an element loads the elements of a line of 64 bytes together, and goes on while none of them ends the search.
// RUN: %regrain cc -O3 --targets=ptx --coarsen='*:unroll=search' --emit=ptx %s -o %t.ptx
// RUN: %python %S/../Inputs/count.py ld.global %t.ptx | FileCheck %s --match-full-lines
// RUN: %python %S/../Inputs/count.py .pragma %t.ptx | FileCheck %s --check-prefix=LINES --match-full-lines
// RUN: FileCheck %s --check-prefix=CODE --input-file=%t.ptx
// RUN: %regrain explain --targets=ptx --alternatives=40 %s | FileCheck %s --check-prefix=SPACE

// Four loads of two elements each, the sought one, and the search itself. The search begins at a line, and is at least one long.
// CODE-LABEL: .entry _Z5found{{.*}}__grain_
// CODE: setp.lt.s32 {{.*}}, 8;
// CODE: and.b64 {{.*}}, 63;
// CODE-COUNT-4: ld.global.v2.f64
// CODE: bra
// CODE: ld.global.f64
// CHECK: found: 6
// LINES: found: 1
// SPACE: found
// SPACE: unroll=search
__global__ void found(const double *values, const double *sought, int *places, int n) {
  double own = sought[threadIdx.x];
  int place = n - 1;
  for (int i = 0; i < n; ++i)
    if (values[i] >= own) {
      place = i;
      break;
    }
  places[threadIdx.x] = place;
}
// The line has the elements of the widest load: eight of 8 bytes, and with them eight of 4.
// CHECK-NEXT: both: 8
// LINES-NEXT: both: 1
__global__ void both(const long *keys, const int *ranks, int *places, long key, int n) {
  int i = 0;
  while (i < n && !((keys[i] == key) & (ranks[i] > 3)))
    ++i;
  places[threadIdx.x] = i;
}
// What is carried from one iteration to the next has the search's value at the line.
// CHECK-NEXT: summed: 5
// LINES-NEXT: summed: 1
__global__ void summed(const int *counts, int *places, int limit, int n) {
  int sum = 0, i = 0;
  for (; i < n; ++i) {
    sum += counts[i];
    if (sum > limit)
      break;
  }
  places[threadIdx.x] = i;
}

// The rest stays as it is: a load that comes after another exit, so that the program may never come to its line;
// CHECK-NEXT: guarded: 2
// LINES-NEXT: guarded: 0
__global__ void guarded(const int *keys, const int *ranks, int *places, int key, int n) {
  int i = 0;
  for (; i < n; ++i) {
    if (keys[i] == key)
      break;
    if (ranks[i * 2] == key)
      break;
  }
  places[threadIdx.x] = i;
}
// elements that are not neighbours, or that come in falling order;
// CHECK-NEXT: apart: 1
// LINES-NEXT: apart: 0
__global__ void apart(const int *keys, int *places, int key, int n) {
  int i = 0;
  while (i < n && keys[i * 2] != key)
    ++i;
  places[threadIdx.x] = i;
}
// CHECK-NEXT: falling: 1
// LINES-NEXT: falling: 0
__global__ void falling(const int *keys, int *places, int key, int n) {
  int i = n - 1;
  while (i >= 0 && keys[i] != key)
    --i;
  places[threadIdx.x] = i;
}
// a search without an end of its own;
// CHECK-NEXT: endless: 1
// LINES-NEXT: endless: 0
__global__ void endless(const int *keys, int *places, int key) {
  int i = 0;
  while (keys[i] != key)
    ++i;
  places[threadIdx.x] = i;
}
// effects, and memory of which it is not known to whom it belongs.
// CHECK-NEXT: marking: 1
// LINES-NEXT: marking: 0
__global__ void marking(int *keys, int *places, int key, int n) {
  int i = 0;
  for (; i < n; ++i) {
    if (keys[i] == key)
      break;
    places[i] = key;
  }
  keys[threadIdx.x] = i;
}
// CHECK-NEXT: member: 1
// LINES-NEXT: member: 0
struct Table {
  const int *keys;
};
__global__ void member(const Table *table, int *places, int key, int n) {
  const int *keys = table->keys;
  int i = 0;
  while (i < n && keys[i] != key)
    ++i;
  places[threadIdx.x] = i;
}
