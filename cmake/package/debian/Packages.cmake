# The Debian packages, one for each component. dpkg-shlibdeps finds the libraries that the files
# are linked with; here is what they run, read or open besides.
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(same "(= ${PROJECT_VERSION})")

# CPACK_PACKAGE_DESCRIPTION_SUMMARY stays unset: it would stand before the description of each.
# regrain_package(COMPONENT NAME SECTION SUMMARY [DEPENDS ...] [RECOMMENDS ...] [SUGGESTS ...]
# DESCRIPTION LINE...)
function(regrain_package component name section summary)
  cmake_parse_arguments(ARG "" "" "DEPENDS;RECOMMENDS;SUGGESTS;DESCRIPTION" ${ARGN})
  string(TOUPPER ${component} key)
  set(CPACK_DEBIAN_${key}_PACKAGE_NAME ${name} PARENT_SCOPE)
  set(CPACK_DEBIAN_${key}_PACKAGE_SECTION ${section} PARENT_SCOPE)
  string(JOIN "\n" text "${summary}" ${ARG_DESCRIPTION})
  set(CPACK_DEBIAN_${key}_DESCRIPTION "${text}" PARENT_SCOPE)
  foreach(field DEPENDS RECOMMENDS SUGGESTS)
    string(JOIN ", " value ${ARG_${field}})
    set(CPACK_DEBIAN_${key}_PACKAGE_${field} "${value}" PARENT_SCOPE)
  endforeach()
endfunction()

# dpkg-shlibdeps does not find libllvm19 behind a link of llvm-19-dev. libclc is for PTX where there
# is no toolkit, and PTX is among the default targets. What is for other hardware, large or not in
# Debian's main is not installed unless asked for.
regrain_package(compiler regrain devel "CUDA compiler that tunes how much work a thread does"
  DEPENDS "regrain-runtime ${same}" "regrain-tuning ${same}" "regrain-dev ${same}" clang-19 lld-19
          libclc-19 libllvm19
  RECOMMENDS "regrain-libraries ${same}" rocm-device-libs
  SUGGESTS nvidia-cuda-toolkit libomp-19-dev libclang-rt-19-dev gdb
  DESCRIPTION "Regrain compiles CUDA programs for NVIDIA GPUs, AMD GPUs and the CPU. Beside"
    "each kernel it compiles alternatives in which a thread or a block does more or"
    "less of the work, and tuning chooses by measurement on the program's own data."
    "."
    "This package has the compiler, the tools to tune and to inspect programs, and"
    "nvrtc.")
regrain_package(runtime regrain-runtime libs "runtime of programs that Regrain compiled"
  SUGGESTS "regrain-tuning ${same}" libcuda1 libamdhip64-5
  DESCRIPTION "The CUDA runtime and driver API for NVIDIA GPUs, AMD GPUs and the CPU."
    "Programs that Regrain compiled need this package alone.")
regrain_package(tuning regrain-tuning libs "tuning of programs that Regrain compiled"
  DEPENDS "regrain-runtime ${same}"
  DESCRIPTION "The library that measures the alternatives of kernels in a running program,"
    "compares their results with the original's, and remembers what it chose.")
regrain_package(libraries regrain-libraries libs "cuBLAS, cuFFT and others for CPUs and AMD GPUs"
  DEPENDS "regrain-runtime ${same}"
  RECOMMENDS libfftw3-double3 libfftw3-single3
  DESCRIPTION "Regrain's own cuBLAS, cuSOLVER, cuFFT, cuRAND and cuSPARSE. They run on the"
    "CPU, where cuFFT computes by FFTW, and call ROCm's libraries on AMD GPUs.")
regrain_package(headers regrain-dev libdevel "headers and static libraries of Regrain's runtime"
  DEPENDS "regrain-runtime ${same}" libtbb-dev libsleef-dev
  SUGGESTS "regrain ${same}" cmake pkgconf
  DESCRIPTION "The headers of CUDA as Regrain defines them, the runtime for static linking,"
    "and what CMake and pkg-config read.")

set(CPACK_DEBIAN_COMPILER_PACKAGE_CONTROL_EXTRA
  ${CMAKE_CURRENT_LIST_DIR}/postinst ${CMAKE_CURRENT_LIST_DIR}/prerm
  ${CMAKE_CURRENT_LIST_DIR}/triggers)
