//===- variants.h - Variants of a kernel that the source offers -*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A source says here which other instances of a kernel do the same work, and how they are launched.
// If Regrain compiles it with --alternatives, `regrain tune` may choose one of them for launches of
// the original (docs/variants.md). For every other compiler, the macros say nothing:
//
//   template <int Tile> constexpr regrain::launch tiles(regrain::launch, const float *, float *,
//                                                       int rows, int columns) {
//     return {dim3(regrain::ceil_div(columns, Tile), regrain::ceil_div(rows, Tile)),
//             dim3(Tile, Tile), 0};
//   }
//   REGRAIN_VARIANTS(transpose, tiles, (16), (32), (8));
//
// The launches of transpose<16> may then run transpose<32> or transpose<8>. It needs C++11.
//
//===----------------------------------------------------------------------===//
#ifndef REGRAIN_VARIANTS_H
#define REGRAIN_VARIANTS_H

#include <cuda_runtime.h>
#include <stddef.h>

namespace regrain {

/// The size of a launch, as between <<< and >>>, and the blocks of a cluster. A kernel with
/// __cluster_dims__ has the clusters of these, whatever a rule says.
struct launch {
  dim3 grid;
  dim3 block;
  size_t shared = 0; ///< bytes of dynamic shared memory
  dim3 cluster = dim3(1, 1, 1);
};

/// What a rule returns for launches that the variant cannot replace.
constexpr launch not_offered() { return {dim3(0, 0, 0), dim3(1, 1, 1), 0}; }

/// Returns how many parts of size `part` cover `whole`.
template <class Number, class Part> constexpr Number ceil_div(Number whole, Part part) {
  return static_cast<Number>((whole + part - 1) / part);
}

} // namespace regrain

/// REGRAIN_VARIANTS(kernel, rule, (original), (variant), ...): launches of kernel<original> may run
/// kernel<variant>, for up to 16 variants; each is a list of template arguments in parentheses. The
/// launch of kernel<T...> is rule<T...>(given, arguments...), where `given` is the launch that the
/// program makes, and `arguments` are those of the kernel. A launch that is not as the rule says of
/// the original runs the original.
#define REGRAIN_VARIANTS(kernel, rule, ...) REGRAIN_VARIANTS_WITHIN(0, kernel, rule, __VA_ARGS__)

/// The same for variants whose results may be `ulps` units in the last place from the original's.
#define REGRAIN_VARIANTS_WITHIN(ulps, kernel, rule, ...)                                           \
  REGRAIN_DETAIL_VARIANTS(ulps, kernel, rule, __VA_ARGS__)                                         \
  static_assert(true, "")

/// REGRAIN_VARIANT(original, variant, rule): launches of one kernel may run another one of the same
/// parameters, launched as rule(given, arguments...). What contains a comma is put in parentheses.
#define REGRAIN_VARIANT(original, variant, ...)                                                    \
  REGRAIN_VARIANT_WITHIN(0, original, variant, __VA_ARGS__)

/// The same for a variant whose results may be `ulps` units in the last place from the original's.
#define REGRAIN_VARIANT_WITHIN(ulps, original, variant, ...)                                       \
  REGRAIN_DETAIL_VARIANT(__COUNTER__, ulps, (original), (variant), (__VA_ARGS__))                  \
  static_assert(true, "")

/// Offers the variants one by one; the macro's number is how many are left.
#define REGRAIN_DETAIL_VARIANTS(ulps, kernel, rule, original, ...)                                 \
  REGRAIN_DETAIL_COUNT(                                                                            \
      __VA_ARGS__, REGRAIN_DETAIL_EACH16, REGRAIN_DETAIL_EACH15, REGRAIN_DETAIL_EACH14,            \
      REGRAIN_DETAIL_EACH13, REGRAIN_DETAIL_EACH12, REGRAIN_DETAIL_EACH11, REGRAIN_DETAIL_EACH10,  \
      REGRAIN_DETAIL_EACH9, REGRAIN_DETAIL_EACH8, REGRAIN_DETAIL_EACH7, REGRAIN_DETAIL_EACH6,      \
      REGRAIN_DETAIL_EACH5, REGRAIN_DETAIL_EACH4, REGRAIN_DETAIL_EACH3, REGRAIN_DETAIL_EACH2,      \
      REGRAIN_DETAIL_EACH1, )(ulps, kernel, rule, original, __VA_ARGS__)
