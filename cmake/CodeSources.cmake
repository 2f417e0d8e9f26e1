# regrain_code_sources(RESULT FOLDER): the files below FOLDER, the repository's root, that decide on
# the code of kernels, sorted, without FOLDER.
function(regrain_code_sources result folder)
  set(patterns "")
  foreach(part Analysis DeviceIR DeviceLink Dialect Export Folding Frontend Identity Import Pipelines Simplify Target Transforms)
    foreach(kind c cpp def h inc td)
      list(APPEND patterns ${folder}/compiler/${part}/*.${kind})
    endforeach()
  endforeach()
  set(watch CONFIGURE_DEPENDS) # a file more or less: configured anew
  if(CMAKE_SCRIPT_MODE_FILE)
    set(watch "")
  endif()
  file(GLOB_RECURSE files RELATIVE ${folder} ${watch} ${patterns} ${folder}/include/cuda/*
       ${folder}/include/cccl/*)
  set(${result} ${files} PARENT_SCOPE)
endfunction()
