# LLVM, clang and MLIR 19 from the distribution, linked as the shared libraries they ship.
find_package(LLVM 19.1 REQUIRED CONFIG HINTS /usr/lib/llvm-19/lib/cmake/llvm)
find_package(MLIR REQUIRED CONFIG HINTS ${LLVM_DIR}/../mlir)
find_package(Clang REQUIRED CONFIG HINTS ${LLVM_DIR}/../clang)
list(APPEND CMAKE_MODULE_PATH ${LLVM_CMAKE_DIR} ${MLIR_CMAKE_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)

separate_arguments(REGRAIN_LLVM_DEFINITIONS NATIVE_COMMAND ${LLVM_DEFINITIONS})
set(REGRAIN_LLVM_ROOT ${LLVM_TOOLS_BINARY_DIR}/..)
set(REGRAIN_LLVM LLVM)
set(REGRAIN_MLIR MLIR LLVM)
set(REGRAIN_CLANG clang-cpp LLVM)