#define REGRAIN_DETAIL_COUNT(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15,     \
                             a16, each, ...)                                                       \
  each
#define REGRAIN_DETAIL_EACH1(ulps, kernel, rule, original, variant)                                \
  REGRAIN_DETAIL_FAMILY(__COUNTER__, ulps, kernel, rule, original, variant)
#define REGRAIN_DETAIL_EACH2(ulps, kernel, rule, original, variant, ...)                           \
  REGRAIN_DETAIL_EACH1(ulps, kernel, rule, original, variant)                                      \
  REGRAIN_DETAIL_EACH1(ulps, kernel, rule, original, __VA_ARGS__)
#define REGRAIN_DETAIL_EACH3(ulps, kernel, rule, original, variant, ...)                           \
  REGRAIN_DETAIL_EACH1(ulps, kernel, rule, original, variant)                                      \
  REGRAIN_DETAIL_EACH2(ulps, kernel, rule, original, __VA_ARGS__)
#define REGRAIN_DETAIL_EACH4(ulps, kernel, rule, original, variant, ...)                           \
  REGRAIN_DETAIL_EACH1(ulps, kernel, rule, original, variant)                                      \
  REGRAIN_DETAIL_EACH3(ulps, kernel, rule, original, __VA_ARGS__)
#define REGRAIN_DETAIL_EACH5(ulps, kernel, rule, original, variant, ...)                           \
  REGRAIN_DETAIL_EACH1(ulps, kernel, rule, original, variant)                                      \
  REGRAIN_DETAIL_EACH4(ulps, kernel, rule, original, __VA_ARGS__)
#define REGRAIN_DETAIL_EACH6(ulps, kernel, rule, original, variant, ...)                           \
  REGRAIN_DETAIL_EACH1(ulps, kernel, rule, original, variant)                                      \
  REGRAIN_DETAIL_EACH5(ulps, kernel, rule, original, __VA_ARGS__)
#define REGRAIN_DETAIL_EACH7(ulps, kernel, rule, original, variant, ...)                           \
  REGRAIN_DETAIL_EACH1(ulps, kernel, rule, original, variant)                                      \
  REGRAIN_DETAIL_EACH6(ulps, kernel, rule, original, __VA_ARGS__)
#define REGRAIN_DETAIL_EACH8(ulps, kernel, rule, original, variant, ...)                           \
  REGRAIN_DETAIL_EACH1(ulps, kernel, rule, original, variant)                                      \
  REGRAIN_DETAIL_EACH7(ulps, kernel, rule, original, __VA_ARGS__)
#define REGRAIN_DETAIL_EACH9(ulps, kernel, rule, original, variant, ...)                           \
  REGRAIN_DETAIL_EACH1(ulps, kernel, rule, original, variant)                                      \
  REGRAIN_DETAIL_EACH8(ulps, kernel, rule, original, __VA_ARGS__)
#define REGRAIN_DETAIL_EACH10(ulps, kernel, rule, original, variant, ...)                          \
  REGRAIN_DETAIL_EACH1(ulps, kernel, rule, original, variant)                                      \
  REGRAIN_DETAIL_EACH9(ulps, kernel, rule, original, __VA_ARGS__)
#define REGRAIN_DETAIL_EACH11(ulps, kernel, rule, original, variant, ...)                          \
  REGRAIN_DETAIL_EACH1(ulps, kernel, rule, original, variant)                                      \
  REGRAIN_DETAIL_EACH10(ulps, kernel, rule, original, __VA_ARGS__)
