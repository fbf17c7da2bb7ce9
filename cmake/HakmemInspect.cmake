# The command hakmem of gdb: a script that lies beside each shared library, as gdb looks for it, and runs tools/hakmem_inspect.
set(inspect ${PROJECT_SOURCE_DIR}/tools/hakmem_inspect)
set(inspect_folder ${CMAKE_INSTALL_DATADIR}/hakmem)
list(TRANSFORM HAKMEM_VARIANTS PREPEND hakmem- OUTPUT_VARIABLE inspected)
file(RELATIVE_PATH from_library ${CMAKE_INSTALL_FULL_LIBDIR} ${CMAKE_INSTALL_FULL_DATADIR}/hakmem)

set(HAKMEM_INSPECT_BESIDE ${from_library})
set(HAKMEM_INSPECT_SOURCE "")
configure_file(${inspect}/autoload.py.in autoload.py @ONLY)
set(HAKMEM_INSPECT_SOURCE ${PROJECT_SOURCE_DIR}/tools)
foreach(library IN ITEMS hakmem LISTS inspected)
  set(script lib${library}.so.${PROJECT_VERSION}-gdb.py) # gdb follows the links to the library first
  configure_file(${inspect}/autoload.py.in ${HAKMEM_LIB_DIR}/${script} @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/autoload.py DESTINATION ${CMAKE_INSTALL_LIBDIR} RENAME ${script})
endforeach()
file(CREATE_LINK libhakmem.so.${PROJECT_VERSION}-gdb.py ${HAKMEM_LIB_DIR}/libhakmem.so-gdb.py SYMBOLIC)

# What needs nothing but gdb's own Python.
file(GLOB inspect_sources CONFIGURE_DEPENDS ${inspect}/*.py)
list(FILTER inspect_sources EXCLUDE REGEX "/(cli|core|listing|process|screen|snapshot|tables|target)[.]py$")
install(FILES ${inspect_sources} DESTINATION ${inspect_folder}/hakmem_inspect)
