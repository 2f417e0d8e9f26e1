//===- Import.h - Device LLVM IR to grain IR --------------------*- C++ -*-===//
//
// Part of Regrain, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In:  the device module as clang emitted it (nvptx64, no LLVM passes run).
// Out: one `grain.kernel` per kernel, in structured control flow, and everything that MLIR 19
//      cannot represent, from which Export restores it.
//
// Only kernel bodies become grain IR; the device functions that they call stay LLVM IR. Functions
// that read thread coordinates or sizes, synchronise or use shared memory are inlined first. An
// instruction without a form in MLIR becomes a call of a declaration that says what it does
// (#grain.callee, memory, willreturn, speculatable); for an intrinsic, the declaration has the
// intrinsic's name without "llvm.".
//
// Besides its value names, a kernel loses:
// - nneg, exact, disjoint and the flags of trunc; fast-math flags of phis;
// - !range, !noundef, !nonnull, !align, !dereferenceable of loads and calls, !fpmath, !prof,
//   !tbaa.struct, operand bundles of llvm.assume;
// - attributes of call sites that the callee does not have;
// - the locations of variables in debug information; lines and columns stay.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/Refusal/Refusal.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>

namespace regrain {

/// The outcome of importing a device module. Immutable after import; several
/// threads may export from it at once.
class ImportedModule {
public:
  ImportedModule();
  ~ImportedModule();
  ImportedModule(ImportedModule &&);
  ImportedModule &operator=(ImportedModule &&);

  /// Returns the module with one grain.kernel for each kernel that could be raised, and the
  /// declarations that their bodies refer to.
  mlir::ModuleOp module() const;

  /// Returns the kernels that were not raised. Such a kernel has only its original.
  const RefusedKernels &notRaised() const;

  /// The constants that exported code takes from the base module, because the program may see their
  /// address.
  llvm::ArrayRef<std::string> shownConstants() const;

  /// Returns the device module as the grains begin with it, as bitcode. A target with
  /// Target::takesFixedProducts makes the originals from it, so that it fuses the same products.
  llvm::ArrayRef<char> base() const;

  struct Contents;
  const Contents &contents() const { return *state; }

private:
  friend llvm::Expected<ImportedModule>
  importDeviceModule(const llvm::Module &, llvm::ArrayRef<std::string>, mlir::MLIRContext &);
  std::unique_ptr<Contents> state;
};

/// Returns a module with one kernel as the source has it, under `symbol`, and all that it reaches:
/// device functions with internal linkage, and declarations of the variables that the base module
/// owns. The kernel need not have been raised.
llvm::Expected<std::unique_ptr<llvm::Module>> extractKernel(const ImportedModule &imported,
                                                            llvm::StringRef kernel,
                                                            llvm::StringRef symbol,
                                                            llvm::LLVMContext &context);

/// Adds the dialects that grain IR uses to `registry`.
void registerGrainIRDialects(mlir::DialectRegistry &registry);

/// Raises `kernels` (symbols in `device`) to grain IR. A kernel that cannot be raised is listed in
/// notRaised(); an error means that the module cannot be imported at all. `device` is not changed.
llvm::Expected<ImportedModule> importDeviceModule(const llvm::Module &device,
                                                  llvm::ArrayRef<std::string> kernels,
                                                  mlir::MLIRContext &context);

} // namespace regrain
