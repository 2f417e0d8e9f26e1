# Read by CPack for each generator.
if(CPACK_GENERATOR STREQUAL "DEB")
  # The whole tree lies in one folder, as it is built; links lead to it from the usual places.
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr/lib/regrain)
  set(CPACK_PRE_BUILD_SCRIPTS ${CPACK_REGRAIN_SOURCE}/cmake/package/ArrangeDebian.cmake)
else()
  set(CPACK_PACKAGING_INSTALL_PREFIX "")
  set(CPACK_ARCHIVE_COMPONENT_INSTALL OFF)
  set(CPACK_MONOLITHIC_INSTALL ON)
  set(CPACK_PRE_BUILD_SCRIPTS ${CPACK_REGRAIN_SOURCE}/cmake/package/ArrangeArchive.cmake)
endif()
