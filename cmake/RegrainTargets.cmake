# How every target of this project is compiled and linked.
add_compile_options(-Wall -Wextra -Werror -Wno-unused-parameter -fdiagnostics-color=always)
add_link_options(-fuse-ld=lld-19)

# clang puts a time stamp into precompiled headers; without it ccache can share them.
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>")
endif()

# Includes are written from the repository's root: "compiler/Import/Import.h".
set(REGRAIN_INCLUDES ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR})

# Where installed libraries look first for libraries of other projects, which the archive brings.
set(REGRAIN_THIRD_PARTY_RPATH $ORIGIN/third-party/lib)

# regrain_library(NAME sources... [LINK libraries...]): a static library of the project.
function(regrain_library name)
  cmake_parse_arguments(ARG "" "" "LINK;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  target_include_directories(${name} PUBLIC ${REGRAIN_INCLUDES})
  target_link_libraries(${name} PUBLIC ${ARG_LINK})
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
endfunction()

# regrain_reuse_headers(TARGET NAME): reads cmake/headers/NAME.h precompiled. What reads it has to be compiled as it
# is, so programs are position-independent as libraries are.
function(regrain_reuse_headers target name)
  target_precompile_headers(${target} REUSE_FROM Regrain${name}Headers)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "EXECUTABLE")
    target_compile_options(${target} PRIVATE -fPIC)
  endif()
endfunction()

# regrain_compiler_library(...): the same, with LLVM and MLIR, without exceptions.
# HEADERS names those of cmake/headers that are read precompiled: MLIR, LLVM or Clang.
function(regrain_compiler_library name)
  cmake_parse_arguments(ARG "" "HEADERS" "" ${ARGN})
  regrain_library(${name} ${ARG_UNPARSED_ARGUMENTS})
  if(ARG_HEADERS)
    regrain_reuse_headers(${name} ${ARG_HEADERS})
  endif()
  target_include_directories(${name} SYSTEM PUBLIC ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
  target_compile_definitions(${name} PUBLIC ${REGRAIN_LLVM_DEFINITIONS})
  target_compile_options(${name} PRIVATE -fno-exceptions)
endfunction()

# regrain_compiler_program(NAME sources... [HEADERS file]): a program with LLVM and MLIR, without exceptions.
function(regrain_compiler_program name)
  cmake_parse_arguments(ARG "" "HEADERS" "" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  if(ARG_HEADERS)
    regrain_reuse_headers(${name} ${ARG_HEADERS})
  endif()
  target_include_directories(${name} PRIVATE ${REGRAIN_INCLUDES})
  target_include_directories(${name} SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
  target_compile_definitions(${name} PRIVATE ${REGRAIN_LLVM_DEFINITIONS})
  target_compile_options(${name} PRIVATE -fno-exceptions)
endfunction()

# regrain_unittest(NAME sources... [COMPILER] LINK libraries...): a GoogleTest program, one CTest entry.
# COMPILER: it tests what is written with LLVM or MLIR.
function(regrain_unittest name)
  cmake_parse_arguments(ARG "COMPILER" "" "LINK" ${ARGN})
  if(ARG_COMPILER)
    regrain_compiler_program(${name} ${ARG_UNPARSED_ARGUMENTS} HEADERS CompilerTest)
  else()
    add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
    regrain_reuse_headers(${name} Test)
    target_include_directories(${name} PRIVATE ${REGRAIN_INCLUDES})
  endif()
  target_link_libraries(${name} PRIVATE ${ARG_LINK} GTest::gtest_main)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/unittests)
  add_test(NAME ${name} COMMAND ${name})
  # The tests see no database of the user's.
  set_tests_properties(${name} PROPERTIES ENVIRONMENT REGRAIN_DB=off)
endfunction()
