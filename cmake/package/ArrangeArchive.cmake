# Run by CPack before it makes the archive: adds what the system may lack, so that the tree runs
# wherever it is unpacked. What is not Regrain's lies in lib/third-party, each with its licence.
# The C and C++ libraries are the system's, and so are the host's headers.
cmake_policy(VERSION 3.25)
set(tree ${CPACK_TEMPORARY_INSTALL_DIRECTORY})
set(bundle ${tree}/lib/third-party)
set(llvm ${CPACK_REGRAIN_LLVM})
find_program(patchelf patchelf REQUIRED)
set(packages "")

# Copies a file under another name, and notes which package of the system it belongs to.
function(bring from to)
  file(REAL_PATH ${from} real)
  cmake_path(GET to PARENT_PATH folder)
  file(MAKE_DIRECTORY ${folder})
  file(COPY_FILE ${real} ${to})
  # Some packages say /lib for what is in /usr/lib.
  string(REGEX REPLACE "^/usr/lib" "/lib" short ${real})
  execute_process(COMMAND dpkg-query -S ${real} ${short} OUTPUT_VARIABLE owner ERROR_QUIET)
  string(REGEX REPLACE ":.*" "" owner "${owner}")
  if(NOT owner)
    message(FATAL_ERROR "no package has ${real}, so that its licence is not known")
  endif()
  list(APPEND packages ${owner})
  set(packages ${packages} PARENT_SCOPE)
endfunction()

function(set_search_path file path)
  execute_process(COMMAND ${patchelf} --set-rpath ${path} ${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# clang compiles the host side of C++ files and links; lld links kernels of the CPU and AMD GPUs.
foreach(program clang lld)
  bring(${llvm}/bin/${program} ${bundle}/bin/${program})
endforeach()
foreach(name clang++ ld.lld)
  set(program clang)
  if(name STREQUAL ld.lld)
    set(program lld)
  endif()
  file(CREATE_LINK ${program} ${bundle}/bin/${name} SYMBOLIC)
endforeach()
file(GLOB resources RELATIVE ${llvm}/lib/clang ${llvm}/lib/clang/*)
foreach(version IN LISTS resources)
  file(REAL_PATH ${llvm}/lib/clang/${version}/include headers)
  file(COPY ${headers} DESTINATION ${bundle}/lib/clang/${version} FOLLOW_SYMLINK_CHAIN)
endforeach()
list(APPEND packages libclang-common-19-dev)

# Bitcode with mathematics, for PTX without a CUDA toolkit and for AMD GPUs.
bring(/usr/lib/clc/nvptx64--nvidiacl.bc ${bundle}/clc/nvptx64--nvidiacl.bc)
file(GLOB bitcode /usr/lib/*/amdgcn/bitcode/*.bc)
foreach(file IN LISTS bitcode)
  cmake_path(GET file FILENAME name)
  bring(${file} ${bundle}/amdgcn/bitcode/${name})
endforeach()

# The libraries of all this, under the names by which they are looked for.
file(GLOB own ${tree}/bin/*)
set(programs ${own} ${llvm}/bin/clang ${llvm}/bin/lld)
file(GLOB libraries ${tree}/lib/libregrain-*.so)
file(GET_RUNTIME_DEPENDENCIES EXECUTABLES ${programs} LIBRARIES ${libraries}
  DIRECTORIES ${llvm}/lib
  RESOLVED_DEPENDENCIES_VAR needed UNRESOLVED_DEPENDENCIES_VAR missing
  PRE_EXCLUDE_REGEXES "^lib(c|m|dl|rt|pthread|gcc_s|stdc\\+\\+)\\.so" "^ld-linux" "^libregrain")
if(missing)
  message(FATAL_ERROR "these libraries are not there: ${missing}")
endif()
foreach(library IN LISTS needed)
  cmake_path(GET library FILENAME name)
  bring(${library} ${bundle}/lib/${name})
  set_search_path(${bundle}/lib/${name} $ORIGIN)
endforeach()
# A static runtime is linked with these by -l.
file(CREATE_LINK libtbb.so.12 ${bundle}/lib/libtbb.so SYMBOLIC)
file(CREATE_LINK libsleef.so.3 ${bundle}/lib/libsleef.so SYMBOLIC)
# An LLVM of the system is not searched.
foreach(program IN LISTS own)
  set_search_path(${program} $ORIGIN/../lib/third-party/lib)
endforeach()
foreach(program clang lld)
  set_search_path(${bundle}/bin/${program} $ORIGIN/../lib)
endforeach()

# The folder that looks like a toolkit has no link to a toolkit of this machine.
execute_process(COMMAND ${tree}/bin/regrain cuda-path --write --toolkit=none
                COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)

list(REMOVE_DUPLICATES packages)
file(MAKE_DIRECTORY ${bundle}/licences)
foreach(package IN LISTS packages)
  file(COPY_FILE /usr/share/doc/${package}/copyright ${bundle}/licences/${package})
endforeach()
# Their texts name these by the folder in which Debian has them.
file(GLOB texts /usr/share/common-licenses/*)
foreach(text IN LISTS texts)
  cmake_path(GET text FILENAME name)
  file(REAL_PATH ${text} real)
  file(COPY_FILE ${real} ${bundle}/licences/${name})
endforeach()
file(COPY ${CPACK_REGRAIN_SOURCE}/LICENSE DESTINATION ${tree})
