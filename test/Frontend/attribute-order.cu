// Standard attributes may stand behind __host__ and __device__, in classes and namespaces too.
// RUN: %regrain cc --targets=cpu %s -o %t && %t | FileCheck %s
// RUN: not %regrain cc -DUNUSED -Werror=unused-result -fsyntax-only %s 2>&1 | FileCheck %s --check-prefix=UNUSED
// RUN: not %regrain cc -DMIXED -fsyntax-only %s 2>&1 | FileCheck %s --check-prefix=MIXED
#include <cstdio>

namespace inner {
__device__ __host__ [[nodiscard]] inline constexpr int one() { return 1; }
template <class T> struct Box {
  T values[2];
  __host__ __device__[[nodiscard]] int two() const { return 2; }
  template <int I> __host__ [[ /* lists nest: [ */ gnu::always_inline, nodiscard("a[0]")]] int get() { return I; }
  __host__ __device__ [[nodiscard]] operator int() const { return values[0]; }
};
} // namespace inner

__global__ [[maybe_unused]] void kernel(int *out) { *out = inner::one() + inner::Box<int>().two(); }

int main() {
  inner::Box<int> box{{4, 5}};
  // CHECK: 1 2 3 4
  std::printf("%d %d %d %d\n", inner::one(), box.two(), box.get<3>(), int(box));
#ifdef UNUSED
  // UNUSED: attribute-order.cu:[[@LINE+1]]:{{.*}}error: ignoring return value
  box.two();
#endif
}
#ifdef MIXED
// MIXED: attribute-order.cu:[[@LINE+1]]:{{.*}}error:
namespace inner { __device__ inline [[nodiscard]] int three() { return 3; } }
#endif
