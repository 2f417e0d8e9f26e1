# Run by CPack between the installation of the components and the packages: puts what users look
# for where Debian has it, and adds what each package of Debian has.
cmake_policy(VERSION 3.25)
set(debian ${CPACK_REGRAIN_SOURCE}/cmake/package/debian)
set(staging ${CPACK_TEMPORARY_DIRECTORY})
file(GLOB found /usr/lib/*/libc.so.6)
cmake_path(GET found PARENT_PATH system)
set(tree usr/lib/regrain)

# Moves a file or folder of a component, whose folders it makes.
function(move component from to)
  cmake_path(GET to PARENT_PATH folder)
  file(MAKE_DIRECTORY ${staging}/${component}/${folder})
  file(RENAME ${staging}/${component}/${from} ${staging}/${component}/${to})
endfunction()

# Makes a link at `path` to `target`, both below the root, that holds wherever the root is.
function(link component path target)
  cmake_path(GET path PARENT_PATH folder)
  file(MAKE_DIRECTORY ${staging}/${component}/${folder})
  cmake_path(RELATIVE_PATH target BASE_DIRECTORY ${folder})
  file(CREATE_LINK ${target} ${staging}/${component}/${path} SYMBOLIC)
endfunction()

function(compress file)
  execute_process(COMMAND gzip -9nf ${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# The compiler: commands, manuals, completion.
foreach(program regrain regrain-nvcc)
  link(compiler usr/bin/${program} ${tree}/bin/${program})
endforeach()
move(compiler ${tree}/share/man usr/share/man)
move(compiler ${tree}/share/bash-completion usr/share/bash-completion)
move(compiler ${tree}/share/zsh/site-functions usr/share/zsh/vendor-completions)
move(compiler ${tree}/share/fish usr/share/fish)
file(REMOVE_RECURSE ${staging}/compiler/${tree}/share)
file(GLOB pages ${staging}/compiler/usr/share/man/man1/*.1)
foreach(page IN LISTS pages)
  compress(${page})
endforeach()

# The headers: CMake follows a link to them, and pkg-config reads a file that names the folder.
string(REGEX REPLACE "^/" "" system ${system})
link(headers ${system}/cmake/Regrain ${tree}/lib/cmake/Regrain)
move(headers ${tree}/lib/pkgconfig/regrain.pc ${system}/pkgconfig/regrain.pc)
file(REMOVE_RECURSE ${staging}/headers/${tree}/lib/pkgconfig)
set(file ${staging}/headers/${system}/pkgconfig/regrain.pc)
file(READ ${file} text)
string(REGEX REPLACE "^prefix=[^\n]*" "prefix=/${tree}" text "${text}")
file(WRITE ${file} "${text}")

# Each package: licence, history, and what Lintian would report without need.
file(READ ${CPACK_REGRAIN_SOURCE}/LICENSE license)
string(REGEX REPLACE ".*---- LLVM Exceptions[^\n]*\n" "" exception "${license}")
string(REGEX REPLACE "\n\n" "\n.\n" exception "${exception}")
string(REGEX REPLACE "\n([^\n])" "\n \\1" exception "${exception}")
string(STRIP "${exception}" exception)
execute_process(COMMAND git log -1 --format=%ct WORKING_DIRECTORY ${CPACK_REGRAIN_SOURCE}
                OUTPUT_VARIABLE seconds OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(DEFINED ENV{SOURCE_DATE_EPOCH})
  set(seconds $ENV{SOURCE_DATE_EPOCH})
elseif(NOT seconds)
  string(TIMESTAMP seconds %s UTC)
endif()
execute_process(COMMAND env LC_ALL=C date -R -u -d @${seconds}
                OUTPUT_VARIABLE date OUTPUT_STRIP_TRAILING_WHITESPACE)
string(REGEX MATCH "[0-9][0-9][0-9][0-9]" year "${date}")
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER ${component} key)
  set(name ${CPACK_DEBIAN_${key}_PACKAGE_NAME})
  set(folder ${staging}/${component}/usr/share/doc/${name})
  configure_file(${debian}/copyright ${folder}/copyright @ONLY)
  file(APPEND ${folder}/copyright " .\n ${exception}\n")
  file(WRITE ${folder}/changelog "regrain (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium\n\n"
       "  * This release.\n\n -- ${CPACK_DEBIAN_PACKAGE_MAINTAINER}  ${date}\n")
  compress(${folder}/changelog)
  if(EXISTS ${debian}/${name}.lintian-overrides)
    set(overrides ${staging}/${component}/usr/share/lintian/overrides)
    file(MAKE_DIRECTORY ${overrides})
    file(COPY_FILE ${debian}/${name}.lintian-overrides ${overrides}/${name})
  endif()
endforeach()
