//===- Reducer.h - The smallest kernel that still fails ---------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "fuzz/Ast.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>
#include <type_traits>

namespace regrain::fuzz {

/// Returns kernels that are one step smaller, the largest steps first; each
/// obeys Rules.h.
std::vector<Kernel> smallerForms(const Kernel &kernel);

/// Returns the first of some forms that fails like the reduced one; nothing if
/// none does, or time is up.
template <typename Form>
using FindFailing = llvm::function_ref<std::optional<size_t>(llvm::ArrayRef<Form>)>;

/// Takes steps (smallerForms()) as long as one leads to a form that fails. It
/// tries `together` forms at once.
template <typename Form>
Form reduce(const Form &form, size_t together,
            std::type_identity_t<FindFailing<Form>> findFailing) {
  Form best = form;
  for (bool smaller = true; smaller;) {
    smaller = false;
    std::vector<Form> forms = smallerForms(best);
    for (size_t at = 0; at < forms.size() && !smaller; at += together) {
      llvm::ArrayRef<Form> tried = llvm::ArrayRef(forms).slice(at).take_front(together);
      if (std::optional<size_t> failing = findFailing(tried)) {
        best = tried[*failing];
        smaller = true;
      }
    }
  }
  return best;
}

} // namespace regrain::fuzz