#define REGRAIN_DETAIL_EACH12(ulps, kernel, rule, original, variant, ...)                          \
  REGRAIN_DETAIL_EACH1(ulps, kernel, rule, original, variant)                                      \
  REGRAIN_DETAIL_EACH11(ulps, kernel, rule, original, __VA_ARGS__)
#define REGRAIN_DETAIL_EACH13(ulps, kernel, rule, original, variant, ...)                          \
  REGRAIN_DETAIL_EACH1(ulps, kernel, rule, original, variant)                                      \
  REGRAIN_DETAIL_EACH12(ulps, kernel, rule, original, __VA_ARGS__)
#define REGRAIN_DETAIL_EACH14(ulps, kernel, rule, original, variant, ...)                          \
  REGRAIN_DETAIL_EACH1(ulps, kernel, rule, original, variant)                                      \
  REGRAIN_DETAIL_EACH13(ulps, kernel, rule, original, __VA_ARGS__)
#define REGRAIN_DETAIL_EACH15(ulps, kernel, rule, original, variant, ...)                          \
  REGRAIN_DETAIL_EACH1(ulps, kernel, rule, original, variant)                                      \
  REGRAIN_DETAIL_EACH14(ulps, kernel, rule, original, __VA_ARGS__)
#define REGRAIN_DETAIL_EACH16(ulps, kernel, rule, original, variant, ...)                          \
  REGRAIN_DETAIL_EACH1(ulps, kernel, rule, original, variant)                                      \
  REGRAIN_DETAIL_EACH15(ulps, kernel, rule, original, __VA_ARGS__)

#if !defined(REGRAIN_OFFERS_VARIANTS) || !defined(__CUDA_ARCH__)

/// Both sides of a compile, with and without variants, go on with the same __COUNTER__.
#define REGRAIN_DETAIL_FAMILY(id, ulps, kernel, rule, original, variant) static_assert(id >= 0, "");
#define REGRAIN_DETAIL_VARIANT(id, ulps, original, variant, rule) static_assert(id >= 0, "");

#else

namespace regrain {
namespace detail {

typedef unsigned long long extent;

template <class First, class Second> struct is_same {
  static constexpr bool value = false;
};
template <class Type> struct is_same<Type, Type> {
  static constexpr bool value = true;
};

/// The rule of a kernel as the compiler reads it: the launch that is given, where the result goes,
/// and the arguments.
template <class Kernel> struct rules;
template <class... Arguments> struct rules<void (&)(Arguments...)> {
  template <class Rule>
  static __device__ void apply(extent gridX, extent gridY, extent gridZ, extent blockX,
                               extent blockY, extent blockZ, extent shared, extent clusterX,
                               extent clusterY, extent clusterZ, extent *__restrict__ toGridX,
                               extent *__restrict__ toGridY, extent *__restrict__ toGridZ,
                               extent *__restrict__ toBlockX, extent *__restrict__ toBlockY,
                               extent *__restrict__ toBlockZ, extent *__restrict__ toShared,
                               extent *__restrict__ toClusterX, extent *__restrict__ toClusterY,
                               extent *__restrict__ toClusterZ, const Arguments &...arguments) {
    launch made =
        Rule::of(launch{dim3(static_cast<unsigned>(gridX), static_cast<unsigned>(gridY),
                             static_cast<unsigned>(gridZ)),
                        dim3(static_cast<unsigned>(blockX), static_cast<unsigned>(blockY),
                             static_cast<unsigned>(blockZ)),
                        static_cast<size_t>(shared),
                        dim3(static_cast<unsigned>(clusterX), static_cast<unsigned>(clusterY),
                             static_cast<unsigned>(clusterZ))},
                 arguments...);
    *toGridX = made.grid.x;
    *toGridY = made.grid.y;
    *toGridZ = made.grid.z;
    *toBlockX = made.block.x;
    *toBlockY = made.block.y;
    *toBlockZ = made.block.z;
    *toShared = made.shared;
    *toClusterX = made.cluster.x;
    *toClusterY = made.cluster.y;
    *toClusterZ = made.cluster.z;
  }
};

/// One variant. The compiler reads it, and leaves it out of the program.
template <class Kernel, class Rule> struct offer {
  Kernel *original, *variant;
  Rule *rule, *ruleOfOriginal;
  unsigned ulps, line;
  const char *file;
};

template <class Kernel, class Rule>
constexpr offer<Kernel, Rule> make(Kernel *original, Kernel *variant, unsigned ulps, unsigned line,
                                   const char *file, Rule *rule, Rule *ruleOfOriginal = nullptr) {
  return {original, variant, rule, ruleOfOriginal, ulps, line, file};
}

} // namespace detail
} // namespace regrain

