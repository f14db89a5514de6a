# The two libraries of SUNDIALS that freeplay uses, as target freeplay_sundials. Its own package file would ask for MPI,
# PETSc and everything else that a distribution has built it with.
if(NOT TARGET freeplay_sundials)
  find_path(FREEPLAY_SUNDIALS_INCLUDE_DIR cvode/cvode.h REQUIRED)
  add_library(freeplay_sundials INTERFACE IMPORTED)
  target_include_directories(freeplay_sundials INTERFACE "${FREEPLAY_SUNDIALS_INCLUDE_DIR}")
  foreach(name cvode nvecserial)
    find_library(FREEPLAY_SUNDIALS_${name} sundials_${name} REQUIRED)
    target_link_libraries(freeplay_sundials INTERFACE "${FREEPLAY_SUNDIALS_${name}}")
  endforeach()
  mark_as_advanced(FREEPLAY_SUNDIALS_INCLUDE_DIR FREEPLAY_SUNDIALS_cvode FREEPLAY_SUNDIALS_nvecserial)
endif()
