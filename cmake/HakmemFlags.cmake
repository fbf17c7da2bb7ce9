# How everything here is compiled. Two interface targets:
#   hakmem_warnings   warnings, for every target of the project
#   hakmem_codegen    what the code of the allocator itself depends on

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)

# Debug keeps enough optimisation for the stress tests to finish, and frame pointers for every tool.
set(CMAKE_C_FLAGS_DEBUG "-O1 -g -fno-omit-frame-pointer")
set(CMAKE_CXX_FLAGS_DEBUG "-O1 -g -fno-omit-frame-pointer")

if(HAKMEM_SANITIZE)
  add_compile_options(-fsanitize=${HAKMEM_SANITIZE} -fno-sanitize-recover=all)
  if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-Wno-maybe-uninitialized) # GCC's instrumentation hides initialisations from it
  endif()
  add_link_options(-fsanitize=${HAKMEM_SANITIZE})
endif()

add_library(hakmem_warnings INTERFACE)
target_compile_options(hakmem_warnings INTERFACE
  -Wall -Wextra -Wshadow
  $<$<COMPILE_LANGUAGE:C>:-Wconversion>
  $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes>
  $<$<BOOL:${HAKMEM_WERROR}>:-Werror>)

add_library(hakmem_codegen INTERFACE)
target_compile_definitions(hakmem_codegen INTERFACE _GNU_SOURCE HAKMEM_VALIDATE=$<BOOL:${HAKMEM_VALIDATE}>)
target_compile_options(hakmem_codegen INTERFACE
  -fvisibility=hidden             # only what hakmem.h marks HAK_API leaves the library
  -fno-semantic-interposition     # calls inside the library are direct, and may be inlined
  -ftls-model=initial-exec        # one load reaches a thread's cache; preloading and linking both allow it
  -ffunction-sections -fdata-sections # the linker leaves out what nothing calls: the validators, in a release library
  -fno-builtin)                   # else malloc + memset becomes calloc, and calloc becomes a call of itself
if(NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
  target_compile_options(hakmem_codegen INTERFACE -fomit-frame-pointer)
endif()