#define REGRAIN_DETAIL_JOIN2(a, b) a##b
#define REGRAIN_DETAIL_JOIN(a, b) REGRAIN_DETAIL_JOIN2(a, b)
#define REGRAIN_DETAIL_UNPACK(...) __VA_ARGS__

#define REGRAIN_DETAIL_RULE(name, rule)                                                            \
  namespace {                                                                                      \
  struct name {                                                                                    \
    template <class... Arguments>                                                                  \
    static __device__ ::regrain::launch of(::regrain::launch given,                                \
                                           const Arguments &...arguments) {                        \
      return rule(given, arguments...);                                                            \
    }                                                                                              \
  };                                                                                               \
  }

#define REGRAIN_DETAIL_APPLY(kernel, name) ::regrain::detail::rules<decltype(kernel)>::apply<name>

/// `...` is the rule, and that of the original if there is one.
#define REGRAIN_DETAIL_OFFER(id, ulps, original, variant, ...)                                     \
  static_assert(::regrain::detail::is_same<decltype(original), decltype(variant)>::value,          \
                "a variant has the parameters of its original");                                   \
  static __device__ __attribute__((used)) constexpr auto REGRAIN_DETAIL_JOIN(regrain_offer_, id) = \
      ::regrain::detail::make(original, variant, ulps, __LINE__, __FILE__, __VA_ARGS__);

#define REGRAIN_DETAIL_VARIANT(id, ulps, original, variant, rule)                                  \
  REGRAIN_DETAIL_RULE(REGRAIN_DETAIL_JOIN(regrain_rule_, id), rule)                                \
  REGRAIN_DETAIL_OFFER(id, ulps, original, variant,                                                \
                       REGRAIN_DETAIL_APPLY(original, REGRAIN_DETAIL_JOIN(regrain_rule_, id)))

#define REGRAIN_DETAIL_FAMILY(id, ulps, kernel, rule, original, variant)                           \
  REGRAIN_DETAIL_FAMILY_OF(                                                                        \
      id, ulps, (kernel<REGRAIN_DETAIL_UNPACK original>), (kernel<REGRAIN_DETAIL_UNPACK variant>), \
      (rule<REGRAIN_DETAIL_UNPACK original>), (rule<REGRAIN_DETAIL_UNPACK variant>))

#define REGRAIN_DETAIL_FAMILY_OF(id, ulps, original, variant, ruleOfOriginal, rule)                \
  REGRAIN_DETAIL_RULE(REGRAIN_DETAIL_JOIN(regrain_rule_, id), rule)                                \
  REGRAIN_DETAIL_RULE(REGRAIN_DETAIL_JOIN(regrain_rule_of_original_, id), ruleOfOriginal)          \
  REGRAIN_DETAIL_OFFER(                                                                            \
      id, ulps, original, variant,                                                                 \
      REGRAIN_DETAIL_APPLY(original, REGRAIN_DETAIL_JOIN(regrain_rule_, id)),                      \
      REGRAIN_DETAIL_APPLY(original, REGRAIN_DETAIL_JOIN(regrain_rule_of_original_, id)))

#endif

#endif
