# What a build of hakmem can be told. Each option is a cache variable; CMakePresets.json sets them for the named builds.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "RelWithDebInfo (the release library) or Debug" FORCE)
endif()

if(CMAKE_BUILD_TYPE STREQUAL "Debug")
  set(validate_default ON)
else()
  set(validate_default OFF)
endif()

option(HAKMEM_INTERPOSE "Define malloc, free, operator new and their families; OFF leaves hak_* alone" ON)
option(HAKMEM_VALIDATE "Check the invariants of every box at its transitions (slow)" ${validate_default})
option(HAKMEM_WERROR "Treat warnings as errors" ${PROJECT_IS_TOP_LEVEL})
set(HAKMEM_TESTS ${PROJECT_IS_TOP_LEVEL} CACHE STRING "Tests to build: OFF, unit (C alone) or ON (all; needs C++ and GoogleTest)")
option(HAKMEM_BENCH "Build the benchmark programs" ${PROJECT_IS_TOP_LEVEL})
option(HAKMEM_FUZZ "Build the fuzz target (needs Clang, and HAKMEM_SANITIZE with fuzzer-no-link)" OFF)
set(HAKMEM_VARIANTS "observe;secure;profile" CACHE STRING "Further libraries of the same sources to build")
set(HAKMEM_SANITIZE "" CACHE STRING "Sanitizers to build with, as -fsanitize= takes them; needs HAKMEM_INTERPOSE=OFF")
set(HAKMEM_LIB_DIR "${PROJECT_BINARY_DIR}/lib" CACHE PATH "Folder that libhakmem.so and libhakmem.a are built into")

if(HAKMEM_SANITIZE AND HAKMEM_INTERPOSE)
  message(FATAL_ERROR "A sanitizer brings its own malloc: set HAKMEM_INTERPOSE=OFF (the asan and tsan presets do).")
endif()
if(HAKMEM_FUZZ AND NOT (CMAKE_C_COMPILER_ID STREQUAL "Clang" AND HAKMEM_SANITIZE MATCHES "fuzzer-no-link"))
  message(FATAL_ERROR "The fuzz target needs Clang and -DHAKMEM_SANITIZE=fuzzer-no-link,...: use the preset fuzz.")
endif()
