//===- hip.cpp - cuSPARSE on an AMD GPU, by hipSPARSE ---------------------===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/libraries/cusparse/hip.h"

#include "runtime/libraries/hip/library.h"

#include <cstdio>
#include <mutex>

namespace regrain::cusparse::hip {
namespace {

const libraries::HipLibrary &library() {
  static constexpr libraries::HipFile files[] = {{7, 4}, {6, 1}, {5, 0}};
  static const auto *loaded = new libraries::HipLibrary("hipsparse", files);
  return *loaded;
}

template <class... Args> cusparseStatus_t call(const char *entry, Args... args) {
  void *function = library().isLoaded() ? library().findOrReport(entry, "cuSPARSE") : nullptr;
  if (!function || libraries::hipMajor() == 0)
    return CUSPARSE_STATUS_NOT_SUPPORTED;
  return cusparseStatus_t(libraries::callHip(function, args...));
}

/// Before hipSPARSE 1, rows come first among the orders.
int numberOf(cusparseOrder_t order) {
  return library().number() == 0 && order == CUSPARSE_ORDER_ROW ? 0 : int(order);
}

/// A descriptor of hipSPARSE; null if it cannot be made, which the product then reports.
class Descriptor {
public:
  explicit Descriptor(const cusparseDnVecDescr &x) : destroyEntry("hipsparseDestroyDnVec") {
    status = call("hipsparseCreateDnVec", &handle, x.size, x.values, int(x.type));
  }
  explicit Descriptor(const cusparseDnMatDescr &B) : destroyEntry("hipsparseDestroyDnMat") {
    status = B.batchCount != 1 ? refuse()
                               : call("hipsparseCreateDnMat", &handle, B.rows, B.cols, B.ld,
                                      B.values, int(B.type), numberOf(B.order));
  }
  explicit Descriptor(const cusparseSpMatDescr &A) : destroyEntry("hipsparseDestroySpMat") {
    status = A.batchCount != 1 ? refuse() : create(A);
  }
  ~Descriptor() {
    if (handle)
      static_cast<void>(call(destroyEntry, handle));
  }
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;

  cusparseStatus_t status;
  void *handle = nullptr;

private:
  cusparseStatus_t create(const cusparseSpMatDescr &A) {
    switch (A.format) {
    case CUSPARSE_FORMAT_CSR:
    case CUSPARSE_FORMAT_CSC:
      return call(A.format == CUSPARSE_FORMAT_CSR ? "hipsparseCreateCsr" : "hipsparseCreateCsc",
                  &handle, A.rows, A.cols, A.nnz, A.outer, A.inner, A.values, int(A.outerType),
                  int(A.innerType), int(A.base), int(A.type));
    case CUSPARSE_FORMAT_COO:
      return call("hipsparseCreateCoo", &handle, A.rows, A.cols, A.nnz, A.outer, A.inner, A.values,
                  int(A.innerType), int(A.base), int(A.type));
    default:
      return refuse();
    }
  }

  const char *destroyEntry;
};

/// The algorithm is the library's default: the algorithms of the two vendors have other conditions.
constexpr int defaultAlgorithm = 0;

} // namespace

cusparseStatus_t create(void *&handle) { return call("hipsparseCreate", &handle); }
cusparseStatus_t destroy(void *handle) { return call("hipsparseDestroy", handle); }
cusparseStatus_t setStream(void *handle, cudaStream_t stream) {
  return call("hipsparseSetStream", handle, libraries::toHip(stream));
}
cusparseStatus_t setPointerMode(void *handle, cusparsePointerMode_t mode) {
  return call("hipsparseSetPointerMode", handle, int(mode));
}

cusparseStatus_t multiplyVector(void *handle, cusparseOperation_t op, const void *alpha,
                                const cusparseSpMatDescr &A, const cusparseDnVecDescr &x,
                                const void *beta, const cusparseDnVecDescr &y, cudaDataType type,
                                void *last, bool asksSize) {
  Descriptor matrix(A), input(x), output(y);
  for (const Descriptor *each : {&matrix, &input, &output})
    if (each->status != CUSPARSE_STATUS_SUCCESS)
      return each->status;
  return call(asksSize ? "hipsparseSpMV_bufferSize" : "hipsparseSpMV", handle, int(op), alpha,
              matrix.handle, input.handle, beta, output.handle, int(type), defaultAlgorithm, last);
}

cusparseStatus_t multiplyMatrix(void *handle, cusparseOperation_t opA, cusparseOperation_t opB,
                                const void *alpha, const cusparseSpMatDescr &A,
                                const cusparseDnMatDescr &B, const void *beta,
                                const cusparseDnMatDescr &C, cudaDataType type, void *last,
                                bool asksSize) {
  Descriptor sparse(A), dense(B), output(C);
  for (const Descriptor *each : {&sparse, &dense, &output})
    if (each->status != CUSPARSE_STATUS_SUCCESS)
      return each->status;
  return call(asksSize ? "hipsparseSpMM_bufferSize" : "hipsparseSpMM", handle, int(opA), int(opB),
              alpha, sparse.handle, dense.handle, beta, output.handle, int(type), defaultAlgorithm,
              last);
}

cusparseStatus_t refuse() {
  static std::once_flag once;
  std::call_once(once, [] {
    std::fprintf(stderr,
                 "regrain: on this device, cuSPARSE has only SpMV and SpMM without batches, in "
                 "the formats CSR, CSC and COO\n");
  });
  return CUSPARSE_STATUS_NOT_SUPPORTED;
}

} // namespace regrain::cusparse::hip
