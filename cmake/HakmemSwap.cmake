# Takes boxes out of the library and puts others in their place, to measure them against each other (swaps/swaps.toml).
# HAKMEM_SWAP names a folder of swaps/: each file there takes the place of that of src/ with the same path.
set(HAKMEM_SWAP "" CACHE STRING "A folder of swaps/, for measuring alone: such a library cannot be installed")

if(HAKMEM_SWAP AND NOT IS_DIRECTORY ${PROJECT_SOURCE_DIR}/swaps/${HAKMEM_SWAP})
  message(FATAL_ERROR "There is no swap '${HAKMEM_SWAP}': swaps/swaps.toml lists them.")
endif()

# Puts the chosen files into a list of sources, and their headers before all others.
function(hakmem_swap list)
  if(NOT HAKMEM_SWAP)
    return()
  endif()
  set(folder ${PROJECT_SOURCE_DIR}/swaps/${HAKMEM_SWAP})
  file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE ${folder} ${folder}/*.c)
  set(sources ${${list}})
  foreach(file IN LISTS files)
    list(REMOVE_ITEM sources ${PROJECT_SOURCE_DIR}/src/${file})
    list(APPEND sources ${folder}/${file})
  endforeach()
  set(${list} ${sources} PARENT_SCOPE)
  include_directories(BEFORE ${folder})
endfunction()
