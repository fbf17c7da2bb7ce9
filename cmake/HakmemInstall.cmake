# What `cmake --install` puts where: libraries, header, CMake package, pkg-config file, manual page.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/hakmem)
set(pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

list(TRANSFORM HAKMEM_VARIANTS PREPEND hakmem_ OUTPUT_VARIABLE variant_libraries)
install(TARGETS hakmem hakmem_static ${variant_libraries} EXPORT hakmem-targets)
install(FILES include/hakmem.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES docs/man/hakmem.3 DESTINATION ${CMAKE_INSTALL_MANDIR}/man3)

# find_package(hakmem): targets hakmem::hakmem and hakmem::hakmem_static
install(EXPORT hakmem-targets NAMESPACE hakmem:: DESTINATION ${package_dir})
configure_package_config_file(cmake/hakmem-config.cmake.in hakmem-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(hakmem-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/hakmem-config.cmake ${PROJECT_BINARY_DIR}/hakmem-config-version.cmake
        DESTINATION ${package_dir})

# pkg-config: the prefix is told from where the file lies, so that `cmake --install --prefix` and moving the tree both work.
file(RELATIVE_PATH pkgconfig_to_prefix ${CMAKE_INSTALL_PREFIX}/${pkgconfig_dir} ${CMAKE_INSTALL_PREFIX})
configure_file(cmake/hakmem.pc.in hakmem.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/hakmem.pc DESTINATION ${pkgconfig_dir})
