# RegrainProducer: makes generated/producer.h, which defines REGRAIN_PRODUCER.
include(CodeSources)
regrain_code_sources(sources ${CMAKE_SOURCE_DIR})
list(TRANSFORM sources PREPEND ${CMAKE_SOURCE_DIR}/)
set(producer ${CMAKE_BINARY_DIR}/generated/producer.h)
set(script ${CMAKE_SOURCE_DIR}/cmake/WriteProducer.cmake)
add_custom_command(
  OUTPUT ${producer}
  COMMAND ${CMAKE_COMMAND} -DSOURCES=${CMAKE_SOURCE_DIR} -DVERSION=${PROJECT_VERSION}
          -DLLVM=${LLVM_VERSION} -DOUTPUT=${producer} -P ${script}
  DEPENDS ${script} ${CMAKE_SOURCE_DIR}/cmake/CodeSources.cmake ${sources}
  COMMENT "Writing what images say of their compiler")
add_custom_target(RegrainProducer DEPENDS ${producer})
