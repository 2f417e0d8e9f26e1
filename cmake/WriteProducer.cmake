# Writes OUTPUT, a header with what images say of their compiler: its version, a digest of the
# sources that decide on the code it generates, and its LLVM. Measurements hold for one compiler
# alone, and the version stays the same while Regrain is developed.
# Run with -P, and SOURCES: the folder; VERSION, LLVM, OUTPUT.
include(${CMAKE_CURRENT_LIST_DIR}/CodeSources.cmake)
regrain_code_sources(files ${SOURCES})
set(digests "")
foreach(file IN LISTS files)
  file(SHA256 ${SOURCES}/${file} digest)
  string(APPEND digests "${file} ${digest}\n")
endforeach()
string(SHA256 digest "${digests}")
string(SUBSTRING ${digest} 0 12 digest)
file(CONFIGURE OUTPUT ${OUTPUT}
     CONTENT "#define REGRAIN_PRODUCER \"regrain ${VERSION} (${digest}), LLVM ${LLVM}\"\n")
