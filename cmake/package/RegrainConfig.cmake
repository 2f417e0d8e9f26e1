# find_package(Regrain) gives:
#
#   Regrain_ROOT_DIR     the folder with bin, lib and include
#   Regrain_CUDA_PATH    the folder that looks like a CUDA toolkit
#   Regrain::runtime     the CUDA runtime and driver API, for host code of any language
#   Regrain::cublas, Regrain::cufft, ...   Regrain's libraries of CUDA, for the CPU and AMD GPUs
#
#   regrain_add_executable(NAME SOURCE... [TARGETS cpu ptx ...] [ALTERNATIVES N|all]
#                          [COARSEN GLOB:SPEC...] [CHOOSE FILE] [OPTIONS ...])
#   regrain_add_library(NAME [STATIC|SHARED|OBJECT] SOURCE... [the same])
#
# Both enable the CUDA language with Regrain as its compiler, if it is not enabled, and are
# add_executable and add_library otherwise: properties such as CUDA_SEPARABLE_COMPILATION hold.
cmake_minimum_required(VERSION 3.18)

# A package of the system reaches this file by a link.
get_filename_component(Regrain_ROOT_DIR "${CMAKE_CURRENT_LIST_DIR}" REALPATH)
get_filename_component(Regrain_ROOT_DIR "${Regrain_ROOT_DIR}/../../.." ABSOLUTE)
set(Regrain_CUDA_PATH "${Regrain_ROOT_DIR}/lib/regrain/cuda")
set(Regrain_NVCC "${Regrain_CUDA_PATH}/bin/nvcc")

if(NOT TARGET Regrain::runtime)
  # It has no name of its own: linked by -l, and found by the rpath.
  add_library(Regrain::regrain SHARED IMPORTED)
  set_target_properties(Regrain::regrain PROPERTIES
    IMPORTED_LOCATION "${Regrain_ROOT_DIR}/lib/libregrain.so" IMPORTED_NO_SONAME ON)
  # The names of CUDA's functions come before the library that they call.
  add_library(Regrain::runtime INTERFACE IMPORTED)
  set_target_properties(Regrain::runtime PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${Regrain_ROOT_DIR}/include/regrain/cuda"
    INTERFACE_LINK_LIBRARIES "${Regrain_ROOT_DIR}/lib/libregrain-names.a;Regrain::regrain")
  foreach(_regrain_library cublas cufft curand cusolver cusparse)
    set(_regrain_file "${Regrain_ROOT_DIR}/lib/libregrain-${_regrain_library}.so")
    if(EXISTS "${_regrain_file}")
      add_library(Regrain::${_regrain_library} SHARED IMPORTED)
      set_target_properties(Regrain::${_regrain_library} PROPERTIES
        IMPORTED_LOCATION "${_regrain_file}"
        INTERFACE_INCLUDE_DIRECTORIES "${Regrain_ROOT_DIR}/include/regrain/cuda-libraries"
        INTERFACE_LINK_LIBRARIES Regrain::runtime)
    endif()
  endforeach()
endif()

# A language is enabled in the scope of a file, so this is a macro.
macro(regrain_enable_cuda)
  if(NOT CMAKE_CUDA_COMPILER_LOADED)
    if(NOT DEFINED CMAKE_CUDA_COMPILER)
      set(CMAKE_CUDA_COMPILER "${Regrain_NVCC}")
    endif()
    # Without a list, Regrain compiles for the CPU and for any GPU of NVIDIA.
    if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
      set(CMAKE_CUDA_ARCHITECTURES OFF)
    endif()
    enable_language(CUDA)
  endif()
endmacro()

# Applies the arguments behind the sources to the target; the sources go to RESULT.
function(_regrain_parse result)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "ALTERNATIVES;CHOOSE" "TARGETS;COARSEN;OPTIONS")
  set(options ${ARG_OPTIONS})
  if(ARG_TARGETS)
    string(REPLACE ";" "," targets "${ARG_TARGETS}")
    list(APPEND options --targets=${targets})
  endif()
  if(ARG_ALTERNATIVES)
    list(APPEND options --alternatives=${ARG_ALTERNATIVES})
  endif()
  foreach(grain IN LISTS ARG_COARSEN)
    list(APPEND options --coarsen=${grain})
  endforeach()
  if(ARG_CHOOSE)
    get_filename_component(choices "${ARG_CHOOSE}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
    list(APPEND options --choose=${choices})
  endif()
  set(${result}_SOURCES ${ARG_UNPARSED_ARGUMENTS} PARENT_SCOPE)
  set(${result}_OPTIONS ${options} PARENT_SCOPE)
  set(${result}_CHOICES ${choices} PARENT_SCOPE)
endfunction()

function(_regrain_apply name prefix)
  # Relocatable code becomes an image at the device link, which has the grains then.
  foreach(option IN LISTS ${prefix}_OPTIONS)
    target_compile_options(${name} PRIVATE "$<$<COMPILE_LANGUAGE:CUDA>:${option}>")
    target_link_options(${name} PRIVATE "$<DEVICE_LINK:${option}>")
  endforeach()
  if(${prefix}_CHOICES)
    set_property(SOURCE ${${prefix}_SOURCES} DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}"
      APPEND PROPERTY OBJECT_DEPENDS "${${prefix}_CHOICES}")
  endif()
endfunction()

macro(regrain_add_executable name)
  regrain_enable_cuda()
  _regrain_parse(_regrain ${ARGN})
  add_executable(${name} ${_regrain_SOURCES})
  _regrain_apply(${name} _regrain)
endmacro()

macro(regrain_add_library name)
  regrain_enable_cuda()
  _regrain_parse(_regrain ${ARGN})
  add_library(${name} ${_regrain_SOURCES})
  _regrain_apply(${name} _regrain)
endmacro()
