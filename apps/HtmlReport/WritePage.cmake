# Writes PageTemplate.cpp, with the page in it, or with none if there is no esbuild:
# cmake -D OUTPUT=... -D WEB=... [-D SCRIPT=... -D STYLE=...] -P WritePage.cmake
cmake_minimum_required(VERSION 3.25)
set(page "")
file(REMOVE ${OUTPUT}.html)
if(SCRIPT)
  file(READ ${WEB}/page.html page)
  file(READ ${SCRIPT} script)
  file(READ ${STYLE} style)
  string(REPLACE "@STYLE@" "${style}" page "${page}")
  string(REPLACE "@SCRIPT@" "${script}" page "${page}")
  file(WRITE ${OUTPUT}.html "${page}")
  file(READ ${OUTPUT}.html page HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," page "${page}")
  string(REPEAT "0x..," 16 line)
  string(REGEX REPLACE "(${line})" "\\1\n" page "${page}")
endif()
file(WRITE ${OUTPUT} "// apps/HtmlReport/WritePage.cmake has written this file.
#include \"apps/HtmlReport/PageTemplate.h\"

static const unsigned char page[] = {${page}0};

std::string_view regrain::html::pageTemplate() {
  return {reinterpret_cast<const char *>(page), sizeof(page) - 1};
}
")
